"""`thread-rag mcp` says what it cannot do before it listens."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thread_core.store.locking import holding
from thread_rag.cli import app


def offered(*words: str, code: int) -> str:
    result = CliRunner().invoke(app, ["mcp", *words], env={"COLUMNS": "1000"})
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--http", "8000"], "found '8000', expected a host and a port"),
        (["--http", "127.0.0.1:"], "expected a host and a port"),
        (["--http", "127.0.0.1:99999"], "expected a host and a port"),
        (["--http", ":8000"], "expected a host and a port"),
        (["--http", "0.0.0.0:8000"], "add --token-file"),
        (["--http", "127.0.0.1:0", "--socket", "s"], "found --http and --socket"),
        (["--socket", "s", "--token-file", "t"], "without --http"),
        (["--name", "guides.example.org"], "without --http"),
    ],
)
def test_what_is_typed_wrong_is_told(store: Path, words: list[str], said: str) -> None:
    assert said in offered(*words, code=2)


def test_what_is_missing_is_told(store: Path, tmp_path: Path) -> None:
    assert "does not exist; run `thread-rag ingest PATH" in offered("--store", str(store), code=1)
    missing = offered("--http", "0.0.0.0:0", "--token-file", str(tmp_path / "tokens"), code=1)
    assert "cannot be read" in missing and "openssl rand -hex 32" in missing


def test_it_does_not_begin_while_an_ingest_writes(store: Path, new_chroma: object) -> None:
    new_chroma(store)  # type: ignore[operator]
    with holding(store / "ledger.sqlite3.lock", 0):
        assert "an ingest is writing" in offered("--store", str(store), code=1)


def test_the_extra_that_is_missing_is_named(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in ("mcp", "thread_mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert 'mcp is missing; install the command with: pip install "thread-rag[mcp]"' in offered(code=1)
