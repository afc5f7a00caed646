"""How a command ends whose input or output is closed or full, and how wide what it prints is."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.thread_rag.test_cli import call
from thread_rag.cli import main
from thread_rag.rendering import a_console

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell of POSIX's is needed")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("piped")
    (folder / "lamp.md").write_text("# Lamp\n\n## Reset it\n\n1. Press the button.\n\n## Renew it\n\n1. Buy one.\n")
    assert call("ingest", folder / "lamp.md", "--store", folder / "store").exit_code == 0
    return folder / "store"


def in_a_shell(words: str, store: Path) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m thread_rag {words}".replace("STORE", f"--store {store}")
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("ask 'How do I reset the lamp?' STORE <&-", 0),
        ("ask 'How do I reset the lamp?' STORE --json <&-", 0),
        ("ask 'How do I reset the lamp?' STORE </dev/null >&-", 0),
        ("export - STORE | true; exit ${PIPESTATUS[0]}", 141),
    ],
)
def test_a_closed_input_or_output_is_no_error(words: str, code: int, store: Path) -> None:
    ended = in_a_shell(words, store)
    assert (ended.returncode, ended.stderr) == (code, "")


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no device that is always full")
@pytest.mark.parametrize("words", ["show STORE", "export - STORE", "ask 'How do I reset the lamp?' STORE </dev/null"])
def test_a_full_disk_is_one_line(words: str, store: Path) -> None:
    ended = in_a_shell(f"{words} >/dev/full", store)
    told = "error: the output cannot be written (No space left on device); free some space\n"
    assert (ended.returncode, ended.stderr) == (1, told)


def test_what_is_piped_is_cut_nowhere(tmp_path: Path) -> None:
    deep = tmp_path.joinpath("guides", *["team-with-a-long-name"] * 3)
    deep.mkdir(parents=True)
    name = "restore-the-database-of-the-orders-service-after-a-failed-migration.md"
    (deep / name).write_text("# Restore it\n\nStop it. The log matters, if it is there, and see what it says.\n")
    told = call("ingest", tmp_path / "guides", "--store", tmp_path / "store").stdout.splitlines()
    (line,) = (line for line in told if line.startswith("Conditions"))
    assert name in line
    assert [one for one in told if one.endswith(" ")] == []


def test_a_dumb_terminal_is_as_wide_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "40")
    assert a_console().width == 40


def test_help_fits_into_40_columns() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "thread_rag", "ingest", "--help"],
        env={**os.environ, "COLUMNS": "40"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert max(map(len, said.splitlines())) <= 40


def test_a_program_that_has_read_from_its_input_may_run_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = io.TextIOWrapper(io.BytesIO(b"first\nsecond\n"), encoding="utf-8")
    lines.readline()
    monkeypatch.setattr("sys.stdin", lines)
    monkeypatch.setattr("sys.argv", ["thread-rag", "--help"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert "ingest" in capsys.readouterr().out
