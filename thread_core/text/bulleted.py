"""Lists whose signs were typed, or left of a list by a program (`•`, `◦`, `▪`) -> lists with `-`, line for line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from thread_core.text.fences import Fence

_RANKS = {
    **dict.fromkeys("•●∙·‣►➢\uf0b7\uf0a8\uf0d8", 0),
    **dict.fromkeys("◦○o–—\uf06f", 1),
    **dict.fromkeys("▪■□\uf0a7", 2),
}
"""Signs, by how deep they stand where nothing else tells: in the order in which offices nest them."""
SIGNS = "".join(_RANKS).replace("o", "")
"""Within a pattern's brackets: those that are no letter."""
CODE = 4
"""Spaces that make code of a line which belongs to no list."""
DEEPEST = 8
_ITEM = re.compile(
    rf"(?P<indent>[ \t]*)(?:(?P<sign>[{SIGNS}])(?:[ \t]+(?=\S)|[ \t]*\Z)|o(?P<gap>[ \t]+)(?=\S))",
)
_ANY = re.compile(rf"^[ \t]*(?:[{SIGNS}]|o[ \t]*\t)", re.MULTILINE)
_LISTED = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]{1,4}(?=\S)|(?=[ \t]|\Z))")
"""An item of Markdown, up to where its words begin."""


class _Item(NamedTuple):
    """What a sign begins."""

    at: int
    """The line of the sign."""
    words: int
    """The line of its words, which may stand below the sign."""
    begin: int
    """Characters before them."""
    depth: tuple[int, int]
    """Spaces before the sign, and its rank."""


@dataclass(slots=True)
class _Run:
    """Items that follow each other."""

    base: int
    """Spaces that make them a part of what they stand in."""
    items: list[_Item] = field(default_factory=list)


def in_dashes(text: str) -> str:
    r"""A text in which such lists, of two items and more, are lists of Markdown. Other lines stay.

    Example:
        >>> in_dashes("• Open it.\n• Look:\n◦ If it is red, stop.\n")
        '- Open it.\n- Look:\n  - If it is red, stop.\n'
    """
    if (text.isascii() and "\t" not in text) or not _ANY.search(text):
        return text
    lines = text.split("\n")
    for run in _runs(lines):
        levels: list[tuple[int, int]] = []
        for item in run.items if len(run.items) > 1 else ():
            levels = [level for level in levels if level <= item.depth]
            if item.depth not in levels and len(levels) < DEEPEST:
                levels.append(item.depth)
            words = lines[item.words][item.begin :]
            lines[item.at] = ""
            lines[item.words] = f"{' ' * (run.base + 2 * len(levels) - 2)}- {words}"
    return "\n".join(lines)


def _runs(lines: Sequence[str]) -> list[_Run]:
    """The lists that begin in some lines."""
    found: list[_Run] = []
    run: _Run | None = None
    inside = 0  # where the words of the item above begin, in a list of Markdown
    after_blank = True
    fence = Fence()
    for at, line in enumerate(lines):
        if fence.reads(line):
            continue
        if not line.strip():
            after_blank = True
            continue
        indent = len(line) - len(line.lstrip())
        may_begin = inside or not after_blank or indent < CODE
        if (run or may_begin) and (item := _item(lines, at, run is not None)):
            if run is None:
                run = _Run(inside if indent >= inside else 0)
                found.append(run)
            run.items.append(item)
        elif listed := _LISTED.match(line):
            written = listed[0] if listed[0][-1].isspace() else f"{listed[0]} "
            run, inside = None, len(written.expandtabs(CODE))
        elif line.startswith("#") or (after_blank and indent < max(inside, 1)):
            run, inside = None, 0
        after_blank = False
    return found


def _item(lines: Sequence[str], at: int, in_run: bool) -> _Item | None:
    """The item that a line begins; an "o" is a sign before a tab, or among others."""
    match = _ITEM.match(lines[at])
    if match is None or (match["gap"] and not in_run and "\t" not in match["gap"]):
        return None
    depth = len(match["indent"].expandtabs(CODE)), _RANKS[match["sign"] or "o"]
    if match.end() < len(lines[at]):
        return _Item(at, at, match.end(), depth)
    words = lines[at + 1] if at + 1 < len(lines) else ""
    if not words.strip() or words.startswith("#") or _ITEM.match(words) or _LISTED.match(words):
        return None
    return _Item(at, at + 1, len(words) - len(words.lstrip()), depth)
