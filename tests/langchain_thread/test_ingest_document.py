"""What docs/ingest_langchain.md shows runs as it stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document

from langchain_thread import HeaderEmbeddings

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "ingest_langchain.md").read_text("utf-8"), re.DOTALL)
GUIDE = (ROOT / "examples" / "documents" / "queue-backlog.md").read_text("utf-8")
MADE = re.search(
    r"^documents = \[Document\(guide.*$", (ROOT / "docs" / "tutorial_langchain.md").read_text("utf-8"), re.MULTILINE
)
"""How the tutorial makes the documents with which this page goes on."""


def test_its_code(make_store: Callable[..., Chroma], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ours, native = make_store([]), make_store([])
    names: dict[str, Any] = {"Document": Document, "guide": GUIDE, "store": ours}
    assert MADE
    exec(MADE[0], names)
    exec(BLOCKS[0], names)
    assert names["report"].added == len(ours.get()["ids"]) > 5
    names["store"] = native
    added, removed = BLOCKS[1].split("\n\n# a document that is gone")
    exec(added, names)
    assert sorted(native.get()["documents"]) == sorted(ours.get()["documents"])
    exec(f"#{removed}", names)
    assert native.get()["ids"] == []
    exec(BLOCKS[2], names)
    assert isinstance(names["embeddings"], HeaderEmbeddings)
    assert {"guides.ledger", "records.sqlite3", "vectors.sqlite3"} <= {path.name for path in tmp_path.iterdir()}
