"""What is compared: Thread through the front doors of both frameworks, what one would pick today, and a floor.

Whatever is no part of this project is a component of a framework, composed and not written again. Chunks of
propositions, which a model writes, are left out: neither framework brings what makes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any, Literal

from thread_core import Document, LogicUnit, RuleExtractor, default_embedding
from thread_core.llm.access import ModelAccess
from thread_core.ports import Embedder
from thread_eval.system import AnsweringSystem

Framework = Literal["langchain", "llama-index"]


@dataclass(frozen=True, slots=True)
class Setup:
    """What systems are made of."""

    documents: Mapping[str, str]
    """Markdown texts by their ids."""
    units: Sequence[LogicUnit]
    """What an extractor made of them; see `units_of`."""
    embedder: Embedder = field(default_factory=default_embedding)
    models: ModelAccess | None = None
    """Without any, Thread walks by its rules, and the others answer with what they found."""
    chat: Any = None
    """The framework's own model, for agents that call tools."""


def units_of(documents: Mapping[str, str]) -> list[LogicUnit]:
    """What the rules make of some documents."""
    rules = RuleExtractor()
    return [unit for name, text in documents.items() for unit in rules.extract(Document(name, text)).units]


@dataclass(frozen=True, slots=True)
class Offer:
    """A system that can be had by its name."""

    framework: Framework
    make: Callable[[Setup], AnsweringSystem]
    is_ours: bool = False
    is_usual: bool = True
    """Whether it is measured where nobody names any."""


def _made(module: str, function: str, *given: Any) -> Callable[[Setup], AnsweringSystem]:
    """By a function of a module of this package, which is imported when a first one is made."""

    def make(setup: Setup) -> AnsweringSystem:
        made: AnsweringSystem = getattr(import_module(f"{__name__}.{module}"), function)(setup, *given)
        return made

    return make


_chunks, _nodes = partial(_made, "chunks_langchain"), partial(_made, "chunks_llama_index")

SYSTEMS: Mapping[str, Offer] = {
    "thread": Offer("langchain", _made("thread_langchain", "ThreadOnLangChain"), is_ours=True),
    "thread-llama-index": Offer("llama-index", _made("thread_llama_index", "ThreadOnLlamaIndex"), is_ours=True),
    "team": Offer("langchain", _made("team_langchain", "TeamOnLangChain"), is_ours=True, is_usual=False),
    "recursive-300": Offer("langchain", _chunks("recursive", 300, 30), is_usual=False),
    "recursive-1000": Offer("langchain", _chunks("recursive", 1000, 50)),
    "recursive-2000": Offer("langchain", _chunks("recursive", 2000, 100)),
    "headers": Offer("langchain", _chunks("by_headers")),
    "sentences": Offer("llama-index", _nodes("sentences")),
    "headers-llama-index": Offer("llama-index", _nodes("by_headers")),
    "semantic": Offer("llama-index", _nodes("semantic")),
    "whole": Offer("langchain", _chunks("whole")),
    "reads-on": Offer("langchain", _chunks("reads_on")),
}
"""By name, in the order in which they are shown."""
