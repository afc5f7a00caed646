"""LangChain's vector stores keep the contract of a `UnitStore`, and go on being LangChain's."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_thread import DefaultEmbeddings, ThreadIngest
from langchain_thread.stores import to_unit_store
from tests.langchain_thread.vectorstores import KINDS, makers
from thread_core import layout
from thread_core.ports import UnitStore, Where, rows_of
from thread_core.store.rows import Row
from thread_core.testing.store_suite import EAST, UnitStoreSuite, a_unit


class TestStores(UnitStoreSuite):
    """Every store that is read and written row by row."""

    @pytest.fixture(params=[kind for kind in KINDS if kind != "chroma"])
    def make(self, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
        with makers(request) as make:
            yield make

    @pytest.fixture
    def store(self, make: Callable[..., Any]) -> UnitStore:
        return to_unit_store(make(DefaultEmbeddings(), 2))

    def add_other_row(self, store: Any, row_id: str, vector: tuple[float, float]) -> None:
        store.rows.write([Row(row_id, "a chunk", {"source": "chunks.md"}, vector)])

    def other_rows(self, store: Any) -> Any:
        return [row for row in store.rows.find({}, vectors=True) if row.metadata.get("source") == "chunks.md"]


@pytest.mark.parametrize(
    ("where", "met"),
    [
        ({"team": "storage", "year": 2024}, ["a"]),
        ({"$or": [{"year": {"$lt": 2024}}, {"team": {"$in": ["network"]}}]}, ["b", "c"]),
        ({"$and": [{"year": {"$gte": 2023}}, {"year": {"$lte": 2023}}]}, ["b"]),
        ({"team": {"$gt": 7}}, []),
        ({"year": "2024"}, []),
        ({"team": {"$ne": "storage"}}, ["c", "d"]),
        ({"team": {"$nin": ["storage", "network"]}}, ["d"]),
        ({"tags": {"$contains": "disk"}}, ["a"]),
        ({"tags": {"$not_contains": "disk"}}, ["b", "c", "d"]),
        ({"$and": [{"team": "storage"}, {"$or": [{"year": 2023}, {"year": 2022}]}]}, ["b"]),
    ],
)
def test_filters_are_those_of_chroma(where: Where, met: list[str], make: Callable[..., Any]) -> None:
    tagged = [
        Document("Do it.", id="a", metadata={"team": "storage", "year": 2024, "tags": ["disk", "log"]}),
        Document("Do it.", id="b", metadata={"team": "storage", "year": 2023}),
        Document("Do it.", id="c", metadata={"team": "network", "year": 2024}),
        Document("Do it.", id="d"),
    ]
    vectorstore = make(DefaultEmbeddings())
    ThreadIngest(vectorstore).run(tagged)
    store = to_unit_store(vectorstore)
    assert sorted(unit.document_id for unit in store.get(store.ids(), where)) == met
    assert sorted(hit.document_id for hit in store.search([1.0] * 256, 9, where)) == met


def test_an_unknown_operator_is_refused() -> None:
    vectorstore = InMemoryVectorStore(DefaultEmbeddings())
    ThreadIngest(vectorstore).run([Document("Do it.", id="a", metadata={"team": "storage"})])
    with pytest.raises(ValueError, match=r"found the operator \$like, expected one of"):
        rows_of(to_unit_store(vectorstore), "a", {"team": {"$like": "s"}})


def test_rows_that_a_killed_write_left_are_swept() -> None:
    vectorstore = InMemoryVectorStore(DefaultEmbeddings())
    store = to_unit_store(vectorstore)
    unit = a_unit("Look")
    store.write([unit], [EAST])
    vectorstore.store[unit.id]["metadata"][layout.MARKER] = layout.OUTDATED
    assert (store.ids(), store.sweep(), store.sweep(), vectorstore.store) == ([], 1, 0, {})
