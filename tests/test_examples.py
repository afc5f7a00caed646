"""Every story in examples/ runs, and prints what its `#>` comments say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
STORIES = sorted(path.name for path in EXAMPLES.glob("*.py") if not path.name.startswith("_"))


@pytest.mark.parametrize("story", STORIES)
def test_a_story_runs_and_prints_what_it_says(story: str) -> None:
    path = EXAMPLES / story
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=170, input="")
    assert done.returncode == 0, done.stderr
    promised = [line[3:] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#> ")]
    printed = done.stdout.splitlines()
    assert [line for line in promised if line not in printed] == []
