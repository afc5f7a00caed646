"""Where a question enters a document that it leads to: at its first step, or at what it fits plainly better."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from thread_core.branching import resorts
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.text.cases import heading_condition
from thread_core.text.words import content_words

TO_DO = (LogicUnitType.STEP, LogicUnitType.FAQ)
"""What a reader is led to; other units say what a reader may want to know."""
LATER = 0.2
"""How much better than the first step a later one must fit for the question to mean it."""
CASE = 0.4
"""The same for a section that is for one case only ("If the queue grows"): the first step finds out which it is."""

_SPOKEN = re.compile(r"\w+")


def choose_entry(
    units: Sequence[LogicUnit], scores: Mapping[str, float], *, as_a_whole: bool = False, asks: bool = True
) -> LogicUnit:
    """A document's first step, or the beginning of the section that the question fits plainly better.

    Of answers to questions, and of what there is where there is nothing to do, the one that it fits best: none of them
    comes before another. Who asks for the document as a whole begins at its first step: which header of a section fits
    better says nothing where all hold the title.

    Args:
        units: Those of the document that apply.
        scores: How well the question fits each, by id.
        as_a_whole: It says nothing but words of the title.
        asks: It asks something; who reports a problem is answered by no question that others ask, where there is
            anything to do, and is sent for help only where that fits plainly better.
    """
    entries = [unit for unit in units if unit.type in TO_DO] or list(units)
    if not asks and entries[0].type == LogicUnitType.STEP:
        entries = [unit for unit in entries if unit.type == LogicUnitType.STEP]
    best = _best(entries, scores)
    needed = resorts(entries) if not asks else {}
    plain = [unit for unit in entries if unit.section not in needed]
    if needed and scores.get(best.id, 0.0) <= scores.get(_best(plain, scores).id, 0.0) + LATER:
        best = _best(plain, scores)
    if best.type not in TO_DO:
        return best
    answer = _answer(best, entries)
    start = answer or next(unit for unit in entries if unit.section == best.section)
    if answer is not None and entries[0].type == LogicUnitType.FAQ:
        return start
    first = next((unit for unit in entries if unit.type == LogicUnitType.STEP), entries[0])
    if as_a_whole:
        return first
    margin = CASE if any(map(heading_condition, best.section)) else LATER
    return start if scores.get(best.id, 0.0) > scores.get(first.id, 0.0) + margin else first


def _best(units: Sequence[LogicUnit], scores: Mapping[str, float]) -> LogicUnit:
    return max(units, key=lambda unit: scores.get(unit.id, 0.0))


def _answer(unit: LogicUnit, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """Where the answer to a question begins of which a unit is a part; None where it is part of none."""
    before = [one for one in units if one.type == LogicUnitType.FAQ and one.position < unit.position]
    parts = [one for one in before if one.goes_on_with(unit)]
    if unit.type == LogicUnitType.FAQ:
        parts.append(unit)
    deepest = max((len(one.section) for one in parts), default=0)
    begun = [one for one in parts if len(one.section) == deepest]
    return next((one for one in reversed(begun) if one.asks), begun[0] if begun else None)


def calls(question: str, unit: LogicUnit) -> bool:
    """Whether a question says what a document is called, and nothing else that carries meaning.

    Args:
        question: What was asked.
        unit: Any unit of the document.
    """
    said = _spoken(question)
    names = [name for name in (unit.title, *unit.aliases) if (spoken := _spoken(name)) and f" {spoken} " in f" {said} "]
    return bool(names) and content_words(question) <= _titled(unit)


def names_no_section(question: str, units: Sequence[LogicUnit]) -> bool:
    """Whether a question says nothing but words of a document's title, and no section is called by all of them."""
    wanted = content_words(question)
    if not wanted or not wanted <= _titled(units[0]):
        return False
    sections = dict.fromkeys(name for unit in units for name in unit.section)
    return not any(wanted <= content_words(name) for name in sections)


def _titled(unit: LogicUnit) -> set[str]:
    """The words by which a unit's document is called."""
    return content_words("\n".join((unit.title, *unit.aliases)))


def _spoken(text: str) -> str:
    """The words of a text in lower case, without any marks."""
    return " ".join(_SPOKEN.findall(text.lower()))
