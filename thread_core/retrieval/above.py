"""What a document says elsewhere to whoever begins at one of its units: above it, around it, behind its cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from thread_core.models import LogicUnit, Span
from thread_core.places import first_step
from thread_core.retrieval.prerequisites import decidable
from thread_core.text import sentences
from thread_core.text.boxes import Box, Told, all_told, boxes
from thread_core.text.emergencies import emergencies
from thread_core.text.promises import Role, promise, promises_warnings
from thread_core.text.words import content_words


class Warned(NamedTuple):
    """A warning with its label, and where it stands."""

    text: str
    span: Span
    unit: LogicUnit


def above(unit: LogicUnit, units: Sequence[LogicUnit]) -> tuple[str, ...]:
    """What is to be told to a reader who begins at a unit, besides what it says and needs itself."""
    elsewhere = (one.text for one in warned(unit, units) if not _is_in(one.span, unit))
    told = dict.fromkeys((*needed(unit, units), *elsewhere))
    return tuple(text for text in told if text not in unit.prerequisites)


def needed(unit: LogicUnit, units: Sequence[LogicUnit]) -> tuple[str, ...]:
    """What a document says before its first step to whoever begins it, for a reader who begins at a later one.

    Returns:
        Those prerequisites of the first step that stand in no step: in an introduction, or in a section for them, and
        of these what holds for the section of the unit too. Empty where the unit is the first step, and of what
        excludes readers none: that is a prerequisite of each step for itself.
    """
    first = first_step(units)
    if first is None or first.position >= unit.position or not first.prerequisites:
        return ()
    said = [content_words(one.body) for one in units if one.position < first.position and _is_around(one, unit)]
    return tuple(text for text in first.prerequisites if not decidable(text) and _stands_in(text, said))


def warned(unit: LogicUnit, units: Sequence[LogicUnit]) -> list[Warned]:
    """The warnings that hold for a unit, its own among them, whatever the units in which they stand are.

    That is what stands above the numbered steps of its section and of those around it, and what stands behind its
    cases: behind the tabs of which it is one, or behind the list or table whose cases it states.
    """
    first = first_step(units)
    before = [
        one
        for one in units
        if one.position < unit.position
        and (_is_within(unit, one.section) or (first and one.position < first.position and _is_around(one, unit)))
    ]
    after = [one for one in units if one.position > unit.position]
    own = [_placed(unit, box) for box in boxes(unit.body)]
    return [*_above_steps(before), *own, *_behind_tabs(unit, after), *_behind_cases(unit, after)]


def _above_steps(before: Iterable[LogicUnit]) -> Iterator[Warned]:
    """The warnings of some units as far as no numbered step of their section stands above them."""
    begun: set[tuple[str, ...]] = set()
    for one in before:
        if one.section not in begun:
            yield from (_placed(one, box) for box in boxes(one.body) if box.is_above_steps)
        if one.steps:
            begun.add(one.section)


def _behind_tabs(unit: LogicUnit, after: Iterable[LogicUnit]) -> Iterator[Warned]:
    """The warnings with which a section goes on behind the tabs, or what unfolds, in one of which a unit stands."""
    around = unit.section[:-1]
    gone_on = next((one for one in after if not _is_within(one, around) or one.section == around), None)
    if unit.section and gone_on is not None and gone_on.section == around:
        yield from (_placed(gone_on, box) for box in boxes(gone_on.body) if box.begins)


def _behind_cases(unit: LogicUnit, after: Iterable[LogicUnit]) -> Iterator[Warned]:
    """The warnings behind the list or table in which a unit states cases, where the next units of its section do so."""
    before = unit
    for one in after:
        if one.section != unit.section or not _states_cases(before):
            return
        goes_on = _states_cases(one)
        yield from (_placed(one, box) for box in boxes(one.body) if box.begins or (goes_on and box.is_behind_cases))
        before = one


def _states_cases(unit: LogicUnit) -> bool:
    return any(link.condition and unit.says(link) for link in unit.links)


def all_warned(units: Iterable[LogicUnit]) -> Iterator[Warned]:
    """All warnings of some units, wherever they stand in them; of sections that do nothing but warn, all they say."""
    for unit in units:
        does_nothing_else = bool(unit.section) and promises_warnings(unit.section[-1])
        yield from (_placed(unit, told) for told in all_told(unit.body, does_nothing_else))


def all_urgent(units: Iterable[LogicUnit]) -> Iterator[Warned]:
    """The cases of some units that are answered by getting out or calling for help, wherever they stand."""
    for unit in units:
        yield from (_placed(unit, told) for told in emergencies(unit.body))


def _placed(unit: LogicUnit, box: Box | Told) -> Warned:
    return Warned(box.text, unit.lines_of(box.first, box.last), unit)


def _is_in(span: Span, unit: LogicUnit) -> bool:
    return any(own.start <= span.start <= own.end for own in unit.body_spans)


def _is_around(unit: LogicUnit, other: LogicUnit) -> bool:
    """Whether what a unit says holds for another too: it stands around it, or in a section that is no step's."""
    around = unit.section
    if around and promise(around[-1]) not in (None, Role.STEP):
        around = around[:-1]
    return _is_within(other, around)


def _is_within(unit: LogicUnit, section: tuple[str, ...]) -> bool:
    return unit.section[: len(section)] == section


def _stands_in(text: str, said: Iterable[set[str]]) -> bool:
    words = content_words(text.removeprefix(f"{sentences.WARNING} "))
    return any(words <= one for one in said)
