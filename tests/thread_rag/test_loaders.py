"""The loaders of both frameworks give what the command reads, and the units say on which page they stand."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from llama_index.core import SimpleDirectoryReader

from langchain_thread import LogicUnitTextSplitter
from llama_index_thread import LogicUnitNodeParser
from tests.thread_rag.office.made import docx, item
from thread_rag import reading
from thread_rag.loaders.langchain import ThreadLoader
from thread_rag.loaders.llama_index import ThreadReader


@pytest.fixture
def guides(tmp_path: Path) -> Path:
    (tmp_path / "word").mkdir()
    (tmp_path / "word/pump.docx").write_bytes(docx(item("Open the valve") + item("If it leaks, go to step 1")))
    book = openpyxl.Workbook()
    for row in (("Lamp", "Do"), ("red", "stop")):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    return tmp_path


def test_langchain_gets_the_same_documents(guides: Path) -> None:
    documents = ThreadLoader(guides).load()
    assert [(one.id, one.metadata) for one in documents] == [
        ("a.xlsx", {"source": "a.xlsx", "title": "a", "printed": "row 1:1 3:2"}),
        ("word/pump.docx", {"source": "word/pump.docx", "printed": "paragraph 1:1 2:2"}),
    ]
    assert documents[1].page_content == reading.document(guides / "word/pump.docx").text
    [unit] = LogicUnitTextSplitter().split_documents(documents[1:])
    assert unit.metadata["printed"] == "paragraphs 1-2"


def test_llama_index_gets_the_same_documents(guides: Path) -> None:
    documents = ThreadReader().load_data(guides)
    assert [(one.id_, one.text.split("\n")[0]) for one in documents] == [
        ("a.xlsx", "| Lamp | Do |"),
        ("word/pump.docx", "1. Open the valve"),
    ]
    [unit] = LogicUnitNodeParser().get_nodes_from_documents(documents[1:])
    assert unit.metadata["printed"] == "paragraphs 1-2"


def test_it_is_an_extractor_of_llama_index_too(guides: Path) -> None:
    [one] = SimpleDirectoryReader(str(guides / "word"), file_extractor={".docx": ThreadReader()}).load_data()
    assert one.text == "1. Open the valve\n2. If it leaks, go to step 1\n"
    assert one.metadata["file_name"] == "pump.docx"


def test_what_cannot_be_read_is_warned_of(guides: Path) -> None:
    (guides / "broken.docx").write_bytes(b"PK")
    with pytest.warns(UserWarning, match=r"^broken\.docx: is not a complete .docx file.*; it is skipped$"):
        assert len(ThreadLoader(guides).load()) == 2
