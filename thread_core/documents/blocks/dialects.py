"""Lines that only a site's generator understands -> lines of Markdown that mean the same.

Tabs and boxes have no form in Markdown, so each generator has its own: below it indented (MkDocs), between colons
(Docusaurus, VuePress, MyST), tags (Docusaurus, Mintlify) or braces (Hugo, GitBook, GitHub). What the parser sees of
them are the forms that are read anyway: a tab is a heading with a link (`# [Linux](#tab/)`), a box is a quotation with
an alert (`> [!NOTE]`), what counts in letters counts in digits (`counted`), and links are Markdown's (`references`). No
line comes or goes, and what stands in a tab or a box keeps its place from the line's end. What readers are shown are
the document's own lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from thread_core.documents.blocks.capitals import with_headings
from thread_core.documents.blocks.counted import as_lists
from thread_core.documents.blocks.fences import Fence
from thread_core.documents.blocks.references import with_links
from thread_core.documents.blocks.unseen import with_plain_beginnings

HINTS = ('=== "', "=== '", "===+", "===!", "!!!", "???", ":::", "<Tab", "<tab", "{{<", "{{%", "{%")
"""Of these a text in which there is anything to rewrite has one that begins a line."""
_BEGINS = re.compile(rf"\n[^\S\n]*(?:{'|'.join(map(re.escape, HINTS))}|import |\([\w.:-]+\)=)")
TAB, FOLD = "#tab/", "#fold/"
"""Where the link in the heading of a tab, or of something to unfold, begins to lead."""
DEEPEST = 8
"""Tabs and boxes in each other that are read; there is hardly a box in a tab in a list."""
INDENT = 4
"""Spaces before what stands in a tab or a box of MkDocs."""

_MARKS = tuple("=!?<:{@")
"""With one of these begins what is rewritten."""
_BOXES = frozenset(
    "note info tip hint warning caution danger important attention success error notice admonition abstract bug".split()
)
_SETS = frozenset("tabs tab-set code-group panel-tabset tabpane".split())
_TABS = frozenset("tab tabitem tabpanel tabpane tabs.tab".split())
_FOLDS = frozenset("details dropdown collapse spoiler".split())
_PLATFORMS = {"mac": "macOS", "windows": "Windows", "linux": "Linux"}


def _quoted(name: str) -> str:
    """Words between two of the same quotation marks, in which the other one may stand."""
    return rf"(?P<{name}_mark>[\"'`])(?P<{name}>(?:(?!(?P={name}_mark)).)*+)(?P={name}_mark)"


_INDENTED = re.compile(
    rf"\s*(?:===[!+]?\s+{_quoted('tab')}|\?\?\?\+?\s++(?:\w++\s++)*+{_quoted('folded')}"
    rf"|(?:!!!|\?\?\?\+?)\s+(?P<box>\w++)(?:\s++(?:\w++\s++)*+{_quoted('title')}|(?:\s++(?:inline|end)\b)*+))\s*"
)
"""A tab or a box whose lines are indented below it."""
_TAG = re.compile(
    r"\s*(?P<sign>\{\{[<%]|\{%-?|<)\s*(?P<closes>/\s*|end(?=\w))?(?P<name>[A-Za-z][\w.]*)(?P<rest>[^<>{}]*)"
    r"(?:[%>]\}\}|-?%\}|>)\s*"
)
"""What opens or closes a tab, a set of tabs or a box: `<TabItem label="Linux">`, `{{< /tabs >}}`, `{% endnote %}`."""
_ATTRIBUTE = re.compile(rf"(?:\b(?P<name>[a-z]+)\s*=\s*\{{?|^\s+){_quoted('text')}")
_PREFERRED = ("label", "title", "header", "name", "", "tab", "value")
_COLON_TAB = re.compile(r"\s{0,3}@tab(?::active)?\s+(?P<label>[^#\s][^#]*).*")
"""One that counts only between colons: `::: tabs`."""
_COLONS = re.compile(r"\s*(?P<colons>:{3,})\s*(?:\{?\.?(?:callout-)?(?P<name>[\w-]+)(?P<rest>.*))?")
_KIND = re.compile(rf"\b(?:type|color|level)\s*=\s*[\"']?(?P<kind>{'|'.join(_BOXES)})\b", re.IGNORECASE)
_MODULE_LINE = re.compile(r"import\s[^\"']*\bfrom\s+([\"'])[@./][^\"']*\1;?\s*|\([\w.:-]+\)=\s*")
"""What MDX takes for a program ("import Tabs from '@theme/Tabs';"), and MyST for the name of what stands below it."""
_RULE = "***"
"""It ends a set of tabs, and makes no heading of the line above it."""


def in_commonmark(text: str) -> str:
    r"""A text as a parser of plain Markdown has to see it, line for line.

    Example:
        >>> in_commonmark('=== "Linux"\n\n    1. Open a terminal.\n')
        '# [Linux](#tab/)\n\n1. Open a terminal.\n'
        >>> in_commonmark(":::note\nThe lamp is red.\n:::\n")
        '> [!NOTE]\n> The lamp is red.\n\n'
    """
    return as_lists(with_links(boxes_and_tabs(with_headings(with_plain_beginnings(text)))))


def boxes_and_tabs(text: str) -> str:
    """A text with its boxes and tabs as `in_commonmark` has them, and all else as it stands."""
    if not _BEGINS.search(f"\n{text}"):
        return text
    rewriting = _Rewriting()
    for line in text.split("\n"):
        rewriting.read(line)
    return "\n".join(rewriting.lines)


def only_opens_or_closes(line: str) -> bool:
    """Whether a line only opens or closes a set of tabs, closes a tab or a box, names a place, or is a program's."""
    if colons := _COLONS.fullmatch(line):
        return (colons["name"] or "tabs").lower() in _SETS
    if tag := _TAG.fullmatch(line):
        name = tag["name"].lower()
        closes = tag["closes"] is not None and name in {*_TABS, *_BOXES, *_PLATFORMS, "alert"}
        return closes or (name in _SETS and (tag["sign"] != "<" or name not in _TABS))
    return _MODULE_LINE.fullmatch(line) is not None


