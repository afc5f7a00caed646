import warnings
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding

from langchain_thread import DefaultEmbeddings, HeaderEmbeddings, LogicUnitTextSplitter, ThreadIngest, ThreadRetriever
from langchain_thread.convert import to_unit
from tests.langchain_thread.conftest import DISK
from tests.langchain_thread.histories import rows
from thread_core.errors import BadStore
from thread_core.ingest import Ledger
from thread_core.store.lexical import SqliteLexicalIndex

MakeStore = Callable[..., Chroma]
QUESTION = "The disk is full"
EDITED = DISK.replace("Remove old logs", "Remove the oldest logs")


@pytest.mark.parametrize("wrapped", [True, False], ids=["header embeddings", "bare embeddings"])
def test_rows_are_those_of_splitter_and_store(make: Any, guides: list[Document], wrapped: bool) -> None:
    guides[0].metadata |= {"tags": ["agent", "silence"], "doc_id": "KB-17", "major": 2}
    theirs = make(HeaderEmbeddings(DefaultEmbeddings()))
    theirs.add_documents(LogicUnitTextSplitter().split_documents(guides))
    ours = make(HeaderEmbeddings(DefaultEmbeddings()) if wrapped else DefaultEmbeddings())
    report = ThreadIngest(ours).run(guides)
    assert (report.added, report.embedded, report.failures) == (3, 3, ())
    assert rows(ours) == rows(theirs)


def test_tags_that_changed_are_written(make: Any, guides: list[Document]) -> None:
    store = make(DefaultEmbeddings())
    guides[1].metadata |= {"tags": ["disk"], "doc_id": "1"}
    ingest = ThreadIngest(store)
    ingest.run(guides)
    guides[1].metadata |= {"tags": ["disk", "log"]}
    del guides[1].metadata["doc_id"]
    report = ingest.run(guides[1:])
    assert (report.added, report.moved, report.removed) == (0, 1, 0)
    fresh = make(DefaultEmbeddings())
    ThreadIngest(fresh).run(guides)
    assert rows(store) == rows(fresh)
    assert not ingest.run(guides).changed
    assert not ThreadIngest(store).run(guides).changed
    [found] = [row.metadata for row in rows(store) if row.metadata["source"] == "disk.md"]
    assert (found["tags"], "doc_id" in found, "thread:changed" in found) == (["disk", "log"], False, False)


def test_metadata_that_no_store_takes_stops_no_document_and_is_named_once(make: Any, guides: list[Document]) -> None:
    lost = {"": 1, "$and": [2], "#": "x", "share": [0.5, float("nan")], "at": datetime(2026, 1, 2), "by": {"team": "x"}}
    nothing = {"rating": float("nan"), "reviewed": None, "owners": []}
    for guide in guides[:2]:
        guide.metadata |= {**lost, **nothing, "kept": 1, "tags": ["a"]}
    guides[0].metadata[7] = "seven"
    guides[1].metadata["source"] = "d\udcfcsk.md"  # as Python reads a file's name that is no UTF-8
    store = make(DefaultEmbeddings())
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        assert ThreadIngest(store).run(guides).added == 3
        assert not ThreadIngest(store).run(guides).changed
    (one,) = told
    assert str(one.message).startswith("the documents' metadata '', $and, #, share, at, by is left out, so filters")
    assert next(row.unit.metadata for row in rows(store)) == {"source": "agent.md", "team": "platform", "kept": 1}
    assert rows(store)[0].metadata["tags"] == ["a"]


def test_pages_of_a_file_may_come_in_batches(make: Any) -> None:
    store = make(DefaultEmbeddings())
    pages = [Document(f"# Pump {n}\n\n1. Open valve {n}.", metadata={"source": "a.pdf", "page": n}) for n in range(5)]
    ingest = ThreadIngest(store)
    reports = [ingest.run(some) for some in (pages[:2], pages[2:4], pages[4:], pages[1:3])]
    assert [(report.added, report.removed, report.unchanged) for report in reports] == [
        (2, 0, 0),
        (2, 0, 0),
        (1, 0, 0),
        (0, 0, 2),
    ]
    assert [row.metadata["page"] for row in rows(store)] == [*range(5)]


