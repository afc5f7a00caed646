"""A document as a model wrote it anew: the draft's form, and the units that it holds.

## Step (lines 12-18, 24)   what a unit is, and the lines of the document from which all of it was written
### Prerequisite            and the other parts, as in `paper_form`

Lines have to be there, and code is the document's own. What they say is held against them in `inventions`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import indent

from thread_core import linking
from thread_core.documents.blocks.fences import Fence
from thread_core.documents.blocks.markdown import Block, Markdown, parse
from thread_core.documents.blocks.source import Source
from thread_core.documents.templates import marked
from thread_core.extraction import following, forgotten, paper_form
from thread_core.extraction.claims import Claims, Fault, Outcome, Part, kept
from thread_core.extraction.naming import name
from thread_core.extraction.pages import Lines, Page, runs
from thread_core.extraction.paper_form import MARK, is_part
from thread_core.layout import intent, is_next
from thread_core.models import Document, Link, LinkAction, LogicUnit, LogicUnitType, Place, Span, Target, changed
from thread_core.text import header
from thread_core.text.words import content_words

SHOWN = 200
"""Characters of what was lost or invented that are shown."""
WINDOW = 3
"""Lines at most that say what a link says."""
SAID = 0.5
"""The share of a condition's words that its lines say."""

_UNIT = re.compile(
    r"(?P<type>step|terminology|faq|appendix)\s*\(\s*lines?\s*:?\s*(?P<lines>[^()]*)\)\W*", re.IGNORECASE
)
_HEADING = re.compile(rf"\s{{0,3}}#{{1,6}}\s+{_UNIT.pattern}", re.IGNORECASE)
_PART = re.compile(
    r"\s{0,3}#{1,6}\s+(?:prerequisite|header|type|body|default parameter|linker)s?\s*:?\s*$", re.IGNORECASE
)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(?:markdown|md)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """A unit of a draft: as it was read there, and the lines of the document from which it was written."""

    name: str
    """Its heading."""
    unit: LogicUnit
    lines: tuple[Lines, ...]
    beside: str
    """Its other parts than the Body, as they are written."""
    refused: frozenset[int] = frozenset()
    """The document's lines of entries of its Linker that were left out."""

    @property
    def numbers(self) -> set[int]:
        """The numbers of its lines."""
        return set(_lines(self.lines))

    @property
    def type(self) -> LogicUnitType:
        """What its heading calls it."""
        match = _UNIT.fullmatch(self.name)
        assert match is not None
        return LogicUnitType(match["type"].lower())

    @property
    def intent(self) -> str:
        """What its Header says."""
        return self.unit.header.removeprefix(f"{header.compose(self.unit.title, self.unit.section)}: ")

    @property
    def links(self) -> list[Link]:
        """What its Linker says."""
        return [link for link in self.unit.links if not is_next(link)]

    @property
    def said(self) -> dict[Part, list[str]]:
        """What its parts say besides its Body, as words alone."""
        return {
            Part.HEADER: [self.intent],
            Part.PREREQUISITE: list(self.unit.prerequisites),
            Part.LINK: [
                f"If {link.condition}, then {link.query}" if link.condition else link.query for link in self.links
            ],
            Part.PARAMETER: [f"{name} {default}" for name, default in self.unit.parameters.items()],
        }


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft in the right form."""

    text: str
    """As the model wrote it, what stood around it left out."""
    units: tuple[Written, ...]


# -- reading -----------------------------------------------------------------------------------------------------------


def read_draft(reply: str, page: Page, part: Lines) -> tuple[Draft | None, list[str]]:
    """The draft in a reply, whatever stands around it, and what is wrong with its form."""
    text = _unwrapped(reply)
    if not text:
        return None, ['the reply holds no unit; each begins with a heading such as "## Step (lines 3-9)"']
    markdown = _parsed(text, page)
    wrong = list(_misplaced(markdown.blocks[1:]))
    names = [block.flat for block in markdown.blocks if _is_unit(block)]
    read = paper_form.read(Document(page.document.id, markdown.source.text, title=page.plan.title), markdown)
    whole = Counter(unit.section[-1] for unit in read if unit.section)
    for unit, count in Counter(names).items():
        wrong += _line_faults(unit, page, part)
        if whole[unit] < count:
            wrong.append(f'the unit "{unit}" has no Header or no Body')
    if wrong:
        return None, wrong
    return Draft(text, tuple(_written(unit, markdown.source) for unit in read if unit.section)), []


def _parsed(text: str, page: Page) -> Markdown:
    """A draft with a title, and with the document's own definitions of where links lead."""
    return parse(f"# Draft\n\n{_apart(text)}\n\n{definitions(page)}")


