import json

import pytest
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from llama_index_thread import (
    PrerequisitePostprocessor,
    ThreadQuery,
    ThreadQueryEngine,
)
from thread_core.answering.answer import NOTHING
from thread_core.retrieval.prerequisites import Policy

QUESTION = "The disk is full, where are the large files?"


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


async def test_steps_are_streamed_one_by_one_without_a_model(retriever, engine):
    streaming, whole = ThreadQueryEngine(retriever, streaming=True), engine.query(QUESTION)
    response = streaming.query(QUESTION)

    assert (response.source_nodes, response.metadata) == (whole.source_nodes, whole.metadata)
    pieces = list(response.response_gen)
    assert ("".join(pieces), len(pieces) > len(whole.metadata["steps"]) > 1) == (whole.response, True)
    assert await (await streaming.aquery(QUESTION)).get_response() == whole
    assert str(streaming.query("How do I bake bread?")) == engine.query("How do I bake bread?").response


async def test_units_that_do_not_apply_are_left_out(retriever, engine):
    facts = ThreadQueryEngine(retriever, node_postprocessors=[PrerequisitePostprocessor(facts=["Linux"])])
    dropping = ThreadQueryEngine(retriever, node_postprocessors=[PrerequisitePostprocessor(policy=Policy.DROP)])
    history = ThreadQuery(QUESTION, history=["I use Linux"])

    for response in (
        facts.query(QUESTION),
        dropping.query(QUESTION),
        engine.query(history),
        await engine.aquery(history),
    ):
        assert "Disk full: On Windows: Run cleanmgr /all" not in headers(response)
        assert "cleanmgr" not in response.response


class LastOnesFirst(BaseNodePostprocessor):
    """A reranker that likes the end of a guide best, and leaves out where it begins."""

    def _postprocess_nodes(self, nodes, query_bundle=None):
        return [NodeWithScore(node=one.node, score=place) for place, one in enumerate(nodes)][:0:-1]


async def test_postprocessors_choose_units_which_keep_their_order(retriever, engine):
    whole = engine.query(QUESTION)
    chosen = ThreadQueryEngine(retriever, node_postprocessors=[LastOnesFirst()])
    for response in (chosen.query(QUESTION), await chosen.aquery(QUESTION)):
        assert headers(response) == headers(whole)[1:]
        assert [one.score for one in response.source_nodes] == [*range(1, len(whole.source_nodes))]


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


def test_an_index_in_the_place_of_a_retriever_is_refused(index):
    told = r"found \S+\.VectorStoreIndex, expected a LlamaIndex retriever; make one with \S+\.ThreadRetriever\("
    with pytest.raises(TypeError, match=told):
        ThreadQueryEngine(index)


def test_it_has_no_prompts(engine):
    assert engine.get_prompts() == {}
