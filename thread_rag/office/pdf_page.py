"""A page of a PDF -> what stands on it: words, tables, frames, places. A PDF only says where letters stand."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from pdfminer.pdfdocument import PDFDestinationNotFound
from pdfminer.pdftypes import resolve1
from pdfplumber.page import Page
from pdfplumber.pdf import PDF

from thread_rag.office.limits import MOST_ON_A_PAGE

_FEW = 3
"""Letters that may lie over others, as accents and ligatures do."""


class Word(NamedTuple):
    """Letters without a blank, where they stand on the page, in points from its top left."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    font: str
    drawn: int
    """Its place in the file, where it is drawn."""
    href: str = ""


class Dot(NamedTuple):
    """A drawn bullet."""

    left: float
    middle: float
    """How far down its middle is."""
    height: float


class Anchor(NamedTuple):
    """A place that a link leads to, in points from the page's top left."""

    name: str
    left: float
    top: float


class Table(NamedTuple):
    """A table with lines around its cells."""

    page: int
    left: float
    top: float
    rows: list[list[list[Word]]]
    """Of each row its cells, of each cell its words."""

    def texts(self, row: int) -> list[str]:
        """The words of a row's cells."""
        return [" ".join(word.text for word in cell) for cell in self.rows[row]]


@dataclass(slots=True)
class Sheet:
    """A page with what was found on it."""

    number: int
    words: list[Word]
    tables: list[Table] = field(default_factory=list)
    frames: list[tuple[float, float, float, float]] = field(default_factory=list)
    """Left, top, right and bottom edge of boxes around text."""
    dots: list[Dot] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)
    """Places that links lead to."""
    has_pictures: bool = False
    overlaps: bool = False
    """Letters lie over others."""
    crowded: bool = False
    """More is on it than is read; its tables were not looked for."""


def sheet_of(page: Page, number: int) -> Sheet:
    """What stands on a page.

    Args:
        page: As pdfplumber has it.
        number: 1-based.
    """
    drawn = page.filter(_is_text)
    attributes = ["fontname", "size"]
    found = drawn.extract_words(extra_attrs=attributes, y_tolerance=2, x_tolerance_ratio=0.2)
    order = {(round(char["x0"], 2), round(char["top"], 2)): at for at, char in reversed(list(enumerate(drawn.chars)))}
    links = [link for link in map(_link, page.annots[:MOST_ON_A_PAGE]) if link is not None]
    words = [_word(one, order, links) for one in found if one["upright"]]
    shapes = [*page.rects, *page.curves]
    sheet = Sheet(number, words, has_pictures=bool(page.images), overlaps=_overlap(drawn.chars))
    sheet.dots = [
        Dot(one["x0"], (one["top"] + one["bottom"]) / 2, one["height"])
        for one in shapes
        if 1 < one["height"] < 9 and abs(one["height"] - one["width"]) < 0.2 * one["height"]
    ]
    sheet.crowded = len(shapes) + len(page.lines) > MOST_ON_A_PAGE // 20
    if not sheet.crowded:
        _find_tables(page, sheet)
    return sheet


def _overlap(chars: Sequence[dict[str, Any]]) -> bool:
    """Whether letters lie over others, so that nobody can tell in which order they are read.

    A letter that is drawn twice to look bold does not count.
    """
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for char in chars:
        if char["text"].strip():
            rows[round(char["bottom"])].append(char)
    over = 0
    for row in rows.values():
        for before, after in pairwise(sorted(row, key=lambda one: float(one["x0"]))):
            over += after["x0"] < (before["x0"] + before["x1"]) / 2 and after["text"] != before["text"]
    return over > _FEW


def _is_text(element: dict[str, Any]) -> bool:
    """Whether something on a page is no furniture of it: programs that tag what they write call that an artifact."""
    return element["object_type"] != "char" or element.get("tag") != "Artifact"


def _word(found: dict[str, Any], order: dict[tuple[float, float], int], links: Sequence[tuple[Any, ...]]) -> Word:
    x0, x1, top, bottom = (float(found[key]) for key in ("x0", "x1", "top", "bottom"))
    x, y = (x0 + x1) / 2, (top + bottom) / 2
    href = next((goal for left, above, right, below, goal in links if left <= x <= right and above <= y <= below), "")
    index = order.get((round(x0, 2), round(top, 2)), 0)
    return Word(str(found["text"]), x0, x1, top, bottom, float(found["size"]), str(found["fontname"]), index, href)


def _link(note: dict[str, Any]) -> tuple[float, float, float, float, str] | None:
    goal = note.get("uri")
    if not goal:
        name = name_of(_goal(note))
        goal = f"#{name}" if name else ""
    return (note["x0"], note["top"], note["x1"], note["bottom"], str(goal)) if goal else None


def _goal(note: dict[str, Any]) -> Any:
    """Where in its document a link leads, as the file says it."""
    data = resolve1(note.get("data"))
    data = data if isinstance(data, dict) else {}
    action = resolve1(data.get("A"))
    return resolve1(data.get("Dest")) or (resolve1(action.get("D")) if isinstance(action, dict) else None)


