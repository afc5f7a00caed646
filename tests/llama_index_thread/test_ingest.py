"""Taking LlamaIndex's documents in, and reading what was written with LlamaIndex itself."""

import pytest
from llama_index.core import Document, StorageContext, VectorStoreIndex, load_index_from_storage
from llama_index.core.schema import MetadataMode
from llama_index.core.vector_stores.types import MetadataFilter, MetadataFilters
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread import LogicUnitNodeParser, ThreadIngest, ThreadRetriever
from llama_index_thread.convert import from_node
from llama_index_thread.stores import opened
from thread_core.errors import BadStore
from thread_core.ports import rows_of
from thread_core.store.lexical import SqliteLexicalIndex

QUESTION = "The disk is full, where are the large files?"


def edited(documents, old, new):
    first, *others = documents
    assert old in first.text
    return [Document(id_=first.node_id, text=first.text.replace(old, new), metadata=first.metadata), *others]


def moved(documents):
    return edited(documents, "# Disk full\n", "\n\n# Disk full\n")


@pytest.fixture
def ingest(store, embedding):
    return ThreadIngest(vector_store=store, embed_model=embedding)


def test_it_writes_what_the_parser_makes(ingest, store, documents, nodes):
    report = ingest.run(documents)

    assert (report.added, report.embedded, report.failures) == (len(nodes), len(nodes), ())
    assert [stored.unit for stored in rows_of(opened(None, store).units, "disk.md")] == [
        from_node(node) for node in nodes if node.ref_doc_id == "disk.md"
    ]


@pytest.mark.parametrize("lost", [{"rating": float("nan")}, {"": 2}, {"$and": 2}, {"document_id": "KB"}], ids=str)
@pytest.mark.filterwarnings("ignore:the documents' metadata")
def test_metadata_that_no_row_can_have_stops_no_document(ingest, store, embedding, documents, collection, lost):
    documents[0].metadata |= lost | {"document_identifier": "KB-17"}
    documents[1].id_ = "v\udcf6lumes.md"  # as Python reads a file's name that is no UTF-8

    assert ingest.run(documents).added == collection.count() == 5
    assert not ThreadIngest(vector_store=store, embed_model=embedding).run(documents).changed
    filters = MetadataFilters(filters=[MetadataFilter(key="document_identifier", value="KB-17")])
    assert ThreadRetriever(vector_store=store, embed_model=embedding, filters=filters).retrieve(QUESTION)


@pytest.mark.parametrize("edit", [list, moved], ids=["as it was", "moved"])
def test_an_index_over_the_store_reads_what_was_written(ingest, store, embedding, documents, edit):
    ingest.run(documents)
    ingest.run(edit(documents))
    index = VectorStoreIndex.from_vector_store(store, embed_model=embedding)
    expected = {node.node_id: node for node in LogicUnitNodeParser()(edit(documents))}

    found = [one.node for one in index.as_retriever(similarity_top_k=9).retrieve(QUESTION)]

    assert {node.node_id: from_node(node) for node in found} == {one: from_node(expected[one]) for one in expected}
    assert found[0].ref_doc_id == "disk.md"
    for node in found:
        for mode in (MetadataMode.EMBED, MetadataMode.LLM):
            assert node.get_content(mode) == expected[node.node_id].get_content(mode)


def test_a_parser_says_how_documents_are_divided(store, embedding):
    words = "Turn the wheel and wait until the needle of its gauge stands still. " * 8
    text = "# Start\n\n" + "\n\n".join(f"{number}. {words}" for number in (1, 2, 3))
    parser = LogicUnitNodeParser(merge_chains=2000, include_metadata=False)
    ingest = ThreadIngest(vector_store=store, embed_model=embedding, node_parser=parser)

    ingest.run([Document(id_="start.md", text=text, metadata={"team": "storage"})])

    (stored,) = rows_of(opened(None, store).units, "start.md")
    assert (stored.unit.steps, stored.unit.metadata) == ((1, 2, 3), {})


def test_words_are_kept_in_step(store, embedding, documents):
    words = SqliteLexicalIndex()

    ThreadIngest(vector_store=store, embed_model=embedding, lexical_index=words).run(documents)

    assert [hit.document_id for hit in words.search("extend volume", 1)] == ["volumes.md"]


class TestAnIndexOverASimpleVectorStore:
    def test_holds_what_llama_index_would_have_put_there(self, simple, embedding, documents, nodes):
        ThreadIngest(simple, embed_model=embedding).run(documents)
        theirs = VectorStoreIndex(nodes, embed_model=embedding)

        assert simple.vector_store.data == theirs.vector_store.data
        assert simple.docstore.docs == theirs.docstore.docs
        assert simple.index_struct.nodes_dict == theirs.index_struct.nodes_dict
        assert simple.ref_doc_info.keys() == theirs.ref_doc_info.keys()

    def test_is_edited_persisted_loaded_and_edited_again(self, simple, embedding, documents, tmp_path):
        ThreadIngest(simple, embed_model=embedding).run(documents)
        ThreadIngest(simple, embed_model=embedding).run(moved(documents))
        simple.storage_context.persist(tmp_path)
        loaded = load_index_from_storage(StorageContext.from_defaults(persist_dir=tmp_path), embed_model=embedding)
        embedding.texts.clear()

        again = ThreadIngest(loaded, embed_model=embedding).run(moved(documents))
        back = ThreadIngest(loaded, embed_model=embedding).run(edited(documents, "du -sh", "du -xsh"))

        assert not again.changed
        assert (back.added, back.moved, back.removed, back.embedded) == (1, 3, 1, 0)
        found = ThreadRetriever(loaded, embed_model=embedding).retrieve(QUESTION)
        assert "du -xsh" in found[0].node.get_content()
        assert len(found) == len(loaded.as_retriever(similarity_top_k=9).retrieve(QUESTION)) == 5


class TestWhatIsRefused:
    def test_another_distance(self, client, embedding):
        collection = client.create_collection("others", embedding_function=None)

        with pytest.raises(BadStore, match="'others' uses l2 distances, expected cosine"):
            ThreadIngest(vector_store=ChromaVectorStore(chroma_collection=collection), embed_model=embedding)

    def test_texts_in_the_place_of_documents(self, ingest):
        with pytest.raises(TypeError, match="found a str, expected LlamaIndex documents"):
            ingest.run(["# A"])

    def test_one_document_in_the_place_of_several(self, ingest, documents):
        with pytest.raises(TypeError, match=r"found one Document, expected a list of documents; pass \[document\]"):
            ingest.run(documents[0])

    def test_units_in_the_place_of_documents(self, ingest, nodes, documents):
        report = ingest.run([nodes[0], documents[1]])

        assert [str(failure) for failure in report.failures] == [
            f"{nodes[0].node_id}: is a logic unit; pass the document that it was made from"
        ]
        assert report.added == 1
