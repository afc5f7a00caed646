"""What stands at a position of a walk, as the store has it now, and whether it is for the person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thread_core.models import LogicUnit
from thread_core.places import first_step
from thread_core.plan import Plan
from thread_core.ports import Stored
from thread_core.retrieval import prerequisites
from thread_core.retrieval.prerequisites import Verdict
from thread_core.store.requests import read_document
from thread_core.walk.ahead import ahead
from thread_core.walk.options import Screen, screen_at, screen_holding, screen_of
from thread_core.walk.state import Choice, Position, SessionState, find


def units_of(document_id: str) -> Plan[tuple[LogicUnit, ...]]:
    """Read the units of a document in reading order; none where there is no such document."""
    stored: list[Stored] = yield from read_document(document_id)
    return tuple(row.unit for row in stored)


def unit_at(position: Position | Choice) -> Plan[tuple[LogicUnit | None, tuple[LogicUnit, ...]]]:
    """Read the unit of a position, None where it is no longer in the store; and the units of its document."""
    units = yield from units_of(position.document_id)
    return find(position, units), units


def entrance(document_id: str, unit_id: str) -> Plan[tuple[LogicUnit | None, tuple[LogicUnit, ...]]]:
    """Read a document and the unit at which it is entered: its first step where that is not in it."""
    units = yield from units_of(document_id)
    return next((unit for unit in units if unit.id == unit_id), None) or first_step(units), units


def screen_shown(position: Position, unit: LogicUnit, units: Sequence[LogicUnit] = ()) -> Screen:
    """Give the screen of a position, as the unit is now; with those of its guide, what it offers ahead too."""
    taken = "" if position.jumped else position.condition
    is_same = position.content_hash == unit.content_hash
    at = screen_of(unit, position.first, position.last, taken, position.then) if is_same else _nearest(position, unit)
    return replace(at, ahead=ahead(at, units)) if units else at


def _nearest(position: Position, unit: LogicUnit) -> Screen:
    """The screen of an edited unit at the place of a position: from the passage there on, or its decision as a whole.

    Where lines are gone it is as much earlier, lest what was not seen is passed over.
    """
    gone = max(position.last, position.until) - (unit.body.count("\n") + 1)
    line = max(1, position.first - max(0, gone))
    at = screen_holding(unit, line)
    is_decision = any(case.first <= line for case in at.cases)
    begins = next((one.first for one in unit.passages if one.last >= line), at.first)
    return at if is_decision else screen_at(unit, max(begins, at.first))


def screens_of(callers: Sequence[Position]) -> Plan[list[tuple[Screen, Sequence[LogicUnit]]]]:
    """Read the screens of the steps that called a guide, the last one first, and the units around them."""
    found: list[tuple[Screen, Sequence[LogicUnit]]] = []
    for caller in reversed(callers):
        unit, units = yield from unit_at(caller)
        if unit is not None:
            found.append((screen_shown(caller, unit, units), units))
    return found


def gates(unit: LogicUnit, state: SessionState) -> list[str]:
    """List those of a unit's prerequisites that exclude readers: versions, platforms, roles, and what was denied."""
    return [text for text in unit.prerequisites if text in state.denied or prerequisites.decidable(text)]


def undecided(unit: LogicUnit, state: SessionState) -> list[str]:
    """List those of a unit's gates that nothing decides yet."""
    return [text for text in gates(unit, state) if prerequisites.judge(text, state.known).verdict is Verdict.ASK]


def ruled_out(unit: LogicUnit, state: SessionState) -> bool:
    """Tell whether a version, a platform or a role keeps the reader from a unit."""
    return prerequisites.judge_all(gates(unit, state), state.known).verdict is Verdict.NOT_MET
