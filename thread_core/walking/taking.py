"""An outcome that the step at hand names itself -> what the step says of it, without the cases beside it.

The step was shown as a whole before. Of a sentence among others, what is said up to the next case; of a row, the row
below its head; of an item, the item. What stands below all of them is still to be done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from thread_core.layout import leads_inside
from thread_core.models import Link, LogicUnit, Span
from thread_core.text import sentences
from thread_core.text.denials import denies
from thread_core.text.leaning import OPPOSITE
from thread_core.text.tables import is_row
from thread_core.text.words import content_words
from thread_core.walking import ways
from thread_core.walking.matching import own_words

_BULLET = re.compile(r"(?P<indent>\s*)[-*+]\s+")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")

Lines = Sequence[tuple[int, str]]
"""Lines of a body, each with its number in the document."""


class Case(NamedTuple):
    """What a unit says of one of its cases and below all of them, and where."""

    text: str
    cited: Span
    below: frozenset[int]
    """The lines that are shown below its own paragraph."""


def case_taken(unit: LogicUnit, condition: str, line: int) -> Case | None:
    """What a unit says of the case that was seen and below all cases; None where that cannot be told apart.

    Args:
        unit: The step at hand.
        condition: Of the link that was followed.
        line: Where what it says begins, in the document.
    """
    for link in () if unit.rewritten else unit.links:
        if link.condition == condition and link.evidence is not None and link.evidence.start == line:
            kept = _kept(unit, link, link.evidence) if unit.says(link) and leads_inside(unit, link) else []
            text = "\n".join(text for _, text in kept).rstrip()
            below = frozenset(number for number, _ in kept[1:])
            return Case(text, Span(unit.document_id, line, max(number for number, _ in kept)), below) if text else None
    return None


def ending_said(unit: LogicUnit, links: Sequence[Link]) -> str:
    """What a unit says of a case that ends the walk, where that is more than its links say: what it forbids besides.

    Empty where they say all of it, and where it cannot be told apart from what stands around it.
    """
    lines = list(ways.numbered_lines(unit)) if not unit.rewritten else []
    numbers = [number for number, _ in lines]
    stated = [link for link in links if link.evidence is not None and link.evidence.start in numbers]
    for link in stated:
        at = numbers.index(link.evidence.start) if link.evidence else 0
        first, last = _paragraph(lines, at)
        around = range(numbers[first], numbers[last] + 1)
        beside = [one for one in unit.links if one.condition not in ("", link.condition)]
        others = [one for one in beside if one.evidence is not None and one.evidence.start in around]
        own = _ITEM.sub("", _sentences("\n".join(text for _, text in lines[first : last + 1]), link, others))
        told = [(one.text, _is_told(one.text, links)) for one in sentences.cut(own)]
        kept = [text for text, is_told in told if is_told or denies(text)]
        if not all(is_told for text, is_told in told if text in kept):
            return " ".join(kept)
    return ""


def _is_told(said: str, links: Sequence[Link]) -> bool:
    """Whether a sentence is what one of some links says to do."""
    return any(content_words(link.query) <= content_words(said) for link in links)


def asks_more(unit: LogicUnit, condition: str, line: int) -> bool:
    """Whether what is shown of a unit has outcomes besides the one that led there: nothing else belongs on that screen.

    A whole unit may name cases for what stands below it; it asks for them where it says what to do in them.

    Args:
        unit: The step at hand.
        condition: Of the link that was followed.
        line: From which it is shown, in the document.
    """
    case = case_taken(unit, condition, line)
    left = [link for link in ways.stated_from(unit, line + 1) if link.condition not in ("", condition)]
    if line <= unit.start:
        left = [link for link in left if sentences.tells(link.query)]
    if case is not None:
        left = [link for link in left if link.evidence is not None and link.evidence.start in case.below]
    return bool(left) or awaits_more(unit, condition, line)


def awaits_more(unit: LogicUnit, condition: str, line: int) -> bool:
    """Whether something is to be reported of what a unit says to do in one of its cases: "check the fuse. If it blows".

    Args:
        unit: The step at hand.
        condition: Of the link that was followed.
        line: Where what it says begins, in the document.
    """
    case = case_taken(unit, condition, line)
    if case is None:
        return False
    own = next(_Stated.by(link) for link in unit.links if link.condition == condition)
    said = [content_words(one.text) for one in sentences.cut(case.text.split("\n\n")[0])]
    others = (_Stated.by(other) for other in unit.links if other.condition not in ("", condition))
    return any(other.follows(own) and any(map(other.stands_in, said)) for other in others)


def _kept(unit: LogicUnit, link: Link, said: Span) -> Lines:
    """What is shown of a unit for one of its cases; nothing where that cannot be told apart."""
    lines = list(ways.numbered_lines(unit))
    at = next(index for index, (number, _) in enumerate(lines) if number == said.start)
    if is_row(lines[at][1]):
        return _row(lines, at)
    first, last = _paragraph(lines, at)
    others = [other for other in unit.links if other.condition and other.condition != link.condition]
    own = _sentences("\n".join(text for _, text in lines[first : last + 1]), link, others)
    stated = {other.evidence.start for other in others if other.evidence is not None}
    below = _without_items_beside(lines[last + 1 :], lines[first][1], stated)
    return [(lines[last][0], own), *below] if own else []


def _paragraph(lines: Lines, at: int) -> tuple[int, int]:
    """The first and the last index of the lines around one without a gap, or an item's beginning, between them."""
    first = last = at
    while first > 0 and lines[first - 1][1].strip() and not _ITEM.match(lines[first][1]):
        first -= 1
    while last + 1 < len(lines) and lines[last + 1][1].strip() and not _ITEM.match(lines[last + 1][1]):
        last += 1
    return first, last


