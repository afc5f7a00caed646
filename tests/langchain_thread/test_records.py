"""The contract of LangChain's record managers; and what a run that was cut short has begun, the next one ends."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.indexing import RecordManager, index
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_thread import SqliteRecordManager
from tests.programs import Programs
from thread_core.errors import BadLedger


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records.sqlite3"


@pytest.fixture
def records(path: Path) -> Iterator[SqliteRecordManager]:
    manager = SqliteRecordManager("guides", path)
    yield manager
    manager.close()


class TestTheContract:
    def test_what_was_noted_exists(self, records: SqliteRecordManager) -> None:
        records.create_schema()
        assert records.list_keys() == []
        records.update(["a", "b"])
        assert records.list_keys() == ["a", "b"]
        assert records.exists(["b", "c", "a"]) == [True, False, True]
        assert records.exists([]) == records.list_keys(limit=1)[1:] == []

    def test_noting_again_is_the_same_record_with_a_new_time(self, records: SqliteRecordManager) -> None:
        records.update(["a", "b"], group_ids=["x", "x"])
        now = records.get_time()
        records.update(["a"], group_ids=["y"])
        assert sorted(records.list_keys()) == ["a", "b"]
        assert records.list_keys(after=now) == ["a"]
        assert records.list_keys(group_ids=["y"]) == ["a"]

    def test_keys_are_listed_by_time_group_and_number(self, records: SqliteRecordManager) -> None:
        records.update(["a", "b"], group_ids=["x", None])
        now = records.get_time()
        records.update(["c", "d"], group_ids=["x", "y"])
        assert records.list_keys(group_ids=["x", "nobody"]) == ["a", "c"]
        assert records.list_keys(after=now, group_ids=["x"]) == ["c"]
        assert records.list_keys(limit=3) == ["a", "b", "c"]
        assert records.list_keys(before=now) == ["a", "b"]
        assert records.list_keys(before=now, group_ids=["x"], limit=7) == ["a"]

    def test_a_refresh_without_groups_keeps_them(self, records: SqliteRecordManager) -> None:
        records.update(["a"], group_ids=["x"])
        records.update(["a"])
        assert records.list_keys(group_ids=["x"]) == ["a"]

    def test_deleted_keys_are_gone(self, records: SqliteRecordManager) -> None:
        records.update(["a", "b", "c"])
        records.delete_keys(["a", "c", "nobody"])
        assert records.list_keys() == ["b"]
        records.delete_keys([])
        assert records.exists(["a", "b"]) == [False, True]

    def test_namespaces_know_nothing_of_each_other(self, records: SqliteRecordManager, path: Path) -> None:
        other = SqliteRecordManager("others", path)
        records.update(["a"], group_ids=["x"])
        other.update(["a"])
        other.delete_keys(["a"])
        assert (records.list_keys(), other.list_keys(), other.exists(["a"])) == (["a"], [], [False])
        other.close()

    def test_wrong_arguments_are_refused_and_nothing_is_noted(self, records: SqliteRecordManager) -> None:
        with pytest.raises(ValueError, match="2 keys and 1 groups"):
            records.update(["a", "b"], group_ids=["x"])
        with pytest.raises(ValueError, match=r"not .* yet"):
            records.update(["a"], time_at_least=records.get_time() + 60)
        assert records.list_keys() == []

    def test_time_is_the_databases_and_never_stands_still(self, records: SqliteRecordManager, path: Path) -> None:
        times = [records.get_time() for _ in range(20)]
        assert times == sorted(set(times))
        assert abs(times[-1] - time.time()) < 5
        database = sqlite3.connect(path, isolation_level=None)
        database.execute("UPDATE clock SET time = time + 3600")  # the computer's clock was put back an hour
        database.close()
        assert records.get_time() > times[-1] + 3600
        records.update(["a"], time_at_least=records.get_time())

    async def test_the_async_methods_do_the_same(self, records: SqliteRecordManager) -> None:
        await records.acreate_schema()
        before = await records.aget_time()
        await records.aupdate(["a", "b"], group_ids=["x", "y"], time_at_least=before)
        assert await records.aexists(["a", "c"]) == [True, False]
        assert await records.alist_keys(group_ids=["y"], after=before, limit=1) == ["b"]
        await records.adelete_keys(["b"])
        assert await records.alist_keys() == ["a"]


def test_records_outlive_the_process(records: SqliteRecordManager, path: Path) -> None:
    records.update(["a"])
    records.close()
    again = SqliteRecordManager("guides", path)
    assert again.exists(["a"]) == [True]
    again.close()


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    text, other = tmp_path / "notes.txt", tmp_path / "other.sqlite3"
    text.write_text("no database at all, and some more of it " * 99)
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE mine (x)")
    database.close()
    for path, reason in (
        (text, "cannot be used"),
        (other, "another program's database"),
        (tmp_path / "no" / "x", "cannot be used"),
    ):
        with pytest.raises(BadLedger, match=reason):
            SqliteRecordManager("guides", path)


def note_many(path: str, name: str) -> None:
    manager = SqliteRecordManager("guides", path)
    for number in range(20):
        start = manager.get_time()
        manager.exists([f"{name}{number}"])
        manager.update([f"{name}{number}"], group_ids=[name], time_at_least=start)
    manager.close()


@pytest.mark.slow
def test_processes_share_a_file(path: Path, programs: Programs) -> None:
    program = f"import sys; from {__name__} import note_many; note_many(*sys.argv[1:])"
    with ThreadPoolExecutor() as pool:
        ended = list(pool.map(lambda name: programs.run("-c", program, str(path), name), "ab"))
    assert [(one.returncode, one.stderr) for one in ended] == [(0, "")] * 2
    manager = SqliteRecordManager("guides", path)
    assert len(manager.list_keys()) == 40
    assert manager.list_keys(group_ids=["b"]) == [f"b{number}" for number in range(20)]
    manager.close()


class Killed(BaseException):
    """What ends a process does not let it tidy up."""


class Fragile(InMemoryVectorStore):
    """A store whose process can be killed after it added or deleted."""

    killed_after = ""

    def add_documents(self, *given: Any, **options: Any) -> list[str]:
        added = super().add_documents(*given, **options)
        self._maybe_killed("add")
        return added

    def delete(self, *given: Any, **options: Any) -> None:
        super().delete(*given, **options)
        self._maybe_killed("delete")

    def _maybe_killed(self, at: str) -> None:
        if self.killed_after == at:
            self.killed_after = ""
            raise Killed


def contents(store: InMemoryVectorStore) -> list[str]:
    return sorted(row["text"] for row in store.store.values())


class TestIndexThatIsCutShort:
    """`index()` writes to two places, and may be killed between them."""

    @pytest.fixture
    def store(self) -> Fragile:
        return Fragile(DeterministicFakeEmbedding(size=4))

    def index(self, texts: str, records: RecordManager, store: Fragile, source: str = "a.md") -> None:
        documents = [Document(text, metadata={"source": source}) for text in texts.split()]
        index(documents, records, store, cleanup="scoped_full", source_id_key="source", key_encoder="sha256")

    def killed(self, at: str, texts: str, records: RecordManager, store: Fragile) -> None:
        store.killed_after = at
        with pytest.raises(Killed):
            self.index(texts, records, store)

    def test_and_another_edit_leave_no_orphan(self, records: SqliteRecordManager, store: Fragile) -> None:
        self.index("one two", records, store)
        self.killed("add", "one three", records, store)
        self.index("one four", records, store)
        assert contents(store) == ["four", "one"]

    def test_and_a_revert_leave_no_gap(self, records: SqliteRecordManager, store: Fragile) -> None:
        self.index("one two", records, store)
        self.killed("delete", "one three", records, store)
        self.index("one two", records, store)
        assert contents(store) == ["one", "two"]

    def test_is_finished_by_the_same_again(self, records: SqliteRecordManager, store: Fragile) -> None:
        for at in ("add", "delete"):
            self.index("one two", records, store)
            self.killed(at, "one three", records, store)
            self.index("one three", records, store)
            assert contents(store) == ["one", "three"]
            assert len(records.list_keys()) == 2

    def test_is_undone_by_a_run_over_another_source(self, records: SqliteRecordManager, store: Fragile) -> None:
        self.index("one two", records, store)
        self.killed("add", "one three", records, store)
        self.index("else", records, store, source="b.md")
        assert contents(store) == ["else", "one", "two"]
        self.index("one three", records, store)
        assert contents(store) == ["else", "one", "three"]

    def test_one_run_does_not_note_what_another_has_deleted(
        self, records: SqliteRecordManager, store: Fragile, path: Path
    ) -> None:
        records.exists(["a"])  # and adds it to the store
        other = SqliteRecordManager("guides", path)
        outdated = other.list_keys(before=other.get_time(), group_ids=["else"])
        assert outdated == ["a"]
        other.delete_keys(outdated)
        with pytest.raises(BadLedger, match="1 rows that this one was writing; index again"):
            records.update(["a"])
        assert (records.exists(["a"]), records.list_keys()) == ([False], [])
        records.update(["a"])
        assert records.exists(["a"]) == [True]
        other.close()
