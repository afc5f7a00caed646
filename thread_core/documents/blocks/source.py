"""A text by lines, as citations count them: 1-based, and each ends at a newline, a return or both."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, count
from operator import add

_LINE = re.compile(r"\r\n|\n|\r")


class Source:
    """A text by lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = _LINE.split(text) if "\r" in text else text.split("\n")
        if len(self.lines) > 1 and not self.lines[-1]:
            self.lines.pop()

    @cached_property
    def _starts(self) -> list[int]:
        if "\r" not in self.text:
            return starts(self.lines)
        return [0, *(match.end() for match in _LINE.finditer(self.text))][: len(self.lines)]

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    def line(self, number: int) -> str:
        """One line, 1-based, without its end."""
        return self.lines[number - 1]

    def line_at(self, offset: int) -> int:
        """The number of the line that a character stands in."""
        return bisect_right(self._starts, offset)

    def slice(self, start: int, end: int) -> str:
        """Lines start to end, both included, as they stand, without the last one's line end."""
        return self.text[self._starts[start - 1] : self._end(end)]

    def size(self, start: int, end: int) -> int:
        """How many characters `slice` has."""
        size = self._starts[end - 1] + len(self.lines[end - 1]) - self._starts[start - 1]
        return size if size > 0 else 0

    def _end(self, number: int) -> int:
        return self._starts[number - 1] + len(self.lines[number - 1])

    def before(self, number: int) -> int:
        """How many characters stand before a line."""
        return self._starts[number - 1]

    def blank(self, number: int) -> bool:
        """Whether a line is empty but for white space."""
        return not self.lines[number - 1].strip()

    @cached_property
    def written(self) -> list[int]:
        """The numbers of the lines that are not blank."""
        return [number for number, line in enumerate(self.lines, start=1) if line.strip()]


def starts(lines: Sequence[str] | Sequence[bytes]) -> list[int]:
    """Where each line starts in the text that was split at its newlines."""
    return list(map(add, accumulate(map(len, lines[:-1]), initial=0), count()))
