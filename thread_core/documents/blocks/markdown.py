"""Text -> blocks that know their lines.

pyromark parses; here its events become a tree of `Block`s with 1-based line ranges. Plain text is Markdown
without marks, so it goes the same way. Nothing is interpreted: that is `outline`'s and `rules`' work.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any, Literal, NamedTuple

import pyromark

from thread_core.documents.blocks.dialects import in_commonmark
from thread_core.documents.blocks.front_matter import front_matter
from thread_core.documents.blocks.source import Source, starts
from thread_core.text.sentences import BREAK

OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_TASKLISTS | pyromark.Options.ENABLE_STRIKETHROUGH

BlockKind = Literal[
    "heading", "paragraph", "list", "item", "code", "table", "row", "quote", "html", "rule", "definition"
]

_RETURN = re.compile(r"\r(?!\n)")
_MARK = re.compile(r"^\ufeff(?=\S)", re.MULTILINE)
_LINK_TAG = re.compile(
    r"<(?:a\s[^<>]*?href|link\s[^<>]*?(?:to|href))\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'<>]+))", re.IGNORECASE
)
"""Also as a component of pages that are programs: `<Link to="/page">`."""
_NUMBER = re.compile(rb"\s{0,8}(\d{1,9})[.)]")
_SIGNATURE = re.compile(rb"\n--\s*$")
"""Two dashes under a line: a mail's signature follows, and the line is no heading."""
_SPACE = re.compile(rb"[ \t\r\n]*")
_INDENT = re.compile(rb"[ \t]*")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)
_EMBEDDED = re.compile(
    r"(?P<before>\]\(\s*<?|^\s{0,3}\[[^\[\]\n]+\]:\s*<?|\bsrc\s*=\s*[\"']?)data:[\w.+-]*/[^\s()<>\"']{64,}+",
    re.IGNORECASE | re.MULTILINE,
)
"""The data of a picture, where a text names a picture's address."""
_STRIKE = b"~~"
"""One tilde is a part of names: `PROGRA~1`."""
_STRIKE_TAG = re.compile(r"<(?P<end>/?)(?:s|del|strike)(?:\s[^<>]*)?>", re.IGNORECASE)
CELL = "\x1f"
"""Ends each cell in a table row's text (the ASCII unit separator)."""


class Hyperlink(NamedTuple):
    """A link as written: what it is called and where it goes."""

    text: str
    href: str
    line: int
    offset: int
    """Characters of its block's text before it."""

    def moved(self, by: int) -> Hyperlink:
        """The same link, with so many characters more before it."""
        return self._replace(offset=max(0, self.offset + by))


class Block(NamedTuple):
    """A block of a document with its lines, 1-based and inclusive."""

    kind: BlockKind
    start: int
    end: int
    text: str = ""
    """Its own words without Markdown's marks, line by line; of a container, empty."""
    level: int = 0
    """A heading's level, 1 to 6."""
    number: int | None = None
    """A numbered list item's number, as written."""
    language: str = ""
    """A code fence's info string."""
    bold: bool = False
    """The whole text is set in bold."""
    lead: str = ""
    """The words in bold with which it begins, where it does."""
    links: tuple[Hyperlink, ...] = ()
    children: tuple[Block, ...] = ()
    code: tuple[tuple[int, int], ...] = ()
    """Where inline code stands in its text: characters before it, and up to its end."""
    marked: tuple[tuple[int, int], ...] = ()
    """The same for what is in italics or bold in a paragraph."""

    def walk(self) -> Iterator[Block]:
        """This block and everything in it, in reading order."""
        return iter(parts([self]))

    @property
    def words(self) -> str:
        """All text in it, blocks separated by newlines."""
        return "\n".join(block.text for block in self.walk() if block.text)

    @property
    def flat(self) -> str:
        """Its own words in one line."""
        return " ".join(self.text.split())


def parts(blocks: Sequence[Block]) -> list[Block]:
    """Some blocks and everything in them, in reading order."""
    found = []
    stack = list(reversed(blocks))
    while stack:
        block = stack.pop()
        found.append(block)
        if block.children:
            stack.extend(reversed(block.children))
    return found


@dataclass(frozen=True, slots=True)
class Markdown:
    """A parsed document."""

    source: Source
    front_matter: dict[str, str]
    front_lines: tuple[int, int] | None
    """First and last line of the front matter, its fences included."""
    blocks: tuple[Block, ...]


