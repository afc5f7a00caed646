"""What a walk needs of units beside their words, read once: their passages, and the warnings that hold for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from thread_core.documents import passages
from thread_core.documents.boxes import Box, boxes
from thread_core.models import LogicUnit, Span, changed
from thread_core.places import first_step, is_around

Boxes = dict[str, Sequence[Box]]
"""By the keys of units, what warns in them; units without a warning are left out."""


def finished(units: Sequence[LogicUnit]) -> list[LogicUnit]:
    """Give the units of a document, in reading order, their passages and warnings."""
    boxed: Boxes = {_key(unit): found for unit in units if (found := boxes(unit.body))}
    warned = (tuple(dict.fromkeys(_warned(unit, units, boxed))) if boxed else () for unit in units)
    return [
        changed(unit, {"passages": passages.cut(unit.body), "warnings": spans})
        for unit, spans in zip(units, warned, strict=True)
    ]


def _key(unit: LogicUnit) -> str:
    return f"{unit.place.anchor}/{unit.place.number}/{unit.start}"


def _warned(unit: LogicUnit, units: Sequence[LogicUnit], boxed: Boxes) -> Iterator[Span]:
    """Where it is warned of what holds for a unit.

    That is what stands above the numbered steps of its section and of those around it, what it says itself, and what
    stands behind its cases: behind the tabs of which it is one, or behind the list or table whose cases it states.
    """
    first = first_step(units)
    before = [
        one
        for one in units
        if one.position < unit.position
        and (_is_within(unit, one.section) or (first and one.position < first.position and is_around(one, unit)))
    ]
    after = [one for one in units if one.position > unit.position]
    yield from _above_steps(before, boxed)
    yield from (_span(unit, box) for box in boxed.get(_key(unit), ()))
    yield from _behind_tabs(unit, after, boxed)
    yield from _behind_cases(unit, after, boxed)


def _above_steps(before: Iterable[LogicUnit], boxed: Boxes) -> Iterator[Span]:
    """The warnings of some units as far as no numbered step of their section stands above them."""
    begun: set[tuple[str, ...]] = set()
    for one in before:
        if one.section not in begun:
            yield from (_span(one, box) for box in boxed.get(_key(one), ()) if box.is_above_steps)
        if one.steps:
            begun.add(one.section)


def _behind_tabs(unit: LogicUnit, after: Iterable[LogicUnit], boxed: Boxes) -> Iterator[Span]:
    """The warnings with which a section goes on behind the tabs, or what unfolds, in one of which a unit stands."""
    around = unit.section[:-1]
    gone_on = next((one for one in after if not _is_within(one, around) or one.section == around), None)
    if unit.section and gone_on is not None and gone_on.section == around:
        yield from (_span(gone_on, box) for box in boxed.get(_key(gone_on), ()) if box.begins)


def _behind_cases(unit: LogicUnit, after: Iterable[LogicUnit], boxed: Boxes) -> Iterator[Span]:
    """The warnings behind the list or table in which a unit states cases, where the next units of its section do so."""
    before = unit
    for one in after:
        if one.section != unit.section or not _states_cases(before):
            return
        goes_on = _states_cases(one)
        warns = (box for box in boxed.get(_key(one), ()) if box.begins or (goes_on and box.is_behind_cases))
        yield from (_span(one, box) for box in warns)
        before = one


def _states_cases(unit: LogicUnit) -> bool:
    return any(link.condition and unit.says(link) for link in unit.links)


def _span(unit: LogicUnit, box: Box) -> Span:
    return unit.lines_of(box.first, box.last)


def _is_within(unit: LogicUnit, section: tuple[str, ...]) -> bool:
    return unit.section[: len(section)] == section
