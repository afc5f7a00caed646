"""Logic units in any vector store: what one must be able to do, and the `UnitStore` over whatever can do it.

A store's file says how its rows are found, read and written, and nothing about units. `RowUnitStore` does the rest:

- A filter may be read by the store as far as it goes. What it lets through is read again here, so that a filter means
  the same everywhere: what `scanning.meets` says.
- Where a write is no transaction, the rows of new units come first and are taken for units by nobody; then they are
  shown, and then the ones that go are deleted.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from thread_core import layout
from thread_core.errors import BadStore
from thread_core.models import LogicUnit
from thread_core.ports import Hit, Stored, Vector, Where
from thread_core.store.batches import batches
from thread_core.store.scanning import by_document, cosines, meets
from thread_core.store.versioning import version_of

DOCUMENTS = 100
"""Documents of which rows are asked for in one call."""
MORE = 4
"""How many times more rows are asked for, where too few of those that came meet a filter."""
OTHER_LAYOUTS: Where = {layout.MARKER: {"$gt": layout.OUTDATED, "$ne": layout.LAYOUT}}
"""Met by the rows of units that an older or a newer version of this package has written."""
OUTDATED: Where = {layout.MARKER: layout.OUTDATED}
"""Met by the rows that are to be units soon, or were some."""


class Row(NamedTuple):
    """A row of a vector store, whole."""

    id: str
    text: str
    metadata: Mapping[str, Any]
    vector: Vector | None = None
    """None where it was not asked for."""


class Near(NamedTuple):
    """A row that a search has found."""

    id: str
    metadata: Mapping[str, Any]
    score: float
    """The cosine of its vector with the one that was searched for."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What a store can do by itself. The table in docs/stores.md is made of these."""

    filters: tuple[str, ...]
    """The operators of a filter that a search hands to the store; the others are met by asking it for more rows."""
    indexed: bool
    """Whether rows are found by id and by document without a look at every row."""
    atomic: bool
    """Whether a write is one transaction: readers, and whoever comes after a killed process, see all of it or none."""
    shared: bool
    """Whether several processes may use it at once."""
    call: int
    """Rows a call at most."""


class VectorRows(Protocol):
    """What a vector store must be able to do to hold logic units.

    Rows that were written are ordinary rows of the store's framework, which its own retrievers find.
    """

    @property
    def traits(self) -> Traits:
        """What the store can do by itself."""

    def near(self, vector: Vector, k: int, where: Where) -> Sequence[Near]:
        """The k rows nearest to a vector, best first.

        Args:
            vector: What is searched for.
            k: Rows at most; fewer only where there are no more.
            where: A filter. No row that meets it may be left out for a worse one; others may be among them, where the
                store cannot read all of it (`scanning.translated`).

        Raises:
            BadStore: the vector's length is not that of the store.
        """

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> Iterable[Row]:
        """Rows by id, in any order; missing ones are left out."""

    def find(self, where: Where, *, vectors: bool = False) -> Iterable[Row]:
        """The rows that meet a filter, exactly: conditions on `layout.MARKER` and `layout.DOCUMENT_ID` that all hold.

        Those are equality, `$in`, `$gt` and `$ne`.
        """

    def ids(self, where: Where) -> list[str]:
        """The ids of the rows that `find` gives. It is asked often, and should take a fraction of a second."""

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        """Write whole rows, in the place of those with their ids, and then delete some.

        Args:
            rows: With their vectors. Of a row that was there, nothing stays. At most `traits.call` where not atomic.
            gone: Ids of rows that go; missing ones are fine. At most `traits.call` where not atomic.

        Raises:
            BadStore: a vector's length is not that of the store, or it cannot be written.
        """


class RowForm(Protocol):
    """How a unit lies in a row, as the framework lays it out that owns the store."""

    def row(self, unit: LogicUnit, vector: Vector, old: Row | None) -> Row:
        """A unit's row, in the place of one that is there."""

    def unit(self, row: Row) -> LogicUnit:
        """The unit of a row. It differs from the one that was written where the row should be written anew."""


class Rendered:
    """The rows of LangChain and of the command: the text is the rendered unit."""

    def row(self, unit: LogicUnit, vector: Vector, old: Row | None) -> Row:
        """A unit's row; nothing of an older one stays."""
        text = layout.row_text(unit)
        return Row(unit.id, text, layout.with_text(unit, text), vector)

    def unit(self, row: Row) -> LogicUnit:
        """The unit of a row."""
        return layout.from_metadata(row.id, row.text, row.metadata)


