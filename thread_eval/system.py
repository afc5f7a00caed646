"""What is measured: a way to answer how-to questions, at once and one step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, Self

Status = Literal["going", "asking", "resolved", "escalate", "unknown"]


@dataclass(frozen=True, slots=True)
class Reply:
    """What a system says in one turn."""

    text: str
    status: Status = "going"
    first: str = ""
    """The passage that it cites first; the text itself where it is one passage."""
    options: tuple[str, ...] = ()
    """What a person may choose by its number."""
    place: str = ""
    """Where it stands, as `document:unit`, or `document:` of what stands in no unit; empty where that is not known."""

    @property
    def goes_on(self) -> bool:
        """Whether there is something to do or to answer."""
        return bool(self.text) and self.status in ("going", "asking")

    @property
    def document(self) -> str:
        """The document in which it stands; empty where that is not known."""
        return self.place.rpartition(":")[0]

    @property
    def unit(self) -> str:
        """The unit at which it stands; empty where it stands at none."""
        return self.place.rpartition(":")[2]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, given at once."""

    text: str
    contexts: tuple[str, ...]
    """What it was made from, best first."""
    instructions: tuple[str, ...]
    """What it tells to do, one thing each, in order."""


History = Sequence[tuple[str, str]]
"""Questions and answers, the oldest first."""


class System(Protocol):
    """A way to answer how-to questions one step at a time."""

    name: str

    def retrieve(self, question: str) -> list[str]:
        """Everything that a question gives at once, best first."""

    def start(self, question: str) -> Reply:
        """The first turn of a new walk."""

    def respond(self, said: str) -> Reply:
        """The next turn."""

    def fork(self) -> Self:
        """Another walk that stands where this one does; what is said to it does not move this one."""


class AnsweringSystem(System, Protocol):
    """One that also answers in one go."""

    def answer(self, question: str, history: History = ()) -> Answer:
        """The whole answer to a question, after what was said before it."""
