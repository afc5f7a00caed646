"""`langchain_qdrant.QdrantVectorStore`: over a server, over a folder, or in memory.

A unit's id is a UUID, which is what Qdrant takes for a point's. Two traits of it shape this file:

- A condition on a list is met where one element meets it, numbers are kept apart as whole and broken, and a missing key
  is not an unequal one. So of what a filter says only that is handed over which never leaves out a row that meets it.
- A call of many points is no transaction: one that is cut short has done some of them.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from langchain_qdrant import QdrantVectorStore, RetrievalMode
from qdrant_client import models
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse

from langchain_thread.stores.rest import DocumentRows, Rest
from thread_core import layout
from thread_core.errors import BadStore
from thread_core.ports import Vector, Where
from thread_core.store.rows import Near, Row, RowUnitStore, Traits, other_length
from thread_core.store.scanning import translated

PAGE = 1000
"""Points that are read in one call."""
IDS = 10_000
"""Ids that are read in one call."""
_BOUNDS = {"$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}
_PLAIN = re.compile(r"[\w-]+")
"""A key that stands in Qdrant's paths without quotes."""
_EXACT = 2**53
"""Beyond it, Qdrant compares numbers as their nearest float."""


def opened(vectorstore: QdrantVectorStore, rest: Rest | None) -> RowUnitStore:
    """The units of a Qdrant collection.

    Raises:
        BadStore: the collection has no dense vectors, or does not measure cosines.
    """
    return RowUnitStore(QdrantRows(vectorstore), DocumentRows(rest))


class QdrantRows:
    """The points of a collection, as `QdrantVectorStore` lays them out."""

    traits = Traits(
        filters=("$eq", "$in", "$contains", "$gt", "$gte", "$lt", "$lte"),
        indexed=True,
        atomic=False,
        shared=True,
        call=256,
    )

    def __init__(self, vectorstore: QdrantVectorStore) -> None:
        """Give the vector store. Its collection must hold one dense vector a point, and measure cosines."""
        self._vectorstore = vectorstore
        self._client = vectorstore.client
        self._collection = vectorstore.collection_name
        self._named = vectorstore.vector_name
        with _in_our_words():
            made = self._client.get_collection(self._collection).config.params.vectors
        vectors = made.get(self._named) if isinstance(made, dict) else made
        if vectors is None or vectorstore.retrieval_mode is RetrievalMode.SPARSE:
            raise BadStore(
                f"the Qdrant collection {self._collection} has no dense vectors, and units are found by them; give a"
                " QdrantVectorStore with RetrievalMode.DENSE or HYBRID"
            )
        if vectors.distance is not models.Distance.COSINE:
            raise BadStore(
                f"the Qdrant collection {self._collection} measures {vectors.distance.value}, and scores of units are"
                " cosines; make a collection with distance=Distance.COSINE and ingest into it"
            )
        self._size = vectors.size

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        """The k points nearest to a vector that may meet a filter, best first."""
        self._check(vector)
        with _in_our_words():
            found = self._client.query_points(
                self._collection,
                query=list(vector),
                using=self._named or None,
                query_filter=self._filter(where),
                limit=k,
                with_payload=[self._vectorstore.metadata_payload_key],
            ).points
        return [Near(str(point.id), self._metadata(point), point.score) for point in found]

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> Iterator[Row]:
        """Points by id."""
        with _in_our_words():
            found = self._client.retrieve(self._collection, _points(ids), with_payload=True, with_vectors=vectors)
        return map(self._row, found)

    def find(self, where: Where, *, vectors: bool = False) -> Iterator[Row]:
        """The points that meet a filter of the layout's keys."""
        return map(self._row, self._scroll(where, PAGE, with_payload=True, with_vectors=vectors))

    def ids(self, where: Where) -> list[str]:
        """The ids of the points that meet a filter of the layout's keys."""
        return [str(point.id) for point in self._scroll(where, IDS, with_payload=False, with_vectors=False)]

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        """Write some points and delete others."""
        for row in rows:
            self._check(row.vector or ())
        with _in_our_words():
            if rows:
                points = [
                    models.PointStruct(id=row.id, vector=vector, payload=self._payload(row))
                    for row, vector in zip(rows, self._vectors(rows), strict=True)
                ]
                self._client.upsert(self._collection, points, wait=True)
            if points_gone := _points(gone):
                self._client.delete(self._collection, models.PointIdsList(points=points_gone), wait=True)

    def _check(self, vector: Vector) -> None:
        if len(vector) != self._size:
            raise BadStore(other_length(len(vector), self._size))

    def _scroll(self, where: Where, page: int, **what: Any) -> Iterator[Any]:
        offset, more = None, True
        while more:
            with _in_our_words():
                found, offset = self._client.scroll(
                    self._collection, scroll_filter=self._filter(where), limit=page, offset=offset, **what
                )
            yield from found
            more = offset is not None

    def _row(self, point: Any) -> Row:
        vector = point.vector.get(self._named) if isinstance(point.vector, dict) else point.vector
        text = (point.payload or {}).get(self._vectorstore.content_payload_key) or ""
        return Row(str(point.id), text, self._metadata(point), vector)

    def _metadata(self, point: Any) -> dict[str, Any]:
        return (point.payload or {}).get(self._vectorstore.metadata_payload_key) or {}

    def _payload(self, row: Row) -> dict[str, Any]:
        store = self._vectorstore
        return {store.content_payload_key: row.text, store.metadata_payload_key: dict(row.metadata)}

    def _vectors(self, rows: Sequence[Row]) -> list[Any]:
        """The vectors of some points; in a hybrid collection with the sparse ones, of their texts."""
        dense = [list(row.vector or ()) for row in rows]
        if self._vectorstore.retrieval_mode is not RetrievalMode.HYBRID:
            return [{self._named: vector} for vector in dense] if self._named else list(dense)
        sparse = self._vectorstore.sparse_embeddings.embed_documents([row.text for row in rows])
        return [
            {
                self._named: vector,
                self._vectorstore.sparse_vector_name: models.SparseVector(indices=one.indices, values=one.values),
            }
            for vector, one in zip(dense, sparse, strict=True)
        ]

    def _filter(self, where: Where) -> models.Filter | None:
        return translated(
            where,
            self._condition,
            lambda conditions: models.Filter(must=list(conditions)),
            lambda conditions: models.Filter(should=list(conditions)),
        )

    def _condition(self, key: str, operator: str, value: Any) -> models.Filter | None:
        """What Qdrant can say of a condition, and None where a row that meets it would be left out."""
        if not _PLAIN.fullmatch(key):
            return None
        path = f"{self._vectorstore.metadata_payload_key}.{key}"
        if operator in ("$eq", "$contains"):
            return _equals(path, value)
        if operator == "$in":
            return _any_of(path, value)
        if operator in _BOUNDS and _is_number(value):
            bounds = models.Range(**{_BOUNDS[operator]: value})
            return models.Filter(must=[models.FieldCondition(key=path, range=bounds)])
        if operator == "$ne" and key == layout.MARKER:  # Every row of ours has it, and a whole number for its value.
            return models.Filter(must_not=[models.FieldCondition(key=path, match=models.MatchValue(value=value))])
        return None