def definitions(page: Page) -> str:
    """The lines that say where links lead that are only named in the text."""
    return "\n".join(page.source.line(line) for line in sorted(page.said.difference(page.required)))


def _written(unit: LogicUnit, source: Source) -> Written:
    beside = (source.slice(span.start, span.end) for span in unit.spans if span not in unit.body_spans)
    return Written(unit.section[-1], unit, _ranges(unit.section[-1]), "\n".join(beside))


def _unwrapped(reply: str) -> str:
    """A reply from its first unit on, without the fence around all of it."""
    lines = Source(reply).lines
    first = next((at for at, line in enumerate(lines) if _HEADING.match(line)), None)
    if first is None:
        return ""
    above = next((line for line in reversed(lines[:first]) if line.strip()), "")
    fence = _FENCE.fullmatch(above)
    last = len(lines)
    if fence:
        last = max((at for at in range(first, len(lines)) if lines[at].strip() == fence[1]), default=last)
    return "\n".join(lines[first:last]).strip()


def _apart(text: str) -> str:
    """A draft with a blank line above each heading of the form, so that no tag above it takes it in."""
    lines: list[str] = []
    fence = Fence()
    for line in text.split("\n"):
        if not fence.reads(line) and lines and lines[-1].strip() and (_HEADING.match(line) or _PART.match(line)):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def _is_unit(block: Block) -> bool:
    """Whether a heading is a unit's."""
    return block.kind == "heading" and _UNIT.fullmatch(block.flat) is not None


def claims_of(written: Written, page: Page) -> Claims:
    """What a unit says besides its body; a link's lines are those that say most of it."""
    spans = _spans(page, written.lines)
    own = written.numbers
    outcomes = []
    for link in written.links:
        evidence = _evidence(page, spans, link)
        lines = Lines.of(evidence).numbers if evidence else own
        outcomes.append(Outcome(link.condition, link.action, link.query, lines))
    return Claims(written.intent, written.unit.prerequisites, outcomes, own)


def without(draft: Draft, wrong: Collection[tuple[int, Fault]], page: Page) -> Draft:
    """A draft without the parts of its units that are wrong, of which the place of the unit is given."""
    faults: dict[int, list[Fault]] = {}
    for at, fault in wrong:
        faults.setdefault(at, []).append(fault)
    units = (_without(one, faults[at], page) if at in faults else one for at, one in enumerate(draft.units))
    return Draft(draft.text, tuple(units))


def _without(written: Written, wrong: Sequence[Fault], page: Page) -> Written:
    unit = written.unit
    outcomes = claims_of(written, page).outcomes
    refused = (outcomes[fault.at].lines for fault in wrong if fault.part is Part.LINK)
    said = "".join(kept([written.intent], Part.HEADER, wrong)) or page.lead(written.lines[0])
    values = {
        "header": header.compose(unit.title, (*unit.section, said)),
        "prerequisites": tuple(kept(unit.prerequisites, Part.PREREQUISITE, wrong)),
        "links": tuple(kept(written.links, Part.LINK, wrong)),
        "parameters": dict(kept(list(unit.parameters.items()), Part.PARAMETER, wrong)),
    }
    return replace(written, unit=changed(unit, values), refused=written.refused.union(*refused))


def forgotten_in(units: Sequence[Written], page: Page) -> list[tuple[int, Link]]:
    """Links that the rules see on the lines of some units, none of which names them; with the first of those units."""
    seen = forgotten.seen(page)
    said = [claims_of(one, page) for one in units]
    missing = [
        list(forgotten.forgotten(seen, one.type, claims, one.refused)) for one, claims in zip(units, said, strict=True)
    ]
    found: list[tuple[int, Link]] = []
    for at, links in enumerate(missing):
        for link in links:
            line = link.evidence.start if link.evidence else 0
            holding = [other for other, claims in enumerate(said) if line in claims.lines]
            if holding[0] == at and all(link in missing[other] for other in holding):
                found.append((at, link))
    return found


