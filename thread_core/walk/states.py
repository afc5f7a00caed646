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
    """A question is put, with its answers as options: which guide, a prerequisite, which outcome, an approval, the
    end."""
    RESOLVED = "resolved"
    ESCALATED = "escalated"
    UNKNOWN = "unknown"
    """Nothing fits: it says so and offers the nearest."""


class Event(StrEnum):
    """What happens: what a person means by a line (`reply`), a question that begins, or what an executor has done."""

    START = "start"
    """A question begins a walk."""
    EXECUTED = "executed"
    """An executor has had the step."""
    CHOOSE = "choose"
    """An option, by its number."""
    YES = "yes"
    NO = "no"
    DONE = "done"
    """They did what is shown; it passes no open decision."""
    NEXT = "next"
    """On to what comes next, whatever is open."""
    BACK = "back"
    """Undo the last move."""
    SKIP = "skip"
    """Not done, what next?"""
    RESTART = "restart"
    """The same question again; what was learned about the person is kept."""
    WHERE = "where"
    """Where are we? Changes nothing."""
    WHY = "why"
    """Why this step? Changes nothing."""
    STOP = "stop"
    """Run nothing."""
    HAND_OVER = "hand over"
    """The person gives it up."""
    UNSURE = "unsure"
    """They cannot tell."""
    SOLVED = "solved"
    NOT_SOLVED = "not solved"
    ASK = "ask"
    """A question back."""
    REPORT = "report"
    """What they see, in their words."""


_SHOWN = frozenset(Status) - {Status.NEW}
_ENTERED = frozenset({Status.AWAITING, Status.ASKING, Status.UNKNOWN})
STEPPED = frozenset({Status.AWAITING, Status.ASKING})
"""Statuses in which a step is at hand."""
ENDED = frozenset({Status.RESOLVED, Status.ESCALATED})
"""Statuses in which nothing is waited for; an answer reopens the session."""
READING = frozenset({Event.WHERE, Event.WHY})
"""Events that change nothing."""
_ELSEWHERE = frozenset({Event.START, Event.RESTART, Event.EXECUTED, Event.SKIP, Event.BACK, Event.HAND_OVER, *READING})

TABLE: dict[tuple[Status, Event], frozenset[Status]] = {
    **{(status, Event.START): _ENTERED for status in Status},
    **{(status, Event.RESTART): _ENTERED for status in _SHOWN},
    **{(status, event): _SHOWN for event in Event if event not in _ELSEWHERE for status in _SHOWN},
    (Status.AWAITING, Event.EXECUTED): _SHOWN,
    **{(status, Event.SKIP): _SHOWN if status in STEPPED else frozenset({status}) for status in _SHOWN},
    **{(status, Event.BACK): STEPPED | ENDED | {Status.UNKNOWN} for status in _SHOWN},
    **{(status, Event.HAND_OVER): frozenset({Status.ESCALATED}) for status in _SHOWN},
    **{(status, event): frozenset({status}) for status in _SHOWN for event in READING},
}
"""Status and event -> the statuses that may follow."""

_ADVICE = {
    Status.NEW: "call start with a question first",
    Status.AWAITING: "report an outcome, or start again",
    Status.ASKING: "answer the question that is open first",
}


def check(status: Status, event: Event) -> None:
    """Raise IllegalStep where the table has no row."""
    if (status, event) not in TABLE:
        raise IllegalStep(event, status, _ADVICE.get(status, "start again"))


def arrive(status: Status, event: Event, reached: Status) -> Status:
    """Return the status reached, checked against the table."""
    if reached not in TABLE[status, event]:
        raise IllegalStep(event, status, f"it cannot become {reached}")
    return reached
