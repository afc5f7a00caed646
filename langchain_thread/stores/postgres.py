"""`langchain_postgres.PGVector` and `PGVectorStore`: rows of a table of PostgreSQL, with pgvector.

A write is one transaction, and every operator of a filter is PostgreSQL's own over the metadata as JSON. An index of
vectors is approximate, and stops before it has found k rows that meet a filter; pgvector 0.8 is told to go on.
"""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import pgvector.sqlalchemy  # noqa: F401
import sqlalchemy as sa
from langchain_postgres import PGVector, PGVectorStore
from sqlalchemy.dialects.postgresql import JSONB, insert

from langchain_thread.stores.rest import DocumentRows, Rest
from thread_core.errors import BadStore
from thread_core.models import encodable
from thread_core.ports import Vector, Where
from thread_core.store.batches import batches
from thread_core.store.rows import Near, Row, RowUnitStore, Traits, other_length
from thread_core.store.scanning import translated

# pgvector is imported for SQLAlchemy, which knows the type of a table's column of vectors by that.
T = TypeVar("T")
BATCH = 1000
"""Rows of one statement."""
_BOUNDS = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_NEGATIONS = {"$ne": "$eq", "$nin": "$in", "$not_contains": "$contains"}
_WIDEST = 1000
"""Rows that an index of vectors looks at, at most, before it goes on by itself: pgvector's own bound."""


@dataclass(frozen=True)
class Table:
    """Where a vector store keeps its rows."""

    run: Callable[[Callable[[sa.Connection], Any]], Any]
    """Do some work in one transaction."""
    table: sa.FromClause
    id: sa.ColumnElement[Any]
    text: sa.ColumnElement[Any]
    vector: sa.ColumnElement[Any]
    metadata: sa.ColumnElement[Any]
    beside: tuple[sa.ColumnElement[Any], ...]
    """Columns that hold a key of the metadata each."""
    own: Callable[[sa.Connection], Mapping[Any, Any]]
    """What the columns are of the vector store's own rows, where others lie in the table too."""


def opened(vectorstore: PGVector | PGVectorStore, rest: Rest | None) -> RowUnitStore:
    """The units of a table.

    Raises:
        BadStore: the vector store can only be awaited, or wants more of a row than a unit gives.
    """
    with _in_our_words():
        at = _of_collection(vectorstore) if isinstance(vectorstore, PGVector) else _of_table(vectorstore)
    return RowUnitStore(PostgresRows(at), DocumentRows(rest))


def _of_collection(vectorstore: PGVector) -> Table:
    if vectorstore.async_mode:
        raise BadStore("a PGVector in async mode can only be awaited; give one that was made with async_mode=False")
    engine = vectorstore.session_maker().get_bind()
    rows, collections = vectorstore.EmbeddingStore.__table__, vectorstore.CollectionStore.__table__

    def run(work: Callable[[sa.Connection], T]) -> T:
        with engine.begin() as connection:
            return work(connection)

    def own(connection: sa.Connection) -> Mapping[Any, Any]:
        named = sa.select(collections.c.uuid).where(collections.c.name == vectorstore.collection_name)
        if (found := connection.execute(named).scalar()) is None:
            raise BadStore(f"the collection {vectorstore.collection_name} is gone; open the vector store again")
        return {rows.c.collection_id: found}

    columns = rows.c
    return Table(run, rows, columns.id, columns.document, columns.embedding, columns.cmetadata, (), own)


