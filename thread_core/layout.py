"""How a logic unit lies in a vector store's row: the same flat metadata in both frameworks.

Every key is written every time, because Chroma merges what it gets with what it has. `prerequisite`, `body`
and `linker` are for the eyes of a person or a model; keys that begin with `lu_` are ours. What a filter may ask for has
a key of its own, and all the rest is one JSON string: to write a row takes Chroma longer with every key that it has.
"""

from __future__ import annotations

import json
import math
from collections.abc import Container, Mapping
from typing import Any

from thread_core.documents.blocks.fences import closed
from thread_core.documents.leaning import joined
from thread_core.errors import BadStore
from thread_core.models import (
    Document,
    Link,
    LinkAction,
    LogicUnit,
    Passage,
    Place,
    Scalar,
    Span,
    Target,
    Twin,
    as_json,
    storable,
)
from thread_core.text import header
from thread_core.text.header import cut
from thread_core.text.scripts import words_of

LAYOUT = 3
"""Version of this layout, in every row."""
OUTDATED = 0
"""In the place of the version, in a row that is about to be deleted: no reader takes it for a unit."""
HEADER_PREFIX = "Logic unit: "
"""First words of a row's text, so that the header can be told from any other text."""

BLANKS = 4
"""Characters that a text may have lost at its end: some cleaners and stores strip it."""
_OURS = "lu_"
MARKER = "lu_layout"
DOCUMENT_ID = "lu_document"
TYPE = "lu_type"
HEADER = "lu_header"
REST = "lu_unit"
PLACE = "lu_place"
"""Document and place: the same of one unit, whichever retriever gives it, and of no other unit."""
BODY_START = "lu_body_start"
BODY_LENGTH = "lu_body_length"
ASK = "lu_ask"
"""The question to put to the person, where nothing said so far decides a unit's prerequisites."""
PREREQUISITE, BODY, LINKER = "prerequisite", "body", "linker"
VISIBLE = (PREREQUISITE, BODY, LINKER)

ONLY_UNITS: dict[str, Scalar] = {MARKER: LAYOUT}
"""A store filter that keeps to logic units where a collection holds other rows too."""

OF_LLAMA_INDEX = ("_node_content", "_node_type", "document_id", "doc_id", "ref_doc_id")
"""Keys that LlamaIndex writes into each of its rows, over those of the document."""
_DETAIL_WORDS = 25
_REMINDER_WORDS = 8


def is_unit(metadata: Mapping[str, Any] | None) -> bool:
    """Whether a row with that metadata is a logic unit of this layout."""
    return metadata is not None and metadata.get(MARKER) == LAYOUT


def is_of_any_layout(metadata: Mapping[str, Any] | None) -> bool:
    """Whether a row with that metadata is a logic unit, of this layout or of another one that cannot be read."""
    return metadata is not None and metadata.get(MARKER, OUTDATED) != OUTDATED


def heading(unit: LogicUnit) -> str:
    """What heads a unit for those who read its body below: title, sections, and what else its header says.

    That is left out where all of its words stand there already: the rules' headers end with the body's first words. It
    stands in the place of a last section of which it has all words.
    """
    above, own = header.heading(unit.title, unit.section), _own(unit)
    *words, last = words_of(own) or [""]  # The last one may be cut off.
    said = {*words_of(header.spaced(f"{above} {unit.body}")), str(unit.type)}
    if said.issuperset(words) and any(word.startswith(last) for word in said):
        return above
    repeated = {*words, last}.issuperset(words_of(header.spaced("".join(unit.section[-1:]))))
    path = unit.section[:-1] if repeated else unit.section
    return f"{header.heading(unit.title, path)}: {own}" if unit.title or path else own


def _own(unit: LogicUnit) -> str:
    """What a header says after title and sections; all of it where it does not begin with them."""
    for path in (unit.section, ()):
        above = f"{header.compose(unit.title, path)}: "
        if f"{unit.header}: ".startswith(above):
            return unit.header[len(above) :]
    return unit.header


def render(unit: LogicUnit) -> str:
    """A unit as a person or a model reads it: heading, prerequisites, body, linker."""
    return _text(heading(unit), unit)


def row_text(unit: LogicUnit) -> str:
    """The text of a row: what `render` gives, with the whole header on the first line, from which it is embedded."""
    return _text(f"{HEADER_PREFIX}{unit.header}", unit)


def header_of(text: str) -> str:
    """The header in a row's text; any other text comes back whole."""
    if not text.startswith(HEADER_PREFIX):
        return text
    return text.split("\n", 1)[0].removeprefix(HEADER_PREFIX).rstrip("\r")


def linker_text(unit: LogicUnit) -> str:
    """The links that lead elsewhere, one a line with the paper's marks; empty when there are none.

    That the next step comes next is not said: units are read in order, and the line would cost each of them tokens.
    """
    return "\n".join([_entry(unit, link) for link in unit.links if not is_next(link) and not leads_inside(unit, link)])


