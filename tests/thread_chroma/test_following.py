"""A directory is read for long, and searched as other processes leave it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from thread_chroma import follow_store
from thread_chroma.opening import writing_store
from thread_core import default_embedding
from thread_core.errors import BadStore, StoreBusy
from thread_core.store.locking import holding
from thread_core.testing.store_suite import a_unit

LAMP = "# Change the bulb\n\n1. Unscrew the bulb.\n"
ASKED = ("Paint the fence", "Oil the hinge", "Change the bulb")
DOOR = "# Oil the hinge\n\n1. Lift the door off its hinge.\n"


def ingest(folder: Path, store: Path, **documents: str) -> None:
    """In a process of its own."""
    folder.mkdir(exist_ok=True)
    for name, text in documents.items():
        (folder / f"{name}.md").write_text(text)
    command = [sys.executable, "-m", "thread_rag", "ingest", str(folder), "--store", str(store), "--wait", "60"]
    subprocess.run(command, check=True, capture_output=True)


@pytest.mark.slow
def test_a_search_finds_what_another_process_has_ingested(tmp_path: Path) -> None:
    folder, directory = tmp_path / "guides", tmp_path / "store"
    lock = directory / "ledger.sqlite3.lock"
    ingest(folder, directory, lamp=LAMP)
    followed = follow_store(directory, lock)
    hinge = default_embedding().embed_query("Oil the hinge")
    assert [hit.document_id for hit in followed.search(hinge, 3)] == ["lamp.md"]

    ingest(folder, directory, door=DOOR, lamp=LAMP.replace("Unscrew", "Turn out"))
    with holding(lock, 0):  # as if it were writing still: the index is as it was, rows are as they are
        assert {hit.document_id for hit in followed.search(hinge, 3)} <= {"lamp.md"}
        assert followed.search(hinge, 3, {"lu_document": "door.md"}) == []
        assert [*followed.documents(["door.md"])] == ["door.md"]
        with pytest.raises(StoreBusy, match="an ingest is writing"):
            follow_store(directory, lock)
    assert [hit.document_id for hit in followed.search(hinge, 1)] == ["door.md"]
    assert [hit.document_id for hit in followed.search(hinge, 3, {"lu_document": "lamp.md"})] == ["lamp.md"]
    with pytest.raises(BadStore, match="read-only"):
        followed.write(gone=followed.ids())


@pytest.mark.slow
def test_who_follows_may_write_once_and_goes_on_following(tmp_path: Path) -> None:
    folder, directory = tmp_path / "guides", tmp_path / "store"
    ingest(folder, directory, lamp=LAMP)
    followed = follow_store(directory, directory / "ledger.sqlite3.lock")
    embedding = default_embedding()
    unit = a_unit("Paint the fence")
    with holding(directory / "ledger.sqlite3.lock", 0), writing_store(directory) as written:
        written.write([unit], embedding.embed([unit.header]))
    assert len(followed.ids()) == 2
    ingest(folder, directory, door=DOOR)
    found = [[hit.document_id for hit in followed.search(embedding.embed_query(asked), 1)] for asked in ASKED]
    assert found == [["guides/disk full.md"], ["door.md"], ["lamp.md"]]


@pytest.mark.slow
def test_readers_outlive_an_ingest_that_writes_all_the_time(tmp_path: Path) -> None:
    """The index is saved after every 1,000 rows; to read it at such a moment ends a process."""
    folder, directory = tmp_path / "guides", tmp_path / "store"
    ingest(folder, directory, lamp=LAMP)
    steps = "\n\n".join(f"## Part {part}\n\n1. Do the thing {part} with care.\n" for part in range(100))
    for nth in range(40):
        (folder / f"many{nth}.md").write_text(f"# Many things, {nth}\n\n{steps}")
    command = [sys.executable, "-m", "thread_rag", "ingest", str(folder), "--store", str(directory), "--wait", "60"]
    followed = follow_store(directory, directory / "ledger.sqlite3.lock")
    lamp = default_embedding().embed_query("Change the bulb")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as writing:
        while writing.poll() is None:
            assert followed.search(lamp, 5) and followed.documents(["lamp.md"])
            time.sleep(0.01)
    assert writing.returncode == 0
    assert len(followed.ids()) > 4000
    many = default_embedding().embed_query("Many things, 39: Part 99")
    assert followed.search(many, 5)[0].document_id.startswith("many")


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="holds no store; run `thread-rag ingest"):
        follow_store(tmp_path, tmp_path / "lock")
    assert [*tmp_path.iterdir()] == []