class _Open:
    """A block whose end has not been seen."""

    level = 0
    number: int | None = None
    language = ""
    first = 0
    last = 0
    """Where the words in `pieces` begin and end."""
    plain = False
    """Some of its words are not bold."""
    lead = 0
    """How many of `pieces` are bold before any that is not."""
    counted = 0
    length = 0
    """How many of `pieces` were counted, and the characters in them."""

    def __init__(self, kind: BlockKind, start: int) -> None:
        self.kind = kind
        self.start = start
        self.pieces: list[str] = []
        self.links: list[Hyperlink] = []
        self.children: list[Block] = []
        self.code: list[int] = []
        """Which of `pieces` are inline code."""
        self.marked: list[tuple[int, int]] = []
        """From which of `pieces` up to which they are in italics or bold."""

    def count(self) -> int:
        """How many characters there are up to now; each piece is counted once."""
        self.length += sum(map(len, self.pieces[self.counted :]))
        self.counted = len(self.pieces)
        return self.length

    def paragraph(self, start: int, end: int) -> Block:
        """What stands directly in it, as a block of its own."""
        inner = _Open("paragraph", start)
        inner.pieces, inner.links, inner.plain, inner.lead = self.pieces, self.links, self.plain, self.lead
        inner.code, inner.marked = self.code, self.marked
        self.pieces, self.links, self.plain, self.lead, self.counted, self.length = [], [], False, 0, 0, 0
        self.code, self.marked = [], []
        return inner.close(end)

    def close(self, end: int) -> Block:
        start, end = self.start, max(self.start, end)
        links, inner = tuple(self.links), tuple(self.children)
        if not self.pieces:
            return Block(self.kind, start, end, "", self.level, self.number, self.language, False, "", links, inner)
        whole = "".join(self.pieces)
        outer = "\n" if self.kind == "code" else f" \t\n{BREAK}"
        before = len(whole) - len(whole.lstrip(outer))
        links = tuple([link.moved(-before) for link in links]) if before else links
        code: tuple[tuple[int, int], ...] = ()
        marked: tuple[tuple[int, int], ...] = ()
        emphases = self.marked if self.kind == "paragraph" else []
        if self.code or emphases:
            ends = list(accumulate(map(len, self.pieces), initial=-before))
            code = tuple([(max(0, ends[at]), ends[at + 1]) for at in self.code])
            marked = tuple([(max(0, ends[first]), ends[stop]) for first, stop in emphases])
        lead = "".join(self.pieces[: self.lead]).strip() if self.lead else ""
        told = (whole.strip(outer), self.level, self.number, self.language, not self.plain, lead)
        return Block(self.kind, start, end, *told, links, inner, code, marked)


_EMPHASES = ("Strong", "Emphasis")
_KINDS: dict[str, BlockKind] = {
    "Paragraph": "paragraph",
    "Heading": "heading",
    "List": "list",
    "Item": "item",
    "CodeBlock": "code",
    "HtmlBlock": "html",
    "Table": "table",
    "TableHead": "row",
    "TableRow": "row",
    "BlockQuote": "quote",
    "FootnoteDefinition": "definition",
}
_SAID = frozenset(("Text", "Code", "Html"))
_HOLDERS = frozenset(("item", "quote", "definition"))
"""Blocks in which words stand directly, where the parser makes no paragraph of them."""


def parse(text: str) -> Markdown:
    r"""Parse Markdown or plain text. Never fails: any text is a document, an empty one has no blocks.

    A byte-order mark at the start is not part of the text, and neither are the data of pictures in it: `![x](data:)`.

    Example:
        >>> [(b.kind, b.start, b.end) for b in parse("# Disk\n\n1. Look.\n2. Act.\n").blocks]
        [('heading', 1, 1), ('list', 3, 4)]
    """
    markdown = _parsed(text.removeprefix("\ufeff"))
    if "data:" not in text or not _EMBEDDED.search(text):
        return markdown
    return _parsed(_without_embedded(markdown))


def _parsed(text: str) -> Markdown:
    source = Source(text)
    fields, front = front_matter(source)
    skipped = front[1] if front else 0
    blocks = _Reader(source, skipped).read() if skipped < len(source) else ()
    return Markdown(source, fields, front, blocks)


