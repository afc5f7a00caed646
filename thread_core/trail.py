"""Where a walk stands: the state that goes on in another process, and which steps of a document it has not shown.

The state holds addresses and hashes, never bodies, and is JSON.
"""

from __future__ import annotations

from collections.abc import Sequence

from thread_core import conditions, prerequisites
from thread_core.models import LogicUnit, LogicUnitType, Model, Place
from thread_core.prerequisites import Known, Verdict
from thread_core.states import Status

VERSION = 1
"""Of the state's JSON."""


class Position(Model):
    """Where a walk stood: an address and a hash, no text but the header."""

    document_id: str
    unit_id: str
    place: Place
    line: int
    """From which line of the document on it was shown."""
    content_hash: str
    header: str
    why: str
    """What led here."""
    condition: str = ""
    """The condition that the outcome selected, where one did."""
    along: bool = False
    """Shown in the same turn as the one before it."""
    ending: bool = False
    """No step: the words that ended the walk."""

    @classmethod
    def of(cls, unit: LogicUnit, line: int, why: str, condition: str = "") -> Position:
        """A unit, from a line of its document on."""
        return cls(
            document_id=unit.document_id,
            unit_id=unit.id,
            place=unit.place,
            line=line,
            content_hash=unit.content_hash,
            header=unit.header,
            why=why,
            condition=condition,
        )


class SessionState(Model):
    """Everything a walk needs to go on in another process. JSON: `model_dump_json`, `model_validate_json`."""

    version: int = VERSION
    status: Status = Status.NEW
    question: str = ""
    said: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    trail: tuple[Position, ...] = ()
    """Steps shown, the current one last."""
    callers: tuple[Position, ...] = ()
    """Steps that sent the reader to another document and wait for the return."""
    documents: tuple[str, ...] = ()
    """Documents that may be tried when the current one has ended, the likeliest first."""
    pending: Position | None = None
    """The step that waits for the answer to a question."""
    asked: str = ""
    """The prerequisite or the outcome that was asked about."""
    ended: bool = False
    """The last step of the document was done and the person was told."""
    notes: tuple[str, ...] = ()
    """Where the last turn did without a model, and why."""
    spent: bool = False
    """The person was told that the budget for models is spent."""

    @property
    def known(self) -> Known:
        """What the prerequisite gate may use."""
        done = tuple(position.header for position in self.trail[:-1])
        return Known(said=self.said, confirmed=self.confirmed, denied=self.denied, done=done)


def find(position: Position, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The unit of a position: by id, or by place where the document was edited since."""
    by_id = next((unit for unit in units if unit.id == position.unit_id), None)
    return by_id or next((unit for unit in units if unit.place == position.place), None)


def without_last_turn(steps: Sequence[Position]) -> Sequence[Position]:
    """The steps before the ones that were shown in one turn last."""
    first = max((at for at, step in enumerate(steps) if not step.along), default=0)
    return steps[:first]


def after(unit: LogicUnit, units: Sequence[LogicUnit], state: SessionState) -> LogicUnit | None:
    """The next step of the document that was not shown and is no branch beside the unit's own."""
    shown = {position.unit_id for position in state.trail}
    case = conditions.case_of(unit.section)
    for other in units:
        if other.position > unit.position and other.type == LogicUnitType.STEP and other.id not in shown:
            beside = conditions.case_of(other.section)
            if not case or beside == case or beside[:-1] != case[:-1] or not beside:
                return other
    return None


def skipped(units: Sequence[LogicUnit], state: SessionState) -> LogicUnit | None:
    """The first step not shown that stands before the one at which the document was entered."""
    inside = [position for position in state.trail if units and position.document_id == units[0].document_id]
    shown = {position.unit_id for position in inside}
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP and unit.id not in shown]
    return next((unit for unit in steps if not inside or unit.start < inside[0].line), None)


def entrance(units: Sequence[LogicUnit], state: SessionState) -> LogicUnit | None:
    """Where a document is entered by a person to whom some of its steps do not apply."""
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP] or units[:1]
    return next((unit for unit in steps if not ruled_out(unit, state)), None)


def ruled_out(unit: LogicUnit, state: SessionState) -> bool:
    """Whether a version or a platform keeps the reader from a unit."""
    gates = [text for text in unit.prerequisites if prerequisites.decidable(text)]
    return prerequisites.judge_all(gates, state.known).verdict is Verdict.NOT_MET
