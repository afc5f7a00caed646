"""What can go wrong with an answer. A fault is a change of the good answer, so it fits any reply and any request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.scripted.wire import Answer, Choices, Delivery, error, half


@dataclass(frozen=True)
class Fault:
    name: str
    change: Callable[[Answer], Answer]

    def __str__(self) -> str:
        return self.name


def _text(name: str, change: Callable[[str], str]) -> Fault:
    return Fault(name, lambda answer: replace(answer, text=change(answer.text or "")))


def _status(name: str, status: int, kind: str, code: str | None, headers: dict[str, str] | None = None) -> Fault:
    body = error(f"The scripted fault is: {name}.", kind, code)
    return Fault(name, lambda answer: replace(answer, status=status, headers=headers or {}, instead=body))


def _delivery(name: str, delivery: Delivery) -> Fault:
    return Fault(name, lambda answer: replace(answer, delivery=delivery))


# The reply is well-formed, and its text is not what was asked for.
NOT_JSON = _text("not JSON", lambda text: "I would rather tell it in words.")
FENCED = _text("fenced", lambda text: f"```json\n{text}\n```")
PROSE_AROUND = _text("prose around", lambda text: f"Sure:\n\n{text}\n\nDone.")
EMPTY = _text("empty", lambda text: "")
TRUNCATED = Fault("truncated", lambda answer: replace(answer, text=half(answer.text or ""), finish_reason="length"))
NULL = Fault("null", lambda answer: replace(answer, text=None))
REFUSED = Fault("refused", lambda answer: replace(answer, text=None, refusal="I cannot help with that."))
FILTERED = Fault("filtered", lambda answer: replace(answer, text="", finish_reason="content_filter"))

# The reply lacks what a reply must have.
NO_USAGE = Fault("no usage", lambda answer: replace(answer, usage=None))
NO_CHOICES = Fault("no choices", lambda answer: replace(answer, choices=Choices.ABSENT))
EMPTY_CHOICES = Fault("empty choices", lambda answer: replace(answer, choices=Choices.EMPTY))
NO_JSON_BODY = Fault("no JSON body", lambda answer: replace(answer, instead="I am no JSON."))
WEB_PAGE = Fault(
    "web page",
    lambda answer: replace(answer, instead="<html>Please log in.</html>", headers={"content-type": "text/html"}),
)
UNENDED = Fault(
    "unended", lambda answer: replace(answer, text=half(answer.text or ""), finish_reason=None, ended=False)
)
FAILED_MIDWAY = Fault(
    "failed midway", lambda answer: replace(answer, failure=error("The model has died.", "server_error", None))
)

# The server refuses.
UNAUTHORIZED = _status("unauthorized", 401, "invalid_request_error", "invalid_api_key")
MODEL_NOT_FOUND = _status("model not found", 404, "invalid_request_error", "model_not_found")
CONTEXT_TOO_LONG = _status("context too long", 400, "invalid_request_error", "context_length_exceeded")
SERVER_ERROR = _status("server error", 500, "server_error", None)
UNAVAILABLE = _status("unavailable", 503, "server_error", None)


def rate_limited(*, retry_after: float | str | None = None, retry_after_ms: int | None = None) -> Fault:
    """A 429 that says when to come back (in seconds or at an HTTP date, in milliseconds), or does not say it."""
    said = {"retry-after": retry_after, "retry-after-ms": retry_after_ms}
    headers = {name: str(value) for name, value in said.items() if value is not None}
    name = ", ".join(["rate limited", *(f"{name} {value}" for name, value in headers.items())])
    return _status(name, 429, "requests", "rate_limit_exceeded", headers)


# The answer does not arrive.
HELD = _delivery("held", Delivery.HELD)
RESET = _delivery("reset", Delivery.RESET)
RESET_MIDWAY = _delivery("reset midway", Delivery.RESET_MIDWAY)
BROKEN_OFF = _delivery("broken off", Delivery.BROKEN_OFF)

FAULTS = (
    *(NOT_JSON, FENCED, PROSE_AROUND, EMPTY, TRUNCATED, NULL, REFUSED, FILTERED),
    *(NO_USAGE, NO_CHOICES, EMPTY_CHOICES, NO_JSON_BODY, WEB_PAGE, UNENDED, FAILED_MIDWAY),
    *(UNAUTHORIZED, MODEL_NOT_FOUND, CONTEXT_TOO_LONG, SERVER_ERROR, UNAVAILABLE),
    *(rate_limited(), rate_limited(retry_after=2), rate_limited(retry_after_ms=20)),
    *(HELD, RESET, RESET_MIDWAY, BROKEN_OFF),
)
"""One of each, for tests that go through them all."""
