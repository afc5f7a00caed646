"""Where a planner stands before a step, and what a memory gives it of the past."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from thread_core.plan import Plan
from thread_eval.datasets.mind2web import WebAction, WebTask
from thread_eval.datasets.mt_mind2web import WebConversation, WebTurn
from thread_eval.systems.web.page import elements

LAST = 5
"""Actions of the turn that a planner is shown, the newest ones."""


Turn = WebTask | WebTurn
"""A wish and the actions that fulfil it."""
Record = WebTask | WebConversation
"""What is measured at once."""


@dataclass(frozen=True)
class Situation:
    """What is known before one action."""

    site: str
    """Web site and domain, in words."""
    earlier: tuple[Turn, ...]
    """The turns of the conversation before this one."""
    turn: Turn
    at: int
    """How many actions of the turn are done."""

    @property
    def instruction(self) -> str:
        """What the person has said last."""
        return self.turn.confirmed_task

    @property
    def done(self) -> tuple[str, ...]:
        """The actions of the turn up to now, in words."""
        return tuple(self.turn.action_reprs[: self.at])

    @property
    def action(self) -> WebAction:
        """The page; what is right on it no planner reads."""
        return self.turn.actions[self.at]

    @cached_property
    def elements(self) -> Mapping[str, str]:
        """The elements to choose from: ids and lines."""
        return elements(self.action)

    @property
    def query(self) -> str:
        """The instruction and the newest actions, by which elements and guides are looked for."""
        return "\n".join((self.instruction, *self.done[-LAST:]))


@dataclass(frozen=True, slots=True)
class Past:
    """What a memory gives for one prompt."""

    instruction: str
    """The instruction as the planner is told it."""
    told: str = ""
    """What was before, as data."""


Memory = Callable[[Situation], Plan[Past]]
"""Asked before each step."""
