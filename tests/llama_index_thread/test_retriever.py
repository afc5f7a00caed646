import copy
import pickle
import time
import warnings

import pytest
from llama_index.core import Settings, StorageContext, SummaryIndex, VectorStoreIndex
from llama_index.core.indices.query.query_transform import HyDEQueryTransform
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import MarkdownNodeParser
from llama_index.core.retrievers import QueryFusionRetriever, TransformRetriever
from llama_index.core.schema import MetadataMode, NodeRelationship, NodeWithScore, QueryBundle, TextNode
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilter, MetadataFilters

from llama_index_thread import (
    DefaultEmbedding,
    HowToSession,
    LogicUnitNodeParser,
    ThreadChatEngine,
    ThreadQuery,
    ThreadQueryEngine,
    ThreadRetriever,
    WholeUnits,
)

QUESTION = "The disk is full, where are the large files?"


@pytest.fixture
def settings():
    """LlamaIndex's settings, put back afterwards."""
    before = Settings._embed_model
    Settings._embed_model = None
    yield Settings
    Settings._embed_model = before


def headers(found):
    return [one.node.metadata["lu_header"] for one in found]


async def test_sync_and_async_and_all_doors_find_the_same(index, store, embedding):
    by_index = ThreadRetriever(index=index, embed_model=embedding)
    by_store = ThreadRetriever(vector_store=store, embed_model=embedding)

    found = by_index.retrieve(QUESTION)

    assert await by_index.aretrieve(QUESTION) == found
    assert by_store.retrieve(QUESTION) == found
    assert await by_store.aretrieve(QUESTION) == found


async def test_a_query_may_bring_its_vector_or_what_is_embedded_instead_of_it(retriever, embedding, llm):
    weak = "Rabbit is choking, help"
    assert retriever.retrieve(weak) == []
    given = QueryBundle(weak, embedding=embedding.get_query_embedding(QUESTION))
    instead = QueryBundle(weak, custom_embedding_strs=[QUESTION])
    llm.replies = [QUESTION]
    transformed = TransformRetriever(retriever, HyDEQueryTransform(llm, include_original=False))
    embedding.queries.clear()

    found = retriever.retrieve(given)
    assert embedding.queries == []
    assert headers(found)[0] == "Disk full: Clean up: Find large files"
    assert await retriever.aretrieve(given) == found
    assert retriever.retrieve(instead) == await retriever.aretrieve(instead) == found
    assert transformed.retrieve(weak) == found
    assert set(embedding.queries) == {QUESTION}
    assert retriever.retrieve(weak) == []


def test_an_engine_looks_for_a_completed_question_and_not_for_what_was_embedded(retriever, embedding):
    engine = ThreadQueryEngine(retriever)
    history = [QUESTION]
    alone = engine.query(ThreadQuery("And on Windows?", history=history))

    other = ThreadQuery("And on Windows?", custom_embedding_strs=["A rabbit"], history=history)

    assert engine.query(other) == alone
    assert engine.query(QueryBundle("Rabbit is choking, help", custom_embedding_strs=[QUESTION])).source_nodes


@pytest.mark.parametrize("kept", ["collection", "index"])
@pytest.mark.filterwarnings("ignore:another parser has split")
async def test_what_is_found_is_related_as_the_stored_node_is(documents, store, embedding, kept):
    parsers = [MarkdownNodeParser(), LogicUnitNodeParser(include_prev_next_rel=True)]
    nodes = IngestionPipeline(transformations=parsers).run(documents=documents)
    storage = StorageContext.from_defaults(vector_store=store) if kept == "collection" else None
    index = VectorStoreIndex(nodes, storage_context=storage, embed_model=embedding)

    found = ThreadRetriever(index, embed_model=embedding).retrieve(QUESTION)

    stored = {node.node_id: node.relationships for node in nodes}
    assert {one.node.node_id: one.node.relationships for one in found} == {
        one.node.node_id: stored[one.node.node_id] for one in found
    }
    assert {one.node.ref_doc_id for one in found} == {"disk.md", "volumes.md"}
    assert any(NodeRelationship.NEXT in one.node.relationships for one in found)
    assert await ThreadRetriever(index, embed_model=embedding).aretrieve(QUESTION) == found


