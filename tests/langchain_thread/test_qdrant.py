"""What is Qdrant's own: spaces, names of vectors, words besides vectors, ids, and what it does with filters."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from langchain_thread import DefaultEmbeddings
from langchain_thread.stores import to_unit_store
from tests.langchain_thread.vectorstores import qdrant
from thread_core.errors import BadStore
from thread_core.ports import rows_of
from thread_core.testing.store_suite import EAST, GUIDE, NORTH, SOUTH, a_unit

langchain_qdrant = pytest.importorskip("langchain_qdrant")
from qdrant_client import QdrantClient, models  # noqa: E402


class Letters(langchain_qdrant.SparseEmbeddings):  # type: ignore[misc]
    """A text's letters, counted."""

    def embed_documents(self, texts: list[str]) -> list[Any]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> Any:
        letters = sorted(set(map(ord, text)))
        return langchain_qdrant.SparseVector(indices=letters, values=[float(text.count(chr(one))) for one in letters])


@contextmanager
def collection(vectors: Any, sparse: Any = None, **options: Any) -> Iterator[Any]:
    client = QdrantClient(":memory:")
    client.create_collection("guides", vectors_config=vectors, sparse_vectors_config=sparse)
    options |= {"validate_collection_config": False}
    yield langchain_qdrant.QdrantVectorStore(client, "guides", DefaultEmbeddings(), **options)
    client.close()


@pytest.mark.parametrize("distance", [models.Distance.EUCLID, models.Distance.DOT])
def test_a_collection_that_measures_no_cosines_is_refused(distance: Any) -> None:
    with (
        qdrant(DefaultEmbeddings(), 2, distance=distance) as vectorstore,
        pytest.raises(BadStore, match=f"uses {distance.value} distances, expected cosine"),
    ):
        to_unit_store(vectorstore)


def test_a_collection_of_words_alone_is_refused() -> None:
    sparse = {"langchain-sparse": models.SparseVectorParams()}
    options = {"sparse_embedding": Letters(), "retrieval_mode": langchain_qdrant.RetrievalMode.SPARSE}
    with collection({}, sparse, **options) as vectorstore, pytest.raises(BadStore, match="has no dense vectors"):
        to_unit_store(vectorstore)


def test_in_a_hybrid_collection_units_are_found_by_their_words_too() -> None:
    size = models.VectorParams(size=2, distance=models.Distance.COSINE)
    options = {"sparse_embedding": Letters(), "retrieval_mode": langchain_qdrant.RetrievalMode.HYBRID}
    with collection(
        {"dense": size}, {"langchain-sparse": models.SparseVectorParams()}, vector_name="dense", **options
    ) as (vectorstore):
        store = to_unit_store(vectorstore)
        units = [a_unit("Look", 1), a_unit("Act", 2)]
        store.write(units, [NORTH, EAST])
        assert [stored.vector for stored in rows_of(store, GUIDE)] == [list(NORTH), list(EAST)]
        assert [hit.unit_id for hit in store.search(EAST, 1)] == [units[1].id]
        sparse = models.SparseVector(**Letters().embed_query("Look").model_dump())
        found = vectorstore.client.query_points("guides", query=sparse, using="langchain-sparse", limit=1)
        assert found.points[0].id == units[0].id


def test_points_may_have_numbers_for_ids() -> None:
    with qdrant(DefaultEmbeddings(), 2) as vectorstore:
        store = to_unit_store(vectorstore)
        unit = a_unit("Look")
        store.write([unit], [NORTH])
        [point] = vectorstore.client.retrieve("guides", [unit.id], with_vectors=True)
        vectorstore.client.upsert("guides", [models.PointStruct(id=7, vector=point.vector, payload=point.payload)])
        assert set(store.ids()) == {unit.id, "7"}
        store.write(gone=[unit.id, "8", "no id"])
        assert [one.body for one in store.get(["7", "no id"])] == [unit.body]


def test_what_qdrant_reads_otherwise_is_read_here() -> None:
    """To it, a list that has a value equals that value, and what is missing is unequal to nothing."""
    with qdrant(DefaultEmbeddings(), 2) as vectorstore:
        store = to_unit_store(vectorstore)
        rows = store.rows
        many = [a_unit("Look", line, metadata={"team": "network"}) for line in range(1, 30)]
        store.write([*many, few := a_unit("Act", 40)], [NORTH] * len(many) + [SOUTH])
        assert [hit.unit_id for hit in store.search(NORTH, 1, {"team": {"$ne": "network"}})] == [few.id]
        for row in rows.get([few.id], vectors=True):
            rows.write([row._replace(metadata={**row.metadata, "team": ["network", "storage"]})])
        assert [hit.unit_id for hit in store.search(NORTH, 1, {"team": {"$ne": "network"}})] == [few.id]
        assert [hit.unit_id for hit in store.search(NORTH, 1, {"team": {"$contains": "storage"}})] == [few.id]
        assert few.id not in {hit.unit_id for hit in store.search(NORTH, 40, {"team": "network"})}


def test_a_server_that_is_not_there_is_named() -> None:
    with qdrant(DefaultEmbeddings(), 2) as vectorstore:
        store = to_unit_store(vectorstore)

        def refuse(*_: Any, **__: Any) -> Any:
            from qdrant_client.http.exceptions import ResponseHandlingException

            raise ResponseHandlingException(ConnectionError("Connection refused"))

        vectorstore.client.scroll = refuse
        with pytest.raises(BadStore, match=r"server cannot be reached .*Connection refused.* check that it runs"):
            store.version()