def test_what_a_document_is_not_given_for_stays(make: Any, guides: list[Document]) -> None:
    """A unit is written again, because another document says the same now, without its own document at hand."""
    store = make(DefaultEmbeddings())
    first, second = (Document(DISK, id=name, metadata={"tags": [name]}) for name in ("one.md", "two.md"))
    ThreadIngest(store, merge_similar=True).run([first])
    ThreadIngest(store, merge_similar=True).run([second])
    assert sorted(row.metadata["tags"][0] for row in rows(store)) == ["one.md", "two.md"]
    assert [len(row.unit.twins) for row in rows(store)] == [1, 1]


def test_a_retriever_that_is_open_sees_the_edit(make: Any, guides: list[Document]) -> None:
    store = make(HeaderEmbeddings(DefaultEmbeddings()))
    ingest, retriever = ThreadIngest(store), ThreadRetriever(vectorstore=store)
    ingest.run(guides)
    assert "Remove old logs" in retriever.invoke(QUESTION)[0].page_content
    ingest.run([Document(EDITED, metadata={"source": "disk.md"})])
    found = [document.page_content for document in retriever.invoke(QUESTION)]
    assert "Remove the oldest logs" in found[0]
    assert not any("Remove old logs" in text for text in found)


def test_ledger_and_words_are_the_cores(make: Any, guides: list[Document], tmp_path: Path) -> None:
    store, words = make(DefaultEmbeddings()), SqliteLexicalIndex(tmp_path / "words.sqlite3")
    ingest = ThreadIngest(store, ledger=Ledger(tmp_path / "ledger.sqlite3"), lexical_index=words)
    seen: list[int] = []
    ingest.run(guides, source="here", progress=lambda progress: seen.append(progress.documents))
    assert seen[-1] == 2
    assert [name.document_id for name in words.names()] == ["agent.md", "disk.md"]
    report = ingest.run(guides[:1], source="here", prune=True)
    assert (report.unchanged, report.pruned, report.removed) == (1, ("disk.md",), 1)
    assert {row.unit.document_id for row in rows(store)} == {"agent.md"}


def test_documents_are_taken_apart_as_the_splitter_is_set(make: Any) -> None:
    splitter = LogicUnitTextSplitter(merge_chains=500)
    store = make(DefaultEmbeddings())
    steps = [f"{number}. Turn wheel {number}. {'Wait. ' * 100}" for number in (1, 2)]
    chain = Document("\n\n".join(["# Wheels", *steps]), id="wheels.md")
    ThreadIngest(store, splitter=splitter).run([chain])
    assert [row.unit.body for row in rows(store)] == [to_unit(one).body for one in splitter.split_documents([chain])]
    assert len(rows(store)) < len(LogicUnitTextSplitter().split_documents([chain]))


def test_a_text_is_no_document(make: Any) -> None:
    with pytest.raises(TypeError, match="found a str, expected LangChain"):
        ThreadIngest(make(DefaultEmbeddings())).run(["# A"])  # type: ignore[list-item]


def test_a_unit_is_no_document(make: Any, guides: list[Document], units: list[Document]) -> None:
    report = ThreadIngest(make(DefaultEmbeddings())).run([units[0], guides[1]])
    assert [str(failure) for failure in report.failures] == [
        f"{units[0].id}: is a logic unit; pass the document that it was made from"
    ]
    assert report.added == 1


class TestIsRefused:
    @pytest.mark.parametrize("space", ["l2", "ip"])
    def test_a_collection_that_measures_no_cosines(self, space: str, make_store: MakeStore) -> None:
        with pytest.raises(BadStore, match=f"uses {space} distances, expected cosine"):
            ThreadIngest(make_store([], space=space))

    def test_another_embedding(self, make: Any, guides: list[Document]) -> None:
        store = make(DefaultEmbeddings())
        ThreadIngest(store).run(guides)
        before = rows(store)
        for other, reason in (
            (DeterministicFakeEmbedding(size=3), "256 dimensions, but this embedding has 3"),
            (DeterministicFakeEmbedding(size=256), "differ from those of this embedding"),
        ):
            with pytest.raises(BadStore, match=reason):
                ThreadIngest(store, embeddings=other).run([Document(EDITED, metadata={"source": "disk.md"})])
        assert rows(store) == before

    def test_a_store_without_an_embedding(self, client: Any, make_store: MakeStore, guides: list[Document]) -> None:
        name = make_store([])._collection.name
        with pytest.raises(ValueError, match="has no embedding; pass"):
            ThreadIngest(Chroma(client=client, collection_name=name))
        bare = Chroma(client=client, collection_name=name)
        assert ThreadIngest(bare, embeddings=DefaultEmbeddings()).run(guides).added == 3
