"""PDF -> Markdown, by pdfplumber: letters and lines of tables are its work, paragraphs, lists and headings ours."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

import pdfplumber
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfplumber.pdf import PDF
from pdfplumber.utils.exceptions import PdfminerException

from thread_core.errors import BadDocument
from thread_rag.exports import names_weight
from thread_rag.office.limits import MOST_PAGES
from thread_rag.office.order import Step, check, counted, gaps
from thread_rag.office.pdf_lines import Line, body_size, is_full, leading, lines_of, without_running_heads
from thread_rag.office.pdf_page import Sheet, Table, Word, destinations, in_rows, sheet_of
from thread_rag.office.pieces import BULLET, Converted, Piece, at, box, converted, plain, table

_LABEL = re.compile(r"(?:[0-9]{1,3}[.)]|\(?[A-Za-z]\)|[a-z]\.|[ivx]{2,5}[.)]|[•●◦○▪■‣–\uf0b7])")
_BULLETS = "•●◦○▪■‣–\uf0b7"
_NEAR = 4.0
"""Points by which what stands below each other may differ."""
_NO_LETTERS = re.compile(r"\(cid:\d+\)")
_PARTED = re.compile(r"[^\W\d_](?:-|\xad)$")
_OCR = "run OCR, such as `ocrmypdf in.pdf out.pdf`"
_ENDS = tuple(".!?:;")
_LARGER = 1.08
"""How much larger than most letters those of a heading are."""
_HEADING_WORDS = 25


class _Item(NamedTuple):
    """A list item that may hold what comes next."""

    kind: str
    value: int
    mark: float
    """How far in its label stands, in points."""
    text: float
    """How far in its text does."""


def pdf_to_markdown(data: bytes, document_id: str, on_page: Callable[[], object] = lambda: None) -> Converted:
    """Convert a PDF.

    Args:
        data: The file's.
        document_id: What it is called in errors.
        on_page: Is called before each page, and once they are read.

    Raises:
        BadDocument: it cannot be opened, has no text, or its steps would not come out in order.
    """
    if not data[:1024].lstrip().startswith(b"%PDF-"):
        raise BadDocument(document_id, "is not a PDF (it does not begin with %PDF-); rename it to its real format")
    try:
        with pdfplumber.open(io.BytesIO(data)) as pdf:
            if len(pdf.pages) > MOST_PAGES:
                raise BadDocument(
                    document_id, f"has {len(pdf.pages):,} pages, expected at most {MOST_PAGES:,}; split it"
                )
            sheets = list(_sheets(pdf, on_page))
            title = str(pdf.metadata.get("Title") or "")
    except PDFPasswordIncorrect as error:
        raise BadDocument(document_id, "is encrypted; save it without a password") from error
    except PdfminerException as error:
        cause = error.args[0] if error.args else error
        if isinstance(cause, PDFPasswordIncorrect):
            raise BadDocument(document_id, "is encrypted; save it without a password") from error
        reason = f"is damaged or cut off ({type(cause).__name__}: {cause}); save or download it again"
        raise BadDocument(document_id, reason) from error
    problems = list(_unread(sheets, document_id))
    without_running_heads(sheets)
    pieces = list(_Reading(sheets).pieces())
    steps = [Step(one.label, one.words, one.where) for one in pieces if one.label not in ("", BULLET)]
    made = converted(pieces, "page", title, [*problems, *gaps(steps, "page")])
    check(steps, made, document_id)
    return made


def _sheets(pdf: PDF, on_page: Callable[[], object]) -> Iterator[Sheet]:
    numbers = {page.page_obj.pageid: page.page_number for page in pdf.pages}
    places = destinations(pdf, numbers)
    for page in pdf.pages:
        on_page()
        sheet = sheet_of(page, page.page_number)
        sheet.anchors = places.get(page.page_number, [])
        yield sheet
        page.close()
    on_page()


def _unread(sheets: Sequence[Sheet], document_id: str) -> Iterator[str]:
    """What is on pages and cannot be read.

    Raises:
        BadDocument: it is all of them.
    """
    scanned = [sheet.number for sheet in sheets if not sheet.words and not sheet.tables and sheet.has_pictures]
    texts = [word.text for sheet in sheets for word in sheet.words]
    if not texts and not any(sheet.tables for sheet in sheets):
        raise BadDocument(document_id, f"has no text: its pages are pictures or empty; {_OCR}")
    unknown = sum(_NO_LETTERS.search(text) is not None for text in texts)
    if unknown * 10 > len(texts):
        raise BadDocument(document_id, f"does not say which letters its fonts show; {_OCR} --force-ocr")
    if scanned:
        yield f"{_pages(scanned)} no text, so nothing was read there; {_OCR}"
    if mixed := [sheet.number for sheet in sheets if sheet.overlaps]:
        yield f"{_pages(mixed)} overlapping words, whose order is a guess; check the steps there"
    if crowded := [sheet.number for sheet in sheets if sheet.crowded]:
        yield f"{_pages(crowded)} too many drawn lines to find tables"


def _pages(numbers: Sequence[int]) -> str:
    named = ", ".join(map(str, numbers[:10])) + ("..." if len(numbers) > 10 else "")
    return f"page {named} has" if len(numbers) == 1 else f"pages {named} have"


class _Reading:
    """The lines of all pages, read from the first to the last."""

    def __init__(self, sheets: Sequence[Sheet]) -> None:
        self._sheets = sheets
        self._lines = {sheet.number: list(lines_of(sheet)) for sheet in sheets}
        every = [line for lines in self._lines.values() for line in lines]
        self._size = body_size([line for line in every if not line.is_code])
        self._leading = leading(every)
        self._levels = self._heading_levels(every)
        self._words = Counter(word.text.strip(".,;:()").lower() for line in every for word in line.words)
        self._linked = {word.href[1:] for line in every for word in line.words if word.href.startswith("#")}
        self._open: list[_Item] = []

    def pieces(self) -> Iterator[Piece]:
        """What the pages say."""
        for group in self._groups():
            if isinstance(group, Table):
                yield self._table(group)
            else:
                yield from self._paragraph(group)

    def _heading_levels(self, lines: Sequence[Line]) -> dict[float, int]:
        """The levels of sizes in which headings are set."""
        sizes = sorted(
            {line.size for line in lines if line.size >= self._size * _LARGER and not line.is_code}, reverse=True
        )
        return {size: min(level, 6) for level, size in enumerate(sizes, start=1)}

    # -- lines that belong together

    def _groups(self) -> Iterator[list[Line] | Table]:
        group: list[Line] = []
        for element in self._joined_tables():
            if isinstance(element, Table):
                if group:
                    yield group
                group = []
                yield element
            elif group and self._goes_on(group, element):
                group.append(element)
            else:
                if group:
                    yield group
                group = [element]
        if group:
            yield group

    def _joined_tables(self) -> Iterator[Line | Table]:
        """Lines and tables in order; a table that goes on at the top of the next page is one with it."""
        held: Table | None = None
        for element in self._elements():
            if held is not None and isinstance(element, Table) and _goes_on_overleaf(held, element):
                again = element.texts(0) == held.texts(0)
                held = held._replace(page=element.page, rows=[*held.rows, *element.rows[again:]])
                continue
            if held is not None:
                yield held
            held = element if isinstance(element, Table) else None
            if not isinstance(element, Table):
                yield element
        if held is not None:
            yield held

    def _elements(self) -> Iterator[Line | Table]:
        """Each table comes before the first line of its column that is below it."""
        for sheet in self._sheets:
            waiting = sorted(sheet.tables, key=lambda one: one.top)
            for line in self._lines[sheet.number]:
                before = [one for one in waiting if one.top < line.top and line.edge - _NEAR <= one.left < line.right]
                yield from before
                waiting = [one for one in waiting if one not in before]
                yield line
            yield from waiting

    def _goes_on(self, group: Sequence[Line], line: Line) -> bool:
        """Whether a line is one of the same paragraph, heading or block of code as those before it."""
        last = group[-1]
        if last.is_code != line.is_code or last.box != line.box or line.is_bulleted:
            return False
        is_same_column = last.page == line.page and line.top > last.top
        gap = line.top - last.top if is_same_column else 0.0
        if line.is_code:
            return not is_same_column or gap < 3 * line.size
        if last.size != line.size and max(last.size, line.size) >= self._size * _LARGER:
            return False
        if self._begins_item(line, group):
            return False
        if self._level(last) and last.size == line.size:
            return is_same_column and gap < 1.5 * last.size and len(group) < 4
        if not is_same_column:
            return line.text[:1].islower() or last.text.endswith("-")
        is_amid = line.text[:1].islower() and last.text[-1:] not in _ENDS
        return (is_full(last, line) or is_amid) and gap < 1.25 * self._leading * line.size

    def _begins_item(self, line: Line, group: Sequence[Line]) -> bool:
        """Whether a line begins an item. Within a paragraph a line may begin with a number that is none."""
        label, first = _label(line), _label(group[0])
        if not label:
            return False
        if label in _BULLETS:
            return True
        begun = self._begun
        marks = [item.mark for item in self._open]
        if first and first not in _BULLETS:
            begun.append(counted(first, begun))
        if first:
            marks.append(group[0].left)
        kind, value = counted(label, begun)
        within = group[0].words[1].x0 - group[0].edge if first and len(group[0].words) > 1 else None
        is_wrapped = within is not None and abs(line.left - within) < _NEAR and value != 1
        follows = (kind, value - 1) in begun
        is_marked = any(abs(line.left - mark) < _NEAR for mark in marks)
        if len(line.words) == 1:
            return follows and is_marked
        return value == 1 or (not is_wrapped and (follows or is_marked))

    @property
    def _begun(self) -> list[tuple[str, int]]:
        """How far the lists that are open have counted."""
        return [(item.kind, item.value) for item in self._open]

    def _goes_on_from(self, label: str, left: float) -> bool:
        """Whether a number alone on its line is the next one below others: its words are in the lines that follow."""
        kind, value = counted(label, self._begun)
        return any((one.kind, one.value) == (kind, value - 1) and abs(one.mark - left) < _NEAR for one in self._open)

    def _level(self, line: Line) -> int:
        return self._levels.get(line.size, 0) if not line.is_code and len(line.words) <= _HEADING_WORDS else 0

    # -- pieces

    def _paragraph(self, group: list[Line]) -> Iterator[Piece]:
        first, where = group[0], group[-1].page
        if level := self._level(first):
            self._open.clear()
            name = f"h{level}"
            yield Piece(f"<{name}>{self._html(group)}{at(where)}</{name}>", where)
            return
        label = _label(first)
        is_item = bool(label) and not first.is_code and (len(first.words) > 1 or self._goes_on_from(label, first.left))
        if is_item or first.is_bulleted:
            yield self._item(group, label if is_item else "")
            return
        depth = self._depth(first.left)
        if first.is_code:
            yield Piece(f"<pre>{plain(_code(group))}{at(where)}</pre>", where, depth)
            return
        is_heading = all(line.is_bold for line in group) and not depth and not first.text.endswith((".", ":", ","))
        if is_heading:
            self._open.clear()
        html = f"<p>{self._html(group)}{at(where)}</p>"
        if first.box:
            weight = first.text.split(":")[0].split(".")[0].strip()
            html = box(html, weight if names_weight(weight) else "")
        yield Piece(html, where, depth)

    def _item(self, group: list[Line], label: str) -> Piece:
        first, where = group[0], group[-1].page
        is_counted = bool(label) and label not in _BULLETS
        kind, value = counted(label, self._begun) if is_counted else ("-", 0)
        inner = first.words[1].x0 - first.edge if len(first.words) > 1 else first.left + first.size
        text = inner if label else first.left
        mark = first.left if label else first.left - first.size
        follows = [
            at_ for at_, item in enumerate(self._open) if is_counted and (item.kind, item.value) == (kind, value - 1)
        ]
        near = [at_ for at_ in follows if abs(self._open[at_].mark - mark) < _NEAR]
        if value != 1 and (near or follows):
            del self._open[(near or follows)[-1] :]
        else:
            while self._open and self._open[-1].mark > mark - _NEAR:
                self._open.pop()
        depth = len(self._open)
        self._open.append(_Item(kind, value, mark, text))
        html = f"<p>{self._html(group, skipped=bool(label))}{at(where)}</p>"
        words = " ".join([line.text for line in group])[len(label) :].strip() if is_counted else ""
        return Piece(html, where, depth, label.lstrip("(") if is_counted else BULLET, words)

    def _depth(self, left: float) -> int:
        while self._open and left < self._open[-1].text - _NEAR:
            self._open.pop()
        return len(self._open)

    def _table(self, found: Table) -> Piece:
        edge = next((line.edge for line in self._lines[found.page] if line.edge <= found.left + _NEAR), found.left)
        rows = [[self._cell(cell) for cell in row] for row in found.rows]
        depth = sum(found.left - edge >= item.text - 2 * _NEAR for item in self._open)
        return Piece(table(rows, [found.page] * len(rows)), found.page, depth)

    def _cell(self, words: Sequence[Word]) -> str:
        """The words of a cell; an item that it holds begins a line."""
        lines = [Line(tuple(row), 0, 0, 0) for row in in_rows(words)]
        parts = [f"{'<br>' if _label(line) else ' '}{_marked(line.words, 1)}" for line in lines]
        return "".join(parts).strip().removeprefix("<br>")

    def _html(self, group: Sequence[Line], *, skipped: bool = False) -> str:
        """The words of lines with their marks, links and places, and parted words joined.

        A hyphen at a line's end parts a word, unless the document has the word with it elsewhere.
        """
        parts: list[str] = []
        for number, line in enumerate(group):
            for name in line.anchors:
                if name in self._linked:
                    parts.append(f'<a id="{escape(name)}"></a>')
            words = list(line.words[1:] if skipped and not number else line.words)
            after = group[number + 1].words[0].text if number + 1 < len(group) else ""
            gap = " "
            if words and _PARTED.search(words[-1].text) and after[:1].islower():
                gap = ""
                if not self._words[f"{words[-1].text}{after}".strip(".,;:()").lower()]:
                    words[-1] = words[-1]._replace(text=words[-1].text[:-1])
            parts.append(_marked(words, self._level(line)) + gap)
        return "".join(parts).strip().replace("</strong> <strong>", " ")


def _marked(words: Sequence[Word], level: int) -> str:
    """Words as HTML, with what is set alike in one element."""
    parts: list[str] = []
    begin = 0
    while begin < len(words):
        how = _how(words[begin], level)
        end = begin + 1
        while end < len(words) and _how(words[end], level) == how:
            end += 1
        said = plain(" ".join(word.text for word in words[begin:end]))
        name, href = how
        said = f"<{name}>{said}</{name}>" if name else said
        parts.append(f'<a href="{escape(href, quote=True)}">{said}</a>' if href else said)
        begin = end
    joined = parts[:1]
    for part, (before, after) in zip(parts[1:], _borders(words, level), strict=True):
        joined.append(part if after.x0 - before.x1 < 0.1 * after.size else f" {part}")
    return "".join(joined)


def _borders(words: Sequence[Word], level: int) -> list[tuple[Word, Word]]:
    return [pair for pair in pairwise(words) if _how(pair[0], level) != _how(pair[1], level)]


def _how(word: Word, level: int) -> tuple[str, str]:
    line = Line((word,), 0, 0, 0)
    return ("code" if line.is_code else "strong" if line.is_bold and not level else ""), word.href


def _code(group: Sequence[Line]) -> str:
    """Lines of code with their indents and the blanks in them, as far as the letters stand apart."""
    edge = min(line.words[0].x0 for line in group)
    widths = [(word.x1 - word.x0) / len(word.text) for line in group for word in line.words if word.text]
    width = max(1.0, sorted(widths)[len(widths) // 2])
    lines: list[str] = []
    for number, line in enumerate(group):
        before = group[number - 1] if number else None
        if before is not None and before.page == line.page and line.top - before.top > 1.8 * line.size:
            lines.append("")
        text = ""
        for word in line.words:
            column = round((word.x0 - edge) / width)
            text += " " * max(column - len(text), 1 if text else 0) + word.text
        lines.append(text)
    return "\n".join(lines)


def _goes_on_overleaf(held: Table, after: Table) -> bool:
    return after.page == held.page + 1 and len(after.rows[0]) == len(held.rows[0])


def _label(line: Line) -> str:
    """What a line begins with, where that marks an item."""
    first = line.words[0].text
    return first if _LABEL.fullmatch(first) and (len(line.words) > 1 or first not in _BULLETS) else ""
