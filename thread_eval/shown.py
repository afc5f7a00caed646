"""Whether a text shows what is to be shown, and how much of it is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from thread_core.text.words import count_tokens, first_tokens

ENOUGH = 0.85
"""Share of a quote's words that must stand together for it to count as shown where it is not there verbatim."""

_MARKS = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d+[.)])[ \t]+)?")
_WORD = re.compile(r"\w+")


def normalised(text: str) -> str:
    """A text without the marks at the beginning of its lines and with single spaces, in lower case."""
    return " ".join(_MARKS.sub("", text).lower().split())


def clip(units: Sequence[str], budget: int) -> list[str]:
    """The first tokens of some units; the unit in which they run out is cut there."""
    shown: list[str] = []
    left = budget
    for unit in units:
        count = count_tokens(unit)
        if count > left:
            return [*shown, first_tokens(unit, left)] if left else shown
        shown.append(unit)
        left -= count
    return shown


def shows(text: str, quote: str) -> bool:
    """Whether a text shows a step: verbatim, or most of its words within twice its length."""
    said, wanted = normalised(text), normalised(quote)
    if wanted in said:
        return True
    return _most_together(_WORD.findall(said), Counter(_WORD.findall(wanted)))


def _most_together(said: Sequence[str], wanted: Counter[str]) -> bool:
    size = wanted.total()
    need = ENOUGH * size
    if not size or sum((wanted & Counter(said)).values()) < need:
        return False
    window: Counter[str] = Counter()
    hits = 0
    for position, word in enumerate(said):
        window[word] += 1
        hits += window[word] <= wanted[word]
        if position >= 2 * size:
            leaving = said[position - 2 * size]
            hits -= window[leaving] <= wanted[leaving]
            window[leaving] -= 1
        if hits >= need:
            return True
    return False