def leads_inside(unit: LogicUnit, link: Link) -> bool:
    """Whether what a link selects stands in the unit itself: "if the disk is full, free some space"."""
    if link.target is None or link.target.document:
        return False
    return link.target.place is unit.place or link.target.place == unit.place


def intent(unit: LogicUnit) -> str:
    """A header without the title, which the reader already knows: what a unit is for."""
    return unit.header.removeprefix(f"{header.compose(unit.title, ())}: ")


def is_next(link: Link) -> bool:
    """Whether a link only says that the document goes on."""
    return not link.condition and link.evidence is None and link.target is not None and link.target.place is not None


def with_text(unit: LogicUnit, text: str) -> dict[str, Scalar]:
    """The metadata of a unit whose text `render` or `row_text` gave: with what tells it from others, and its body."""
    before = [text.partition("\n")[0], *_before(unit)]
    return {
        **to_metadata(unit),
        PLACE: f"{unit.document_id}#{unit.place.anchor}/{unit.place.number}",
        BODY_START: sum(map(len, before)) + len(before),
        BODY_LENGTH: len(unit.body),
    }


def to_metadata(unit: LogicUnit) -> dict[str, Scalar]:
    """Everything but id and body, flat. Of the document's own metadata, keys of ours are left out."""
    return {
        **own_metadata(unit.metadata),
        PREREQUISITE: "\n".join(unit.prerequisites),
        LINKER: linker_text(unit),
        MARKER: LAYOUT,
        DOCUMENT_ID: unit.document_id,
        TYPE: str(unit.type),
        HEADER: unit.header,
        REST: as_json(_rest(unit)).decode("utf-8", "surrogatepass"),
    }


def _rest(unit: LogicUnit) -> dict[str, Any]:
    """What has no key of its own, without what is as in any unit: a row costs the more the longer it is."""
    fields = {
        "anchor": unit.place.anchor,
        "number": unit.place.number,
        "title": unit.title,
        "date": unit.date,
        "section": unit.section,
        "steps": unit.steps,
        "prerequisites": unit.prerequisites,
        "links": [link_to_json(link) for link in unit.links],
        "parameters": dict(unit.parameters),
        "aliases": unit.aliases,
        "spans": [_span_to_json(span, unit.document_id) for span in unit.spans],
        "body_spans": [(span.start, span.end) for span in unit.body_spans],
        "rewritten": unit.rewritten,
        "passages": unit.passages,
        "warnings": [_span_to_json(span, unit.document_id) for span in unit.warnings],
        "twins": [(twin.document_id, twin.unit_id) for twin in unit.twins],
    }
    return {name: value for name, value in fields.items() if value}


def from_metadata(unit_id: str, text: str, metadata: Mapping[str, Any]) -> LogicUnit:
    """A unit from a row. `text` holds the body, unless the metadata holds the body itself.

    Raises:
        BadStore: the row is not a logic unit of this layout, or its text is not the whole one any more.
    """
    if metadata.get(MARKER) != LAYOUT:
        raise BadStore(
            f"row {unit_id} is not a logic unit of layout {LAYOUT} (found {metadata.get(MARKER)!r});"
            " ingest the documents again"
        )
    try:
        unit = _read(unit_id, text, metadata)
    except (AttributeError, KeyError, TypeError, ValueError) as exc:
        reason = repr(exc).splitlines()[0]
        raise BadStore(f"row {unit_id} is damaged ({reason}); ingest its document again") from exc
    if BODY_START in metadata and not _holds(text, unit, metadata):
        raise BadStore(
            f"the text of {unit_id}, of {unit.document_id}, is not the complete text of its logic unit; units must not"
            " be split or changed again: remove what does that, then ingest into a new collection"
        )
    return unit


def _holds(text: str, unit: LogicUnit, metadata: Mapping[str, Any]) -> bool:
    """Whether a text still is what `render` or `row_text` gave of a unit, but for blanks at the end of its body."""
    start, length = int(metadata[BODY_START]), int(metadata[BODY_LENGTH])
    around = text[start - 1 : start] + text[start + length : start + length + 1]
    begins = text.startswith(HEADER_PREFIX + unit.header) or text.startswith(heading(unit))
    return begins and length - len(unit.body) <= BLANKS and around in ("\n", "\n\n")


