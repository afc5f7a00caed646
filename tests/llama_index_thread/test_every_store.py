"""Whatever the vector store is: documents are taken in, found and walked through; LlamaIndex's retriever works on."""

import subprocess
import sys

import pytest
from llama_index.core import Document
from llama_index.core.schema import MetadataMode, NodeRelationship, TextNode
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters

from llama_index_thread import DefaultEmbedding, HowToSession, LogicUnitNodeParser, ThreadIngest, ThreadRetriever
from llama_index_thread.convert import from_node, is_unit
from llama_index_thread.stores import opened
from tests.llama_index_thread.conftest import DISK
from tests.llama_index_thread.vectorstores import KINDS, makers
from thread_core.errors import BadStore
from thread_core.testing.store import MemoryStore
from thread_core.testing.store_suite import UnitStoreSuite

QUESTION = "The disk is full, where are the large files?"
LUNCH = "6a4d2c1e-0f5b-4a57-9c9f-2f1f5d8f3c10"


@pytest.fixture(params=KINDS)
def make(request):
    """Makes empty indexes over each kind of vector store that is supported."""
    with makers(request) as make:
        yield make


class TestTheContract(UnitStoreSuite):
    @pytest.fixture(params=[kind for kind in KINDS if kind != "chroma"])
    def make(self, request):
        """Of Chroma, other tests see to that."""
        with makers(request) as make:
            yield make

    @pytest.fixture
    def store(self, make):
        self.index = make(DefaultEmbedding(), 2)
        return opened(self.index, None).units

    def add_other_row(self, store, row_id, vector):
        self.index.insert_nodes([TextNode(id_=row_id, text="a chunk", embedding=list(vector))])

    def other_rows(self, store):
        return [row for row in store.rows.find({}, vectors=True) if "lu_layout" not in row.metadata]


@pytest.fixture
def index(make, embedding, documents):
    index = make(embedding)
    index.insert_nodes([TextNode(id_=LUNCH, text="Lunch is at noon.", metadata={"floor": 3})])
    ThreadIngest(index).run(documents)
    return index


async def test_documents_are_taken_in_found_and_walked_through(index, documents):
    assert not ThreadIngest(index).run(documents).changed
    edited = Document(
        id_="disk.md", text=DISK.replace("Delete them", "Delete old ones"), metadata=documents[0].metadata
    )
    report = ThreadIngest(index).run([edited])
    assert (report.added, report.removed, report.embedded) == (1, 1, 0)

    elsewhere = MetadataFilter(key="file_path", value="/guides/volumes.md", operator=FilterOperator.NE)
    retriever = ThreadRetriever(index, filters=MetadataFilters(filters=[elsewhere]))
    found = retriever.retrieve(QUESTION)
    assert found == await retriever.aretrieve(QUESTION)
    assert any("Delete old ones" in one.node.get_content() for one in found)
    assert {one.node.ref_doc_id for one in found} == {"disk.md"}

    session = HowToSession(ThreadRetriever(index))
    assert "du -sh" in session.start(QUESTION).text


def test_its_own_retriever_gives_units_and_other_nodes(index):
    found = [one.node for one in index.as_retriever(similarity_top_k=9).retrieve(QUESTION)]

    units = [from_node(node) for node in found if is_unit(node)]
    assert {unit.id for unit in units} == set(opened(index, None).units.ids())
    assert {node.ref_doc_id for node in found if is_unit(node)} == {"disk.md", "volumes.md"}
    [other] = [node for node in found if not is_unit(node)]
    assert (other.node_id, other.get_content(MetadataMode.NONE), other.metadata) == (
        LUNCH,
        "Lunch is at noon.",
        {"floor": 3},
    )


def test_both_ways_write_the_same_nodes(make, embedding, documents):
    """And what LlamaIndex relates a node to is told by our retriever, too."""
    theirs, ours = make(embedding), make(embedding)
    theirs.insert_nodes(LogicUnitNodeParser(include_prev_next_rel=True).get_nodes_from_documents(documents))
    ThreadIngest(ours).run(documents)
    mine, native = opened(ours, None).units, opened(theirs, None).units
    assert mine.get(sorted(mine.ids())) == native.get(sorted(native.ids())) != []

    related = [one.node.relationships for one in ThreadRetriever(theirs).retrieve(QUESTION)]
    assert any(NodeRelationship.NEXT in one for one in related)
    assert not ThreadIngest(theirs).run(documents).changed


def test_a_vector_of_another_length_is_refused(index):
    units = opened(index, None).units
    with pytest.raises(BadStore, match="does not match"):
        units.search([1.0, 2.0], 3)


def test_a_unit_store_of_ones_own(documents):
    mine, embedding = MemoryStore(), DefaultEmbedding()

    ThreadIngest(vector_store=mine, embed_model=embedding).run(documents)

    found = ThreadRetriever(vector_store=mine, embed_model=embedding).retrieve(QUESTION)
    assert "du -sh" in found[0].node.get_content()


def test_no_package_of_a_store_is_imported_for_another():
    program = """
import sys
from llama_index.core import VectorStoreIndex
from llama_index_thread import DefaultEmbedding, ThreadIngest
ThreadIngest(VectorStoreIndex([], embed_model=DefaultEmbedding()))
print([name for name in ("chromadb", "llama_index.vector_stores", "qdrant_client", "pgvector") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
