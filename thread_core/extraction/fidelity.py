"""Nothing lost, and the proof of it: what an extraction covers, line by line.

Lines that no unit took (front matter, link definitions, stray text) become appendix units, so the union of all
spans is every line that is not blank.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby
from operator import attrgetter

from thread_core.documents.blocks.dialects import only_opens_or_closes
from thread_core.documents.blocks.markdown import Block, Markdown, parse, parts, visible
from thread_core.documents.blocks.source import Source
from thread_core.documents.drawings import is_drawn
from thread_core.documents.markup import problems
from thread_core.documents.printed import placed
from thread_core.documents.title import description, title_page
from thread_core.extraction import corrections
from thread_core.extraction.bound import Bound, bounded
from thread_core.extraction.finishing import finished
from thread_core.layout import leads_inside
from thread_core.models import (
    Document,
    Link,
    LinkAction,
    LogicUnit,
    LogicUnitType,
    Model,
    Place,
    Span,
    changed,
    identify,
    made,
)
from thread_core.places import Places, is_lost
from thread_core.ports import Usage
from thread_core.text import header, sentences
from thread_core.text.english import is_english

_CONDITION_WORDS = sentences.wholes("if", "unless", "otherwise", "whenever", "in case")
_WORD = re.compile(r"\w")
_PICTURE = re.compile(r"\s{0,3}\[[^\[\]]+\]:\s*<?data:>?\s*")
"""The definition of a picture that was embedded."""

RULES = "rules"
"""Names those who make units without a model."""
LEFTOVER = "~leftover"
"""Anchor of the appendix units; no heading has it."""


class MergeReport(Model):
    """Which units were merged into which, and why."""

    into: str
    """The id of the unit that stands for all of them."""
    header: str
    units: tuple[str, ...]
    """The ids of the units that were merged, in reading order."""
    spans: tuple[Span, ...]
    """Every line that they account for, of each document."""
    why: str
    tokens_before: int
    """What a reader of all of them reads."""
    tokens_after: int
    """What a reader of the one reads."""

    def __str__(self) -> str:
        """One line for a person: where they stand, how many, why, what it saves."""
        where = ", ".join(map(str, self.spans))
        return f"{where}: {len(self.units)} units, {self.tokens_before} -> {self.tokens_after} tokens: {self.why}"


class Decisions(Model):
    """The outcomes that the units of a document state, each once a unit, by where they lead."""

    onward: int = 0
    """To another step, a section or a document."""
    ending: int = 0
    """To an end."""
    here: int = 0
    """Nowhere else: they say themselves what is to be done."""
    lost: int = 0
    """To a section that is not there, or to no place at all."""

    @property
    def found(self) -> int:
        """How many there are."""
        return self.onward + self.ending + self.here + self.lost


class Report(Model):
    """What an extraction kept of its document."""

    document_id: str
    extractor: str = RULES
    """Who made the units: `rules`, or `grounded` or `paper` with a model."""
    english: bool = True
    """Whether it is English. Of what is not, the rules read the structure alone."""
    lines: int
    """Lines that are not blank."""
    lines_read: int
    """Of these, in a unit that the extractor itself made."""
    lines_kept: int
    """Of these, in any unit: with the leftovers kept as appendix units, all of them."""
    code_blocks: int
    code_blocks_kept: int
    """Whole, byte for byte, in one unit's body. One that is larger than a unit may be is not, and keeps its lines."""
    conditions: int
    """Lines outside code that say if, unless, otherwise, whenever, in case."""
    conditions_linked: int
    """Of these, under a link's evidence that leads on, or says itself what to do then."""
    conditions_linked_by_model: int = 0
    """Of these, those that a model linked; the rules the others."""
    decisions: Decisions = Decisions()
    """What was read of them, in whatever form they are written."""
    unlinked: tuple[int, ...] = ()
    """The numbers of the others: no link leads on under what they say."""
    links: int
    """Hyperlinks in the text."""
    links_kept: int
    """Of these, in a unit's body or on the lines of one of its links."""
    leftovers: tuple[Span, ...] = ()
    """Lines that no rule took; each stands in an appendix unit."""
    unread: tuple[Span, ...] = ()
    """Drawings, whole blocks, through which nobody is led: of a kind or a form that is not read, or no procedure."""
    too_large: tuple[Span, ...] = ()
    """What was more than a unit may hold: lines that were cut into several units, and single ones, which stay whole."""
    usage: Usage = Usage()
    """What models cost."""
    problems: tuple[str, ...] = ()
    """What a reader of the report should know: what the document had lost before, or that it is no Markdown; a model's
    reply that was refused, a place that is not there."""
    corrections: int = 0
    """What people have said about links and what holds now; what is stale of it stands in `problems`."""
    merges: tuple[MergeReport, ...] = ()
    """Chains of units that were merged after all this was counted."""

    @property
    def coverage(self) -> float:
        """Share of the lines that are in some unit, 0 to 1; an empty document is covered."""
        return self.lines_kept / self.lines if self.lines else 1.0


