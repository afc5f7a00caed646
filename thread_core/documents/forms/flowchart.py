"""A drawn procedure as nodes and the ways between them, and the reader of those that are written in Mermaid.

Known are: `flowchart` and `graph` in all directions; nodes of all shapes, with quoted labels, Markdown and entities in
them, and `A@{ ... }`; chains, `&`, ways with and without words; `click`. What only says how it looks is passed over. Of
a text in which anything else stands, such as another kind of diagram, nothing is read.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_WAYS = 100
"""Ways from a node, or that an arrow draws between nodes that `&` joins; more are no procedure."""


class Node(NamedTuple):
    """A box, a question or a case of a procedure."""

    key: str
    """Its name within the drawing."""
    label: str
    """What a reader sees; may have several lines, and Markdown."""
    first: int
    last: int
    """The lines of the drawing that say its label, 1-based, both included."""
    decides: bool = False
    """Whether it is drawn as a decision."""
    href: str = ""
    """Where a click on it leads."""
    number: int | None = None
    """Of a step that has one."""


class Edge(NamedTuple):
    """A way from a node to another one."""

    start: str
    label: str
    """When it is taken; empty where nothing says so."""
    end: str
    line: int
    """Of the drawing, 1-based."""


@dataclass(frozen=True, slots=True)
class Flowchart:
    """A drawn procedure: its nodes and ways in reading order."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def read_mermaid(text: str) -> Flowchart | None:
    r"""Read a flowchart; None where the text is none, or has what is not understood. Takes linear time.

    Example:
        >>> chart = read_mermaid("flowchart TD\nA{Lit?} -->|No| B[Replace the lamp]")
        >>> [node.label for node in chart.nodes], chart.edges[0].label
        (['Lit?', 'Replace the lamp'], 'No')
    """
    try:
        return _Reading(text).chart()
    except _Unknown:
        return None


class _Unknown(Exception):
    """Something stands here that is not understood."""