def name_of(goal: object) -> str:
    """A place in a PDF as an anchor, by its name or by its page and where it is on it; empty for what is no place."""
    if isinstance(goal, list) and len(goal) > 3:
        page, left, down = (one if isinstance(one, int | float) else 0 for one in (_objid(goal[0]), *goal[2:4]))
        return f"place-{page}-{left:.0f}-{down:.0f}"
    said = getattr(goal, "name", goal)
    text = said.decode("latin-1") if isinstance(said, bytes) else said if isinstance(said, str) else ""
    return re.sub(r"[^\w.:-]+", "-", text)[:100]


def _objid(page: object) -> int:
    """What identifies a page in the file; -1 for what is none."""
    return int(getattr(page, "objid", -1))


def _find_tables(page: Page, sheet: Sheet) -> None:
    for found in page.find_tables():
        left, top, right, bottom = found.bbox
        inside = [word for word in sheet.words if is_in(word, found.bbox)]
        rows = [row for row in _rows(found, inside) if any(row)]
        rows = [*rows[:1], *_unruled(rows[1])] if len(rows) == 2 else rows
        filled = sum(bool(cell) for row in rows for cell in row)
        if filled > 1 and len(rows) > 1 and len(rows[0]) > 1:
            sheet.tables.append(Table(sheet.number, left, top, rows))
            sheet.words = [word for word in sheet.words if not is_in(word, found.bbox)]
        elif filled:
            sheet.frames.append((left, top, right, bottom))


def _rows(found: Any, inside: Sequence[Word]) -> Iterator[list[list[Word]]]:
    """The rows of a table. A cell that is over several rows says the same in each: each is read by itself."""
    held = {box: [word for word in inside if is_in(word, box)] for box in found.cells}
    rights = sorted({round(box[2]) for box in found.cells})
    for row in found.rows:
        middle = (row.bbox[1] + row.bbox[3]) / 2
        across = [box for box in found.cells if box[1] <= middle <= box[3]]
        cells: list[list[Word]] = []
        for number, right in enumerate(rights):
            box = next((one for one in across if one[0] < right - 1 <= one[2]), None)
            is_first = box is not None and (not number or box[0] >= rights[number - 1] - 1)
            cells.append(held[box] if is_first else [])
        yield cells


def _unruled(row: Sequence[list[Word]]) -> list[list[list[Word]]]:
    """The rows of a table that has a line below its head and no others: each begins with words in the first cell.

    It stays one row where a line of the first cell goes on in the next, or no cut between them misses all words.
    """
    first, words = in_rows(row[0]), [word for cell in row for word in cell]
    edge = min((word.x0 for cell in row[1:] for word in cell), default=0.0)
    cuts = [float("-inf")]
    for above, below in pairwise(first):
        is_wrapped = above[-1].x1 + below[0].x1 - below[0].x0 + below[0].size > edge
        tried = sorted(word.bottom for word in words if above[0].bottom <= word.bottom <= below[0].top)
        free = [y for y in tried if not any(word.top < y < word.bottom for word in words)]
        if is_wrapped or not free:
            return [list(row)]
        cuts.append(free[-1])
    bands = list(pairwise([*cuts, float("inf")]))
    return [[[word for word in cell if begin < word.bottom <= end] for cell in row] for begin, end in bands]


def is_in(word: Word, box: tuple[float, float, float, float]) -> bool:
    """Whether a word stands in a box: its left, top, right and bottom edge."""
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return box[0] - 1 <= x <= box[2] + 1 and box[1] - 1 <= y <= box[3] + 1


def in_rows(words: Sequence[Word]) -> list[list[Word]]:
    """Words side by side, from the top down, each row from the left."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda one: (one.top + one.bottom) / 2):
        middle = (word.top + word.bottom) / 2
        if rows and middle < max(one.bottom for one in rows[-1][:3]) - 0.25 * (word.bottom - word.top):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [sorted(row, key=lambda one: one.x0) for row in rows]


def destinations(pdf: PDF, numbers: dict[object, int]) -> dict[int, list[Anchor]]:
    """The places that links lead to, by page.

    Args:
        pdf: The document.
        numbers: Of its pages, by what identifies them in the file.
    """
    found: dict[int, list[Anchor]] = defaultdict(list)
    known: set[str] = set()
    for page in pdf.pages:
        for note in page.annots[:MOST_ON_A_PAGE]:
            goal = _goal(note)
            name = name_of(goal)
            if name and name not in known:
                known.add(name)
                if (at := _resolved(pdf, goal, numbers)) is not None:
                    number, left, down = at
                    found[number].append(Anchor(name, left, float(pdf.pages[number - 1].height) - down))
    return found


def _resolved(pdf: PDF, goal: Any, numbers: dict[object, int]) -> tuple[int, float, float] | None:
    """The page of a place, and where it is on it: from the left, and from the page's lower edge."""
    name = getattr(goal, "name", goal)
    known = name.encode() if isinstance(name, str) else name
    try:
        found = goal if isinstance(goal, list) else resolve1(pdf.doc.get_dest(known))
    except (PDFDestinationNotFound, KeyError, TypeError, AttributeError):
        return None
    found = resolve1(found.get("D")) if isinstance(found, dict) else found
    number = numbers.get(_objid(found[0]), 0) if isinstance(found, list) and len(found) > 3 else 0
    if not number or getattr(found[1], "name", "") != "XYZ":
        return None
    left, down = (one if isinstance(one, int | float) else 0 for one in found[2:4])
    return number, float(left), float(down)
