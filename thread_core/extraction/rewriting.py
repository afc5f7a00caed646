"""A document as a model wrote it anew: the draft's form, and the units that it holds.

## Step (lines 12-18, 24)   what a unit is, and the lines of the document from which all of it was written
### Prerequisite            and the other parts, as in `paper_form`

Lines have to be there, and code is the document's own. What they say is held against them in `inventions`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from textwrap import indent

from thread_core import linking
from thread_core.documents.blocks.fences import Fence
from thread_core.documents.blocks.markdown import Block, Markdown, parse
from thread_core.documents.blocks.source import Source
from thread_core.documents.sections import Section
from thread_core.documents.templates import marked
from thread_core.extraction import following, forgotten, paper_form
from thread_core.extraction.claims import Claims, Fault, Outcome, Part, kept
from thread_core.extraction.pages import Lines, Page
from thread_core.extraction.paper_form import entries, is_part, listed, text_of
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
MARK = re.compile(r"\[(?:CONTINUE|CROSS|MITIGATE)\]")


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


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft in the right form."""

    text: str
    """As the model wrote it, what stood around it left out."""
    units: tuple[Written, ...]
    silent: frozenset[int] = frozenset()
    """The draft's lines of parts that were left out."""


# -- reading -----------------------------------------------------------------------------------------------------------


def read_draft(reply: str, page: Page, part: Lines) -> tuple[Draft | None, list[str]]:
    """The draft in a reply, whatever stands around it, and what is wrong with its form."""
    text = _unwrapped(reply)
    if not text:
        return None, ['the reply holds no unit; each begins with a heading such as "## Step (lines 3-9)"']
    markdown = parsed(text, page)
    wrong = list(_misplaced(markdown.blocks[1:]))
    names = [block.flat for block in markdown.blocks if is_unit(block)]
    read = paper_form.read(Document(page.document.id, markdown.source.text, title=page.plan.title), markdown)
    whole = Counter(unit.section[-1] for unit in read if unit.section)
    for name, count in Counter(names).items():
        wrong += _line_faults(name, page, part)
        if whole[name] < count:
            wrong.append(f'the unit "{name}" has no Header or no Body')
    if wrong:
        return None, wrong
    return Draft(text, tuple(_written(unit, markdown.source) for unit in read if unit.section)), []


def parsed(text: str, page: Page) -> Markdown:
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


def is_unit(block: Block) -> bool:
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
    units = tuple(_without(one, faults[at], page) if at in faults else one for at, one in enumerate(draft.units))
    bad = {(at, fault.part, fault.at) for at, fault in wrong}
    silent = (lines for part, lines in _part_lines(draft, page) if part in bad)
    return Draft(draft.text, units, draft.silent.union(*silent))


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


_PARTS = {"header": Part.HEADER, "prerequisite": Part.PREREQUISITE, "linker": Part.LINK}


def _part_lines(draft: Draft, page: Page) -> Iterator[tuple[tuple[int, Part, int], Set[int]]]:
    """The lines of each part of each unit of a draft, in the order in which they are read."""
    at, name = -1, ""
    counts: Counter[str] = Counter()
    for block in parsed(draft.text, page).blocks:
        match = is_part(block)
        if match or is_unit(block):
            at, name = at + (match is None), match[1].lower() if match else ""
            counts.clear()
        elif part := _PARTS.get(name):
            for entry in listed([block]):
                said = len(list(entries(entry.words))) if part is Part.LINK else bool(text_of(entry))
                for _ in range(said):
                    count = 0 if part is Part.HEADER else counts[name]
                    yield (at, part, count), set(range(entry.start, entry.end + 1))
                    counts[name] += 1


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
        if is_unit(block):
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
        if lines is None:
            yield f'the unit "{name}" names as lines "{text.strip()}"; expected "{part}" or a part of that'
        elif lines.start < part.start or lines.end > part.end:
            yield f'the unit "{name}" names lines {lines}; the document shown has lines {part}'
        elif all(page.source.blank(line) for line in range(lines.start, lines.end + 1)):
            yield f'the unit "{name}" names lines {lines}, which are blank'


# -- units -------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Making:
    """A unit in the making."""

    written: Written
    body_spans: tuple[Span, ...]
    headings: list[Span] = field(default_factory=list)


def units(page: Page, drafts: Sequence[Draft]) -> list[LogicUnit]:
    """The units of a document's drafts in reading order, with their lines, places and links in the document."""
    making = [_Making(written, _spans(page, written.lines)) for draft in drafts for written in draft.units]
    making.sort(key=lambda one: one.body_spans[0].start)
    _give_headings(page, making)
    numbers: Counter[str] = Counter()
    found = []
    for one in making:
        section = _section(page, one)
        numbers[section.anchor] += 1
        found.append(_unit(page, one, Place(section.anchor, numbers[section.anchor]), section.path))
    goals = [(content_words(one.written.intent), unit.place) for one, unit in zip(making, found, strict=True)]
    upcoming = following.next_steps(found)
    linked = [_linked(unit, after, goals, page) for unit, after in zip(found, upcoming, strict=True)]
    for at, link in forgotten_in([one.written for one in making], page):
        added = forgotten.led(link, page, linked[at], lambda line: _holding(line, linked))
        linked[at] = following.with_links(linked[at], (*linked[at].links, added))
    return linked


