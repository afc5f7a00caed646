"""A guide as JSON: its units with where each outcome leads. `schema` is its JSON Schema, kept in `guide.schema.json`.

`python -m thread_export.guide_json` writes that file anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Literal

from thread_core.layout import is_next
from thread_core.models import LinkAction, LogicUnit, Model, Scalar, Span
from thread_core.shelf import Leads, Shelf, Way
from thread_export.chart import is_inside

FORM: Final = 1
"""Of the JSON; raised whenever a field comes, goes or changes its meaning."""
SCHEMA = Path(__file__).with_name("guide.schema.json")


class Lines(Model):
    """Lines of the guide's document, 1-based, both included."""

    first: int
    last: int


class Outcome(Model):
    """A way on from a unit."""

    condition: str
    """In the document's words; empty: whatever came of it."""
    says: str
    """What is to be done then, or looked for."""
    action: LinkAction
    leads: Leads
    document: str
    """Of the unit to which it leads."""
    unit: str
    """The id of the unit to which it leads; empty where it leads to none."""
    candidates: tuple[str, ...]
    """Where `leads` is `ambiguous`: the documents that may be meant."""
    is_next: bool
    """Whether it says no more than that the document goes on there."""
    lines: Lines | None
    """Those that say so."""


class Unit(Model):
    """A step, or something else to be read."""

    id: str
    type: str
    """`step`, `faq`, `terminology`, `appendix`, `background`, or another word."""
    header: str
    section: tuple[str, ...]
    body: str
    """Markdown, as the document has it."""
    lines: tuple[Lines, ...]
    """Those of the body."""
    prerequisites: tuple[str, ...]
    parameters: Mapping[str, str]
    """Placeholders in the body's code, and their defaults."""
    outcomes: tuple[Outcome, ...]


class Guide(Model):
    """A guide whole: what there is to do, in reading order, and where each outcome leads."""

    format: Literal["thread-rag guide"] = "thread-rag guide"
    version: Literal[1] = FORM
    document: str
    title: str
    date: str
    aliases: tuple[str, ...]
    metadata: Mapping[str, Scalar]
    units: tuple[Unit, ...]


def write(shelf: Shelf, document_id: str) -> str:
    """Write a guide.

    Raises:
        IndexError: it has no units.
    """
    units = shelf.units(document_id)
    ways: dict[str, list[Outcome]] = {unit.id: [] for unit in units}
    for way in shelf.ways(document_id):
        ways[way.unit.id].append(_outcome(way))
    first = units[0]
    guide = Guide(
        document=document_id,
        title=first.title,
        date=first.date,
        aliases=first.aliases,
        metadata=first.metadata,
        units=tuple(_unit(unit, ways[unit.id]) for unit in units),
    )
    return json.dumps(guide.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of what `write` gives, draft 2020-12."""
    written = Guide.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **written}


def _unit(unit: LogicUnit, outcomes: list[Outcome]) -> Unit:
    return Unit(
        id=unit.id,
        type=str(unit.type),
        header=unit.header,
        section=unit.section,
        body=unit.body,
        lines=tuple(map(_lines, unit.body_spans)),
        prerequisites=unit.prerequisites,
        parameters=unit.parameters,
        outcomes=tuple(outcomes),
    )


def _outcome(way: Way) -> Outcome:
    goal, link = way.destination, way.link
    return Outcome(
        condition=link.condition,
        says=link.query,
        action=link.action,
        leads=Leads.INSIDE if is_inside(way) else goal.leads,
        document=goal.document_id,
        unit=goal.unit.id if goal.unit is not None else "",
        candidates=goal.candidates,
        is_next=is_next(link),
        lines=_lines(link.evidence) if link.evidence else None,
    )


def _lines(span: Span) -> Lines:
    return Lines(first=span.start, last=span.end)


if __name__ == "__main__":
    SCHEMA.write_text(json.dumps(schema(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
