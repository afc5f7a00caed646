"""Tests of stores whose vector index lacks rows: after a write that was cut off, and after another process's."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings

from thread_chroma import ChromaUnitStore
from thread_core.errors import BadStore
from thread_core.ports import Hit, rows_of
from thread_core.testing.store_suite import EAST, GUIDE, NORTH, a_unit

LOOK, ACT = a_unit("Look", 1), a_unit("Act", 2)


def opened(directory: Path) -> Iterator[ChromaUnitStore]:
    client = chromadb.PersistentClient(directory, settings=Settings(anonymized_telemetry=False))
    configuration: Any = {"hnsw": {"space": "cosine"}}
    yield ChromaUnitStore(
        client.get_or_create_collection("thread", configuration=configuration, embedding_function=None)
    )
    client.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ChromaUnitStore]:
    """An empty store that was read."""
    for store in opened(tmp_path):
        assert store.ids() == []
        yield store


@pytest.fixture
def other(store: ChromaUnitStore, tmp_path: Path) -> Iterator[ChromaUnitStore]:
    """The same store as another process has it: with an index of its own, which Chroma keeps by the path."""
    link = tmp_path.with_name(f"{tmp_path.name}-link")
    link.symlink_to(tmp_path)
    yield from opened(link)


def change(directory: Path, statement: str, *given: str) -> None:
    """Bring Chroma's own database into a state in which a cut-off call leaves it."""
    with closing(sqlite3.connect(directory / "chroma.sqlite3")) as database, database:
        assert database.execute(statement, given).rowcount > 0


def cut_off_first_write(directory: Path) -> None:
    """The collection has a length of vectors, and Chroma's log has no row."""
    change(directory, "UPDATE collections SET dimension = 2")


def test_a_store_whose_first_write_was_cut_off_reads_as_empty(store: ChromaUnitStore, tmp_path: Path) -> None:
    cut_off_first_write(tmp_path)
    assert (store.documents([GUIDE]), store.get([LOOK.id])) == ({}, [])
    assert store.search(NORTH, 3) == store.search(NORTH, 3, {"lu_document": GUIDE}) == []


def test_a_store_whose_first_write_was_cut_off_is_written(store: ChromaUnitStore, tmp_path: Path) -> None:
    cut_off_first_write(tmp_path)
    store.write([LOOK], [NORTH])
    assert rows_of(store, GUIDE) == [(LOOK, list(NORTH))]
    assert store.search(NORTH, 3) == [Hit(LOOK.id, GUIDE, pytest.approx(1.0))]


def test_a_write_that_stayed_in_the_log_is_there_after_a_sweep(store: ChromaUnitStore, tmp_path: Path) -> None:
    store.write([LOOK], [NORTH])
    store.write(gone=[LOOK.id])
    again = "operation, topic, id, vector, encoding, metadata"
    change(
        tmp_path,
        f"INSERT INTO embeddings_queue ({again}) SELECT {again} FROM embeddings_queue WHERE id = ? AND vector NOT NULL",
        LOOK.id,
    )
    assert store.ids() == []
    assert store.sweep() == 0
    assert rows_of(store, GUIDE) == [(LOOK, list(NORTH))]


def test_what_another_process_wrote_is_read_without_vectors(store: ChromaUnitStore, other: ChromaUnitStore) -> None:
    other.write([LOOK], [NORTH])
    assert rows_of(store, GUIDE) == [(LOOK, None)]
    with pytest.raises(BadStore, match=r"another process has written to the directory .*; restart this one"):
        store.search(NORTH, 3)


def test_a_write_takes_in_what_another_process_wrote(store: ChromaUnitStore, other: ChromaUnitStore) -> None:
    other.write([LOOK], [NORTH])
    store.write([ACT], [EAST], moved=[LOOK])
    assert rows_of(store, GUIDE) == [(LOOK, list(NORTH)), (ACT, list(EAST))]
    assert [hit.unit_id for hit in store.search(NORTH, 3)] == [LOOK.id, ACT.id]


def test_a_search_passes_over_what_another_process_took_away(store: ChromaUnitStore, other: ChromaUnitStore) -> None:
    store.write([LOOK, ACT], [NORTH, EAST])
    assert [hit.unit_id for hit in store.search(NORTH, 2)] == [LOOK.id, ACT.id]
    other.write(gone=[LOOK.id])
    assert [hit.unit_id for hit in store.search(NORTH, 2)] == [ACT.id]
