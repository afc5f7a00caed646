"""`thread-rag mcp`: guides for agents, over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thread_rag.ending import errors_in_one_line, told_when_stopped
from thread_rag.options import STORE, BaseUrlOption, ModelOption, ServerOption, StoreOption, WaitOption

EXAMPLES = """\
thread-rag mcp --store /srv/guides    # as the command of an MCP client
thread-rag mcp --store /srv/guides --http 127.0.0.1:8000
thread-rag mcp --store /srv/guides --http 0.0.0.0:8000 \\
    --name guides.example.org --token-file tokens"""


def mcp(
    store: StoreOption = STORE,
    server: ServerOption = "",
    http: Annotated[
        str,
        typer.Option("--http", metavar="HOST:PORT", help="Serve at http://HOST:PORT/mcp. Default: standard input."),
    ] = "",
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="HOST[:PORT]",
            help="Also accept this host name, such as guides.example.org; repeat it for more.",
        ),
    ] = None,
    socket: Annotated[
        Path | None,
        typer.Option("--socket", metavar="PATH", help="Serve at this Unix socket, which only you can open."),
    ] = None,
    sessions: Annotated[
        Path | None,
        typer.Option("--sessions", metavar="DIR", help="Save walks here. Default: sessions in the store's directory."),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="The clients that may connect, one line `name token` each."),
    ] = None,
    wait: WaitOption = 0,
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
) -> None:
    """Serve the guides to agents over MCP.

    An agent finds guides and walks a person through one, one step per call. The person carries out the steps: the
    server runs nothing, and an agent cannot approve anything. Walks are saved, and can be continued in another
    conversation.

    Usually, an MCP client starts the command itself and talks to it over standard input. With --http, the server has
    many clients. On 127.0.0.1, anybody on this machine may connect, without a token. Other addresses need --token-file,
    a file with mode 0600 that is read at start. The server has no TLS: put a proxy in front of it, and pass the public
    name with --name. Other host names are refused. Health checks use /health (the process runs) and /ready (the guides
    can be read).

    You can run an ingest meanwhile: clients see its result when it has ended. The server cannot start during an ingest
    unless you pass --wait, or both use --server.
    """
    if http and socket is not None:
        raise typer.BadParameter("found --http and --socket; choose one", param_hint="--socket")
    if not http and (token_file is not None or names):
        raise typer.BadParameter(
            "found --token-file or --name without --http; add it, or leave them out", param_hint="--http"
        )
    host, port = _address(http)
    with errors_in_one_line():
        from thread_mcp import Clients, create_server, serving
        from thread_rag import opening
        from thread_rag.place import Place

        clients = Clients.read(token_file) if token_file is not None else None
        if http and clients is None and not serving.is_loopback(host):
            raise typer.BadParameter(
                f"{host} can be reached from other machines; add --token-file", param_hint="--http"
            )
        place = Place(store, server)
        library = opening.library(place, model, base_url, place.units(wait))
        served = create_server(library, sessions or store / "sessions")
        if not http and socket is None:
            serving.serve_stdio(served)
            return
        with told_when_stopped():
            if socket is not None:
                serving.serve_socket(served, socket, _tell)
            else:
                serving.serve_http(served, host, port, clients, names or (), _tell, library=library)


def _address(said: str) -> tuple[str, int]:
    """Return the host and the port of `HOST:PORT`; an IPv6 address has brackets: `[::1]:8000`."""
    if not said:
        return "", 0
    host, _, port = said.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise typer.BadParameter(f"found {said!r}, expected a host and a port: 127.0.0.1:8000", param_hint="--http")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _tell(address: str) -> None:
    from thread_core.text.safe import one_line

    typer.echo(f"listening at {one_line(address)}", err=True)
