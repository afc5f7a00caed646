"""Planners as systems of a run: the papers' own, by name, and what retrieves from guides as one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from thread_eval.system import System
from thread_eval.systems import Setup
from thread_eval.systems.web.memories import LastTurns, LikeConversations, SelfMap, rewritten_instruction
from thread_eval.systems.web.planner import Planned, WebPlanner
from thread_eval.systems.web.ranking import embedding_with
from thread_eval.systems.web.runs import plan_all, site_of, turns_of
from thread_eval.systems.web.situation import Record


class Planning:
    """A planner, and the model and the embedding that answer it."""

    def __init__(self, setup: Setup, planner: Callable[[Record], WebPlanner]) -> None:
        """Take a planner for each record.

        Raises:
            ValueError: the setup has no model.
        """
        if setup.models is None:
            raise ValueError("a model chooses the actions; set `models` in the setup")
        self._models, self._embedder, self._seed, self._planner = setup.models, setup.embedder, setup.seed, planner

    def plan(self, record: Record) -> list[list[Planned]]:
        """All actions of a task or a conversation, turn by turn."""
        planner = replace(self._planner(record), seed=self._seed)
        return self._models.run(plan_all(planner, record), embedding_with(self._embedder))


def mind_act(setup: Setup) -> Planning:
    """No history."""
    return Planning(setup, lambda record: WebPlanner())


def fixed(setup: Setup) -> Planning:
    """The last turns."""
    return Planning(setup, lambda record: WebPlanner(LastTurns()))


def car(setup: Setup) -> Planning:
    """The instruction put so that it stands alone."""
    return Planning(setup, lambda record: WebPlanner(rewritten_instruction))


def synapse(setup: Setup) -> Planning:
    """The likest of the other records."""
    every = [(site_of(one), turns_of(one)) for one in setup.records]

    def planner(record: Record) -> WebPlanner:
        return WebPlanner(LikeConversations([one for one in every if one[1] != turns_of(record)]))

    return Planning(setup, planner)


def self_map(setup: Setup) -> Planning:
    """The likest steps before, and everything in one answer."""
    return Planning(setup, lambda record: WebPlanner(SelfMap(), group=None))


def with_guides(system: System, setup: Setup) -> Planning:
    """MindAct's planner, given what a system retrieves from the setup's documents for the task and the last actions.

    Raises:
        ValueError: the setup has no model, or no documents.
    """
    if not setup.documents:
        raise ValueError(f"{system.name} retrieves from guides; name some in addition to the data set")
    return Planning(setup, lambda record: WebPlanner(guides=system.retrieve))
