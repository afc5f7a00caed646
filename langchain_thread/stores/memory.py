"""LangChain's `InMemoryVectorStore`, through what it shows of itself: its `store`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.vectorstores import InMemoryVectorStore

from langchain_thread.stores.rest import DocumentRows, Rest
from thread_core.ports import Vector, Where
from thread_core.store.rows import OUTDATED, Near, Row, RowUnitStore, Traits, nearest
from thread_core.store.scanning import meets


def opened(vectorstore: InMemoryVectorStore, rest: Rest | None) -> RowUnitStore:
    """The units of a store in memory."""
    return RowUnitStore(InMemoryRows(vectorstore), DocumentRows(rest))


class InMemoryRows:
    """The rows of a store in memory; each read looks at all of them."""

    traits = Traits(filters=(), indexed=False, atomic=True, shared=False, call=10_000)

    def __init__(self, vectorstore: InMemoryVectorStore) -> None:
        self._vectorstore = vectorstore

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        """The k rows nearest to a vector that meet a filter, best first."""
        return nearest(self.find(where), vector, k)

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> list[Row]:
        """Rows by id."""
        rows = self._vectorstore.store
        return [_row(rows[row_id]) for row_id in ids if row_id in rows]

    def find(self, where: Where, *, vectors: bool = False) -> list[Row]:
        """The rows that meet a filter."""
        rows = list(self._vectorstore.store.values())
        return [_row(row) for row in rows if meets(row["metadata"], where)]

    def ids(self, where: Where) -> list[str]:
        """The ids of the rows that meet a filter."""
        return [row.id for row in self.find(where)]

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        """Write some rows and delete others. For other threads all changes at once: those that go are marked before."""
        going = {row.id: row._replace(metadata=OUTDATED) for row in self.get(gone)}
        changed = {row.id: row for row in rows} | going
        self._vectorstore.store.update({row_id: _held(row) for row_id, row in changed.items()})
        self._vectorstore.delete(list(going))


def _row(held: dict[str, Any]) -> Row:
    return Row(held["id"], held["text"], held["metadata"], held["vector"])


def _held(row: Row) -> dict[str, Any]:
    return {"id": row.id, "vector": list(row.vector or ()), "text": row.text, "metadata": dict(row.metadata)}