def _without_embedded(markdown: Markdown) -> str:
    """A text without the data of the pictures in it, but for code."""
    code = [range(block.start, block.end + 1) for block in parts(markdown.blocks) if block.kind == "code"]
    lines = set(chain.from_iterable(code))
    line_at = markdown.source.line_at

    def named(found: re.Match[str]) -> str:
        return found[0] if line_at(found.start("before")) in lines else f"{found['before']}data:"

    return _EMBEDDED.sub(named, markdown.source.text)


def visible(html: str) -> str:
    """A text without HTML comments and tags, trimmed: empty where a reader sees nothing."""
    pieces, at = [], 0
    while (opening := html.find("<!--", at)) >= 0 and (closing := html.find("-->", opening + 4)) >= 0:
        pieces.append(html[at:opening])
        at = closing + 3
    pieces.append(html[at:])
    return _TAG.sub("", _BREAK_TAG.sub(" ", "".join(pieces))).strip()


def parsable(source: Source, skipped: int = 0) -> str:
    r"""A text after some lines as a parser can take it, character for character; the source keeps what it has.

    A question mark for a lone surrogate, which has no UTF-8 form, a newline for a lone \r, which the parser does
    not take for a line's end everywhere, and a space for the mark of UTF-8 where files were joined.
    """
    rest = source.slice(skipped + 1, len(source)) if skipped else source.text
    whole = rest if rest.isascii() else _MARK.sub(" ", rest.encode("utf-8", "replace").decode())
    return _RETURN.sub("\n", whole) if "\r" in whole else whole


def _seen(text: str, skipped: int) -> list[int]:
    """The numbers of the lines that are not blank for the parser."""
    return [number for number, line in enumerate(text.split("\n"), start=skipped + 1) if line.strip(" \t\r>")]