class RowUnitStore:
    """Logic units in a vector store; other rows of it are neither read nor written.

    Where `traits.atomic` is False, both versions of a document's units are there for a moment: a reader may see both,
    or parts of both, and a process that is killed in that moment leaves them so. The next ingest puts that right.
    """

    def __init__(self, rows: VectorRows, form: RowForm | None = None) -> None:
        """Say whose rows they are.

        Args:
            rows: The vector store.
            form: How a unit lies in a row; as in LangChain's rows where absent.
        """
        self.rows = rows
        self.form = form or Rendered()
        self._told = False
        self._seen: str | None = None

    def search(self, vector: Vector, k: int, where: Where | None = None) -> list[Hit]:
        """The k units whose headers are nearest, by the cosine.

        Raises:
            BadStore: the vector's length is not that of the store.
        """
        if k <= 0:
            return []
        asked = k
        while True:
            near = self.rows.near(vector, asked, {"$and": [layout.ONLY_UNITS, where]} if where else layout.ONLY_UNITS)
            found = [row for row in near if layout.is_unit(row.metadata) and meets(row.metadata, where)]
            if len(found) >= k or len(near) < asked:
                return [Hit(row.id, str(row.metadata[layout.DOCUMENT_ID]), row.score) for row in found[:k]]
            asked *= MORE

    def documents(
        self, document_ids: Sequence[str], where: Where | None = None, *, vectors: bool = False
    ) -> dict[str, list[Stored]]:
        """The units of several documents, each in reading order; a document without units is left out."""
        parts = batches(list(dict.fromkeys(document_ids)), DOCUMENTS)
        found = (row for some in parts for row in self.rows.find(_of(some), vectors=vectors))
        return by_document(Stored(self.form.unit(row), row.vector) for row in found if _is_wanted(row, where))

    def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        """Units by id, in the order of `ids`; missing ones are left out, and those that do not meet a filter."""
        found = self._present(list(dict.fromkeys(ids)))
        units = {row.id: self.form.unit(row) for row in found.values() if _is_wanted(row, where)}
        return [units[unit_id] for unit_id in ids if unit_id in units]

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        """The ids of all units, or of those of some documents."""
        if document_ids is None:
            return self.rows.ids(layout.ONLY_UNITS)
        parts = batches(list(dict.fromkeys(document_ids)), DOCUMENTS)
        return [unit_id for some in parts for unit_id in self.rows.ids({**layout.ONLY_UNITS, **_of(some)})]

    def version(self) -> str:
        """`version_of` the ids of all units; empty when there is none.

        Where the store holds units of another layout, it says so: once, or by raising where there are no others.
        """
        version = version_of(self.rows.ids(layout.ONLY_UNITS))
        if version != self._seen:
            self._tell_of_other_layouts(bool(version))
            self._seen = version
        return version

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        """Bring new units, rewrite moved ones and remove those that go, at one stroke where the store can.

        Raises:
            BadStore: the vectors are of another length than the store's, or it cannot be written.
        """
        new = {unit.id: (unit, tuple(vector)) for unit, vector in zip(units, vectors, strict=True)}
        others = {unit.id: unit for unit in moved if unit.id not in new}
        going = [unit_id for unit_id in dict.fromkeys(gone) if unit_id not in new]
        if not (new or others or going):
            return
        present = self._present([*new, *others, *going], vectors=True)
        come = [self.form.row(unit, vector, present.get(unit.id)) for unit, vector in new.values()]
        stay = [
            self.form.row(unit, _vector(present[unit_id]), present[unit_id])
            for unit_id, unit in others.items()
            if unit_id in present and layout.is_unit(present[unit_id].metadata)
        ]
        go = {row_id: present[row_id] for row_id in going if row_id in present}
        go |= self._of_other_layouts({_document_of(row): None for row in (*come, *stay)}, new)
        self._carry_out(come, stay, [row for row in go.values() if layout.is_of_any_layout(row.metadata)], present)

    def sweep(self) -> int:
        """Remove the rows that a write which was cut short has left; how many there were."""
        left = self.rows.ids(OUTDATED)
        for some in batches(left, self.rows.traits.call):
            self.rows.write((), some)
        return len(left)

    def _carry_out(self, come: list[Row], stay: list[Row], go: list[Row], present: Mapping[str, Row]) -> None:
        if self.rows.traits.atomic:
            self.rows.write([*come, *stay], [row.id for row in go])
            return
        changed = {_document_of(row) for row in (*(row for row in come if row.id in present), *stay, *go)}
        hidden = [_outdated(row) for row in come if row.id not in present and _document_of(row) in changed]
        for rows in (hidden, [*come, *stay]):
            for some in batches(sorted(rows, key=_document_of), self.rows.traits.call):
                self.rows.write(some)
        for ids in batches([row.id for row in go], self.rows.traits.call):
            self.rows.write((), ids)

    def _present(self, ids: Sequence[str], *, vectors: bool = False) -> dict[str, Row]:
        parts = batches(ids, self.rows.traits.call)
        return {row.id: row for some in parts for row in self.rows.get(some, vectors=vectors)}

    def _of_other_layouts(self, documents: Iterable[str], new: Iterable[str]) -> dict[str, Row]:
        """The rows that another version of this package has made of some documents, but for those of some ids."""
        parts = batches(list(documents), DOCUMENTS)
        ids = [row_id for some in parts for row_id in self.rows.ids({**OTHER_LAYOUTS, **_of(some)})]
        return self._present([row_id for row_id in ids if row_id not in new], vectors=True)

    def _tell_of_other_layouts(self, others: bool) -> None:
        if self._told or not (ids := self.rows.ids(OTHER_LAYOUTS)):
            return
        row = self._present(ids[:1])[ids[0]]
        message = (
            f"the store has units of layout {row.metadata[layout.MARKER]}, such as those of {_document_of(row)}, but"
            f" this version reads layout {layout.LAYOUT}; ingest those documents again, or, if some are"
            " gone, all documents into a new store"
        )
        if not others:
            raise BadStore(message)
        self._told = True
        warnings.warn(message, UserWarning, stacklevel=4)


