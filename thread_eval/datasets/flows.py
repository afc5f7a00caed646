"""Diagnostic flows: graphs of questions and actions, and what people say at their nodes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from pydantic import Field

from thread_eval.datasets.reading import BadDataset, Record, read_records


class Flow(Record):
    """One graph."""

    id: str = Field(min_length=1)
    title: str
    nodes: dict[str, str] = Field(min_length=1)
    """What each node says."""
    edges: tuple[tuple[str, str, str], ...]
    """From a node, with a label that may be empty, to a node."""


class Said(Record):
    """What a person says at a node."""

    said: str = Field(min_length=1)
    kind: Literal["outcome", "off"]
    """An answer, or a remark that is none and leads nowhere."""
    category: str = ""
    from_node: str
    to_node: str
    """Where it leads; of a remark, the node where it was made."""


class FlowConversation(Record):
    """Things that are said over one graph, each to be taken by itself."""

    id: str = Field(min_length=1)
    graph: str
    turns: tuple[Said, ...] = Field(min_length=1)


class FlowTask(Record):
    """A graph and the conversations over it."""

    flow: Flow
    conversations: tuple[FlowConversation, ...]


def read_flows(folder: Path) -> list[FlowTask]:
    """The graphs of a folder (`graphs/*.json`), each with its conversations (`conversations.jsonl`).

    Raises:
        BadDataset: a record is malformed, or names a graph or a node that is not there; or there is no graph.
        OSError: a file cannot be read.
    """
    flows = {flow.id: flow for path in sorted(folder.glob("graphs/*.json")) for flow in read_records(path, Flow)}
    if not flows:
        raise BadDataset(f"{folder}: found no graph, expected files in {folder / 'graphs'} that end in .json")
    conversations = read_records(folder / "conversations.jsonl", FlowConversation)
    if faults := [fault for flow in flows.values() for fault in _edges(flow)]:
        raise BadDataset(f"{folder}: {faults[0]}")
    if faults := [fault for one in conversations for fault in _places(one, flows)]:
        raise BadDataset(f"{folder / 'conversations.jsonl'}: {faults[0]}")
    return [
        FlowTask(flow=flow, conversations=tuple(one for one in conversations if one.graph == flow.id))
        for flow in flows.values()
    ]


def _edges(flow: Flow) -> Iterator[str]:
    for start, _, end in flow.edges:
        if not {start, end} <= flow.nodes.keys():
            yield f"{flow.id}: found an edge from {start} to {end}, expected nodes of the graph"


def _places(conversation: FlowConversation, flows: dict[str, Flow]) -> Iterator[str]:
    if conversation.graph not in flows:
        yield f"{conversation.id}: graph: found {conversation.graph}, expected one of {', '.join(sorted(flows))}"
        return
    for number, turn in enumerate(conversation.turns):
        if strange := {turn.from_node, turn.to_node} - flows[conversation.graph].nodes.keys():
            yield f"{conversation.id}: turns.{number}: found the node {min(strange)}, expected one of the graph"
