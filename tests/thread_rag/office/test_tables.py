"""Tables of spreadsheets and files, and notebooks, as Markdown."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import openpyxl
import pytest

from thread_core.errors import BadDocument
from thread_rag import reading
from thread_rag.office import sheets


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return reading.document(path).text


def test_a_table_in_a_file_whatever_parts_its_cells(tmp_path: Path) -> None:
    table = "| Lamp | Do |\n| --- | --- |\n| red, or dark | go to step 2 |\n"
    assert written(tmp_path / "a.csv", 'Lamp,Do\n"red, or dark",go to step 2\n') == table
    assert written(tmp_path / "b.csv", "Lamp;Do\nred, or dark;go to step 2\n") == table
    assert reading.document(tmp_path / "a.csv").title == "a"
    assert reading.document(tmp_path / "a.csv").metadata == {"printed": "row 1:1 3:2"}


def test_a_workbook_with_sheets_merged_cells_links_and_values(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    first = book.active
    first.title = "Lamps"
    for row in (("What to do",), (), ("Lamp", "Since", "Do"), ("red", date(2024, 3, 1), "stop"), (None, 0.25, "wait")):
        first.append(row)
    first.merge_cells("A4:A5")
    first["B5"].number_format = "0%"
    first["C4"].hyperlink = "#'Stop'!A1"
    book.create_sheet("Stop").append(("Press the button",))
    book.create_sheet("Old").sheet_state = "hidden"
    book["Old"].append(("gone",))
    book["Stop"].append(("=1+1",))
    book.save(tmp_path / "a.xlsx")
    document = reading.document(tmp_path / "a.xlsx")
    assert document.text.split("\n") == [
        "## Lamps",
        "",
        "What to do",
        "",
        "| Lamp | Since | Do |",
        "| --- | --- | --- |",
        "| red | 2024-03-01 | [stop](#stop) |",
        "| red | 25% | wait |",
        "",
        "## Stop",
        "",
        "Press the button",
        "",
    ]
    assert document.metadata == {"printed": "sheet 8:1 12:2"}
    [problem] = document.problems
    assert problem.startswith("Stop: formulas without a value (A2)")


def test_a_table_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MOST_CELLS", 5)
    with pytest.raises(BadDocument, match="cells; save the part"):
        written(tmp_path / "a.csv", "a,b\n" * 3)


def test_a_notebook_is_its_words_and_code(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Disk\n", "1. Look."]},
        {"cell_type": "code", "source": "import os\nos.listdir()", "outputs": [{"text": "secret"}]},
        {"cell_type": "code", "source": ["%%bash\n", "df -h"]},
        {"cell_type": "raw", "source": "left out"},
    ]
    metadata = {"language_info": {"name": "python"}}
    document = json.dumps({"nbformat": 4, "metadata": metadata, "cells": cells})
    text = "# Disk\n1. Look.\n\n```python\nimport os\nos.listdir()\n```\n\n```bash\ndf -h\n```\n"
    assert written(tmp_path / "a.ipynb", document) == text
    assert reading.document(tmp_path / "a.ipynb").metadata == {"printed": "cell 2:1 7:2 11:3"}
