"""What docs/executors.md says happens is what happens."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path

import pytest

from thread_core import Document, RuleExtractor
from thread_core.executors import CommandExecutor
from thread_core.walk.actions import action_of
from thread_core.walk.execution import Outcome, OutcomeKind
from thread_core.walk.options import screen_at
from thread_core.walk.state import SessionState

TEXT = (Path(__file__).parents[1] / "docs" / "executors.md").read_text(encoding="utf-8")
[CODE] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
ROWS = re.findall(r"^\| (.+?) \| (run|asked|yours(?:: .+?)?|refused: .+?) \|$", TEXT, re.MULTILINE)


@pytest.fixture
def executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandExecutor:
    for name in ("df", "du", "journalctl", "systemctl"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {name} was run\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    names: dict[str, CommandExecutor] = {}
    code = CODE.replace("incident.jsonl", str(tmp_path / "incident.jsonl")).replace('folder="/var/log"', 'folder="/"')
    exec(code, names)
    return names["executor"]


def with_blocks(step: str) -> str:
    """A step of the table with a fenced block in the place of `$ ...`."""
    blocks = re.compile(r"`\$ [^`]+`(?: `\$ [^`]+`)*")
    return blocks.sub(
        lambda found: "\n\n```sh\n{}\n```\n\n".format("\n".join(re.findall(r"`\$ (.+?)`", found[0]))), step
    )


def test_there_are_examples() -> None:
    assert len(ROWS) == 13


@pytest.mark.parametrize(("step", "what"), ROWS)
def test_what_a_step_says_is(executor: CommandExecutor, step: str, what: str) -> None:
    [unit] = RuleExtractor().extract(Document("disk.md", f"# Disk\n\n## Look\n\n{with_blocks(step)}\n")).units
    outcome = executor.run(action_of(screen_at(unit), state=SessionState()))
    kind, _, reason = what.partition(": ")
    if kind == "run":
        assert (outcome.kind, outcome.text.endswith(" was run")) == (OutcomeKind.OBSERVED, True)
    elif kind == "asked":
        assert outcome.kind is OutcomeKind.APPROVAL
    elif kind == "yours":
        assert outcome == Outcome(kind=OutcomeKind.HANDED, text=f"Not run: {reason}" if reason else "")
    else:
        assert outcome.kind is OutcomeKind.HANDED
        assert html.unescape(reason) in outcome.text
