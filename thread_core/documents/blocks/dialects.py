"""Lines that only a site's generator understands -> lines of Markdown that mean the same.

Tabs and boxes have no form in Markdown, so each generator has its own: below it indented (MkDocs), between marks
(Docusaurus, MyST), or tags (Docusaurus, Mintlify, Hugo, GitBook). What the parser sees of them are the forms that are
read anyway: a tab is a heading with a link (`# [Linux](#tab/)`), a box is a quotation with an alert (`> [!NOTE]`), what
counts in letters counts in digits (`counted`), and links are Markdown's (`references`). No line comes or goes, and what
stands in a tab or a box keeps its place from the line's end. What readers are shown are the document's own lines. A new
form is a row of `_OPENERS` or a name in `_KINDS`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from thread_core.documents.blocks.counted import as_lists
from thread_core.documents.blocks.fences import Fence
from thread_core.documents.blocks.references import with_links

HINTS = ('=== "', "=== '", "===+", "===!", "!!!", "???", ":::", "<Tab", "<tab", "{{<", "{{%", "{%")
"""With one of these, or as in the pattern below, a line begins in a text in which there is anything to rewrite."""
_BEGINS = re.compile(rf"\n[^\S\n]*(?:{'|'.join(map(re.escape, HINTS))}|import |\([\w.:-]+\)=|(?:`{{3,}}+|~{{3,}}+)\{{)")
TAB, FOLD = "#tab/", "#fold/"
"""Where the link in the heading of a tab, or of something to unfold, begins to lead."""
DEEPEST = 8
"""Tabs and boxes in each other that are read; there is hardly a box in a tab in a list."""
INDENT = 4
"""Spaces before what stands in a tab or a box of MkDocs."""
ANY = 1
"""The least of spaces before what stands in others that are indented: as many as before its first line."""

_MARKS = tuple("=!?<:{#`~")
"""With one of these begins what is rewritten."""
_BOXES = frozenset(
    "note info tip hint warning caution danger important attention success error notice admonition abstract bug".split()
)
_KINDS = {
    **dict.fromkeys(_BOXES, "box"),
    **dict.fromkeys("tabs tab-set code-group tabpane".split(), "tabs"),
    **dict.fromkeys("tab tabitem tab-item tabpanel tabs.tab".split(), "tab"),
    **dict.fromkeys("details dropdown collapse spoiler".split(), "fold"),
}
"""What a name opens."""


def _quoted(name: str) -> str:
    """Words between two of the same quotation marks, in which the other one may stand."""
    return rf"(?P<{name}_mark>[\"'`])(?P<{name}>(?:(?!(?P={name}_mark)).)*+)(?P={name}_mark)"


class _Mark(NamedTuple):
    """What a line opens or closes."""

    kind: str = ""
    """`tab`, `tabs` (a set of them), `fold` (a heading to click on), `box`, or empty where it is nothing known."""
    name: str = ""
    label: str = ""
    marks: str = ""
    """What it is closed by, or closes, of tags their first sign; empty for what ends otherwise."""
    least: int = 0
    """How many spaces more its lines have at the least, where fewer end it."""
    closes: bool = False


_OPENERS = (
    (rf"===[!+]?\s+{_quoted('label')}", "tab", INDENT),
    (rf"\?\?\?\+?\s++(?:\w++\s++)*+{_quoted('label')}", "fold", INDENT),
    (rf"(?:!!!|\?\?\?\+?)\s+(?P<name>\w++)\s++(?:\w++\s++)*+{_quoted('label')}", "box", INDENT),
    (r"(?:!!!|\?\?\?\+?)\s+(?P<name>\w++)(?:\s++(?:inline|end)\b)*+", "box", INDENT),
    (r"(?P<marks>:{3,})\s*\{?\.?(?:callout-)?(?P<name>[\w-]+)(?P<label>.*)", "", 0),
    (r"(?P<marks>`{3,}(?=[^`]*$)|~{3,})\{(?P<name>[\w-]+)\}(?P<label>.*)", "", 0),
)
"""How a line opens something, without the spaces around it; what it opens, where that is not said by its name; and how
many spaces more its lines have at the least, where indentation ends it. As many `marks` as open something close it."""
_CLOSES = re.compile(r":{3,}|`{3,}|~{3,}")
_TAG = re.compile(
    r"\s*(?P<sign>\{\{[<%]|\{%-?|<)\s*(?P<closes>/\s*|end(?=\w))?(?P<name>[A-Za-z][\w.]*)(?P<rest>[^<>{}]*)"
    r"(?:[%>]\}\}|-?%\}|>)\s*"
)
"""What opens or closes a tab, a set of tabs or a box: `<TabItem label="Linux">`, `{{< /tabs >}}`, `{% endnote %}`."""
_ATTRIBUTE = re.compile(rf"(?:\b(?P<name>[a-z]+)\s*=\s*\{{?|^\s+){_quoted('text')}")
_PREFERRED = ("label", "title", "header", "name", "", "tab", "value")
_KIND = re.compile(rf"\b(?:type|color|level)\s*=\s*[\"']?(?P<kind>{'|'.join(_BOXES)})\b", re.IGNORECASE)
_OPTION = re.compile(
    r"\s*:(?:sync|selected|open|name|class|icon|color|animate|linenos|caption|[a-z]+(?:-[a-z]+)+):(?:\s.*)?"
)
"""What a generator is told of a tab or a box in the lines right below its first: `:sync: linux`."""
_HEADED = ("tab", "fold")
"""Kinds that become headings."""
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
    return as_lists(with_links(boxes_and_tabs(text)))


def boxes_and_tabs(text: str) -> str:
    """A text with its boxes and tabs as `in_commonmark` has them, and all else as it stands."""
    if not _BEGINS.search(f"\n{text}"):
        return text
    rewriting = _Rewriting()
    for line in text.split("\n"):
        rewriting.read(line)
    return "\n".join(rewriting.lines)


def only_opens_or_closes(line: str) -> bool:
    """Whether a line only opens or closes a set of tabs, closes a tab or a box, names a place, or is for a program."""
    if mark := _mark(line.strip()):
        return mark.closes or mark.kind == "tabs"
    return (_MODULE_LINE.fullmatch(line) or _OPTION.fullmatch(line)) is not None


def _mark(words: str) -> _Mark | None:
    """What a line opens or closes, if it does; it is given without the spaces around it."""
    if not words.startswith(_MARKS):
        return None
    if _CLOSES.fullmatch(words):
        return _Mark(marks=words, closes=True)
    if tag := _TAG.fullmatch(words):
        return _tag(tag)
    for pattern, kind, least in _OPENERS:
        if match := re.fullmatch(pattern, words):
            return _opening(match.groupdict(), kind, least)
    return None


def _opening(found: Mapping[str, str | None], kind: str, least: int) -> _Mark:
    name, label, marks = (found.get(group) or "" for group in ("name", "label", "marks"))
    label = label.strip("}[] {" if marks else None)
    opened = kind or _KINDS.get(name.lower(), "")
    return _Mark("" if opened in ("tab", "fold") and not label else opened, name, label, marks, least)


def _tag(match: re.Match[str]) -> _Mark | None:
    """What is written in angle brackets or braces."""
    name, closes, braced, rest = match["name"].lower(), bool(match["closes"]), match["sign"] != "<", match["rest"]
    kind = "tab" if name == "tabpane" and not braced else _KINDS.get(name, "")
    if kind == "tabs":
        return _Mark(kind, closes=closes)
    if kind == "tab":
        found = {one["name"] or "": one["text"] for one in _ATTRIBUTE.finditer(rest)}
        label = next((found[name] for name in _PREFERRED if found.get(name)), "")
        return _Mark(kind, name, label, "", 0 if braced else ANY, closes) if label or closes else None
    if braced and (kind == "box" or name == "alert"):
        said = _KIND.search(rest)
        return _Mark("box", said["kind"] if said else "note" if name == "alert" else name, "", "<", 0, closes)
    return None


@dataclass(slots=True)
class _Scope:
    """Lines that belong to a tab or a box, or to what marks enclose."""

    indent: int
    """Spaces before what opens it."""
    mark: _Mark
    shift: int = 0
    """How many of the spaces before its lines are taken away; none before its first line was read."""


@dataclass(slots=True)
class _Rewriting:
    """One reading of a text, line by line."""

    lines: list[str] = field(default_factory=list)
    fence: Fence = field(default_factory=Fence)
    scopes: list[_Scope] = field(default_factory=list)
    takes_options: bool = False
    """Whether all lines since the first one of the innermost scope were told to a generator."""

    def read(self, line: str) -> None:
        """Take in a line."""
        is_written_so = line.lstrip().startswith(_MARKS) or _MODULE_LINE.fullmatch(line)
        if not (self.scopes or is_written_so or "```" in line or "~~~" in line):
            self.lines.append(line)
            return
        self._leave(line)
        inside = list(self.scopes)
        rest = line[min(_indent(line), sum(scope.shift for scope in inside)) :]
        told = self._read_within(rest, _indent(line))
        around = inside[: len(self.scopes)]  # without what the line closes or opens
        self.lines.append(_within(around, line if told is None else " " * _indent(line) + told))

    def _read_within(self, line: str, indent: int) -> str | None:
        """What a line becomes, None where it stays; it is given without what the scopes around it take away."""
        self.takes_options = self.takes_options and _OPTION.fullmatch(line) is not None
        if self.takes_options:
            return ""
        if self.fence.is_open and self.fence.reads(line):
            return None
        if line.startswith("#"):
            self._end_boxes()
        told = self._told(line, indent)
        if told is None:
            self.fence.reads(line)
        return told

    def _leave(self, line: str) -> None:
        """End what holds only lines that are indented more than this one."""
        if not line.strip():
            return
        indent, ended = _indent(line), list[_Scope]()
        while at := next((at for at in range(len(self.scopes), 0, -1) if self.scopes[at - 1].mark.least), 0):
            inner = self.scopes[at - 1]
            if indent >= inner.indent + inner.mark.least or (inner.mark.least == ANY and self.fence.is_open):
                inner.shift = inner.shift or indent - inner.indent
                break
            ended += self.scopes[at - 1 :]
            del self.scopes[at - 1 :]
            self.fence = Fence()
        ends_tabs = any(one.mark.kind in ("tabs", *_HEADED) and not one.indent for one in ended)
        if ends_tabs and not self.lines[-1].strip() and not ((mark := _mark(line.strip())) and mark.kind in _HEADED):
            self.lines[-1] = _RULE

    def _end_boxes(self) -> None:
        """End those that something has to close: what is never closed holds no further section."""
        boxes = (at for at, one in enumerate(self.scopes) if one.mark.kind == "box" and one.mark.marks)
        del self.scopes[next(boxes, len(self.scopes)) :]

    def _told(self, line: str, indent: int) -> str | None:
        """What a line becomes that is a generator's, None for any other; what it opens and closes is kept."""
        words = line.strip()
        mark = _mark(words)
        if mark is None:
            return "" if _MODULE_LINE.fullmatch(line) else None
        kind, name, label, marks, least, closes = mark
        if closes:
            return self._closed(marks) if marks else _RULE if kind == "tabs" else ""
        if label.endswith(":::"):
            return None
        told: str | None = None
        if kind == "tabs":
            told = ""
        elif kind == "box":
            told = _alert(name, label)
        elif kind:
            told = _heading(label, FOLD if kind == "fold" else TAB)
        elif not (marks.startswith(":") and any(one.mark.marks.startswith(":") for one in self.scopes)):
            return None  # what closes it closes nothing that is known either
        if marks or least:
            if len(self.scopes) == DEEPEST:
                return None
            held = mark._replace(kind="") if words.startswith("<") else mark  # a tag closes it: it is only indented
            self.scopes.append(_Scope(indent, held, least if least > ANY else 0))
            self.takes_options = True
        return told

    def _closed(self, marks: str) -> str | None:
        """A line that closes what was opened by as many marks; where nothing was, by the most of fewer."""
        open_marks = [scope.mark.marks for scope in self.scopes]
        fitting = [(len(one), at) for at, one in enumerate(open_marks) if one and marks.startswith(one)]
        if not fitting:
            return None
        at = max(fitting)[1]
        kind, is_in_set = self.scopes[at].mark.kind, at > 0 and self.scopes[at - 1].mark.kind == "tabs"
        del self.scopes[at:]
        ends_tabs = kind in ("tabs", "fold") or (kind == "tab" and not is_in_set)
        return _RULE if ends_tabs else "" if kind else None


def _within(scopes: Sequence[_Scope], line: str) -> str:
    """A line without the indentation of what it stands in, and with the marks of the quotations."""
    written, at = "", 0
    blank, indent = not line.strip(), _indent(line)
    for scope in scopes:
        until = max(at, scope.indent if blank else min(scope.indent, indent))
        written += " " * (until - at)
        at = until + (scope.shift if blank else min(scope.shift, max(0, indent - until)))
        written += "> " if scope.mark.kind == "box" else ""
    if blank:
        return written.rstrip()
    return written + line[at:]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _heading(label: str, target: str) -> str:
    return f"# [{re.sub(r'[][<>]', ' ', label).strip()}]({target})"


def _alert(kind: str, title: str = "") -> str:
    """The first line of a box; its title is a sentence of its own, unless it only says again what the box is."""
    said = f" {title}" if title.lower() not in ("", kind.lower()) else ""
    return f"> [!{kind.upper()}]{said}{'.' if said[-1:].isalnum() else ''}"
