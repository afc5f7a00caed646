"""Thread on web tasks: what was done before, as a how-to document, and units of such documents for the next action."""

from __future__ import annotations

from collections.abc import Callable

from thread_core import layout
from thread_core.models import Document
from thread_core.retrieval.retrieve import retrieve
from thread_core.store.library import Library
from thread_eval.systems.web.situation import Turn

UNITS = 5
"""Documents that are entered."""
BUDGET = 300
"""Tokens that are retrieved at most."""


def tutorial(id: str, turn: Turn) -> Document:
    """A task and its actions as a page with numbered steps; of a task of the training data, its trajectory."""
    title, *steps = (" ".join(said.split()) for said in (turn.confirmed_task, *turn.action_reprs))
    listed = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, start=1))
    return Document(id, f"{listed}\n", title=title)


def unit_guides(library: Library, *, k: int = UNITS, budget: int = BUDGET) -> Callable[[str], list[str]]:
    """What the engine retrieves from a library: `WebPlanner(guides=unit_guides(library))`."""

    def retrieved(query: str) -> list[str]:
        return [layout.render(found.unit) for found in library.run(retrieve(query, k=k, budget=budget))]

    return retrieved
