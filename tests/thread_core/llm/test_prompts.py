from __future__ import annotations

import pytest

from tests.thread_core.prompts import FOLDER, PROMPTS, rendered


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_is_what_its_snapshot_says(name: str) -> None:
    """After a change that is meant: `make snapshots`, and read what changed."""
    assert rendered(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_is_no_snapshot_of_nothing() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(PROMPTS)
