"""Where the lines of a document stand in the file that it was made of: on which page, in which paragraph.

A citation names lines of the text that was made of a file. Whoever looks into the file itself needs its pages.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Self

from thread_core.models import Document, LogicUnit, Span, changed

PRINTED = "printed"
"""The key of metadata: of a document the form below, of a unit such as "pages 3-4"."""
_FORM = re.compile(r"([a-z]{1,20})((?: [0-9]{1,9}:[0-9]{1,9})+)")


class Printed(NamedTuple):
    """With which line each page, paragraph, row or cell of a file ends."""

    unit: str
    """What is counted: "page", "paragraph"."""
    ends: Sequence[tuple[int, int]]
    """A line, 1-based, and what it is the last one of; in order."""

    @classmethod
    def of(cls, unit: str, ends: Iterable[tuple[int, int]]) -> Self:
        """From the places of all blocks: of those in one place, the last counts."""
        last: dict[int, int] = {}
        for line, number in ends:
            last[number] = line
        return cls(unit, sorted((line, number) for number, line in last.items()))

    @classmethod
    def read(cls, written: object) -> Self | None:
        """What `str` has written; nothing of any other value."""
        found = _FORM.fullmatch(written) if isinstance(written, str) else None
        if found is None:
            return None
        pairs = (pair.split(":") for pair in found[2].split())
        return cls(found[1], [(int(line), int(number)) for line, number in pairs])

    def __str__(self) -> str:
        """The form in a document's metadata: `page 40:1 83:2` where the first page ends with line 40."""
        return f"{self.unit} {' '.join(f'{line}:{number}' for line, number in self.ends)}"

    def at(self, line: int) -> int:
        """The number of the page or paragraph in which a line stands."""
        found = bisect_left(self.ends, (line, 0))
        return self.ends[min(found, len(self.ends) - 1)][1]

    def named(self, spans: Sequence[Span]) -> str:
        """Where some lines stand, in words.

        Example:
            >>> Printed("page", ((40, 1), (83, 2))).named([Span("manual.pdf", 38, 50)])
            'pages 1-2'
        """
        numbers = [self.at(line) for span in spans for line in (span.start, span.end)]
        first, last = min(numbers), max(numbers)
        return f"{self.unit} {first}" if first == last else f"{self.unit}s {first}-{last}"


def printed_at(unit: LogicUnit) -> str:
    """Where a unit stands in the file that its document was made of: "pages 3-4"; empty where nobody knows."""
    return str(unit.metadata.get(PRINTED, ""))


def cited(span: Span, printed: str) -> str:
    """A citation as people read it: `manual.pdf:12-15, page 3`."""
    return f"{span}, {printed}" if printed else str(span)


def placed(units: Sequence[LogicUnit], document: Document) -> Sequence[LogicUnit]:
    """The units of a document with the pages or paragraphs of their bodies, where the document knows them."""
    printed = Printed.read(document.metadata.get(PRINTED))
    if printed is None:
        return units
    return [changed(unit, {"metadata": {**unit.metadata, PRINTED: printed.named(unit.body_spans)}}) for unit in units]
