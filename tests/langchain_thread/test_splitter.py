import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter, TextSplitter
from pydantic import BaseModel, ConfigDict

from langchain_thread import LogicUnitTextSplitter, ThreadRetriever
from langchain_thread.convert import to_unit
from thread_core import Document as SourceDocument
from thread_core import RuleExtractor, layout
from thread_core.errors import BadStore

RECURSIVE_OPTIONS: list[dict[str, Any]] = [
    {},
    {"chunk_size": 1000, "chunk_overlap": 20},
    {"length_function": lambda text: len(text.split()), "keep_separator": "end", "strip_whitespace": False},
    {"separators": ["\n\n", "\n"], "is_separator_regex": True, "add_start_index": True},
]


def test_a_page_becomes_the_cores_units_rendered(guides: list[Document], units: list[Document]) -> None:
    sources = [SourceDocument(guide.metadata["source"], guide.page_content) for guide in guides]
    extracted = [unit for source in sources for unit in RuleExtractor().extract(source).units]
    assert [unit.page_content for unit in units] == [layout.row_text(unit) for unit in extracted]
    assert [unit.id for unit in units] == [unit.id for unit in extracted]
    assert [type(unit) for unit in units] == [Document] * len(extracted)


async def test_all_ways_in_give_the_same_units(guides: list[Document], units: list[Document]) -> None:
    splitter = LogicUnitTextSplitter()
    texts, metadatas = [guide.page_content for guide in guides], [guide.metadata for guide in guides]
    assert splitter.transform_documents(guides) == await splitter.atransform_documents(guides) == units
    assert splitter.create_documents(texts, metadatas) == units
    named = splitter.create_documents(texts)
    assert [part for text in texts for part in splitter.split_text(text)] == [unit.page_content for unit in named]
    assert [to_unit(part).spans[0].start for part in named] == [to_unit(part).spans[0].start for part in units]


@pytest.mark.parametrize("options", RECURSIVE_OPTIONS)
def test_it_takes_what_the_recursive_splitter_takes(options: dict[str, Any], guides: list[Document]) -> None:
    RecursiveCharacterTextSplitter(**options)
    units = LogicUnitTextSplitter(**options).split_documents(guides)
    assert [unit.id for unit in units] == [unit.id for unit in LogicUnitTextSplitter().split_documents(guides)]


def test_a_chunk_size_bounds_a_unit_as_the_length_function_counts(caplog: pytest.LogCaptureFixture) -> None:
    wheels = [Document("\n".join(f"Oil wheel {number}." for number in range(200)), metadata={"source": "a.md"})]

    def bodies(**options: Any) -> list[str]:
        return [to_unit(unit).body for unit in LogicUnitTextSplitter(**options).split_documents(wheels)]

    assert max(map(len, bodies(chunk_size=100))) <= 100
    by_words = bodies(chunk_size=30, length_function=lambda text: len(text.split()))
    assert max(len(body.split()) for body in by_words) == 30
    assert len(bodies()) < len(bodies(chunk_size=1000))
    with pytest.raises(ValueError, match="chunk_size must be > 0"):
        LogicUnitTextSplitter(chunk_size=0)
    assert caplog.messages == []
    LogicUnitTextSplitter(chunk_size=100, chunk_overlap=20)
    LogicUnitTextSplitter(chunk_size=100).split_documents([Document("Oil. " * 50, metadata={"source": "b.md"})])
    assert caplog.messages == [
        "chunk_overlap=20 has no effect: logic units do not overlap",
        "b.md:1: a line is longer than chunk_size=100 and was not split",
    ]


def test_it_fits_where_a_text_splitter_is_asked_for() -> None:
    class Pipeline(BaseModel):
        model_config = ConfigDict(arbitrary_types_allowed=True)
        splitter: TextSplitter

    assert isinstance(Pipeline(splitter=LogicUnitTextSplitter()).splitter, LogicUnitTextSplitter)


def test_documents_may_come_one_by_one(guides: list[Document], units: list[Document]) -> None:
    def load() -> Iterator[Document]:
        yield from guides

    assert LogicUnitTextSplitter().split_documents(load()) == units


@pytest.mark.parametrize("documents", [[], [Document("")], [Document(" \n\n")]])
def test_nothing_becomes_nothing(documents: list[Document]) -> None:
    assert LogicUnitTextSplitter().split_documents(documents) == []


def test_each_unit_has_a_copy_of_its_documents_metadata_and_nothing_is_changed() -> None:
    guide = Document("# Agent\n\n## One\n\nRun `a`.\n\n## Two\n\nRun `b`.", metadata={"source": "a.md", "tags": ["x"]})
    before = copy.deepcopy(guide)
    first, second = LogicUnitTextSplitter().split_documents([guide])
    first.metadata["tags"].append("y")
    assert second.metadata["tags"] == ["x"]
    assert guide == before


def test_a_unit_is_not_split_again(units: list[Document]) -> None:
    assert LogicUnitTextSplitter().split_documents(units) == units


@pytest.mark.parametrize("start", ["", "\ufeff"], ids=["plain", "byte-order mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_start_index_is_where_the_body_begins_even_where_bodies_repeat(start: str, end: str) -> None:
    text = start + end.join(["# Agent", "", "## One", "", "Restart it.", "", "## Two", "", "Restart it."])
    one, two = LogicUnitTextSplitter(add_start_index=True).create_documents([text])
    assert one.metadata["start_index"] == text.find("Restart")
    assert two.metadata["start_index"] == text.rfind("Restart")


def test_extract_gives_the_report_too(guides: list[Document], units: list[Document]) -> None:
    extractions = LogicUnitTextSplitter().extract(guides)
    assert [extraction.report.coverage for extraction in extractions] == [1.0, 1.0]
    assert [unit.id for extraction in extractions for unit in extraction.units] == [unit.id for unit in units]


@pytest.mark.parametrize(("given", "found"), [(["# A"], "str"), ("# A", "str"), (Document("# A"), "tuple")])
async def test_what_is_no_document_is_refused_with_what_to_do(given: Any, found: str) -> None:
    told = f"found a {found}, expected LangChain"
    with pytest.raises(TypeError, match=told):
        LogicUnitTextSplitter().split_documents(given)
    with pytest.raises(TypeError, match=told):
        await LogicUnitTextSplitter().aextract(given)


def test_another_splitter_behind_it_is_noticed_at_the_first_question(
    units: list[Document], make_store: Callable[[list[Document]], Any]
) -> None:
    chunks = RecursiveCharacterTextSplitter(chunk_size=100, chunk_overlap=0).split_documents(units)
    with pytest.raises(BadStore, match="is not the complete text of its logic unit; units must not be split"):
        ThreadRetriever(vectorstore=make_store(chunks)).invoke("The disk is full")