@dataclass(slots=True)
class _Scope:
    """Lines that belong to a tab or a box, or to what colons enclose."""

    indent: int
    """Spaces before what opens it."""
    kind: str
    """`tab`, `tabs` (a set of them), `fold` (a heading to click on), `box`, or empty where it is nothing known."""
    colons: int = 0
    """How many open it and close it."""
    shift: int = 0
    """How many spaces more its lines have, which says where it ends."""

    @property
    def quoted(self) -> bool:
        """Whether its lines become a quotation."""
        return self.kind == "box"


@dataclass(slots=True)
class _Rewriting:
    """One reading of a text, line by line."""

    lines: list[str] = field(default_factory=list)
    fence: Fence = field(default_factory=Fence)
    scopes: list[_Scope] = field(default_factory=list)

    def read(self, line: str) -> None:
        """Take in a line."""
        is_written_so = line.lstrip().startswith(_MARKS) or _MODULE_LINE.fullmatch(line)
        if not (self.scopes or is_written_so or "```" in line or "~~~" in line):
            self.lines.append(line)
            return
        if "\t" in line and (shifted := next((one for one in reversed(self.scopes) if one.shift), None)):
            line = _spaced(line, shifted.indent + shifted.shift)
        self._leave(line)
        inside = list(self.scopes)
        rest = line[sum(scope.shift for scope in inside) :]
        told = None
        if not self.fence.reads(rest):
            self._end_boxes_at(rest)
            told = self._told(rest, _indent(line))
        around = inside[: len(self.scopes)]  # without what the line closes or opens
        self.lines.append(_within(around, line if told is None else " " * _indent(line) + told))

    def _leave(self, line: str) -> None:
        """End what holds only lines that are indented more than this one."""
        indent = _indent(line)
        while line.strip() and (inner := next((one for one in reversed(self.scopes) if one.shift), None)):
            if indent >= inner.indent + inner.shift:
                return
            del self.scopes[self.scopes.index(inner) :]
            self.fence = Fence()
            begins_another = (match := _INDENTED.fullmatch(line)) is not None and not match["box"]
            if inner.kind == "tab" and not inner.indent and not begins_another and not self.lines[-1].strip():
                self.lines[-1] = _RULE

    def _end_boxes_at(self, line: str) -> None:
        """End the boxes that something has to close at a heading: what is never closed holds no further section."""
        if line.startswith("#"):
            at = next((at for at, one in enumerate(self.scopes) if one.quoted and not one.shift), len(self.scopes))
            del self.scopes[at:]

    def _told(self, line: str, indent: int) -> str | None:
        """What a line becomes that is a generator's, None for any other; what it opens and closes is kept."""
        if _MODULE_LINE.fullmatch(line):
            return ""
        if match := _INDENTED.fullmatch(line):
            if box := match["box"]:
                return self._opened(_Scope(indent, "box", shift=INDENT), _alert(box, match["title"] or ""))
            label = match["tab"] or match["folded"] or ""
            if not label.strip():
                return None
            told = _heading(label, TAB if match["tab"] else FOLD)
            return self._opened(_Scope(indent, "tab", shift=INDENT), told)
        if match := _TAG.fullmatch(line):
            return self._tag(match, indent)
        if (match := _COLON_TAB.fullmatch(line)) and any(scope.kind == "tabs" for scope in self.scopes):
            return _heading(match["label"], TAB)
        match = _COLONS.fullmatch(line)
        return self._enclosed(match, indent) if match else None

    def _tag(self, match: re.Match[str], indent: int) -> str | None:
        """What is written in angle brackets or braces."""
        name, closes, braced = match["name"].lower(), match["closes"] is not None, match["sign"] != "<"
        if name in _SETS and (braced or name not in _TABS):
            return _RULE if closes else ""
        if name in _TABS:
            found = {one["name"] or "": one["text"] for one in _ATTRIBUTE.finditer(match["rest"])}
            label = next((found[name] for name in _PREFERRED if found.get(name)), "")
            return "" if closes else _heading(label, TAB) if label else None
        if braced and (name in _BOXES or name == "alert"):
            kind = _KIND.search(match["rest"])
            box = kind["kind"] if kind else "note" if name == "alert" else name
            return self._closed(0) if closes else self._opened(_Scope(indent, "box"), _alert(box))
        if match["sign"].startswith("{%") and name in _PLATFORMS and not match["rest"].strip():
            return _RULE if closes else _heading(_PLATFORMS[name], TAB)
        return None

    def _enclosed(self, match: re.Match[str], indent: int) -> str | None:
        """A line that colons begin: they open something, or close what as many have opened."""
        colons, name = len(match["colons"]), (match["name"] or "").lower()
        if not name:
            return self._closed(colons)
        rest = match["rest"].strip("}[] {")
        if rest.endswith(":::"):
            return None
        if name == "tab-item" and rest:
            return self._opened(_Scope(indent, "tab", colons), _heading(rest, TAB))
        if name in _BOXES:
            return self._opened(_Scope(indent, "box", colons), _alert(name, rest))
        if name in _FOLDS and rest:
            return self._opened(_Scope(indent, "fold", colons), _heading(rest, FOLD))
        kind = "tabs" if name in _SETS else ""
        if not kind and not any(scope.colons for scope in self.scopes):
            return None  # what closes it closes nothing that is known either
        return self._opened(_Scope(indent, kind, colons), "" if kind else None)

    def _opened(self, scope: _Scope, told: str | None) -> str | None:
        """With a scope more, what its first line becomes."""
        if len(self.scopes) == DEEPEST:
            return None
        self.scopes.append(scope)
        return told

    def _closed(self, colons: int) -> str | None:
        """The line that closes what was opened by as many colons, or by a tag where there are none."""
        for at in reversed(range(len(self.scopes))):
            scope = self.scopes[at]
            if scope.colons == colons and not scope.shift:
                del self.scopes[at:]
                return _RULE if scope.kind in ("tabs", "fold") else "" if scope.kind else None
        return None


def _within(scopes: Sequence[_Scope], line: str) -> str:
    """A line without the indentation of what it stands in, and with the marks of the quotations."""
    written, at = "", 0
    blank = not line.strip()
    for scope in scopes:
        until = max(at, scope.indent if blank else min(scope.indent, _indent(line)))
        written += " " * (until - at)
        at = until + scope.shift
        written += "> " if scope.quoted else ""
    if blank:
        return written.rstrip()
    return written + line[at:]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _spaced(line: str, width: int) -> str:
    """A line with spaces for the tab characters of its indentation, up to a column."""
    at = column = 0
    while column < width and line[at : at + 1] in (" ", "\t"):
        column += 1 if line[at] == " " else INDENT - column % INDENT
        at += 1
    return " " * column + line[at:]


def _heading(label: str, target: str) -> str:
    return f"# [{re.sub(r'[][<>]', ' ', label).strip()}]({target})"


def _alert(kind: str, title: str = "") -> str:
    """The first line of a box; its title is a sentence of its own, unless it only says again what the box is."""
    said = f" {title}" if title.lower() not in ("", kind.lower()) else ""
    return f"> [!{kind.upper()}]{said}{'.' if said[-1:].isalnum() else ''}"
