"""`thread-rag lint`: from files to text, JSON, SARIF and annotations, with settings and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.thread_rag.test_cli import call

BROKEN = "# Volume\n\n1. Ask, as [the form](forms/storage.md) says.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command runs, with one guide below it that has a fault."""
    monkeypatch.chdir(tmp_path)
    guides = tmp_path / "guides"
    guides.mkdir()
    (guides / "volume.md").write_text(BROKEN)
    return tmp_path


def test_findings_are_shown_with_their_lines_and_the_exit_code_says_so(folder: Path) -> None:
    result = call("lint", "guides")
    assert result.exit_code == 3
    assert result.stdout.splitlines() == [
        "guides/volume.md:3: TR201 dangling-link: there is no guide forms/storage.md; correct the link, or"
        " add the guide",
        "  3 | 1. Ask, as [the form](forms/storage.md) says.",
        "    | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
        "1 finding in 1 of 1 guides.",
    ]


def test_guides_without_a_fault_are_all_well(folder: Path) -> None:
    (folder / "guides" / "volume.md").write_text("# Volume\n\n1. Ask.\n")
    result = call("lint", "guides")
    assert (result.exit_code, result.stdout) == (0, "No findings.\n")


def test_a_file_that_cannot_be_read_is_a_finding_and_loses_no_other(folder: Path) -> None:
    (folder / "guides" / "broken.md").write_bytes(b"\xff\x00")
    lines = [json.loads(line) for line in call("lint", "guides", "--format", "json").stdout.splitlines()]
    assert [(one["path"], one["name"]) for one in lines] == [
        ("guides/broken.md", "unreadable-guide"),
        ("guides/volume.md", "dangling-link"),
    ]


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_other_forms_name_the_file_below_the_current_folder(folder: Path, form: str) -> None:
    result = call("lint", "guides", "--format", form)
    assert result.exit_code == 3
    assert "guides/volume.md" in result.stdout
    assert str(folder) not in result.stdout


def test_a_baseline_leaves_what_is_new(folder: Path) -> None:
    assert call("lint", "guides", "--write-baseline", "known.json").exit_code == 0
    assert call("lint", "guides", "--baseline", "known.json").exit_code == 0
    (folder / "guides" / "new.md").write_text("# New\n\nSee [it](it.md).\n")
    assert call("lint", "guides", "--baseline", "known.json").exit_code == 3
    (folder / "known.json").write_text("[]")
    assert "is not a baseline" in call("lint", "guides", "--baseline", "known.json").stderr


def test_settings_stand_above_the_guides_and_options_in_their_place(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.thread-lint]\nignore = ["TR201"]\n')
    assert call("lint", "guides").exit_code == 0
    assert call("lint", "guides", "--ignore", "TR4").exit_code == 3
    (folder / "guides" / ".thread-lint.toml").write_text('exclude = ["vol*"]\n')
    assert call("lint", "guides").exit_code == 0
    (folder / "guides" / ".thread-lint.toml").write_text("exlude = []\n")
    told = call("lint", "guides")
    assert told.exit_code == 1
    assert "exlude" in told.stderr


def test_a_rule_is_explained_and_one_that_is_not_there_is_typed_wrong() -> None:
    assert "# TR201 dangling-link" in call("lint", "--explain", "dangling-link").stdout
    assert "TR402" in call("lint", "--explain", "all").stdout
    assert call("lint", "--explain", "nope").exit_code == 2
    assert call("lint").exit_code == 2


def test_what_a_guide_says_gives_a_terminal_no_orders(folder: Path) -> None:
    (folder / "guides" / "volume.md").write_text("See [it](\x1b[31mit.md) \x1b]0;x\x07.\n")
    for form in ("text", "github", "json", "sarif"):
        assert "\x1b" not in call("lint", "guides", "--format", form).stdout


def test_counts_can_be_had_alone(folder: Path) -> None:
    assert (
        call("lint", "guides", "--statistics").stdout == "      1  TR201  dangling-link\n1 finding in 1 of 1 guides.\n"
    )
