"""Units that hold more than a reader takes in at once -> their parts, cut between lines where the text has its seams.

A line is cut nowhere, for lines are what is cited. So code keeps its lines byte for byte, and a part that begins within
it has the fence's first line above it, as one that begins within a table has the head.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import NamedTuple

from thread_core import places
from thread_core.documents import passages, templates
from thread_core.documents.blocks.fences import Fence
from thread_core.documents.blocks.markdown import Block, parse
from thread_core.documents.blocks.source import Source
from thread_core.documents.forms.tables import parted
from thread_core.extraction.following import leads_on
from thread_core.extraction.naming import lead
from thread_core.layout import intent
from thread_core.models import Link, LogicUnit, Place, Span, Target, changed
from thread_core.text import header
from thread_core.text.scripts import COLONS
from thread_core.text.words import count_tokens

MOST = 800
"""Tokens of a unit's body at most, by default: of a thousand units that people wrote, one is larger."""

_DEEPEST = 8
"""Blocks in blocks that differ as seams."""
_ANNOUNCED, _SENTENCE, _LINE, _GAP_IN_CODE, _CODE, _CLOSING, _BLANK = range(_DEEPEST + 1, _DEEPEST + 8)
"""Seams that are worse than between blocks, the worst last."""
_ENDS = (".", "!", "?", ";", "。", "！", "？", "；", "</p>")
"""How a line ends with which a sentence does."""


@dataclass(frozen=True, slots=True)
class Bound:
    """How much the body of a unit holds at most.

    Raises:
        ValueError: it would hold nothing.
    """

    most: int = MOST
    length: Callable[[str], int] = count_tokens
    """In what that is counted: tokens, or characters with `len`."""

    def __post_init__(self) -> None:
        if self.most < 1:
            raise ValueError(f"found {self.most}, expected at least 1 token per unit")

    def is_exceeded_by(self, text: str) -> bool:
        """Whether a text holds more. Of characters there are at least as many as of tokens, and they are counted."""
        if self.length is count_tokens and len(text) <= self.most:
            return False
        return self.length(text) > self.most

    @property
    def name(self) -> str:
        """Tells bounds apart; empty for the default one."""
        if self == Bound():
            return ""
        length = getattr(self.length, "__qualname__", type(self.length).__name__)
        return f"{self.most} by {length}"


def bounded(units: Sequence[LogicUnit], bound: Bound) -> tuple[list[LogicUnit], list[Span]]:
    """The units of a document in reading order, those that hold too much in parts; and the lines of these.

    Lines that hold too much by themselves are among the latter too, each alone; they stay whole.
    """
    bodies = [_Body(unit, bound) if bound.is_exceeded_by(unit.body) else None for unit in units]
    if not any(bodies):
        return list(units), []
    moved = _Moved(units, bodies)
    found: list[LogicUnit] = []
    for unit, body in zip(units, bodies, strict=True):
        found += body.parts(moved) if body is not None else [moved.follow(unit, unit.place)]
    return found, [span for body in bodies if body is not None for span in body.too_large()]


class _Piece(NamedTuple):
    """Lines of a body, 1-based."""

    first: int
    last: int
    lead: tuple[int, int] | None
    """Lines above that it cannot be read without."""