def _misplaced(blocks: Sequence[Block]) -> Iterator[str]:
    """Headings that are neither a unit's nor a part's, and entries of a Linker without a mark."""
    part, level = "", 0
    for block in blocks:
        if _is_unit(block):
            part, level = "", block.level
        elif match := is_part(block):
            part, level = match[1].lower(), block.level
        elif block.kind == "heading" and not (part == "body" and block.level > level):
            yield f'the heading "{block.flat[:SHOWN]}" is none of the form\'s; write it in bold'
        elif part == "linker":
            for entry in block.children if block.kind == "list" else (block,):
                if not MARK.search(entry.words):
                    said = " ".join(entry.words.split())[:SHOWN]
                    yield f'the Linker\'s entry "{said}" has no mark: [CONTINUE], [CROSS] or [MITIGATE]'


def _ranges(name: str) -> tuple[Lines, ...]:
    return tuple(lines for text in _line_texts(name) if (lines := Lines.read(text)))


def _line_texts(name: str) -> list[str]:
    match = _UNIT.fullmatch(name)
    return match["lines"].split(",") if match else []


def _line_faults(name: str, page: Page, part: Lines) -> Iterator[str]:
    for text in _line_texts(name):
        lines = Lines.read(text)
        if lines is None or not lines.is_within(part) or all(map(page.source.blank, lines.numbers)):
            yield f'the unit "{name}" names as lines "{text.strip()}"; expected lines of {part} that say something'


# -- units -------------------------------------------------------------------------------------------------------------


def units(page: Page, drafts: Sequence[Draft]) -> tuple[list[LogicUnit], list[Link]]:
    """The units of a document's drafts in reading order, and the links that the rules add to them.

    A unit that was written from several sections stands in the first of them.
    """
    making = [(written, _spans(page, written.lines)) for draft in drafts for written in draft.units]
    making.sort(key=lambda one: one[1][0].start)
    written = [one for one, _ in making]
    made = ((page.draft(list(map(Lines.of, spans))), one.type, one.intent) for one, spans in making)
    whole = zip(making, name(page.document, page.plan, page.source, made), _headings(page, making), strict=True)
    found = [_unit(page, one, unit, spans, headings) for (one, spans), unit, headings in whole]
    goals = [(content_words(one.intent), unit.place) for one, unit in zip(written, found, strict=True)]
    upcoming = following.next_steps(found)
    linked = [_linked(unit, after, goals, page) for unit, after in zip(found, upcoming, strict=True)]
    added = forgotten_in(written, page)
    for at, link in added:
        own = forgotten.led(link, page, linked[at], lambda line: _holding(line, linked))
        linked[at] = following.with_links(linked[at], (*linked[at].links, own))
    return linked, [link for _, link in added]


def _headings(page: Page, making: Sequence[tuple[Written, tuple[Span, ...]]]) -> list[list[Span]]:
    """For each unit the headings that none names and below which the first line is its own."""
    owners: dict[int, int] = {}
    for at, (_, spans) in enumerate(making):
        for line in _lines(map(Lines.of, spans)):
            owners.setdefault(line, at)
    named = sorted(owners)
    found: list[list[Span]] = [[] for _ in making]
    for section in page.sections:
        if section.heading and section.heading[0] not in owners:
            at = bisect_right(named, section.heading[1])
            if at < len(named):
                found[owners[named[at]]].append(Span(page.document.id, *section.heading))
    return found


