"""Tables of spreadsheets -> Markdown: each run of rows is a table, what stands alone in its row is a paragraph."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from html import escape
from itertools import groupby
from typing import Any

from thread_core.documents.headings import slug
from thread_core.errors import BadDocument
from thread_rag.office.limits import MOST_CELLS, MOST_SHEETS_BYTES, check_package
from thread_rag.office.pieces import Converted, Piece, at, converted, plain, table

_DELIMITERS = ",;\t|"
_SNIFFED = 20_000
"""Characters by which it is guessed what parts the cells."""
_INSIDE = re.compile(r"#?'?([^'!]+)'?!")
_FORMULA = re.compile(rb"<f[ >/]")

Row = tuple[int, list[str]]
"""A row's number in its sheet, and its cells as HTML."""


def csv_to_markdown(text: str, document_id: str) -> Converted:
    """Convert a table of comma-separated values, or of ones that semicolons, tabs or bars separate.

    Raises:
        BadDocument: it has too many cells, or quotes that do not end.
    """
    try:
        dialect: Any = csv.Sniffer().sniff(text[:_SNIFFED], _DELIMITERS)
    except csv.Error:
        dialect = csv.excel
    rows: list[Row] = []
    cells = 0
    try:
        for number, row in enumerate(csv.reader(io.StringIO(text, newline=""), dialect), start=1):
            cells += len(row)
            _check_cells(cells, document_id)
            rows.append((number, [_lines(cell) for cell in row]))
    except csv.Error as error:
        raise BadDocument(document_id, f"is not a readable table ({error}); save it as CSV again") from error
    return converted(list(_pieces(rows)), "row", _stem(document_id))


def workbook_to_markdown(data: bytes, document_id: str) -> Converted:
    """Convert a workbook: the sheets, rows and columns that are not hidden, with the values that it was saved with.

    Raises:
        BadDocument: it cannot be opened, or is larger than is read.
    """
    check_package(data, document_id, "xl/workbook.xml", ".xlsx")
    has_formulas = _check_sheets(data, document_id)
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    pieces: list[Piece] = []
    cells = 0
    for place, sheet in enumerate(shown, start=1):
        rows = []
        for row in _rows(sheet):
            cells += len(row[1])
            _check_cells(cells, document_id)
            rows.append(row)
        found = list(_pieces(rows))
        if found and len(shown) > 1:
            pieces.append(Piece(f"<h2>{plain(sheet.title)}{at(place)}</h2>", place))
            found = [Piece(re.sub("\ue0f0[0-9]+\ue0f1", at(place), one.html), place) for one in found]
        pieces += found
    problems = list(_uncounted(data, shown)) if has_formulas else []
    unit = "sheet" if len(shown) > 1 else "row"
    return converted(pieces, unit, book.properties.title or _stem(document_id), problems)


def _check_sheets(data: bytes, document_id: str) -> bool:
    """Refuse sheets that no memory holds; whether there are formulas."""
    has_formulas, size = False, 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for part in archive.infolist():
            if part.filename.startswith("xl/worksheets/") or part.filename == "xl/sharedStrings.xml":
                size += part.file_size
                if size > MOST_SHEETS_BYTES:
                    reason = f"has sheets of more than {MOST_SHEETS_BYTES >> 20} MB; save the tables that are guides"
                    raise BadDocument(document_id, f"{reason} in a file of their own")
                has_formulas = has_formulas or _FORMULA.search(archive.read(part)) is not None
    return has_formulas


def _check_cells(cells: int, document_id: str) -> None:
    if cells > MOST_CELLS:
        reason = f"has more than {MOST_CELLS:,} cells; save the part that is a guide as a file of its own"
        raise BadDocument(document_id, reason)


def _uncounted(data: bytes, shown: Sequence[Any]) -> Iterator[str]:
    """Where formulas have no value: a program wrote them, and none has counted."""
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data))
    for sheet in shown:
        empty = [
            cell.coordinate
            for row in book[sheet.title].iter_rows()
            for cell in row
            if cell.data_type == "f" and sheet[cell.coordinate].value is None
        ]
        if empty:
            named = ", ".join(empty[:5])
            yield f"{sheet.title}: formulas without a value ({named}); open and save it in a spreadsheet program"


def _rows(sheet: Any) -> Iterator[Row]:
    """The rows of a sheet that are shown. A merged cell says the same in each of its rows."""
    merged: dict[tuple[int, int], Any] = {}
    for span in sheet.merged_cells.ranges:
        if span.size["rows"] * span.size["columns"] <= MOST_CELLS:
            for row in range(span.min_row, min(span.max_row, sheet.max_row) + 1):
                merged[row, span.min_col] = sheet.cell(span.min_row, span.min_col)
    hidden = {
        number
        for one in sheet.column_dimensions.values()
        if one.hidden
        for number in range(one.min or 0, min(one.max or 0, sheet.max_column) + 1)
    }
    for row in sheet.iter_rows():
        number = row[0].row
        if not sheet.row_dimensions[number].hidden:
            yield number, [_html(merged.get((number, one.column), one)) for one in row if one.column not in hidden]


def _pieces(rows: Sequence[Row]) -> Iterator[Piece]:
    for is_filled, group in groupby(rows, lambda row: any(row[1])):
        if is_filled:
            yield from _of_run(list(group))


def _of_run(run: list[Row]) -> Iterator[Piece]:
    """A table, with what stands alone above it as a paragraph."""
    while run and sum(map(bool, run[0][1])) == 1:
        number, cells = run.pop(0)
        yield Piece(f"<p>{''.join(cells)}{at(number)}</p>", number)
    if run:
        first = min(at_ for _, cells in run for at_, cell in enumerate(cells) if cell)
        last = max(at_ for _, cells in run for at_, cell in enumerate(cells) if cell)
        rows = [[*cells, *[""] * (last + 1 - len(cells))][first : last + 1] for _, cells in run]
        yield Piece(table(rows, [number for number, _ in run]), run[-1][0])


def _html(cell: Any) -> str:
    text = _lines(_shown(cell.value, str(cell.number_format or "")))
    link = getattr(cell, "hyperlink", None)
    outside, inside = (str(link.target or ""), str(link.location or "")) if link is not None else ("", "")
    sheet = _INSIDE.match(outside if outside.startswith("#") else inside)
    goal = f"#{slug(sheet[1])}" if sheet else outside
    return f'<a href="{escape(goal, quote=True)}">{text}</a>' if goal and text else text


def _shown(value: object, form: str) -> str:
    """A value as a sheet shows it, more or less."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float) and form.rstrip().endswith("%"):
        return f"{value * 100:g}%"
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, datetime):
        return value.isoformat(" ", "minutes") if value.time() != time() else value.date().isoformat()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _lines(text: str) -> str:
    return "<br>".join(plain(line) for line in text.strip().splitlines())


def _stem(document_id: str) -> str:
    return document_id.rsplit("/", 1)[-1].rsplit(".", 1)[0]
