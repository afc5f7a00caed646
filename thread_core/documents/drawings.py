"""Code blocks and tables -> the procedures that are drawn in them: flowcharts, trees, rows that lead to others."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from thread_core.documents.blocks.markdown import Block
from thread_core.documents.blocks.source import Source
from thread_core.documents.forms.ascii_tree import looks_like_tree, read_tree
from thread_core.documents.forms.flow_table import read_flow_table
from thread_core.documents.forms.flowchart import MOST_WAYS, Edge, Flowchart, read_mermaid
from thread_core.documents.tasks import is_drawing, language
from thread_core.text import sentences

_MERMAID = "mermaid"
_TEXT = frozenset(("", "text", "txt", "plain", "plaintext", "ascii", "tree"))
"""Languages of a block in which a tree may be drawn."""
_FENCE = re.compile(r"[\s>\d.)*+-]*(?:`{3}|~{3}|:{3})")


def procedure(block: Block, source: Source) -> Flowchart | None:
    """The procedure that a code block or a table draws, with the document's lines; None where none is read.

    What is built of what is drawn so too: where nothing is decided, something has to be told to the reader, and no way
    may part.
    """
    if block.kind == "table":
        return read_flow_table(block, source)
    if block.kind != "code":
        return None
    kind = language(block)
    chart = read_mermaid(block.text) if kind == _MERMAID else read_tree(block.text) if kind in _TEXT else None
    if chart is None or not _is_followed(chart):
        return None
    before = _first_line(block, source) - 1
    return Flowchart(
        tuple(node._replace(first=node.first + before, last=node.last + before) for node in chart.nodes),
        tuple(edge._replace(line=edge.line + before) for edge in chart.edges),
    )


def is_drawn(block: Block) -> bool:
    """Whether a code block is a picture: one that a program draws, or a tree of questions."""
    if block.kind != "code":
        return False
    return is_drawing(block) or (language(block) in _TEXT and looks_like_tree(block.text))


def ways_from(chart: Flowchart) -> dict[str, Sequence[Edge]]:
    """The ways from each node that has any, each once."""
    found: dict[str, dict[tuple[str, str], Edge]] = defaultdict(dict)
    for edge in chart.edges:
        found[edge.start].setdefault((edge.label.casefold(), edge.end), edge)
    return {key: tuple(ways.values()) for key, ways in found.items()}


def _first_line(block: Block, source: Source) -> int:
    """The line of the document at which a block's text begins, which has no blank line before it."""
    fenced = _FENCE.match(source.line(block.start)) is not None
    lines = range(block.start + fenced, block.end + 1)
    return next((number for number in lines if source.line(number).strip(" \t>")), block.start)


def _is_followed(chart: Flowchart) -> bool:
    """Whether a reader is led by a drawing."""
    nodes = {node.key: node for node in chart.nodes}
    forks = {key: ways for key, ways in ways_from(chart).items() if len(ways) > 1}
    if any(len(ways) > MOST_WAYS for ways in forks.values()):
        return False
    for key, ways in forks.items():
        if all(way.label for way in ways) or nodes[key].decides or nodes[key].label.endswith("?"):
            return True
    return not forks and any(sentences.instructs(node.label) for node in chart.nodes)
