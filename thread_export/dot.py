"""A flowchart -> DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator

from thread_core.documents.forms.flowchart import Flowchart

_CONTROL = dict.fromkeys((*range(32), *range(127, 160)), " ")
_SIGNS = str.maketrans({**_CONTROL, "\\": "\\\\", '"': '\\"', "\n": "\\n"})


def write(chart: Flowchart, title: str = "") -> str:
    r"""Write a flowchart as a directed graph; labels are strings in quotes, in which nothing but a quote means more.

    Example:
        >>> from thread_core.documents.forms.flowchart import Edge, Flowchart, Node
        >>> nodes = Node("a", 'Says "go"?', 1, 1, decides=True), Node("b", "Go", 2, 2)
        >>> print(write(Flowchart(nodes, (Edge("a", "yes", "b", 1),))))
        digraph {
            node [shape=box];
            n1 [label="Says \"go\"?", shape=diamond];
            n2 [label="Go"];
            n1 -> n2 [label="yes"];
        }
        <BLANKLINE>
    """
    return "\n".join((*_lines(chart, title), ""))


def _lines(chart: Flowchart, title: str) -> Iterator[str]:
    yield "digraph {"
    if title:
        yield f"    label={_string(title)}; labelloc=t;"
    yield "    node [shape=box];"
    keys = {node.key: f"n{at}" for at, node in enumerate(chart.nodes, start=1)}
    for node in chart.nodes:
        more = ", shape=diamond" if node.decides else ""
        more += f", URL={_string(node.href)}" if node.href else ""
        yield f"    {keys[node.key]} [label={_string(node.label)}{more}];"
    for edge in chart.edges:
        said = f" [label={_string(edge.label)}]" if edge.label else ""
        yield f"    {keys[edge.start]} -> {keys[edge.end]}{said};"
    yield "}"


def _string(text: str) -> str:
    return f'"{text.translate(_SIGNS)}"'