class Extraction(Model):
    """A document's logic units in reading order, and the report of what they cover."""

    units: tuple[LogicUnit, ...]
    report: Report

    def __init__(self, units: Iterable[LogicUnit], report: Report) -> None:
        super().__init__(units=tuple(units), report=report)


def complete(
    document: Document,
    markdown: Markdown,
    units: Iterable[LogicUnit],
    extractor: str = RULES,
    lost: Iterable[int] = (),
    by_rules: Iterable[Link] = (),
    bound: Bound | None = None,
) -> Extraction:
    """Keep what no unit took as appendix units, cut what holds too much, name all units, and measure.

    So are lines kept of which something is lost in the units that took them. Of a model's units, some links may be
    those of the rules.
    """
    source = markdown.source
    ours = sorted(units, key=_position)
    owner = _owners(ours, len(source))
    for number in lost:
        owner[number] = -1
    blocks = parts(markdown.blocks)
    code = _lines(block for block in blocks if block.kind == "code")
    marks, spans = _sort_runs(document.id, owner, source, code, bool(ours))
    ours = _with_marks(ours, owner, marks)
    leftovers = _appendix(document, markdown, spans, ours)
    whole = sorted([*ours, *leftovers], key=_position) if spans else ours
    fitting, too_large = bounded(whole, bound or Bound())
    ordered = sorted(fitting, key=_position) if too_large else fitting
    settled, stale = corrections.applied(ordered, source, document.corrections)
    named = identify(placed(finished(settled), document))
    report = _report(document, extractor, source, blocks, code, named, owner, tuple(spans), tuple(too_large))
    if extractor != RULES:
        by_model = (_linked(named) & conditional(source, code)) - _evidence(by_rules)
        report = changed(report, {"conditions_linked_by_model": len(by_model)})
    if document.corrections:
        applied = len(document.corrections) - len(stale)
        report = changed(report, {"problems": (*report.problems, *stale), "corrections": applied})
    return made(Extraction, {"units": named, "report": report})


_position = attrgetter("position")


def _owners(units: Sequence[LogicUnit], length: int) -> list[int]:
    """For each line (index 1 on), which unit holds it; -1 for none."""
    owner = [-1] * (length + 1)
    for index, unit in enumerate(units):
        for span in unit.spans:
            owner[span.start : span.end + 1] = [index] * (span.end - span.start + 1)
    return owner


def _sort_runs(
    document_id: str, owner: list[int], source: Source, code: set[int], any_unit: bool
) -> tuple[list[Span], list[Span]]:
    """Lines that no unit took, run by run: marks (a rule, a closing tag), which no reader misses, and the others."""
    marks: list[Span] = []
    leftovers: list[Span] = []
    for span in _runs(document_id, owner, source):
        lines = range(span.start, span.end + 1)
        said = any(number in code or _says(source.line(number)) for number in lines)
        if not any_unit or not said:
            (marks if any_unit else leftovers).append(span)
            continue
        first = next(number for number in lines if number in code or not _ends(source.line(number)))
        leftovers.append(Span(document_id, first, span.end))
        if first > span.start:
            marks.append(Span(document_id, span.start, first - 1))
    return marks, leftovers


def _ends(line: str) -> bool:
    """Whether a line only ends what stands above it."""
    return not line.strip() or only_opens_or_closes(line)


