from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from thread_core.errors import BadCache
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Ask, Keep, Kept, Role
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.plan import Plan
from thread_core.ports import Message, ReplyCache
from thread_core.testing.model import ScriptedModel


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.sqlite3"


def test_a_reply_is_there_for_whoever_opens_the_file(path: Path) -> None:
    cache: ReplyCache = SqliteReplyCache(path)
    assert cache.get("a") is None
    cache.put("a", "first ü\x00\n")
    cache.put("a", "second ü\x00\n")
    assert cache.get("a") == "second ü\x00\n"
    other = SqliteReplyCache(path)
    assert (other.get("a"), other.get("b")) == ("second ü\x00\n", None)
    other.close()


def test_it_serves_a_model_s_access(path: Path) -> None:
    ask = Ask(Role.EXTRACTOR, (Message("user", "Look."),))

    def asking(request: Keep | Kept) -> Plan[str | None]:
        return (yield request)

    ModelAccess(ScriptedModel(), cache=SqliteReplyCache(path)).run(asking(Keep(ask, "yes")))
    access = ModelAccess(ScriptedModel(), cache=SqliteReplyCache(path))
    assert access.run(asking(Kept(ask, lambda text: True))) == "yes"


def test_threads_share_it(path: Path) -> None:
    cache = SqliteReplyCache(path)

    def work(number: int) -> str | None:
        cache.put(f"{number}", f"reply {number}")
        cache.put("same", f"reply {number}")
        return cache.get(f"{number}")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(100))) == [f"reply {number}" for number in range(100)]


WRITER = """
import sys
from thread_core.llm.reply_cache import SqliteReplyCache
path, name = sys.argv[1:]
cache = SqliteReplyCache(path)
for number in range(50):
    cache.put(f"{name} {number}", name)
    cache.put("same", name)
"""


@pytest.mark.slow
def test_processes_share_it_from_the_first_moment_on(path: Path) -> None:
    names = ["a", "b", "c"]
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], stderr=subprocess.PIPE, text=True)
        for name in names
    ]
    assert [process.communicate()[1] for process in running] == [""] * 3
    cache = SqliteReplyCache(path)
    assert all(cache.get(f"{name} {number}") == name for name in names for number in range(50))
    assert cache.get("same") in names


def test_what_is_put_is_there_after_the_process_was_killed(path: Path) -> None:
    killed = (
        "import os, sys, signal\n" + WRITER.replace("range(50)", "range(2)") + "os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", killed, str(path), "a"], check=False).returncode == -9
    assert SqliteReplyCache(path).get("a 1") == "a"


def test_damage_behind_the_beginning_is_found_when_it_is_read(path: Path) -> None:
    cache = SqliteReplyCache(path)
    for number in range(500):
        cache.put(f"{number}", "reply " * 100)
    cache.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(BadCache, match="delete it: the store stays"):
        SqliteReplyCache(path).get("1")


def test_a_file_whose_table_is_gone_is_named(path: Path) -> None:
    SqliteReplyCache(path).close()
    with sqlite3.connect(path) as database:
        database.execute("ALTER TABLE replies RENAME TO others")
    database.close()
    with pytest.raises(BadCache, match="no such table"):
        SqliteReplyCache(path).get("1")


def test_a_file_that_another_process_holds_is_waited_for_and_then_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SqliteReplyCache(path).close()
    monkeypatch.setattr("thread_core.store.sqlite_file.PATIENCE", 0.0)
    cache = SqliteReplyCache(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(BadCache, match="another process is writing to it"):
        cache.put("a", "b")
    assert cache.get("a") is None, "reading goes on"
    other.execute("ROLLBACK")
    other.close()
    cache.put("a", "b")
    assert cache.get("a") == "b"
