"""What stands on a page of a PDF -> its lines, in the order in which they are read.

Columns are found by the strip between them that no word crosses, running heads by their coming again from page to page.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from thread_rag.office.pdf_page import Dot, Sheet, Word, in_rows, is_in

_STRIP = 9.0
"""Points that are between two columns at least."""
_LINES = 3
"""Lines that a column has at least."""
_MIDDLE = (0.25, 0.75)
"""Between which parts of the text's width columns are parted."""
_STEP = 3.0
_EDGES = 2
"""Lines at the top of a page, and at its bottom, that may be running heads."""
_DIGITS = re.compile(r"\d+")
_MONOSPACED = re.compile(r"mono|courier|consol|typewriter|cmtt|menlo|code", re.IGNORECASE)
_BOLD = re.compile(r"bold|black|heavy|semibold", re.IGNORECASE)
_BULLET = 0.7
"""How large a drawn bullet may be beside its letters."""


@dataclass(frozen=True, slots=True)
class Line:
    """Words side by side."""

    words: tuple[Word, ...]
    page: int
    edge: float
    """Where the column begins, in points from the left."""
    right: float
    """Where it ends."""
    is_bulleted: bool = False
    """A bullet is drawn before it."""
    anchors: tuple[str, ...] = ()
    """Places of that name stand here."""
    box: int = 0
    """The number of the frame that it stands in; 0 for none."""

    @property
    def text(self) -> str:
        """Its words, with a blank between them."""
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        """How far in it begins, in points from where its column does."""
        return self.words[0].x0 - self.edge

    @property
    def top(self) -> float:
        """Its upper edge, in points from the page's."""
        return min(word.top for word in self.words)

    @property
    def bottom(self) -> float:
        """Its lower edge, in points from the page's upper one."""
        return max(word.bottom for word in self.words)

    @property
    def size(self) -> float:
        """Of its letters, in half points."""
        sizes = Counter[float]()
        for word in self.words:
            sizes[round(word.size * 2) / 2] += len(word.text)
        return sizes.most_common(1)[0][0]

    @property
    def is_code(self) -> bool:
        """Whether all of it is set as on a typewriter."""
        return all(_MONOSPACED.search(word.font) for word in self.words)

    @property
    def is_bold(self) -> bool:
        """Whether all of it is set in bold."""
        return all(_BOLD.search(word.font) for word in self.words)


