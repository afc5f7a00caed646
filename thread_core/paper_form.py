"""The paper's own written form of logic units, as a document shape: read with its marks, not guessed at.

### Prerequisite      what must hold
### Header            the intent
### Body              what to do
### Linker            - If <condition>, then <intent>. [CONTINUE] | [CROSS] | [MITIGATE]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from thread_core import conditions, directions, header
from thread_core.markdown import Block, Hyperlink, Markdown
from thread_core.models import Document, Link, LinkAction, LogicUnit, LogicUnitType, Place, Span, Target
from thread_core.outline import Outline, outline, slug

_PART = re.compile(r"(prerequisite|header|body|linker)s?\s*:?", re.IGNORECASE)
_MARK = re.compile(r"\[(CONTINUE|CROSS|MITIGATE)\]")
_IF_THEN = re.compile(r"(?:if|when)\s+(?P<condition>.+?),\s*then\s+(?P<then>.+)", re.IGNORECASE)
_NOTHING = re.compile(r"(?:none|n/?a|nothing|-)\W*", re.IGNORECASE)


@dataclass(slots=True)
class _Written:
    """One unit as written: blocks by part, and the headings over them."""

    section: str
    first: int
    headings: list[tuple[int, int]] = field(default_factory=list)
    parts: dict[str, list[Block]] = field(default_factory=dict)


def is_written_so(markdown: Markdown) -> bool:
    """Whether a document names its units' parts: a Header, a Body, and what must hold or what comes next."""
    names = {match[1].lower() for block in markdown.blocks if (match := _part(block))}
    return {"header", "body"} <= names and not names.isdisjoint(("prerequisite", "linker"))


def read(document: Document, markdown: Markdown) -> tuple[LogicUnit, ...]:
    """Units as they are written. A unit begins at its Prerequisite, or at its Header where that is left out."""
    plan = outline(markdown, document.id, document.title)
    numbers: Counter[str] = Counter()
    units = []
    for written in _written(markdown.blocks):
        if not written.parts.get("header") or not written.parts.get("body"):
            continue
        anchor = slug(written.section)
        numbers[anchor] += 1
        units.append(_unit(document, plan, written, Place(anchor, numbers[anchor]), markdown))
    return tuple(_followed(units))


def _part(block: Block) -> re.Match[str] | None:
    return _PART.fullmatch(block.flat) if block.kind == "heading" else None


def _written(blocks: tuple[Block, ...]) -> Iterator[_Written]:
    unit: _Written | None = None
    section = ""
    part, level = "", 0
    loose: list[tuple[int, int]] = []
    for index, block in enumerate(blocks):
        if match := _part(block):
            name = match[1].lower()
            if unit is None or name in unit.parts or (name == "prerequisite" and unit.parts):
                if unit is not None:
                    yield unit
                unit = _Written(section, block.start, loose)
                loose = []
            part, level = name, block.level
            unit.parts[part] = []
            unit.headings.append((block.start, block.end))
        elif block.kind == "heading" and not (unit is not None and part == "body" and block.level > level):
            if unit is not None:
                yield unit
            unit = None
            section = block.flat if index else ""
            loose.append((block.start, block.end))
        elif unit is not None:
            unit.parts[part].append(block)
    if unit is not None:
        yield unit


def _unit(document: Document, plan: Outline, written: _Written, place: Place, markdown: Markdown) -> LogicUnit:
    body = written.parts["body"]
    span = Span(document.id, body[0].start, body[-1].end)
    others = [
        block for name, blocks in written.parts.items() if name != "body" for block in blocks if not _holds_code(block)
    ]
    lines = sorted([*written.headings, (span.start, span.end), *((block.start, block.end) for block in others)])
    intent = " ".join(block.words.replace("\n", " ") for block in written.parts["header"])
    return LogicUnit(
        id="",
        document_id=document.id,
        place=place,
        type=LogicUnitType.STEP,
        header=header.compose(plan.title, (written.section, intent)),
        prerequisites=tuple(_entries(written.parts.get("prerequisite", []))),
        body=markdown.source.slice(span.start, span.end),
        links=tuple(_links(document.id, written.parts.get("linker", []), place)),
        title=plan.title,
        date=plan.date,
        section=(written.section,) if written.section else (),
        spans=tuple(Span(document.id, *pair) for pair in lines),
        body_spans=(span,),
        aliases=plan.aliases,
        metadata=document.scalars,
    )


def _holds_code(block: Block) -> bool:
    """Code is kept byte for byte, which only a body does: outside of one it becomes an appendix unit."""
    return any(part.kind == "code" for part in block.walk())


def _entries(blocks: list[Block]) -> Iterator[str]:
    for block in blocks:
        for entry in block.children if block.kind == "list" else (block,):
            text = " ".join(entry.words.split())
            if text and not _NOTHING.fullmatch(text):
                yield text


def _links(document_id: str, blocks: list[Block], place: Place) -> Iterator[Link]:
    for block in blocks:
        for entry in block.children if block.kind == "list" else (block,):
            evidence = Span(document_id, entry.start, entry.end)
            hyperlinks = [link for part in entry.walk() for link in part.links]
            for said, mark in _marked(" ".join(entry.words.split())):
                clause = _IF_THEN.match(said) or conditions.clause(said)
                if isinstance(clause, re.Match):
                    condition, query = clause["condition"], clause["then"]
                else:
                    condition, query = (clause.condition, clause.consequence) if clause else ("", said)
                if not query or _NOTHING.fullmatch(query):
                    continue
                target = _target(query, [link for link in hyperlinks if link.text in said], place)
                yield Link(condition, query, _action(mark, query, target), target, evidence)


def _marked(text: str) -> Iterator[tuple[str, str]]:
    """Entries with their marks, which stand after what is said or before it; a text may hold several."""
    said, *pairs = (piece.strip() for piece in _MARK.split(text))
    marks, others = pairs[::2], pairs[1::2]
    texts = (said, *others) if said else others
    yield from zip_longest(texts, marks, fillvalue="")


def _target(query: str, hyperlinks: list[Hyperlink], place: Place) -> Target | None:
    if hyperlinks:
        name, _, anchor = hyperlinks[0].href.partition("#")
        return Target(document=name, anchor=anchor.lower())
    jump = directions.jump(query)
    return Target(anchor=place.anchor, step=jump.step) if jump and jump.step is not None else None


def _action(mark: str, query: str, target: Target | None) -> LinkAction:
    if not mark:
        return LinkAction.CROSS if target and target.document else LinkAction.CONTINUE
    if mark == "MITIGATE":
        return LinkAction.ESCALATE if directions.ending(query) is LinkAction.ESCALATE else LinkAction.RESOLVED
    return LinkAction(mark)


def _followed(units: list[LogicUnit]) -> Iterator[LogicUnit]:
    """A unit without a linker goes on with the next one."""
    for index, unit in enumerate(units):
        if not unit.links and index + 1 < len(units):
            follower = units[index + 1]
            query = follower.header.removeprefix(f"{header.compose(unit.title, ())}: ")
            yield unit.model_copy(update={"links": (Link(query=query, target=Target(place=follower.place)),)})
        else:
            yield unit
