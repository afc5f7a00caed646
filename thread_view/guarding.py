"""Who may talk to the server: pages of its own in the browser of whoever sits at this machine, and nobody else.

A page of another site that the same browser shows could send it requests (CSRF) or, by a name of its own that leads to
this machine, read its answers (DNS rebinding). So the host has to be this machine's name, and a request that changes
anything has to come from a page of this server and carry the token that only such a page has.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from hashlib import sha256
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "thread_view"
LARGEST = 64_000
"""Bytes of what a form sends, at most."""
FIELDS = 20
HOSTS = ("127.0.0.1", "localhost")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Refuses what comes by another name than this machine's, and sends every answer with what a browser may do."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            await send(message)

        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
        if host.rpartition(":")[0] not in HOSTS and host not in HOSTS:
            await guarded({"type": "http.response.start", "status": 421, "headers": [(b"content-type", b"text/plain")]})
            await guarded({"type": "http.response.body", "body": b"This server answers to 127.0.0.1 and localhost."})
            return
        await self._app(scope, receive, guarded)


class Browsers:
    """Tells browsers from each other by a cookie, and knows the token of each one's forms."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)

    def of(self, request: Request) -> str:
        """The browser's name: that of its cookie, or a new one."""
        said = request.cookies.get(COOKIE, "")
        return said if len(said) == 43 and said.isascii() else secrets.token_urlsafe(32)

    def token(self, browser: str) -> str:
        """What the forms of its pages send."""
        return hmac.new(self._secret, browser.encode(), sha256).hexdigest()

    async def form(self, request: Request) -> Mapping[str, str]:
        """What a form of a page of this server sends.

        Raises:
            HTTPException: it comes from elsewhere, lacks the token, or is too large.
        """
        origin = request.headers.get("origin", "")
        if origin != f"{request.url.scheme}://{request.headers.get('host', '')}":
            raise HTTPException(
                403, "This form was not sent by a page of this server. Reload the page, and send it again."
            )
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                raise HTTPException(413, f"The form has more than {LARGEST:,} bytes. Please use fewer words.")
        try:
            fields = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=FIELDS, errors="strict"))
        except ValueError as error:
            raise HTTPException(400, "This is not a form of this server.") from error
        if not hmac.compare_digest(fields.get("token", "").encode(), self.token(self.of(request)).encode()):
            raise HTTPException(403, "The server has been restarted since this page was opened. Please reload it.")
        return fields
