"""The HTTP server: it matches questions with its script, and notes whatever differs."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.scripted.faults import Fault
from tests.scripted.wire import Answer, Delivery, Request, Usage, error

SHOWN = 300
"""Characters of an unexpected question that a failing test shows."""


@dataclass
class _Line:
    """One line of the script."""

    to: str
    answer: Callable[[Request], Answer]
    left: int | None
    """How often it may still be used; None for as often as one likes."""


class ScriptedServer:
    """Serves `POST /v1/chat/completions` on a free port of 127.0.0.1, plain and streamed.

    A question that no line of the script fits gets a 500. Every connection is closed after its answer, so that clients
    keep none open.

    Example:
        with ScriptedServer() as server:
            server.reply("unit 3", to="Which unit fits", fault=rate_limited(retry_after=1))
            server.reply("unit 3", to="Which unit fits")
            ...  # a client with `server.url` as its base
            server.finished()
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        """Every request, in the order of arrival."""
        self._script: list[_Line] = []
        self._surprises: list[str] = []
        self._lock = threading.Lock()
        self._released = threading.Event()
        self._http = _HTTPServer(self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), name="scripted server")

    @property
    def url(self) -> str:
        """The base URL that a client is given."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def reply(
        self,
        text: str | Callable[[Request], str] = "",
        *,
        to: str = "",
        fault: Fault | None = None,
        usage: Usage | None = None,
        times: int | None = 1,
    ) -> None:
        """Add a line to the script.

        Args:
            text: what is said, or what says it when asked.
            to: words that the messages of the question hold. Of the lines that fit and are left, the earliest answers.
            fault: what goes wrong with the answer.
            usage: the tokens it says it took; by default a token for each word of the question and of the text.
            times: how often this line answers; None for as often as it is asked, also never.
        """

        def answer(request: Request) -> Answer:
            said = text if isinstance(text, str) else text(request)
            good = Answer(said, usage or Usage.of_words(request, said))
            return fault.change(good) if fault else good

        with self._lock:
            self._script.append(_Line(to, answer, times))

    def release(self) -> None:
        """Let go of the answers that are held back: their connections end without one."""
        self._released.set()

    def finished(self) -> None:
        """Raise AssertionError where some of the script was not asked for, or something else was asked."""
        missed = [f"never asked for: {line.to!r} ({line.left} more)" for line in self._script if line.left]
        if missed or self._surprises:
            raise AssertionError("\n".join(["the script and the questions differ", *missed, *self._surprises]))

    def forget(self) -> None:
        """Begin again: with no script, no requests and no surprises."""
        with self._lock:
            self.requests, self._script, self._surprises = [], [], []

    def answer(self, request: Request) -> Answer:
        """What the script says to a request. Called by the server's threads."""
        with self._lock:
            self.requests.append(request)
        if request.path != "/v1/chat/completions":
            return self._surprised(f"asked unexpectedly: {request.path}")
        line = self._next_line(request)
        if line is None:
            return self._surprised(f"asked unexpectedly: {request.text[-SHOWN:]!r}")
        try:
            return line.answer(request)
        except Exception as failure:
            return self._surprised(f"the reply to {line.to!r} could not be made: {failure!r}")

    def wait_for_release(self) -> None:
        self._released.wait()

    def _next_line(self, request: Request) -> _Line | None:
        with self._lock:
            line = next((line for line in self._script if line.left != 0 and line.to in request.text), None)
            if line and line.left:
                line.left -= 1
            return line

    def _surprised(self, what: str) -> Answer:
        with self._lock:
            self._surprises.append(what)
        return Answer(None, None, status=500, instead=error(f"Not in the script: {what}", "server_error", None))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, and wait for every thread."""
        self.release()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


class _HTTPServer(ThreadingHTTPServer):
    # Threads that are not daemons are joined by server_close.
    daemon_threads = False

    def __init__(self, script: ScriptedServer) -> None:
        self.script = script
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Seconds that a silent client can hold up the end of a test.
    timeout = 5
    # Or the last words before a reset would be lost with it.
    disable_nagle_algorithm = True
    server: _HTTPServer

    def do_POST(self) -> None:
        self.close_connection = True
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items() if name.lower() != "authorization"}
        request = Request(self.path, headers, body)
        # A client that has gone, as one does after its own timeout, misses nothing.
        with contextlib.suppress(ConnectionError):
            self._send(self.server.script.answer(request), request)

    def _send(self, answer: Answer, request: Request) -> None:
        match answer.delivery:
            case Delivery.HELD:
                self.server.script.wait_for_release()
            case Delivery.RESET:
                self._reset()
            case Delivery.WHOLE:
                self._write(answer, request, whole=True)
            case Delivery.BROKEN_OFF:
                self._write(answer, request, whole=False)
            case Delivery.RESET_MIDWAY:
                self._write(answer, request, whole=False)
                self._reset()

    def _write(self, answer: Answer, request: Request, *, whole: bool) -> None:
        streamed = request.streamed and answer.instead is None
        kind = {"content-type": "text/event-stream" if streamed else "application/json"}
        self.send_response(answer.status)
        for name, value in (kind | {"connection": "close"} | answer.headers).items():
            self.send_header(name, value)
        if streamed:
            self._write_events(answer.events(with_usage=request.wants_usage), whole=whole)
        else:
            self._write_body(answer.body(), whole=whole)

    def _write_events(self, events: list[bytes], *, whole: bool) -> None:
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in events if whole else events[: len(events) // 2]:
            self.wfile.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
        if whole:
            self.wfile.write(b"0\r\n\r\n")

    def _write_body(self, body: bytes, *, whole: bool) -> None:
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if whole else body[: len(body) // 2])

    def _reset(self) -> None:
        """Close with a reset: no lingering, and at once, before socketserver says an orderly goodbye."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.rfile.close()
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
