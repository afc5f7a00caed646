"""A document as a model is shown it: numbered lines, in parts that fit, and what of it must not be torn apart."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeVar

from thread_core.documents.blocks.markdown import Block, Hyperlink, Markdown, visible
from thread_core.documents.sections import Section, outline
from thread_core.errors import TooLong
from thread_core.extraction import drafts, fidelity, rules
from thread_core.extraction.naming import lead
from thread_core.extraction.statements import Reading
from thread_core.linking import destination, with_mentions
from thread_core.llm.asking import Role, Window
from thread_core.llm.costs import text_tokens
from thread_core.llm.prompting import numbered
from thread_core.models import Document, LogicUnit, Span
from thread_core.plan import Plan

LONGEST_OUTLINE = 2000
"""Tokens; of a longer outline, the deeper headings outside the part that is shown are left out."""
WINDOW = 32_000
"""Tokens that a model is taken to read and write at once where it does not say."""
SHORTEST_PART = 200
"""Tokens of a document that are shown at least."""

T = TypeVar("T")

_WORD = re.compile(r"\w")
_RANGE = re.compile(r"(?:lines?\s*|L)?(\d{1,9})(?:\s*(?:[-–,]|to)\s*L?(\d{1,9}))?", re.ASCII | re.IGNORECASE)


class Lines(NamedTuple):
    """Some lines of a document, both ends included."""

    start: int
    end: int

    @classmethod
    def read(cls, text: str) -> Lines | None:
        """Lines as a model writes them, `12-18`, `L12-L18`, `12`; None for anything else, as an end above the start."""
        match = _RANGE.fullmatch(text.strip())
        if match is None:
            return None
        start, end = int(match[1]), int(match[2] or match[1])
        return cls(start, end) if start <= end else None

    @classmethod
    def of(cls, span: Span) -> Lines:
        """The lines of a span."""
        return cls(span.start, span.end)

    @property
    def numbers(self) -> frozenset[int]:
        """All of them, one by one."""
        return frozenset(range(self.start, self.end + 1))

    def is_within(self, others: Lines) -> bool:
        """Whether all of them are among others."""
        return others.start <= self.start and self.end <= others.end

    @property
    def named(self) -> str:
        """`line 12`, `lines 12-18`."""
        return f"lines {self}" if self.end > self.start else f"line {self}"

    def __str__(self) -> str:
        """As `read` reads them."""
        return f"{self.start}-{self.end}" if self.end > self.start else f"{self.start}"


class Tie(NamedTuple):
    """Lines that stay together."""

    lines: Lines
    what: str


class Page:
    """What one document's lines are."""

    def __init__(self, document: Document, markdown: Markdown) -> None:
        self.document = document
        self.source = markdown.source
        self.plan = outline(markdown, document.id, document.title)
        self._markdown = markdown
        self._blocks = [part for block in markdown.blocks for part in block.walk()]
        self._begun = [(line, section) for section in self.plan.sections if (line := _first_line(section))]
        self.sections = [section for _, section in self._begun]
        """All that have a line."""
        self.starts = [line for line, _ in self._begun]
        """Where they begin."""

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self.source)

    @property
    def blocks(self) -> Sequence[Block]:
        """All blocks, each before the blocks in it."""
        return self._blocks

    @cached_property
    def code(self) -> frozenset[int]:
        """The lines of code blocks."""
        return _lines(block for block in self._blocks if block.kind == "code")

    @cached_property
    def said(self) -> frozenset[int]:
        """Lines that say something, headings and front matter left out."""
        aside: set[int] = set()
        for section in self.sections:
            if section.heading:
                aside.update(range(section.heading[0], section.heading[1] + 1))
        front = self._markdown.front_lines
        written = (line for line in self.source.written if line not in aside and not (front and line <= front[1]))
        return frozenset(line for line in written if line in self.code or _WORD.search(visible(self.source.line(line))))

    @cached_property
    def required(self) -> list[int]:
        """Lines that some unit must hold. Headings, front matter, link definitions and bare marks attach themselves."""
        return sorted(self.said & _lines(self._markdown.blocks))

    def required_in(self, part: Lines) -> list[int]:
        """Those of some lines."""
        return _among(self.required, part, int)

    @cached_property
    def ties(self) -> dict[int, Tie]:
        """What must not be torn apart, by the lines above which it would be."""
        items = (block.children for block in self._blocks if block.kind == "item")
        pairs = (pair for children in items for pair in itertools.pairwise(children))
        found = [Tie(Lines(one.end, other.end), "a list item's code") for one, other in pairs if other.kind == "code"]
        found += [Tie(Lines(block.start, block.end), "a code block") for block in self._blocks if block.kind == "code"]
        found += [Tie(Lines(start, last), "a table's head") for start, last, _ in self._tables]
        return {line: tie for tie in found for line in range(tie.lines.start + 1, tie.lines.end + 1)}

    @cached_property
    def by_rules(self) -> tuple[LogicUnit, ...]:
        """The units that the rules make of it."""
        return rules.divide(self.document, self._markdown)

    @cached_property
    def conditional(self) -> Set[int]:
        """The lines that say if, unless, otherwise."""
        return fidelity.conditional(self.source, self.code)

    def lead(self, lines: Lines) -> str:
        """What the rules say some lines are for: their first sentence."""
        return lead(block for block in self._blocks if lines.start <= block.start and block.end <= lines.end)

    @cached_property
    def reading(self) -> Reading:
        """All that the document says, to be looked up."""
        return Reading(self.source.text)

    @cached_property
    def _steps(self) -> list[tuple[int, int]]:
        return sorted(step for section in self.sections for step in drafts.steps_of(section, self.source))

    def steps_in(self, lines: Lines) -> list[tuple[int, int]]:
        """Lines and numbers of the numbered steps that begin in some lines."""
        return _among(self._steps, lines, itemgetter(0))

    @cached_property
    def _tables(self) -> list[tuple[int, int, int]]:
        """Of each table that has rows: the first and the last line of its head, and its last line."""
        tables = (block for block in self._blocks if block.kind == "table" and len(block.children) > 1)
        return [(table.start, table.children[1].start - 1, table.end) for table in tables]

    @cached_property
    def leads(self) -> dict[int, tuple[int, int]]:
        """The heads of tables, by the lines of the rows after the first."""
        return {line: (start, last) for start, last, end in self._tables for line in range(last + 2, end + 1)}

    def section(self, line: int) -> Section:
        """The section in which a line stands."""
        return self.sections[max(0, bisect_right(self.starts, line) - 1)]

    def begun(self, after: int, upto: int) -> list[tuple[int, Section]]:
        """The sections that begin below a line, down to another one, with the lines in which they begin."""
        return _among(self._begun, Lines(after + 1, upto), itemgetter(0))

    def draft(self, ranges: Sequence[Lines], above: Iterable[Section] = ()) -> drafts.Draft:
        """A unit of some lines in the making, with the headings of its own among those above."""
        start, end = ranges[0].start, ranges[-1].end
        steps = [number for lines in ranges for _, number in self.steps_in(lines)]
        atom = drafts.Atom(start, end, [], self.source.size(start, end), lead=self.leads.get(start))
        return drafts.under(above, self.section(start), [atom], steps)

    @cached_property
    def shared(self) -> frozenset[int]:
        """Lines that go with whatever stands in the document: headings, and where links lead that are only named."""
        headings = (section.heading for section in self.sections if section.heading)
        return self.said.difference(self.required).union(*(range(start, end + 1) for start, end in headings))

    def masked(self, lines: Collection[int]) -> str:
        """The document with nothing but some of its lines, each where it stands."""
        return "\n".join(line if number in lines else "" for number, line in enumerate(self.source.lines, start=1))

    def words_of(self, lines: Collection[int]) -> str:
        """Some lines alone, with a blank line wherever others stand between them."""
        found: list[str] = []
        before = 0
        for line in sorted(lines):
            found += ["", self.source.line(line)] if line > before + 1 else [self.source.line(line)]
            before = line
        return "\n".join(found)

    def whole(self, lines: Iterable[int]) -> set[int]:
        """Lines, and those of the paragraphs, rows and code blocks that they cut: a sentence may begin above."""
        found = set(lines)
        for start, end in {self._leaves[line] for line in found if line in self._leaves}:
            found.update(range(start, end + 1))
        return found

    @cached_property
    def _leaves(self) -> dict[int, tuple[int, int]]:
        """For each line the ends of the block without others in it that it is a part of."""
        leaves = (block for block in self._blocks if not block.children)
        return {line: (block.start, block.end) for block in leaves for line in range(block.start, block.end + 1)}

    def code_in(self, lines: Lines) -> str:
        """All code of some lines, that inside of sentences too."""
        return "\n".join(code.text for code in _among(self.reading.codes, lines, attrgetter("line")))

    @cached_property
    def _hyperlinks(self) -> list[Hyperlink]:
        """All hyperlinks and mentions of documents, by their lines."""
        found = [link for block in self._blocks for link in with_mentions(block).links if link.href.strip("#")]
        return sorted(found, key=lambda link: link.line)

    def hyperlinks(self, lines: Lines) -> list[Hyperlink]:
        """The hyperlinks that stand in some lines."""
        return _among(self._hyperlinks, lines, attrgetter("line"))

    @cached_property
    def destinations(self) -> dict[tuple[str, str], str]:
        """All addresses of its sections and hyperlinks, by the document and the anchor that they name."""
        sections = {("", section.anchor): f"#{section.anchor}" for section in self.sections}
        return sections | {destination(link.href): link.href for link in self._hyperlinks}

    def trimmed(self, lines: Lines) -> Lines | None:
        """Lines without what attaches itself at both ends; None where nothing is left that says anything."""
        front = self._markdown.front_lines
        first = max(lines.start, front[1] + 1) if front else lines.start
        kept = [line for line in range(first, lines.end + 1) if not self._attaches(line)]
        return Lines(kept[0], kept[-1]) if any(line in self.said for line in kept) else None

    def _attaches(self, line: int) -> bool:
        heading = self.section(line).heading if self.sections else None
        return self.source.blank(line) or (heading is not None and heading[0] <= line <= heading[1])

    def outline(self, part: Lines) -> str:
        """Where sections begin: all of them, or, where that is too long, the highest ones and the part's own."""
        own = (line for line, _ in self.begun(part.start - 1, part.end))
        return "\n".join(map(self._shown, sorted({*self._landmarks, *own})))

    @cached_property
    def _landmarks(self) -> list[int]:
        """Beginnings of sections that stand in every outline: down to the lowest level that there is room for."""
        costs: Counter[float] = Counter()
        for line, section in zip(self.starts, self.sections, strict=True):
            costs[section.level] += text_tokens(self._shown(line))
        levels = sorted(costs)
        sums = itertools.accumulate(costs[level] for level in levels)
        high = {level for level, cost in zip(levels, sums, strict=True) if cost <= LONGEST_OUTLINE}
        return [line for line, section in zip(self.starts, self.sections, strict=True) if section.level in high]

    def _shown(self, line: int) -> str:
        return numbered([self.source.line(line)], line)

    def fields(self, part: Lines) -> Mapping[str, str]:
        """What a prompt shows of a part: its numbered lines, and where it stands in the document."""
        return {
            "outline": self.outline(part),
            "first": str(part.start),
            "last": str(part.end),
            "all": str(len(self)),
            "lines": numbered(self.source.lines[part.start - 1 : part.end], part.start),
        }

    @cached_property
    def _costs(self) -> list[int]:
        """Tokens of all lines before each."""
        return [0, *itertools.accumulate(text_tokens(self._shown(line)) for line in range(1, len(self) + 1))]

    def cost(self, part: Lines) -> int:
        """Tokens of a part, at most."""
        return self._costs[part.end] - self._costs[part.start - 1]

    def part(self, start: int, room: int) -> Lines:
        """What fits in so many tokens from a line on, down to the end of a section, else of a block, else of an item.

        Where there is no such end, the part is longer.
        """
        limit = bisect_right(self._costs, self._costs[start - 1] + room) - 1
        if limit >= len(self):
            return Lines(start, len(self))
        for cuts in self._cuts:
            cut = bisect_right(cuts, limit + 1) - 1
            if cut >= 0 and cuts[cut] > start:
                return Lines(start, cuts[cut] - 1)
        beyond = max(limit, start) + 1
        later = (cuts[at] for cuts in self._cuts if (at := bisect_left(cuts, beyond)) < len(cuts))
        return Lines(start, min(later, default=len(self) + 1) - 1)

    def parts(self, room: int, start: int = 1) -> Iterator[Lines]:
        """The parts from a line on in which something has to be held by a unit."""
        after = start
        while after <= len(self):
            part = self.part(after, room)
            if self.required_in(part):
                yield part
            after = part.end + 1

    @cached_property
    def _cuts(self) -> tuple[list[int], ...]:
        """Lines above which the document may be cut, the best ones first."""
        tops = [block.start for block in self._markdown.blocks]
        inside = [block.start for block in self._blocks if block.kind in ("item", "row")]
        whole = [line for line in inside if line not in self.ties]
        return self.starts, sorted(set(tops)), sorted(set(whole))


