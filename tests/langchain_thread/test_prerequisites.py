import copy

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from pydantic import ValidationError

from langchain_thread import PrerequisiteFilter
from langchain_thread.prerequisites import ASK
from thread_core import layout
from thread_core.errors import BadStore
from thread_core.retrieval.prerequisites import Policy

NEW, OLD, ALWAYS = "Agent 2.3 and later", "Before Agent 2.3", ""


def gates(documents: object) -> list[str]:
    assert isinstance(documents, list)
    return [document.metadata["prerequisite"] for document in documents]


def test_what_is_ruled_out_by_the_question_goes(units: list[Document]) -> None:
    kept = PrerequisiteFilter().compress_documents(units, "My agent 2.1 is silent")
    assert gates(kept) == [OLD, ALWAYS]


def test_facts_and_history_rule_out_too(units: list[Document]) -> None:
    assert gates(PrerequisiteFilter(facts=["agent 2.1"]).compress_documents(units, "Silent")) == [OLD, ALWAYS]
    told = PrerequisiteFilter(history=[HumanMessage("We run agent 2.4"), AIMessage("So agent 2.1?")])
    assert gates(told.compress_documents(units, "It is silent")) == [NEW, ALWAYS]


def test_the_latest_word_counts(units: list[Document]) -> None:
    told = PrerequisiteFilter(facts=["agent 2.1"], history=[("user", "no: agent 2.4")])
    assert gates(told.compress_documents(units, "It is silent")) == [NEW, ALWAYS]
    assert gates(told.compress_documents(units, "Sorry, agent 2.0 is silent")) == [OLD, ALWAYS]


@pytest.mark.parametrize(
    ("policy", "kept", "asks"),
    [(Policy.ASK, [NEW, OLD, ALWAYS], 2), (Policy.KEEP, [NEW, OLD, ALWAYS], 0), (Policy.DROP, [ALWAYS], 0)],
)
def test_the_policy_decides_what_becomes_of_the_undecided(
    policy: Policy, kept: list[str], asks: int, units: list[Document]
) -> None:
    found = PrerequisiteFilter(policy=policy).compress_documents(units, "The agent is silent")
    assert gates(found) == kept
    questions = [document.metadata[ASK] for document in found if ASK in document.metadata]
    assert len(questions) == asks
    assert all(question.endswith(gate) for question, gate in zip(questions, kept, strict=False))


def test_a_policy_may_be_written_as_a_word(units: list[Document]) -> None:
    assert gates(PrerequisiteFilter(policy="drop").compress_documents(units, "The agent is silent")) == [ALWAYS]


def test_a_question_that_was_answered_is_taken_back(units: list[Document]) -> None:
    asked = PrerequisiteFilter().compress_documents(units, "The agent is silent")
    decided = PrerequisiteFilter(facts=["agent 2.1"]).compress_documents(asked, "The agent is silent")
    assert [ASK in document.metadata for document in decided] == [False, False]


def test_the_callers_documents_stay_as_they_are(units: list[Document]) -> None:
    before = copy.deepcopy(units)
    PrerequisiteFilter().compress_documents(units, "The agent is silent")
    assert units == before


def test_documents_that_are_no_units_pass_untouched() -> None:
    chunks = [Document("Before Agent 2.3"), Document("b", metadata={"prerequisite": "Windows"})]
    assert PrerequisiteFilter(policy=Policy.DROP).compress_documents(chunks, "macOS, agent 2.4") == chunks


def test_a_unit_of_another_layout_is_refused() -> None:
    with pytest.raises(BadStore, match="ingest the documents again"):
        PrerequisiteFilter().compress_documents([Document("x", metadata={"lu_layout": 99})], "x")


def test_a_unit_that_is_about_to_be_deleted_is_none() -> None:
    outdated = Document("x", metadata={"lu_layout": layout.OUTDATED})
    assert PrerequisiteFilter().compress_documents([outdated], "x") == [outdated]


async def test_the_async_way_gives_the_same(units: list[Document]) -> None:
    gate = PrerequisiteFilter(facts=["agent 2.1"])
    question = "The agent is silent"
    assert await gate.acompress_documents(units, question) == gate.compress_documents(units, question)


async def test_as_a_runnable_it_takes_the_history_of_the_call(units: list[Document]) -> None:
    gate = PrerequisiteFilter(facts=["agent 2.4"]).as_runnable()
    inputs = {"question": "It is silent", "chat_history": [("human", "agent 2.1")], "documents": units}
    assert gates(gate.invoke(inputs)) == gates(await gate.ainvoke(inputs)) == [OLD, ALWAYS]
    assert gates(gate.invoke({"question": "It is silent", "documents": units})) == [NEW, ALWAYS]


def test_as_a_runnable_it_fits_behind_a_retriever(units: list[Document]) -> None:
    retriever = RunnableLambda(lambda question: units)
    found = RunnablePassthrough.assign(documents=lambda inputs: retriever.invoke(inputs["question"]))
    chain = found | PrerequisiteFilter().as_runnable()
    assert gates(chain.invoke({"question": "agent 2.1 is silent"})) == [OLD, ALWAYS]


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        PrerequisiteFilter(fact="agent 2.1")
