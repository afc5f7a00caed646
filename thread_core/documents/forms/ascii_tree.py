r"""A decision tree that is drawn with lines, or with arrows that are indented -> a flowchart.

    Lit?
    ├── Yes -> Press it.
    └── No
        └── Replace the lamp.

Its lines are questions, answers to them, and what is to be done then. A tree in which nothing is asked (a directory, a
call stack), and one in which it is not plain what belongs to which answer, is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from thread_core.documents.forms.flowchart import Edge, Flowchart, Node

DEEPEST = 50
"""Lines that hang below each other; a deeper tree is not read."""
ANSWER = 60
"""Characters before a colon that may be an answer."""

_BRANCH = re.compile(
    r"(?P<before>[\s│┃║|]*)(?:[├└┣┗╠╚╰]|\+(?=[-─])|[|`\\](?=[-─]))[─━═\-–—]*[>▶►→]?[^\S\n]*(?P<text>.*)"
)
_ARROW = re.compile(r"(?P<before>\s*)(?:-{1,3}>|=>|→|⇒)[^\S\n]*(?P<text>.*)")
_LINES = " \t│┃║|"
_OTHER = re.compile(r"[\s│┃║|]*[vV](?:\s|$)|.{0,200}[┌┐┘┬┴┼╔╗╝╭╮╯▲▼↓]")
"""A line of boxes, or of a flow that goes down the page."""
_LEADS = re.compile(r"\s(?:-{1,3}>|=>|→|⇒|➜)\s|\s?(?<![─━═])[─━═]+[>►▶→]\s?")
_QUESTION = re.compile(r"\?[^\w(]{0,9}(?:\([^()]*\))?\W{0,9}$")
_YES_NO = re.compile(r"\W{0,3}(?P<answer>yes|no|true|false|y|n)\b\W*", re.IGNORECASE)
_BRACKETED = re.compile(rf"[\[(](?P<answer>[^\[\]()]{{1,{ANSWER}}})[\])]\s*[:–—-]?\s*")
_LABELLED = re.compile(rf"(?P<answer>[^:]{{1,{ANSWER}}}):\s+")


@dataclass(slots=True)
class _Item:
    """A line of the tree, and what hangs on it."""

    said: list[str]
    """Its words, and those of the lines that go on with it."""
    column: int
    """Characters before its branch; of a line without one that begins at the margin, -1."""
    first: int
    last: int
    below: list[_Item] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that it says, in one line."""
        return " ".join(self.said)


class _Unclear(Exception):
    """It is not plain what belongs to which answer."""


def read_tree(text: str) -> Flowchart | None:
    r"""Read a decision tree; None where the text is none. Takes linear time.

    Example:
        >>> chart = read_tree("Lit?\n|-- Yes -> Press it.\n`-- No -> Replace the lamp.")
        >>> [(edge.label, edge.end) for edge in chart.edges]
        [('Yes', '2'), ('No', '3')]
    """
    drawing = _Drawing()
    try:
        drawing.sequence(_items(text))
    except _Unclear:
        return None
    edges = sorted(drawing.edges, key=lambda edge: edge.line)
    return Flowchart(tuple(drawing.nodes), tuple(edges)) if drawing.asks else None


def looks_like_tree(text: str) -> bool:
    """Whether a text is drawn as a tree in which something is asked."""
    lines = text.split("\n")
    found = (_BRANCH.match(line) or _ARROW.match(line) for line in lines)
    branches = sum(1 for branch in found if branch is not None and any(map(str.isalpha, branch["text"])))
    return branches > 1 and any(map(_asks, lines))


def _asks(text: str) -> bool:
    return _QUESTION.search(text, max(0, len(text) - 200)) is not None


def _items(text: str) -> list[_Item]:
    """The lines of a tree, each below the one on which it hangs; a line without a branch goes on with the one above."""
    top: list[_Item] = []
    above: list[_Item] = []
    lines = text.expandtabs(4).split("\n")
    is_lined = any(map(_BRANCH.match, lines))
    if any(map(_OTHER.match, lines)):
        raise _Unclear
    for number, line in enumerate(lines, start=1):
        words = " ".join(line.strip(_LINES).split())
        branch = _BRANCH.match(line) or _ARROW.match(line)
        if not words or (branch is not None and not branch["text"].strip()):
            continue
        indent = len(line) - len(line.lstrip(_LINES))
        if branch is not None:
            item = _Item(branch["text"].split(), len(branch["before"]), number, number)
        elif above and indent > max(above[-1].column, 0) and (is_lined or not _LEADS.search(words)):
            above[-1].said.append(words)
            above[-1].last = number
            continue
        else:
            item = _Item([words], indent or -1, number, number)
        while above and above[-1].column >= item.column:
            above.pop()
        (above[-1].below if above else top).append(item)
        above.append(item)
        if len(above) > DEEPEST:
            raise _Unclear
    return top


class _Drawing:
    """Nodes and ways that are drawn one after the other."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.asks = False
        """Whether anything is decided by an answer to a question."""

    def sequence(self, items: Sequence[_Item]) -> tuple[str, str]:
        """Draw lines that are followed one after the other, of which the last one alone may fork.

        Returns:
            The keys of the first node, and of the last one; that is empty where the ways part.
        """
        first = last = ""
        for item in items:
            if first and not last:
                raise _Unclear
            begun, ended = self._item(item, item.text)
            if last:
                self.edges.append(Edge(last, "", begun, item.first))
            first, last = first or begun, ended
        if not first:
            raise _Unclear
        return first, last

    def _item(self, item: _Item, text: str) -> tuple[str, str]:
        """Draw what a line says, and what hangs on it."""
        first = last = ""
        for said in filter(None, map(str.strip, _LEADS.split(text))):
            key = str(len(self.nodes) + 1)
            self.nodes.append(Node(key, said, item.first, item.last))
            if last:
                self.edges.append(Edge(last, "", key, item.first))
            first, last = first or key, key
        if not last:
            raise _Unclear
        if not item.below:
            return first, last
        answers = self._answers(self.nodes[-1].label, item.below)
        if not answers:
            begun, ended = self.sequence(item.below)
            self.edges.append(Edge(last, "", begun, item.below[0].first))
            return first, ended
        for one, (answer, rest) in zip(item.below, answers, strict=True):
            begun, _ = self._item(one, rest) if rest else self.sequence(one.below)
            self.edges.append(Edge(last, answer, begun, one.first))
        return first, ""

    def _answers(self, question: str, items: Sequence[_Item]) -> list[tuple[str, str]]:
        """The answers that some lines give, and what they say besides; none where they answer nothing."""
        is_asked = _asks(question) or (len(items) > 1 and all(_YES_NO.match(item.text) for item in items))
        if not is_asked and not (len(items) > 1 and all(_LEADS.search(item.text) for item in items)):
            return []
        self.asks |= is_asked and len(items) > 1
        return [_answer(item) for item in items]


def _answer(item: _Item) -> tuple[str, str]:
    """The answer that a line begins with, or is, and what it says besides."""
    text = item.text
    leads = _LEADS.search(text)
    for found in (leads, *(form.match(text) for form in (_BRACKETED, _LABELLED, _YES_NO))):
        if found is not None:
            answer = text[: found.start()] if found is leads else found["answer"]
            if (rest := text[found.end() :].strip()) or item.below:
                return answer.strip(" :*_?[]()"), rest
    if item.below:
        return text.strip(" :*_?[]()"), ""
    raise _Unclear
