"""How a unit becomes a row, and how rows are gathered into calls.

One call is seen by readers as a whole or not at all, embedded and served; so each document goes into one call, as
long as it fits there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from thread_core import layout
from thread_core.models import LogicUnit, as_json

RowForm = Callable[[LogicUnit], tuple[str, Mapping[str, Any]]]
"""A unit -> its row's text and all of its metadata, as the framework lays them out that owns the collection."""
SIZE = 24_000_000
"""Bytes a call. A served Chroma refuses requests of more than 40 MB. A row of a runbook takes 4 kB with 256 dimensions
and 11 kB with 1,536, so the rows of a call are bounded by their number in the first case and by this in the second."""
_NUMBER = 6
"""Bytes of a vector's number in a request: four, written in base 64."""


class Record(NamedTuple):
    """A row as it is written."""

    id: str
    document_id: str
    vector: Sequence[float]
    metadata: Mapping[str, Any]
    """None stands for a key that goes."""
    text: str | None
    """None where the row's text stays as it is."""

    @property
    def size(self) -> int:
        """Bytes of a request that it takes, rather too many than too few."""
        return len(as_json((self.id, self.metadata, self.text))) + _NUMBER * len(self.vector)


def rendered(unit: LogicUnit) -> tuple[str, dict[str, Any]]:
    """The row of LangChain and of the command: its text is the rendered unit."""
    text = layout.row_text(unit)
    return text, layout.to_metadata(unit) | layout.body_offsets(unit, text)


def written(unit: LogicUnit, vector: Sequence[float], form: RowForm, old: Mapping[str, Any]) -> Record:
    """A unit's row; what only the row before it has is set to None, because Chroma merges metadata."""
    text, new = form(unit)
    metadata = {**dict.fromkeys(key for key in old if key not in new), **new}
    return Record(unit.id, unit.document_id, vector, metadata, text)


def outdated(row_id: str, vector: Sequence[float], old: Mapping[str, Any]) -> Record:
    """A row that no reader takes for a unit any more."""
    return Record(row_id, str(old.get(layout.DOCUMENT_ID)), vector, {layout.MARKER: layout.OUTDATED}, None)


def calls(documents: Iterable[Sequence[Record]], rows: int, size: int = SIZE) -> Iterator[list[Record]]:
    """Gather documents' records into calls of at most so many rows and bytes.

    A document is not torn apart unless it is too much for a call by itself; then its records stay in order.
    """
    call: list[Record] = []
    room = size
    for records in documents:
        sizes = [record.size for record in records]
        torn = sum(sizes) > size or len(records) > rows
        if call and not torn and (sum(sizes) > room or len(call) + len(records) > rows):
            yield call
            call, room = [], size
        for record, taken in zip(records, sizes, strict=True):
            if call and (len(call) == rows or taken > room):
                yield call
                call, room = [], size
            call.append(record)
            room -= taken
    if call:
        yield call
