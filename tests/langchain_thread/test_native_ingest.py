"""LangChain's `index()` with our splitter ends where our ingest ends, whatever the documents went through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_chroma import Chroma
from langchain_core.indexing import index
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_thread import (
    CachedEmbeddings,
    DefaultEmbeddings,
    HeaderEmbeddings,
    LogicUnitTextSplitter,
    SqliteRecordManager,
    ThreadIngest,
    unit_key,
)
from tests.langchain_thread.histories import Folder, at_the_end, by_index, by_ingest, documents, rows

MakeStore = Callable[..., Chroma]
DISK = """\
# Disk full

1. List what is large with `du -sh /var/*`.
2. Remove old logs. If nothing is old, go to step 4.
3. Look again.
4. Extend the volume. If that fails, follow [Ask](ask.md).
"""
ASK = "# Ask\n\nAsk the storage team.\n"
BOTH = {"disk.md": DISK, "ask.md": ASK}


def edited(old: str, new: str) -> Folder:
    assert old in DISK
    return {**BOTH, "disk.md": DISK.replace(old, new)}


TWICE = {"disk.md": "# Disk full\n\n## Method 1\n\nRestart it.\n\n## Method 2\n\nWait.\n\n## Method 1\n\nRestart it.\n"}
HISTORIES: dict[str, list[Folder]] = {
    "a body is edited": [BOTH, edited("/var/*", "/opt/*")],
    "a header is edited": [BOTH, edited("# Disk full", "# The disk is full")],
    "lines are inserted above": [BOTH, edited("# Disk full\n", "# Disk full\n\nMind the gap.\n\n")],
    "a step goes": [BOTH, edited("3. Look again.\n4.", "3.")],
    "an edit is reverted": [BOTH, edited("old logs", "new logs"), BOTH],
    "lines move and come back": [BOTH, edited("# Disk full\n", "# Disk full\n\n\n\n"), BOTH],
    "another target, the same words": [BOTH, edited("(ask.md)", "(other.md)")],
    "nothing happens": [BOTH, BOTH],
    "one document alone is given": [BOTH, {"ask.md": ASK, "disk.md": DISK + "5. Rest.\n"}, BOTH],
    "a document goes and comes back": [BOTH, {"ask.md": ASK}, BOTH],
    "a document is emptied": [BOTH, {"disk.md": "", "ask.md": ASK}],
    "one text stands twice": [TWICE],
    "of two equal texts one goes": [TWICE, {"disk.md": TWICE["disk.md"].rsplit("\n## Method 1", 1)[0]}],
    "two documents say the same": [{"a.md": DISK, "b.md": DISK}, {"a.md": DISK + "5. Rest.\n", "b.md": DISK}],
    "two documents change names": [{"a.md": DISK, "b.md": ASK}, {"a.md": ASK, "b.md": DISK}],
}


@pytest.fixture
def records(tmp_path: Path) -> SqliteRecordManager:
    return SqliteRecordManager("guides", tmp_path / "records.sqlite3")


@pytest.mark.slow
@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES.keys())
def test_both_ways_end_at_the_same_rows(
    history: list[Folder], make_store: MakeStore, records: SqliteRecordManager
) -> None:
    native, ours = make_store([]), make_store([])
    by_index(history, native, records)
    by_ingest(history, ours)
    assert rows(native) == rows(ours)
    by_ingest([at_the_end(history)], fresh := make_store([]))
    assert rows(ours) == rows(fresh)


def in_memory() -> InMemoryVectorStore:
    return InMemoryVectorStore(HeaderEmbeddings(DefaultEmbeddings()))


LINES = st.sampled_from(
    [
        "# Title",
        "## Steps",
        "1. Look.",
        "2. Act. If it fails, go to step 1.",
        "",
        "Wait.",
        "See [b](b.md).",
        "```",
        "- x",
    ]
)
FOLDERS = st.dictionaries(st.sampled_from(["a.md", "b.md"]), st.lists(LINES, max_size=9).map("\n".join))


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(history=st.lists(FOLDERS, min_size=2, max_size=5))
def test_generated_histories_end_at_the_same_rows(history: list[Folder], tmp_path_factory: Any) -> None:
    records = SqliteRecordManager("guides", tmp_path_factory.mktemp("history") / "records.sqlite3")
    native, ours, fresh = in_memory(), in_memory(), in_memory()
    by_index(history, native, records)
    by_ingest(history, ours)
    by_ingest([at_the_end(history)], fresh)
    assert rows(native) == rows(ours) == rows(fresh)
    records.close()


def test_one_edited_body_of_many_costs_no_embedding(
    make_store: MakeStore, records: SqliteRecordManager, recording: Any, tmp_path: Path
) -> None:
    guides = {f"{number}.md": f"# Guide {number}\n\nDo it.\n\nThen wait.\n" for number in range(100)}
    edit = guides | {"7.md": guides["7.md"].replace("wait", "wait for long")}
    cached = CachedEmbeddings(recording, tmp_path / "vectors.sqlite3", name="recording")
    native, ours = make_store([], HeaderEmbeddings(cached)), make_store([], HeaderEmbeddings(cached))
    by_index([guides], native, records)
    assert len(recording.documents) == 100
    by_index([edit], native, records)
    by_ingest([guides], ours)
    report = by_ingest([edit], ours)[0]
    assert (report.added, report.removed, report.embedded) == (1, 1, 0)
    assert len(recording.documents) == 100
    assert rows(native) == rows(ours)
    cached.close()


def test_our_ingest_goes_on_where_index_left_off(
    make_store: MakeStore, records: SqliteRecordManager, recording: Any
) -> None:
    store, fresh = make_store([], HeaderEmbeddings(recording)), make_store([])
    by_index([BOTH], store, records)
    recording.documents.clear()
    by_ingest([BOTH], store)
    assert len(recording.documents) == 2  # stored headers again, to see whether the embedding fits
    by_ingest([BOTH], fresh)
    assert rows(store) == rows(fresh)
    assert sorted(store.get(include=[])["ids"]) == sorted(fresh.get(include=[])["ids"])


class TestIndexOtherwise:
    """What the documentation warns of."""

    def indexed(self, folder: Folder, records: SqliteRecordManager, store: Any, **options: Any) -> None:
        units = LogicUnitTextSplitter().split_documents(documents(folder))
        index(units, records, store, **{"source_id_key": "source", "key_encoder": unit_key, **options})

    def test_keeps_outdated_lines_under_a_key_of_the_content_alone(self, records: SqliteRecordManager) -> None:
        store, fresh, moved = in_memory(), in_memory(), edited("# Disk full\n", "# Disk full\n\n\n")
        for folder in (BOTH, moved):
            self.indexed(folder, records, store, cleanup="scoped_full", key_encoder=lambda unit: str(unit.id))
        by_ingest([moved], fresh)
        assert [row.unit.body for row in rows(store)] == [row.unit.body for row in rows(fresh)]
        assert [row.unit.start for row in rows(store)] != [row.unit.start for row in rows(fresh)]

    def test_keeps_a_document_that_is_gone(self, records: SqliteRecordManager) -> None:
        store = in_memory()
        self.indexed(BOTH, records, store, cleanup="scoped_full")
        self.indexed({"ask.md": ASK}, records, store, cleanup="scoped_full")
        assert {row.unit.document_id for row in rows(store)} == {"ask.md", "disk.md"}
        assert ThreadIngest(store).remove(["disk.md"]).removed > 0
        assert {row.unit.document_id for row in rows(store)} == {"ask.md"}
