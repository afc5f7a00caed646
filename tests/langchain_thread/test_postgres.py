"""What is PostgreSQL's own: transactions, collections of one table, indexes, and columns besides the metadata."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_thread import DefaultEmbeddings, ThreadIngest
from langchain_thread.stores import to_unit_store
from tests.postgres import Postgres
from thread_core.errors import BadStore
from thread_core.testing.store_suite import EAST, NORTH, SOUTH, a_unit

langchain_postgres = pytest.importorskip("langchain_postgres")
import sqlalchemy as sa  # noqa: E402
from sqlalchemy.ext.asyncio import create_async_engine  # noqa: E402


@pytest.fixture
def engine(postgres: Postgres) -> Iterator[Any]:
    with postgres.database() as url:
        engine = sa.create_engine(url)
        yield engine
        engine.dispose()


@pytest.fixture
def pg_engine(postgres: Postgres) -> Iterator[Any]:
    with postgres.database() as url:
        engine = langchain_postgres.PGEngine.from_connection_string(url)
        yield engine
        engine._run_as_sync(engine.close())


def test_a_write_that_fails_changes_nothing(engine: Any) -> None:
    store = to_unit_store(langchain_postgres.PGVector(DefaultEmbeddings(), connection=engine))
    old = a_unit("Look")
    store.write([old], [NORTH])
    with pytest.raises(BadStore, match=r"disk full\.md contains the character NUL"):
        store.write([a_unit("Look twice"), a_unit("Act", 2, body="\0")], [NORTH, NORTH], gone=[old.id])
    assert store.get(store.ids()) == [old]
    with pytest.raises(BadStore, match="found 3 dimensions, expected 2"):
        store.write([a_unit("Act", 2)], [(1.0, 0.0, 0.0)], gone=[old.id])
    assert store.get(store.ids()) == [old]


def test_collections_of_one_database(engine: Any) -> None:
    """PGVector has one table for all, in which an id is there once."""
    first, second = (
        to_unit_store(langchain_postgres.PGVector(DefaultEmbeddings(), connection=engine, collection_name=name))
        for name in ("first", "second")
    )
    unit, other = a_unit("Look"), a_unit("Look", document_id="other.md")
    first.write([unit], [NORTH])
    second.write([other], [NORTH], gone=[unit.id])
    assert (first.ids(), second.ids()) == ([unit.id], [other.id])
    with pytest.raises(BadStore, match="another collection of this database has the same documents"):
        second.write([unit], [NORTH])
    assert (first.ids(), second.ids()) == ([unit.id], [other.id])


@pytest.mark.parametrize("kind", ["hnsw", "ivfflat"])
def test_an_index_of_vectors_goes_on_until_enough_rows_meet_a_filter(engine: Any, kind: str) -> None:
    vectorstore = langchain_postgres.PGVector(DefaultEmbeddings(), connection=engine)
    store = to_unit_store(vectorstore)
    near = [a_unit("Look", line) for line in range(1, 401)]
    far = [a_unit("Act", line, metadata={"team": "storage"}) for line in range(500, 520)]
    store.write([*near, *far], [(line / 1000, 1.0) for line in range(len(near))] + [SOUTH] * len(far))
    with engine.begin() as connection:
        connection.execute(sa.text("ALTER TABLE langchain_pg_embedding ALTER embedding TYPE vector(2)"))
        operators = "(embedding vector_cosine_ops)"
        connection.execute(sa.text(f"CREATE INDEX ON langchain_pg_embedding USING {kind} {operators}"))
        for other in ("seqscan", "bitmapscan", "sort"):  # so that the index is used over a few rows, too
            connection.execute(sa.text(f"ALTER DATABASE {engine.url.database} SET enable_{other} = off"))
    engine.dispose()
    assert {hit.unit_id for hit in store.search(NORTH, 20, {"team": {"$ne": "network"}})} <= {one.id for one in near}
    assert {hit.unit_id for hit in store.search(NORTH, 20, {"team": "storage"})} == {one.id for one in far}
    assert len(store.search(NORTH, 100)) == 100


def test_columns_besides_the_metadata(pg_engine: Any) -> None:
    column = langchain_postgres.Column
    columns = [column("team", "TEXT"), column("year", "INTEGER")]
    pg_engine.init_vectorstore_table("guides", 256, metadata_columns=columns, id_column=column("id", "TEXT"))
    vectorstore = langchain_postgres.PGVectorStore.create_sync(
        pg_engine, DefaultEmbeddings(), "guides", metadata_columns=["team", "year"], id_column="id"
    )
    guide = Document("# Disk\n\n1. Look.", id="disk.md", metadata={"team": "storage", "size": 2, "tags": ["a"]})
    ThreadIngest(vectorstore).run([guide, Document("# Pump\n\n1. Look.", id="pump.md", metadata={"year": 2024})])
    assert not ThreadIngest(vectorstore).run([guide]).changed
    store = to_unit_store(vectorstore)
    [unit] = store.get(store.ids(), {"team": "storage"})
    assert unit.metadata == {"team": "storage", "size": 2}
    assert [hit.document_id for hit in store.search([1.0] * 256, 5, {"year": {"$gt": 2000}})] == ["pump.md"]
    assert [hit.document_id for hit in store.search([1.0] * 256, 5, {"team": {"$ne": "storage"}})] == ["pump.md"]
    [found] = vectorstore.similarity_search("Look", filter={"team": "storage"})
    assert found.id == unit.id


def test_what_can_only_be_awaited_is_refused(postgres: Postgres) -> None:
    with postgres.database() as url:
        awaited = create_async_engine(url)
        with pytest.raises(BadStore, match="async mode, expected one made with"):
            to_unit_store(langchain_postgres.PGVector(DefaultEmbeddings(), connection=awaited))


def test_an_id_that_is_none_of_the_tables_is_missing(pg_engine: Any) -> None:
    pg_engine.init_vectorstore_table("guides", 2)
    store = to_unit_store(langchain_postgres.PGVectorStore.create_sync(pg_engine, DefaultEmbeddings(), "guides"))
    unit = a_unit("Look")
    store.write([unit], [EAST], gone=["nobody"])
    assert store.get(["nobody", str(uuid.uuid4()), unit.id, "\0"]) == [unit]
