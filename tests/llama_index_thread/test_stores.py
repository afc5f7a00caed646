import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from llama_index.core import Document, SummaryIndex
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.simple import SimpleVectorStore
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from llama_index_thread import DefaultEmbedding, ThreadIngest, ThreadRetriever
from llama_index_thread.convert import from_node, to_where
from llama_index_thread.stores import opened
from thread_core import Span
from thread_core.errors import BadStore
from thread_core.ports import rows_of
from thread_core.testing.store_suite import GUIDE, NORTH, SOUTH, UnitStoreSuite, a_unit


class TestAnIndexOverASimpleVectorStore(UnitStoreSuite):
    @pytest.fixture
    def store(self, simple):
        self.index = simple
        return opened(simple, None).units

    def add_other_row(self, store, row_id, vector):
        self.index.insert_nodes([TextNode(id_=row_id, text="a chunk", embedding=list(vector))])

    def other_rows(self, store):
        data = self.index.vector_store.data
        others = {one for one, row in data.metadata_dict.items() if "lu_layout" not in row}
        return [(one, data.embedding_dict[one], self.index.docstore.get_document(one)) for one in sorted(others)]


def only(*filters, condition=FilterCondition.AND):
    return MetadataFilters(filters=list(filters), condition=condition)


def where(key, operator, value):
    return MetadataFilter(key=key, operator=operator, value=value)


def test_every_comparison_of_a_filter_is_known(simple):
    store = opened(simple, None).units
    old, new, none = (a_unit("Look", line, metadata=tags) for line, tags in ((1, {"v": 1}), (2, {"v": 2}), (3, {})))
    store.write([old, new, none], [NORTH] * 3)

    def found(filters):
        return [stored.unit for stored in rows_of(store, GUIDE, to_where(filters))]

    one, two = where("v", FilterOperator.EQ, 1), where("v", FilterOperator.EQ, 2)
    assert found(only(one)) == [old]
    assert found(only(where("v", FilterOperator.NE, 1))) == [new, none]
    assert found(only(where("v", FilterOperator.GT, 1))) == found(only(where("v", FilterOperator.GTE, 2))) == [new]
    assert found(only(where("v", FilterOperator.LT, 2))) == found(only(where("v", FilterOperator.LTE, 1))) == [old]
    assert found(only(where("v", FilterOperator.IN, [2, 3]))) == [new]
    assert found(only(where("v", FilterOperator.NIN, [2, 3]))) == [old, none]
    assert found(only(one, two, condition=FilterCondition.OR)) == [old, new]
    assert found(only(only(one, two, condition=FilterCondition.OR), where("v", FilterOperator.NE, 1))) == [new]
    assert found(only(where("lu_header", FilterOperator.GT, 1))) == [], "words are neither more nor less than numbers"
    with pytest.raises(ValueError, match=r"found the operator \$like, expected one of"):
        store.search(NORTH, 1, {"v": {"$like": 1}})


def test_a_header_without_known_words_is_found_last(simple):
    store = opened(simple, None).units
    store.write([a_unit("?", 1), a_unit("Look", 2)], [(0.0, 0.0), NORTH])

    assert [hit.score for hit in store.search(NORTH, 5)] == [1.0, 0.0]
    assert [hit.score for hit in store.search((0.0, 0.0), 5)] == [0.0, 0.0]


def test_vectors_of_another_length_are_refused(simple):
    store = opened(simple, None).units
    store.write([a_unit("Look")], [NORTH])

    with pytest.raises(BadStore, match="found 3 dimensions, expected 2"):
        store.search((1.0, 0.0, 0.0), 5)


def test_another_reader_sees_a_document_before_or_after_a_write(simple, monkeypatch):
    """Whatever of LlamaIndex is called meanwhile."""
    store, reader = opened(simple, None).units, opened(simple, None).units
    old, new = a_unit("Look"), a_unit("Look twice")
    store.write([old], [NORTH])
    seen = []

    def reading(name, owner):
        method = getattr(owner, name)

        def call(*args, **kwargs):
            seen.append([stored.unit for stored in rows_of(reader, GUIDE)])
            result = method(*args, **kwargs)
            seen.append([stored.unit for stored in rows_of(reader, GUIDE)])
            return result

        monkeypatch.setattr(owner, name, call)

    reading("add", SimpleVectorStore)
    reading("delete_nodes", SimpleVectorStore)
    reading("add_documents", type(simple.docstore))
    reading("delete_document", type(simple.docstore))
    store.write([new], [SOUTH], gone=[old.id])

    assert seen == [[old]] * 6 + [[new]] * 2


def test_another_thread_sees_a_document_before_or_after_a_write(simple):
    store, reader = opened(simple, None).units, opened(simple, None).units
    versions = [[a_unit(f"{word} {line}", line) for line in range(1, 6)] for word in ("Look", "Act")]
    store.write(versions[0], [NORTH] * 5)
    done = threading.Event()
    interval = sys.getswitchinterval()

    def read():
        seen = []
        while not done.is_set():
            seen.append([stored.unit for stored in rows_of(reader, GUIDE)])
        return seen

    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(1) as pool:
            reading = pool.submit(read)
            try:
                for number in range(40):
                    before, after = versions if number % 2 == 0 else versions[::-1]
                    store.write(after, [NORTH] * 5, gone=[unit.id for unit in before])
            finally:
                done.set()
            seen = reading.result()
    finally:
        sys.setswitchinterval(interval)

    assert seen
    assert [units for units in seen if units not in versions] == []


def test_llama_index_reads_what_we_write(simple):
    store = opened(simple, None).units
    unit, gone = a_unit("Look", 1), a_unit("Act", 2)
    vectors = DefaultEmbedding().get_text_embedding_batch(["Look", "Act"])
    store.write([unit, gone], vectors)
    moved = unit.model_copy(update={"spans": (Span(GUIDE, 7, 7),), "body_spans": (Span(GUIDE, 7, 7),)})
    store.write(moved=[moved], gone=[gone.id])

    found = simple.as_retriever(similarity_top_k=5).retrieve("Look")

    assert [from_node(one.node) for one in found] == [moved]
    assert simple.ref_doc_info[GUIDE].node_ids == [unit.id]


def test_what_llama_index_deletes_is_gone(simple, nodes, embedding):
    simple.insert_nodes(nodes)

    simple.delete_ref_doc("disk.md")

    assert opened(simple, None).units.ids() == [node.node_id for node in nodes if node.ref_doc_id == "volumes.md"]
    assert rows_of(opened(simple, None).units, "disk.md") == []


@pytest.mark.parametrize("both", [False, True])
def test_either_an_index_or_a_vector_store(both, index, store):
    with pytest.raises(ValueError, match="either index= or vector_store="):
        opened(*(index, store) if both else (None, None))


def test_another_store_is_refused(nodes, simple):
    for index, vector_store, found in (
        (SummaryIndex(nodes), None, "SummaryIndex"),
        (None, SimpleVectorStore(), "SimpleVectorStore"),
        (None, Document(text=""), "Document"),
    ):
        with pytest.raises(TypeError, match=f"found a {found}, expected a ChromaVectorStore, .* or an index over"):
            opened(index, vector_store)


@pytest.mark.parametrize("made", [ThreadRetriever, ThreadIngest])
def test_a_vector_store_in_the_place_of_its_index_is_refused(made, store):
    with pytest.raises(TypeError, match="found a ChromaVectorStore, expected an index; pass vector_store="):
        made(store)
