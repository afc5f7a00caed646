"""LlamaIndex's models as the core asks them."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal

from llama_index.core.constants import DEFAULT_CONTEXT_WINDOW, DEFAULT_TEMPERATURE
from llama_index.core.llms import LLM as LlamaIndexLLM
from llama_index.core.llms import ChatMessage, ChatResponse, MessageRole
from llama_index_instrumentation.dispatcher import active_instrument_tags, instrument_tags

from thread_core.errors import kind_of
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.llm.errors import Settings, left_closed
from thread_core.llm.setups import digest
from thread_core.llm.tracing import labels
from thread_core.ports import Form, Message, Reply, Usage

_End = Literal["", "complete", "length", "refused"]
_CUT = ("length", "max_tokens")
_LIMITS = ("max_tokens", "max_new_tokens")
"""How models of several makers call the limit of a reply."""
_REFUSED = ("content_filter", "refusal")

Models = LlamaIndexLLM | Mapping[Role, LlamaIndexLLM] | ModelAccess
"""One model for all roles, one for each, or what `to_access` made of them, with a budget and a cache."""


def to_access(llm: Models, **options: Any) -> ModelAccess:
    """Add retries, a budget, a cache and a token count to models.

    Args:
        llm: A model, or one per role: `{Role.SELECTOR: small, Role.GENERATOR: large, ...}`.
        options: As in `thread_core.llm.access.ModelAccess`: `budget`, `cache`, `attempts`.

    Raises:
        TypeError: It is not a LlamaIndex `LLM`.

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

    Temperature is 0 unless the model was given another than LlamaIndex's default, and top_p 1 where models are of
    OpenAI's kind and were given none. Such models are sent the schema of the reply, too. A budget's limit is sent where
    the model has a field for one (`max_tokens`, `max_new_tokens`). A setting that the service refuses is not sent
    again.
    """

    def __init__(self, model: LlamaIndexLLM) -> None:
        if not isinstance(model, LlamaIndexLLM):
            raise TypeError(
                f"found {kind_of(model)}, expected a LlamaIndex LLM; make one first, as with"
                ' OpenAILike(model="gpt-4.1-mini", is_chat_model=True)'
            )
        self._given = model
        by_name = {base.__name__ for base in type(model).__mro__}
        self._speaks_openai = "OpenAI" in by_name and model.metadata.is_chat_model
        self._cools = getattr(model, "temperature", None) == DEFAULT_TEMPERATURE
        # OpenAI's kind is told its temperature in each call: a copy would make a client of its own.
        copied = self._cools and not self._speaks_openai
        self._cool = model.model_copy(update={"temperature": 0.0}) if copied else model
        self._limited = next((name for name in _LIMITS if name in type(model).model_fields), "")
        self._settings = Settings("temperature", "top_p", "stream_options")

    @property
    def name(self) -> str:
        """The model's name."""
        return self._given.metadata.model_name

    @property
    def settings(self) -> str:
        """What the model is set to."""
        fields = {name: getattr(self._given, name) for name in type(self._given).model_fields}
        return digest(fields | ({"temperature": 0.0} if self._cools else {}))

    @property
    def context_window(self) -> int | None:
        """As the model says; LlamaIndex's own default says nothing."""
        window = self._given.metadata.context_window
        return None if window == DEFAULT_CONTEXT_WINDOW else window

    def complete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """The reply to a conversation."""
        with self._settings.translated(), _traced(labels()):
            return self._reply(self._chosen(limit).chat(_messages(messages), **self._form(schema, limit)))

    async def acomplete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """`complete` by the model's own async method."""
        with self._settings.translated(), _traced(labels()):
            return self._reply(await self._chosen(limit).achat(_messages(messages), **self._form(schema, limit)))

    def stream(self, messages: Sequence[Message], limit: int | None = None) -> Iterator[Reply]:
        """The reply in pieces."""
        return self._streamed(messages, limit, labels())  # the labels are those of now, not of the first piece

    def _streamed(self, messages: Sequence[Message], limit: int | None, given: Mapping[str, str]) -> Iterator[Reply]:
        heard = _Stream(self._unsaid)
        with left_closed(), self._settings.translated():
            for response in self._opened(messages, limit, given):  # a name for it would keep it open
                yield heard.piece(response)
        yield heard.end()

    def _opened(
        self, messages: Sequence[Message], limit: int | None, given: Mapping[str, str]
    ) -> Iterable[ChatResponse]:
        with _traced(given):
            return self._chosen(limit).stream_chat(_messages(messages), **self._counted(limit))

    def astream(self, messages: Sequence[Message], limit: int | None = None) -> AsyncIterator[Reply]:
        """`stream` by the model's own async method."""
        return self._astreamed(messages, limit, labels())

    async def _astreamed(
        self, messages: Sequence[Message], limit: int | None, given: Mapping[str, str]
    ) -> AsyncIterator[Reply]:
        heard = _Stream(self._unsaid)
        with self._settings.translated():
            async for response in await self._aopened(messages, limit, given):
                yield heard.piece(response)
        yield heard.end()

    async def _aopened(
        self, messages: Sequence[Message], limit: int | None, given: Mapping[str, str]
    ) -> AsyncIterable[ChatResponse]:
        with _traced(given):
            return await self._chosen(limit).astream_chat(_messages(messages), **self._counted(limit))

    def _reply(self, response: ChatResponse) -> Reply:
        return Reply(text=response.message.content or "", usage=_usage(response), end=_end(response) or self._unsaid)

    @property
    def _unsaid(self) -> _End:
        """How a reply ended that does not say it: those of OpenAI's kind do, unless they were cut off."""
        return "" if self._speaks_openai else "complete"

    def _chosen(self, limit: int | None) -> LlamaIndexLLM:
        """A model with the limit in its field, unless it has a lower one, or is told it in the call."""
        model = self._cool if "temperature" in self._settings else self._given
        if limit is None or not self._limited:
            return model
        own = getattr(model, self._limited)
        is_told = own is None and self._speaks_openai
        return model if is_told or (own and 0 < own <= limit) else model.model_copy(update={self._limited: limit})

    def _form(self, schema: type[Form] | None, limit: int | None) -> dict[str, Any]:
        if schema is None or not self._speaks_openai:
            return self._sent(limit)
        form = {"name": schema.__name__, "schema": schema.json_schema(), "strict": True}
        return self._sent(limit) | {"response_format": {"type": "json_schema", "json_schema": form}}

    def _counted(self, limit: int | None) -> dict[str, Any]:
        counted = {"stream_options": {"include_usage": True}} if self._sends("stream_options") else {}
        return self._sent(limit) | counted

    def _sent(self, limit: int | None) -> dict[str, Any]:
        """What the model's own fields and additional settings say wins: the client puts them over these."""
        return self._narrow() | ({"max_tokens": limit} if limit and self._speaks_openai else {})

    def _narrow(self) -> dict[str, Any]:
        narrow = {"temperature": 0.0, "top_p": 1.0} if self._cools else {"top_p": 1.0}
        return {name: value for name, value in narrow.items() if self._sends(name)}

    def _sends(self, name: str) -> bool:
        return self._speaks_openai and name in self._settings