def without_running_heads(sheets: Sequence[Sheet]) -> None:
    """Take out of pages what comes again at their edges: heads, feet, numbers."""
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    edges = [_at_edges(sheet) for sheet in sheets]
    for sheet, lines in zip(sheets, edges, strict=True):
        for key, _ in lines:
            seen[key].add(sheet.number)
    enough = max(2, len(sheets) // 3)
    for sheet, lines in zip(sheets, edges, strict=True):
        gone = {word for key, words in lines if len(seen[key]) >= enough for word in words}
        if gone:
            sheet.words = [word for word in sheet.words if word not in gone]


def _at_edges(sheet: Sheet) -> list[tuple[tuple[str, int], list[Word]]]:
    rows = in_rows(sheet.words)
    outer = rows if len(rows) <= 2 * _EDGES else [*rows[:_EDGES], *rows[-_EDGES:]]
    found = []
    for row in outer:
        text = _DIGITS.sub("#", " ".join(word.text for word in row))
        found.append(((text, round(row[0].bottom / 4)), row))
    return found


def columns(sheet: Sheet) -> list[list[Word]]:
    """The words of a page in parts, each of one column, in reading order."""
    return _parted(sheet.words, 6) if sheet.words else []


def _parted(words: Sequence[Word], depth: int) -> list[list[Word]]:
    found = _strip(words) if depth else None
    if found is None:
        return [list(words)] if words else []
    x, top, bottom = found
    parts: list[list[Word]] = [[], [], [], []]
    for word in words:
        middle = (word.top + word.bottom) / 2
        at = 0 if middle < top else 3 if middle > bottom else 1 if word.x1 <= x else 2
        parts[at].append(word)
    return [part for some in parts for part in _parted(some, depth - 1)]


def _strip(words: Sequence[Word]) -> tuple[float, float, float] | None:
    """The widest gap between columns: where it is, and from where down to where no word crosses it."""
    if len(words) < 2 * _LINES:
        return None
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    best: tuple[int, float, float, float] | None = None
    x = left + _MIDDLE[0] * (right - left)
    while x < left + _MIDDLE[1] * (right - left):
        crossing = sorted((one.top, one.bottom) for one in words if one.x0 < x + _STRIP / 2 and one.x1 > x - _STRIP / 2)
        ends = [float("-inf"), *(bottom for _, bottom in crossing)]
        begins = [*(top for top, _ in crossing), float("inf")]
        for begin, end in zip(ends, begins, strict=True):
            inside = [one for one in words if one.top >= begin - 1 and one.bottom <= end + 1] if end > begin else []
            fewest = min(
                _heights([one for one in inside if one.x1 <= x]), _heights([one for one in inside if one.x0 >= x])
            )
            if fewest >= _LINES and (best is None or fewest > best[0]) and _is_between_columns(inside, x):
                best = fewest, x, begin, end
        x += _STEP
    return best[1:] if best else None


def _heights(words: Sequence[Word]) -> int:
    return len({round(word.bottom / 3) for word in words})


def _is_between_columns(words: Sequence[Word], x: float) -> bool:
    """Whether a file draws one side and then the other: of a table without lines it draws row by row."""
    sides = [word.x0 >= x for word in sorted(words, key=lambda one: one.drawn)]
    changes = sum(one != other for one, other in pairwise(sides))
    return changes <= max(2, len(in_rows(words)) // 4)


def lines_of(sheet: Sheet) -> list[Line]:
    """The lines of a page in reading order."""
    lines = []
    for part in columns(sheet):
        edge, right = min(word.x0 for word in part), max(word.x1 for word in part)
        for row in in_rows(part):
            box = next((at for at, frame in enumerate(sheet.frames, start=1) if is_in(row[0], frame)), 0)
            ends = sheet.frames[box - 1][2] if box else right
            lines.append(Line(tuple(row), sheet.number, edge, ends, _is_dotted(row[0], sheet.dots), (), box))
    for anchor in sheet.anchors:
        below = [at for at, line in enumerate(lines) if line.bottom > anchor.top and line.words[-1].x1 > anchor.left]
        if below:
            at = min(
                below, key=lambda one: (abs(lines[one].top - anchor.top) // 20, abs(lines[one].edge - anchor.left))
            )
            lines[at] = replace(lines[at], anchors=(*lines[at].anchors, anchor.name))
    return lines


def _is_dotted(first: Word, dots: Sequence[Dot]) -> bool:
    """Whether a bullet is drawn before a line that begins with a word."""
    middle = (first.top + first.bottom) / 2
    return any(
        abs(dot.middle - middle) < 0.4 * first.size
        and dot.height < _BULLET * first.size
        and 0 < first.x0 - dot.left < 3 * first.size
        for dot in dots
    )


def body_size(lines: Sequence[Line]) -> float:
    """The size in which most letters of a document are set."""
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def leading(lines: Sequence[Line]) -> float:
    """From one line to the next within a paragraph, as a multiple of the letters' size."""
    gaps = [
        (after.top - before.top) / before.size
        for before, after in pairwise(lines)
        if is_full(before, after) and before.size == after.size and not before.is_code
    ]
    return min(max(median(gaps), 1.1), 3.0) if gaps else 1.3


def is_full(line: Line, after: Line) -> bool:
    """Whether a line ends because the next one's first word did not fit into it."""
    word = after.words[0]
    room = line.right - line.words[-1].x1
    return line.page == after.page and after.top > line.top and room < word.x1 - word.x0 + 0.8 * line.size
