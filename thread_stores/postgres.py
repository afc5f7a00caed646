"""Rows of a table of PostgreSQL with pgvector, whichever framework has made the table.

A write is one transaction, and every operator of a filter is PostgreSQL's own over the metadata as JSON. Three traits
shape this file:

- A condition on JSON unpacks that of every row, which the planner takes for cheap. So the two keys by which units are
  looked up are indexed with the first write, and the planner is told to use an index.
- An index of vectors is approximate, and stops before it has found k rows that meet a filter; pgvector 0.8 is told to
  go on.
- LlamaIndex adds a row beside one that has its id. Each id is read once, and a write leaves one row.
"""

from __future__ import annotations

import json
import math
import operator
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import sqlalchemy as sa
from pgvector.sqlalchemy import VECTOR
from sqlalchemy.dialects.postgresql import JSONB

from thread_core import layout
from thread_core.errors import BadStore
from thread_core.models import encodable
from thread_core.ports import Vector, Where
from thread_core.store.batches import batches
from thread_core.store.rows import Near, Row, Traits, other_length
from thread_core.store.scanning import translated
from thread_stores import silence

T = TypeVar("T")
BATCH = 1000
"""Rows of one statement."""
_BOUNDS = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_NEGATIONS = {"$ne": "$eq", "$nin": "$in", "$not_contains": "$contains"}
_SETTINGS = f"SELECT set_config('enable_seqscan', 'off', true), {silence.told(silence.WRITING)}"
"""Of a transaction: who was cut off within one holds rows that others wait for."""
_BEGINNING = 200
"""Characters of a document's id that are in the index: an entry of one may take 2,700 bytes."""
_WIDEST = 1000
"""Rows that an index of vectors looks at, at most, before it goes on by itself: pgvector's own bound."""


@dataclass(frozen=True)
class Table:
    """Where a vector store keeps its rows."""

    run: Callable[[Callable[[sa.Connection], Any]], Any]
    """Do some work in one transaction."""
    table: sa.TableClause
    id: sa.ColumnElement[Any]
    text: sa.ColumnElement[Any]
    vector: sa.ColumnElement[Any]
    metadata: sa.ColumnElement[Any]
    beside: tuple[sa.ColumnElement[Any], ...] = ()
    """Columns that hold a key of the metadata each."""
    own: Callable[[sa.Connection], Mapping[Any, Any]] = lambda _: {}
    """What the columns are of the vector store's own rows, where others lie in the table too."""


