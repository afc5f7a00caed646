"""What is Qdrant's own: a collection that is not there yet, its space, words besides vectors, who can be awaited."""

import pytest
from llama_index.core.schema import TextNode

from llama_index_thread import DefaultEmbedding, ThreadIngest, ThreadRetriever
from llama_index_thread.stores import opened
from tests.llama_index_thread.vectorstores import qdrant
from thread_core.errors import BadStore
from thread_core.ports import rows_of
from thread_core.testing.store_suite import EAST, GUIDE, NORTH, a_unit

qdrant_client = pytest.importorskip("qdrant_client")
module = pytest.importorskip("llama_index.vector_stores.qdrant")
models = qdrant_client.models


def letters(texts):
    """Each text's letters, counted: their numbers, and how often each is there."""
    known = [sorted(set(map(ord, text))) for text in texts]
    return known, [[float(text.count(chr(one))) for one in some] for text, some in zip(texts, known, strict=True)]


def test_a_collection_that_is_not_there_is_empty_until_someone_writes():
    with qdrant() as store:
        units = opened(None, store).units
        assert (units.ids(), units.sweep(), store.client.collection_exists("guides")) == ([], 0, False)

        other = module.QdrantVectorStore("guides", client=store.client, index_doc_id=False)
        opened(None, other).units.write([unit := a_unit("Look")], [NORTH])

        assert units.get(units.ids()) == [unit]
        assert [hit.unit_id for hit in units.search(NORTH, 1)] == [unit.id]


@pytest.mark.parametrize("made", [ThreadIngest, ThreadRetriever])
def test_a_collection_that_measures_no_cosines_is_refused(made):
    with qdrant() as store:
        space = models.VectorParams(size=256, distance=models.Distance.EUCLID)
        store.client.create_collection("guides", vectors_config=space)

        with pytest.raises(BadStore, match="uses Euclid distances, expected cosine"):
            made(vector_store=store, embed_model=DefaultEmbedding())


def test_in_a_hybrid_collection_units_are_found_by_their_words_too():
    with qdrant(enable_hybrid=True, sparse_doc_fn=letters, sparse_query_fn=letters) as store:
        units = opened(None, store).units
        look, act = a_unit("Look", 1), a_unit("Act", 2)
        units.write([look, act], [NORTH, EAST])
        store.add([TextNode(text="a chunk", embedding=list(NORTH))])

        assert [stored.vector for stored in rows_of(units, GUIDE)] == [list(NORTH), list(EAST)]
        assert [hit.unit_id for hit in units.search(EAST, 1)] == [act.id]
        [indices], [values] = letters(["Look"])
        sparse = models.SparseVector(indices=indices, values=values)
        found = store.client.query_points("guides", query=sparse, using=store.sparse_vector_name, limit=1)
        assert found.points[0].id == look.id


def test_a_server_is_told_to_index_what_units_are_looked_up_by(monkeypatch):
    made = []
    monkeypatch.setattr("thread_stores.qdrant.QdrantLocal", ())  # so that no client counts as local
    with qdrant() as store:
        monkeypatch.setattr(store.client, "create_payload_index", lambda *what: made.append(what))
        units = opened(None, store).units
        for line in (1, 2):
            units.write([a_unit("Look", line)], [NORTH])

        assert made == [("guides", "lu_layout", "integer"), ("guides", "lu_document", "keyword")]


async def test_a_client_that_can_only_be_awaited_is_refused():
    client = qdrant_client.AsyncQdrantClient(":memory:")
    store = module.QdrantVectorStore("guides", aclient=client)

    with pytest.raises(TypeError, match="with only an aclient; pass client= too"):
        opened(None, store)
    await client.close()
