"""What the client of a model raised, as ours: busy, too long, or no use in asking again.

Errors are told by HTTP status, headers and the names of their classes, and of those they were raised from; so no client
is imported, and an unknown one is understood too. What the service said is shown in short, and without keys.
"""

from __future__ import annotations

import gc
import math
import re
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from typing import Any

from thread_core.errors import CallRefused, ModelBusy, ModelError, TooLong

SAID = 300
"""Characters that are shown of what the service said."""
READ = 4000
"""Characters that are looked at for that."""
KEY = 8
"""Characters that a key has at least; shorter ones are made up, for services that want none."""
CAUSES = 10
"""How far back the errors are followed that an error was raised from."""

_BUSY = frozenset({408, 409, 425, 429})
"""HTTP status below 500 that another attempt may not meet again."""
_MISMATCHED = (400, 422)
"""HTTP status of a call that is not made as the service wants it."""
_TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size|limit|overflow)|(prompt|input|request).{0,20}too (long|large)"
    r"|input token count.{0,40}exceeds|`inputs` tokens",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"insufficient.quota|credit.balance", re.IGNORECASE)
_SECRET = re.compile(
    r"\bbearer\s+\S+|\b[a-z]{2,4}[-_][\w*.-]*[\w*]{12,}|(?<=://)[^/\s@]*@|\?[\w.-]+=\S+", re.IGNORECASE
)
"""Credentials in a header, keys by their looks, and what addresses hold of either."""
_KEY_HEADERS = ("authorization", "api-key", "x-api-key", "x-goog-api-key")

# Parts of the names of errors' classes.
_MISMADE = ("UnsupportedProtocol", "LocalProtocol", "InvalidURL", "InvalidHeader")
_SLOW = ("Timeout", "TimedOut", "DeadlineExceeded")
_CUT_OFF = ("Connect", "Network", "ProtocolError", "ReadError", "WriteError", "ProxyError", "IncompleteRead", "Payload")
_CROWDED = "RateLimit TooManyRequests ResourceExhausted Throttl Overloaded Unavailable InternalServer".split()
_REFUSED = ("Refusal", "ContentFilter")
_SHORTENED = ("LengthFinishReason",)
_ODD = ("ResponseValidation",)
_IN_A_STREAM = "APIError"
"""The bare one is an error that came in the middle of a stream."""
_UNSENT = ("ConnectTimeout", "ConnectionTimeout", "PoolTimeout", "ConnectError", "Write", "ProxyError")
_READ = (*_SLOW, *_REFUSED, *_SHORTENED, "ReadError", "RemoteProtocol", "IncompleteRead", "Payload", "ConnectionReset")

_STUMBLES = (TypeError, LookupError, AttributeError, ValueError, AssertionError)
"""What clients raise over a body that they do not expect."""


def translate(error: Exception) -> ModelError:
    """What a framework's model raised, as ours, whatever client it comes from; one of ours comes back as it is.

    A body that the client stumbles over (a TypeError or ValueError of its own, for want of `choices`) is taken for
    busy: gateways answer so when the service behind them fails, and the attempts are bounded.

    Example:
        try:
            ...  # call the client
        except Exception as error:
            raise translate(error) from error
    """
    if isinstance(error, ModelError):
        return error
    errors = list(_chain(error))
    names = " ".join(kind.__name__ for one in errors for kind in type(one).__mro__)
    status = next((found for one in errors if (found := _status(one))), 0)
    ours = _ours(error, errors, names, status)
    began = type(error).__name__ == _IN_A_STREAM or any(part in names for part in _READ)
    ours.was_read = began and not status and not any(part in names for part in _UNSENT)
    return ours


def _ours(error: Exception, errors: Sequence[BaseException], names: str, status: int) -> ModelError:
    said = _said(error, errors)
    hint = f"{_of(error, 'code')} {said} {type(error).__name__}"
    if status == 413 or _TOO_LONG.search(hint):
        return TooLong(f"the prompt is longer than the model can read{_after(said)}")
    if status in (401, 403):
        return ModelError(f"the service refused the key (HTTP {status}); check the key and its permissions")
    if _NO_CREDIT.search(hint):
        return ModelError(f"the account cannot pay for the call{_after(said)}")
    if status:
        return _by_status(status, said, _retry_after(errors))
    return _by_name(error, names, said)


def _by_status(status: int, said: str, retry_after: float | None) -> ModelError:
    if status not in _BUSY and status < 500:
        kind = CallRefused if status in _MISMATCHED else ModelError
        return kind(f"the service refused the call (HTTP {status}){_after(said)}")
    wait = f"; it asks to wait {retry_after:.0f} seconds" if retry_after and retry_after >= 1 else ""
    return ModelBusy(f"the service is busy or down (HTTP {status}){_after(said)}{wait}", retry_after=retry_after)


