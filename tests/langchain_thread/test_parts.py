"""Files that a loader or another splitter has flattened or cut are whole again, or it is said."""

from collections.abc import Callable

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_text_splitters import MarkdownHeaderTextSplitter

from langchain_thread import DefaultEmbeddings, LogicUnitTextSplitter, ThreadIngest
from langchain_thread.convert import to_unit
from thread_core import LinkAction

PUMP = """\
# Pump

Read this first.

## Start

1. Turn the key. If the lamp is red, go to [Fuse](#fuse).
2. If the pump is silent, go back to step 1.

## Fuse

Replace it. See [the valve](valve.md).
"""
HEADINGS = [("#", "Header 1"), ("##", "Header 2")]


def leads(units: list[Document]) -> list[tuple[str, str, int | None]]:
    return [
        (link.target.document, link.target.anchor, link.target.step)
        for unit in map(to_unit, units)
        for link in unit.links
        if link.target and (link.condition or link.action is LinkAction.CROSS)
    ]


EXPECTED = [("", "fuse", None), ("", "start", 1), ("valve.md", "", None)]


@pytest.mark.parametrize("strip_headers", [True, False])
async def test_what_was_cut_at_headings_is_one_document_again(strip_headers: bool) -> None:
    parts = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=strip_headers).split_text(PUMP)
    parts = [Document(part.page_content, metadata=part.metadata | {"source": "pump.md"}) for part in parts]
    splitter = LogicUnitTextSplitter()
    with pytest.warns(UserWarning, match=r"^pump\.md: another splitter has split .* as `TextLoader\(") as told:
        units = splitter.split_documents(parts)
    assert len(told) == 1
    assert leads(units) == EXPECTED
    assert all(unit.metadata["source"] == "pump.md" and "Header 1" not in unit.metadata for unit in units)
    with pytest.warns(UserWarning, match="another splitter has split"):
        assert await splitter.atransform_documents(parts) == units
    with pytest.warns(UserWarning, match="another splitter has split"):
        assert [extraction.report.document_id for extraction in splitter.extract(parts)] == ["pump.md"]
    assert splitter.split_documents([*units, Document("# A", metadata={"source": "a.md"})])[: len(units)] == units


def test_a_file_that_has_lost_its_marks_is_told_of_and_one_loaded_as_it_stands_is_not() -> None:
    flat = "Pump\n\nRead this first.\n\nStart\n\nTurn the key. If the lamp is red, go to Fuse.\n\nFuse\n\nReplace it."
    splitter = LogicUnitTextSplitter()
    with pytest.warns(UserWarning, match=r"pump\.md: .* without its marks.* as `TextLoader\("):
        [extraction] = splitter.extract([Document(flat, metadata={"source": "pump.md"})])
    assert "without its marks" in extraction.report.problems[0]
    as_text_loader_gives_it = Document(PUMP, metadata={"source": "pump.md"})
    [extraction] = splitter.extract([as_text_loader_gives_it])
    assert extraction.report.problems == ()
    assert leads(splitter.split_documents([as_text_loader_gives_it])) == EXPECTED


def test_an_ingest_takes_elements_in_as_one_document_and_its_report_says_so(make_store: Callable[..., Chroma]) -> None:
    elements = [
        Document(text, metadata={"source": "pump.md", "category": category, "element_id": text, **more})
        for text, category, more in (
            ("Pump", "Title", {"category_depth": 0}),
            ("Start", "Title", {"category_depth": 1}),
            ("If the lamp is red, go to Fuse.", "ListItem", {"link_texts": ["Fuse"], "link_urls": ["#fuse"]}),
            ("Fuse", "Title", {"category_depth": 1}),
            ("Replace it.", "NarrativeText", {}),
        )
    ]
    page = Document("<html><p>Wait.</p></html>", metadata={"source": "page.html"})
    with pytest.warns(UserWarning) as told:
        report = ThreadIngest(make_store([], DefaultEmbeddings())).run([*elements, page, page.model_copy()])
    assert [str(one.message).partition(",")[0] for one in told] == [
        "pump.md: a document came as elements",
        "page.html: looks like HTML but is read as Markdown",
    ]
    assert [len(one.problems) for one in report.reports] == [1, 1, 1]
    assert [one.document_id for one in report.reports] == ["pump.md", "page.html", "page.html#2"]
