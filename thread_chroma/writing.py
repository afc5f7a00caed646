"""What a write asks of Chroma: rows that come, then what changes of them all, then rows that go.

Readers see a call as a whole or not at all, embedded and served, so each document changes by one call. That one writes
metadata alone: where a vector is written again, Chroma's index may lose its way to other rows (docs/chroma.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from thread_chroma.rows import Record, RowForm, written
from thread_core import layout
from thread_core.models import LogicUnit
from thread_core.ports import Vector

SIZE = 24_000_000
"""Bytes a call. A served Chroma refuses requests of more than 40 MB. A row of a runbook takes 4 kB with 256 dimensions
and 11 kB with 1,536, so the rows of a call are bounded by their number in the first case and by this in the second."""
_OUTDATED: Mapping[str, Any] = {layout.MARKER: layout.OUTDATED}


class Present(NamedTuple):
    """A row that is there."""

    text: str | None
    metadata: Mapping[str, Any]


class Writes(NamedTuple):
    """The rows of a write's calls, kind by kind, in this order."""

    add: list[Record]
    """Rows that come. They are not taken for units yet where other rows of their document change with them."""
    rewrite: list[Record]
    """Rows that are there and get another vector or text. Of their metadata nothing changes yet."""
    change: list[Record]
    """Rows of which metadata alone changes, of documents that have rows already: with it, each is another version."""
    delete: list[Record]
    """Rows that go."""


def plan(
    units: Iterable[tuple[LogicUnit, Vector]],
    moved: Iterable[LogicUnit],
    gone: Iterable[str],
    present: Mapping[str, Present],
    form: RowForm,
) -> Writes:
    """Say what to write.

    Args:
        units: Those that come, with their vectors.
        moved: Those of which metadata changes, and the text that says where links lead; their rows are there.
        gone: Ids of rows that go; they are there.
        present: The rows that are there, of all of these.
        form: How a unit becomes a row.
    """
    records = [
        written(unit, list(vector), form, present[unit.id].metadata if unit.id in present else {})
        for unit, vector in units
    ]
    come = [record for record in records if record.id not in present]
    stay = [record for record in records if record.id in present]
    stay += [written(unit, (), form, present[unit.id].metadata) for unit in moved]
    go = [Record(row_id, str(present[row_id].metadata.get(layout.DOCUMENT_ID)), (), _OUTDATED, "") for row_id in gone]
    brought = {record.document_id for record in (*come, *stay)}
    changed = {record.document_id for record in (*stay, *go)} & brought
    return Writes(
        add=[
            record._replace(metadata={**record.metadata, **_OUTDATED}) if record.document_id in changed else record
            for record in come
        ],
        rewrite=[record for record in stay if record.vector or record.text != present[record.id].text],
        change=[
            *(record._replace(metadata=layout.ONLY_UNITS) for record in come if record.document_id in changed),
            *stay,
            *(record for record in go if record.document_id in changed),
        ],
        delete=go,
    )


def calls(records: Iterable[Record], rows: int, size: int = SIZE) -> Iterator[list[Record]]:
    """Gather records into calls of at most so many rows and bytes.

    A document is not torn apart unless it is too much for a call by itself; then its records stay in order.
    """
    call: list[Record] = []
    room = size
    for document in _by_document(records):
        sizes = [record.size for record in document]
        torn = sum(sizes) > size or len(document) > rows
        if call and not torn and (sum(sizes) > room or len(call) + len(document) > rows):
            yield call
            call, room = [], size
        for record, taken in zip(document, sizes, strict=True):
            if call and (len(call) == rows or taken > room):
                yield call
                call, room = [], size
            call.append(record)
            room -= taken
    if call:
        yield call


def _by_document(records: Iterable[Record]) -> Iterable[list[Record]]:
    documents: dict[str, list[Record]] = {}
    for record in records:
        documents.setdefault(record.document_id, []).append(record)
    return documents.values()