class PostgresRows:
    """The rows of a table."""

    traits = Traits(
        filters=("$eq", "$ne", "$in", "$nin", "$contains", "$not_contains", "$gt", "$gte", "$lt", "$lte"),
        indexed=True,
        atomic=True,
        shared=True,
        call=BATCH,
    )

    def __init__(self, at: Table) -> None:
        self._at = at
        self._json = at.metadata if isinstance(at.metadata.type, JSONB) else sa.cast(at.metadata, JSONB)
        self._columns = (at.id, at.text, at.metadata, *at.beside)
        self._only_uuids = isinstance(at.id.type, sa.Uuid)
        self._marker, self._document = (_text_of(at.metadata, key) for key in (layout.MARKER, layout.DOCUMENT_ID))
        self._indexed = False

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        """The k rows nearest to a vector that meet a filter, best first."""
        distance = self._at.vector.cosine_distance(list(vector)).label("distance")

        def search(connection: sa.Connection) -> list[Any]:
            self._check(connection, len(vector))
            _go_on(connection, k)
            nearest = self._select(connection, where, self._at.id, self._at.metadata, *self._at.beside, distance)
            asked = k
            while True:
                found = list(connection.execute(nearest.order_by(distance).limit(asked)))
                once = {row[0]: row for row in reversed(found)}
                if len(once) >= k or len(found) < asked:
                    return list(once.values())
                asked *= 2

        rows = [Near(str(row[0]), self._metadata(row[1:]), _cosine(row[-1])) for row in self._run(search)]
        return sorted(rows, key=lambda row: -row.score)[:k]

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> list[Row]:
        """Rows by id."""
        known = self._known(ids)
        return self._read({}, vectors, lambda found: found.where(self._at.id.in_(known))) if known else []

    def find(self, where: Where, *, vectors: bool = False) -> list[Row]:
        """The rows that meet a filter."""
        return self._read(where, vectors, lambda found: found)

    def ids(self, where: Where) -> list[str]:
        """The ids of the rows that meet a filter."""
        found = self._run(lambda link: list(link.execute(self._select(link, where, self._at.id)).scalars()))
        return list(dict.fromkeys(map(str, found)))

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        """Write some rows and delete others, in one transaction."""
        outgoing = self._known([*(row.id for row in rows), *gone])

        def change(connection: sa.Connection) -> None:
            own = self._at.own(connection)
            mine = [column == value for column, value in own.items()]
            for size in {len(row.vector or ()) for row in rows}:
                self._check(connection, size)
            for ids in batches(outgoing, BATCH):
                connection.execute(sa.delete(self._at.table).where(self._at.id.in_(ids), *mine))
            for some in batches(list(rows), BATCH):
                self._keep_out(connection, [row.id for row in some], own)
                held = [{**{column.name: value for column, value in own.items()}, **self._held(row)} for row in some]
                connection.execute(sa.insert(self._at.table).values(held))

        self._make_index()
        self._run(change)

    def _run(self, work: Callable[[sa.Connection], T]) -> T:
        def told(connection: sa.Connection) -> T:
            connection.execute(sa.text(_SETTINGS))
            return work(connection)

        with in_our_words():
            done: T = self._at.run(told)
            return done

    def _make_index(self) -> None:
        """Have an index of our keys, unless it is there or may not be made."""
        if self._indexed:
            return

        def make(connection: sa.Connection) -> None:
            preparer, at = connection.dialect.identifier_preparer, self._at
            name = preparer.quote(f"{at.table.name[:50]}_thread_units")
            schema = f"{preparer.quote(at.table.schema)}." if at.table.schema else ""
            if connection.execute(sa.select(sa.func.to_regclass(f"{schema}{name}"))).scalar() is None:
                keys = [
                    f"{preparer.quote(at.metadata.name)} ->> '{key}'" for key in (layout.MARKER, layout.DOCUMENT_ID)
                ]
                on = f"{preparer.format_table(at.table)} (({keys[0]}), left({keys[1]}, {_BEGINNING}))"
                connection.execute(sa.text(f"CREATE INDEX IF NOT EXISTS {name} ON {on}"))

        with suppress(BadStore):
            self._run(make)
        self._indexed = True

    def _select(self, connection: sa.Connection, where: Where, *columns: Any) -> sa.Select[Any]:
        conditions = [column == value for column, value in self._at.own(connection).items()]
        if (met := translated(where, self._condition, _every, _either)) is not None:
            conditions.append(met)
        return sa.select(*columns).select_from(self._at.table).where(*conditions)

    def _read(self, where: Where, vectors: bool, narrowed: Callable[[sa.Select[Any]], sa.Select[Any]]) -> list[Row]:
        columns = [*self._columns, *([sa.cast(self._at.vector, VECTOR)] if vectors else [])]
        found = self._run(lambda link: list(link.execute(narrowed(self._select(link, where, *columns)))))
        rows = (
            Row(str(row[0]), row[1] or "", self._metadata(row[2:]), _numbers(row[-1]) if vectors else None)
            for row in found
        )
        return list({row.id: row for row in rows}.values())

    def _metadata(self, values: Sequence[Any]) -> dict[str, Any]:
        """The metadata of a row: of its column of JSON, and of those that hold a key each."""
        named = {column.name: value for column, value in zip(self._at.beside, values[1:], strict=False)}
        return {**(values[0] or {}), **{key: value for key, value in named.items() if value is not None}}

    def _held(self, row: Row) -> dict[str, Any]:
        """What the columns hold of a row."""
        at, metadata = self._at, dict(row.metadata)
        if any("\0" in value for value in (row.text, *metadata.values()) if isinstance(value, str)):
            raise BadStore(
                f"{metadata.get(layout.DOCUMENT_ID)} contains the character NUL (U+0000), which PostgreSQL cannot"
                " store; remove it from the document"
            )
        beside = {column.name: metadata.pop(column.name, None) for column in at.beside}
        return {at.id.name: row.id, at.text.name: row.text, at.vector.name: list(row.vector or ())} | {
            at.metadata.name: metadata,
            **beside,
        }

    def _keep_out(self, connection: sa.Connection, ids: list[str], own: Mapping[Any, Any]) -> None:
        """Refuse to take rows from another collection, in which the same documents are."""
        theirs = [column != value for column, value in own.items()]
        if theirs and connection.execute(sa.select(self._at.id).where(self._at.id.in_(ids), *theirs).limit(1)).first():
            raise BadStore(
                "another collection of this database has the same documents, and PGVector keeps an id in one"
                " collection alone; ingest into that one, or into another database"
            )

    def _check(self, connection: sa.Connection, size: int) -> None:
        first = self._select(connection, {}, sa.func.vector_dims(self._at.vector)).limit(1)
        expected = connection.execute(first).scalar()
        if expected is not None and expected != size:
            raise BadStore(other_length(size, expected))

    def _known(self, ids: Iterable[str]) -> list[str]:
        """Those of some ids that a row can have."""
        return [one for one in ids if _is_uuid(one)] if self._only_uuids else [one for one in ids if "\0" not in one]

    def _condition(self, key: str, name: str, value: Any) -> sa.ColumnElement[bool] | None:
        if any(key == column.name for column in self._at.beside) or not _is_stored([key, value]):
            return None
        if key == layout.MARKER and type(value) is int and name in _OF_MARKER:
            return _OF_MARKER[name](self._marker, str(value))
        if key == layout.DOCUMENT_ID and name == "$in" and all(isinstance(one, str) for one in value):
            beginning = sa.func.left(self._document, sa.literal_column(str(_BEGINNING)))
            return sa.and_(beginning.in_([one[:_BEGINNING] for one in value]), self._document.in_(value))
        if name in _NEGATIONS:
            met = self._condition(key, _NEGATIONS[name], value)
            return None if met is None else sa.not_(sa.func.coalesce(met, sa.false()))
        if name == "$eq":
            return self._holds({key: value})
        if name == "$in":
            return sa.or_(sa.false(), *(self._holds({key: one}) for one in value))
        if name == "$contains":
            return self._holds({key: [value]})
        if isinstance(value, bool):
            return None
        path = f"strict $.{json.dumps(key)} {_BOUNDS[name]} {json.dumps(value)}"
        return self._json.op("@@")(sa.cast(path, _JsonPath))

    def _holds(self, part: dict[str, Any]) -> sa.ColumnElement[bool]:
        held: sa.ColumnElement[bool] = self._json.op("@>")(sa.cast(part, JSONB))
        return held


