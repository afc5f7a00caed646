"""A flowchart -> Mermaid, which its own parser, GitHub and `thread-rag ingest` read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from thread_core.documents.forms.flowchart import Flowchart
from thread_core.text.quoting import seen

_SPOKEN = re.compile(r"[^\w ,.?!()'/:-]|_|:(?! )|^[\d-]+[.-]?|(?<![^\W\d_])-|-(?![^\W\d_])", re.MULTILINE)
"""What Mermaid may take for a mark of its own, of Markdown or of HTML: each sign of it is written as an entity."""
_IN_SPACE = re.compile(r"[^\S\n]+")


def write(chart: Flowchart, title: str = "") -> str:
    r"""Write a flowchart. Every label says what it said: `read_mermaid` gives the same chart, with keys of its own.

    Args:
        chart: Of which keys are replaced by `n1`, `n2` and so on.
        title: Stands above the drawing; none where it is empty.

    Example:
        >>> from thread_core.documents.forms.flowchart import Edge, Flowchart, Node
        >>> nodes = Node("a", "Lit?", 1, 1, decides=True), Node("b", "Replace it", 2, 2)
        >>> print(write(Flowchart(nodes, (Edge("a", "it stays dark", "b", 1),))))
        flowchart TD
            n1{"Lit?"}
            n2["Replace it"]
            n1 -->|"it stays dark"| n2
        <BLANKLINE>
    """
    return "\n".join((*_lines(chart, title), ""))


def _lines(chart: Flowchart, title: str) -> Iterator[str]:
    if title:
        yield from ("---", f"title: {json.dumps(seen(title), ensure_ascii=False)}", "---")
    yield "flowchart TD"
    keys = {node.key: f"n{at}" for at, node in enumerate(chart.nodes, start=1)}
    for node in chart.nodes:
        opens, closes = "{}" if node.decides else "[]"
        yield f'    {keys[node.key]}{opens}"{_label(node.label)}"{closes}'
    for edge in chart.edges:
        beside = f'|"{_label(edge.label)}"|' if edge.label else ""
        yield f"    {keys[edge.start]} -->{beside} {keys[edge.end]}"
    yield from (f'    click {keys[node.key]} href "{node.href}"' for node in chart.nodes if node.href)


def _label(text: str) -> str:
    lines = (_SPOKEN.sub(_entities, _IN_SPACE.sub(" ", line).strip()) for line in text.split("\n"))
    return "<br/>".join(lines)


def _entities(found: re.Match[str]) -> str:
    return "".join(f"#{ord(sign)};" for sign in found[0])
