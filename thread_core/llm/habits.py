"""What the service of a model takes, and how the model speaks: learnt from its refusals and its replies.

A refused call is made again, asking for less. What then works is kept to, so that it is refused once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import IntEnum

from thread_core.errors import CallRefused, ModelError, TooLong

THOUGHT = 12_000
"""Tokens that a model may think before its reply, where a budget leaves them."""
AT_ONCE = 4
"""A call may have the share of one of so many of what is left, if that is more than it will hardly exceed."""

_OF_THE_LIMIT = re.compile(
    r"max_\w*tokens|max(imum)?\b.{0,40}\b(completion|output|new) tokens|num_predict", re.IGNORECASE
)


class Room(IntEnum):
    """How long a reply may be under a budget."""

    UNBOUNDED = 0
    """The service takes no limit."""
    EXPECTED = 1
    """As long as it hardly exceeds: the service refuses more."""
    AMPLE = 2
    """Longer, for models that think first."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What is known of a model and its service."""

    takes_schemas: bool = True
    room: Room = Room.AMPLE
    too_much: int | None = None
    """Tokens of a question and its limit together that it refused. Without a limit it bounds a reply itself, below."""
    ends_bare: bool = False
    """Whether it ends thoughts that it does not begin."""

    def limit(self, expected: int, left: int) -> int | None:
        """The tokens that a reply may have of those that are left; None where the service takes no limit."""
        match self.room:
            case Room.UNBOUNDED:
                return None
            case Room.EXPECTED:
                return expected
        return max(expected, min(expected + THOUGHT, left // AT_ONCE))

    def wants_more_than(self, limit: int, expected: int) -> bool:
        """Whether a larger budget would leave a reply more."""
        return self.room is Room.AMPLE and limit < expected + THOUGHT

    def fits(self, together: int) -> bool:
        """Whether the service is told a limit that makes so many tokens with the question."""
        return self.too_much is None or together < self.too_much

    def asking_less(self, error: ModelError, *, with_schema: bool, together: int | None) -> Habits | None:
        """How a call that failed may be made again; None where that will not help.

        Args:
            error: Why it failed.
            with_schema: Whether a schema was sent.
            together: The tokens of the question and of the limit that was sent; None where none was.
        """
        said = str(error)
        is_refused = isinstance(error, CallRefused)
        if together is not None and isinstance(error, TooLong):
            return replace(self, too_much=together)
        if together is not None and is_refused and _OF_THE_LIMIT.search(said):
            return replace(self, room=Room(self.room - 1))
        if with_schema and self.takes_schemas and (is_refused or "response_format" in said):
            return replace(self, takes_schemas=False)
        return None

    def and_of(self, other: Habits) -> Habits:
        """What two calls at once have learnt."""
        return Habits(
            self.takes_schemas and other.takes_schemas,
            min(self.room, other.room),
            min((one for one in (self.too_much, other.too_much) if one is not None), default=None),
            self.ends_bare or other.ends_bare,
        )