def test_k_and_budget_bound_what_comes_back(index, embedding):
    def count(**bounds):
        return len(ThreadRetriever(index, embed_model=embedding, **bounds).retrieve(QUESTION))

    assert count(k=2) == 2
    assert count(budget=1) == 0
    assert count(entries=1) >= 2


def only(path, operator=FilterOperator.EQ):
    return MetadataFilters(filters=[MetadataFilter(key="file_path", value=path, operator=operator)])


def paths(nodes):
    return {one.node.metadata["file_path"] for one in nodes}


class TestFilters:
    """One document links to the other."""

    async def test_keep_every_unit_to_them(self, index, embedding, retriever):
        mine = ThreadRetriever(index, embed_model=embedding, filters=only("/guides/disk.md"))

        assert paths(retriever.retrieve(QUESTION)) == {"/guides/disk.md", "/guides/volumes.md"}
        assert paths(mine.retrieve(QUESTION)) == paths(await mine.aretrieve(QUESTION)) == {"/guides/disk.md"}
        assert paths(mine.retrieve("Extend the volume")) <= {"/guides/disk.md"}

    def test_hold_for_the_engine_and_for_a_session(self, index, embedding, retriever):
        mine = ThreadRetriever(index, embed_model=embedding, filters=only(["/guides/disk.md"], FilterOperator.IN))

        assert paths(ThreadQueryEngine(mine).query(QUESTION).source_nodes) == {"/guides/disk.md"}
        cited = []
        for one in (mine, retriever):
            session = HowToSession(one)
            session.start(QUESTION)
            cited.append(session.respond("the disk is still full").citations[0].document_id)
        assert cited == ["disk.md", "volumes.md"]

    def test_may_be_nested(self, index, embedding):
        pages = MetadataFilter(key="pages", value=2, operator=FilterOperator.GTE)
        nested = MetadataFilters(filters=[only("nowhere"), pages], condition=FilterCondition.OR)
        both = MetadataFilters(filters=[nested, only("/guides/volumes.md", FilterOperator.NE)])
        found = ThreadRetriever(index, embed_model=embedding, filters=both).retrieve(QUESTION)
        assert paths(found) == {"/guides/disk.md"}

    def test_that_chroma_does_not_know_are_refused_at_once(self, index, embedding):
        with pytest.raises(ValueError, match=r"found the operator 'text_match', expected .*==, !=, >"):
            ThreadRetriever(index, embed_model=embedding, filters=only("disk", FilterOperator.TEXT_MATCH))
        for parts in ([only("/guides/disk.md")], [only("/guides/disk.md"), only("/guides/volumes.md")]):
            none_of = MetadataFilters(filters=parts, condition=FilterCondition.NOT)
            with pytest.raises(ValueError, match="found the operator 'not', expected"):
                ThreadRetriever(index, embed_model=embedding, filters=none_of)

    def test_of_another_kind_are_refused_with_what_to_do(self, index, embedding):
        with pytest.raises(TypeError, match=r"found dict .*pass MetadataFilters\("):
            ThreadRetriever(index, embed_model=embedding, filters={"file_path": "/guides/disk.md"})


async def test_the_event_loop_goes_on_while_units_are_searched(index, ticks_during):
    class Slow(DefaultEmbedding):
        def _get_query_embedding(self, query):
            time.sleep(0.2)
            return super()._get_query_embedding(query)

    assert await ticks_during(ThreadRetriever(index, embed_model=Slow()).aretrieve(QUESTION)) > 5


def test_it_reads_the_default_store_of_an_index_too(nodes, embedding, retriever):
    simple = ThreadRetriever(VectorStoreIndex(nodes, embed_model=embedding), embed_model=embedding)
    mine = ThreadRetriever(
        VectorStoreIndex(nodes, embed_model=embedding), embed_model=embedding, filters=only("/guides/disk.md")
    )

    found, expected = simple.retrieve(QUESTION), retriever.retrieve(QUESTION)

    assert [one.node for one in found] == [one.node for one in expected]
    assert [one.score for one in found] == pytest.approx([one.score for one in expected], abs=1e-6)
    assert paths(mine.retrieve(QUESTION)) == {"/guides/disk.md"}


def test_another_vector_store_is_refused(nodes):
    with pytest.raises(TypeError, match=r"found a SummaryIndex, expected a ChromaVectorStore"):
        ThreadRetriever(index=SummaryIndex(nodes))


