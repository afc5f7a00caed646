"""What is measured: a way to answer how-to questions, at once and one step at a time."""

from __future__ import annotations

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
    """Where it stands, as `document:unit`; empty where that is not known."""

    @property
    def goes_on(self) -> bool:
        """Whether there is something to do or to answer."""
        return bool(self.text) and self.status in ("going", "asking")

    @property
    def document(self) -> str:
        """The document in which it stands; empty where that is not known."""
        return self.place.rpartition(":")[0]


class System(Protocol):
    """A way to answer how-to questions."""

    name: str

    def retrieve(self, question: str) -> list[str]:
        """Everything that a question gives at once, best first."""

    def start(self, question: str) -> Reply:
        """The first turn of a new walk."""

    def respond(self, said: str) -> Reply:
        """The next turn."""

    def fork(self) -> Self:
        """Another walk that stands where this one does; what is said to it does not move this one."""
