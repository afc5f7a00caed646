"""The server over HTTP: who may ask, from where, how much and how often.

Each request stands for itself: a walk is kept by its session's id, and no connection is. So the server may be started
again, or run in several processes, under its clients.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend, RequireAuthMiddleware
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from thread_core.errors import ThreadError
from thread_core.plan import in_a_thread
from thread_core.store.library import Library
from thread_core.text.safe import one_line
from thread_mcp.tokens import Clients

_log = logging.getLogger(__name__)

PATH = "/mcp"
HEALTH, READY = "/health", "/ready"
LARGEST = 200_000
"""Bytes of a request's body."""
RATE = "600/minute"
"""Requests of a client; some clients make four for one call of a tool."""
WATCHED = "60/minute"
"""Looks at the store by which an address is told whether it is ready."""


def create_app(
    server: Server[Any, Any],
    hosts: Sequence[str],
    clients: Clients | None = None,
    *,
    library: Library | None = None,
    rate: str = RATE,
) -> Starlette:
    """An ASGI application that speaks MCP at `/mcp` (streamable HTTP), for uvicorn or another server.

    What watches it asks without a token, and is told nothing but a word: `/health`, whether the process answers, and
    `/ready`, whether it can read the guides.

    Args:
        server: Of `create_server`.
        hosts: What `Host` may say, such as `guides.example.org` or `localhost:8000`. A browser's page comes from none
            else, which keeps it from reaching a server on your machine under a name of its own (DNS rebinding).
        clients: Who may ask, by their tokens. Without them everybody may who can reach the server.
        library: The guides, for `/ready`, which says without it what `/health` does.
        rate: Requests of a client, or without a token of an address.

    Example:
        app = create_app(create_server(library, "sessions"), ["guides.example.org"], Clients.read(Path("tokens")))
    """
    origins = [f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")]
    manager = StreamableHTTPSessionManager(
        server,
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(allowed_hosts=list(hosts), allowed_origins=origins),
        max_request_body_size=LARGEST,
    )
    served: ASGIApp = manager.handle_request
    middleware = []
    if clients is not None:
        served = RequireAuthMiddleware(served, [])
        middleware = [Middleware(AuthenticationMiddleware, backend=BearerAuthBackend(clients))]
    return Starlette(
        # GET would hold a connection open for each client, for messages that a server without a memory never has.
        routes=[
            Route(PATH, _Rated(served, rate), methods=["POST"]),
            Route(HEALTH, _health),
            Route(READY, _Rated(_Ready(library), WATCHED), methods=["GET"]),
        ],
        middleware=middleware,
        lifespan=lambda app: manager.run(),
    )


async def _health(request: Request) -> PlainTextResponse:
    return PlainTextResponse("alive")


class _Ready:
    """Says whether the store can be read and holds units; why not is for the log."""

    def __init__(self, library: Library | None) -> None:
        self._library = library
        self._why_not = ""
        """Why it could not at the last look, so that each trouble is logged once."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_ready = self._library is None or await in_a_thread(self._look, self._library)
        response = PlainTextResponse("ready" if is_ready else "not ready", 200 if is_ready else 503)
        await response(scope, receive, send)

    def _look(self, library: Library) -> bool:
        try:
            is_ready, why_not = bool(library.store.version()), ""
        except ThreadError as error:
            is_ready, why_not = False, one_line(str(error))
        before, self._why_not = self._why_not, why_not
        if why_not and why_not != before:
            _log.warning("the store cannot be read: %s", why_not)
        elif before and not why_not:
            _log.warning("the store can be read again")
        return is_ready


class _Rated:
    """Refuses what comes too often: of a client by its token, of others by their address."""

    def __init__(self, app: ASGIApp, rate: str) -> None:
        self._app = app
        self._rate = parse(rate)
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        user, address = scope.get("user"), scope.get("client")
        name = f"client {user.username}" if isinstance(user, AuthenticatedUser) else f"at {address and address[0]}"
        if self._limiter.hit(self._rate, name):
            await self._app(scope, receive, send)
            return
        seconds = self._rate.get_expiry()
        response = PlainTextResponse(
            f"more than {self._rate}; wait, then try again", 429, headers={"Retry-After": str(seconds)}
        )
        await response(scope, receive, send)
