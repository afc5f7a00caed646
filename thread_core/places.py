"""Where a target is within a document: the unit of an anchor, a step's number, a place."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice, takewhile
from urllib.parse import unquote

from thread_core.documents.blocks.shape import outdented
from thread_core.documents.headings import slug
from thread_core.documents.promises import Role, promise
from thread_core.documents.steps import step_named
from thread_core.models import LogicUnit, LogicUnitType, Span, Target
from thread_core.text.scripts import bare, composed

_HYPHENS = re.compile(r"-+")


def place_named(target: Target) -> str:
    """How a person calls the place of a target in its document."""
    if target.step is not None:
        return f"step {target.step}"
    return f"#{target.anchor}" if target.anchor else "the first step"


def place_in(target: Target, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The unit of a document that a target means: its place, its step, its section, or the first thing to do."""
    return Places(units).find(target)


class Places:
    """A document's units by what targets call them, for whoever looks for many."""

    def __init__(self, units: Sequence[LogicUnit]) -> None:
        self._units = units

    def find(self, target: Target) -> LogicUnit | None:
        """The unit that a target means, as `place_in` has it."""
        if target.place is not None:
            return self._by_place.get((target.place.anchor, target.place.number))
        wanted = composed(unquote(target.anchor)).lower()
        if target.step is not None:
            return self._step(target.step, wanted)
        inside = self._inside(wanted)[:1] if wanted else ()
        if inside:
            return self._units[inside[0]]
        titled = any(slug(name) == wanted for unit in self._units[:1] for name in (unit.title, *unit.aliases))
        return first_step(self._units) if titled or not wanted else None

    def _step(self, number: int, anchor: str) -> LogicUnit | None:
        """The step of that number: in the section, else under a heading that names it, else the first one."""
        units = [self._units[at] for at in self._inside(anchor)] if anchor else self._units
        found = next((unit for unit in units if number in unit.steps), None)
        return found or self._headed.get(number) or self._by_step.get(number)

    @cached_property
    def _by_place(self) -> dict[tuple[str, int], LogicUnit]:
        return {(unit.place.anchor, unit.place.number): unit for unit in reversed(self._units)}

    @cached_property
    def _by_step(self) -> dict[int, LogicUnit]:
        return {number: unit for unit in reversed(self._units) for number in unit.steps}

    @cached_property
    def _headed(self) -> dict[int, LogicUnit]:
        """The steps under headings that name them."""
        named = ((step_named(name), unit) for unit in reversed(self._units) for name in unit.section)
        return {number: unit for number, unit in named if number is not None and number in unit.steps}

    def _inside(self, anchor: str) -> Sequence[int]:
        """The units of a section; where its heading has none of its own, those of the sections under it."""
        return (
            self._begun(anchor)
            or self._by_name.get(anchor, ())
            or self._below(f"{anchor}-")
            or self._by_letters.get(_plain(anchor), ())
        )

    def _begun(self, anchor: str) -> Sequence[int]:
        """The units that stand in a section itself, and before them the tabs with which it begins."""
        own = self._by_anchor.get(anchor)
        if own is None:
            return ()
        first, path = own[0], self._units[own[0]].section
        while path and first and _is_step_below(path, self._units[first - 1]):
            first -= 1
        return (*range(first, own[0]), *own)

    def _below(self, begins: str) -> Sequence[int]:
        """The units whose anchors begin so."""
        start = bisect_left(self._sorted, (begins, 0))
        found = takewhile(lambda one: one[0].startswith(begins), islice(self._sorted, start, None))
        return sorted(at for _, at in found)

    @cached_property
    def _by_anchor(self) -> Mapping[str, Sequence[int]]:
        return _grouped((unit.place.anchor, at) for at, unit in enumerate(self._units))

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[int]]:
        return _grouped((slug(name), at) for at, unit in enumerate(self._units) for name in dict.fromkeys(unit.section))

    @cached_property
    def _by_letters(self) -> Mapping[str, Sequence[int]]:
        return _grouped((_plain(unit.place.anchor), at) for at, unit in enumerate(self._units))

    @cached_property
    def _sorted(self) -> Sequence[tuple[str, int]]:
        return sorted((unit.place.anchor, at) for at, unit in enumerate(self._units))


def _grouped(pairs: Iterable[tuple[str, int]]) -> Mapping[str, Sequence[int]]:
    grouped: dict[str, list[int]] = defaultdict(list)
    for key, at in pairs:
        grouped[key].append(at)
    return dict(grouped)


def _plain(anchor: str) -> str:
    """What is left of an anchor however a generator made it: without marks, hyphens one by one."""
    return _HYPHENS.sub("-", bare(anchor)).strip("-")


def _is_step_below(path: tuple[str, ...], unit: LogicUnit) -> bool:
    return unit.type == LogicUnitType.STEP and len(unit.section) > len(path) and unit.section[: len(path)] == path


def first_step(units: Sequence[LogicUnit]) -> LogicUnit | None:
    """Where a document is entered: its first step, or its first unit when it has none."""
    return next((unit for unit in units if unit.type == LogicUnitType.STEP), units[0] if units else None)


def line_of_step(unit: LogicUnit, step: int | None) -> int:
    """Find the line of a unit's body at which a numbered step begins.

    Returns:
        A line of the body, 1-based; 1 where the step is none of its list items.
    """
    numbered = [one for one in unit.passages if one.number is not None]
    outer = min((one.indent for one in numbered), default=0)
    items = [(one.first, one.number) for one in numbered if one.indent == outer]
    if step in unit.steps and len(items) == len(unit.steps):
        return items[unit.steps.index(step)][0]
    return next((line for line, number in items if number == step), 1)


def text_at(span: Span, units: Iterable[LogicUnit]) -> str:
    """Give the words that stand at some lines of a document."""
    for unit in units:
        first, last = unit.line_in_body(span.start), unit.line_in_body(span.end)
        if first and last:
            return outdented(unit.text_of(first, last))
    return ""


def is_around(unit: LogicUnit, other: LogicUnit) -> bool:
    """Whether what a unit says holds for another too: it stands around it, or in a section that is no step's."""
    around = section_around(unit)
    return other.section[: len(around)] == around


def section_around(unit: LogicUnit) -> tuple[str, ...]:
    """The section for all of which a unit speaks: its own, or the one around that where its own is no step's."""
    own = unit.section
    return own[:-1] if own and promise(own[-1]) not in (None, Role.STEP) else own


def is_lost(target: Target, places: Places) -> bool:
    """Whether a target names a section of its own document, which has these places, and there is none."""
    names_one = not target.document and target.place is None and target.step is None and bool(target.anchor)
    return names_one and places.find(target) is None