_FRONT = re.compile(r"\s*---[^\S\n]*\n(?:(?!---).*\n)*+---[^\S\n]*\n")
_REMARK = re.compile(r"%%[^\n]*")
_SETTINGS, _SETTINGS_END = "%%{", "}%%"
_BLANK = re.compile(r"\s*")
_BETWEEN = re.compile(r"[\s;]*")
_HEAD = re.compile(r"(?:flowchart(?:-elk)?|graph)(?:[^\S\n]+(?:TB|TD|BT|RL|LR|[<>^v]))?[^\S\n]*(?=[;\n]|$)")
_LOOKS = re.compile(
    r"(?:classDef|class|style|linkStyle|direction)[^\S\n][^\n;]*|acc(?:Title|Descr)\s*:[^\n]*|accDescr\s*\{[^}]*\}"
)
"""Statements that say nothing of the procedure."""
_SUBGRAPH = re.compile(r"subgraph\b[^\S\n]*(?:(?P<key>[\w.-]+)(?=[^\S\n]*(?:\[|[;\n]|$)))?[^;\n]*")
_END = re.compile(r"end(?=\s|;|$)")
_CLICK = re.compile(r"click[^\S\n]+(?P<key>\S+)[^\S\n]+(?:href[^\S\n]+)?(?:\"(?P<href>[^\"\n]*)\"|(?!\")\S+)[^;\n]*")
_KEY = re.compile(r"(?:[\w.!#$%'*+?\\/`]|&(?=\w)(?<=\w&)|-(?![->.])|=(?!=))+")
_ATTRIBUTES = re.compile(r"@\{((?:[^}\"]|\"[^\"]*\")*+)\}")
_ATTRIBUTE = re.compile(r"[\s,]*([\w-]+)\s*:\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s,|>&*{\[\"'][^,\n]*))\s*(?=,|\n|$)")
_CLASS = re.compile(r":::[\w-]+")
_SHAPES = {
    "(((": (")))",),
    "((": ("))",),
    "([": ("])",),
    "(-": ("-)",),
    "[[": ("]]",),
    "[(": (")]",),
    "[/": ("/]", "\\]"),
    "[\\": ("\\]", "/]"),
    "{{": ("}}",),
    "(": (")",),
    "[": ("]",),
    "{": ("}",),
    ">": ("]",),
}
"""What opens a node's label, and what may close it; what begins with another one stands before it."""
_DECISION = "{"
_DECISIONS = frozenset(("diamond", "diam", "decision", "question", "rhombus"))
"""The same by name."""
_QUOTED = re.compile(r"\s*\"([^\"]*)\"\s*")
_PLAIN = re.compile(r"[^\[\](){}\"|]*")
_HEADS = r"(?:[^\S\n]*[xo<]|\s*<?)"
_WAY = re.compile(rf"{_HEADS}(?P<way>--+[-xo>]|==+[=xo>]|-?\.+-[xo>]?|~~~+)")
_WAY_WITH_WORDS = re.compile(rf"{_HEADS}(?P<begin>--|==|-\.)")
_WAYS_END = {
    "--": re.compile(r"(?:\s[xo])?--+[-xo>]"),
    "==": re.compile(r"(?:\s[xo])?==+[=xo>]"),
    "-.": re.compile(r"(?:\s[xo])?\.+-[xo>]?"),
}
_BESIDE_WAY = re.compile(r"\s*\|(?:\s*\"([^\"]*)\"\s*|([^|\"]*))\|")
_AND = re.compile(r"[^\S\n]+&[^\S\n]+")
_NAME_OF_WAY = re.compile(r"\s+([\w-]+)@(?=[-=.~xo<])")
_ENTITY = re.compile(r"[#&](\w{1,32}|#\d{1,7});")
_BREAK = re.compile(r"<br\s*/?>|\\n", re.IGNORECASE)
_ANCHOR = re.compile(r"<a\s([^<>]*)>([^<>]*)</a>", re.IGNORECASE)
_HREF = re.compile(r"\bhref\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_ICON = re.compile(r"\bfa[a-z]?:fa-[\w-]+")


@dataclass(slots=True)
class _Drawn:
    """A node whose label may still be told."""

    first: int
    last: int
    label: str = ""
    decides: bool = False


@dataclass(slots=True)
class _Reading:
    """A text that is read from its beginning to its end."""

    text: str
    at: int = 0
    nodes: dict[str, _Drawn] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    hrefs: dict[str, str] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)
    """Names of subgraphs."""
    named: set[str] = field(default_factory=set)
    """Names of ways."""
    depth: int = 0
    _line: int = 1
    _counted: int = 0

    def chart(self) -> Flowchart | None:
        """Read all statements."""
        self._take(_FRONT)
        self._blanks()
        if self._take(_HEAD) is None:
            return None
        self._blanks()
        while self.at < len(self.text):
            self._statement()
            if not self._blanks() and self.at < len(self.text):
                raise _Unknown
        if self.depth or not self.edges or self.groups & {key for edge in self.edges for key in (edge.start, edge.end)}:
            return None
        nodes = (
            Node(key, one.label or key, one.first, one.last, one.decides, self.hrefs.get(key, ""))
            for key, one in self.nodes.items()
        )
        return Flowchart(tuple(nodes), tuple(self.edges))

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Go past what a pattern finds here."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def _blanks(self) -> bool:
        """Go past what stands between statements; whether a line or a statement ends there."""
        before = self.at
        self._take(_BETWEEN)
        while self.text.startswith("%%", self.at):
            if self.text.startswith(_SETTINGS, self.at):
                self.at = self.text.find(_SETTINGS_END, self.at) + len(_SETTINGS_END)
                if self.at < before + len(_SETTINGS):
                    raise _Unknown
            else:
                self._take(_REMARK)
            self._take(_BETWEEN)
        return any(mark in self.text[before : self.at] for mark in "\n;")

    def _line_at(self, at: int) -> int:
        """The line of a place that is behind all others that were asked for, 1-based."""
        self._line += self.text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def _statement(self) -> None:
        if self._take(_LOOKS):
            return
        if found := self._take(_SUBGRAPH):
            self.depth += 1
            self.groups.update(filter(None, (found["key"],)))
        elif self._take(_END):
            self.depth -= 1
            if self.depth < 0:
                raise _Unknown
        elif found := self._take(_CLICK):
            self.hrefs[found["key"]] = found["href"] or ""
        else:
            self._chain()

    def _chain(self) -> None:
        """Read `A & B --> C --> D`."""
        before = self._nodes()
        while True:
            here = self.at
            name = self._take(_NAME_OF_WAY)
            way = self._way()
            if way is None:
                self.at = here
                return
            if name is not None:
                self.named.add(name[1])
            label, drawn, returns = way
            line = self._line_at(self.at)
            self._take(_BLANK)
            after = self._nodes()
            if len(before) * len(after) > MOST_WAYS:
                raise _Unknown
            if drawn:
                self.edges += (Edge(one, label, other, line) for one in before for other in after)
                self.edges += (Edge(other, label, one, line) for one in before for other in after if returns)
            before = after

    def _nodes(self) -> list[str]:
        found = [self._node()]
        while self._take(_AND):
            found.append(self._node())
        return [key for key in found if key]

    def _node(self) -> str:
        """Read a node, and what it is called here."""
        key = self._take(_KEY)
        if key is None or key[0] == "end":
            raise _Unknown
        if key[0] in self.named and (self._take(_ATTRIBUTES)):
            return ""
        first = self._line_at(key.start())
        told = self._label()
        last = self._line_at(self.at)
        node = self.nodes.setdefault(key[0], _Drawn(first, first))
        if told is not None:
            label, decides = told
            node.decides = decides
            if label and label != node.label:
                node.label, node.first, node.last = label, first, last
        self._take(_CLASS)
        return key[0]

    def _label(self) -> tuple[str, bool] | None:
        """What stands in a node's shape, and whether that is one of a decision."""
        if found := self._take(_ATTRIBUTES):
            values = _attributes(found[1])
            return shown(values.get("label", "")), values.get("shape", "") in _DECISIONS
        opens = next((mark for mark in _SHAPES if self.text.startswith(mark, self.at)), None)
        if opens is None:
            return None
        self.at += len(opens)
        if quoted := self._take(_QUOTED):
            closes = next((mark for mark in _SHAPES[opens] if self.text.startswith(mark, self.at)), None)
            if closes is None:
                raise _Unknown
            self.at += len(closes)
            return shown(quoted[1]), opens == _DECISION
        plain = self._take(_PLAIN)
        words = plain[0] if plain is not None else ""
        for closes in _SHAPES[opens]:
            own = closes.rstrip("])}")
            if words.endswith(own) and self.text.startswith(closes[len(own) :], self.at):
                self.at += len(closes) - len(own)
                return shown(words[: len(words) - len(own)]), opens == _DECISION
        raise _Unknown

    def _way(self) -> tuple[str, bool, bool] | None:
        """Read a way: its words, whether it is to be seen, and whether it leads back too; None where there is none."""
        found = self._take(_WAY)
        if found is not None:
            beside = self._take(_BESIDE_WAY)
            words = (beside[1] or beside[2] or "") if beside else ""
            both = "<" in found[0] and found[0].endswith(">")
            return shown(words), not found["way"].startswith("~"), both
        begun = self._take(_WAY_WITH_WORDS)
        if begun is None:
            return None
        end = _WAYS_END[begun["begin"]].search(self.text, self.at)
        if end is None:
            raise _Unknown
        words, self.at = self.text[self.at : end.start()].strip(), end.end()
        return shown(words.strip('"')), True, "<" in begun[0] and end[0].endswith(">")


