"""Which case of a guide a question names: a row of a table, a label or a condition, by its code or by what it says."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from thread_core.models import Link, LogicUnit
from thread_core.text.cases import is_rest
from thread_core.text.contrast import agreement
from thread_core.text.denials import denied_words, denies, without_denials
from thread_core.text.leaning import OPPOSITE
from thread_core.text.tables import is_row
from thread_core.text.words import content_words, word_list

T = TypeVar("T")

SHARED = 2
"""Words that a question and a row have in common at least, where none of them is a code."""
CODE = 10
"""Words that a code counts for."""
STATED = 3 / 4
"""Which part of what a condition says a question has to say, the words of the title aside, to name it."""
SAID = 1 / 2
"""Which part of what a question says a condition has to say: one that says more is about more than a case."""
_OR = re.compile(r"\bor\b", re.IGNORECASE)
_SHOWN = re.compile(r"(?:it|this) (?:says|shows|displays|prints|logs|reads|reports)\b", re.IGNORECASE)
"""What stands before a message; the rest is what is named."""
_LEANS = re.compile(
    r"\b(?:still|again|now|either|afterwards?|after (?:that|this))\b"
    rf"|^(?!{_SHOWN.pattern})(?:it|they|this|that|these|those)\b",
    re.IGNORECASE,
)
"""What says that something stands before a condition: what it speaks of, or what was done."""
_CODE = re.compile(r"[a-z]{1,5}\d+[a-z]?|0x[0-9a-f]+")
"""A few letters and a number: longer ones are names, "keyboard2mouse"."""


def named(question: str, units: Sequence[LogicUnit]) -> tuple[LogicUnit, Link] | None:
    """The only case of a document that a question names best, by the link that it states, and its unit; rows first.

    A case of which the question says the opposite is not meant, and a bare number only where it stands behind what the
    table or its section calls such numbers: "code 25".
    """
    return _best(question, units, _rows, _weight) or _best(question, units, _told, _named)


def is_by_code(question: str, link: Link) -> bool:
    """Whether a question names a case by a code that it states."""
    return any(map(_CODE.fullmatch, content_words(question) & content_words(link.condition)))


def _best(
    question: str,
    units: Sequence[LogicUnit],
    cases: Callable[[LogicUnit], Iterable[Link]],
    weigh: Callable[[str, LogicUnit, Link], float],
) -> tuple[LogicUnit, Link] | None:
    """The only case of some kind that a question names best, and does not say the opposite of."""
    weighed = ((weigh(question, unit, link), (unit, link)) for unit in units for link in cases(unit))
    found = only_best(one for one in weighed if one[0] > 0 and agreement(question, one[1][1].condition).sign >= 0)
    return found[1] if found is not None else None


def only_best(weighed: Iterable[tuple[float, T]]) -> tuple[float, T] | None:
    """What weighs most, behind its weight; None where nothing weighs anything, or another one as much."""
    ranked = sorted(weighed, key=lambda one: -one[0])
    most, second, *_ = *(weight for weight, _ in ranked), 0.0, 0.0
    return ranked[0] if most > second else None


def _rows(unit: LogicUnit) -> Iterator[Link]:
    """The first link that each row of a unit's tables states."""
    lines = _lines(unit)
    seen: set[int] = set()
    for link in unit.links:
        at = link.evidence.start if link.condition and link.evidence else 0
        if at not in seen and is_row(lines.get(at, "")):
            seen.add(at)
            yield link


def _told(unit: LogicUnit) -> Iterator[Link]:
    """The first link for each case that a unit tells elsewhere than in a table; not what is denied of other cases."""
    lines = _lines(unit)
    seen: set[str] = set()
    for link in unit.links:
        at = link.evidence.start if link.condition and link.evidence else 0
        is_case = at in lines and not (is_row(lines[at]) or link.condition.startswith(OPPOSITE))
        if is_case and link.condition not in seen and not is_rest(link.condition):
            seen.add(link.condition)
            yield link


def _lines(unit: LogicUnit) -> dict[int, str]:
    """A unit's lines by their numbers in the document; none of a rewritten one."""
    return dict(zip(unit.numbers, unit.body.split("\n"), strict=False)) if not unit.rewritten else {}


def _weight(question: str, unit: LogicUnit, link: Link) -> int:
    """What a question and a row have in common; nothing where that is too little."""
    stated = content_words(link.condition)
    shared = stated & (content_words(question) - denied_words(question))
    if any(map(_CODE.fullmatch, shared)):
        return CODE + len(shared)
    if stated == shared and all(map(str.isdigit, stated)):
        return CODE if _is_called_so(question, unit, stated) else 0
    return len(shared) if len(shared) >= SHARED and any(word.isalpha() for word in shared) else 0


def _named(question: str, unit: LogicUnit, link: Link) -> float:
    """How plainly a question names a case, by a code of its own or by its words; nothing where a heading is nearer."""
    stated, said = content_words(link.condition), content_words(question)
    titles = titled(unit)
    called = content_words("\n".join(unit.section)) | titles
    codes = set(filter(_CODE.fullmatch, stated - called))
    if codes & said and 2 * len(codes) >= len(stated):
        return CODE + len(stated & said)
    if _LEANS.search(link.condition) or stated & said <= called:
        return 0.0
    plain = plainness(question, _SHOWN.sub("", link.condition), titles)
    nearer = max((plainness(question, heading, titles) for heading in unit.section), default=0.0)
    return plain if plain > nearer else 0.0


def titled(unit: LogicUnit) -> set[str]:
    """The words by which a unit's document is called."""
    return content_words("\n".join((unit.title, *unit.aliases)))


def plainness(question: str, named: str, titles: set[str]) -> float:
    """How much of what a question says is what something is called; nothing where it does not say that plainly.

    That is most of the name, and of what may stand for one another in it one ("bent or torn"), and not much besides.

    Args:
        question: What was asked.
        named: A condition, or a heading.
        titles: The words of the title, of which every question may say some or none.
    """
    said, stated = content_words(without_denials(question)), content_words(without_denials(named))
    shared = (stated & said) - titles
    if denies(question) != denies(named) or not any(map(str.isalpha, shared)):
        return 0.0
    needed = len(stated) - len(_OR.findall(named))
    covered = len(stated & (said | titles)) / max(1, needed)
    if covered < STATED or len(shared) < SAID * len(said - titles):
        return 0.0
    return len(shared) + min(1.0, covered) if len(shared) >= SHARED or covered >= 1 else 0.0


def _is_called_so(question: str, unit: LogicUnit, numbers: set[str]) -> bool:
    """Whether a word of the table's head, or of its section's name, stands right before a number in a question."""
    head = next((line for line in unit.body.split("\n") if is_row(line)), "")
    words, called = word_list(question), content_words("\n".join((*unit.section[-1:], head)))
    return any(word in called and after in numbers for word, after in itertools.pairwise(words))