@pytest.mark.parametrize("bound", ["k", "entries", "budget"])
def test_bounds_below_one_are_refused(bound, store):
    with pytest.raises(ValueError, match="at least 1"):
        ThreadRetriever(vector_store=store, **{bound: 0})


def test_another_retrievers_bounds_are_told_of_ours(index):
    with pytest.raises(TypeError, match=r"takes no similarity_top_k; use k .*, entries .*, budget .* and filters "):
        ThreadRetriever(index, similarity_top_k=3)


def test_whole_units_are_the_retrievers_in_every_mode(index, retriever):
    chunk = NodeWithScore(node=TextNode(text="a chunk"), score=0.5)
    plain = index.as_retriever(similarity_top_k=20).retrieve(QUESTION)
    by_id = {one.node.node_id: one.node for one in retriever.retrieve(QUESTION)}

    *whole, last = WholeUnits().postprocess_nodes([*plain, chunk])

    assert (last, [one.score for one in whole]) == (chunk, [one.score for one in plain])
    assert [one.node for one in whole if one.node.node_id in by_id] == [
        by_id[one.node.node_id] for one in plain if one.node.node_id in by_id
    ]
    for mode in MetadataMode:
        assert all(one.node.metadata["body"] in one.node.get_content(mode) for one in whole)
    assert WholeUnits().postprocess_nodes(whole) == whole


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copy", "pickle"])
def test_a_retriever_and_an_engine_go_to_another_process(again, nodes, embedding):
    retriever = ThreadRetriever(VectorStoreIndex(nodes, embed_model=embedding), embed_model=embedding)
    found, engine = retriever.retrieve(QUESTION), ThreadQueryEngine(retriever)

    sent = again(retriever)

    assert (sent.retrieve(QUESTION), sent.library is retriever.library) == (found, False)
    assert again(engine).query(QUESTION) == engine.query(QUESTION)


@pytest.mark.parametrize("again", [copy.deepcopy, pickle.dumps], ids=["copy", "pickle"])
def test_what_stays_in_its_process_says_why(again, retriever, nodes, embedding):
    told = r"what the retriever reads is a \S+\.ChromaUnitStore, which cannot .*; open the index there, and make a"
    in_memory = ThreadRetriever(VectorStoreIndex(nodes, embed_model=embedding), embed_model=embedding)
    for one, why in (
        (retriever, told),
        (ThreadQueryEngine(retriever), told),
        (ThreadQueryEngine(in_memory, MockLLM()), "models cannot be pickled"),
        (ThreadChatEngine(retriever), r"send engine\.state\.model_dump_json\(\)"),
    ):
        with pytest.raises(TypeError, match=why):
            again(one)


def test_an_empty_index_leaves_a_fusion_what_the_others_find(retriever, embedding):
    empty = ThreadRetriever(VectorStoreIndex([], embed_model=embedding), embed_model=embedding)
    fusion = QueryFusionRetriever([retriever, empty], llm=MockLLM(), num_queries=1, use_async=False)

    with pytest.warns(UserWarning, match="has no logic units"):
        assert fusion.retrieve(QUESTION)


def test_the_settings_embedding_is_taken_when_the_first_question_comes(index, store, embedding, settings):
    retriever = ThreadRetriever(vector_store=store)
    settings.embed_model = embedding

    retriever.retrieve(QUESTION)

    assert embedding.queries


def test_without_an_embedding_it_says_so(index, store, settings, monkeypatch):
    monkeypatch.delenv("IS_TESTING", raising=False)

    with pytest.raises(ValueError, match="pass embed_model="):
        ThreadRetriever(vector_store=store).retrieve(QUESTION)


class OtherModel(DefaultEmbedding):
    """Vectors of the right length, of other texts."""

    def _get_text_embeddings(self, texts):
        return super()._get_text_embeddings([text[::-1] for text in texts])


async def test_an_embedding_of_another_model_is_warned_of_once(index):
    retriever = ThreadRetriever(index, embed_model=OtherModel())

    with pytest.warns(UserWarning, match="differ from those of this embedding") as told:
        retriever.retrieve(QUESTION)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        retriever.retrieve(QUESTION)
        await retriever.aretrieve(QUESTION)

    assert len(told) == 1
