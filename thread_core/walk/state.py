"""Where a walk stands: the state that goes on in another process.

The state holds addresses and hashes, what the person said and what they were asked, and no bodies. It is JSON, and it
is replaced, never changed.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, NonNegativeInt, ValidationError

from thread_core.errors import BadSession
from thread_core.models import Line, LogicUnit, Model, Place
from thread_core.retrieval import prerequisites
from thread_core.retrieval.prerequisites import Known, Policy, Verdict
from thread_core.walk.gap import Gap
from thread_core.walk.states import Status

VERSION = 5
"""Of the state's JSON. It is raised whenever a field comes, goes or changes its meaning, also one with a default: a
state without what guards a step would be gone on with unguarded. See CONTRIBUTING.md."""
DONE, RUN = "done", "it was run"
"""What came of a step of which nothing but that is known."""


class Explained(Model):
    """A term that was explained, and the unit that does so."""

    name: str
    document_id: str
    unit_id: str


class Position(Model):
    """Some lines of a unit that were shown: an address and a hash, no text but the header."""

    document_id: str
    unit_id: str
    place: Place
    first: Line
    last: Line
    """Lines of the unit's body."""
    until: NonNegativeInt = 0
    """The last line of the case, or of what is more than a screen holds, that these are a part of; 0 of none."""
    then: tuple[int, int] | None = None
    """Lines that are shown below them, which follow in any case."""
    jumped: bool = False
    """An outcome led here from another place."""
    start: NonNegativeInt = 0
    end: NonNegativeInt = 0
    """Where these lines stood in the document when they were shown, 1-based, both included; 0 where it is not known."""
    content_hash: str
    header: str
    why: str
    condition: str = ""
    """The condition that led here, where one did."""
    is_guess: bool = False
    """What was said may well mean something else: nothing is run there unasked."""
    ending: bool = False
    """No step: the words that ended the walk."""
    outcome: str = ""
    """What was reported of it; of what an executor has seen, only what it was taken for."""
    skipped: bool = False
    """The person went past it without doing it."""
    explained: tuple[Explained, ...] = ()
    """What its prerequisites name and no step before it had explained."""

    @classmethod
    def of(cls, unit: LogicUnit, first: int, last: int, why: str, condition: str = "", **more: Any) -> Position:
        """Make one of lines of a unit's body."""
        at = unit.lines_of(first, max(first, last))
        return cls(
            document_id=unit.document_id,
            unit_id=unit.id,
            place=unit.place,
            first=first,
            last=max(first, last),
            start=at.start,
            end=at.end,
            content_hash=unit.content_hash,
            header=unit.header,
            why=why,
            condition=condition,
            **more,
        )


class Act(StrEnum):
    """What an option does when it is chosen."""

    FOLLOW = "follow"
    """Take an outcome that a unit states: go where its link leads, or to its own words."""
    SHOW = "show"
    """Show some lines of a unit."""
    GUIDE = "guide"
    """Enter a guide."""
    NEXT = "next"
    """None of the outcomes is the case: go past them."""
    NONE = "none"
    """None of what a menu offers."""
    STAY = "stay"
    YES = "yes"
    NO = "no"
    AGAIN = "again"
    SOLVED = "solved"
    HAND_OVER = "hand over"
    RUN = "run"
    MYSELF = "myself"


class Choice(Model):
    """One option: what is listed, and what becomes of it."""

    label: str
    act: Act
    condition: str = ""
    """In the document's words."""
    document_id: str = ""
    unit_id: str = ""
    first: NonNegativeInt = 0
    last: NonNegativeInt = 0
    """Lines of the unit's body."""

    @classmethod
    def of(cls, unit: LogicUnit, label: str, act: Act, **more: Any) -> Choice:
        """Make one that leads to a unit, or to lines of its body."""
        return cls(label=label, act=act, document_id=unit.document_id, unit_id=unit.id, **more)


class Asked(StrEnum):
    """What a session waits to be told."""

    GUIDE = "guide"
    """Which guide is meant."""
    PREREQUISITE = "prerequisite"
    """Whether it holds."""
    OUTCOME = "outcome"
    """Which of some outcomes or passages is meant."""
    LOOP = "loop"
    """Whether to go round once more."""
    ONWARD = "onward"
    """Whether to go on with the next section."""
    SOLVED = "solved"
    """Whether the problem is gone, where the task has ended."""
    APPROVAL = "approval"
    """Whether what the step says may be run."""


class Pending(Model):
    """A question that is open."""

    kind: Asked
    question: str = ""
    """As it was put; an approval is put in the words of the document."""
    choices: tuple[Choice, ...] = ()
    about: str = ""
    """The prerequisite as the document has it, the outcome as it was reported, or the digest of what would be run."""
    at: Position | None = None
    """The step that waits for the answer; the one at hand where there is none."""


