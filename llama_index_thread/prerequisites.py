"""The prerequisite gate over retrieved nodes: unmet ones go, undecided ones are marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llama_index.core.llms import ChatMessage
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle
from pydantic import Field, field_serializer

from llama_index_thread.convert import from_node, is_unit, said_by_person
from thread_core.layout import ASK
from thread_core.retrieval.prerequisites import Known, Policy, PolicyOrName, admit


@dataclass
class ThreadQuery(QueryBundle):
    """A question with its conversation, because LlamaIndex's engines pass on a query without history.

    Example:
        query_engine.query(ThreadQuery("The agent is silent", history=["I run agent 2.1"]))
    """

    history: Sequence[str | ChatMessage] = ()
    """Oldest first; of messages, only what the person said counts."""

    def __post_init__(self) -> None:
        if isinstance(self.history, str | ChatMessage):
            raise TypeError(f"found one {type(self.history).__name__} as history, expected a list; pass history=[...]")


def said_in(query: QueryBundle | None) -> tuple[str, ...]:
    """The person's words, oldest first: the history that a `ThreadQuery` brings, then the question."""
    if query is None:
        return ()
    history = query.history if isinstance(query, ThreadQuery) else ()
    return (*said_by_person(history), query.query_str)


class PrerequisitePostprocessor(BaseNodePostprocessor):
    r"""Drops logic units whose prerequisites do not hold, judging by the question, the facts and the history.

    Undecided units are kept, with a question for the person in `lu_ask`, which a model sees beside the unit, so that it
    can ask; with `policy` you can keep them unmarked, or drop them. Nodes that are not logic units pass. Your nodes
    are never changed.

    Example:
        >>> from llama_index.core import Document
        >>> from llama_index_thread import LogicUnitNodeParser
        >>> page = "# Agent\n\n## Agent 2.3 and later\n\nRun `ping`.\n\n## Before Agent 2.3\n\nRun `status`."
        >>> nodes = LogicUnitNodeParser().get_nodes_from_documents([Document(text=page)])
        >>> gate = PrerequisitePostprocessor(facts=["agent 2.1"])
        >>> kept = gate.postprocess_nodes([NodeWithScore(node=node) for node in nodes], query_str="Agent is silent")
        >>> [found.node.metadata["prerequisite"] for found in kept]
        ['Before Agent 2.3']
    """

    facts: Sequence[str] = Field(
        default=(),
        description='Facts about the person\'s environment, as they would say them: "agent 2.1".',
    )
    history: Sequence[str | ChatMessage] = Field(
        default=(), description="The conversation so far, oldest first. Only what the person said counts."
    )
    policy: PolicyOrName = Field(
        default=Policy.ASK, description="What to do with a unit whose prerequisites are undecided."
    )

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "PrerequisitePostprocessor"

    @field_serializer("policy")
    def _name_policy(self, policy: Policy) -> str:
        return policy.value

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        known = self.known(query_bundle)
        return [kept for found in nodes if (kept := self._admit(found, known)) is not None]

    def known(self, query: QueryBundle | None) -> Known:
        """What the gate may use: the facts, and what the person said."""
        return Known(said=(*self.facts, *said_by_person(self.history), *said_in(query)))

    def _admit(self, found: NodeWithScore, known: Known) -> NodeWithScore | None:
        if not is_unit(found.node):
            return found
        stays, judgement = admit(from_node(found.node).prerequisites, known, Policy(self.policy))
        return _marked(found, judgement.question) if stays else None


def _marked(found: NodeWithScore, question: str) -> NodeWithScore:
    """A copy that carries the question to put, and none that was put before."""
    node = found.node
    if node.metadata.get(ASK, "") == question:
        return found
    metadata = {key: value for key, value in node.metadata.items() if key != ASK}
    return NodeWithScore(node=_with_metadata(node, metadata | ({ASK: question} if question else {})), score=found.score)


def _with_metadata(node: BaseNode, metadata: dict[str, Any]) -> BaseNode:
    return node.model_copy(update={"metadata": metadata, "excluded_embed_metadata_keys": sorted(metadata)})
