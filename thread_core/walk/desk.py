"""What the agents of a team have before them in a person's turn: plain data, whatever framework keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from pydantic import Field

from thread_core.llm.prompting import prompt
from thread_core.models import Model
from thread_core.ports import Usage
from thread_core.walk.execution import Outcome
from thread_core.walk.rendering import Ran, Turn
from thread_core.walk.state import SessionState
from thread_core.walk.states import Event

T = TypeVar("T")

TURNS, TOKENS = 12, 60_000
"""What agents may take of a person's turn at most: replies of models, and tokens of prompts and replies together."""


class Agent(StrEnum):
    """Who may be at work."""

    SELECTOR = "selector"
    PLANNER = "planner"
    QUERY_GENERATOR = "query_generator"

    @property
    def system(self) -> str:
        """What it is told to be: the package's prompt `team_NAME`."""
        return prompt(f"team_{self}").system

    def told(self, fields: Mapping[str, str]) -> str:
        """What it is told of the matter at hand."""
        made = prompt(f"team_{self}")
        return made.messages(dict.fromkeys(made.fields, "(nothing)") | dict(fields))[-1].text


DESCRIPTIONS = {
    Agent.SELECTOR: "Chooses the guide for the problem.",
    Agent.PLANNER: "Reads the guide, and says what the person has to do next.",
    Agent.QUERY_GENERATOR: "Says what to look for where the guides at hand do not go on.",
}
"""What the agents know of each other."""


def each(llm: T, models: Mapping[str, T] | None, turns: int, tokens: int) -> dict[Agent, T]:
    """Give every agent its model: one of its own, or the one for all.

    Raises:
        ValueError: there is no agent of such a name, or a bound is below 1.

    Example:
        >>> each("small", {"planner": "large"}, 12, 60_000)[Agent.PLANNER]
        'large'
    """
    if strange := set(models or {}) - set(Agent):
        raise ValueError(f"found the agent {', '.join(sorted(strange))}, expected one of {', '.join(Agent)}")
    if min(turns, tokens) < 1:
        raise ValueError(f"found {turns} turns and {tokens} tokens, expected at least 1 each")
    return {agent: (models or {}).get(agent, llm) for agent in Agent}


class Desk(Model):
    """Where a person's turn stands: the session, and what the agents have before them. JSON."""

    session: SessionState = Field(default_factory=SessionState)
    executes: bool = False
    """Whether there is an executor."""
    event: Event = Event.WHERE
    text: str = ""
    """What the person did, and their words."""
    outcome: Outcome | None = None
    """What came of a step that was run just now, where the agents have to say where it leads."""
    agent: Agent | None = None
    """Who begins; None where it is the person's turn."""
    is_way: bool = False
    """Whether it is asked where a step leads, and not with which guide to begin."""
    moved: bool = False
    """The walk has moved in this turn; its step may be executed, and that is all."""
    question: str = ""
    """What an agent asks the person, in its own words."""
    asked: str = ""
    """What it asked them, where this turn is the answer."""
    found: Mapping[str, tuple[str, str]] = {}
    """By the numbers of the last cards, documents and units."""
    guide: tuple[str, str] = ("", "")
    """The document that is open, and the unit at which it is entered."""
    ran: tuple[Ran, ...] = ()
    usage: Usage = Usage()
    """What the agents have cost in this turn."""

    def paid(self, usage: Usage) -> Desk:
        """Copy it with what a reply of a model cost, which counts as one call."""
        return self.but(usage=self.usage + usage.model_copy(update={"calls": 1}))

    def bound(self, turns: int = TURNS, tokens: int = TOKENS) -> str:
        """Say which bound of a person's turn is reached, in replies of models or in tokens; empty where none is."""
        if self.usage.calls >= turns:
            return f"{turns} turns of the models"
        spent = self.usage.prompt_tokens + self.usage.completion_tokens
        return f"{spent} of {tokens} tokens" if spent >= tokens else ""

    def but(self, **changes: Any) -> Desk:
        """Copy it with some fields changed."""
        return self.model_copy(update=changes)


class Told(NamedTuple):
    """What comes of a tool, or of what the person said."""

    desk: Desk
    text: str = ""
    """For the models: a tool's answer, or what the first agent is told."""
    shown: Turn | None = None
    """Where the walk has moved, what there is to be seen."""
    is_error: bool = False


class Refusal(Exception):
    """A tool does not do what it was called for, and says why."""
