"""The numbers of a Word document's paragraphs, as Word shows them. None of them stands in the text: they are counted.

A paragraph names a list (`numId`) and a level. A list is of an abstract one, and all lists of one abstract list count
on together, unless one of them says with what it begins anew. A style can name the list for its paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from lxml.etree import _Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PLACE = re.compile(r"%([1-9])")
_ROMANS = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    )
)
LEVELS = 9


class Number(NamedTuple):
    """What stands before a paragraph."""

    label: str
    """As it is shown: "3.", "2.1", "Step 4:"; empty for a bullet."""
    value: int
    kind: str
    """How it counts: "decimal", "lowerLetter", "bullet"; "none" where nothing is shown."""
    list_id: str
    """Of the abstract list: equal for paragraphs that count on."""
    level: int
    left: int
    """How far in its text begins by its level, in twentieths of a point."""
    goes_on: bool
    """Whether one of this level was before it, from which it counts on."""


class _Level(NamedTuple):
    kind: str = "decimal"
    text: str = ""
    start: int = 1
    restarts_after: int | None = None
    """Levels above, of which one has to come for it to begin anew; all without, none for 0."""
    left: int = 0
    is_legal: bool = False
    style: str = ""


class Numbering:
    """Counts through one document, from its first paragraph to its last."""

    def __init__(self, root: _Element | None, linked: Mapping[str, str]) -> None:
        """Read the lists of a document.

        Args:
            root: The part `numbering.xml`, if there is one.
            linked: The list (`numId`) of each style of lists, by the style's id.
        """
        self._levels: dict[str, dict[int, _Level]] = {}
        self._abstract: dict[str, str] = {}
        self._own: dict[str, dict[int, _Level]] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._counts: dict[str, list[int | None]] = {}
        if root is None:
            return
        delegated = {}
        for abstract in root.findall(f"{W}abstractNum"):
            name = str(abstract.get(f"{W}abstractNumId"))
            self._levels[name] = _levels(abstract)
            delegated[name] = linked.get(value_of(abstract, "numStyleLink"), "")
        for one in root.findall(f"{W}num"):
            name = str(one.get(f"{W}numId"))
            self._abstract[name] = value_of(one, "abstractNumId")
            for override in one.findall(f"{W}lvlOverride"):
                level = whole(override.get(f"{W}ilvl"))
                self._own.setdefault(name, {}).update(_levels(override))
                if (start := override.find(f"{W}startOverride")) is not None:
                    self._starts.setdefault(name, {})[level] = whole(start.get(f"{W}val"))
        for name, abstract_id in self._abstract.items():
            self._abstract[name] = self._abstract.get(delegated.get(abstract_id, ""), abstract_id)

    def level_of(self, list_name: str, style: str) -> int:
        """The level of a list that is a style's; the first one where none is."""
        levels = self._levels.get(self._abstract.get(list_name, ""), {})
        return next((number for number, level in levels.items() if level.style == style), 0)

    def next(self, list_name: str, level: int) -> Number | None:
        """Count one paragraph of a list; nothing for a list that is not there."""
        abstract = self._abstract.get(list_name, "")
        levels = self._levels.get(abstract)
        if levels is None or not 0 <= level < LEVELS:
            return None
        levels = {**levels, **self._own.get(list_name, {})}
        own = levels.get(level, _Level())
        counts = self._counts.setdefault(abstract, [None] * LEVELS)
        anew = self._starts.get(list_name, {}).pop(level, None)
        before = counts[level]
        goes_on = anew is None and before is not None
        value = before + 1 if anew is None and before is not None else own.start if anew is None else anew
        counts[level] = value
        for above in range(level):
            if counts[above] is None:
                counts[above] = levels.get(above, _Level()).start
        for below in range(level + 1, LEVELS):
            after = levels.get(below, _Level()).restarts_after
            if after is None or level < after:
                counts[below] = None

        def shown(found: re.Match[str]) -> str:
            at = int(found[1]) - 1
            return written(counts[at] or 0, "decimal" if own.is_legal else levels.get(at, _Level()).kind)

        label = "" if own.kind in ("bullet", "none") else _PLACE.sub(shown, own.text).strip()
        is_blank = own.kind == "none" or not own.text.strip()
        return Number(label, value, "none" if is_blank else own.kind, abstract, level, own.left, goes_on)


def written(number: int, kind: str) -> str:
    """A number as a kind of list shows it."""
    if kind in ("lowerLetter", "upperLetter"):
        letters = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 5) if number > 0 else ""
        return letters.upper() if kind == "upperLetter" else letters
    if kind in ("lowerRoman", "upperRoman"):
        roman, left = "", min(max(number, 0), 3999)
        for value, sign in _ROMANS:
            roman += sign * (left // value)
            left %= value
        return roman.upper() if kind == "upperRoman" else roman
    return f"{number:02}" if kind == "decimalZero" else "" if kind in ("none", "bullet") else str(number)


def value_of(element: _Element, name: str) -> str:
    """What a property of an element is set to; empty where it has none."""
    found = element.find(f"{W}{name}")
    return "" if found is None else str(found.get(f"{W}val") or "")


def whole(said: object, otherwise: int = 0) -> int:
    """A number of the file, which may be anything."""
    text = str(said)
    return int(text) if re.fullmatch(r"-?[0-9]{1,6}", text) else otherwise


def _levels(holder: _Element) -> dict[int, _Level]:
    found = {}
    for one in holder.findall(f"{W}lvl"):
        indent = one.find(f"{W}pPr/{W}ind")
        left = 0 if indent is None else whole(indent.get(f"{W}left") or indent.get(f"{W}start"))
        restart = one.find(f"{W}lvlRestart")
        found[whole(one.get(f"{W}ilvl"))] = _Level(
            kind=value_of(one, "numFmt") or "decimal",
            text=value_of(one, "lvlText"),
            start=whole(value_of(one, "start"), 0 if one.find(f"{W}start") is None else 1),
            restarts_after=None if restart is None else whole(restart.get(f"{W}val")),
            left=left,
            is_legal=one.find(f"{W}isLgl") is not None,
            style=value_of(one, "pStyle"),
        )
    return found