def _read(unit_id: str, text: str, metadata: Mapping[str, Any]) -> LogicUnit:
    if BODY_START in metadata:
        start = int(metadata[BODY_START])
        body = text[start : start + int(metadata[BODY_LENGTH])]
    else:
        body = metadata[BODY]
    document_id = str(metadata[DOCUMENT_ID])
    rest = json.loads(metadata[REST])

    def spans(key: str) -> tuple[Span, ...]:
        return tuple(Span(next(iter(source), document_id), start, end) for start, end, *source in rest[key])

    return LogicUnit(
        id=unit_id,
        document_id=document_id,
        place=Place(rest.get("anchor", ""), rest["number"]),
        type=metadata[TYPE],
        header=metadata[HEADER],
        prerequisites=tuple(rest.get("prerequisites", ())),
        body=body,
        links=tuple(link_from_json(link, document_id) for link in rest.get("links", ())),
        parameters=rest.get("parameters", {}),
        steps=tuple(rest.get("steps", ())),
        title=rest.get("title", ""),
        date=rest.get("date", ""),
        section=tuple(rest.get("section", ())),
        spans=spans("spans"),
        body_spans=spans("body_spans"),
        rewritten=rest.get("rewritten", False),
        aliases=tuple(rest.get("aliases", ())),
        metadata=own_metadata(metadata),
        passages=tuple(Passage(*passage) for passage in rest.get("passages", ())),
        warnings=spans("warnings") if "warnings" in rest else (),
        twins=tuple(Twin(*twin) for twin in rest.get("twins", ())),
    )


def own_metadata(metadata: Mapping[str, Any]) -> dict[str, Scalar]:
    """What the document's author put in: everything that is neither ours nor the store's."""
    others = OF_LLAMA_INDEX if "_node_type" in metadata else ()
    return {
        key: value for key, value in metadata.items() if not is_ours(key) and key not in others and storable(key, value)
    }


def is_ours(key: str) -> bool:
    """Whether a document's metadata cannot have a key, because a unit's row has it."""
    return key in VISIBLE or key.startswith(_OURS)


def lost(document: Document, kept: Container[str] = ()) -> list[str]:
    """The keys of a document's metadata that its units do not carry, but for those that are kept beside them.

    What is lost says something: None, the NaN of a table and an empty list do not.
    """
    carried = own_metadata(document.scalars)
    return [
        key or "''"
        for key, value in document.metadata.items()
        if not (key in carried or key in kept or _is_missing(value))
    ]


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value)) or (isinstance(value, list) and not value)


def _text(first: str, unit: LogicUnit) -> str:
    linker = linker_text(unit)
    return "\n".join([first, *_before(unit), closed(unit.body), *([linker] if linker else ())])


def _before(unit: LogicUnit) -> list[str]:
    """What stands between the first line and the body."""
    return [f"Prerequisite: {text}" for text in unit.prerequisites]


def _entry(unit: LogicUnit, link: Link) -> str:
    """One line of the linker. Where the body says it already, a reminder is enough."""
    words = _REMINDER_WORDS if unit.says(link) or not link.condition else _DETAIL_WORDS
    word, stated = joined(link.condition)
    then = "then " if word == "if" else ""
    condition = f"{word.capitalize()} {cut(stated, words)}, {then}" if stated else ""
    return f"{link.action.mark} {condition}{_destination(link, words)}"


def _destination(link: Link, words: int) -> str:
    target = link.target
    if target is not None and target.document:
        name = target.document.rstrip("/").rsplit("/", 1)[-1]
        return f"{name}#{target.anchor}" if target.anchor and not name.startswith("#") else name
    if target is not None and target.step is not None:
        return f"step {target.step}"
    return cut(link.query, words)


def _span_to_json(span: Span, document_id: str) -> tuple[int, int] | tuple[int, int, str]:
    """First and last line, and the document where it is another one than the unit's."""
    return (span.start, span.end) if span.document_id == document_id else (span.start, span.end, span.document_id)


def link_to_json(link: Link) -> dict[str, Any]:
    """A link without what is as in any link, and with its evidence's lines alone: the document is the unit's."""
    return _stated(
        condition=link.condition,
        query=link.query,
        action="" if link.action is LinkAction.CONTINUE else link.action.value,
        target=link.target and _target_to_json(link.target),
        evidence=link.evidence and (link.evidence.start, link.evidence.end),
    )


def _target_to_json(target: Target) -> dict[str, Any]:
    place = target.place and _stated(
        anchor=target.place.anchor, number=None if target.place.number == 1 else target.place.number
    )
    return _stated(document=target.document, anchor=target.anchor, step=target.step, place=place)


def _stated(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None and value != ""}


def link_from_json(data: Mapping[str, Any], document_id: str) -> Link:
    """What `link_to_json` wrote. Raises KeyError, TypeError or ValueError where it is something else."""
    known = {**data}
    if evidence := known.get("evidence"):
        known["evidence"] = Span(document_id, evidence[0], evidence[1])
    if target := known.get("target"):
        known["target"] = _target_from_json(target)
    if action := known.get("action"):
        known["action"] = LinkAction(action)
    return Link(**known)


def _target_from_json(data: Mapping[str, Any]) -> Target:
    place = data.get("place")
    return Target(**{**data, "place": Place(**place)} if place is not None else data)
