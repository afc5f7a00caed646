"""The classes are made up, in the shapes of those that clients of models raise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from email.utils import formatdate
from typing import Any

import pytest

from thread_core.errors import CallRefused, ModelBusy, ModelError, TooLong
from thread_core.llm import errors as model_errors
from thread_core.llm.errors import SAID, SettingRefused, Settings, translate

KEY = "sk-proj-abcDEF0123456789abcdef"


class Request:
    def __init__(self, headers: Mapping[str, str]) -> None:
        self.headers = headers


class Response:
    def __init__(self, status_code: int, headers: Mapping[str, str]) -> None:
        self.status_code = status_code
        self.headers = headers

    @property
    def request(self) -> Request:
        raise RuntimeError("The request instance has not been set on this response.")


class APIError(Exception):
    """As OpenAI's client: the body's `error` is its `body`, and it keeps the request that it sent."""

    def __init__(self, message: str, *, code: str | None = None, body: object = None) -> None:
        super().__init__(message)
        self.body, self.code = body, code
        self.request = Request({"Authorization": f"Bearer {KEY}"})


class APIStatusError(APIError):
    def __init__(
        self, status: int, message: str = "", *, code: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(
            f"Error code: {status} - {message}", code=code, body={"message": message, "code": code, "type": "x"}
        )
        self.status_code, self.response = status, Response(status, headers or {})


class APIResponseValidationError(APIError):
    status_code = 200


class HTTPStatusError(Exception):
    """As httpx: the status is the response's alone."""

    def __init__(self, status: int, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(f"Error for url 'https://user:pass@host.example/v1/chat?key={KEY}&alt=sse'")
        self.response = Response(status, headers or {})


class ServiceUnavailable(Exception):
    """As Google's clients: the status is its code."""

    code = 503


def named(name: str, base: type[Exception] = Exception) -> type[Exception]:
    """An error whose name alone tells what it is."""
    return type(name, (base,), {})


APIConnectionError = named("APIConnectionError", APIError)
APITimeoutError = named("APITimeoutError", APIConnectionError)
OpenAIAPIContextOverflowError = named("OpenAIAPIContextOverflowError", APIError)
TransportError = named("TransportError")
ConnectError = named("ConnectError", TransportError)
ReadTimeout = named("ReadTimeout", TransportError)
ConnectTimeout = named("ConnectTimeout", TransportError)
RemoteProtocolError = named("RemoteProtocolError", TransportError)
UnsupportedProtocol = named("UnsupportedProtocol", TransportError)
LocalProtocolError = named("LocalProtocolError", TransportError)
ThrottlingException = named("ThrottlingException")
LengthFinishReasonError = named("LengthFinishReasonError")
ContentFilterFinishReasonError = named("ContentFilterFinishReasonError")
OpenAIRefusalError = named("OpenAIRefusalError")


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (APIStatusError(429, "Slow down."), ModelBusy, "(HTTP 429): Slow down."),
        (APIStatusError(500, "Oh."), ModelBusy, "the service is busy or down (HTTP 500): Oh."),
        (APIStatusError(529, "overloaded_error"), ModelBusy, "(HTTP 529): overloaded_error"),
        (APIStatusError(429, "You exceeded your quota.", code="insufficient_quota"), ModelError, "cannot pay"),
        (APIStatusError(400, "Unknown parameter."), CallRefused, "refused the call (HTTP 400): Unknown parameter."),
        (APIStatusError(404, "No model `m`."), ModelError, "refused the call (HTTP 404): No model `m`."),
        (APIStatusError(401, f"Incorrect API key provided: {KEY}."), ModelError, "refused the key (HTTP 401)"),
        (APIStatusError(403, "No."), ModelError, "refused the key (HTTP 403)"),
        (APIStatusError(400, "Too much.", code="context_length_exceeded"), TooLong, "longer than the model can read"),
        (APIStatusError(400, "This model's maximum context length is 8192 tokens."), TooLong, "8192 tokens"),
        (APIStatusError(400, "prompt is too long: 9 tokens > 8"), TooLong, "9 tokens > 8"),
        (APIStatusError(500, "the request exceeds the available context size"), TooLong, "context size"),
        (APIStatusError(429, "Request too large for gpt on tokens per min"), TooLong, "too large"),
        (APIStatusError(400, "The input token count (12) exceeds the maximum number of tokens"), TooLong, "(12)"),
        (APIStatusError(422, "`inputs` tokens + `max_new_tokens` must be <= 4096."), TooLong, "4096"),
        (APIStatusError(413), TooLong, "longer than the model can read"),
        (OpenAIAPIContextOverflowError("exceeds"), TooLong, "longer than the model can read"),
        (HTTPStatusError(502), ModelBusy, "(HTTP 502)"),
        (ServiceUnavailable("try later"), ModelBusy, "(HTTP 503): try later"),
        (APITimeoutError("Request timed out."), ModelBusy, "did not answer in time (APITimeoutError)"),
        (ReadTimeout(), ModelBusy, "did not answer in time (ReadTimeout)"),
        (
            APIConnectionError("Connection error."),
            ModelBusy,
            "cannot be reached, or the connection broke (APIConnectionError)",
        ),
        (
            RemoteProtocolError("peer closed connection"),
            ModelBusy,
            "the connection broke (RemoteProtocolError); check its address: peer closed",
        ),
        (ConnectionResetError(104, "reset"), ModelBusy, "the connection broke (ConnectionResetError)"),
        (ThrottlingException("rate exceeded"), ModelBusy, "busy or down (ThrottlingException)"),
        (APIError("The server had an error"), ModelBusy, "down (APIError): The server had an error"),
        (UnsupportedProtocol("missing http://"), ModelError, "address or the key is malformed"),
        (caused(APIConnectionError("Connection error."), UnsupportedProtocol()), ModelError, "malformed"),
        (LocalProtocolError(f"Illegal header value b'Bearer {KEY}\\n'"), ModelError, "malformed"),
        (LengthFinishReasonError("length limit"), ModelError, "cut off at its maximal length"),
        (ContentFilterFinishReasonError("rejected"), ModelError, "the model refused to answer: rejected"),
        (OpenAIRefusalError("I cannot."), ModelError, "the model refused to answer: I cannot."),
        (TypeError("'NoneType' object is not iterable"), ModelBusy, "answer cannot be read (TypeError)"),
        (KeyError("choices"), ModelBusy, "answer cannot be read (KeyError); check its address: 'choices'"),
        (AttributeError("'str' object has no attribute 'x'"), ModelBusy, "answer cannot be read (AttributeError)"),
        (json.JSONDecodeError("Expecting value", "<html>", 0), ModelBusy, "answer cannot be read (JSONDecodeError)"),
        (APIResponseValidationError("invalid"), ModelBusy, "answer cannot be read (APIResponseValidationError)"),
        (
            ValueError("No generation chunks"),
            ModelBusy,
            "answer cannot be read (ValueError); check its address: No generation chunks",
        ),
        (AssertionError(), ModelBusy, "answer cannot be read (AssertionError)"),
        (RuntimeError("a pipe"), ModelError, "the model gave no answer (RuntimeError): a pipe"),
    ],
    ids=lambda value: f"{type(value).__name__} {value}"[:60] if isinstance(value, Exception) else "",
)
def test_each_error_has_its_kind_and_its_reason(error: Exception, kind: type[ModelError], said: str) -> None:
    ours = translate(error)
    assert type(ours) is kind
    assert said in str(ours)
    assert KEY not in str(ours)


