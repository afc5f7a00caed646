"""Where a walk stands: the state that goes on in another process.

The state holds addresses and hashes, what the person said and what they were asked, and no bodies. It is JSON.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Self

from pydantic import Field, NonNegativeInt, ValidationError

from thread_core.errors import BadSession
from thread_core.models import Line, Link, LogicUnit, Model, Place, Span
from thread_core.retrieval import prerequisites
from thread_core.retrieval.prerequisites import Known, Policy, Verdict
from thread_core.walking.spelling import plain
from thread_core.walking.states import Status

VERSION = 3
"""Of the state's JSON. It is raised whenever a field comes, goes or changes its meaning, also one with a default: a
state without what guards a step would be gone on with unguarded. See CONTRIBUTING.md."""
DONE, RUN = "done", "it was run"
"""What came of a step of which nothing but that is known."""


class Passage(Model):
    """Some lines of a unit, wherever the unit stands now."""

    document_id: str
    unit_id: str
    first: int
    last: int
    """Lines after the unit's first one."""

    @classmethod
    def of(cls, unit: LogicUnit, start: int, end: int) -> Passage:
        """Lines of the document, 1-based, that are a unit's."""
        return cls(document_id=unit.document_id, unit_id=unit.id, first=start - unit.start, last=end - unit.start)

    @classmethod
    def of_link(cls, link: Link | None, unit: LogicUnit) -> Passage | None:
        """Where a unit states a link; None where that is not known."""
        said = link.evidence if link is not None else None
        return cls.of(unit, said.start, said.end) if said is not None else None

    def span(self, unit: LogicUnit) -> Span:
        """Where it stands now."""
        start = max(1, unit.start + self.first)
        return Span(self.document_id, start, max(start, unit.start + self.last))


class Explained(Model):
    """A term that was explained, and the unit that does so."""

    name: str
    document_id: str
    unit_id: str


class Lead(NamedTuple):
    """What leads somewhere."""

    why: str
    condition: str = ""
    """The condition that the outcome selected, where one did."""
    quoted: Passage | None = None
    """The sentence that led there, where it is to be shown above the step."""
    besides: tuple[Passage, ...] = ()
    """Other ways on, to be shown below the step."""
    within: bool = False
    """It goes on within the step before: what was run there is not run again."""
    is_guess: bool = False
    """What was said may well mean something else: nothing is run there unasked."""


class Position(Model):
    """Where a walk stood: an address and a hash, no text but the header."""

    document_id: str
    unit_id: str
    place: Place
    line: Line
    """From which line of the document on it was shown."""
    start: Line
    """The unit's first line at that time."""
    content_hash: str
    header: str
    why: str
    condition: str = ""
    quoted: Passage | None = None
    besides: tuple[Passage, ...] = ()
    within: bool = False
    is_guess: bool = False
    along: bool = False
    """Shown in the same turn as the one before it."""
    ending: bool = False
    """No step: the words that ended the walk."""
    outcome: str = ""
    """What was reported of it; of what an executor has seen, only what it was taken for."""
    skipped: bool = False
    """The person went past it without doing it."""
    explained: tuple[Explained, ...] = ()
    """What its prerequisites name and no step before it had explained."""
    warned: tuple[str, ...] = ()
    """Conditions of the warnings that were shown for what was said of it."""

    def line_in(self, unit: LogicUnit) -> int:
        """From which line on it is shown now."""
        return max(1, unit.start + self.line - self.start)

    def listed_from(self, unit: LogicUnit) -> int:
        """From which line on its outcomes are listed: of one that was led to by an outcome of its own, all are."""
        return 1 if self.within else self.line_in(unit)

    @property
    def lead(self) -> Lead:
        """What led here."""
        return Lead(self.why, self.condition, self.quoted, self.besides, self.within, self.is_guess)

    @classmethod
    def of(cls, unit: LogicUnit, line: int, lead: Lead) -> Position:
        """A unit, from a line of its document on."""
        return cls(
            document_id=unit.document_id,
            unit_id=unit.id,
            place=unit.place,
            line=line,
            start=unit.start,
            content_hash=unit.content_hash,
            header=unit.header,
            **lead._asdict(),
        )


class Asked(StrEnum):
    """What a session waits to be told."""

    PREREQUISITE = "prerequisite"
    """Whether it holds."""
    OUTCOME = "outcome"
    """Which of the known outcomes is meant."""
    LOOP = "loop"
    """Whether to go round once more."""
    SOLVED = "solved"
    """Whether what was said means that the problem is gone."""
    APPROVAL = "approval"
    """Whether what the step says may be run."""
    WARNING = "warning"
    """What came of what a warning is for, which is shown, before anything else is done."""


