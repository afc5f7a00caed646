"""Who reads a directory keeps out of the way of an ingest that writes it."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.programs import Programs
from thread_core.store.locking import holding
from thread_rag import place
from thread_rag.cli import app

QUESTION = "The disk of a node is full"
READERS = [("ask", QUESTION), ("show",), ("show", "disk.md"), ("export", "-")]


def arguments(store: Path, reader: tuple[str, ...]) -> list[str]:
    return [*reader, "--store", str(store)]


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_waits_and_says_for_what(
    guides: Path, store: Path, reader: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert CliRunner().invoke(app, ["ingest", str(guides), "--store", str(store)]).exit_code == 0
    lock = store / "ledger.sqlite3.lock"
    ended = threading.Event()

    def ingest() -> None:
        with holding(lock, 10):
            begun.set()
            ended.wait(10)

    begun, ingesting = threading.Event(), threading.Thread(target=ingest)
    ingesting.start()
    try:
        assert begun.wait(10)
        monkeypatch.setattr(place.Place.units, "__defaults__", (0.1,))
        result = CliRunner().invoke(app, arguments(store, reader), input="quit\n")
        assert result.exit_code == 1
        waits, error = result.stderr.splitlines()
        assert waits.startswith("waiting up to 0.1 s: an ingest is writing")
        assert error.startswith("error: an ingest is writing") and "Chroma server" in error
        monkeypatch.setattr(place.Place.units, "__defaults__", (30.0,))
        threading.Timer(0.5, ended.set).start()
        assert CliRunner().invoke(app, arguments(store, reader), input="quit\n").exit_code == 0
    finally:
        ended.set()
        ingesting.join()


@pytest.mark.slow
def test_readers_end_well_beside_an_ingest_and_leave_the_store_whole(
    tmp_path: Path, store: Path, programs: Programs
) -> None:
    """Chroma reads and mends its index at the first read of a process: beside a writer, both lost it."""
    folder = tmp_path / "many"
    folder.mkdir()
    command = [sys.executable, "-m", "thread_rag"]
    ingest = [*command, "ingest", str(folder), "--store", str(store), "--wait", "60"]
    for verb in ("Sweep", "Mop", "Dust"):
        parts = "\n\n".join(f"## Part {part}\n\n1. {verb} under the thing {part}.\n" for part in range(100))
        for nth in range(20):
            (folder / f"many{nth}.md").write_text(f"# Many things, {nth}\n\n{parts}")
        with subprocess.Popen(ingest, stdout=subprocess.DEVNULL) as writing:
            while verb != "Sweep" and writing.poll() is None:
                for reader in (("ask", "Sweep under the thing 7"), ("show", "many3.md")):
                    done = programs.run("-m", "thread_rag", *arguments(store, reader), said="quit\n")
                    assert done.returncode == 0, (done.returncode, done.stderr)
        assert writing.returncode == 0
    checked = subprocess.run([*command, "check", "--store", str(store)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
