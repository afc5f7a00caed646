"""LlamaIndex's models as the core asks them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from llama_index.core.constants import DEFAULT_CONTEXT_WINDOW
from llama_index.core.llms import LLM as LlamaIndexLLM
from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole

from thread_core.access import ModelAccess, translate
from thread_core.asking import Role
from thread_core.errors import ModelBusy
from thread_core.ports import Form, Message, Reply, Usage

_CUT = ("length", "max_tokens")
_REFUSED = ("content_filter", "refusal")

Models = LlamaIndexLLM | Mapping[Role, LlamaIndexLLM] | ModelAccess
"""One model for all roles, one for each, or what `to_access` made of them, with a budget and a cache."""


def to_access(llm: Models, **options: Any) -> ModelAccess:
    """Models as everything here takes them: with patience, a budget, a cache and a count of tokens.

    Args:
        llm: A model, or one for each role: `{Role.SELECTOR: small, Role.GENERATOR: large, ...}`.
        options: As in `thread_core.access.ModelAccess`: `budget`, `cache`, `attempts`.

    Example:
        to_access(OpenAILike(model="my-model", is_chat_model=True, max_retries=0), budget=Budget(tokens=200_000))
    """
    if isinstance(llm, ModelAccess):
        return llm
    if isinstance(llm, Mapping):
        return ModelAccess({Role(role): ChatModel(model) for role, model in llm.items()}, **options)
    return ModelAccess(ChatModel(llm), **options)


class ChatModel:
    """A model as the core's `LLM`.

    Temperature is 0 unless the model was given another. Models of OpenAI's kind are sent the schema of the reply. A
    setting that the service refuses is not sent again.
    """

    def __init__(self, model: LlamaIndexLLM) -> None:
        self._given = model
        self._model = _with_temperature(model)
        self._speaks_openai = hasattr(model, "_get_model_kwargs") and model.metadata.is_chat_model
        self._takes_schema = self._speaks_openai

    @property
    def name(self) -> str:
        """The model's name."""
        return self._given.metadata.model_name

    @property
    def context_window(self) -> int | None:
        """As the model says; a default that nobody has set says nothing."""
        window = self._given.metadata.context_window
        known = window != DEFAULT_CONTEXT_WINDOW or "context_window" in self._given.model_fields_set
        return window if known else None

    def complete(self, messages: Sequence[Message], schema: type[Form] | None = None) -> Reply:
        """The reply to a conversation."""
        with self._translated():
            return _reply(self._model.chat(_messages(messages), **self._settings(schema)))

    async def acomplete(self, messages: Sequence[Message], schema: type[Form] | None = None) -> Reply:
        """`complete` by the model's own async method."""
        with self._translated():
            return _reply(await self._model.achat(_messages(messages), **self._settings(schema)))

    def stream(self, messages: Sequence[Message]) -> Iterator[Reply]:
        """The reply in pieces."""
        heard = _Stream(self._speaks_openai)
        with self._translated():
            for response in self._model.stream_chat(_messages(messages), **self._stream_settings()):
                yield heard.piece(response)
        yield heard.end()

    async def astream(self, messages: Sequence[Message]) -> AsyncIterator[Reply]:
        """`stream` by the model's own async method."""
        heard = _Stream(self._speaks_openai)
        with self._translated():
            async for response in await self._model.astream_chat(_messages(messages), **self._stream_settings()):
                yield heard.piece(response)
        yield heard.end()

    def _settings(self, schema: type[Form] | None) -> dict[str, Any]:
        if schema is None or not self._takes_schema:
            return {}
        form = {"name": schema.__name__, "schema": schema.json_schema(), "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    def _stream_settings(self) -> dict[str, Any]:
        return {"stream_options": {"include_usage": True}} if self._speaks_openai else {}

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            if self._took_back(str(error)):
                reason = "the service refused a setting, which is left out from now on"
                raise ModelBusy(reason, retry_after=0.0) from error
            raise translate(error) from error

    def _took_back(self, said: str) -> bool:
        """Whether the service refuses what we set and not the question; then it is not set any more."""
        if self._takes_schema and "response_format" in said:
            self._takes_schema = False
            return True
        if self._model is not self._given and "temperature" in said:
            self._model = self._given
            return True
        return False


class _Stream:
    """What a stream has said of its end so far."""

    def __init__(self, says_its_end: bool) -> None:
        self._finish: Literal["", "complete", "length", "refused"] = "" if says_its_end else "complete"

    def piece(self, response: ChatResponse) -> Reply:
        if _finish_reason(response):
            self._finish = _end(response)
        return Reply(text=response.delta or "", usage=_usage(response), end="")

    def end(self) -> Reply:
        return Reply(text="", end=self._finish)


def _with_temperature(model: LlamaIndexLLM) -> LlamaIndexLLM:
    if "temperature" in type(model).model_fields and "temperature" not in model.model_fields_set:
        return model.model_copy(update={"temperature": 0.0})
    return model


def _messages(messages: Sequence[Message]) -> list[ChatMessage]:
    return [ChatMessage(role=MessageRole(message.role), content=message.text) for message in messages]


def _reply(response: ChatResponse) -> Reply:
    return Reply(text=response.message.content or "", usage=_usage(response), end=_end(response))


def _end(response: ChatResponse) -> Literal["complete", "length", "refused"]:
    finish = _finish_reason(response)
    message = getattr(_choice(response), "message", None) or getattr(_choice(response), "delta", None)
    if getattr(message, "refusal", None) or finish in _REFUSED:
        return "refused"
    return "length" if finish in _CUT else "complete"


def _finish_reason(response: ChatResponse) -> str:
    return getattr(_choice(response), "finish_reason", None) or ""


def _choice(response: ChatResponse) -> Any:
    choices = getattr(response.raw, "choices", None)
    return choices[0] if choices else None


def _usage(response: ChatResponse) -> Usage:
    counted = getattr(response.raw, "usage", None)
    details = getattr(counted, "prompt_tokens_details", None)
    return Usage(
        prompt_tokens=getattr(counted, "prompt_tokens", 0) or 0,
        completion_tokens=getattr(counted, "completion_tokens", 0) or 0,
        cached_tokens=getattr(details, "cached_tokens", 0) or 0,
    )