class RowsInMemory:
    """Rows in a dictionary: every search compares all vectors. A write exchanges the dictionary, at one stroke."""

    traits = Traits(filters=(), indexed=False, atomic=True, shared=False, call=10_000)

    def __init__(self) -> None:
        self._rows: dict[str, Row] = {}
        self._writing = threading.Lock()

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        """The k rows nearest to a vector that meet a filter, best first."""
        return nearest(self.find(where), vector, k)

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> list[Row]:
        """Rows by id."""
        rows = self._rows
        return [rows[row_id] for row_id in ids if row_id in rows]

    def find(self, where: Where, *, vectors: bool = False) -> list[Row]:
        """The rows that meet a filter."""
        return [row for row in self._rows.values() if meets(row.metadata, where)]

    def ids(self, where: Where) -> list[str]:
        """The ids of the rows that meet a filter."""
        return [row.id for row in self.find(where)]

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        """Write some rows and delete others."""
        with self._writing:
            after = {**self._rows, **{row.id: row for row in rows}}
            for row_id in gone:
                after.pop(row_id, None)
            self._rows = after


def nearest(rows: Sequence[Row], vector: Vector, k: int) -> list[Near]:
    """The k of some rows that are nearest to a vector, best first, by all of their vectors.

    Raises:
        BadStore: the vector's length is not theirs.
    """
    if not rows:
        return []
    vectors = list(map(_vector, rows))
    if len(vector) != len(vectors[0]):
        raise BadStore(other_length(len(vector), len(vectors[0])))
    scores = cosines(vector, vectors)
    best = np.argsort(-scores, kind="stable")[:k]
    return [Near(rows[at].id, rows[at].metadata, float(scores[at])) for at in best]


def other_length(found: int, expected: int) -> str:
    """What to say of a vector that has not the length of the store's."""
    return (
        f"the embedding does not match the store (found {found} dimensions, expected {expected}); use the one"
        " that it was written with, or ingest again"
    )


def _of(document_ids: list[str]) -> Where:
    return {layout.DOCUMENT_ID: {"$in": document_ids}}


def _is_wanted(row: Row, where: Where | None) -> bool:
    return layout.is_unit(row.metadata) and meets(row.metadata, where)


def _document_of(row: Row) -> str:
    return str(row.metadata.get(layout.DOCUMENT_ID))


def _vector(row: Row) -> Vector:
    return () if row.vector is None else row.vector


def _outdated(row: Row) -> Row:
    return row._replace(metadata={**row.metadata, **OUTDATED})