def _equals(path: str, value: Any) -> models.Filter | None:
    if isinstance(value, bool | str):
        return models.Filter(must=[models.FieldCondition(key=path, match=models.MatchValue(value=value))])
    if _is_number(value):
        return models.Filter(must=[models.FieldCondition(key=path, range=models.Range(gte=value, lte=value))])
    return None


def _any_of(path: str, values: Sequence[Any]) -> models.Filter | None:
    if values and all(isinstance(value, str) for value in values):
        return models.Filter(must=[models.FieldCondition(key=path, match=models.MatchAny(any=list(values)))])
    each = [_equals(path, value) for value in values]
    known = [one for one in each if one is not None]
    return models.Filter(should=list(known)) if known and len(known) == len(each) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _EXACT


def _points(ids: Iterable[str]) -> list[Any]:
    """Those of some ids that a point can have: UUIDs and whole numbers."""
    return [point for point in map(_point, ids) if point is not None]


def _point(row_id: str) -> str | int | None:
    if row_id.isdecimal():
        return int(row_id)
    try:
        return str(uuid.UUID(row_id))
    except ValueError:
        return None


@contextmanager
def _in_our_words() -> Iterator[None]:
    """Raise what lies with the server as `BadStore`; what was written may be written again."""
    try:
        yield
    except ResponseHandlingException as error:
        raise BadStore(f"the Qdrant server cannot be reached ({error}); see that it runs, and run it again") from error
    except UnexpectedResponse as error:
        said = " ".join(str(error).split())
        raise BadStore(f"Qdrant refused a call ({said}); see what it says, and run it again") from error
