"""Jupyter notebooks -> Markdown: what their authors wrote, cell by cell. What code has printed is left out."""

from __future__ import annotations

import json
import re
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from thread_core.documents.printed import Printed
from thread_core.errors import BadDocument
from thread_core.models import faults_in
from thread_rag.office.pieces import Converted

_SHELL = re.compile(r"%%(bash|sh)\b[^\n]*\n")
_TICKS = re.compile(r"`{3,}")
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")


class _Cell(BaseModel):
    cell_type: str
    source: str | list[str] = ""
    input: str | list[str] = ""
    """What form 3 calls the source of code."""
    level: Annotated[int, Field(ge=1, le=6)] = 1
    """Of a heading, which is a cell in form 3."""

    @property
    def text(self) -> str:
        said = self.source or self.input
        return (said if isinstance(said, str) else "".join(said)).replace("\r\n", "\n").strip("\n")


class _Sheet(BaseModel):
    cells: list[_Cell]


class _Kernel(BaseModel):
    language: str = ""


class _Language(BaseModel):
    name: str = ""


class _Metadata(BaseModel):
    kernelspec: _Kernel = _Kernel()
    language_info: _Language = _Language()


class _Notebook(BaseModel):
    cells: list[_Cell] = []
    worksheets: list[_Sheet] = []
    """Where the cells are in form 3."""
    metadata: _Metadata = _Metadata()
    nbformat: int


def notebook_to_markdown(text: str, document_id: str) -> Converted:
    """Convert a notebook of nbformat 3 or 4. A cell of code is a block of code; one that begins with `%%bash` is shell.

    Raises:
        BadDocument: it is no notebook.
        RecursionError: it is nested too deeply.
    """
    try:
        notebook = _Notebook.model_validate(json.loads(text))
    except json.JSONDecodeError as error:
        raise BadDocument(
            document_id, f"is not a complete notebook (its JSON ends at {error}); save it again"
        ) from error
    except ValidationError as error:
        faults = "; ".join(faults_in(error)[:3])
        raise BadDocument(document_id, f"is not a notebook of nbformat 3 or 4 ({faults})") from error
    language = notebook.metadata.language_info.name or notebook.metadata.kernelspec.language
    language = language if _LANGUAGE.fullmatch(language) else ""
    lines: list[str] = []
    ends = []
    cells = [*notebook.cells, *(cell for sheet in notebook.worksheets for cell in sheet.cells)]
    for number, cell in enumerate(cells, start=1):
        if written := _written(cell, language):
            lines += [*([""] if lines else []), *written.split("\n")]
            ends.append((len(lines), number))
    return Converted("\n".join([*lines, ""]), "", Printed.of("cell", ends) if ends else None)


def _written(cell: _Cell, language: str) -> str:
    if not cell.text.strip():
        return ""
    if cell.cell_type == "code":
        shell = _SHELL.match(cell.text)
        code = cell.text[shell.end() :] if shell else cell.text
        fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(code)), default=0))
        return f"{fence}{shell[1] if shell else language}\n{code}\n{fence}"
    if cell.cell_type == "heading":
        return f"{'#' * cell.level} {' '.join(cell.text.split())}"
    return cell.text if cell.cell_type == "markdown" else ""
