"""What goes over the wire: a request as it came, and an answer as the bytes that are sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from thread_core.ports import Message


@dataclass(frozen=True)
class Request:
    """One request as the server got it."""

    path: str
    headers: Mapping[str, str]
    """Names in lower case; without `authorization`."""
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[Message]:
        return [Message(message["role"], _text(message.get("content"))) for message in self.body.get("messages", [])]

    @property
    def text(self) -> str:
        """The texts of all messages."""
        return "\n\n".join(message.text for message in self.messages)

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def wants_usage(self) -> bool:
        """Whether a streamed answer must end with its usage."""
        return bool(self.body.get("stream_options", {}).get("include_usage"))

    @property
    def schema(self) -> Mapping[str, Any] | None:
        """The JSON schema that the reply must follow; None where `response_format` has none or was not sent."""
        schema: Mapping[str, Any] | None = self.body.get("response_format", {}).get("json_schema", {}).get("schema")
        return schema


@dataclass(frozen=True)
class Usage:
    """The tokens that an answer says it took."""

    prompt: int
    completion: int
    cached: int = 0
    """How many of the prompt's were read from the provider's cache."""

    @classmethod
    def of_words(cls, request: Request, text: str | None) -> Usage:
        """A word is a token: those of all messages, and those of the reply."""
        return cls(len(request.text.split()), len((text or "").split()))


class Choices(Enum):
    ONE = "one"
    EMPTY = "empty"
    ABSENT = "absent"


class Delivery(Enum):
    """How much of an answer arrives, and how its connection ends."""

    WHOLE = "whole"
    HELD = "nothing, until the server is told to let go"
    RESET = "nothing, and a reset"
    RESET_MIDWAY = "half, and a reset"
    BROKEN_OFF = "half, and an orderly end of the connection before the end of the answer"


@dataclass(frozen=True)
class Answer:
    """What the server sends. A fault turns a good one into a bad one."""

    text: str | None
    usage: Usage | None
    refusal: str | None = None
    finish_reason: str | None = "stop"
    choices: Choices = Choices.ONE
    ended: bool = True
    """Whether the last event of a stream is `[DONE]`."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    instead: str | None = None
    """A body that is sent in place of a completion, streamed or not."""
    failure: str | None = None
    """An error that comes with the status of a success; in a stream, in place of its second half."""
    delivery: Delivery = Delivery.WHOLE

    def body(self) -> bytes:
        """The body of an answer that is not streamed."""
        instead = self.failure or self.instead
        if instead is not None:
            return instead.encode()
        message = {"role": "assistant", "content": self.text, "refusal": self.refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason, "logprobs": None}
        completion = _named("chat.completion") | self._choices(choice)
        if self.usage:
            completion["usage"] = _usage(self.usage)
        return json.dumps(completion).encode()

    def events(self, *, with_usage: bool) -> list[bytes]:
        """The events of a streamed answer, a word each; the last but `[DONE]` is the usage, where it was asked for."""
        events = list(self._events(with_usage=with_usage))
        if self.failure:
            return [*events[: len(events) // 2], f"data: {self.failure}\n\n".encode()]
        return events

    def _events(self, *, with_usage: bool) -> Iterator[bytes]:
        usage = {"usage": None} if with_usage else {}
        for delta in self._deltas():
            yield _event(_named("chat.completion.chunk") | self._choices(_part(delta, None)) | usage)
        if self.finish_reason:
            yield _event(_named("chat.completion.chunk") | self._choices(_part({}, self.finish_reason)) | usage)
        if with_usage and self.usage and self.ended:
            yield _event(_named("chat.completion.chunk") | {"choices": [], "usage": _usage(self.usage)})
        if self.ended:
            yield b"data: [DONE]\n\n"

    def _deltas(self) -> Iterator[dict[str, Any]]:
        yield {"role": "assistant", "content": None if self.text is None else ""}
        yield from ({"content": word} for word in words(self.text or ""))
        yield from ({"refusal": word} for word in words(self.refusal or ""))

    def _choices(self, choice: dict[str, Any]) -> dict[str, Any]:
        match self.choices:
            case Choices.ONE:
                return {"choices": [choice]}
            case Choices.EMPTY:
                return {"choices": []}
            case Choices.ABSENT:
                return {}


def words(text: str) -> list[str]:
    """A text cut behind each space; joined, they are the text again."""
    *most, last = text.split(" ")
    return [f"{word} " for word in most] + [last] * bool(last)


def half(text: str) -> str:
    return text[: len(text) // 2]


def error(message: str, kind: str, code: str | None) -> str:
    """The body of an error, as OpenAI writes it."""
    return json.dumps({"error": {"message": message, "type": kind, "param": None, "code": code}})


def _named(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 1, "model": "scripted"}


def _part(delta: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
    }


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def _text(content: str | list[dict[str, Any]] | None) -> str:
    """A message's content is a text, or a list of parts of which some are texts."""
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return content or ""
