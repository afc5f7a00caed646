"""`langchain_postgres.PGVector` and `PGVectorStore`: where in PostgreSQL their rows lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import pgvector.sqlalchemy  # noqa: F401
import sqlalchemy as sa
from langchain_postgres import PGVector, PGVectorStore

from langchain_thread.stores.rest import DocumentRows, Rest
from thread_core.errors import BadStore
from thread_core.store.rows import RowUnitStore
from thread_stores.postgres import PostgresRows, Table, in_our_words

# pgvector is imported for SQLAlchemy, which knows the type of a table's column of vectors by that.
T = TypeVar("T")


def opened(vectorstore: PGVector | PGVectorStore, rest: Rest | None) -> RowUnitStore:
    """The units of a table.

    Raises:
        BadStore: the vector store can only be awaited, or wants more of a row than a unit gives.
    """
    with in_our_words():
        at = _of_collection(vectorstore) if isinstance(vectorstore, PGVector) else _of_table(vectorstore)
    return RowUnitStore(PostgresRows(at), DocumentRows(rest))


def _of_collection(vectorstore: PGVector) -> Table:
    if vectorstore.async_mode:
        raise BadStore("found a PGVector in async mode, expected one made with async_mode=False")
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
    return Table(run, rows, columns.id, columns.document, columns.embedding, columns.cmetadata, own=own)


def _of_table(vectorstore: PGVectorStore) -> Table:
    engine, made = vectorstore._engine, vars(vectorstore)["_PGVectorStore__vs"]
    if engine._loop is None:
        raise BadStore("found a PGEngine without a loop, expected one from PGEngine.from_connection_string")
    if made.metadata_json_column is None:
        raise BadStore(
            f"the table {made.table_name} has no JSON column for metadata, which units need; create it with one"
        )
    if made.hybrid_search_config and made.hybrid_search_config.tsv_column:
        raise BadStore(
            f"the table {made.table_name} has a column for words, which units do not fill; use a table without it"
        )

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
    )
