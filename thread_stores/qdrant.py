"""The points of a Qdrant collection, over a server, over a folder, or in memory, whichever framework has made them.

A unit's id is a UUID, which is what Qdrant takes for a point's. Two traits of it shape this file:

- A condition on a list is met where one element meets it, numbers are kept apart as whole and broken, and a missing key
  is not an unequal one. So of what a filter says only that is handed over which never leaves out a row that meets it.
- A call of many points is no transaction: one that is cut short has done some of them.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ResponseHandlingException, UnexpectedResponse
from qdrant_client.local.qdrant_local import QdrantLocal

from thread_core import layout
from thread_core.errors import BadStore
from thread_core.ports import Vector, Where
from thread_core.store.rows import Near, Row, Traits, other_length
from thread_core.store.scanning import translated

PAGE = 1000
"""Points that are read in one call."""
IDS = 10_000
"""Ids that are read in one call."""
_INDEXED = {layout.MARKER: models.PayloadSchemaType.INTEGER, layout.DOCUMENT_ID: models.PayloadSchemaType.KEYWORD}
"""Keys of the metadata by which units are looked up, and what their values are to Qdrant."""
_BOUNDS = {"$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}
_PLAIN = re.compile(r"[\w-]+")
"""A key that stands in Qdrant's paths without quotes."""
_EXACT = 2**53
"""Beyond it, Qdrant compares numbers as their nearest float."""


class Points(Protocol):
    """How a framework lays out its points."""

    @property
    def vectors(self) -> str:
        """What the dense vectors of a point are called; of no account where a collection has but one kind."""

    @property
    def metadata(self) -> str:
        """The key of a payload below which the metadata lies; empty where the payload is the metadata."""

    @property
    def aside(self) -> str:
        """A key of a payload that holds much and that no filter asks for."""

    def text(self, payload: Mapping[str, Any]) -> str:
        """The text of a point."""

    def write(self, rows: Sequence[Row]) -> None:
        """Write whole points, in the place of those with their ids."""


class QdrantRows:
    """The points of a collection that measures cosines; where it is not there yet, there is none."""

    traits = Traits(
        filters=("$eq", "$in", "$contains", "$gt", "$gte", "$lt", "$lte"),
        indexed=True,
        atomic=False,
        shared=True,
        call=256,
    )

    def __init__(self, client: QdrantClient, collection: str, points: Points) -> None:
        """Say where the points are.

        Raises:
            BadStore: the collection has no such vectors, or does not measure cosines.
        """
        self._client = client
        self._collection = collection
        self._points = points
        self._below = f"{points.metadata}." if points.metadata else ""
        self._named = ""
        self._indexed = False
        self._size: int | None = None
        self._is_there()

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        """The k points nearest to a vector that may meet a filter, best first."""
        if not self._is_there():
            return []
        self._check(vector)
        with in_our_words():
            found = self._client.query_points(
                self._collection,
                query=list(vector),
                using=self._named or None,
                query_filter=self._filter(where),
                limit=k,
                with_payload=models.PayloadSelectorExclude(exclude=[self._points.aside]),
            ).points
        return [Near(str(point.id), self._metadata(point), point.score) for point in found]

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> Iterator[Row]:
        """Points by id."""
        if not self._is_there():
            return iter(())
        with in_our_words():
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
        there = self._is_there()
        for row in rows:
            self._check(row.vector or ())
        with in_our_words():
            if rows:
                self._points.write(rows)
                self._make_indexes()
            if there and (points_gone := _points(gone)):
                self._client.delete(self._collection, models.PointIdsList(points=points_gone), wait=True)

    def _make_indexes(self) -> None:
        """Have a server look units up by an index of our keys, as it makes none by itself."""
        if self._indexed or isinstance(self._client._client, QdrantLocal):
            return
        for key, kind in _INDEXED.items():
            self._client.create_payload_index(self._collection, f"{self._below}{key}", kind)
        self._indexed = True

    def _is_there(self) -> bool:
        """Whether there is a collection; of one that is there, what it says of its vectors is known from now on."""
        if self._size is not None:
            return True
        with in_our_words():
            if not self._client.collection_exists(self._collection):
                return False
            made = self._client.get_collection(self._collection).config.params.vectors
        vectors = made.get(self._points.vectors) if isinstance(made, dict) else made
        if vectors is None:
            raise BadStore(
                f"the Qdrant collection {self._collection} has no dense vectors {self._points.vectors!r}, which units"
                " are found by; create one with them, and ingest into it"
            )
        if vectors.distance is not models.Distance.COSINE:
            raise BadStore(
                f"the Qdrant collection {self._collection} uses {vectors.distance.value} distances, expected cosine;"
                " create a collection with distance=Distance.COSINE and ingest into it"
            )
        self._named = self._points.vectors if isinstance(made, dict) else ""
        self._size = vectors.size
        return True

    def _check(self, vector: Vector) -> None:
        if self._size is not None and len(vector) != self._size:
            raise BadStore(other_length(len(vector), self._size))

    def _scroll(self, where: Where, page: int, **what: Any) -> Iterator[Any]:
        offset, more = None, self._is_there()
        while more:
            with in_our_words():
                found, offset = self._client.scroll(
                    self._collection, scroll_filter=self._filter(where), limit=page, offset=offset, **what
                )
            yield from found
            more = offset is not None

    def _row(self, point: Any) -> Row:
        vector = point.vector.get(self._named) if isinstance(point.vector, dict) else point.vector
        return Row(str(point.id), self._points.text(point.payload or {}), self._metadata(point), vector)

    def _metadata(self, point: Any) -> dict[str, Any]:
        payload = point.payload or {}
        return (payload.get(self._points.metadata) or {}) if self._points.metadata else payload

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
        path = f"{self._below}{key}"
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
def in_our_words() -> Iterator[None]:
    """Raise what lies with the server as `BadStore`; what was written may be written again."""
    try:
        yield
    except ResponseHandlingException as error:
        raise BadStore(f"the Qdrant server cannot be reached ({error}); check that it runs, and try again") from error
    except UnexpectedResponse as error:
        said = " ".join(str(error).split())
        raise BadStore(f"Qdrant refused a call ({said}); fix this, and run it again") from error
