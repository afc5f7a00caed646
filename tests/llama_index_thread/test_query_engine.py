import json

import pytest
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.schema import QueryBundle, TextNode

from llama_index_thread import (
    HowToSession,
    LogicUnitNodeParser,
    PrerequisitePostprocessor,
    ThreadQuery,
    ThreadQueryEngine,
    ThreadRetriever,
)
from llama_index_thread.convert import from_node
from thread_core.answering.answer import NOTHING
from thread_core.retrieval.prerequisites import Policy

QUESTION = "The disk is full, where are the large files?"


@pytest.fixture
def retriever(index, embedding):
    return ThreadRetriever(index, embed_model=embedding)


@pytest.fixture
def engine(retriever):
    return ThreadQueryEngine(retriever)


def headers(response):
    return [step["header"] for step in response.metadata["steps"]]


async def test_a_procedure_comes_as_steps_with_citations_and_open_outcomes(engine):
    response = engine.query(QUESTION)

    assert response.response.startswith("1. Disk full: Clean up [disk.md:11-17]\n")
    assert headers(response) == [
        "Disk full: Clean up: Find large files",
        "Disk full: On Windows: Run cleanmgr /all",
        "Volumes: Extend: Run volume extend +10G",
    ]
    assert response.metadata["outcomes"][0] == "if the disk is still full: see Volumes."
    assert response.metadata["steps"][0]["citation"] == {"document_id": "disk.md", "start": 11, "end": 17}
    assert json.loads(json.dumps(response.metadata)) == response.metadata
    assert {one.node.node_id for one in response.source_nodes} >= {
        step["unit_id"] for step in response.metadata["steps"]
    }
    assert await engine.aquery(QUESTION) == response


async def test_units_that_do_not_apply_are_left_out(retriever, engine):
    facts = ThreadQueryEngine.from_defaults(retriever, facts=["Linux"])
    dropping = ThreadQueryEngine(retriever, prerequisites=PrerequisitePostprocessor(policy=Policy.DROP))
    history = ThreadQuery(QUESTION, history=["I use Linux"])

    for response in (
        facts.query(QUESTION),
        dropping.query(QUESTION),
        engine.query(history),
        await engine.aquery(history),
    ):
        assert "Disk full: On Windows: Run cleanmgr /all" not in headers(response)
        assert "cleanmgr" not in response.response


async def test_it_says_so_when_nothing_fits(retriever, engine, monkeypatch):
    async def afind(query):
        return []

    monkeypatch.setattr(retriever, "retrieve", lambda query: [])
    monkeypatch.setattr(retriever, "aretrieve", afind)

    for response in engine.query("?"), await engine.aquery("?"):
        assert str(response) == NOTHING
        assert response.metadata == {"question": "?", "steps": [], "outcomes": [], "instructions": []}
        assert response.source_nodes == []


def test_a_stock_retriever_over_the_same_collection_serves_too(index):
    index.insert_nodes([TextNode(id_="chunk", text=QUESTION)])

    response = ThreadQueryEngine(index.as_retriever(similarity_top_k=3)).query(QUESTION)

    assert "Disk full: Clean up: Find large files" in headers(response)
    assert "chunk" not in [one.node.node_id for one in response.source_nodes]


async def test_what_the_answer_is_made_of_can_be_asked_for(engine):
    query = QueryBundle(QUESTION)

    assert engine.retrieve(query) == engine.query(query).source_nodes
    assert await engine.aretrieve(query) == engine.retrieve(query)


async def test_queries_are_traced(engine, events):
    expected = ["QueryStartEvent", "RetrievalStartEvent", "RetrievalEndEvent", "QueryEndEvent"]

    engine.query(QUESTION)
    assert [name for name in events if name in expected] == expected
    events.clear()
    await engine.aquery(QUESTION)
    assert [name for name in events if name in expected] == expected


def test_callbacks_hear_of_the_query(retriever):
    heard = LlamaDebugHandler(print_trace_on_end=False)

    ThreadQueryEngine(retriever, callback_manager=CallbackManager([heard])).query(QUESTION)

    assert len(heard.get_event_pairs(CBEventType.QUERY)) == 1


def test_an_index_in_the_place_of_a_retriever_is_refused(index):
    with pytest.raises(
        TypeError, match=r"a retriever is needed, got VectorStoreIndex; make one with ThreadRetriever\("
    ):
        ThreadQueryEngine(index)


def test_it_has_no_prompts(engine):
    assert engine.get_prompts() == {}


class TestTerms:
    """What a prerequisite names is explained, from another document's glossary too."""

    LINK = "# Link down\n\n**Prerequisites**\n\n- The MTU is known.\n\n## Look\n\nRun `ip link`.\n"
    TERMS = "# Glossary\n\nMTU: the largest packet that a link carries.\n\nBGP: a protocol.\n"
    NOTE = "\n\nTerms:\n- MTU: the largest packet that a link carries [terms.md:3]"

    @pytest.fixture
    def retriever(self, store, embedding):
        guides = [Document(id_="link.md", text=self.LINK), Document(id_="terms.md", text=self.TERMS)]
        nodes = LogicUnitNodeParser().get_nodes_from_documents(guides)
        storage = StorageContext.from_defaults(vector_store=store)
        index = VectorStoreIndex(nodes, storage_context=storage, embed_model=embedding)
        return ThreadRetriever(index, embed_model=embedding, k=1)

    async def test_come_with_the_units_and_are_told_below_the_steps(self, retriever, engine):
        response = engine.query("The link is down")

        assert from_node(response.source_nodes[-1].node).type == "terminology"
        assert len(response.metadata["steps"]) == 1
        assert response.response.endswith(self.NOTE)
        assert await engine.aquery("The link is down") == response

    def test_reach_the_model_and_are_sources_of_what_it_says(self, retriever, llm):
        judged = [{"number": 1, "verdict": "met", "question": ""}]
        llm.replies = [json.dumps({"prerequisites": judged, "units": [1], "query": ""}), "Run `ip link` [1]. MTU: [2]."]

        response = ThreadQueryEngine(retriever, llm).query("The link is down")

        assert "largest packet" in llm.prompts[1]
        assert response.response.endswith(f"[2] terms.md:3{self.NOTE}")
        assert [from_node(one.node).document_id for one in response.source_nodes] == ["link.md", "terms.md"]
        assert response.metadata["terms"][0]["name"] == "MTU"

    def test_are_shown_in_a_walk(self, retriever):
        turn = HowToSession(retriever).start("The link is down")

        assert "\nTerm: MTU: the largest packet that a link carries\n" in turn.text
        assert ("terms.md", 3) in [(cited.document_id, cited.start) for cited in turn.citations]
