"""The paper's own written form of logic units, as a document shape: read with its marks, not guessed at.

### Prerequisite      what must hold
### Header            the intent
### Body              what to do
### Linker            - If <condition>, then <intent>. [CONTINUE] | [CROSS] | [MITIGATE]

Ours are "Type", where it is no step, and "Default parameters".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from thread_core import linking
from thread_core.documents import conditions, directions
from thread_core.documents.blocks.markdown import Block, Hyperlink, Markdown
from thread_core.documents.headings import slug
from thread_core.documents.sections import Outline, outline
from thread_core.layout import intent
from thread_core.models import Document, Link, LinkAction, LogicUnit, LogicUnitType, Place, Span, Target
from thread_core.text import header

_PART = re.compile(r"(prerequisite|header|type|body|default parameter|linker)s?\s*:?", re.IGNORECASE)
MARK = re.compile(r"\[(CONTINUE|CROSS|MITIGATE)\]")
_THEN = re.compile(r"(?:(?:if|when)\s+(?P<condition>.+?),\s*)?then\s+(?P<then>.+)", re.IGNORECASE)
_NOTHING = re.compile(r"(?:none|n/?a|nothing|-)\W*", re.IGNORECASE)


VERBATIM = "verbatim"
"""Names the fence around a body that would not be read as one, such as one that holds a heading."""


@dataclass(slots=True)
class _Written:
    """One unit as written: blocks by part, and the headings over them."""

    section: tuple[str, ...]
    first: int
    headings: list[tuple[int, int]] = field(default_factory=list)
    parts: dict[str, list[Block]] = field(default_factory=dict)


def is_written_so(markdown: Markdown) -> bool:
    """Whether a document names its units' parts: a Header, a Body, and what must hold or what comes next."""
    names = {match[1].lower() for block in markdown.blocks if (match := is_part(block))}
    return {"header", "body"} <= names and not names.isdisjoint(("prerequisite", "linker"))


def read(document: Document, markdown: Markdown) -> tuple[LogicUnit, ...]:
    """Units as they are written. A unit begins at its Prerequisite, or at its Header where that is left out."""
    plan = outline(markdown, document.id, document.title)
    numbers: Counter[str] = Counter()
    units = []
    open_ended = set()
    for written in _written(markdown.blocks):
        if not written.parts.get("header") or not written.parts.get("body"):
            continue
        anchor = slug(written.section[-1]) if written.section else ""
        numbers[anchor] += 1
        place = Place(anchor, numbers[anchor])
        units.append(_unit(document, plan, written, place, markdown))
        if "linker" not in written.parts:
            open_ended.add(place)
    return tuple(_followed(units, open_ended))


def is_part(block: Block) -> re.Match[str] | None:
    """The name of a unit's part in a heading, as the match's first group."""
    return _PART.fullmatch(block.flat) if block.kind == "heading" else None


def _written(blocks: tuple[Block, ...]) -> Iterator[_Written]:
    unit: _Written | None = None
    path: list[tuple[int, str]] = []
    part, level = "", 0
    loose: list[tuple[int, int]] = []
    for index, block in enumerate(blocks):
        if match := is_part(block):
            name = match[1].lower()
            if unit is None or name in unit.parts or (name == "prerequisite" and unit.parts):
                if unit is not None:
                    yield unit
                unit = _Written(tuple(name for _, name in path if name), block.start, loose)
                loose = []
            part, level = name, block.level
            unit.parts[part] = []
            unit.headings.append((block.start, block.end))
        elif block.kind == "heading" and not (unit is not None and part == "body" and block.level > level):
            if unit is not None:
                yield unit
            unit = None
            path = [(above, name) for above, name in path if above < block.level]
            path.append((block.level, block.flat if index else ""))
            loose.append((block.start, block.end))
        elif unit is not None:
            unit.parts[part].append(block)
    if unit is not None:
        yield unit