def _holding(line: int, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The first unit that was written from a line."""
    return next((one for one in units if any(span.start <= line <= span.end for span in one.body_spans)), None)


def _spans(page: Page, ranges: Sequence[Lines]) -> tuple[Span, ...]:
    """Lines as spans, blank lines at their ends left out, and code blocks never cut."""
    named = set(_lines(ranges))
    lines = named | page.whole(named & page.code)
    between = set(range(min(lines), max(lines) + 1))
    said = (
        [line for line in run.numbers if not page.source.blank(line)] for run in runs(sorted(between), between - lines)
    )
    return tuple(Span(page.document.id, min(run), max(run)) for run in said if run)


def _unit(
    page: Page, written: Written, named: LogicUnit, lines: tuple[Span, ...], headings: Sequence[Span]
) -> LogicUnit:
    """A unit that was made of the document's lines, with what the draft says instead."""
    unit = written.unit
    body = _with_own_code(page, unit.body)
    first, last = lines[0], lines[-1]
    values = {
        "prerequisites": unit.prerequisites,
        "body": body,
        "links": tuple(_link(page, lines, link) for link in written.links),
        "parameters": {**marked(unit.body), **unit.parameters},
        "spans": tuple(sorted((*headings, *lines), key=lambda span: span.start)),
        "body_spans": lines,
        "rewritten": first != last or body != page.source.slice(first.start, first.end),
    }
    return changed(named, values)


def _with_own_code(page: Page, body: str) -> str:
    """A body in which code that differs from the document's by no more than white space is the document's."""
    ours = {_even(block.text): block.text for block in page.blocks if block.kind == "code"}
    lines = Source(body).lines
    blocks = [part for block in parse(body).blocks for part in block.walk() if part.kind == "code"]
    for block in reversed(blocks):
        text = ours.get(_even(block.text))
        first = lines[block.start - 1]
        if text is not None and text != block.text and _FENCE.match(first):
            margin = first[: len(first) - len(first.lstrip())]
            lines[block.start : block.end - 1] = indent(text, margin).rstrip("\n").split("\n")
    return "\n".join(lines)


def _even(code: str) -> str:
    return "\n".join(" ".join(line.split()) for line in code.strip().splitlines())


def _link(page: Page, lines: Sequence[Span], link: Link) -> Link:
    """A link with its evidence in the document; a number of the draft names no step of the document."""
    target = link.target if link.target and link.target.step is None else None
    outside = link.action is LinkAction.CONTINUE and target is not None and bool(target.document)
    action = LinkAction.CROSS if outside else link.action
    return Link(link.condition, link.query, action, target, _evidence(page, lines, link))


def _evidence(page: Page, lines: Sequence[Span], link: Link) -> Span | None:
    """The fewest lines of a unit that say most of a condition, or else of what comes next, with the link in it."""
    for words in (content_words(link.condition), content_words(link.query)):
        if words and (found := max(_saying(page, lines, words, link.target), default=None)):
            return Span(page.document.id, *found[-1])
    return None


def _saying(
    page: Page, lines: Sequence[Span], words: set[str], target: Target | None
) -> Iterator[tuple[bool, float, int, int, Lines]]:
    """A few lines each that have the link in it or most of the words, the better the greater."""
    for span in lines:
        named = [
            href.line
            for href in page.hyperlinks(Lines(span.start, span.end))
            if linking.destination(href.href) == goal_of(target)
        ]
        for start in range(span.start, span.end + 1):
            for end in range(start, min(start + WINDOW, span.end + 1)):
                said = len(words & content_words(page.source.slice(start, end))) / len(words)
                is_linked = any(start <= line <= end for line in named)
                if is_linked or said > SAID:
                    yield is_linked, said, start - end, -start, Lines(start, end)


def goal_of(target: Target | None) -> tuple[str, str]:
    """The document and the anchor of a target, as of a hyperlink's destination."""
    return (target.document, target.anchor) if target else ("", "")


def _linked(
    unit: LogicUnit, upcoming: LogicUnit | None, goals: Sequence[tuple[set[str], Place]], page: Page
) -> LogicUnit:
    """A unit with its links settled and led to the units that they name; a step without any goes on with the next."""
    named = (_named(link, goals) for link in unit.links)
    links = tuple(settled for link in named if (settled := following.settled(link, unit, page.plan.ids)))
    if not links and upcoming:
        links = (Link(query=intent(upcoming), target=Target(place=upcoming.place)),)
    return unit.model_copy(update={"links": links})


def _named(link: Link, goals: Sequence[tuple[set[str], Place]]) -> Link:
    """A link with the place of the unit whose Header it says in other words, where there is one such unit."""
    words = content_words(link.query)
    fits = [place for intent, place in goals if intent and (intent <= words or (words and words <= intent))]
    if link.action is not LinkAction.CONTINUE or link.target is not None or len(fits) != 1:
        return link
    return link.model_copy(update={"target": Target(place=fits[0])})


# -- lines -------------------------------------------------------------------------------------------------------------


def _lines(ranges: Iterable[tuple[int, int]]) -> Iterator[int]:
    for start, end in ranges:
        yield from range(start, end + 1)