def _says(line: str) -> bool:
    """Whether a reader sees any word of a line."""
    if only_opens_or_closes(line) or _PICTURE.fullmatch(line):
        return False
    return _WORD.search(visible(line)) is not None


def _runs(document_id: str, owner: list[int], source: Source) -> Iterator[Span]:
    """Runs of lines that nobody holds; blank lines inside a run do not end it."""
    written = source.written
    alone = [index for index, number in enumerate(written) if owner[number] < 0]
    for _, run in groupby(enumerate(alone), lambda pair: pair[1] - pair[0]):
        indexes = [index for _, index in run]
        yield Span(document_id, written[indexes[0]], written[indexes[-1]])


def _with_marks(units: list[LogicUnit], owner: list[int], marks: list[Span]) -> list[LogicUnit]:
    """Marks go with the unit above them (at the top, with the first one), outside its body."""
    extra: dict[int, list[Span]] = {}
    for mark in marks:
        above = next((owner[number] for number in range(mark.start - 1, 0, -1) if owner[number] >= 0), 0)
        owner[mark.start : mark.end + 1] = [above] * (mark.end - mark.start + 1)
        extra.setdefault(above, []).append(mark)
    return [
        changed(unit, {"spans": tuple(sorted((*unit.spans, *extra[index]), key=lambda span: span.start))})
        if index in extra
        else unit
        for index, unit in enumerate(units)
    ]


def _appendix(document: Document, markdown: Markdown, spans: list[Span], ours: list[LogicUnit]) -> Iterator[LogicUnit]:
    """A unit for each run of lines that no unit took."""
    if not spans:
        return
    page = ours[0] if ours else title_page(markdown, document.id, document.title)
    for number, span in enumerate(spans, start=1):
        body = markdown.source.slice(span.start, span.end)
        lead = next((line for line in body.splitlines() if _WORD.search(line)), "")
        is_front = markdown.front_lines is not None and span.start == markdown.front_lines[0]
        told = description(markdown.front_matter) if is_front else ""
        fields = {
            "id": "",
            "document_id": document.id,
            "place": Place(LEFTOVER, number),
            "type": LogicUnitType.APPENDIX,
            "header": header.compose(page.title, () if told else ("appendix",), told or lead),
            "prerequisites": (),
            "body": body,
            "links": (),
            "parameters": {},
            "steps": (),
            "title": page.title,
            "date": page.date,
            "section": (),
            "spans": (span,),
            "body_spans": (span,),
            "rewritten": False,
            "aliases": page.aliases,
            "metadata": dict(document.scalars),
            "twins": (),
        }
        yield made(LogicUnit, fields)


def _report(
    document: Document,
    extractor: str,
    source: Source,
    blocks: list[Block],
    code_lines: set[int],
    units: tuple[LogicUnit, ...],
    owner: list[int],
    leftovers: tuple[Span, ...],
    too_large: tuple[Span, ...],
) -> Report:
    lines = source.written
    holder = _owners(units, len(source))
    whole = _body_owners(units, len(source))
    code = [block for block in blocks if block.kind == "code"]
    linked = _linked(units)
    leading = _evidence(
        link for unit in units for link in unit.links if link.target and (link.target.document or link.target.anchor)
    )
    said = conditional(source, code_lines)
    hyperlinks = [link for block in blocks for link in block.links]
    rewritten = [unit for unit in units if unit.rewritten]
    led = sorted(span.start for unit in rewritten for span in unit.body_spans)
    return Report(
        document_id=document.id,
        extractor=extractor,
        english=is_english(source.text),
        lines=len(lines),
        lines_read=_held(lines, owner),
        lines_kept=_held(lines, holder),
        code_blocks=len(code),
        code_blocks_kept=sum(
            (whole[block.start] >= 0 and whole[block.start] == whole[block.end])
            or _stands_in(rewritten, block.text.strip("\n"), block.start)
            for block in code
        ),
        conditions=len(said),
        conditions_linked=len(linked.intersection(said)),
        decisions=_decisions(units),
        unlinked=tuple(sorted(said - linked)),
        links=len(hyperlinks),
        links_kept=sum(
            whole[link.line] >= 0 or link.line in leading or _stands_in(rewritten, link.href, link.line)
            for link in hyperlinks
        ),
        leftovers=leftovers,
        unread=tuple(
            Span(document.id, block.start, block.end)
            for block in code
            if bisect_left(led, block.start) == bisect_right(led, block.end) and is_drawn(block)
        ),
        problems=problems(document),
        too_large=too_large,
    )