def _unit(document: Document, plan: Outline, written: _Written, place: Place, markdown: Markdown) -> LogicUnit:
    body = written.parts["body"]
    first, last = body[0].start, body[-1].end
    if len(body) == 1 and body[0].language == VERBATIM and last - first > 1:
        first, last = first + 1, last - 1
    span = Span(document.id, first, last)
    others = [
        block for name, blocks in written.parts.items() if name != "body" for block in blocks if not _holds_code(block)
    ]
    lines = sorted([*written.headings, (body[0].start, body[-1].end), *((block.start, block.end) for block in others)])
    intent = (block.words.replace("\n", " ") for block in written.parts["header"])
    return LogicUnit(
        id="",
        document_id=document.id,
        place=place,
        type=next(_entries(written.parts.get("type", [])), LogicUnitType.STEP),
        header=header.compose(plan.title, (*written.section, *intent)),
        prerequisites=tuple(_entries(written.parts.get("prerequisite", []))),
        body=markdown.source.slice(span.start, span.end),
        links=tuple(_links(document.id, written.parts.get("linker", []), place)),
        parameters=dict(map(_parameter, _entries(written.parts.get("default parameter", [])))),
        title=plan.title,
        date=plan.date,
        section=written.section,
        spans=tuple(Span(document.id, *pair) for pair in lines),
        body_spans=(span,),
        aliases=plan.aliases,
        metadata=document.scalars,
    )


def _holds_code(block: Block) -> bool:
    """Code is kept byte for byte, which only a body does: outside of one it becomes an appendix unit."""
    return any(part.kind == "code" for part in block.walk())


def listed(blocks: Iterable[Block]) -> Iterator[Block]:
    """The entries of a part: the items of its lists, and what stands beside them."""
    for block in blocks:
        yield from block.children if block.kind == "list" else (block,)


def text_of(entry: Block) -> str:
    """What an entry says; empty where that is "None"."""
    text = " ".join(entry.words.split())
    return "" if _NOTHING.fullmatch(text) else text


def _entries(blocks: list[Block]) -> Iterator[str]:
    return filter(None, map(text_of, listed(blocks)))


def _links(document_id: str, blocks: list[Block], place: Place) -> Iterator[Link]:
    for entry in listed(blocks):
        evidence = Span(document_id, entry.start, entry.end)
        hyperlinks = [link for part in entry.walk() for link in part.links]
        for said in entries(entry.words):
            target = _target(said.query, [link for link in hyperlinks if link.text in said.text], place)
            yield Link(said.condition, said.query, action(said, target), target, evidence)


class Entry(NamedTuple):
    """An entry of a linker."""

    text: str
    condition: str
    query: str
    mark: str
    """CONTINUE, CROSS or MITIGATE; empty where it has none."""


def entries(text: str) -> Iterator[Entry]:
    """What a linker's text says: "If <condition>, then <intent>. [MARK]", one or several.

    Example:
        >>> [(entry.condition, entry.query, entry.mark) for entry in entries("If a, then do b. [CROSS]")]
        [('a', 'do b.', 'CROSS')]
    """
    for said, mark in _marked(" ".join(text.split())):
        if match := _THEN.match(said):
            condition, query = match["condition"] or "", match["then"]
        else:
            clause = conditions.clause(said)
            condition, query = (clause.condition, clause.consequence) if clause else ("", said)
        if query and not _NOTHING.fullmatch(query):
            yield Entry(said, condition, query, mark)


def _parameter(entry: str) -> tuple[str, str]:
    name, _, default = entry.partition(":")
    return name.strip(), default.strip()


def _marked(text: str) -> Iterator[tuple[str, str]]:
    """Entries with their marks, which stand after what is said or before it; a text may hold several."""
    said, *pairs = (piece.strip() for piece in MARK.split(text))
    marks, others = pairs[::2], pairs[1::2]
    texts = (said, *others) if said else others
    yield from zip_longest(texts, marks, fillvalue="")


def _target(query: str, hyperlinks: list[Hyperlink], place: Place) -> Target | None:
    if hyperlinks:
        name, anchor = linking.destination(hyperlinks[0].href)
        return Target(document=name, anchor=anchor)
    jump = directions.jump(query)
    return Target(anchor=place.anchor, step=jump.step) if jump and jump.step is not None else None


def action(entry: Entry, target: Target | None = None) -> LinkAction:
    """What an entry's mark means, or where it has none, its target."""
    if not entry.mark:
        return LinkAction.CROSS if target and target.document else LinkAction.CONTINUE
    if entry.mark == "MITIGATE":
        return LinkAction.ESCALATE if directions.ending(entry.query) is LinkAction.ESCALATE else LinkAction.RESOLVED
    return LinkAction(entry.mark)


def _followed(units: list[LogicUnit], open_ended: Set[Place]) -> Iterator[LogicUnit]:
    """A unit without a linker goes on with the next one; one whose linker says "None" does not."""
    for index, unit in enumerate(units):
        if unit.place in open_ended and index + 1 < len(units):
            follower = units[index + 1]
            onward = Link(query=intent(follower), target=Target(place=follower.place))
            yield unit.model_copy(update={"links": (onward,)})
        else:
            yield unit
