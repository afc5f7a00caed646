"""The server in this process: over its standard input and output, or at a socket that only those reach who may."""

from __future__ import annotations

import os
import socket
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import IO, Any

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server

from thread_core.errors import ThreadError
from thread_core.store.library import Library
from thread_mcp.tokens import Clients
from thread_mcp.web import PATH, create_app

AT_ONCE = 100
"""Requests that are answered at once; others are told to come again."""
GRACE = 3
"""Seconds that open requests have when the server is to end."""


class BadAddress(ThreadError):
    """The server cannot listen where it is told to."""


def serve_stdio(server: Server[Any, Any]) -> None:
    """Answer whoever started this process, until its input ends. What else would be printed goes to standard error."""

    async def run(heard: IO[str], told: IO[str]) -> None:
        async with stdio_server(anyio.wrap_file(heard), anyio.wrap_file(told)) as (said, answers):
            await server.run(said, answers, server.create_initialization_options())

    # Copies, for whoever closes them: the process has its own still.
    with (
        open(os.dup(0), encoding="utf-8", errors="replace") as heard,
        open(os.dup(1), "w", encoding="utf-8") as told,
        redirect_stdout(sys.stderr),
    ):
        anyio.run(run, heard, told)


def serve_http(
    server: Server[Any, Any],
    host: str,
    port: int,
    clients: Clients | None,
    names: Sequence[str] = (),
    listening: Callable[[str], object] = lambda address: None,
    *,
    library: Library | None = None,
) -> None:
    """Listen at a host and a port, until a signal ends it.

    Args:
        server: Of `create_server`.
        host: A name or an address of this machine.
        port: 0 takes a free one.
        clients: Who may ask; None lets everybody on this machine.
        names: What else the server is called, by a proxy say: `guides.example.org`.
        listening: Is told the address when it is reached there.
        library: The guides, which are looked at by who asks whether the server is ready.

    Raises:
        BadAddress: without tokens, the host is reached from other machines; or it cannot be listened at.
    """
    if clients is None and not is_loopback(host):
        raise BadAddress(f"{host} can be reached from other machines; give tokens, or listen at 127.0.0.1")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        raise BadAddress(f"cannot listen at {host}:{port} ({error.strerror}); choose another address") from error
    with listener:
        port = listener.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        here = (f"{name}:{port}" for name in ("localhost", "127.0.0.1", "[::1]"))
        hosts = list(dict.fromkeys((f"{shown}:{port}", *names, *(here if is_loopback(host) else ()))))
        listening(f"http://{shown}:{port}{PATH}")
        _serve(create_app(server, hosts, clients, library=library), listener)


def serve_socket(
    server: Server[Any, Any], path: Path, listening: Callable[[str], object] = lambda address: None
) -> None:
    """Listen at a Unix socket that its owner alone can use, until a signal ends it.

    Raises:
        BadAddress: something is there, or the socket cannot be made.
    """
    with _owned(path) as listener:
        listening(f"{path}, {PATH}")
        _serve(create_app(server, ["localhost"]), listener)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine for itself alone."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


@contextmanager
def _owned(path: Path) -> Iterator[socket.socket]:
    """A socket that is there for its owner alone from the first moment on; a dead one is replaced."""
    with socket.socket(socket.AF_UNIX) as listener:
        before = os.umask(0o177)
        try:
            if _is_dead(path):
                path.unlink()
            listener.bind(str(path))
        except OSError as error:
            raise BadAddress(
                f"cannot create a socket at {path} ({error.strerror or error}); choose another path"
            ) from error
        finally:
            os.umask(before)
        try:
            listener.listen()
            yield listener
        finally:
            path.unlink(missing_ok=True)


def _is_dead(path: Path) -> bool:
    """Whether a path is a socket at which nobody listens."""
    with suppress(FileNotFoundError):
        if stat.S_ISSOCK(path.lstat().st_mode):
            with socket.socket(socket.AF_UNIX) as one:
                return one.connect_ex(str(path)) != 0
    return False


def _serve(app: Any, listener: socket.socket) -> None:
    config = uvicorn.Config(
        app,
        log_level="warning",
        server_header=False,
        proxy_headers=False,  # what a header says of an address anybody can say
        limit_concurrency=AT_ONCE,
        timeout_graceful_shutdown=GRACE,
    )
    uvicorn.Server(config).run(sockets=[listener])
