"""`thread-rag check` says of each thing whether it is well."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from thread_chroma import open_store
from thread_core.ingest import IngestReport
from thread_core.store.locking import holding
from thread_rag.cli import app


def run(command: str, *words: str | Path, code: int = 0) -> str:
    result = CliRunner().invoke(app, [command, *map(str, words)], env={"COLUMNS": "1000"})
    assert result.exit_code == code, result.output
    return result.output


def checked(store: Path, *words: str | Path, code: int = 0) -> dict[str, str]:
    """What is said of each thing."""
    lines = run("check", "--store", store, *words, code=code).splitlines()
    return {line[:12].strip(): line[12:] for line in lines}


@pytest.fixture
def report(guides: Path, store: Path, tmp_path: Path) -> Path:
    run("ingest", guides, "--store", store, "--report", tmp_path / "last.json")
    return tmp_path / "last.json"


def test_a_store_is_well_after_an_ingest(store: Path, report: Path) -> None:
    said = checked(store, "--report", report, "--max-age", "1")
    assert list(said) == ["units", "embedding", "words", "ledger", "disk", "last ingest"]
    assert (said["words"], said["ledger"], said["embedding"]) == ("up to date", "up to date", "fits")
    assert "2 ingested" in said["last ingest"]


def test_what_is_out_of_step_is_said(store: Path, report: Path) -> None:
    units = open_store(store)
    units.write(gone=units.ids()[:1])
    said = checked(store, code=1)
    assert said["words"].startswith("NOT WELL: it has ") and said["ledger"].startswith("NOT WELL: it has ")
    assert said["units"].isdecimal()


def test_nothing_is_out_of_step_while_an_ingest_writes(store: Path, report: Path) -> None:
    with holding(store / "ledger.sqlite3.lock", 0):
        assert checked(store)["units"] == "an ingest is running"


def test_a_store_that_is_not_there_is_not_made(store: Path) -> None:
    assert "does not exist; run `thread-rag ingest" in checked(store, code=1)["units"]
    assert not store.exists()


def test_words_and_ledger_that_are_not_here_are_not_made(store: Path, report: Path) -> None:
    for path in store.glob("*.sqlite3*"):
        if not path.name.startswith("chroma"):
            path.unlink()
    said = checked(store)
    assert (said["words"], said["ledger"]) == ("none", "none")
    assert not (store / "words.sqlite3").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (IngestReport(stopped="the disk is full").model_dump_json(), "removed; stopped: the disk is full"),
        (IngestReport(ok=True, at="2020-01-01T00:00:00Z").model_dump_json(), "hours ago, and 26 are allowed"),
        ("{}", "NOT WELL"),
        ("[" * 100_000, "is no report"),
        ('{"ok": true, "at": "yesterday"}', "is no report"),
    ],
)
def test_an_ingest_that_was_not_well_is_said(store: Path, report: Path, text: str, said: str) -> None:
    report.write_text(text)
    assert said in checked(store, "--report", report, "--max-age", "26", code=1)["last ingest"]


def test_a_disk_that_is_nearly_full_is_said(store: Path, report: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(1, 1, 0))  # type: ignore[attr-defined]
    assert "0.0 GB free" in checked(store, code=1)["disk"]


def test_an_age_is_a_reports(store: Path) -> None:
    assert "name the report" in run("check", "--store", store, "--max-age", "1", code=2)
