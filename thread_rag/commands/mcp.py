"""`thread-rag mcp`: the guides for agents that speak the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thread_rag.ending import errors_in_one_line, told_when_stopped
from thread_rag.options import STORE, BaseUrlOption, ModelOption, ServerOption, StoreOption, WaitOption

EXAMPLES = (
    "Example, in an MCP client's configuration: command thread-rag, arguments mcp --store /srv/guides. For a team:"
    " thread-rag mcp --store /srv/guides --http 0.0.0.0:8000 --name guides.example.org --token-file tokens"
)


def mcp(
    store: StoreOption = STORE,
    server: ServerOption = "",
    http: Annotated[
        str,
        typer.Option("--http", metavar="HOST:PORT", help="Listen there, at /mcp; without it, at standard input."),
    ] = "",
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="HOST[:PORT]",
            help="Answer to this name, too, such as guides.example.org; can be given several times.",
        ),
    ] = None,
    socket: Annotated[
        Path | None,
        typer.Option("--socket", metavar="PATH", help="Listen at this Unix socket, which only you can open."),
    ] = None,
    sessions: Annotated[
        Path | None,
        typer.Option("--sessions", metavar="DIR", help="Keep walks here; in the store's directory without it."),
    ] = None,
    token_file: Annotated[
        Path | None,
        typer.Option("--token-file", metavar="FILE", help="Who may ask: a line `name token` for each client."),
    ] = None,
    wait: WaitOption = 0,
    model: ModelOption = "",
    base_url: BaseUrlOption = "",
) -> None:
    """Offer the guides to agents, as an MCP server.

    An agent finds guides and walks somebody through one, a step a call; walks are kept, and go on in another
    conversation. Steps are the person's to do: nothing is run, and no agent can approve anything.

    An agent's client starts the command by itself and talks to it over standard input. With --http it is a server for
    many clients. At 127.0.0.1 it asks for no tokens, and anybody on this machine may use it; at an address that others
    reach it needs --token-file, a file that you alone can read (mode 0600), read when the server starts. It speaks no
    TLS: put a proxy before it, and give the name that clients then use as --name, for other names are refused. What
    watches it asks /health whether it lives, and /ready whether it can read the guides.

    An ingest may run beside it: what it takes in is found when it has ended. The server cannot be started during one,
    unless it waits with --wait, or both use a Chroma server (--server).
    """
    if http and socket is not None:
        raise typer.BadParameter("listen at one of --http and --socket", param_hint="--socket")
    if not http and (token_file is not None or names):
        raise typer.BadParameter("tokens and names are for --http", param_hint="--http")
    host, port = _address(http)
    with errors_in_one_line():
        from thread_mcp import Clients, create_server, serving
        from thread_rag import opening
        from thread_rag.place import Place

        clients = Clients.read(token_file) if token_file is not None else None
        if http and clients is None and not serving.is_loopback(host):
            raise typer.BadParameter(f"{host} is reached from other machines; add --token-file", param_hint="--http")
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
    """The host and the port of `HOST:PORT`; `[::1]:8000` is an address of IPv6."""
    if not said:
        return "", 0
    host, _, port = said.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise typer.BadParameter("a host and a port, as in 127.0.0.1:8000", param_hint="--http")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _tell(address: str) -> None:
    from thread_core.text.safe import one_line

    typer.echo(f"listening at {one_line(address)}", err=True)
