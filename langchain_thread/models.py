"""LangChain's chat models as the core asks them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableConfig, RunnableWithFallbacks
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.config import ensure_config, merge_configs
from langchain_core.runnables.configurable import DynamicRunnable

from thread_core.errors import kind_of
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.llm.errors import Settings
from thread_core.llm.setups import digest
from thread_core.llm.tracing import labels
from thread_core.ports import Form, Message, Reply, Usage

_MESSAGES: dict[str, type[BaseMessage]] = {"system": SystemMessage, "user": HumanMessage, "assistant": AIMessage}
_End = Literal["", "complete", "length", "refused"]
_CUT = ("length", "max_tokens", "MAX_TOKENS")
_REFUSED = ("content_filter", "refusal", "SAFETY")
_LIMITS = ("max_tokens", "max_output_tokens", "num_predict")
"""How models of several makers call the limit of a reply."""
_AT_ONCE = {"disable_streaming": True}
_SILENT: RunnableConfig = {"tags": ["nostream"]}
"""What a model decides is for nobody to read: LangGraph keeps it out of the messages that it streams."""

Chat = Runnable[LanguageModelInput, AIMessage]
"""A chat model, or what `bind`, `with_retry`, `with_fallbacks` or `configurable_fields` has made of one."""
Models = Chat | Mapping[Role, Chat] | Mapping[str, Chat] | ModelAccess
"""One model for all roles, one for each, or what `to_access` made of them, with a budget and a cache."""


def to_access(llm: Models, **options: Any) -> ModelAccess:
    """Add retries, a budget, a cache and a token count to models.

    Args:
        llm: A chat model, or one for each role: `{Role.SELECTOR: small, Role.GENERATOR: large, ...}`. LangChain's own
            ways to set it up count: `bind`, `with_config`, `with_retry`, fallbacks, configurable fields.
        options: As in `thread_core.llm.access.ModelAccess`: `budget`, `cache`, `attempts`.

    Raises:
        TypeError: it is no chat model.

    Example:
        to_access(ChatOpenAI(model="gpt-4o-mini", max_retries=0), budget=Budget(tokens=200_000))
    """
    if isinstance(llm, ModelAccess):
        return llm
    if isinstance(llm, Mapping):
        return ModelAccess({Role(role): ChatModel(model) for role, model in llm.items()}, **options)
    return ModelAccess(ChatModel(llm), **options)


class ChatModel:
    """A chat model as the core's `LLM`.

    Temperature is 0, and top_p 1 where models are of OpenAI's kind, unless the model was given others. Such models are
    sent the schema of the reply, too. A budget's limit is sent where the model has a field for one (`max_tokens`,
    `max_output_tokens`, `num_predict`). A setting that the service refuses is not sent again. A model with something
    around it, such as `with_retry`, is asked as it was set up.
    """

    def __init__(self, model: Chat) -> None:
        if not _is_chat_model(_innermost(model)):
            raise TypeError(
                f"found {kind_of(model)}, expected a chat model; make one first, as with"
                ' init_chat_model("gpt-4.1-mini", model_provider="openai")'
            )
        self._given = model
        self._speaks_openai = any(base.__name__ == "BaseChatOpenAI" for base in type(model).__mro__)
        self._cool = _unset(model, {"temperature": 0.0} | ({"top_p": 1.0} if self._speaks_openai else {}))
        self._limited = next((name for name in _LIMITS if name in _fields(model)), "")
        self._settings = Settings("temperature", "top_p", "stream_options")

    @property
    def name(self) -> str:
        """The model's name, or its class where it has none."""
        model = _innermost(self._given)
        for field in ("model_name", "model"):
            if isinstance(name := getattr(model, field, None), str) and name:
                return name
        return type(model).__name__

    @property
    def settings(self) -> str:
        """What the model itself and what is around it (`bind`) are set to."""
        model = _innermost(self._given)
        fields = {name: getattr(model, name, None) for name in _fields(model)}
        address = getattr(getattr(model, "root_client", None), "base_url", "")
        return digest(fields | self._cool | {"bound": _bound(self._given), "address": str(address)})

    @property
    def context_window(self) -> int | None:
        """As the model's profile says."""
        profile = getattr(_innermost(self._given), "profile", None) or {}
        return profile.get("max_input_tokens")

    def complete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """The reply to a conversation."""
        with self._settings.translated():
            model = self._unheard(limit)
            return self._reply(model.invoke(_messages(messages), _traced(_SILENT), **self._form(schema)))

    async def acomplete(
        self, messages: Sequence[Message], schema: type[Form] | None = None, limit: int | None = None
    ) -> Reply:
        """`complete` by the model's own async method."""
        with self._settings.translated():
            model = self._unheard(limit)
            return self._reply(await model.ainvoke(_messages(messages), _traced(_SILENT), **self._form(schema)))

    def stream(self, messages: Sequence[Message], limit: int | None = None) -> Iterator[Reply]:
        """The reply in pieces."""
        return self._streamed(messages, limit, _traced())  # the labels are those of now, not of the first piece

    def _streamed(self, messages: Sequence[Message], limit: int | None, config: RunnableConfig) -> Iterator[Reply]:
        heard = _Stream(self._unsaid)
        with self._settings.translated():
            for chunk in self._chosen(limit).stream(_messages(messages), config, **self._counted()):
                yield heard.piece(chunk)
        yield heard.end()

    def astream(self, messages: Sequence[Message], limit: int | None = None) -> AsyncIterator[Reply]:
        """`stream` by the model's own async method."""
        return self._astreamed(messages, limit, _traced())

    async def _astreamed(
        self, messages: Sequence[Message], limit: int | None, config: RunnableConfig
    ) -> AsyncIterator[Reply]:
        heard = _Stream(self._unsaid)
        with self._settings.translated():
            async for chunk in self._chosen(limit).astream(_messages(messages), config, **self._counted()):
                yield heard.piece(chunk)
        yield heard.end()

    def _reply(self, message: AIMessage) -> Reply:
        return Reply(text=message.text, usage=_usage(message), end=_end(message) or self._unsaid)

    @property
    def _unsaid(self) -> _End:
        """How a reply ended that does not say it: those of OpenAI's kind do, unless they were cut off."""
        return "" if self._speaks_openai else "complete"

    def _chosen(self, limit: int | None) -> Chat:
        cool = {name: value for name, value in self._cool.items() if name in self._settings}
        return _with(self._given, cool | self._bounds(limit))

    def _unheard(self, limit: int | None) -> Chat:
        """One that replies at once: a graph that is streamed would have it stream, and no tokens be counted."""
        chosen = self._chosen(limit)
        return chosen if getattr(self._given, "streaming", False) else _with(chosen, _AT_ONCE)

    def _bounds(self, limit: int | None) -> dict[str, int]:
        """The limit of a reply, unless the model has a lower one of its own."""
        if limit is None or not self._limited:
            return {}
        profile = getattr(self._given, "profile", None) or {}
        own = (getattr(self._given, self._limited), profile.get("max_output_tokens"))
        return {self._limited: min([limit, *(bound for bound in own if isinstance(bound, int) and bound > 0)])}

    def _form(self, schema: type[Form] | None) -> dict[str, Any]:
        """The schema on the wire, past the client's own parser, which fails where a reply is cut off."""
        if schema is None or not self._speaks_openai:
            return {}
        form = {"name": schema.__name__, "schema": schema.json_schema(), "strict": True}
        own = getattr(self._given, "extra_body", None) or {}
        return {"extra_body": own | {"response_format": {"type": "json_schema", "json_schema": form}}}

    def _counted(self) -> dict[str, Any]:
        return {"stream_usage": True} if self._speaks_openai and "stream_options" in self._settings else {}


