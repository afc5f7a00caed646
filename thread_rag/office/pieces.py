"""What a converter has found of a document, piece by piece in reading order -> Markdown, and where each line came from.

Pieces become a page of HTML, with lists as deep as they say, and that page becomes Markdown as any other page does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from thread_core.documents.printed import Printed
from thread_rag.converting import html_to_markdown

BULLET = "-"
_SIGNS = re.compile("[\ue0f0\ue0f1\x00-\x08\x0b\x0c\x0e-\x1f]")
"""Our own marks in private use, and what is no character of a text."""
_MARK = re.compile("\ue0f0([0-9]+)\ue0f1")
_CLOSING = re.compile(r"((?:</(?:p|td|th)>)+)$")
_FENCE = re.compile(r"\s*`{3,}\s*")


class Piece(NamedTuple):
    """A block of a document: a paragraph, a heading, a table, an item with its first paragraph."""

    html: str
    """Its elements, each ending in the mark of `at`."""
    where: int
    """The page, paragraph, row or cell that it comes from, from 1 on."""
    depth: int = 0
    """In how many list items it stands; an item itself in those around it."""
    label: str = ""
    """What an item is marked with: "3.", "a)", or `BULLET`; empty for what is no item."""
    words: str = ""
    """An item's, to tell it by."""


class Converted(NamedTuple):
    """A document as Markdown."""

    text: str
    title: str = ""
    printed: Printed | None = None
    """Where its lines stand in the file."""
    problems: tuple[str, ...] = ()
    """What its readers should know of the file."""


def at(where: int) -> str:
    """The mark that a piece's element ends with: the line in which it comes to stand is of that page or paragraph."""
    return f"\ue0f0{where}\ue0f1"


def plain(text: str) -> str:
    """Words of a document as HTML, without what is no text."""
    return escape(_SIGNS.sub("", text), quote=True)


def converted(pieces: Sequence[Piece], unit: str, title: str = "", problems: Iterable[str] = ()) -> Converted:
    """Make Markdown of the pieces.

    Args:
        pieces: In reading order.
        unit: What their `where` counts: "page", "paragraph".
        title: What the document calls itself, for one without a heading.
        problems: What is to be told besides.
    """
    page = html_to_markdown(f"<body>{page_of(pieces)}</body>")
    lines, ends = _unmarked(page.text.split("\n"))
    called = "" if any(piece.html.startswith("<h1") for piece in pieces) else title
    return Converted("\n".join(lines), called, Printed.of(unit, ends) if ends else None, tuple(problems))


def page_of(pieces: Iterable[Piece]) -> str:
    """HTML with the lists nested."""
    parts: list[str] = []
    open_lists: list[str] = []
    for piece in pieces:
        depth = min(piece.depth, len(open_lists))
        kind = "" if not piece.label else "ul" if piece.label == BULLET else "ol"
        keeps = bool(kind) and len(open_lists) > depth and open_lists[depth] == kind
        while len(open_lists) > depth + keeps:
            parts.append(f"</li></{open_lists.pop()}>")
        if keeps:
            parts.append("</li>")
        elif kind:
            parts.append(f"<{kind}>")
            open_lists.append(kind)
        parts.append(f'<li label="{escape(piece.label)}">{piece.html}' if kind else piece.html)
    parts += [f"</li></{kind}>" for kind in reversed(open_lists)]
    return "".join(parts)


def box(html: str, weight: str = "") -> str:
    """What is set apart from the text around it; of some weight, such as "warning"."""
    return f'<div class="admonition {weight.lower()}">{html}</div>' if weight else f"<blockquote>{html}</blockquote>"


def table(rows: Sequence[Sequence[str]], marks: Sequence[int], *, headed: bool = True) -> str:
    """A table as HTML.

    Args:
        rows: Of cells, each as HTML.
        marks: For each row, where it comes from.
        headed: Whether the first row is the head.
    """
    written = []
    for number, (row, where) in enumerate(zip(rows, marks, strict=True)):
        name = "th" if headed and not number else "td"
        cells = [f"<{name}>{cell}</{name}>" for cell in row]
        cells[-1] = _CLOSING.sub(rf"{at(where)}\1", cells[-1])
        written.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(written)}</table>"


def _unmarked(lines: Sequence[str]) -> tuple[list[str], list[tuple[int, int]]]:
    """The lines without marks, and with which line (1-based) each page or paragraph ends."""
    bare, ends = [], []
    for number, line in enumerate(lines, start=1):
        found = _MARK.findall(line)
        bare.append(_MARK.sub("", line).rstrip() if found else line)
        if found:
            closes = number < len(lines) and _FENCE.fullmatch(lines[number]) is not None
            ends.append((number + closes, int(found[-1])))
    return bare, ends
