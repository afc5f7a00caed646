"""The paper's JSON form of logic units, written and read: `#type#`, `#header#`, `#body#`, `#linker#` and so on.

`#meta data#` holds where a unit came from: document, section, place and lines. So spans are valid without the source,
as citations of the document that is named; where the source is at hand, they are held against it. Units that name no
lines, such as those of another tool, are cited by the lines of the JSON itself, which is then their document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from thread_core.documents.blocks.source import Source
from thread_core.errors import BadDocument
from thread_core.extraction.finishing import finished
from thread_core.extraction.paper_form import action, entries
from thread_core.layout import link_from_json, link_to_json
from thread_core.models import (
    Document,
    Line,
    Link,
    LogicUnit,
    LogicUnitType,
    OneLine,
    Place,
    Scalar,
    Span,
    Text,
    encodable,
    faults_in,
    identify,
)

_OPENING = re.compile(r"\ufeff?[ \t\r\n]*(?:\[[ \t\r\n]*)?")
_SPACE = re.compile(r"[ \t\r\n]*")
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+")
_NOTHING = re.compile(r"(?:none|n/?a|nothing|-)?\W*", re.IGNORECASE)
_ADVICE = "expected a list of units, each an object with the keys that write_json writes"


def _listed(value: Any) -> Any:
    """A list, or the lines of a text without bullets; nothing and "None" say that there is nothing."""
    if value is None:
        return []
    lines = (
        [_BULLET.sub("", line, count=1).strip() for line in _LINE_END.split(value)] if isinstance(value, str) else value
    )
    if not isinstance(lines, list):
        return lines
    return [line for line in lines if not (isinstance(line, str) and _NOTHING.fullmatch(line))]


def _said(value: Any) -> Any:
    """A default that was written as a number is what it says."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


_Listed = Annotated[tuple[Text, ...], BeforeValidator(_listed)]
_Default = Annotated[Text, BeforeValidator(_said)]
_Lines = tuple[Line, Line]


class _Provenance(BaseModel):
    """What `#meta data#` says; keys that we do not write are the document's own metadata."""

    model_config = ConfigDict(extra="allow")

    document: Text = ""
    title: Text = ""
    date: Text = ""
    section: tuple[Text, ...] = ()
    anchor: Text = ""
    number: Line | None = None
    steps: tuple[int, ...] = ()
    aliases: tuple[Text, ...] = ()
    spans: tuple[_Lines, ...] = ()
    body_spans: tuple[_Lines, ...] = ()
    rewritten: bool = False
    links: tuple[dict[str, Any], ...] = ()
    """The links as they are, each beside its entry of the linker; an entry that says something else counts alone."""
    metadata: dict[str, Scalar] = {}

    @property
    def own(self) -> dict[str, Scalar]:
        """The document's own metadata."""
        others = {key: value for key, value in (self.model_extra or {}).items() if isinstance(value, str | int | float)}
        return {**others, **self.metadata}


class _Written(BaseModel):
    """A unit as it is written."""

    model_config = ConfigDict(extra="forbid")

    type: OneLine = Field(LogicUnitType.STEP, alias="#type#")
    provenance: _Provenance = Field(_Provenance(), alias="#meta data#")
    prerequisites: _Listed = Field((), alias="#prerequisite#")
    header: Text = Field(alias="#header#")
    body: Annotated[str, Field(min_length=1), AfterValidator(encodable)] = Field(alias="#body#")
    linker: _Listed = Field((), alias="#linker#")
    parameters: dict[Text, _Default] = Field({}, alias="#default_parameters#")


def write_json(units: Iterable[LogicUnit]) -> str:
    """Units in the paper's JSON form. Nothing is left out: `read_json` gives the same units, with the same ids."""
    return json.dumps([_object(unit) for unit in units], ensure_ascii=False, indent=2) + "\n"


def _object(unit: LogicUnit) -> dict[str, Any]:
    return {
        "#type#": str(unit.type),
        "#meta data#": {
            "document": unit.document_id,
            "title": unit.title,
            "date": unit.date,
            "section": unit.section,
            "anchor": unit.place.anchor,
            "number": unit.place.number,
            "steps": unit.steps,
            "aliases": unit.aliases,
            "spans": [(span.start, span.end) for span in unit.spans],
            "body_spans": [(span.start, span.end) for span in unit.body_spans],
            "rewritten": unit.rewritten,
            "links": [link_to_json(link) for link in unit.links],
            "metadata": dict(unit.metadata),
        },
        "#prerequisite#": unit.prerequisites,
        "#header#": unit.header,
        "#body#": unit.body,
        "#linker#": [_entry(link) for link in unit.links],
        "#default_parameters#": dict(unit.parameters),
    }


