"""Where a question enters a document that it leads to: at its first step, or at what it fits plainly better."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from thread_core.branching import Path, resorts
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.retrieval.named_cases import SHARED, only_best, plainness, titled
from thread_core.text.questions import asks
from thread_core.text.steps import step_named
from thread_core.text.words import content_words

TO_DO = (LogicUnitType.STEP, LogicUnitType.FAQ)
"""What a reader is led to; other units say what a reader may want to know."""
LATER = 0.3
"""How much better than the first step a later one must fit whose section is called by a word of the question."""
UNNAMED = 0.6
"""The same for a section that no word of the question calls: what its steps say alone speaks for it."""
FOR_HELP = 0.2
"""How much better than any other step one must fit that is for when it is needed, for a report to mean it."""

_SPOKEN = re.compile(r"\w+")


def choose_entry(question: str, units: Sequence[LogicUnit], scores: Mapping[str, float]) -> LogicUnit:
    """A document's first step, or the beginning of the section that the question calls and fits plainly better.

    Of answers to questions, and of what there is where there is nothing to do, the one that it fits best: none of them
    comes before another. Who reports a problem and asks nothing is answered by no question that others ask, where there
    is anything to do, and is sent for help only where that fits plainly better.

    Args:
        question: What was asked.
        units: Those of the document that apply.
        scores: How well the question fits each, by id.
    """
    entries = [unit for unit in units if unit.type in TO_DO] or list(units)
    if (path := _named(question, entries)) is not None:
        return _first_in(path, entries)
    answers = _answers(entries)
    if answers:
        best = _best(answers, scores)
        return _answer(best, answers) or _first_in(best.section, answers)
    is_asked = asks(question) or question.rstrip().endswith("?")
    if not is_asked and entries[0].type == LogicUnitType.STEP:
        entries = [unit for unit in entries if unit.type == LogicUnitType.STEP]
    best = _best(entries, scores)
    needed = resorts(entries) if not is_asked else {}
    plain = [unit for unit in entries if unit.section not in needed]
    if needed and scores.get(best.id, 0.0) <= scores.get(_best(plain, scores).id, 0.0) + FOR_HELP:
        best = _best(plain, scores)
    if best.type not in TO_DO:
        return best
    answer = _answer(best, entries)
    if answer is not None and entries[0].type == LogicUnitType.FAQ:
        return answer
    first = next((unit for unit in entries if unit.type == LogicUnitType.STEP), entries[0])
    fits_better = scores.get(best.id, 0.0) - scores.get(first.id, 0.0)
    if answer is not None:
        return answer if fits_better > LATER else first
    return _begun(question, best, first, entries, fits_better)


def _answers(entries: Sequence[LogicUnit]) -> list[LogicUnit]:
    """What a document says below its introduction, where it begins with answers and has little else; else nothing."""
    below = [unit for unit in entries if unit.section]
    faq = sum(unit.type == LogicUnitType.FAQ for unit in below)
    return below if 2 * faq > len(below) and below[0].type == LogicUnitType.FAQ else []


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
    return _first_in(best.section[:depth], entries)


def _named(question: str, entries: Sequence[LogicUnit]) -> Path | None:
    """The only section that a question plainly names best, saying its heading and hardly anything else.

    Of one word that the title has not, nothing else is said.
    """
    titles = titled(entries[0])
    paths = dict.fromkeys(unit.section[:depth] for unit in entries for depth in range(1, len(unit.section) + 1))
    found = only_best((plainness(question, path[-1], titles), path) for path in paths)
    if found is None or (found[0] <= SHARED and len(content_words(question) - titles) > 1):
        return None
    return found[1]


def _first_in(path: Path, entries: Sequence[LogicUnit]) -> LogicUnit:
    """Where a section begins; of one that is a step of a procedure, where that begins."""
    in_turn = (depth for depth, name in enumerate(path) if step_named(name) is not None)
    above = path[: next(in_turn, len(path))]
    inside = [unit for unit in entries if unit.section[: len(above)] == above]
    return next((unit for unit in inside if unit.type in TO_DO), inside[0])


def _calls_section(question: str, section: str, unit: LogicUnit) -> bool:
    """Whether a heading has a word of the question that the title has not, or all of its words."""
    asked, named = content_words(question), content_words(section)
    return bool((asked - titled(unit)) & named) or (bool(asked) and asked <= named)


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
    """Whether a question says what the document of a unit is called, and nothing else that carries meaning."""
    said = _spoken(question)
    names = [name for name in (unit.title, *unit.aliases) if (spoken := _spoken(name)) and f" {spoken} " in f" {said} "]
    return bool(names) and content_words(question) <= titled(unit)


def _spoken(text: str) -> str:
    """The words of a text in lower case, without any marks."""
    return " ".join(_SPOKEN.findall(text.lower()))
