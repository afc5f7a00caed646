"""The gate of both adapters: what is ruled out goes, what is undecided is asked, all else stays as it is."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import NodeWithScore, TextNode

from langchain_thread import LogicUnitTextSplitter, PrerequisiteFilter
from llama_index_thread import LogicUnitNodeParser, PrerequisitePostprocessor
from thread_core.layout import ASK
from thread_core.retrieval.prerequisites import Policy, PolicyOrName

PAGE = """# The agent is silent

## Agent 2.3 and later

Run `agent ping`.

## Before Agent 2.3

Run `agent status`.

## In any case

Tell the team.
"""
NEW, OLD, ALWAYS = "Agent 2.3 and later", "Before Agent 2.3", ""
QUESTION = "The agent is silent"


class Gated(NamedTuple):
    """An adapter's gate over its units of the page, and over a chunk."""

    units: list[Any]
    chunk: Any
    gate: Callable[..., Any]
    admit: Callable[[Any, Sequence[Any], str], Sequence[Any]]
    aadmit: Callable[[Any, Sequence[Any], str], Any]
    metadata: Callable[[Any], dict[str, Any]]
    said: Callable[[str, str], Any]
    """A message of the person, and what a model said to it."""

    def kept(self, question: str, **options: Any) -> list[str]:
        return self.gates(self.admit(self.gate(**options), self.units, question))

    def gates(self, units: Sequence[Any]) -> list[str]:
        return [self.metadata(unit)["prerequisite"] for unit in units]

    def asked(self, units: Sequence[Any]) -> list[str]:
        return [self.metadata(unit)[ASK] for unit in units if ASK in self.metadata(unit)]


LANGCHAIN = Gated(
    LogicUnitTextSplitter().split_documents([Document(PAGE, id="agent.md")]),
    Document("a chunk", metadata={"prerequisite": "Windows"}),
    PrerequisiteFilter,
    lambda gate, units, question: gate.compress_documents(units, question),
    lambda gate, units, question: gate.acompress_documents(units, question),
    lambda unit: unit.metadata,
    lambda person, model: [HumanMessage(person), AIMessage(model)],
)
LLAMA_INDEX = Gated(
    [
        NodeWithScore(node=node, score=0.5)
        for node in LogicUnitNodeParser().get_nodes_from_documents([LlamaIndexDocument(id_="agent.md", text=PAGE)])
    ],
    NodeWithScore(node=TextNode(text="a chunk", metadata={"prerequisite": "Windows"}), score=0.5),
    PrerequisitePostprocessor,
    lambda gate, units, question: gate.postprocess_nodes(units, query_str=question),
    lambda gate, units, question: gate.apostprocess_nodes(units, query_str=question),
    lambda found: found.node.metadata,
    lambda person, model: [ChatMessage(person), ChatMessage(model, role="assistant")],
)


@pytest.fixture(params=[LANGCHAIN, LLAMA_INDEX], ids=["langchain", "llama_index"])
def adapter(request: pytest.FixtureRequest) -> Gated:
    found: Gated = request.param
    return found


def test_what_the_person_said_rules_out_and_the_latest_word_counts(adapter: Gated) -> None:
    assert adapter.kept("My agent 2.1 is silent") == [OLD, ALWAYS]
    assert adapter.kept(QUESTION, facts=["agent 2.1"]) == [OLD, ALWAYS]
    assert adapter.kept(QUESTION, history=adapter.said("We run agent 2.4", "So agent 2.1?")) == [NEW, ALWAYS]
    assert adapter.kept(QUESTION, facts=["agent 2.1"], history=["no: agent 2.4"]) == [NEW, ALWAYS]
    assert adapter.kept("Sorry, agent 2.0 is silent", history=["agent 2.4"]) == [OLD, ALWAYS]


@pytest.mark.parametrize(
    ("policy", "kept", "asks"),
    [(Policy.ASK, [NEW, OLD, ALWAYS], 2), ("keep", [NEW, OLD, ALWAYS], 0), (Policy.DROP, [ALWAYS], 0)],
)
def test_the_policy_decides_what_becomes_of_the_undecided(
    policy: PolicyOrName, kept: list[str], asks: int, adapter: Gated
) -> None:
    found = adapter.admit(adapter.gate(policy=policy), adapter.units, QUESTION)
    assert adapter.gates(found) == kept
    assert adapter.asked(found) == [f"Before this step: does this hold for you? {one}" for one in (NEW, OLD)[:asks]]


def test_a_question_that_was_answered_is_taken_back(adapter: Gated) -> None:
    asked = adapter.admit(adapter.gate(), adapter.units, QUESTION)
    assert list(adapter.admit(adapter.gate(facts=["agent 2.4"]), asked, QUESTION)) == [
        adapter.units[0],
        adapter.units[2],
    ]


async def test_what_is_given_stays_as_it_is_and_chunks_pass_in_their_place(adapter: Gated) -> None:
    given = [adapter.units[0], adapter.chunk, *adapter.units[1:]]
    before = copy.deepcopy(given)
    found = adapter.admit(adapter.gate(policy=Policy.DROP), given, "My agent 2.1 is silent")
    assert list(found) == before[1:] == list(await adapter.aadmit(adapter.gate(), given, "My agent 2.1 is silent"))
    adapter.admit(adapter.gate(), given, QUESTION)
    assert given == before