def _by_name(error: Exception, names: str, said: str) -> ModelError:
    def named(parts: Sequence[str]) -> bool:
        return any(part in names for part in parts)

    kind = type(error).__name__
    if named(_MISMADE):  # its text may show the header that it stumbled over
        return ModelError(
            f"the call cannot be sent ({kind}): the service's address or the key is malformed; check both"
        )
    if named(_REFUSED):
        return ModelError(f"the model refused to answer{_after(said)}")
    if named(_SHORTENED):
        return ModelError("the model's answer was cut off at its maximal length")
    if named(_SLOW):
        return ModelBusy(f"the service did not answer in time ({kind}); raise the timeout, or try again later")
    if named(_CUT_OFF):
        return ModelBusy(
            f"the service cannot be reached, or the connection broke ({kind}); check its address{_after(said)}"
        )
    if named(_CROWDED) or kind == _IN_A_STREAM:
        return ModelBusy(f"the service is busy or down ({kind}){_after(said)}")
    if isinstance(error, _STUMBLES) or named(_ODD):
        return ModelBusy(f"the service's answer cannot be read ({kind}); check its address{_after(said)}")
    return ModelError(f"the model gave no answer ({kind}){_after(said)}")


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error and those that it was raised from."""
    one: BaseException | None = error
    for _ in range(CAUSES):
        if one is None:
            return
        yield one
        one = one.__cause__ or (None if one.__suppress_context__ else one.__context__)


def _status(error: BaseException) -> int:
    """The HTTP status of a refusal; 0 where there is none."""
    for holder in (error, _of(error, "response")):
        for name in ("status_code", "status", "code"):
            value = _of(holder, name)
            if isinstance(value, int) and 400 <= value < 600:
                return int(value)
    return 0


def _of(holder: object, name: str) -> Any:
    """What a client's object has under a name; None also where looking is an error (httpx, of a request not sent)."""
    try:
        return getattr(holder, name, None)
    except Exception:
        return None


def _headers(holder: object) -> dict[str, str]:
    """The headers of a request or a response, by their names in small letters."""
    headers = _of(holder, "headers")
    return {str(name).lower(): str(value) for name, value in headers.items()} if isinstance(headers, Mapping) else {}


def _retry_after(errors: Sequence[BaseException]) -> float | None:
    """The seconds that the service asks to wait: given in milliseconds, in seconds or as a date."""
    headers: dict[str, str] = {}
    for error in reversed(errors):
        headers |= _headers(error) | _headers(_of(error, "response"))
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        with suppress(KeyError, ValueError):
            if math.isfinite(seconds := float(headers[name]) * unit):
                return max(0.0, seconds)
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time.time())
    except (KeyError, ValueError, OverflowError):
        return None


def _said(error: Exception, errors: Sequence[BaseException]) -> str:
    """What the service said, or else its client: one line, short, without keys."""
    said = _message(_of(error, "body")) or str(error)
    for one in errors:
        for request in (_of(one, "request"), _of(_of(one, "response"), "request")):
            headers = _headers(request)
            for secret in (headers.get(name, "").removeprefix("Bearer ") for name in _KEY_HEADERS):
                said = said.replace(secret, "...") if len(secret) >= KEY else said
    return " ".join(_SECRET.sub("...", said[:READ]).split())[:SAID]


def _message(body: Any) -> str:
    """The message in the body of a refusal."""
    if isinstance(body, Mapping):
        return _message(body.get("error")) or _message(body.get("message"))
    return body if isinstance(body, str) else ""


def _after(said: str) -> str:
    return f": {said}" if said else ""


@contextmanager
def left_closed() -> Iterator[None]:
    """Have a stream that breaks off, or is left before its end, closed at once.

    A client's stream may refer to itself (openai's does), and so be closed when garbage is collected: perhaps in the
    midst of the next call, by a thread that holds the lock of the connections and then waits for itself, for ever.
    """
    try:
        yield
    except BaseException:
        gc.collect()
        raise


class SettingRefused(ModelBusy):
    """The service does not take a setting, which is not sent again: the same call may be made at once."""


class Settings:
    """What is sent with each call beside the question, by name; what the service refuses is not sent again.

    Example:
        settings = Settings("temperature", "top_p")
        with settings.translated():
            ...  # call the client, with a temperature where "temperature" in settings
    """

    def __init__(self, *names: str) -> None:
        self._names = frozenset(names)

    def __contains__(self, name: str) -> bool:
        """Whether it is sent still."""
        return name in self._names

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Raise what the client raises as ours: SettingRefused where it was a setting that was refused."""
        sent = self._names
        try:
            yield
        except Exception as error:
            # Lets go of what the client's frames hold, where its error refers to itself; see `left_closed`.
            for one in _chain(error):
                traceback.clear_frames(one.__traceback__)
            refused = next((name for name in sorted(sent) if name in str(error)), None)
            if refused is None:
                raise translate(error) from error
            self._names -= {refused}
            raise SettingRefused(f"the service does not accept {refused}; it is omitted from now on") from error