def _entry(link: Link) -> str:
    """A link as an entry of a linker."""
    case = f"If {link.condition}, then" if link.condition else "Then"
    return f"{case} {link.query} {link.action.mark}"


def read_json(text: str, document: Document) -> tuple[LogicUnit, ...]:
    """Units in the paper's JSON form: what `write_json` wrote, or the keys of the paper alone.

    Args:
        text: The JSON, which is untrusted: a list of units, or one.
        document: What the units were made from. Where its text is empty, the lines that they name are not checked.
            Units that name no lines are read with the JSON itself as the document's text.

    Raises:
        BadDocument: The JSON, or a unit in it, is not of this form, or is not from this document.
    """
    found = []
    for number, (first, last, value) in enumerate(_values(text, document.id), start=1):
        try:
            found.append(_unit(_Written.model_validate(value), document, Span(document.id, first, last), number))
        except (KeyError, TypeError, ValueError) as exc:
            reason = faults_in(exc)[0] if isinstance(exc, ValidationError) else exc
            raise BadDocument(document.id, f"unit {number} (line {first}): {reason}; {_ADVICE}") from exc
    _check(found, text, document)
    return identify(finished(found))


def _values(text: str, document_id: str) -> Iterator[tuple[int, int, Any]]:
    """Each value of a list, or the only one, with its first and last line."""
    decoder = json.JSONDecoder()
    before, at, line = 0, _end(_OPENING, text, 0), 1
    is_list = text[:at].rstrip().endswith("[")
    while at < len(text) and not (is_list and text[at] == "]"):
        line += len(_LINE_END.findall(text, before, at))
        try:
            value, before = decoder.raw_decode(text, at)
        except (RecursionError, ValueError) as exc:
            raise BadDocument(document_id, f"invalid JSON after line {line} ({exc}); {_ADVICE}") from exc
        last = line + len(_LINE_END.findall(text, at, before))
        yield line, last, value
        line, at = last, _end(_BETWEEN if is_list else _SPACE, text, before)
        if not is_list:
            break
    if text[at:].rstrip() != "]" * is_list or not text.strip():
        found = text[at : at + 40] or "its end"
        raise BadDocument(document_id, f"expected the end of the JSON after line {line}, found {found!r}; {_ADVICE}")


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where what a pattern matches ends that begins at a character."""
    match = pattern.match(text, at)
    return match.end() if match else at


def _unit(written: _Written, document: Document, lines: Span, number: int) -> LogicUnit:
    said = written.provenance
    if said.document and said.document != document.id:
        raise ValueError(f"found the document {said.document!r}, expected {document.id!r}")
    body = tuple(Span(document.id, start, end) for start, end in said.body_spans) or (lines,)
    place = Place(said.anchor, said.number or number)
    return LogicUnit(
        id="",
        document_id=document.id,
        place=place,
        type=written.type,
        header=written.header,
        prerequisites=written.prerequisites,
        body=written.body,
        links=tuple(_links(written.linker, said, document)),
        parameters=written.parameters,
        steps=said.steps,
        title=said.title or document.title,
        date=said.date,
        section=said.section,
        spans=tuple(Span(document.id, start, end) for start, end in said.spans) or body,
        body_spans=body,
        rewritten=said.rewritten,
        aliases=said.aliases,
        metadata=said.own or document.scalars,
    )


def _links(linker: tuple[str, ...], said: _Provenance, document: Document) -> Iterator[Link]:
    """The link of each entry with all that is known of it; an entry that says something else is read as it is."""
    for entry, known in zip_longest(linker, said.links[: len(linker)]):
        link = link_from_json(known, document.id) if known is not None else None
        if link is not None and _entry(link) == entry:
            yield link
        else:
            yield from (Link(part.condition, part.query, action(part)) for part in entries(entry))


def _check(units: list[LogicUnit], text: str, document: Document) -> None:
    """Hold bodies against the lines that they name, where these are at hand."""
    if document.text == text or not document.text:
        return
    source = Source(document.text.removeprefix("\ufeff"))
    for number, unit in enumerate(units, start=1):
        last = max(span.end for span in (*unit.spans, *unit.body_spans))
        spans = unit.body_spans
        is_cut = not unit.rewritten
        if last > len(source) or (is_cut and unit.body != "\n".join(source.slice(s.start, s.end) for s in spans)):
            raise BadDocument(
                document.id,
                f"unit {number}: its body is not what {', '.join(map(str, spans))} say; make the units again from this"
                " text, or read them with the text from which they were made",
            )