@pytest.mark.parametrize(
    ("error", "was_read"),
    [
        (APITimeoutError("Request timed out."), True),
        (caused(APITimeoutError("Request timed out."), ReadTimeout()), True),
        (caused(APIConnectionError("Connection error."), RemoteProtocolError("peer closed connection")), True),
        (ConnectionResetError(104, "reset"), True),
        (APIError("The server had an error"), True),
        (LengthFinishReasonError("length limit"), True),
        (OpenAIRefusalError("I cannot."), True),
        (caused(APITimeoutError("Request timed out."), ConnectTimeout()), False),
        (caused(APIConnectionError("Connection error."), ConnectError()), False),
        (ConnectionRefusedError(111, "refused"), False),
        (APIStatusError(429, "Slow down."), False),
        (APIStatusError(504, "Gateway timeout."), False),
        (APIStatusError(400, "Unknown parameter."), False),
        (KeyError("choices"), False),
    ],
    ids=repr,
)
def test_a_service_that_had_the_whole_question_has_read_it(error: Exception, was_read: bool) -> None:
    assert translate(error).was_read == was_read


def test_one_of_ours_comes_back_as_it_is() -> None:
    busy = ModelBusy("later", retry_after=3.0)
    assert translate(busy) is busy


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"retry-after": "9", "Retry-After-Ms": "250"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": formatdate(1_000_090, usegmt=True)}, 90.0),
        ({"retry-after": formatdate(999_000, usegmt=True)}, 0.0),
    ],
)
def test_it_says_how_long_the_service_asks_to_wait(
    headers: dict[str, str], seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_errors.time, "time", lambda: 1_000_000.0)
    for error in (APIStatusError(429, headers=headers), HTTPStatusError(503, headers)):
        busy = translate(error)
        assert isinstance(busy, ModelBusy)
        assert busy.retry_after == seconds
        assert (f"asks to wait {seconds:.0f} seconds" in str(busy)) if (seconds or 0) >= 1 else "asks" not in str(busy)


