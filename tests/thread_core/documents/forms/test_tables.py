"""Which row of a table is its head."""

from __future__ import annotations

import pytest

from thread_core.documents.blocks.markdown import parse
from thread_core.documents.forms.tables import cells_of, parted


@pytest.mark.parametrize(
    ("rows", "head", "start"),
    [
        (["Lamp | Do", "red | a", "on | b"], "Lamp", 1),
        ([" | ", "Step | Do", "1 | a"], "Step", 1),
        ([" | ", "**Lamp** | **Do**", "red | a"], "Lamp", 1),
        ([" | ", "red | Open the lid", "on | b"], "", 1),
        (["Unnamed: 0 | Unnamed: 1", "Step | Do", "1 | a"], "Step", 1),
    ],
)
def test_an_empty_head_hands_over_to_the_first_row_that_is_one(rows: list[str], head: str, start: int) -> None:
    first, *others = (f"| {row} |\n" for row in rows)
    found, below = parted(parse("".join([first, "|---|---|\n", *others])).blocks[0])
    assert (cells_of(found)[0], found.start) == (head, start)
    assert [row.start for row in below] == list(range(found.end + 1 + (found.end == 1), len(rows) + 2))
