"""The elements of a page, a line each: what they are, what they say, and what is said before them.

The page is somebody else's: whatever it holds ends up as one line of words, to be quoted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

from thread_core.models import encodable
from thread_core.text.words import first_tokens
from thread_eval.datasets.mind2web import Candidate, WebAction

SAID = 40
"""Tokens of an element's own words and attributes."""
BEFORE = 8
"""Words that stand before an element and may name it, as a label does a field."""
LONGEST = 600
"""Characters of what an element says that are looked at."""

_ID = "backend_node_id"
_SILENT = frozenset((_ID, "bounding_box_rect", "class", "style", "is_clickable", "data_pw_testid_buckeye_candidate"))
"""Attributes that tell a reader nothing."""
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())


class _Element(NamedTuple):
    tag: str
    attributes: Sequence[tuple[str, str | None]]
    first: int
    """Which of the page's pieces is the first inside of it."""


class _Page(HTMLParser):
    """One reading of a page. What is not closed at its end is left as it is: to look for its end takes too long."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.ends: dict[str, int] = {}
        """How many pieces stand before an element's end."""
        self.elements: dict[str, _Element] = {}
        self._open: list[tuple[str, str]] = []
        self._tags: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element that has a number."""
        named = next((value for name, value in attrs if name == _ID and value), "")
        if named:
            self.elements.setdefault(named, _Element(tag, attrs, len(self.pieces)))
        if tag not in _VOID:
            self._open.append((tag, named))
            self._tags[tag] += 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """The same for one that is closed at once."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close what is open up to the tag; an end without a beginning is none."""
        while self._tags[tag]:
            other, named = self._open.pop()
            self._tags[other] -= 1
            self.ends.setdefault(named, len(self.pieces))
            if other == tag:
                return

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        if words := " ".join(data[:LONGEST].split()):
            self.pieces.append(words)

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Pass over `<![...]>`; the parser itself gives up at one that it does not know."""
        return self.rawdata.find(">", i) + 1 or -1

    def shown(self, named: str) -> str:
        """An element in one line."""
        element = self.elements[named]
        end = self.ends.get(named, element.first if element.tag in _VOID else len(self.pieces))
        words = " ".join(self.pieces[element.first : min(end, element.first + SAID)])[:LONGEST]
        line = _line(element.tag, element.attributes, words)
        before = " ".join(self.pieces[element.first - 1].split()[-BEFORE:]) if element.first else ""
        return f"{line} (after: {before})" if before else line


def elements(action: WebAction) -> dict[str, str]:
    """The candidates of a step by their ids, a line each, in the order of the page; those it has lost come last."""
    page = _Page()
    page.feed(encodable(action.cleaned_html))
    given = {one.backend_node_id: one for one in (*action.pos_candidates, *action.neg_candidates)}
    there = [named for named in page.elements if named in given]
    lost = sorted(given.keys() - set(there))
    return {named: page.shown(named) for named in there} | {named: _lost(given[named]) for named in lost}


def _line(tag: str, attributes: Iterable[tuple[str, str | None]], words: str) -> str:
    said = [f"{name}={(value or '')[:LONGEST]}" for name, value in attributes if name not in _SILENT]
    return first_tokens(" ".join(f"[{tag}] {words} {' '.join(said)}".split()), SAID)


def _lost(candidate: Candidate) -> str:
    return first_tokens(" ".join(f"[{candidate.tag}] {candidate.attributes or ''}"[:LONGEST].split()), SAID)
