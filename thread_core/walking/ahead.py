"""What of a document lies ahead of a walk: the next step, the ways that part, and what is not for the person."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from thread_core.branching import Branches, Path, resorts
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.retrieval import prerequisites
from thread_core.retrieval.prerequisites import Verdict
from thread_core.text import cases
from thread_core.text.words import content_words
from thread_core.walking.endings import came_of
from thread_core.walking.trail import SessionState, find


def after(
    unit: LogicUnit, units: Sequence[LogicUnit], state: SessionState, past: Collection[Path | int] = ()
) -> LogicUnit | None:
    """What a unit goes on with in its document, was not shown, and is neither beside it nor for when it is needed.

    A section to which only an outcome leads is gone past: who has reported that was led there. So are the branches of
    forks that are past.
    """
    branches = Branches.of(units)
    left = (other for other in _left(unit, units, state, branches) if not _selected(unit, other, branches))
    return next((other for other in left if not past or branches.taken(other).keys().isdisjoint(past)), None)


def _left(unit: LogicUnit, units: Sequence[LogicUnit], state: SessionState, branches: Branches) -> Iterator[LogicUnit]:
    """What of a document was not shown, and is not passed by from a unit."""
    seen = state.seen
    later = (other for other in units if other.position > unit.position and unit.goes_on_with(other))
    return (other for other in later if other.id not in seen and not branches.passes(unit, other))


def _selected(unit: LogicUnit, other: LogicUnit, branches: Branches) -> set[Path | int]:
    """The sections around another unit, and not around a unit, that only something that was seen there leads to.

    What leads on because all is well, or because nothing has helped yet, is read in its order.
    """
    alone = branches.alone(unit, other)
    said = {at: [condition for stated in fork.outcomes.values() for condition in stated] for at, fork in alone.items()}
    return {at for at, conditions in said.items() if not any(map(came_of, conditions))}


class Fork(NamedTuple):
    """Where the ways part that the outcomes of a step select."""

    asked: str
    """The question that heads them, where one does."""
    past: frozenset[Path | int]
    """What is passed where none of them is the case; empty where one of them must be: tabs, and yes and no."""


def fork(unit: LogicUnit, units: Sequence[LogicUnit], state: SessionState) -> Fork | None:
    """Where the ways part right after a unit, if they do."""
    branches = Branches.of(units)
    upcoming = next(_left(unit, units, state, branches), None)
    if upcoming is None:
        return None
    in_order = branches.alone(unit, upcoming).keys() - _selected(unit, upcoming, branches)
    forks = branches.entered(unit, upcoming, units) - in_order
    if not forks:
        return None
    paths = {at: path for at, path in branches.taken(upcoming).items() if at in forks}
    asked = next((path[-2] for path in paths.values() if len(path) > 1 and path[-2].endswith("?")), "")
    is_one_of_all = {at: path in branches.troubles or cases.is_one_of_all(path[-1]) for at, path in paths.items()}
    return Fork(asked, frozenset(at for at in paths if not is_one_of_all[at]))


def beside_trouble(units: Sequence[LogicUnit], state: SessionState) -> LogicUnit | None:
    """Behind the section for one of several troubles, what of the guide was not shown; None elsewhere.

    Another trouble comes before all else, and of each what stands below before what stands above.
    """
    last = find(state.trail[-1], units)
    branches = Branches.of(units)
    own = branches.trouble(last) if last is not None else None
    if last is None or own is None:
        return None
    here, seen = last.position, state.seen
    steps = (unit for unit in units if unit.type == LogicUnitType.STEP and unit.section not in branches.resorts)
    left = (unit for unit in steps if unit.id not in seen and branches.trouble(unit) != own)
    open_to = (unit for unit in left if not ruled_out(unit, state))

    def nearness(unit: LogicUnit) -> tuple[bool, bool, tuple[int, str, int]]:
        return branches.trouble(unit) is None, unit.position < here, unit.position

    return min(open_to, key=nearness, default=None)


def skipped(units: Sequence[LogicUnit], state: SessionState) -> LogicUnit | None:
    """The first step not shown that stands before the one at which the document was entered.

    None where that is one for when it is needed, or for one trouble: who only undoes a task does not do it after that.
    """
    inside = [position for position in state.trail if units and position.document_id == units[0].document_id]
    shown = {position.unit_id for position in inside}
    branches = Branches.of(units)
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP]
    entered = next((unit for unit in steps if inside and unit.id == inside[0].unit_id), None)
    if entered is not None and (entered.section in branches.resorts or branches.trouble(entered)):
        return None
    left = (unit for unit in steps if unit.id not in shown and unit.section not in branches.resorts)
    before = (unit for unit in left if not inside or unit.start < inside[0].line)
    return next((unit for unit in before if entered is None or not _selected(entered, unit, branches)), None)


def entrance(units: Sequence[LogicUnit], state: SessionState) -> LogicUnit | None:
    """Where a document is entered by a person to whom some of its steps do not apply."""
    needed = resorts(units)
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP and unit.section not in needed] or units[:1]
    return next((unit for unit in steps if not ruled_out(unit, state)), None)


def ruled_out(unit: LogicUnit, state: SessionState) -> bool:
    """Whether a version or a platform keeps the reader from a unit."""
    return prerequisites.judge_all(gates(unit), state.known).verdict is Verdict.NOT_MET


def beside_chosen(current: LogicUnit, units: Sequence[LogicUnit], state: SessionState) -> set[str]:
    """The ids of units in branches that an outcome has ruled out: it has led into the one beside them.

    Not among them are the beginning of a branch whose heading states its case, for that may be said yet, and what an
    outcome of the step at hand names.
    """
    branches = Branches.of(units)
    sections = {unit.id: unit.section for unit in units}
    path = [(position, sections.get(position.unit_id, ())) for position in state.trail]

    def was_chosen(branch: Path) -> bool:
        inside = itertools.takewhile(lambda one: one[1][: len(branch)] == branch, reversed(path))
        return any(position.condition for position, _ in list(inside)[-1:])

    def may_be_meant(unit: LogicUnit) -> bool:
        begins_case = unit.place.number == 1 and bool(cases.case_of(unit.section))
        return begins_case or any(content_words(unit.section[-1]) <= named for named in sent)

    sent = [content_words(link.query) for link in current.links]
    parted = {unit.id: branches.parted(current, unit) for unit in units if unit.section and not may_be_meant(unit)}
    return {unit_id for unit_id, chosen in parted.items() if any(map(was_chosen, chosen))}


def undecided(unit: LogicUnit, state: SessionState) -> list[str]:
    """Of a unit's gates those that nothing decides yet."""
    return [text for text in gates(unit) if prerequisites.judge(text, state.known).verdict is Verdict.ASK]


def gates(unit: LogicUnit) -> list[str]:
    """Of a unit's prerequisites those that exclude readers: versions, platforms, roles."""
    return [text for text in unit.prerequisites if prerequisites.decidable(text)]