class Screen(Model):
    """What the person saw before, as far as the rest of the state does not say it."""

    status: Status
    steps: NonNegativeInt
    """How many of the trail had been shown."""
    outcome: str = ""
    skipped: bool = False
    """Of the last of these, as it was then."""
    said: NonNegativeInt
    confirmed: NonNegativeInt
    denied: NonNegativeInt
    left_open: NonNegativeInt = 0
    callers: tuple[Position, ...] = ()
    scope: tuple[str, ...] = ()
    pending: Pending | None = None
    message: str = ""
    question: str = ""
    """What the walk was about; empty where that is as now."""


_KEPT = ("status", "callers", "scope", "pending", "message")
"""What a screen has of a state as it is there."""
_COUNTED = ("said", "confirmed", "denied", "left_open")
"""That of which it has how many there were."""


class SessionState(Model):
    """Everything a walk needs to go on in another process. JSON: `model_dump_json`, `model_validate_json`."""

    version: int = VERSION
    id: str = Field(default_factory=lambda: uuid.uuid4().hex)
    """Names the session in keys of actions and in the journal."""
    turn: int = 0
    """How often it has moved; never less than before, whatever is undone."""
    began: NonNegativeInt = 0
    """The turn in which the walk was begun; those before it were another's."""
    policy: Policy = Policy.ASK
    """What becomes of a step whose prerequisites nothing said so far decides."""
    status: Status = Status.NEW
    question: str = ""
    said: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    left_open: tuple[str, ...] = ()
    """Prerequisites that were asked about and that no answer decided: not asked about again, and not taken to hold."""
    trail: tuple[Position, ...] = ()
    """Steps shown, the current one last."""
    callers: tuple[Position, ...] = ()
    """Steps that sent the reader to another document and wait for the return."""
    scope: tuple[str, ...] = ()
    """Of the document at hand, the headings down to the section that was asked for; empty where it is all of it."""
    pending: Pending | None = None
    """The question that is open."""
    message: str = ""
    """What is said where no step is shown."""
    handed: str = ""
    """Why the step at hand is the person's to do; empty where an executor may have it."""
    approved: str = ""
    """The digest of what the person has allowed to be run."""
    ran: tuple[str, ...] = ()
    """Digests of the commands that were run in this walk, whatever was undone since."""
    past: tuple[Screen, ...] = ()
    """What was shown before, the last one last."""
    reason: str = ""
    """Why the last reply led where it did."""
    gap: Gap | None = None
    """Where the last reply found the guide wanting; None where it did not."""
    notes: tuple[str, ...] = ()
    """Where the last turn did without a model, and why."""
    spent: bool = False
    """The person was told that the budget for models is spent."""

    @property
    def root(self) -> str:
        """The id without the branch of the history: what was run in one is not run in another in the same turn."""
        return self.id.partition("/")[0]

    @property
    def known(self) -> Known:
        """What the prerequisite gate may use."""
        done = tuple(position.header for position in self.trail[:-1] if not position.skipped)
        confirmed = tuple(text for text in self.confirmed if text not in self.denied)
        return Known(said=self.said, confirmed=confirmed, denied=self.denied, done=done)

    @property
    def step(self) -> Position | None:
        """The step at hand."""
        return self.trail[-1] if self.trail else None

    @property
    def seen(self) -> frozenset[str]:
        """The ids of all units of which something was shown."""
        return frozenset(position.unit_id for position in self.trail)

    def asks(self, kind: Asked) -> bool:
        """Whether a question of a kind is open."""
        return self.pending is not None and self.pending.kind is kind

    def replace(self, **changes: Any) -> Self:
        """Copy it with some fields changed."""
        return self.model_copy(update=changes)

    def saying(self, said: str) -> Self:
        """Copy it with what the person said; that takes back what it denies."""
        if not said or said in self.said[-1:]:
            return self
        return self.replace(said=(*self.said, said), denied=(*self.denied, *self._denied_by(said)))

    def with_outcome(self, outcome: str, *, skipped: bool = False) -> Self:
        """Copy it with what came of the step at hand."""
        if not self.trail or self.trail[-1].ending:
            return self
        last = self.trail[-1].model_copy(update={"outcome": outcome, "skipped": skipped})
        return self.replace(trail=(*self.trail[:-1], last))

    def _denied_by(self, said: str) -> list[str]:
        """What the person confirmed and some words of theirs rule out: "sorry, it is the old one, 2.1"."""
        alone = Known(said=(said,))
        holding = (text for text in self.known.confirmed if prerequisites.decidable(text))
        return [text for text in holding if prerequisites.judge(text, alone).verdict is Verdict.NOT_MET]