def _attributes(text: str) -> dict[str, str]:
    """What stands in the braces of `A@{ shape: diamond, label: "Lit?" }`."""
    found: dict[str, str] = {}
    at = 0
    while match := _ATTRIBUTE.match(text, at):
        found[match[1]] = next(filter(None, match.groups()[1:]), "").strip()
        at = match.end()
    if text[at:].strip(" \t\n,"):
        raise _Unknown
    return found


def shown(label: str) -> str:
    r"""What a reader sees of a label, as Markdown: line by line, without tags and icons, links as they are clicked.

    Example:
        >>> shown("Press #quot;Go#quot;<br/>and <b>wait</b>")
        'Press "Go"\nand wait'
    """
    text = label.strip()
    if len(text) > 1 and text[0] == text[-1] == "`":
        text = text[1:-1]
    text = _ANCHOR.sub(_clicked, _BREAK.sub("\n", text))
    text = _ENTITY.sub(_character, _ICON.sub("", _TAG.sub("", text)))
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))


def _clicked(anchor: re.Match[str]) -> str:
    """A link of HTML as one of Markdown."""
    href = _HREF.search(anchor[1])
    return f"[{anchor[2]}]({href[1]})" if href else anchor[2]


def _character(entity: re.Match[str]) -> str:
    """What an entity stands for; what would begin a tag stays one."""
    name = entity[1].lstrip("#")
    said = html.unescape(f"&#{name};" if name.isdecimal() else f"&{name};")
    return "&lt;" if said == "<" else said if said != f"&{name};" else entity[0]
