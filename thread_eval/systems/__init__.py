"""What is compared: Thread through the front doors of both frameworks, what one would pick today, and a floor.

Whatever is no part of this project is a component of a framework, composed and not written again.
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
    records: Sequence[Any] = ()
    """All that is asked, for what looks at the other conversations."""
    seed: int = 0
    """Of the lots that a planner draws."""


def units_of(documents: Mapping[str, str]) -> list[LogicUnit]:
    """What the rules make of some documents."""
    rules = RuleExtractor()
    return [unit for name, text in documents.items() for unit in rules.extract(Document(name, text)).units]


@dataclass(frozen=True, slots=True)
class Offer:
    """A system that can be had by its name."""

    framework: Framework | None
    """None where it takes the setup's model and embedding, and nothing of a framework."""
    make: Callable[[Setup], Any]
    is_ours: bool = False
    is_usual: bool = True
    """Whether it is measured where nobody names any."""
    needs_model: bool = False
    reads_all: bool = False
    """Whether a model, where there is one, reads all documents before the first question."""
    plans: bool = False
    """Whether it plans actions on web pages, and answers nothing."""


def _made(module: str, function: str, *given: Any) -> Callable[[Setup], Any]:
    """By a function of a module of this package, which is imported when a first one is made."""

    def make(setup: Setup) -> Any:
        return getattr(import_module(f"{__name__}.{module}"), function)(setup, *given)

    return make


_chunks, _nodes = partial(_made, "chunks_langchain"), partial(_made, "chunks_llama_index")
_named = partial(Offer, is_usual=False)
_team = partial(_named, is_ours=True, needs_model=True)
_read = partial(_named, "llama-index", needs_model=True, reads_all=True)


def _related(function: str, *given: Any) -> Offer:
    return _named("langchain", _made("relations.passages", function, *given), is_ours=True, reads_all=True)


def _planner(function: str) -> Offer:
    return Offer(None, _made("web.planning", function), needs_model=True, plans=True)


SYSTEMS: Mapping[str, Offer] = {
    "thread": Offer("langchain", _made("thread_langchain", "ThreadOnLangChain"), is_ours=True),
    "thread-llama-index": Offer("llama-index", _made("thread_llama_index", "ThreadOnLlamaIndex"), is_ours=True),
    "team": _team("langchain", _made("team_langchain", "TeamOnLangChain")),
    "team-llama-index": _team("llama-index", _made("team_llama_index", "TeamOnLlamaIndex")),
    "relations": _related("relations"),
    "relations+chunks": _related("beside_chunks"),
    "facts": _related("relations", 0),
    "recursive-300": _named("langchain", _chunks("recursive", 300, 30)),
    "recursive-1000": Offer("langchain", _chunks("recursive", 1000, 50)),
    "recursive-2000": Offer("langchain", _chunks("recursive", 2000, 100)),
    "headers": Offer("langchain", _chunks("by_headers")),
    "sentences": Offer("llama-index", _nodes("sentences")),
    "headers-llama-index": Offer("llama-index", _nodes("by_headers")),
    "semantic": Offer("llama-index", _nodes("semantic")),
    "propositions": _read(_made("propositions", "propositions")),
    "graph": _read(_made("graph", "graph")),
    "whole": Offer("langchain", _chunks("whole")),
    "reads-on": Offer("langchain", _chunks("reads_on")),
    "mindact": _planner("mind_act"),
    "fixed": _planner("fixed"),
    "car": _planner("car"),
    "synapse": _planner("synapse"),
    "self-map": _planner("self_map"),
}
"""By name, in the order in which they are shown."""