def _screen(state: SessionState) -> Screen:
    last = state.step
    return Screen(
        steps=len(state.trail),
        outcome=last.outcome if last else "",
        skipped=bool(last and last.skipped),
        **{name: len(getattr(state, name)) for name in _COUNTED},
        **{name: getattr(state, name) for name in _KEPT},
    )


def remembering(before: SessionState, reached: SessionState) -> SessionState:
    """Return the state reached, with the way back to the one before where something else is seen."""
    left = _screen(before)
    if before.status is Status.NEW or _seen(left) == _seen(_screen(reached)):
        return reached
    asked = before.question if before.question != reached.question else ""
    return reached.replace(past=(*before.past, left.model_copy(update={"question": asked})))


def _seen(screen: Screen) -> Screen:
    """A screen without what is not seen of it: facts, who waits, what was said of the step."""
    unseen = {"outcome": "", "skipped": False, "callers": ()}
    return screen.model_copy(update=dict.fromkeys(_COUNTED, 0) | unseen)


def undone(state: SessionState) -> SessionState | None:
    """Return the state as it was at the screen before, facts and all; None at the first one."""
    if not state.past:
        return None
    earlier = state.past[-1]
    restored = state.replace(
        **{name: getattr(earlier, name) for name in _KEPT},
        **{name: getattr(state, name)[: getattr(earlier, name)] for name in _COUNTED},
        trail=state.trail[: earlier.steps],
        past=state.past[:-1],
        question=earlier.question or state.question,
        handed="the person went back to it",
        approved="",
        reason="you went back",
    )
    return restored.with_outcome(earlier.outcome, skipped=earlier.skipped)


def find(position: Position | Choice, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """Find the unit of a position: by id, or by place where the document was edited since."""
    by_id = next((unit for unit in units if unit.id == position.unit_id), None)
    if by_id is not None or isinstance(position, Choice):
        return by_id
    return next((unit for unit in units if unit.place == position.place), None)


def visit_count(unit: LogicUnit, first: int, condition: str, state: SessionState) -> int:
    """Count how often a unit was shown from a line on, without what other conditions have led there."""
    here = [one for one in state.trail if one.unit_id == unit.id and one.first == first and not one.ending]
    return sum(one.condition in ("", condition) for one in here)


def because(state: SessionState) -> str:
    """Say why the current step was shown, or is asked about, and where a model was done without."""
    why = [state.step.why if state.step else "no step was shown yet"]
    if state.pending is not None and state.pending.at is not None and state.asks(Asked.PREREQUISITE):
        why = [state.pending.at.why, "it is asked because it decides whether the step applies"]
    if state.reason and state.reason not in why:
        why.append(state.reason)
    return "; ".join((*why, *state.notes))


def loaded(state: SessionState | Mapping[str, Any] | str) -> SessionState:
    """Load a state, or one from its JSON: the text, or the values that were read from it.

    Raises:
        BadSession: it is not the state of a session, or one of another version.
    """
    if isinstance(state, SessionState):
        state = state.model_dump(mode="json")
    try:
        read = json.loads(state) if isinstance(state, str) else state
    except (ValueError, RecursionError) as error:
        raise BadSession(f"this is not a session: {error}; pass the JSON of `session.state`") from error
    version = read.get("version") if isinstance(read, Mapping) else None
    if version != VERSION:
        is_newer = isinstance(version, int) and version > VERSION
        how = "use the newer release" if is_newer else "use the older release, or start the walk again"
        raise BadSession(f"a session of version {version} cannot be resumed by version {VERSION}; {how}")
    try:
        state = SessionState.model_validate(read)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadSession(f"this is not a session: {where}: {first['msg']}; start the walk again") from error
    except (TypeError, RecursionError) as error:  # a place with other fields
        raise BadSession(f"this is not a session: {error}; start the walk again") from error
    if not (_has_its_step(state, state) and all(_has_its_step(screen, state) for screen in state.past)):
        raise BadSession(
            "this is not a session: it shows or asks about a step that it does not have; start the walk again"
        )
    return state


def _has_its_step(seen: SessionState | Screen, state: SessionState) -> bool:
    """Whether the step is there that is shown, or that a question is about."""
    steps = state.trail[: seen.steps] if isinstance(seen, Screen) else state.trail
    if seen.pending is None:
        return bool(steps) or seen.status is not Status.AWAITING
    if seen.pending.kind in (Asked.PREREQUISITE, Asked.LOOP):
        return seen.pending.at is not None
    return bool(steps) or seen.pending.kind is Asked.GUIDE
