import copy
import json

import pytest
from llama_index.core import Document, VectorStoreIndex
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode

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
NEW, OLD = "Agent 2.3 and later", "Before Agent 2.3"
QUESTION = "The agent is silent"


@pytest.fixture
def units():
    return LogicUnitNodeParser().get_nodes_from_documents([Document(id_="agent.md", text=PAGE)])


@pytest.fixture
def found(units):
    return [NodeWithScore(node=node, score=0.5) for node in units]


def prerequisites(found):
    return [one.node.metadata["prerequisite"] for one in found]


def test_what_the_question_rules_out_is_dropped(found):
    kept = PrerequisitePostprocessor().postprocess_nodes(found, query_str="My agent 2.1 is silent")

    assert prerequisites(kept) == [OLD]
    assert ASK not in kept[0].node.metadata
    assert kept[0].score == 0.5


@pytest.mark.parametrize(
    "gate",
    [
        PrerequisitePostprocessor(facts=["agent 2.4"]),
        PrerequisitePostprocessor(history=["I run agent 2.4"]),
        PrerequisitePostprocessor(history=[ChatMessage(role="user", content="I run agent 2.4")]),
    ],
    ids=["facts", "history", "messages"],
)
def test_facts_and_history_decide_with_and_without_a_question(gate, found):
    assert prerequisites(gate.postprocess_nodes(found, query_str=QUESTION)) == [NEW]
    assert prerequisites(gate.postprocess_nodes(found)) == [NEW]


def test_a_query_may_bring_its_history(found):
    query = ThreadQuery(QUESTION, history=["I run agent 2.4"])

    assert prerequisites(PrerequisitePostprocessor().postprocess_nodes(found, query)) == [NEW]


def test_what_a_model_said_decides_nothing(found):
    query = ThreadQuery(QUESTION, history=[ChatMessage(role="assistant", content="You run agent 2.4")])

    assert prerequisites(PrerequisitePostprocessor().postprocess_nodes(found, query)) == [NEW, OLD]


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


def test_a_question_goes_when_it_is_answered(found):
    asked = PrerequisitePostprocessor().postprocess_nodes(found, query_str=QUESTION)

    kept = PrerequisitePostprocessor(facts=["agent 2.4"]).postprocess_nodes(asked, query_str=QUESTION)

    assert [one.node for one in kept] == [found[0].node]


@pytest.mark.parametrize(("policy", "expected"), [(Policy.KEEP, [NEW, OLD]), (Policy.DROP, [])])
def test_undecided_units_may_be_kept_unmarked_or_dropped(policy, expected, found):
    kept = PrerequisitePostprocessor(policy=policy).postprocess_nodes(found, query_str=QUESTION)

    assert prerequisites(kept) == expected
    assert not any(ASK in one.node.metadata for one in kept)


def test_ordinary_nodes_pass_and_the_order_stays(found):
    chunk = NodeWithScore(node=TextNode(text="a chunk", metadata={"prerequisite": NEW}))
    given = [found[0], chunk, found[1]]

    kept = PrerequisitePostprocessor().postprocess_nodes(given, query_str="My agent 2.1 is silent")

    assert kept == [chunk, found[1]]


def test_the_callers_nodes_are_not_changed(found):
    before = copy.deepcopy(found)

    PrerequisitePostprocessor().postprocess_nodes(found, query_str=QUESTION)

    assert found == before


async def test_the_async_way_is_the_same(found):
    gate = PrerequisitePostprocessor(facts=["agent 2.4"])

    kept = await gate.apostprocess_nodes(found, query_str=QUESTION)

    assert prerequisites(kept) == [NEW]


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
    with pytest.raises(
        TypeError, match=r"the history of a ThreadQuery is a list, got one (str|ChatMessage); give history="
    ):
        ThreadQuery("The agent is silent", history=history)
