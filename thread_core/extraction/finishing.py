"""What a walk needs of units beside their words, read once: their passages, and the warnings that hold for them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from thread_core.documents import passages
from thread_core.documents.boxes import Box, boxes
from thread_core.models import LogicUnit, Span, changed
from thread_core.places import first_step, section_around

Path = tuple[str, ...]
"""Headings from the top of a document down to a section."""
Boxes = Sequence[Sequence[Box]]
"""What warns in each unit of a document."""
Spans = tuple[Span, ...]


def finished(units: Sequence[LogicUnit]) -> list[LogicUnit]:
    """Give the units of a document, in reading order, their passages and warnings."""
    boxed = [boxes(unit.body) for unit in units]
    warned = _warned(units, boxed) if any(boxed) else itertools.repeat((), len(units))
    return [
        changed(unit, {"passages": passages.cut(unit.body), "warnings": spans})
        for unit, spans in zip(units, warned, strict=True)
    ]


def _warned(units: Sequence[LogicUnit], boxed: Boxes) -> Iterator[Spans]:
    """Where it is warned of what holds for each unit.

    That is what stands above the numbered steps of its section and of those around it, what it says itself, and what
    stands behind its cases: behind the tabs of which it is one, or behind the list or table whose cases it states.
    """
    above = _above_steps(units, boxed)
    behind = zip(_behind_tabs(units, boxed), _behind_cases(units, boxed), strict=True)
    for at, (unit, own, (tabs, cases)) in enumerate(zip(units, boxed, behind, strict=True)):
        around = (above.get(unit.section[:depth], ()) for depth in range(len(unit.section) + 1))
        before = sorted(found for found in itertools.chain.from_iterable(around) if found[0] < at)
        spans = itertools.chain.from_iterable(spans for _, spans in before)
        yield tuple(dict.fromkeys((*spans, *_spans(unit, own), *tabs, *cases)))


def _above_steps(units: Sequence[LogicUnit], boxed: Boxes) -> Mapping[Path, Sequence[tuple[int, Spans]]]:
    """The warnings that stand above the numbered steps of their section, by the section in which they hold.

    Each is given with the index of its unit: they hold for what comes after it.
    """
    found: dict[Path, list[tuple[int, Spans]]] = defaultdict(list)
    first = first_step(units)
    begun: set[Path] = set()
    for at, (unit, own) in enumerate(zip(units, boxed, strict=True)):
        if own and unit.section not in begun:
            holds_in = section_around(unit) if first and unit.position < first.position else unit.section
            found[holds_in].append((at, _spans(unit, [box for box in own if box.is_above_steps])))
        if unit.steps:
            begun.add(unit.section)
    return found


def _behind_tabs(units: Sequence[LogicUnit], boxed: Boxes) -> Sequence[Spans]:
    """The warnings with which a section goes on behind the tabs, or what unfolds, in one of which each unit stands."""
    found: list[Spans] = []
    behind: dict[Path, Spans] = {}
    """With what goes on each of the sections that are around the unit below."""
    begins: Spans = ()
    section: Path = ()
    for unit, own in zip(reversed(units), reversed(boxed), strict=True):
        around = [unit.section[:depth] for depth in range(len(unit.section))]
        behind = {path: behind.get(path, begins if path == section else ()) for path in around}
        found.append(behind[around[-1]] if around else ())
        begins, section = _spans(unit, [box for box in own if box.begins]), unit.section
    return found[::-1]


def _behind_cases(units: Sequence[LogicUnit], boxed: Boxes) -> Sequence[Spans]:
    """The warnings behind the list or table in which each unit states cases, where the next of its section do so."""
    found: list[Spans] = []
    behind: Spans = ()
    section: Path | None = None
    """Of the unit below, and the warnings that hold for what states cases above it."""
    for unit, own in zip(reversed(units), reversed(boxed), strict=True):
        states = _states_cases(unit)
        found.append(behind if states and unit.section == section else ())
        warns = [box for box in own if box.begins or (states and box.is_behind_cases)]
        behind, section = (*_spans(unit, warns), *found[-1]), unit.section
    return found[::-1]


def _states_cases(unit: LogicUnit) -> bool:
    return any(link.condition and unit.says(link) for link in unit.links)


def _spans(unit: LogicUnit, boxed: Sequence[Box]) -> Spans:
    return tuple([unit.lines_of(box.first, box.last) for box in boxed])
