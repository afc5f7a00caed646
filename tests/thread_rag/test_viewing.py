"""`thread-rag view`: pages as files, and what goes wrong before any are served."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.thread_rag.test_cli import call


def test_pages_are_written_for_every_guide(guides: Path, store: Path, tmp_path: Path) -> None:
    call("ingest", guides, "--store", store)
    done = call("view", "--store", store, "--static", tmp_path / "out", "--compare", store)
    assert (done.exit_code, done.stdout) == (0, f"Wrote 5 pages. Open {tmp_path / 'out' / 'index.html'}\n")
    assert "Disk full" in (tmp_path / "out" / "index.html").read_text()


def test_what_a_check_finds_stands_on_the_pages(
    guides: Path, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = SimpleNamespace(
        rule="T1",
        name="vague",
        severity="note",
        document_id="disk.md",
        first=7,
        last=7,
        message="Say where.",
        unit_id="",
    )
    monkeypatch.setitem(sys.modules, "thread_lint", SimpleNamespace(check=lambda shelf: [found]))
    call("ingest", guides, "--store", store)
    call("view", "--store", store, "--static", tmp_path / "out")
    assert "Say where." in (tmp_path / "out" / "0001-disk.md.html").read_text()


def test_what_is_wrong_is_said_in_one_line(guides: Path, store: Path, tmp_path: Path) -> None:
    for options in (["--store", store], ["--store", store, "--static", tmp_path / "out"]):
        done = call("view", "--no-browser", *options)
        assert done.exit_code == 1
        assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    call("ingest", guides, "--store", store)
    (tmp_path / "file").write_text("")
    done = call("view", "--store", store, "--static", tmp_path / "file")
    assert done.exit_code == 1
    assert "cannot be written" in done.stderr


@pytest.mark.enable_socket
def test_it_serves_this_machine_until_it_is_stopped(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    command = [sys.executable, "-m", "thread_rag", "view", "--store", str(store), "--no-browser"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as served:
        assert served.stdout is not None and served.stderr is not None
        address = served.stdout.readline().split()[1]
        assert address.startswith("http://127.0.0.1:")
        port = int(address.rstrip("/").rpartition(":")[2])
        connection = HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/guide?id=disk.md")
        answer = connection.getresponse()
        assert (answer.status, "Vacuum the journal" in answer.read().decode()) == (200, True)
        connection.close()
        with pytest.raises(OSError):
            socket.create_server(("127.0.0.1", port))
        taken = call("view", "--store", store, "--no-browser", "--port", port)
        assert (taken.exit_code, f"port {port} cannot be used" in taken.stderr) == (1, True)
        served.send_signal(signal.SIGINT)
        assert served.wait(20) == 130
        assert served.stderr.read() == ""
