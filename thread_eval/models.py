"""Models by name, of either framework, with what a run may cost."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from thread_core.errors import ModelError, ThreadError
from thread_core.llm.access import ModelAccess
from thread_core.llm.costs import Budget
from thread_core.ports import LLM, Message, Reply, ReplyCache, Usage


class BadModel(ThreadError, ValueError):
    """What was named is no model that can be asked."""


class CapReached(ThreadError):
    """A run may cost no more."""


class Cap(Budget):
    """A budget that ends the run: with a `BudgetSpent` a walk would go on without its model, and be taken for one."""

    def refusal(self, spent: Usage, planned: Usage) -> str:
        """Nothing: the call may be made.

        Raises:
            CapReached: it could exceed what is left.
        """
        if reason := super().refusal(spent, planned):
            raise CapReached(f"{reason}; raise --max-tokens and run it again: answered cases are not asked again")
        return ""

    def room(self, spent: Usage, prompt_tokens: int) -> int | None:
        """Replies are not kept short."""
        return None


def load_model(name: str) -> Any:
    """What `module:name` names: a model, or what makes one without arguments. The current folder is looked in, too.

    Raises:
        BadModel: there is nothing of that name, or it cannot be made.

    Example:
        load_model("my_models:small")
    """
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise BadModel(f"found {name!r}, expected module:name, such as langchain_openai:ChatOpenAI")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        named = getattr(import_module(module), attribute)
        return named() if isinstance(named, type) or not _is_model(named) else named
    except Exception as error:  # whatever a user's module raises
        raise BadModel(
            f"{name} cannot be loaded ({type(error).__name__}: {error}); expected a model or a function that makes one"
        ) from error


class WatchedAccess(ModelAccess):
    """Access that knows whether its model's service failed: then Thread goes on without, which is another system."""

    def __init__(self, llm: LLM, *, max_tokens: int | None = None, cache: ReplyCache | None = None) -> None:
        self._watched = _Watched(llm)
        super().__init__(self._watched, budget=Cap(max_tokens), cache=cache)

    def trouble(self) -> str:
        """Why a question had no reply since this was asked last; empty where all had one."""
        reasons = [str(error) for error in self._watched.failed.values()]
        self._watched.failed.clear()
        return reasons[0] if reasons else ""


class _Watched:
    """A model, and the questions that it did not reply to in the end."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self.failed: dict[tuple[Message, ...], ModelError] = {}

    @property
    def name(self) -> str:
        return self._llm.name

    @property
    def settings(self) -> str:
        return self._llm.settings

    @property
    def context_window(self) -> int | None:
        return self._llm.context_window

    def complete(self, messages: Sequence[Message], schema: Any = None, limit: int | None = None) -> Reply:
        with self._noted(messages):
            return self._llm.complete(messages, schema, limit)

    async def acomplete(self, messages: Sequence[Message], schema: Any = None, limit: int | None = None) -> Reply:
        with self._noted(messages):
            return await self._llm.acomplete(messages, schema, limit)

    def stream(self, messages: Sequence[Message], limit: int | None = None) -> Iterator[Reply]:
        with self._noted(messages):
            yield from self._llm.stream(messages, limit)

    async def astream(self, messages: Sequence[Message], limit: int | None = None) -> AsyncIterator[Reply]:
        with self._noted(messages):
            async for piece in self._llm.astream(messages, limit):
                yield piece

    @contextmanager
    def _noted(self, messages: Sequence[Message]) -> Iterator[None]:
        """Note what fails; a question that is asked again and answered has not."""
        try:
            yield
        except ModelError as error:
            self.failed[tuple(messages)] = error
            raise
        self.failed.pop(tuple(messages), None)


def open_access(model: Any, *, max_tokens: int | None = None, cache: ReplyCache | None = None) -> WatchedAccess:
    """A model of either framework, capped and with its good replies kept.

    Raises:
        BadModel: it is none.
    """
    return WatchedAccess(_as_llm(model), max_tokens=max_tokens, cache=cache)


def _is_model(named: Any) -> bool:
    return hasattr(named, "complete") or hasattr(named, "invoke")


def _as_llm(model: Any) -> LLM:
    kinds = {base.__module__.partition(".")[0] for base in type(model).__mro__}
    try:
        if "llama_index" in kinds:
            from llama_index_thread.models import ChatModel as OnLlamaIndex

            return OnLlamaIndex(model)
        from langchain_thread.models import ChatModel as OnLangChain

        return OnLangChain(model)
    except TypeError as error:
        raise BadModel(str(error)) from error