@pytest.mark.parametrize("cause", [APIStatusError(429, headers={"retry-after": "7"}), HTTPStatusError(429)])
def test_a_status_is_found_in_what_the_error_was_raised_from(cause: Exception) -> None:
    assert isinstance(translate(caused(RuntimeError("wrapped"), cause)), ModelBusy)
    try:
        try:
            raise cause
        except Exception:
            raise RuntimeError("wrapped") from None
    except RuntimeError as error:
        assert type(translate(error)) is ModelError, "the cause was disowned"


@pytest.mark.parametrize(
    "said",
    [
        f"your key {KEY} is unknown",
        "header 'Authorization: Bearer local-0123456789'",
        "invalid key gsk_0123456789abcdefXYZ0",
        "for url https://host.example/v1?key=AIzaSomethingLong&alt=sse",
        "for url https://me:hunter2hunter2@host.example/v1",
    ],
)
def test_no_key_gets_into_the_message(said: str) -> None:
    error = APIStatusError(400, said)
    error.request = Request({"authorization": "Bearer local-0123456789", "X-Api-Key": KEY})
    message = str(translate(error))
    for secret in (KEY, "local-0123456789", "gsk_0123", "AIzaSomething", "hunter2"):
        assert secret not in message
    assert "..." in message


def test_a_made_up_key_takes_nothing_from_the_message() -> None:
    error = APIStatusError(400, "the model gpt-4o-mini-2024-07-18 is unknown")
    error.request = Request({"authorization": "Bearer k"})
    assert str(translate(error)).endswith("the model gpt-4o-mini-2024-07-18 is unknown")


def test_a_page_that_came_instead_is_shown_in_short() -> None:
    message = str(translate(APIStatusError(502, "<html>\n" + "<p>ab-ab </p>\n" * 100_000)))
    assert len(message) < SAID + 100
    assert "\n" not in message


def test_the_body_may_hold_anything() -> None:
    bodies: list[Any] = [None, 3, [], {}, {"error": None}, {"error": {"message": None}}, {"message": {"a": 1}}]
    for body in bodies:
        assert str(translate(APIError("plain", body=body))).endswith("(APIError): plain")
    assert "inner" in str(translate(APIError("plain", body={"error": {"message": "inner"}})))


def test_two_calls_at_once_that_are_refused_the_same_setting_both_go_on_without_it() -> None:
    settings = Settings("temperature", "top_p")
    refusal = APIStatusError(400, "Unsupported value: 'temperature'")
    with pytest.raises(SettingRefused, match="does not accept temperature"), settings.translated():
        with pytest.raises(SettingRefused, match="does not accept temperature"), settings.translated():
            raise refusal
        raise refusal
    assert ("temperature" in settings, "top_p" in settings) == (False, True)
    with pytest.raises(CallRefused), settings.translated():
        raise refusal
