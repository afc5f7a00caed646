"""The session as a table: what a person can see, what can happen, and where each leads. Knows nothing else.

Rules:
- A status is what a person sees; searching and reading are not statuses.
- An event that has no row leaves the session as it was: `IllegalStep`.
- A session that has ended is reopened by answering it: it goes on at its last step.
"""

from __future__ import annotations

from enum import StrEnum

from thread_core.errors import IllegalStep


class Status(StrEnum):
    """What a person sees of a session's state."""

    NEW = "new"
    """Not started."""
    AWAITING = "awaiting"
    """A step is shown: do it and report the outcome."""
    ASKING = "asking"
    """A question is put: a prerequisite, or which outcome is meant."""
    RESOLVED = "resolved"
    ESCALATED = "escalated"
    UNKNOWN = "unknown"
    """Nothing fits: it says so and offers the nearest."""


class Event(StrEnum):
    """What a person does."""

    START = "start"
    NEXT = "next"
    """Done, what next?"""
    CHOOSE = "choose"
    """An option's number."""
    REPORT = "report"
    """An outcome in words, or the answer to a question."""
    BACK = "back"


_SHOWN = frozenset({Status.AWAITING, Status.ASKING, Status.RESOLVED, Status.ESCALATED, Status.UNKNOWN})
_STEPPED = frozenset({Status.AWAITING, Status.ASKING})

TABLE: dict[tuple[Status, Event], frozenset[Status]] = {
    (Status.NEW, Event.START): frozenset({Status.AWAITING, Status.ASKING, Status.UNKNOWN}),
    **{(status, Event.START): frozenset({Status.AWAITING, Status.ASKING, Status.UNKNOWN}) for status in _SHOWN},
    **{(status, event): _SHOWN for status in _SHOWN for event in (Event.NEXT, Event.CHOOSE, Event.REPORT)},
    **{(status, Event.BACK): _STEPPED for status in _SHOWN - {Status.UNKNOWN}},
    (Status.UNKNOWN, Event.BACK): _STEPPED | {Status.UNKNOWN},
}
"""Status and event -> the statuses that may follow."""

_ADVICE = {
    Status.NEW: "call start with a question first",
    Status.AWAITING: "report an outcome, or start again",
}


def check(status: Status, event: Event) -> None:
    """Raise IllegalStep where the table has no row."""
    if (status, event) not in TABLE:
        raise IllegalStep(event, status, _ADVICE.get(status, "start again"))


def arrive(status: Status, event: Event, reached: Status) -> Status:
    """The status reached, checked against the table."""
    if reached not in TABLE[status, event]:
        raise IllegalStep(event, status, f"it cannot become {reached}")
    return reached