class Pending(Model):
    """A question that is open."""

    kind: Asked
    question: str = ""
    """As it was put; an approval is put in the words of the document."""
    about: str = ""
    """The prerequisite or the warning's condition as the document has it, the outcome as it was reported, or the digest
    of what would be run."""
    at: Position | None = None
    """The step that waits for the answer, or is the likeliest one; the one at hand where there is none; or where the
    warning stands."""
    again: bool = False
    """What was said was neither a yes nor a no, so it is put once more."""
    reported: str = ""
    """What was said instead: it may be an outcome of the step that waits."""


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
    documents: tuple[str, ...] = ()
    pending: Pending | None = None
    message: str = ""
    ended: bool = False
    question: str = ""
    """What the walk was about; empty where that is as now."""


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
    documents: tuple[str, ...] = ()
    """Documents that may be tried when the current one has ended, the likeliest first."""
    asides: tuple[str, ...] = ()
    """Documents about what the person said besides what the walk is about: the first ones when it has ended."""
    pending: Pending | None = None
    """The question that is open."""
    message: str = ""
    """What is said where no step is shown."""
    ended: bool = False
    """The last step of the document was done and the person was told."""
    handed: str = ""
    """Why the step at hand is the person's to do; empty where an executor may have it."""
    approved: str = ""
    """The digest of what the person has allowed to be run."""
    ran: tuple[str, ...] = ()
    """Digests of the commands that were run in this walk, whatever was undone since."""
    past: tuple[Screen, ...] = ()
    """What was shown before, the last one last."""
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
        return Known(said=tuple(map(plain, self.said)), confirmed=confirmed, denied=self.denied, done=done)

    @property
    def is_done(self) -> bool:
        """Whether every step shown was done, and of none was anything else said: so much of a guide is finished."""
        last = [
            step for step, then in zip(self.trail, (*self.trail[1:], None), strict=True) if not (then and then.along)
        ]
        return all(step.outcome in (DONE, RUN) for step in last)

    @property
    def shown(self) -> tuple[Position, ...]:
        """The steps of the last turn that showed some, the current one last."""
        return self.trail[max((at for at, step in enumerate(self.trail) if not step.along), default=0) :]

    @property
    def seen(self) -> frozenset[str]:
        """The ids of all units that were shown."""
        return frozenset(position.unit_id for position in self.trail)

    def asks(self, kind: Asked) -> bool:
        """Whether a question of a kind is open."""
        return self.pending is not None and self.pending.kind is kind

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return self.model_copy(update=changes)

    def telling(self, outcome: str, *, said: str = "", skipped: bool = False) -> Self:
        """With what came of the current step, and with what the person said of it; that takes back what it denies."""
        heard = self.but(said=(*self.said, said), denied=(*self.denied, *self._denied_by(said))) if said else self
        if not self.trail or self.trail[-1].ending:
            return heard
        last = self.trail[-1].model_copy(update={"outcome": outcome, "skipped": skipped})
        return heard.but(trail=(*self.trail[:-1], last))

    def _denied_by(self, said: str) -> list[str]:
        """What the person confirmed and some words of theirs rule out: "sorry, it is the old one, 2.1"."""
        alone = Known(said=(plain(said),))
        holding = (text for text in self.known.confirmed if prerequisites.decidable(text))
        return [text for text in holding if prerequisites.judge(text, alone).verdict is Verdict.NOT_MET]


def screen(state: SessionState) -> Screen:
    """What the person sees; that they were asked again, or which outcome they mean, is no screen of its own."""
    unclear = state.pending is not None and state.asks(Asked.OUTCOME) and state.pending.at is None
    pending = (
        None if unclear or state.pending is None else state.pending.model_copy(update={"again": False, "reported": ""})
    )
    return Screen(
        status=Status.AWAITING if unclear else state.status,
        steps=len(state.trail),
        outcome=state.trail[-1].outcome if state.trail else "",
        skipped=bool(state.trail) and state.trail[-1].skipped,
        said=len(state.said),
        confirmed=len(state.confirmed),
        denied=len(state.denied),
        left_open=len(state.left_open),
        callers=state.callers,
        documents=state.documents,
        pending=pending,
        message="" if unclear else state.message,
        ended=state.ended,
    )


def remembering(before: SessionState, reached: SessionState) -> SessionState:
    """The state reached, with the way back to the one before where something else is seen."""
    left = screen(before)
    same = _read(left) == _read(screen(reached))
    if same or before.status is Status.NEW:
        return reached
    asked = before.question if before.question != reached.question else ""
    return reached.but(past=(*before.past, left.model_copy(update={"question": asked})))