class _Body:
    """The body of a unit that holds too much."""

    def __init__(self, unit: LogicUnit, bound: Bound) -> None:
        self._unit = unit
        self._most = bound.most
        self._source = Source(unit.body)
        self._numbers = list(unit.numbers)
        ends = (*(self._source.before(line) for line in range(1, len(self._source) + 1)), len(unit.body))
        self._before = [0, *accumulate(bound.length(unit.body[start:end]) for start, end in pairwise(ends))]
        """How much all lines before each hold."""
        self._own = 1 + sum(span.end - span.start + 1 for span in unit.body_spans[:-1]) * (not unit.rewritten)
        """The first line that is no lead."""
        self._seams = [_LINE] * (len(self._source) + 2)
        self._leads: dict[int, tuple[int, int]] = {}
        self._leaves: dict[int, Block] = {}
        """The blocks without others in them, by the lines at which they begin."""
        self._read_lines()
        self._read_blocks(parse(unit.body).blocks)
        self.pieces = list(self._cut())
        known = changed(unit, {"passages": passages.cut(unit.body)})
        self.begun = {step: self._at(places.line_of_step(known, step)) for step in unit.steps}
        """In which part each of its numbered steps begins."""

    def _read_lines(self) -> None:
        """What each line is as a seam, that is, where a part would begin with it."""
        above = ""
        for number, line in enumerate(self._source.lines, start=1):
            if not line.strip():
                self._seams[number] = _BLANK
            elif not above.strip() or above.rstrip().endswith(_ENDS):
                self._seams[number] = _SENTENCE
            above = line

    def _read_blocks(self, blocks: Sequence[Block]) -> None:
        """What each block is as a seam, and what stands above the lines in it."""
        todo: list[tuple[Sequence[Block], int]] = [(blocks, 0)]
        while todo:
            beside, depth = todo.pop()
            announces = False
            for block in beside:
                is_cut = announces and self._holds(block.start, min(block.end, len(self._source))) > self._most
                seam = _CLOSING if is_cut else _ANNOUNCED if announces else min(depth, _DEEPEST)
                self._seams[block.start] = seam if announces else min(self._seams[block.start], seam)
                announces = block.kind == "paragraph" and block.text.rstrip().endswith(COLONS)
                if block.kind == "table" and len(block.children) > 1:
                    first = parted(block)[1][0].start
                    self._leads |= dict.fromkeys(range(first + 1, block.end + 1), (block.start, first - 1))
                elif block.kind == "code":
                    self._read_code(block)
                if block.children:
                    todo.append((block.children, depth + 1))
                else:
                    self._leaves[block.start] = block

    def _read_code(self, block: Block) -> None:
        lines = range(block.start + 1, block.end + 1)
        if Fence().reads(self._source.line(block.start)):
            self._leads |= dict.fromkeys(lines, (block.start, block.start))
        for line in lines:
            is_gap = not self._source.line(line - 1).strip()
            self._seams[line] = _GAP_IN_CODE if is_gap else _CODE
        if lines and self._source.line(block.end).strip(" >`~") == "":
            self._seams[block.end] = _CLOSING

    def _holds(self, first: int, last: int) -> int:
        return self._before[last] - self._before[first - 1]

    def _cut(self) -> Iterator[_Piece]:
        """The parts: each as much as fits, up to the last of the largest seams in it."""
        first, end, lead = self._own, len(self._source), self._holds(1, self._own - 1)
        while first <= end:
            fits = max(first, bisect_right(self._before, self._before[first - 1] + self._most - lead) - 1)
            # What is left of these lines has smaller seams, so that none of them is looked at often.
            cut = min(range(fits + 1, first, -1), key=self._seams.__getitem__) if fits < end else end + 1
            last = next((line for line in range(cut - 1, first, -1) if self._seams[line] != _BLANK), first)
            yield _Piece(first, last, self._lead(first))
            first = next((line for line in range(cut, end + 1) if self._seams[line] != _BLANK), end + 1)
            lead = self._holds(*lines) if (lines := self._lead(first)) else 0

    def _lead(self, line: int) -> tuple[int, int] | None:
        """The lines that stand above a part again, unless they leave too little room."""
        lines = self._leads.get(line) if line > self._own else None
        if lines is None or self._numbers[lines[1] - 1] - self._numbers[lines[0] - 1] != lines[1] - lines[0]:
            return None
        held, own = self._holds(*lines), self._holds(line, line)
        return lines if held <= self._most // 2 and (held + own <= self._most or own > self._most) else None

    def parts(self, moved: _Moved) -> list[LogicUnit]:
        """The parts as units, each leading on to the next one."""
        found: list[LogicUnit] = []
        for at in range(len(self.pieces) - 1, -1, -1):
            part = moved.follow(self._part(at), self._unit.place, at)
            if found and not any(map(leads_on, part.links)):
                bare = Link(query=intent(found[-1]), target=Target(place=found[-1].place))
                part = changed(part, {"links": (*part.links, bare)})
            found.append(part)
        return found[::-1]

    def _part(self, at: int) -> LogicUnit:
        unit, piece = self._unit, self.pieces[at]
        lines = [one for one in (piece.lead, (piece.first, piece.last)) if one]
        text = "\n".join(self._source.slice(*one) for one in ([(1, piece.last)] if at == 0 else lines))
        body_spans = unit.body_spans
        if not unit.rewritten:
            own = [self._span(*one) for one in lines]
            body_spans = (*unit.body_spans[:-1], *own) if at == 0 else tuple(own)
        around = [span for span in unit.spans if span not in unit.body_spans] if at == 0 else []
        marked = templates.marked(text)
        fields = {
            "header": header.compose(unit.title, unit.section, self._said(piece.first)) if at else unit.header,
            "body": text,
            "links": tuple(link for link in unit.links if self._stated_in(link) == at),
            "parameters": {name: value for name, value in unit.parameters.items() if name in marked or name in text},
            "steps": tuple(step for step in unit.steps if self.begun[step] == at),
            "spans": tuple(sorted([*around, *body_spans], key=lambda span: span.start)),
            "body_spans": body_spans,
        }
        return changed(unit, fields)

    def _span(self, first: int, last: int) -> Span:
        return Span(self._unit.document_id, self._numbers[first - 1], self._numbers[last - 1])

    def _said(self, line: int) -> str:
        """The first words of a part that begins with a line."""
        return lead([self._leaves.get(line, Block("paragraph", line, line, self._source.line(line).strip("> \t")))])

    def _stated_in(self, link: Link) -> int:
        """The part that states a link; what none states leads on from the last."""
        line = self._unit.line_in_body(link.evidence.start) if link.evidence is not None else None
        return len(self.pieces) - 1 if line is None else self._at(line)

    def _at(self, line: int) -> int:
        return max(0, bisect_right(self.pieces, line, key=lambda piece: piece.first) - 1)

    def too_large(self) -> Iterator[Span]:
        """Where it stands, if it was cut, and each line that holds too much alone."""
        if len(self.pieces) > 1:
            yield self._unit.body_spans[-1]
        if not self._unit.rewritten:
            lines = range(self._own, len(self._source) + 1)
            yield from (self._span(line, line) for line in lines if self._holds(line, line) > self._most)