class _JsonPath(sa.types.UserDefinedType[str]):
    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "JSONPATH"


_OF_MARKER: Mapping[str, Callable[[Any, str], sa.ColumnElement[bool]]] = {
    "$eq": operator.eq,
    "$gt": operator.gt,
    "$ne": lambda marker, value: sa.or_(marker < value, marker > value),
}
"""What is said of the marker, in words for which its index is used: it is a digit in all rows of ours."""


def _text_of(metadata: sa.ColumnElement[Any], key: str) -> sa.ColumnElement[Any]:
    """A key of the metadata as text, in the form in which it is indexed."""
    return metadata.op("->>", return_type=sa.Text())(sa.literal_column(f"'{key}'"))


def _every(conditions: list[sa.ColumnElement[bool]]) -> sa.ColumnElement[bool]:
    return sa.and_(*conditions)


def _either(conditions: list[sa.ColumnElement[bool]]) -> sa.ColumnElement[bool]:
    return sa.or_(*conditions)


def _go_on(connection: sa.Connection, k: int) -> None:
    """Have an index of vectors look until k rows meet the filter; before pgvector 0.8, have none used."""
    version = connection.execute(sa.text("SELECT extversion FROM pg_extension WHERE extname = 'vector'")).scalar()
    if tuple(map(int, str(version).split(".")[:2])) < (0, 8):
        settings = {"enable_indexscan": "off"}
    else:
        settings = {"hnsw.iterative_scan": "strict_order", "ivfflat.iterative_scan": "relaxed_order"}
        settings["hnsw.ef_search"] = str(min(max(2 * k, 40), _WIDEST))
    for name, value in settings.items():
        connection.execute(sa.select(sa.func.set_config(name, value, True)))


def _cosine(distance: float | None) -> float:
    """A cosine from pgvector's distance, which is not a number where one of the two has no length."""
    return 0.0 if distance is None or math.isnan(distance) else 1.0 - float(distance)


def _numbers(vector: Any) -> list[float] | None:
    return None if vector is None else [float(number) for number in vector]


def _is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def _is_stored(value: Any) -> bool:
    """Whether PostgreSQL can hold a value as JSON: no character 0, no half of a character, no infinite number."""
    if isinstance(value, list | tuple):
        return all(map(_is_stored, value))
    if isinstance(value, str):
        return "\0" not in value and encodable(value) == value
    return not isinstance(value, float) or math.isfinite(value)


@contextmanager
def in_our_words() -> Iterator[None]:
    """Raise what lies with the database as `BadStore`; a transaction that failed has changed nothing."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        said = " ".join(str(error.orig).split())
        message = f"PostgreSQL refused a call, and nothing was changed ({said}); fix this, and run it again"
        raise BadStore(message) from error
