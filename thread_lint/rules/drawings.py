"""Drawn procedures: whoever follows one sees nothing but its ways, so they have to be all that there are."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from thread_core.documents.blocks.markdown import Block, parts
from thread_core.documents.drawings import is_drawn, procedure, ways_from
from thread_core.documents.forms.flowchart import Flowchart, Node
from thread_core.documents.tasks import is_drawing
from thread_lint.findings import Severity
from thread_lint.rules.rule import Found, Guide, Rule


def _unread(guide: Guide) -> Iterator[Found]:
    for block in parts(guide.markdown.blocks):
        if is_drawn(block) and _shows_question(block) and procedure(block, guide.markdown.source) is None:
            told = "a walk cannot use this drawing; draw it as a Mermaid flowchart, or write numbered steps"
            yield Found(block.start, block.end, told)


def _shows_question(block: Block) -> bool:
    """Whether a label ends as a question; a tree is drawn with lines because it asks. Messages may ask anything."""
    return _LABEL_ASKS.search(block.text) is not None if is_drawing(block) else "?" in block.text


_LABEL_ASKS = re.compile(r"\?[\s\"']*[\])}|]")


def _open_decision(guide: Guide) -> Iterator[Found]:
    for chart in _charts(guide):
        ways = ways_from(chart)
        for node in chart.nodes:
            own = ways.get(node.key, ())
            if not _asks(node) or not any(way.label for way in own):
                continue  # a step that is drawn as a decision, or one whose answers stand in the boxes behind it
            if len(own) < 2:
                told = f"{_called(node)} has only one answer; draw where the others lead"
                yield Found(node.first, node.last, told)
            elif unnamed := [way for way in own if not way.label]:
                told = f"an arrow from {_called(node)} has no answer; write one beside it"
                yield Found(unnamed[0].line, unnamed[0].line, told)


def _unreachable(guide: Guide) -> Iterator[Found]:
    for chart in _charts(guide):
        led = _reached({chart.nodes[0].key}, {key: [way.end for way in ways] for key, ways in ways_from(chart).items()})
        entered = {edge.end for edge in chart.edges}
        for node in chart.nodes:
            if node.key not in led and node.key not in entered:
                told = f"no arrow leads to {_called(node)}; draw one, or remove the step"
                yield Found(node.first, node.last, told)


def _endless(guide: Guide) -> Iterator[Found]:
    for chart in _charts(guide):
        ways = ways_from(chart)
        back: dict[str, list[str]] = {}
        for edge in chart.edges:
            back.setdefault(edge.end, []).append(edge.start)
        ending = _reached({node.key for node in chart.nodes if not ways.get(node.key)}, back)
        caught = [node for node in chart.nodes if node.key not in ending]
        if caught:
            told = f"from {_called(caught[0])}, every arrow leads back; draw one that leads out"
            yield Found(caught[0].first, caught[0].last, told)


def _charts(guide: Guide) -> Iterator[Flowchart]:
    for block in parts(guide.markdown.blocks):
        if block.kind == "code" and is_drawn(block):
            chart = procedure(block, guide.markdown.source)
            if chart is not None and any(node.decides or _asks(node) for node in chart.nodes):
                yield chart


def _asks(node: Node) -> bool:
    return node.label.rstrip().endswith("?")


def _reached(begun: Collection[str], ways: Mapping[str, Sequence[str]]) -> set[str]:
    """What can be reached from some nodes, with these."""
    found, waiting = set(begun), list(begun)
    while waiting:
        new = [end for end in ways.get(waiting.pop(), ()) if end not in found]
        found.update(new)
        waiting += new
    return found


def _called(node: Node) -> str:
    """A node as a message names it: by the beginning of its words."""
    said = " ".join(node.label.split())
    return f'"{said[:60]}{"…" if len(said) > 60 else ""}"'


_START = "# Lamp\n\n```mermaid\nflowchart TD\n"
_ASKED = _START + "A[Look at the lamp] --> B{Is it red?}\nB -->|yes| C[Open the lid]\n"
OPEN_DECISION = Rule(
    code="TR103",
    name="open-decision",
    severity=Severity.WARNING,
    summary="A drawn question has some of its answers but not the others",
    why="""\
A drawing has no text to continue with, so the walk ends there for any other answer. A question without any labelled
answer is not reported, because the next boxes often have them. In running text a condition without its opposite is not
reported, because the reader goes on with the next sentence.
""",
    bad=_ASKED + "```\n",
    good=_ASKED + "B -->|no| D[Wait]\n```\n",
    check=_open_decision,
)
UNREACHABLE_STEP = Rule(
    code="TR104",
    name="unreachable-step",
    severity=Severity.WARNING,
    summary="A step of a drawing cannot be reached, and it is not the first",
    why="""\
A walk begins at the first box and follows the arrows. Sections of a text are not reported, because readers find them by
their headings, and neither are drawings without a question. In other people's guides drawings had several entries, or
boxes that are buttons, so it runs only if you select it.
""",
    bad=_ASKED + "B -->|no| D[Wait]\nE[Close it]\n```\n",
    good=_ASKED + "B -->|no| D[Wait]\nC --> E[Close it]\n```\n",
    check=_unreachable,
    is_usual=False,
)
ENDLESS_LOOP = Rule(
    code="TR105",
    name="endless-loop",
    severity=Severity.WARNING,
    summary="From a step of a drawing, every arrow leads back",
    why="""\
Nobody can finish from there. A loop needs a way out, such as how often to try, and whom to tell then. In other people's
guides the findings were cycles that are meant to go on, so it runs only if you select it.
""",
    bad=_START + "A[Look at the lamp] --> B{Is it red?}\nB -->|yes| C[Press]\nB -->|no| A\nC --> A\n```\n",
    good=_START + "A[Look at the lamp] --> B{Is it red?}\nB -->|yes| C[Press]\nB -->|no| D[Go on]\nC --> A\n```\n",
    check=_endless,
    is_usual=False,
)
UNREAD_DRAWING = Rule(
    code="TR106",
    name="unread-drawing",
    severity=Severity.WARNING,
    summary="A drawing asks questions but is not read as a procedure",
    why="""\
A walk shows the picture but cannot lead anyone through it. Mermaid flowcharts whose arrows from a question all name
their answer are read, and trees drawn with lines. Drawings without a question, such as architecture diagrams, are not
reported. In other people's guides many findings were outlines, or flowcharts that other programs read, so it runs only
if you select it.
""",
    bad="# Lamp\n\n```plantuml\n@startuml\nif (Is it red?) then (yes)\n:Open the lid;\nendif\n@enduml\n```\n",
    good=_START + "A{Is it red?} -->|yes| B[Open the lid]\nA -->|no| C[Wait]\n```\n",
    check=_unread,
    is_usual=False,
)
