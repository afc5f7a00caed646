"""Folders that fsspec reaches, read without a cluster by an ingest of this process."""

import pytest

from thread_core import default_embedding
from thread_core.errors import NothingFound
from thread_core.ingest import ThreadIngest
from thread_core.testing.store import MemoryStore

fsspec = pytest.importorskip("fsspec", reason="thread-rag[ray] is not installed")
reading = pytest.importorskip("thread_ray.reading")


def test_files_are_documents_by_their_paths_and_one_that_cannot_be_read_fails_alone() -> None:
    storage = fsspec.filesystem("memory")
    for name, data in {
        "lamp.md": b"# Lamp\n\n1. Reset it.\n",
        "deep/fan.MD": b"# Fan\n\n1. Reset it.\n",
        "deep/picture.png": b"\x89PNG",
        ".git/notes.md": b"# Notes\n",
        "deep/latin.md": "# Gerät\n".encode("latin-1"),
    }.items():
        storage.pipe(f"/guides/{name}", data)
    store = MemoryStore()
    report = ThreadIngest(store, default_embedding()).run(reading.files("memory://guides"), source="memory://guides")
    assert {one.document_id for one in report.reports} == {"lamp.md", "deep/fan.MD"}
    assert [(one.document_id, one.reason) for one in report.failures] == [
        ("deep/latin.md", "is not UTF-8 text (byte 5); save it as UTF-8")
    ]
    assert len(store.ids()) == 2


def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(NothingFound, match="memory://nothing is not a folder"):
        reading.files("memory://nothing")
