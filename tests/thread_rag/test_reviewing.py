"""`thread-rag record` and `thread-rag gaps`: from walks back to the guides."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.thread_rag.test_cli import call

STRANGE = "a pigeon sits on it"


@pytest.fixture
def walks(guides: Path, store: Path, tmp_path: Path) -> Path:
    """A folder of two walks, each with its journal."""
    assert call("ingest", guides, "--store", store).exit_code == 0
    (tmp_path / "walks").mkdir()
    for name in ("a", "b"):
        file = tmp_path / "walks" / f"{name}.json"
        words = ("ask", "the disk is full", "--store", store, "--session", file)
        assert call(*words, said=f"{STRANGE}\nI give up\n").exit_code == 0
    return tmp_path / "walks"


def test_a_record_is_printed_or_written_and_needs_no_store(walks: Path, tmp_path: Path) -> None:
    printed = call("record", walks / "a.json")
    assert printed.exit_code == 0 and f"said: `{STRANGE}`" in printed.stdout and "handed over" in printed.stdout
    assert call("record", walks / "a.json", "--out", tmp_path / "a.md").exit_code == 0
    assert (tmp_path / "a.md").read_text() == printed.stdout
    (walks / "a.json.journal").unlink()
    assert "There is no journal" in call("record", walks / "a.json").stdout
    assert call("record", walks / "none.json").stderr.startswith("error: ")


def test_gaps_are_listed_by_guide_and_counted(walks: Path) -> None:
    told = call("gaps", walks).stdout
    assert told.startswith("disk.md\n")
    assert "    not covered 2 times in 2 walks, last " in told and f': "{STRANGE}"\n' in told
    listed = [json.loads(line) for line in call("gaps", walks / "a.json.journal", "--json").stdout.splitlines()]
    assert [(one["gap"]["kind"], one["count"]) for one in listed] == [("handed over", 1), ("not covered", 1)]


def test_a_draft_of_what_is_missing_fits_the_guides(walks: Path, guides: Path, tmp_path: Path) -> None:
    result = call("gaps", walks, "--documents", guides, "--draft", "-")
    assert result.exit_code == 0 and result.stdout.startswith("--- a/disk.md\n+++ b/disk.md\n")
    assert call("gaps", walks, "--documents", guides, "--draft", tmp_path / "d.diff").exit_code == 0
    assert (tmp_path / "d.diff").read_text() == result.stdout
    subprocess.run(["git", "apply", tmp_path / "d.diff"], cwd=guides, check=True)
    assert (guides / "disk.md").read_text().count(f"If {STRANGE}, TODO: say what to do then.") == 1


def test_what_is_not_there_is_said(walks: Path, guides: Path, tmp_path: Path) -> None:
    assert call("gaps", guides).stderr.startswith(f"error: {guides} has no journal")
    assert call("gaps", walks, "--draft", "-").exit_code == 2
    (guides / "disk.md").write_text("# Disk full\n\n1. Buy a larger one.\n")
    result = call("gaps", walks, "--documents", guides, "--draft", tmp_path / "d.diff")
    assert result.exit_code == 0 and "not in the draft" in result.stdout and (tmp_path / "d.diff").read_text() == ""