def _of_table(vectorstore: PGVectorStore) -> Table:
    engine, made = vectorstore._engine, vars(vectorstore)["_PGVectorStore__vs"]
    if engine._loop is None:
        raise BadStore("a PGEngine without a loop can only be awaited; make it with PGEngine.from_connection_string")
    if made.metadata_json_column is None:
        raise BadStore(f"the table {made.table_name} has no column of JSON for metadata, and a unit needs one")
    if made.hybrid_search_config and made.hybrid_search_config.tsv_column:
        raise BadStore(f"the table {made.table_name} has a column of words, which units do not fill; use one without")

    def run(work: Callable[[sa.Connection], T]) -> T:
        async def begun() -> T:
            async with engine._pool.begin() as connection:
                return await connection.run_sync(work)

        return engine._run_as_sync(begun())

    rows = run(lambda link: sa.Table(made.table_name, sa.MetaData(), schema=made.schema_name, autoload_with=link))
    return Table(
        run,
        rows,
        id=rows.c[made.id_column],
        text=rows.c[made.content_column],
        vector=rows.c[made.embedding_column],
        metadata=rows.c[made.metadata_json_column],
        beside=tuple(rows.c[name] for name in made.metadata_columns),
        own=lambda connection: {},
    )


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

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        """The k rows nearest to a vector that meet a filter, best first."""
        distance = self._at.vector.cosine_distance(list(vector)).label("distance")

        def search(connection: sa.Connection) -> list[Any]:
            self._check(connection, len(vector))
            _go_on(connection, k)
            nearest = self._select(connection, where, self._at.id, self._at.metadata, *self._at.beside, distance)
            return list(connection.execute(nearest.order_by(distance).limit(k)))

        rows = [Near(str(row[0]), self._metadata(row[1:]), _cosine(row[-1])) for row in self._run(search)]
        return sorted(rows, key=lambda row: -row.score)

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
        return list(map(str, found))

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        """Write some rows and delete others, in one transaction."""
        known = self._known(gone)

        def change(connection: sa.Connection) -> None:
            own = self._at.own(connection)
            mine = [column == value for column, value in own.items()]
            for some in batches(list(rows), BATCH):
                self._check(connection, len(some[0].vector or ()))
                self._keep_out(connection, [row.id for row in some], own)
                held = [{**{column.name: value for column, value in own.items()}, **self._held(row)} for row in some]
                connection.execute(self._upsert(held))
            for ids in batches(known, BATCH):
                connection.execute(sa.delete(self._at.table).where(self._at.id.in_(ids), *mine))  # type: ignore[arg-type]

        self._run(change)

    def _run(self, work: Callable[[sa.Connection], T]) -> T:
        with _in_our_words():
            done: T = self._at.run(work)
            return done

    def _select(self, connection: sa.Connection, where: Where, *columns: Any) -> sa.Select[Any]:
        conditions = [column == value for column, value in self._at.own(connection).items()]
        if (met := translated(where, self._condition, _every, _either)) is not None:
            conditions.append(met)
        return sa.select(*columns).select_from(self._at.table).where(*conditions)

    def _read(self, where: Where, vectors: bool, narrowed: Callable[[sa.Select[Any]], sa.Select[Any]]) -> list[Row]:
        columns = [*self._columns, *([self._at.vector] if vectors else [])]
        found = self._run(lambda link: list(link.execute(narrowed(self._select(link, where, *columns)))))
        return [
            Row(str(row[0]), row[1] or "", self._metadata(row[2:]), _numbers(row[-1]) if vectors else None)
            for row in found
        ]

    def _metadata(self, values: Sequence[Any]) -> dict[str, Any]:
        """The metadata of a row: of its column of JSON, and of those that hold a key each."""
        named = {column.name: value for column, value in zip(self._at.beside, values[1:], strict=False)}
        return {**(values[0] or {}), **{key: value for key, value in named.items() if value is not None}}

    def _held(self, row: Row) -> dict[str, Any]:
        """What the columns hold of a row."""
        at, metadata = self._at, dict(row.metadata)
        beside = {column.name: metadata.pop(column.name, None) for column in at.beside}
        return {at.id.name: row.id, at.text.name: row.text, at.vector.name: list(row.vector or ())} | {
            at.metadata.name: metadata,
            **beside,
        }

    def _upsert(self, held: list[dict[str, Any]]) -> Any:
        written = insert(self._at.table).values(held)  # type: ignore[arg-type]
        others = {name: written.excluded[name] for name in held[0] if name != self._at.id.name}
        return written.on_conflict_do_update(index_elements=[self._at.id.name], set_=others)

    def _keep_out(self, connection: sa.Connection, ids: list[str], own: Mapping[Any, Any]) -> None:
        """Refuse to take rows from another collection, in which the same documents are."""
        theirs = [column != value for column, value in own.items()]
        if theirs and connection.execute(sa.select(self._at.id).where(self._at.id.in_(ids), *theirs).limit(1)).first():
            raise BadStore(
                "another collection of this database holds the same documents, and PGVector keeps an id in one"
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

    def _condition(self, key: str, operator: str, value: Any) -> sa.ColumnElement[bool] | None:
        if any(key == column.name for column in self._at.beside) or not _is_stored([key, value]):
            return None
        if operator in _NEGATIONS:
            met = self._condition(key, _NEGATIONS[operator], value)
            return None if met is None else sa.not_(sa.func.coalesce(met, sa.false()))
        if operator == "$eq":
            return self._holds({key: value})
        if operator == "$in":
            return sa.or_(sa.false(), *(self._holds({key: one}) for one in value))
        if operator == "$contains":
            return self._holds({key: [value]})
        if isinstance(value, bool):
            return None
        path = f"strict $.{json.dumps(key)} {_BOUNDS[operator]} {json.dumps(value)}"
        return self._json.op("@@")(sa.cast(path, _JsonPath))

    def _holds(self, part: dict[str, Any]) -> sa.ColumnElement[bool]:
        held: sa.ColumnElement[bool] = self._json.op("@>")(sa.cast(part, JSONB))
        return held


class _JsonPath(sa.types.UserDefinedType[str]):
    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "JSONPATH"


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
def _in_our_words() -> Iterator[None]:
    """Raise what lies with the database as `BadStore`; a transaction that failed has changed nothing."""
    try:
        yield
    except sa.exc.DBAPIError as error:
        said = " ".join(str(error.orig).split())
        message = f"PostgreSQL refused a call, and nothing was changed ({said}); mend that, and run it again"
        raise BadStore(message) from error