class _Stream:
    """What a stream has said of its end so far."""

    def __init__(self, end: _End) -> None:
        self._end = end

    def piece(self, response: ChatResponse) -> Reply:
        if self._end != "refused":  # the refusal comes in pieces, before an end like any other
            self._end = _end(response) or self._end
        return Reply(text=response.delta or "", usage=_usage(response), end="")

    def end(self) -> Reply:
        return Reply(text="", end=self._end)


def _traced(given: Mapping[str, str]) -> AbstractContextManager[None]:
    """Tag the events of a call for tracers, with ids and no text."""
    return instrument_tags(active_instrument_tags.get() | {f"thread_{name}": value for name, value in given.items()})


def _messages(messages: Sequence[Message]) -> list[ChatMessage]:
    return [ChatMessage(role=MessageRole(message.role), content=message.text) for message in messages]


def _end(response: ChatResponse) -> _End:
    """How a reply ended; empty where it does not say it."""
    choices = getattr(response.raw, "choices", None)
    choice = choices[0] if choices else None
    finish = getattr(choice, "finish_reason", None)
    message = getattr(choice, "message", None) or getattr(choice, "delta", None)
    if getattr(message, "refusal", None) or finish in _REFUSED:
        return "refused"
    if not finish:
        return ""
    return "length" if finish in _CUT else "complete"


def _usage(response: ChatResponse) -> Usage:
    counted = getattr(response.raw, "usage", None)
    details = getattr(counted, "prompt_tokens_details", None)
    return Usage(
        prompt_tokens=getattr(counted, "prompt_tokens", 0) or 0,
        completion_tokens=getattr(counted, "completion_tokens", 0) or 0,
        cached_tokens=getattr(details, "cached_tokens", 0) or 0,
    )
