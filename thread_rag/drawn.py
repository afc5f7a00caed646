"""Files that are one drawing -> Markdown in which it is fenced, so that it is read as a drawing within a document is.

Mermaid is kept as it stands. DOT is read by pydot, and drawn anew in Mermaid.
"""

from __future__ import annotations

import html
import json
import re
from collections import deque
from collections.abc import Mapping
from contextlib import redirect_stdout
from io import StringIO
from itertools import product
from typing import TYPE_CHECKING, Any

from thread_core.documents.forms.flowchart import Edge, Flowchart, Node
from thread_core.errors import BadDocument
from thread_core.models import Document
from thread_rag.sources import DOT

if TYPE_CHECKING:
    import pydot

MOST = 200_000
"""Characters of a drawing in DOT; reading one takes some three seconds for each hundred thousand."""

_TITLE = re.compile(r"\s*---[^\S\n]*\n(?:(?!---|title:).*\n)*?title:[^\S\n]*(\S.*)\n")
_FENCES = re.compile(r"^[^\S\n]*(`{3,})", re.MULTILINE)
_TAG = re.compile(r"<br\s*/?>|</?[a-z][^<>]*>", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BREAKS = {"n": "\n", "l": "\n", "r": "\n"}
_DECISIONS = ("diamond", "mdiamond")
_DEFAULTS = ("node", "edge", "graph", "")
"""What pydot takes for names of nodes, and what only says how all of them look."""
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


def as_document(text: str, document_id: str) -> Document:
    """A file's text as a document. What is no flowchart that can be read is kept as code.

    Raises:
        BadDocument: it is no DOT, or pydot is not installed.
    """
    if not document_id.lower().endswith(DOT):
        return Document(document_id, _fenced(text, "mermaid"), _title(text))
    graph = _parsed(text, document_id)
    chart = _chart(graph)
    if not chart.edges or graph.get_type() != "digraph":
        return Document(document_id, _fenced(text, "dot"))
    from thread_export import mermaid

    looks = {key: value for default in graph.get_graph_defaults() for key, value in default.items()}
    title = _said(graph.get_attributes().get("label") or looks.get("label"), "")
    return Document(document_id, _fenced(mermaid.write(chart), "mermaid"), " ".join(title.split()))


def _title(text: str) -> str:
    """What front matter calls a drawing of Mermaid."""
    found = _TITLE.match(text)
    if found is None:
        return ""
    try:
        return str(json.loads(found[1]))
    except ValueError:
        return found[1].strip().strip("'\"")


def _fenced(text: str, language: str) -> str:
    fence = max(("```", *(f"{run}`" for run in _FENCES.findall(text))), key=len)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def _parsed(text: str, document_id: str) -> pydot.Dot:
    try:
        import pydot
    except ImportError as error:
        raise BadDocument(document_id, 'needs pydot; install it with: pip install "thread-rag[drawings]"') from error
    if len(text) > MOST:
        raise BadDocument(
            document_id, f"has {len(text):,} characters, expected at most {MOST:,} for DOT; split the drawing"
        )
    try:
        with redirect_stdout(StringIO()) as told:  # pydot prints what is wrong
            graphs = pydot.graph_from_dot_data(text)
    except RecursionError as error:
        raise BadDocument(document_id, "is nested too deeply; remove subgraphs") from error
    if not graphs:
        reason = " ".join(told.getvalue().split("\n")[-2:]).strip() or "it has no nodes"
        raise BadDocument(document_id, f"is not valid DOT: {reason}; `dot -Tsvg FILE` shows where")
    return graphs[0]


def _chart(graph: pydot.Dot) -> Flowchart:
    """All nodes and ways, also those of subgraphs, each with the looks that hold for it."""
    nodes: dict[str, Node] = {}
    edges: list[Edge] = []
    waiting: deque[tuple[Any, Mapping[str, Any]]] = deque([(graph, {})])
    while waiting:
        part, looks = waiting.popleft()
        for default in part.get_node_defaults():
            looks = {**looks, **default}
        for node in part.get_nodes():
            key = _name(node.get_name())
            if key not in _DEFAULTS:
                nodes[key] = _node(key, {**looks, **node.get_attributes()})
        for edge in sorted(part.get_edges(), key=lambda edge: edge.get_sequence()):  # by names, as pydot has them
            said = edge.get_attributes()
            label = _said(said.get("label") or said.get("xlabel"), "")
            for start, end in product(_ends(edge.get_source()), _ends(edge.get_destination())):
                for key in (start, end):
                    nodes.setdefault(key, _node(key, looks))
                edges.append(Edge(start, label, end, 1))
        waiting += ((inner, looks) for inner in part.get_subgraphs())
    return Flowchart(tuple(nodes.values()), tuple(edges))


def _node(key: str, looks: Mapping[str, Any]) -> Node:
    href = _said(looks.get("URL") or looks.get("href"), key)
    shape = _said(looks.get("shape"), key).lower()
    is_web = re.fullmatch(r"https?://[^\s\"<>]+", href) is not None
    return Node(key, _said(looks.get("label"), key) or key, 1, 1, shape in _DECISIONS, href if is_web else "")


def _ends(end: Any) -> list[str]:
    """The nodes at an end of a way: one, or those in braces."""
    if isinstance(end, str):
        return [_name(end)]
    return [_name(name) for name in end["nodes"] if name not in _DEFAULTS]


def _name(written: str) -> str:
    """A node's name without quotes and port."""
    found = _QUOTED.match(written)
    return found[1] if found else written.partition(":")[0]


def _said(written: Any, name: str) -> str:
    """What a reader sees of an attribute: in quotes, or in tags."""
    text = str(written or "").strip()
    if text.startswith("<") and text.endswith(">"):
        return html.unescape(_TAG.sub(lambda tag: "\n" if tag[0].lower().startswith("<br") else "", text[1:-1]))
    found = _QUOTED.match(text)
    return _ESCAPE.sub(lambda sign: _escaped(sign[1], name), found[1] if found else text)


def _escaped(sign: str, name: str) -> str:
    return name if sign == "N" else _BREAKS.get(sign, sign)