class _Reader:
    """One reading of the parser's events, in which the blocks that are open stand on a stack."""

    def __init__(self, source: Source, skipped: int) -> None:
        whole = parsable(source, skipped)
        self._text = in_commonmark(whole)
        self._encoded = self._text.encode()
        self._skipped = skipped
        self._starts = starts(self._encoded.split(b"\n"))
        self._indents: dict[int, int] = {}
        """Where the indentation of a line ends, of those that were asked for."""
        self._written = source.written if self._text is whole else _seen(self._text, skipped)
        self._stack = [_Open("quote", 1)]
        self._bold = 0
        self._marks: list[int] = []
        """How many pieces stand before each of the emphases that are open."""
        self._pictures = 0
        self._struck = 0
        """How much that strikes out words is open, of which no tag outlasts its block."""
        self._link: tuple[str, int, int, int] | None = None
        """Of the link that is open: target, line, pieces and characters before it."""

    def read(self) -> tuple[Block, ...]:
        """All blocks."""
        events: Iterable[tuple[Any, Any]] = pyromark.events_with_range(self._text, options=OPTIONS)
        for event, span in events:
            if isinstance(event, str):
                self._mark(event, span["start"])
                continue
            name, value = event.popitem()
            if name in _SAID:
                self._words(value, span, name == "Code")
            elif name == "InlineHtml":
                self._tag(value, span["start"])
            elif name == "Start":
                # A tag is a bare name, or one name with its details.
                key, detail = (value, None) if isinstance(value, str) else value.popitem()
                self._start(key, detail, span["start"])
            elif name == "End":
                self._end(value if isinstance(value, str) else next(iter(value)), span["end"])
        self._gather(self._stack[0])
        return tuple(self._stack[0].children)

    def _gather(self, top: _Open) -> None:
        """A tight list item's words stand directly in the item: make them the paragraph that they are."""
        if not top.pieces or top.kind not in _HOLDERS:
            return
        inner = top.paragraph(self._line_at(top.first), self._line_before(top.last))
        if inner.text.strip():
            top.children.append(inner)

    def _line_at(self, offset: int) -> int:
        """The line of what stands at an offset; the parser lets a list that is indented by a tab begin above it."""
        if self._encoded[offset : offset + 1] <= b" " and (space := _SPACE.match(self._encoded, offset)):
            offset = space.end()
        return bisect_right(self._starts, offset) + self._skipped

    def _line_before(self, offset: int) -> int:
        """The last line with anything on it before an offset."""
        number = bisect_right(self._starts, offset - 1)
        if number > 1 and self._encoded[offset - 1] in b" \t" and offset <= self._indent(number):
            number -= 1
        at = bisect_right(self._written, number + self._skipped)
        return self._written[at - 1] if at else 0

    def _indent(self, number: int) -> int:
        """Where a line's indentation ends."""
        if number not in self._indents:
            indent = _INDENT.match(self._encoded, self._starts[number - 1])
            self._indents[number] = indent.end() if indent else 0
        return self._indents[number]

    def _mark(self, event: str, start: int) -> None:
        top = self._stack[-1]
        if event == "Rule":
            self._gather(top)
            line = self._line_at(start)
            top.children.append(Block("rule", line, line))
        elif top.pieces:
            top.pieces.append("\n")

    def _words(self, text: str, span: dict[str, int], is_code: bool) -> None:
        top = self._stack[-1]
        if not top.pieces:
            top.first = span["start"]
        top.last = span["end"]
        if self._pictures and top.kind != "heading" and not self._link:
            return  # what is said of a picture is no sentence of the text
        if self._struck and top.kind != "heading":
            return  # nor is what no longer holds
        if is_code:
            top.code.append(len(top.pieces))
        top.pieces.append(text.replace(CELL, " ") if top.kind == "row" else text)
        if not top.plain and not self._bold and text.strip(" :.\t"):
            top.plain = True

    def _tag(self, tag: str, start: int) -> None:
        """A link, the break of a line, or what strikes out words, that is written in HTML."""
        if _BREAK_TAG.fullmatch(tag):
            if self._stack[-1].pieces:
                self._stack[-1].pieces.append(BREAK)
        elif strike := _STRIKE_TAG.fullmatch(tag):
            self._struck = max(0, self._struck + (-1 if strike["end"] else 1))
        elif opening := _LINK_TAG.match(tag):
            self._open_link(next(filter(None, opening.groups())), start)
        elif tag.lower().startswith(("</a", "</link")):
            self._close_link()

    def _open_link(self, href: str, start: int) -> None:
        top = self._stack[-1]
        self._link = (href, self._line_at(start), len(top.pieces), top.count())

    def _close_link(self) -> None:
        if self._link and self._struck and self._stack[-1].kind != "heading":
            self._link = None
        elif self._link:
            top = self._stack[-1]
            href, line, pieces, offset = self._link
            top.links.append(Hyperlink("".join(top.pieces[pieces:]).strip(), href.strip(), line, offset))
            self._link = None

    def _start(self, key: str, detail: Any, start: int) -> None:
        top = self._stack[-1]
        if kind := _KINDS.get(key):
            if top.pieces:
                self._gather(top)
            opened = _Open(kind, self._line_at(start))
            self._stack.append(opened)
            if kind == "heading":
                opened.level = int(detail["level"][1])
            elif kind == "code":
                opened.language = detail["Fenced"] if isinstance(detail, dict) else ""
            elif kind == "list":
                opened.number = detail
            elif kind == "item" and top.number is not None:
                written = _NUMBER.match(self._encoded, start)
                opened.number = int(written[1]) if written else None
        elif key in _EMPHASES:
            self._bold += key == "Strong"
            self._marks.append(len(top.pieces))
        elif key == "Image":
            self._pictures += 1
        elif key == "Strikethrough":
            self._struck += self._encoded.startswith(_STRIKE, start)
        elif key == "Link":
            self._open_link(detail["dest_url"], start)

    def _end(self, key: str, end: int) -> None:
        top = self._stack[-1]
        if key in _KINDS:
            if top.pieces:
                self._gather(top)
            self._stack.pop()
            if top.kind == "heading" and _SIGNATURE.search(self._encoded, max(0, end - 8), end):
                top.kind, top.level = "paragraph", 0
            self._stack[-1].children.append(top.close(self._line_before(end)))
            self._link = None
            self._struck = 0
        elif key == "Strikethrough":
            self._struck = max(0, self._struck - self._encoded.endswith(_STRIKE, 0, end))
        elif key in _EMPHASES:
            top.marked.append((self._marks.pop(), len(top.pieces)))
            self._bold -= key == "Strong"
            if key == "Strong" and not top.plain:
                top.lead = len(top.pieces)
        elif key == "Image":
            self._pictures -= 1
        elif key == "Link":
            self._close_link()
        elif key == "TableCell":
            top.pieces.append(CELL)