class _Stream:
    """What a stream has said of its end so far."""

    def __init__(self, end: _End) -> None:
        self._end = end

    def piece(self, chunk: AIMessage) -> Reply:
        self._end = _end(chunk) or self._end
        return Reply(text=chunk.text, usage=_usage(chunk), end="")

    def end(self) -> Reply:
        return Reply(text="", end=self._end)


def _is_chat_model(model: object) -> bool:
    """Whether it is one, or one that is made at each call, as by `init_chat_model(configurable_fields=...)`."""
    return isinstance(model, BaseChatModel) or type(model).__name__ == "_ConfigurableModel"


def _innermost(given: object) -> object:
    """The model within, that is asked first in a run with the current config: replies are kept under its name."""
    model, config = given, ensure_config()
    while True:
        match model:
            case DynamicRunnable():
                model, config = model.prepare(config)
            case RunnableBindingBase(bound=bound, config=own):
                model, config = bound, merge_configs(own, config)
            case RunnableWithFallbacks():
                model = model.runnable
            case _:
                return model


def _bound(given: object) -> dict[str, Any]:
    """What `bind` has put around a model, the outermost last."""
    return _bound(given.bound) | dict(given.kwargs) if isinstance(given, RunnableBindingBase) else {}


def _fields(model: object) -> Collection[str]:
    return type(model).model_fields if isinstance(model, BaseChatModel) else ()


def _with(model: Chat, settings: Mapping[str, Any]) -> Chat:
    """A model with settings; where something is around it, it has those that it was given."""
    return model.model_copy(update=settings) if settings and isinstance(model, BaseChatModel) else model


def _unset(model: Chat, settings: Mapping[str, float]) -> dict[str, float]:
    """Those settings that the model has and that nobody has set."""
    own = _fields(model)
    return {name: value for name, value in settings.items() if name in own and getattr(model, name) is None}


def _traced(config: RunnableConfig | None = None) -> RunnableConfig:
    """A config that names the call for tracers: run name, tag and metadata, with ids and no text."""
    given = labels()
    if not given:
        return config or {}
    named: RunnableConfig = {
        "run_name": f"thread {given['role']}",
        "tags": [f"thread:{given['role']}"],
        "metadata": {f"thread_{name}": value for name, value in given.items()},
    }
    return merge_configs(config, named)


def _messages(messages: Sequence[Message]) -> list[BaseMessage]:
    return [_MESSAGES[message.role](message.text) for message in messages]


def _end(message: AIMessage) -> _End:
    """How a reply ended; empty where it does not say it."""
    finish = message.response_metadata.get("finish_reason") or message.response_metadata.get("stop_reason")
    if message.additional_kwargs.get("refusal") or finish in _REFUSED:
        return "refused"
    if not finish:
        return ""
    return "length" if finish in _CUT else "complete"


def _usage(message: AIMessage) -> Usage:
    counted = message.usage_metadata
    if counted is None:
        return Usage()
    return Usage(
        prompt_tokens=counted["input_tokens"],
        completion_tokens=counted["output_tokens"],
        cached_tokens=counted.get("input_token_details", {}).get("cache_read", 0) or 0,
    )