class _Moved:
    """Where units stand once some have come apart: the units of each section are counted anew."""

    def __init__(self, units: Sequence[LogicUnit], bodies: Sequence[_Body | None]) -> None:
        numbers: Counter[str] = Counter()
        self._places: dict[Place, list[Place]] = {}
        self._begun: dict[Place, Mapping[int, int]] = {}
        for unit, body in zip(units, bodies, strict=True):
            anchor, count = unit.place.anchor, len(body.pieces) if body is not None else 1
            self._places[unit.place] = [Place(anchor, numbers[anchor] + number) for number in range(1, count + 1)]
            self._begun[unit.place] = body.begun if body is not None else {}
            numbers[anchor] += count

    def follow(self, unit: LogicUnit, before: Place, at: int = 0) -> LogicUnit:
        """A unit that stood at a place, or its part `at`, at the new one, with links to the new places of others."""
        links = tuple([self._followed(link, before, at) for link in unit.links])
        return changed(unit, {"place": self._places[before][at], "links": links})

    def _followed(self, link: Link, before: Place, at: int) -> Link:
        target = link.target
        if target is None or target.place is None or target.place not in self._places:
            return link
        part = at if target.place == before else 0
        if target.step is not None:
            part = self._begun[target.place].get(target.step, part)
        return changed(link, {"target": changed(target, {"place": self._places[target.place][part]})})
