import json

import pytest
from llama_index.core import Document, VectorStoreIndex
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import MetadataMode, NodeWithScore

from llama_index_thread import LogicUnitNodeParser, PrerequisitePostprocessor, ThreadQuery
from llama_index_thread.convert import from_node, to_retrieved
from llama_index_thread.prerequisites import ASK
from thread_core.retrieval.prerequisites import Policy

PAGE = """# Agent silent

## Agent 2.3 and later

Run `agent ping`.

## Before Agent 2.3

Run `agent status`.
"""
NEW = "Agent 2.3 and later"
QUESTION = "The agent is silent"


@pytest.fixture
def units():
    return LogicUnitNodeParser().get_nodes_from_documents([Document(id_="agent.md", text=PAGE)])


@pytest.fixture
def found(units):
    return [NodeWithScore(node=node, score=0.5) for node in units]


@pytest.mark.parametrize("retrieved", [False, True], ids=["as stored", "as our retriever gives it"])
def test_an_undecided_unit_carries_the_question_for_a_model_but_not_for_an_embedding(found, retrieved):
    given = [NodeWithScore(node=to_retrieved(from_node(one.node))) for one in found] if retrieved else found

    kept = PrerequisitePostprocessor().postprocess_nodes(given, query_str=QUESTION)

    question = f"Before this step: does this hold for you? {NEW}"
    node = kept[0].node
    assert node.metadata[ASK] == question
    assert node.get_content(MetadataMode.LLM) == f"{given[0].node.get_content(MetadataMode.LLM)}\nlu_ask: {question}"
    assert node.get_content(MetadataMode.EMBED) == given[0].node.get_content(MetadataMode.EMBED)
    assert from_node(node) == from_node(given[0].node)


def test_without_a_question_the_facts_decide(found):
    assert PrerequisitePostprocessor(facts=["agent 2.4"]).postprocess_nodes(found) == found[:1]


def test_it_is_dumped_and_loaded():
    history = ["I run agent 2.1", ChatMessage(role="user", content="It hangs")]
    gate = PrerequisitePostprocessor(facts=("Windows 11",), history=history, policy=Policy.DROP)

    dumped = json.loads(gate.to_json())

    assert (dumped["class_name"], dumped["policy"]) == ("PrerequisitePostprocessor", "drop")
    assert PrerequisitePostprocessor.from_dict(dumped).to_json() == gate.to_json()


async def test_a_stock_engine_hands_the_history_on(units, embedding, llm):
    llm.replies = ["one", "two"]
    index = VectorStoreIndex(units, embed_model=embedding)
    engine = index.as_query_engine(llm=llm, node_postprocessors=[PrerequisitePostprocessor()])
    query = ThreadQuery(QUESTION, history=["I run agent 2.1"])

    answers = [engine.query(query), await engine.aquery(query)]

    assert [str(answer) for answer in answers] == ["one", "two"]
    for prompt in llm.prompts:
        assert "agent status" in prompt and "agent ping" not in prompt


@pytest.mark.parametrize("history", ["I run agent 2.1", ChatMessage("I run agent 2.1")], ids=["text", "message"])
def test_a_history_is_a_list(history):
    with pytest.raises(TypeError, match=r"found one (str|ChatMessage) as history, expected a list"):
        ThreadQuery("The agent is silent", history=history)
