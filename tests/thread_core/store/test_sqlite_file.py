"""What holds for every file of ours: neither another program's nor a newer release's is written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from thread_core.errors import BadCache, BadIndex, BadLedger, ThreadError
from thread_core.ingest import Ledger
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.store import sqlite_file
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.vector_cache import SqliteVectorCache

Kind = tuple[Callable[[Path], object], type[ThreadError]]


@pytest.fixture(
    params=[
        (SqliteLexicalIndex, BadIndex),
        (SqliteVectorCache, BadCache),
        (SqliteReplyCache, BadCache),
        (Ledger, BadLedger),
    ],
    ids=["words", "vectors", "replies", "ledger"],
)
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


@pytest.mark.parametrize("data", [b"# Notes\n" * 100, b"SQLite format 3\0" + b"x" * 4000, None])
def test_a_file_of_something_else_is_left_alone(kind: Kind, data: bytes | None, tmp_path: Path) -> None:
    opened, error = kind
    path = tmp_path / "notes.md"
    if data is None:
        with closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE units (header TEXT)")
    else:
        path.write_bytes(data)
    before = path.read_bytes()
    why = "is another program's database" if data is None else r"cannot be used \(file is not a database\)"
    with pytest.raises(error, match=rf"notes\.md {why}; choose another file"):
        opened(path)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_release_is_left_as_it_is(kind: Kind, tmp_path: Path) -> None:
    opened, error = kind
    path = tmp_path / "ours.sqlite3"
    opened(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(error, match="a newer release wrote format 99 of it"):
        opened(path)
    assert path.read_bytes() == before


def test_a_folder_that_is_missing_is_named(kind: Kind, tmp_path: Path) -> None:
    opened, error = kind
    for path in (tmp_path, tmp_path / "missing" / "words.sqlite3"):
        with pytest.raises(error, match="choose a file in an existing folder"):
            opened(path)


def test_a_file_that_another_process_locks_is_waited_for_and_then_named(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, error = kind
    monkeypatch.setattr(sqlite_file, "PATIENCE", 0.05)
    path = tmp_path / "ours.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(error, match="another process is writing to it"):
            opened(path)
        other.execute("ROLLBACK")
    opened(path)