def runs(lines: Iterable[int], held: Container[int]) -> Iterator[Lines]:
    """Of some lines, those that are not held, as ranges from the first to the last of a run."""
    for is_held, run in itertools.groupby(lines, held.__contains__):
        if not is_held:
            first, *others = run
            yield Lines(first, others[-1] if others else first)


def room_for(longest: int, besides: int, share: float) -> Plan[int]:
    """How many tokens of a document can be shown at once, `longest` at most.

    Args:
        longest: Tokens, so that the reply is not cut off at what models write at most.
        besides: Tokens of a call besides those that grow with the lines.
        share: Tokens of a call, with its reply mended, for each token of the lines.
    """
    window: int | None = yield Window(Role.EXTRACTOR)
    return max(SHORTEST_PART, min(longest, int(((window or WINDOW) - besides) / share)))


def in_parts(page: Page, room: int, ask: Callable[[Lines], Plan[T]]) -> Plan[list[T]]:
    """What is said of each part; from one on that the model finds too long, of parts half as long as that.

    Raises:
        TooLong: so are those.
    """
    found: list[T] = []
    part = Lines(1, 0)
    try:
        for part in page.parts(room):
            found.append((yield from ask(part)))
    except TooLong:
        for half in page.parts(page.cost(part) // 2, part.start):
            found.append((yield from ask(half)))
    return found


def _among(found: list[T], lines: Lines, line_of: Callable[[T], int]) -> list[T]:
    """What of something in order stands in some lines."""
    first = bisect_left(found, lines.start, key=line_of)
    return found[first : bisect_right(found, lines.end, key=line_of)]


def _first_line(section: Section) -> int:
    """The line in which a section begins; 0 for one without a line."""
    if section.heading:
        return section.heading[0]
    return section.blocks[0].start if section.blocks else 0


def _lines(blocks: Iterable[Block]) -> frozenset[int]:
    return frozenset(line for block in blocks for line in range(block.start, block.end + 1))
