"""A step that decides nothing -> the decision that its guide takes up after it: the cases below, or section by section.

Guides part what is looked at from what is then done: the step shows how to look, and the cases stand below it, in
other units or under a heading each. Whoever has looked chooses among them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest

from thread_core.documents import cases
from thread_core.documents.promises import promises_diagnosis
from thread_core.documents.steps import step_named
from thread_core.models import Link, LogicUnit, LogicUnitType
from thread_core.places import place_in
from thread_core.text import header, sentences
from thread_core.walk.labels import answered, clip
from thread_core.walk.options import (
    Case,
    Screen,
    case_choice,
    cases_of,
    line_after,
    reads_on,
    screen_at,
    section_choice,
    shared_path,
)
from thread_core.walk.state import Choice

MOST_CASES = 12
"""Cases of a decision that are offered ahead of it; a longer row of them is a catalog."""

Path = tuple[str, ...]


def ahead(at: Screen, units: Sequence[LogicUnit]) -> tuple[Choice, ...]:
    """Find the outcomes of the decision that follows what is on the screen, where that decides nothing itself."""
    unit = at.unit
    if unit.type != LogicUnitType.STEP or at.ends or line_after(unit, at.last) or at.is_complete:
        return ()
    if at.onward is not None:
        return () if at.cases else _where_it_leads(at.onward, units)
    index = next((number for number, other in enumerate(units) if other.id == unit.id), len(units))
    steps = [other for other in units[index + 1 :] if other.type == LogicUnitType.STEP]
    if at.cases:
        is_last = max(case.last for case in at.cases) == at.last
        found = tuple(_below(unit, steps)) if is_last else ()
    else:
        found = _sections_ahead(unit, steps) or tuple(_below(unit, steps)) or _after_diagnosis(unit, steps)
    return found if len(found) <= MOST_CASES else ()


def _where_it_leads(onward: Link, units: Sequence[LogicUnit]) -> tuple[Choice, ...]:
    """The outcomes of the only step that comes next, where it does nothing but ask."""
    is_here = onward.target is not None and not onward.target.document
    upcoming = place_in(onward.target, units) if onward.target is not None and is_here else None
    if upcoming is None or not upcoming.rewritten or any(not link.condition for link in upcoming.links):
        return ()
    listed = (choice for choice in screen_at(upcoming).choices if choice.condition)
    return tuple(choice.model_copy(update={"label": answered(choice.condition)}) for choice in listed)


def _sections_ahead(unit: LogicUnit, steps: Sequence[LogicUnit]) -> tuple[Choice, ...]:
    """Find the sections side by side that follow a step, where most of them say in which case they are read."""
    upcoming = next((step for step, after in zip_longest(steps, steps[1:]) if not _introduces(step, after)), None)
    if upcoming is None:
        return ()
    for depth in range(shared_path(unit.section, upcoming.section), len(upcoming.section)):
        begun = _begun(steps, upcoming.section[:depth])
        names = [path[-1] for path in begun]
        if len(begun) < 2 or any(step_named(name) is not None for name in names):
            continue
        sections = [(name, step, _opening(step)[0]) for name, step in zip(names, begun.values(), strict=True)]
        stated = sum(bool(cases.heading_condition(name) or opening) for name, _, opening in sections)
        if 2 * stated >= len(begun):
            return tuple(_section(*section) for section in sections)
    return ()


def _begun(steps: Sequence[LogicUnit], around: Path) -> dict[Path, LogicUnit]:
    """The sections right below another one, by the step with which each begins."""
    found: dict[Path, LogicUnit] = {}
    for step in takewhile(lambda step: step.section[: len(around)] == around, steps):
        if len(step.section) > len(around):
            found.setdefault(step.section[: len(around) + 1], step)
    return found


def _section(name: str, begun: LogicUnit, opening: Sequence[Case]) -> Choice:
    """A section by the case that its heading, or the first words below it, state; else by its name."""
    if len(opening) != 1 or cases.heading_condition(name):
        return section_choice(begun, header.unnumbered(name))
    condition = opening[0].link.condition
    return section_choice(begun, name).model_copy(update={"condition": condition, "label": clip(condition)})


def _below(unit: LogicUnit, steps: Sequence[LogicUnit]) -> Iterator[Choice]:
    """The cases with which the text goes on."""
    for step in takewhile(lambda step: reads_on(unit, step), steps):
        opening, is_all = _opening(step)
        yield from (case_choice(step, case) for case in opening)
        if not is_all:
            return


def _after_diagnosis(unit: LogicUnit, steps: Sequence[LogicUnit]) -> tuple[Choice, ...]:
    """The cases that follow the whole diagnosis of which a step is a part."""
    depth = next((at for at, name in enumerate(unit.section, 1) if promises_diagnosis(name)), 0)
    if not depth:
        return ()
    inside = [step for step in steps if step.section[:depth] == unit.section[:depth]]
    return _sections_ahead(inside[-1], steps[len(inside) :]) if inside else ()


def _opening(unit: LogicUnit) -> tuple[list[Case], bool]:
    """The cases with which a unit begins, and whether there is nothing else in it."""
    located = [case for case in cases_of(unit) if case.first]
    found: list[Case] = []
    for passage in unit.passages:
        if not any(case.first < passage.first <= case.last for case in found):
            begun = [case for case in located if case.first == passage.first]
            if not begun:
                return found, False
            found += begun
    return found, bool(found)


def _introduces(unit: LogicUnit, after: LogicUnit | None) -> bool:
    """Whether a unit only says what the sections below it, the next of which is given, are about."""
    depth = len(unit.section)
    is_above = after is not None and len(after.section) > depth and after.section[:depth] == unit.section
    return is_above and not _opening(unit)[0] and not unit.steps and not sentences.instructs(unit.body)
