"""Where a question enters a document that it leads to: at its first step, or at what it fits plainly better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thread_core.documents.steps import step_named
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.retrieval.named_cases import titled
from thread_core.text.words import content_words

TO_DO = (LogicUnitType.STEP, LogicUnitType.FAQ)
"""What a reader is led to; other units say what a reader may want to know."""
LATER = 0.3
"""How much better than the first step a later one must fit whose section is called by a word of the question."""
UNNAMED = 0.6
"""The same for a section that no word of the question calls: what its steps say alone speaks for it."""


def choose_entry(question: str, units: Sequence[LogicUnit], scores: Mapping[str, float]) -> LogicUnit:
    """A document's first step, or the beginning of the section that the question calls and fits plainly better.

    Of answers to questions, and of what there is where there is nothing to do, the one that it fits best: none of them
    comes before another.

    Args:
        question: What was asked.
        units: Those of the document that apply.
        scores: How well the question fits each, by id.
    """
    entries = [unit for unit in units if unit.type in TO_DO] or list(units)
    best = max(entries, key=lambda unit: scores.get(unit.id, 0.0))
    first = next((unit for unit in entries if unit.type == LogicUnitType.STEP), entries[0])
    fits_better = scores.get(best.id, 0.0) - scores.get(first.id, 0.0)
    answer = _answer(best, entries)
    if answer is not None:
        return answer if entries[0].type == LogicUnitType.FAQ or fits_better > LATER else first
    return _begun(question, best, first, entries, fits_better) if best.type in TO_DO else best


def _begun(
    question: str, best: LogicUnit, first: LogicUnit, entries: Sequence[LogicUnit], fits_better: float
) -> LogicUnit:
    """Where the section begins that fits best, or the first of those above it that the question calls.

    What every section's header says as well, the words of the title, calls none of them. Sections that are steps of one
    procedure ("Step 3: connect it") begin with the first of them.
    """
    called = len(best.section)
    while called and not _calls_section(question, best.section[called - 1], best):
        called -= 1
    depth = called or len(best.section)
    if fits_better <= (LATER if called else UNNAMED):
        return first
    in_turn = (at for at, name in enumerate(best.section[:depth]) if step_named(name) is not None)
    above = best.section[: next(in_turn, depth)]
    inside = [unit for unit in entries if unit.section[: len(above)] == above]
    return next((unit for unit in inside if unit.type in TO_DO), inside[0])


def _calls_section(question: str, section: str, unit: LogicUnit) -> bool:
    """Whether a heading has a word of the question that the title has not, or all of its words."""
    asked, named = content_words(question), content_words(section)
    return bool((asked - titled(unit)) & named) or (bool(asked) and asked <= named)


def _answer(unit: LogicUnit, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """Where the answer to a question begins of which a unit is a part; None where it is part of none."""
    before = [one for one in units if one.type == LogicUnitType.FAQ and one.position < unit.position]
    parts = [one for one in before if one.goes_on_with(unit)]
    if unit.type == LogicUnitType.FAQ:
        parts.append(unit)
    deepest = max((len(one.section) for one in parts), default=0)
    begun = [one for one in parts if len(one.section) == deepest]
    return next((one for one in reversed(begun) if one.asks), begun[0] if begun else None)