def _read(seen: Screen) -> Screen:
    """What is read of a screen: no facts, nobody who waits, and not what led to the step that a question is about."""
    pending = seen.pending and seen.pending.model_copy(update={"at": None})
    unread = {"said": 0, "confirmed": 0, "denied": 0, "left_open": 0, "outcome": "", "skipped": False, "callers": ()}
    return seen.model_copy(update=unread | {"pending": pending})


def undone(state: SessionState) -> SessionState | None:
    """The state as it was at the screen before, facts and all; None at the first one."""
    if not state.past:
        return None
    earlier = state.past[-1]
    restored = state.but(
        **{name: getattr(earlier, name) for name in ("status", "callers", "documents", "pending", "message", "ended")},
        said=state.said[: earlier.said],
        confirmed=state.confirmed[: earlier.confirmed],
        denied=state.denied[: earlier.denied],
        left_open=state.left_open[: earlier.left_open],
        trail=state.trail[: earlier.steps],
        past=state.past[:-1],
        question=earlier.question or state.question,
        handed="the person went back to it",
        approved="",
    )
    return restored.telling(earlier.outcome, skipped=earlier.skipped)


def guessed(reached: SessionState, first: int) -> SessionState:
    """With the steps from a number on marked as guessed, and so the one that waits for an answer."""
    shown = [step.model_copy(update={"is_guess": True}) for step in reached.trail[first:]]
    pending = reached.pending
    if pending is not None and pending.at is not None:
        pending = pending.model_copy(update={"at": pending.at.model_copy(update={"is_guess": True})})
    return reached.but(trail=(*reached.trail[:first], *shown), pending=pending)


def find(position: Position, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The unit of a position: by id, or by place where the document was edited since."""
    by_id = next((unit for unit in units if unit.id == position.unit_id), None)
    return by_id or next((unit for unit in units if unit.place == position.place), None)


def rounds(unit: LogicUnit, line: int, condition: str, state: SessionState) -> int:
    """How often a unit was shown from a line on, without what other conditions have led there."""
    here = [one for one in state.trail if one.unit_id == unit.id and one.line == line]
    return sum(not one.along and not one.ending and one.condition in ("", condition) for one in here)


def because(state: SessionState) -> str:
    """Why the current step was shown, or is asked about, and where a model was done without."""
    waiting = state.pending.at if state.pending is not None else None
    if waiting is not None and state.asks(Asked.WARNING):
        why = waiting.why
    elif waiting is not None:
        decides = {Asked.LOOP: "the step has been shown before", Asked.OUTCOME: "it decides which section applies"}
        kind = state.pending.kind if state.pending is not None else Asked.PREREQUISITE
        why = f"{waiting.why}; it is asked because {decides.get(kind, 'it decides whether the step applies')}"
    else:
        why = state.trail[-1].why if state.trail else "no step was shown yet"
    return "; ".join((why, *state.notes))


def loaded(state: SessionState | Mapping[str, Any] | str) -> SessionState:
    """A state, or one from its JSON: the text, or the values that were read from it.

    Raises:
        BadSession: it is not the state of a session, or one of another version.
    """
    if isinstance(state, SessionState):
        state = state.model_dump(mode="json")
    try:
        read = json.loads(state) if isinstance(state, str) else state
    except (ValueError, RecursionError) as error:
        raise BadSession(f"this is no session: {error}; hand over the JSON of `session.state`") from error
    version = read.get("version") if isinstance(read, Mapping) else None
    if version != VERSION:
        is_newer = isinstance(version, int) and version > VERSION
        how = "go on with the newer release" if is_newer else "go on with the older release, or start it again"
        raise BadSession(f"a session of version {version} cannot be resumed by version {VERSION}; {how}")
    try:
        state = SessionState.model_validate(read)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadSession(f"this is no session: {where}: {first['msg']}; start it again") from error
    except (TypeError, RecursionError) as error:  # a place or a passage with other fields
        raise BadSession(f"this is no session: {error}; start it again") from error
    if not (_has_its_steps(state, state) and all(_has_its_steps(screen, state) for screen in state.past)):
        raise BadSession("this is no session: a step is shown or asked about that it does not have; start it again")
    return state


def _has_its_steps(seen: SessionState | Screen, state: SessionState) -> bool:
    """Whether the step is there that is shown, or that a question is about."""
    steps = state.trail[: seen.steps] if isinstance(seen, Screen) else state.trail
    kind = seen.pending.kind if seen.pending is not None else None
    if seen.pending is not None and kind in (Asked.PREREQUISITE, Asked.LOOP, Asked.WARNING):
        return seen.pending.at is not None
    if seen.pending is not None and seen.pending.at is not None:
        return True
    return bool(steps) or not (seen.ended or seen.status is Status.AWAITING or kind is not None)
