"""What a rule is, and the guide that it looks at."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import unquote

from thread_core.documents.blocks.markdown import Markdown, parse, parts
from thread_core.documents.code import Code, codes
from thread_core.documents.sections import outline
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.shelf import Shelf, Way
from thread_core.text.scripts import bare
from thread_lint.findings import Severity

MOST_LINES = 1_000_000
"""Lines of a guide that is put together of units: those that were imported may claim any."""


class Guide:
    """A document of a shelf, read once for all rules.

    Without its text, as in a store, it is what its units hold: then comments and headings are not seen.
    """

    def __init__(self, document_id: str, shelf: Shelf, texts: Mapping[str, str] | None = None) -> None:
        """Look at a document of a shelf, among the others there, with the texts of those that were read."""
        self.document_id = document_id
        self.shelf = shelf
        self._texts = texts or {}

    @cached_property
    def units(self) -> Sequence[LogicUnit]:
        """In reading order."""
        return self.shelf.units(self.document_id)

    @cached_property
    def steps(self) -> Sequence[LogicUnit]:
        """The units that say what to do."""
        return [unit for unit in self.units if unit.type == LogicUnitType.STEP]

    @cached_property
    def ways(self) -> Sequence[Way]:
        """The links of all its units, each with where it leads."""
        return tuple(self.shelf.ways(self.document_id))

    @cached_property
    def markdown(self) -> Markdown:
        """Its blocks, with the document's lines."""
        return parse(self._texts[self.document_id] if self.document_id in self._texts else self._put_together())

    @cached_property
    def numbers(self) -> Collection[int]:
        """The numbers of the items of its lists, as they are written and as a browser counts them."""
        found = set[int]()
        for block in parts(self.markdown.blocks):
            if block.kind == "list" and block.number is not None:
                found.update(range(block.number, block.number + len(block.children)))
                found.update(item.number for item in block.children if item.number is not None)
        return found

    @cached_property
    def linked_lines(self) -> Collection[int]:
        """The lines on which there is any link."""
        return {link.line for block in parts(self.markdown.blocks) for link in block.links}

    @cached_property
    def code(self) -> Sequence[Code]:
        """Its code blocks, with the document's lines."""
        front = self.markdown.front_lines
        return [one for one in codes(self.markdown.source, front[1] if front else 0) if not one.inline]

    def words(self, first: int, last: int) -> str:
        """Some of its lines, 1-based, both included; those that are not there are left out."""
        return "\n".join(self.markdown.source.lines[first - 1 : last])

    def has_anchor(self, document_id: str, anchor: str) -> bool:
        """Whether a document of the shelf has a section of that name, as far as its text is known.

        Generators of sites make names of headings in several ways, so that letters and digits alone are compared.
        """
        return _letters(anchor) in _anchors(self._texts.get(document_id, ""))

    def holding(self, line: int) -> LogicUnit | None:
        """The unit to which a line of the document belongs."""
        at = bisect_right(self._spans, line, key=itemgetter(0)) - 1
        return self.units[self._spans[at][2]] if at >= 0 and line <= self._spans[at][1] else None

    @cached_property
    def _spans(self) -> Sequence[tuple[int, int, int]]:
        """First and last line of all that units account for, in order, with the unit's index."""
        return sorted((span.start, span.end, at) for at, unit in enumerate(self.units) for span in unit.spans)

    def _put_together(self) -> str:
        """The lines that its units' bodies hold, each where it stands in the document."""
        held: dict[int, str] = {}
        for unit in self.units:
            if not unit.rewritten:
                held.update(zip(unit.numbers, unit.body.split("\n"), strict=False))
        last = min(max(held, default=0), MOST_LINES)
        return "\n".join(held.get(line, "") for line in range(1, last + 1))


@lru_cache(maxsize=64)
def _anchors(text: str) -> Collection[str]:
    return set(map(_letters, outline(parse(text), "guide").ids))


def _letters(anchor: str) -> str:
    return "".join(filter(str.isalnum, bare(unquote(anchor))))


class Found(NamedTuple):
    """What a rule has found in a guide."""

    first: int
    """Lines of the document, 1-based."""
    last: int
    message: str
    """One line: what was found, and what to do."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What a guide should be like, how to tell that it is not, and an example of both."""

    code: str
    """Never given to another rule."""
    name: str
    """What is not as it should be, in a few words with hyphens."""
    severity: Severity
    summary: str
    """One sentence without its full stop: what is reported."""
    why: str
    """Markdown: what it does to readers, what counts, and what is left alone."""
    bad: str
    """A small guide that breaks it."""
    good: str
    """The same, mended."""
    check: Callable[[Guide], Iterator[Found]]
    is_usual: bool = True
    """Whether it is looked for where nobody selects rules; `why` says why not."""

    @property
    def anchor(self) -> str:
        """Of its section on the page of the rules."""
        return f"{self.code}-{self.name}".lower()

    def page(self) -> str:
        """What it means and why, with an example of both, in Markdown."""
        examples = [
            f"{label}:\n\n````markdown\n{text.rstrip()}\n````"
            for label, text in (("Reported", self.bad), ("Not reported", self.good))
            if text
        ]
        weight = self.severity.value if self.is_usual else f"{self.severity.value}, if selected"
        return "\n\n".join([f"{self.summary} ({weight}).", self.why.strip(), *examples]) + "\n"
