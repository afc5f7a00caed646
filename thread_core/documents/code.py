"""Where code stands in a text: the contents of its code blocks, and what is set in backticks."""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pyromark

from thread_core.documents.blocks.dialects import in_commonmark
from thread_core.documents.blocks.markdown import OPTIONS, parsable
from thread_core.documents.blocks.source import Source


class Code(NamedTuple):
    """A code block's content, or inline code."""

    text: str
    line: int
    """1-based line on which it begins; a block's fence is not part of it."""
    language: str
    """The first word of a fence's info string, in lower case; empty where there is none."""
    inline: bool
    ranges: tuple[tuple[int, int], ...]
    """Where it stands in the text: pairs of characters, the second not included. A block in a quotation has several."""


def codes(source: Source, skipped: int = 0) -> list[Code]:
    r"""All code of a text, or of what comes after some lines of it, in reading order.

    Example:
        >>> [(code.text, code.line) for code in codes(Source("Run `df -h`:\n\n```sh\nls\n```\n"))]
        [('df -h', 1), ('ls\n', 4)]
    """
    if skipped >= len(source) or not any(mark in source.text for mark in ("`", "~~~", "    ", "\t")):
        return []
    written = parsable(source, skipped)
    text = in_commonmark(written)
    return list(_read(text, _Offsets(text, written, source.before(skipped + 1), skipped)))


class _Offsets:
    """Bytes of the text that the parser saw -> characters and lines of the whole; asked in rising order."""

    def __init__(self, text: str, written: str, before: int, skipped: int) -> None:
        self._encoded = text.encode()
        self._before = before
        self._skipped = skipped
        self._bytes = self._characters = 0
        self._lines = [0]
        while following := self._encoded.find(b"\n", self._lines[-1]) + 1:
            self._lines.append(following)
        self._shifts = [] if text is written else _shifts(text, written)

    def ranges(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """Where some bytes stand in the whole, in characters; line by line where lines are rewritten."""
        first, last = bisect_right(self._lines, start), bisect_left(self._lines, end)
        cuts = [start, *(self._lines[first:last] if self._shifts else ()), end]
        return tuple((self._character(a, a), self._character(b, max(a, b - 1))) for a, b in itertools.pairwise(cuts))

    def _character(self, offset: int, within: int) -> int:
        """Where an offset stands, on the line of another one."""
        self._characters += len(self._encoded[self._bytes : offset].decode())
        self._bytes = offset
        shift = self._shifts[bisect_right(self._lines, within) - 1] if self._shifts else 0
        return self._before + self._characters + shift

    def line(self, offset: int) -> int:
        return bisect_right(self._lines, offset) + self._skipped

    def written(self, start: int, end: int) -> bytes:
        return self._encoded[start:end]


def _shifts(text: str, written: str) -> list[int]:
    """For each line, how many characters more there are up to what it ends with than the parser saw."""
    pairs = zip(written.split("\n"), text.split("\n"), strict=True)
    return list(itertools.accumulate(len(before) - len(after) for before, after in pairs))


def _read(text: str, offsets: _Offsets) -> Iterator[Code]:
    events: Iterable[tuple[Any, Any]] = pyromark.events_with_range(text, options=OPTIONS)
    block: list[tuple[str, int, tuple[tuple[int, int], ...]]] | None = None
    language = ""
    for event, span in events:
        if isinstance(event, str):
            continue
        name, value = event.popitem()
        if name == "Code":
            yield _inline(value, span["start"], span["end"], offsets)
        elif name == "Text" and block is not None:
            block.append((value, offsets.line(span["start"]), offsets.ranges(span["start"], span["end"])))
        elif name == "Start" and isinstance(value, dict) and "CodeBlock" in value:
            kind = value["CodeBlock"]
            info = kind["Fenced"].split() if isinstance(kind, dict) else []
            block, language = [], info[0].lower() if info else ""
        elif name == "End" and value == "CodeBlock":
            if block:
                pieces = "".join(piece for piece, _, _ in block)
                yield Code(
                    pieces, block[0][1], language, False, tuple(place for _, _, places in block for place in places)
                )
            block = None


def _inline(value: str, start: int, end: int, offsets: _Offsets) -> Code:
    """Inline code without its backticks; one that runs over a line's end holds a space there, not the end."""
    written = offsets.written(start, end)
    inner = written.strip(b"`")
    at = written.find(value.encode())
    first, size = (at, len(value.encode())) if at >= 0 else (written.find(inner), len(inner))
    places = offsets.ranges(start + first, start + first + size)
    return Code(value, offsets.line(start), "", True, places)