def _holding(line: int, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """The first unit that was written from a line."""
    return next((one for one in units if any(span.start <= line <= span.end for span in one.body_spans)), None)


def _spans(page: Page, ranges: tuple[Lines, ...]) -> tuple[Span, ...]:
    """Lines as spans, blank lines at their ends left out, and code blocks never cut."""
    lines = {line for line in _lines(ranges) if not page.source.blank(line)}
    for block in page.blocks:
        if block.kind == "code" and not lines.isdisjoint(range(block.start, block.end + 1)):
            lines.update(range(block.start, block.end + 1))
    between = {line for line in _lines(ranges) if page.source.blank(line)}
    together = runs(sorted(lines | between))
    trimmed = ([line for line in range(start, end + 1) if line in lines] for start, end in together)
    return tuple(Span(page.document.id, run[0], run[-1]) for run in trimmed if run)


def _give_headings(page: Page, making: Sequence[_Making]) -> None:
    """A heading that no unit names goes to the unit of the first line below it."""
    owners: dict[int, _Making] = {}
    for one in making:
        for line in _lines((span.start, span.end) for span in one.body_spans):
            owners.setdefault(line, one)
    named = sorted(owners)
    for section in page.sections:
        if section.heading and section.heading[0] not in owners:
            at = bisect_right(named, section.heading[1])
            if at < len(named):
                owners[named[at]].headings.append(Span(page.document.id, *section.heading))


def _section(page: Page, one: _Making) -> Section:
    """The section in which most of a unit's lines stand."""
    lines = _lines((span.start, span.end) for span in one.body_spans)
    anchors = Counter(page.section(line).anchor for line in lines)
    best = max(anchors.values())
    return next(section for section in page.sections if anchors[section.anchor] == best)


def _unit(page: Page, one: _Making, place: Place, section: tuple[str, ...]) -> LogicUnit:
    unit, plan = one.written.unit, page.plan
    body = _with_own_code(page, unit.body)
    first, last = one.body_spans[0], one.body_spans[-1]
    spans = tuple(sorted((*one.headings, *one.body_spans), key=lambda span: span.start))
    return LogicUnit(
        id="",
        document_id=page.document.id,
        place=place,
        type=one.written.type,
        header=header.compose(plan.title, (*section, one.written.intent)),
        prerequisites=unit.prerequisites,
        body=body,
        links=tuple(_link(page, one, link) for link in one.written.links),
        parameters={**marked(unit.body), **unit.parameters},
        steps=tuple(number for lines in one.written.lines for _, number in page.steps_in(lines)),
        title=plan.title,
        date=plan.date,
        section=section,
        spans=spans,
        body_spans=one.body_spans,
        rewritten=first != last or body != page.source.slice(first.start, first.end),
        aliases=plan.aliases,
        metadata=page.document.scalars,
    )


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


def _link(page: Page, one: _Making, link: Link) -> Link:
    """A link with its evidence in the document; a number of the draft names no step of the document."""
    target = link.target if link.target and link.target.step is None else None
    outside = link.action is LinkAction.CONTINUE and target is not None and bool(target.document)
    action = LinkAction.CROSS if outside else link.action
    return Link(link.condition, link.query, action, target, _evidence(page, one.body_spans, link))


def _evidence(page: Page, lines: Sequence[Span], link: Link) -> Span | None:
    """The fewest lines of a unit that say most of a condition, or else of what comes next, with the link in it."""
    for words in (content_words(link.condition), content_words(link.query)):
        if words and (span := _saying(page, lines, words, link.target)):
            return span
    return None


def _saying(page: Page, lines: Sequence[Span], words: set[str], target: Target | None) -> Span | None:
    best: tuple[bool, float, int] = (False, SAID, 0)
    found: Span | None = None
    for span in lines:
        named = [href.line for href in page.hyperlinks(Lines(span.start, span.end)) if is_goal(href.href, target)]
        for start in range(span.start, span.end + 1):
            for end in range(start, min(start + WINDOW, span.end + 1)):
                said = len(words & content_words(page.source.slice(start, end))) / len(words)
                fit = any(start <= line <= end for line in named), said, start - end
                if fit > best:
                    best, found = fit, Span(span.document_id, start, end)
    return found


def is_goal(href: str, target: Target | None) -> bool:
    """Whether a hyperlink leads where a link leads."""
    return target is not None and (target.document, target.anchor) == linking.destination(href)


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


def runs(lines: Sequence[int]) -> list[Lines]:
    """Lines in order as few ranges as there may be."""
    found: list[Lines] = []
    for line in lines:
        if found and line == found[-1].end + 1:
            found[-1] = Lines(found[-1].start, line)
        else:
            found.append(Lines(line, line))
    return found
