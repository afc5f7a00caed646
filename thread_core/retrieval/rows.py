"""Which row of a table a question names: by its code ("E7"), or by what it says of a thing ("power light is red")."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from thread_core.models import Link, LogicUnit
from thread_core.text.contrast import agreement
from thread_core.text.denials import denied_words
from thread_core.text.tables import is_row
from thread_core.text.words import content_words, word_list

SHARED = 2
"""Words that a question and a row have in common at least, where none of them is a code."""
CODE = 10
"""Words that a code counts for."""
_CODE = re.compile(r"[a-z]+\d+\w*|0x[0-9a-f]+")


def named(question: str, units: Sequence[LogicUnit]) -> tuple[LogicUnit, Link] | None:
    """The only row of a document's tables that a question names best, by the link that it states, and its unit.

    A row of which the question says the opposite is not meant, and a bare number only where it stands behind what the
    table or its section calls such numbers: "code 25".
    """
    said = content_words(question) - denied_words(question)
    weighed = [
        (_weight(question, said, unit, link), (unit, link))
        for unit in units
        for link in _rows(unit)
        if agreement(question, link.condition).sign >= 0
    ]
    most = max((weight for weight, _ in weighed), default=0)
    best = [row for weight, row in weighed if weight == most]
    return best[0] if most >= SHARED and len(best) == 1 else None


def is_by_code(question: str, link: Link) -> bool:
    """Whether a question names a row by a code that the row states."""
    return any(map(_CODE.fullmatch, content_words(question) & content_words(link.condition)))


def _rows(unit: LogicUnit) -> Iterator[Link]:
    """The first link that each row of a unit's tables states."""
    lines = dict(zip(unit.numbers, unit.body.split("\n"), strict=False)) if not unit.rewritten else {}
    seen: set[int] = set()
    for link in unit.links:
        at = link.evidence.start if link.condition and link.evidence else 0
        if at not in seen and is_row(lines.get(at, "")):
            seen.add(at)
            yield link


def _weight(question: str, said: set[str], unit: LogicUnit, link: Link) -> int:
    stated = content_words(link.condition)
    shared = stated & said
    if any(map(_CODE.fullmatch, shared)):
        return CODE + len(shared)
    if stated == shared and all(map(str.isdigit, stated)):
        return CODE if _is_called_so(question, unit, stated) else 0
    return len(shared) if any(word.isalpha() for word in shared) else 0


def _is_called_so(question: str, unit: LogicUnit, numbers: set[str]) -> bool:
    """Whether a word of the table's head, or of its section's name, stands right before a number in a question."""
    head = next((line for line in unit.body.split("\n") if is_row(line)), "")
    words, called = word_list(question), content_words("\n".join((*unit.section[-1:], head)))
    return any(word in called and after in numbers for word, after in itertools.pairwise(words))
