"""Units as JSON lines: a store's units in a file that every program can read, and back again without a model.

The first line says what the others are: `{"format": "thread-rag units", "units": 2, "version": 1}`. Each other line is
a unit with all of its fields, sorted by document and then in reading order, so that equal stores make equal files.
Vectors are left out: they follow from the headers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, Literal

from pydantic import ValidationError

from thread_core.documents import passages
from thread_core.errors import BadFile, BadStore
from thread_core.extraction.fidelity import Extraction, Report
from thread_core.models import Document, LogicUnit, Model, changed, faults_in, identify
from thread_core.ports import UnitStore
from thread_core.store.batches import batches

FORMAT: Final = "thread-rag units"
VERSION = 1
DOCUMENTS = 100
"""Documents whose units are read at once."""
PAGE = 1000
"""Units that are read at once where only their documents are of interest."""


class Heading(Model):
    """The first line."""

    format: Literal["thread-rag units"] = FORMAT
    version: int = VERSION
    units: int
    """How many lines follow."""


def to_lines(store: UnitStore, documents: Iterable[str] | None = None) -> Iterator[str]:
    """The units of a store as lines, without line breaks at their ends. What is in memory is a page of documents.

    Args:
        store: Of the units.
        documents: Whose units are given; None for all.

    Raises:
        BadStore: the store was written meanwhile, so what was given is of two states.
    """
    version = store.version()
    if documents is None:
        ids = store.ids()
        chosen, count = sorted(_documents_of(store, ids)), len(ids)
    else:
        chosen = sorted(set(documents))
        count = sum(len(units) for some in batches(chosen, DOCUMENTS) for units in store.documents(some).values())
    yield line_of(Heading(units=count))
    for some in batches(chosen, DOCUMENTS):
        held = store.documents(some)
        yield from (line_of(unit) for document_id in some for unit, _ in held.get(document_id, ()))
    if store.version() != version:
        raise BadStore("the store was changed while it was read; try again when no ingest is running")


def from_lines(lines: Iterable[str]) -> Iterator[LogicUnit]:
    """The units of lines, a document at a time.

    Raises:
        BadFile: a line is not what is expected there, a unit's id is not that of its content, the units of a document
            do not stand together, or lines are missing at the end.
    """
    numbered = enumerate(lines, start=1)
    heading = _heading(next(numbered, (1, ""))[1])
    seen: set[str] = set()
    count = 0
    units = ((number, _unit(number, line)) for number, line in numbered)
    for document_id, group in groupby(units, key=lambda one: one[1].document_id):
        places = list(group)
        if document_id in seen:
            raise BadFile(f"line {places[0][0]}: found more units of {document_id}, expected all of them together")
        seen.add(document_id)
        _check_ids(places)
        count += len(places)
        yield from (unit for _, unit in places)
    if count != heading.units:
        raise BadFile(
            f"line 1 announces {heading.units} units, but {count} follow; the file is incomplete, so export again"
        )


def as_documents(lines: Iterable[str]) -> Iterator[Document]:
    """The same as documents, each with its units' lines for a text, for an ingest with `UnitLines` for its extractor.

    Raises:
        BadFile: as `from_lines`.
    """
    for document_id, units in groupby(from_lines(lines), key=lambda unit: unit.document_id):
        yield Document(document_id, "\n".join(map(line_of, units)))


class UnitLines:
    """Takes documents apart that `as_documents` made: their units are there already.

    Example:
        ThreadIngest(store, default_embedding(), extractor=UnitLines()).run(as_documents(file))
    """

    name = f"{FORMAT} {VERSION}"

    def attempt_all(self, documents: Iterable[Document], concurrency: int = 1) -> Iterator[Extraction]:
        """Each document's units, in order."""
        return map(_extraction, documents)


def line_of(value: Model) -> str:
    """A value as a line of JSON; the order of its fields is always the same."""
    return json.dumps(value.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)


def _extraction(document: Document) -> Extraction:
    counts = dict.fromkeys(("code_blocks", "code_blocks_kept", "conditions", "conditions_linked"), 0)
    counts |= dict.fromkeys(("lines", "lines_read", "lines_kept", "links", "links_kept"), 0)
    report = Report(document_id=document.id, extractor=UnitLines.name, **counts)
    return Extraction(map(LogicUnit.model_validate_json, document.text.split("\n")), report)


def _heading(line: str) -> Heading:
    try:
        heading = Heading.model_validate_json(line)
    except ValidationError:
        raise BadFile(
            f"line 1: expected {line_of(Heading(units=0))} with the number of units,"
            f" found {line.strip()[:80] or 'nothing'!r}; expected a file written by `thread-rag export`"
        ) from None
    if heading.version != VERSION:
        raise BadFile(
            f"line 1: version {heading.version} of the format, expected {VERSION}; export again with this release"
        )
    return heading


def _unit(number: int, line: str) -> LogicUnit:
    try:
        unit = LogicUnit.model_validate_json(line)
    except ValidationError as error:
        raise BadFile(f"line {number}: expected a logic unit; {faults_in(error)[0]}") from None
    except TypeError as error:  # a span or a place with other fields
        raise BadFile(f"line {number}: expected a logic unit; {error}") from None
    for span in (*unit.spans, *unit.body_spans):
        if span.document_id != unit.document_id:
            raise BadFile(
                f"line {number}: a unit of {unit.document_id} with the lines {span}; expected its own document's"
            )
    return changed(unit, {"passages": passages.cut(unit.body)})


def _check_ids(places: Sequence[tuple[int, LogicUnit]]) -> None:
    """See that a document's units have the ids that follow from their contents: a unit is known by its id."""
    expected = {unit.id for unit in identify(unit for _, unit in places)}
    for number, unit in places:
        if unit.id not in expected:
            raise BadFile(
                f"line {number}: the id {unit.id} is not that of the unit's content, or comes twice; export again, or"
                " give edited units their ids with thread_core.models.identify"
            )
        expected.remove(unit.id)


def _documents_of(store: UnitStore, ids: Sequence[str]) -> set[str]:
    return {unit.document_id for some in batches(ids, PAGE) for unit in store.get(some)}
