"""Lists that count in letters or Roman numerals -> lists that count in digits, which Markdown knows; line for line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from thread_core.text.fences import Fence

_BEGINS = re.compile(r"\n[ \t]*[aiAI][.)][ \t]+\S")
"""The first item, with the line's end before it: a text is searched for what begins with a letter at once."""
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<mark>[A-Za-z]{1,5})(?P<end>[.)])(?=[ \t]+\S)")
_ROMAN = tuple("i ii iii iv v vi vii viii ix x xi xii".split())
_LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
_BY_FIRST = {
    change(marks[0]): tuple(map(change, marks)) for marks in (_LETTERS, _ROMAN) for change in (str.lower, str.upper)
}
"""The marks of each way to count, by the first of them."""


@dataclass(slots=True)
class _Run:
    """A list that has begun, and the lines of its items so far."""

    marks: tuple[str, ...]
    end: str
    indent: int
    lines: list[int] = field(default_factory=list)

    def goes_on_with(self, item: re.Match[str]) -> bool:
        """Whether an item is the next one."""
        at = len(self.lines)
        expected = self.marks[at] if at < len(self.marks) else ""
        return (item["mark"], item["end"], len(item["indent"])) == (expected, self.end, self.indent)


def in_digits(text: str) -> str:
    r"""A text in which the items of such lists, of two and more, are numbered. Other lines, and all columns, stay.

    Example:
        >>> in_digits("1. Open it:\n   a. Turn the key.\n   b. Lift the lid.\n")
        '1. Open it:\n   1. Turn the key.\n   2. Lift the lid.\n'
    """
    if not _BEGINS.search(f"\n{text}"):
        return text
    lines = text.split("\n")
    for run in _runs(lines):
        for number, at in enumerate(run.lines, start=1) if len(run.lines) > 1 else ():
            item = _ITEM.match(lines[at])
            if item is not None:
                digits = f"{min(number, 9):0{len(item['mark'])}}"
                lines[at] = f"{item['indent']}{digits}{lines[at][item.start('end') :]}"
    return "\n".join(lines)


def _runs(lines: Sequence[str]) -> list[_Run]:
    """The lists that begin in some lines, with the lines of their items."""
    found: list[_Run] = []
    still_open: list[_Run] = []
    fence = Fence()
    after_blank = True
    for at, line in enumerate(lines):
        if fence.reads(line):
            continue
        words = line.lstrip()
        if not words:
            after_blank = True
            continue
        item = _ITEM.match(line)
        run = next((one for one in reversed(still_open) if item and one.goes_on_with(item)), None)
        if run is None:
            inside = len(line) - len(words) + (0 if after_blank or words.startswith("#") else 1)
            still_open = [one for one in still_open if one.indent < inside]
            marks = _BY_FIRST.get(item["mark"]) if item else None
            run = _Run(marks, item["end"], len(item["indent"])) if item and marks else None
            found += [run] if run else []
        if run is not None:
            still_open = [*(one for one in still_open if one.indent < run.indent), run]
            run.lines.append(at)
        after_blank = False
    return found
