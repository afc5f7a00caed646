"""Guides for the tests of exports: those of the examples, and one in which all kinds of text stand."""

from __future__ import annotations

import html
from collections.abc import Mapping

from tests.pages import ROOT
from thread_core import Document, RuleExtractor
from thread_core.documents.forms.flowchart import Flowchart
from thread_core.shelf import Shelf

EXAMPLES = sorted((ROOT / "examples/documents").glob("*.md"))
HOSTILE = '''\
# The "pump" `stops` """ \\\'\'\' # {x} $y

## Look

> Needs `root`.

1. Read the gauge: it says "100 % %% <b>bold</b> --> end; #quot; &amp; \\n".
   If it is `red` & "hot" | wet, go to [Stop](#stop).
   If it says """; import os; os.abort() #, the pump is well: resolved.

## Stop

1. Press STOP\'\'\'); raise SystemExit(1) #.
2. Ask [somebody](https://example.org/a?b=c#d), or see [the log](gone.md).
'''


def a_shelf(texts: Mapping[str, str]) -> Shelf:
    return Shelf.of([unit for item in texts.items() for unit in RuleExtractor().extract(Document(*item)).units])


def examples() -> Shelf:
    return a_shelf({path.name: path.read_text(encoding="utf-8") for path in EXAMPLES})


def seen(chart: Flowchart) -> tuple[list[tuple[str, bool, str]], list[tuple[int, str, int]]]:
    """What a reader sees of a chart: nodes and ways, whatever their keys are."""
    at = {node.key: number for number, node in enumerate(chart.nodes)}
    nodes = [(html.unescape(node.label), node.decides, node.href) for node in chart.nodes]
    return nodes, [(at[edge.start], html.unescape(edge.label), at[edge.end]) for edge in chart.edges]