def _row(lines: Lines, at: int) -> Lines:
    """A row below the head of its table, and what stands below the table."""
    top = bottom = at
    while top > 0 and is_row(lines[top - 1][1]):
        top -= 1
    while bottom + 1 < len(lines) and is_row(lines[bottom + 1][1]):
        bottom += 1
    return [*lines[top : min(top + 2, at)], lines[at], *lines[bottom + 1 :]]


def _sentences(text: str, link: Link, others: Sequence[Link]) -> str:
    """Of a paragraph, from the sentence that says what a link says up to the next that states a case beside it."""
    cut = [(sentence.start, content_words(sentence.text)) for sentence in sentences.cut(text)]
    own = _Stated.by(link)
    cases = [case for case in map(_Stated.by, others) if not case.follows(own)]
    begun = next((number for number, (_, words) in enumerate(cut) if own.stands_in(words)), None)
    if begun is None or any(case.stands_in(cut[begun][1]) for case in cases):
        return ""
    rest = (start for start, words in cut[begun + 1 :] if any(case.stands_in(words) for case in cases))
    said = text[cut[begun][0] : next(rest, len(text))].rstrip()
    return said if said[:1].isspace() else text[: len(text) - len(text.lstrip(" "))] + said  # as what stands below it


class _Stated(NamedTuple):
    """What a link says, in words."""

    condition: set[str]
    query: set[str]
    is_opposite: bool
    """Its condition was put together from another one, as "otherwise" is."""

    @classmethod
    def by(cls, link: Link) -> _Stated:
        condition = content_words(own_words(link.condition))
        return cls(condition, content_words(link.query), link.condition.startswith(OPPOSITE))

    def follows(self, other: _Stated) -> bool:
        """Whether it is a case of what is to be done in another, and not one beside that.

        So is "if the fuse blows again" after "if the lamp is dark, check the fuse".
        """
        beside = self.is_opposite or not self.condition.isdisjoint(other.condition)
        return not beside and not self.condition.isdisjoint(other.query)

    def stands_in(self, said: set[str]) -> bool:
        """Whether a sentence, given by its words, says it: all that follows, and some of the condition."""
        return self.query <= said and (self.is_opposite or not self.condition.isdisjoint(said))


def _without_items_beside(below: Lines, top: str, stated: set[int]) -> Lines:
    """What stands below a paragraph, given with its first line, without items beside it that state other cases."""
    item = _BULLET.match(top)
    if item is None:
        return below
    kept = []
    beside = False
    for number, text in below:
        bullet = _BULLET.match(text)
        if bullet is not None and bullet["indent"] == item["indent"]:
            beside = number in stated
        elif text.strip() and len(text) - len(text.lstrip()) <= len(item["indent"]):
            beside = False
        if not beside:
            kept.append((number, text))
    return kept