def _decisions(units: Sequence[LogicUnit]) -> Decisions:
    there = Places(units)
    counts: Counter[str] = Counter()
    for unit in units:
        stated = {(link.condition, link.evidence): link for link in unit.links if link.condition}
        counts.update(_way(unit, link, there) for link in stated.values())
    return Decisions(**counts)


def _way(unit: LogicUnit, link: Link, there: Places) -> str:
    if link.action.ends:
        return "ending"
    if link.target is None or is_lost(link.target, there):
        return "lost"
    return "here" if leads_inside(unit, link) and link.target.step is None else "onward"


def _held(lines: list[int], owner: list[int]) -> int:
    """How many lines somebody holds."""
    return len(lines) - [owner[number] for number in lines].count(-1)


def conditional(source: Source, code: Set[int]) -> set[int]:
    """The lines outside code that say if, unless, otherwise, whenever, in case."""
    text = sentences.lowered(source.text)
    return {source.line_at(at) for at in sentences.places(text, _CONDITION_WORDS)} - code


def unlinked(units: Sequence[LogicUnit]) -> Iterator[tuple[int, str]]:
    """The lines of a document's units that state a condition under which no link leads on, each with its number.

    A rewritten body has none of the document's lines.
    """
    linked = _linked(units)
    for unit in units:
        markdown = parse(unit.body)
        numbers = [number for span in unit.body_spans for number in range(span.start, span.end + 1)]
        if unit.rewritten or len(numbers) != len(markdown.source):
            continue
        code = _lines(block for block in parts(markdown.blocks) if block.kind == "code")
        for at in sorted(conditional(markdown.source, code)):
            if (number := numbers[at - 1]) not in linked:
                yield number, markdown.source.line(at).strip()


def leaves_open(extraction: Extraction) -> bool:
    """Whether the rules leave something to a model: a condition that no link leads on from, or another language."""
    links = (link for unit in extraction.units for link in unit.links if link.condition)
    report = extraction.report
    return bool(report.unlinked) or not report.english or any(link.target is None and _goes_on(link) for link in links)


def _linked(units: Iterable[LogicUnit]) -> set[int]:
    """The lines that say under which condition some links lead on."""
    return _evidence(link for unit in units for link in unit.links if link.condition and _leads_on(unit, link))


def _leads_on(unit: LogicUnit, link: Link) -> bool:
    """Whether a link leads anywhere but to what stands next in its own unit: on, to an end, or to its own words."""
    inside = leads_inside(unit, link) and link.target is not None and link.target.step is None
    return not inside or not _goes_on(link) or sentences.instructs(link.query)


def _goes_on(link: Link) -> bool:
    return link.action not in (LinkAction.RESOLVED, LinkAction.ESCALATE)


def _lines(pieces: Iterable[Block | Span]) -> set[int]:
    """The numbers of all lines of some parts of a document."""
    found: set[int] = set()
    for piece in pieces:
        found.update(range(piece.start, piece.end + 1))
    return found


def _evidence(links: Iterable[Link]) -> set[int]:
    """The lines that say what some links say."""
    return _lines(link.evidence for link in links if link.evidence)


def _body_owners(units: tuple[LogicUnit, ...], length: int) -> list[int]:
    """For each line, the number of the body span that holds it (all of them counted through); -1 for none.

    A rewritten body holds none of its lines.
    """
    owner = [-1] * (length + 1)
    count = 0
    for unit in units:
        for span in () if unit.rewritten else unit.body_spans:
            owner[span.start : span.end + 1] = [count] * (span.end - span.start + 1)
            count += 1
    return owner


def _stands_in(rewritten: Sequence[LogicUnit], text: str, line: int) -> bool:
    """Whether a text of a line stands in the body of a unit that was written from it."""
    return any(
        text in unit.body and any(span.start <= line <= span.end for span in unit.body_spans) for unit in rewritten
    )
