"""The file of a ledger, and who may use the store."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.thread_core.ingest.given import Place, fresh, guide
from thread_core import Document
from thread_core.errors import BadLedger, StoreBusy
from thread_core.ingest import Ledger, ThreadIngest

GUIDES = [guide(number) for number in range(1, 4)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.sqlite3"


def test_what_is_remembered_outlives_the_process(path: Path) -> None:
    place = Place(Ledger(path))
    place.run(*GUIDES, source="pumps")
    place.ledger.close()
    place.ledger = Ledger(path)
    assert place.run(*GUIDES[1:], source="pumps", prune=True).pruned == ("pump-1.md",)
    assert place.everything() == fresh(*GUIDES[1:], source="pumps").everything()


def test_it_holds_no_texts(path: Path) -> None:
    place = Place(Ledger(path))
    place.run(*GUIDES, source="pumps")
    place.ledger.close()
    assert b"wheel" not in b"".join(file.read_bytes() for file in path.parent.iterdir())


def test_without_words_the_names_of_documents_are_kept_beside_it(path: Path) -> None:
    store, embedder = Place().store, Place().embedder
    ThreadIngest(store, embedder, ledger=Ledger(path)).run(GUIDES)
    assert {file.name for file in path.parent.iterdir()} >= {"ledger.sqlite3", "ledger.sqlite3.names"}
    store.calls.clear()
    linking = guide(9, links=["pump-2.md"])
    assert ThreadIngest(store, embedder, ledger=Ledger(path)).run([linking]).broken == ()
    assert "all ids" not in store.calls


@pytest.mark.parametrize("damage", [b"broken" * 1000, None])
def test_a_damaged_file_is_one_clear_error_and_deleting_it_is_a_remedy(path: Path, damage: bytes | None) -> None:
    place = Place(Ledger(path))
    place.run(*GUIDES)
    place.ledger.close()
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(damage or data)
    with pytest.raises(BadLedger) as caught:
        place.ledger = Ledger(path)
        place.run(*GUIDES)
    assert f"the ledger {path} cannot be used" in str(caught.value)
    assert "delete it: only the memory of what is unchanged" in str(caught.value)
    place.ledger.close()
    path.unlink()
    place.ledger = Ledger(path)
    report = place.run(*GUIDES)
    assert (report.changed, len(report.reports)) == (False, 3)


@pytest.mark.parametrize(("schema", "whose"), [(0, "an older"), (99, "a newer")])
def test_one_of_another_form_is_refused_and_left_as_it_is(path: Path, schema: int, whose: str) -> None:
    Ledger(path).close()
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {schema}")
        database.execute("DROP TABLE links")
    database.close()
    before = path.read_bytes()
    told = f"the ledger {path} cannot be used: {whose} release wrote format {schema} of it, but this one reads 2;"
    with pytest.raises(BadLedger, match=re.escape(told)):
        Ledger(path)
    assert path.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="nothing is read-only for this user")
def test_a_file_that_can_only_be_read_is_named(path: Path) -> None:
    Ledger(path).close()
    path.chmod(0o400)
    with pytest.raises(BadLedger, match="give this user write access"):
        Place(Ledger(path)).run(*GUIDES)


class TestAlone:
    """One ingest at a time."""

    @pytest.mark.parametrize("in_file", [False, True])
    def test_the_second_says_who_the_first_is(self, path: Path, in_file: bool) -> None:
        place = Place(Ledger(path) if in_file else None)

        def meanwhile() -> Iterator[Document]:
            yield GUIDES[0]
            other = Ledger(path) if in_file else Ledger()
            with pytest.raises(
                StoreBusy, match=rf"another ingest is writing to this store \(process {os.getpid()} on "
            ):
                ThreadIngest(place.store, place.embedder, ledger=other).run(GUIDES)
            yield GUIDES[1]

        assert place.ingest().run(meanwhile()).added == 6
        assert place.run(*GUIDES).added == 3, "it is free again"

    @pytest.mark.parametrize("in_file", [False, True])
    def test_one_that_has_patience_waits(self, path: Path, in_file: bool) -> None:
        place = Place(Ledger(path) if in_file else None)
        other = Place(Ledger(path) if in_file else None)
        other.store = place.store
        reports: list[Any] = []
        waiting = threading.Thread(target=lambda: reports.append(other.ingest(patience=30).run(GUIDES)))

        def meanwhile() -> Iterator[Document]:
            waiting.start()
            yield from GUIDES

        assert place.ingest().run(meanwhile()).added == 9
        waiting.join()
        assert not reports[0].changed

    @pytest.mark.slow
    def test_two_processes(self, path: Path) -> None:
        """A process that was killed holds nothing, and one that lives is named."""
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert holder.stdout is not None
        assert holder.stdout.readline() == "at work\n"
        place = Place(Ledger(path))
        with pytest.raises(StoreBusy, match=f"process {holder.pid} on .*, since 20"):
            place.run(*GUIDES)
        said = json.loads((path.parent / "ledger.sqlite3.lock").read_text())
        assert said["process"] == holder.pid
        holder.kill()
        holder.communicate()
        assert place.run(*GUIDES).added == 9


HOLDING = """
import sys
from thread_core import Document, default_embedding
from thread_core.ingest import Ledger, ThreadIngest
from thread_core.testing.store import MemoryStore

def read():
    print("at work", flush=True)
    sys.stdin.read()
    yield Document("a.md", "# A")

ThreadIngest(MemoryStore(), default_embedding(), ledger=Ledger(sys.argv[1])).run(read())
"""
