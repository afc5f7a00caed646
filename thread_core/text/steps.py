"""What is called a step by its number: "Step 2: loosen the nuts", or the rows of a table whose first column counts."""

from __future__ import annotations

import re

from thread_core.text.markdown import CELL, Block

_STEP_NAME = re.compile(r"\W*step\s+(\d{1,3})(?:\s+of\s+\d{1,3})?(?:\s*(?:[:.)](?!\d)|[-–—]\s)|\W*$)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?:step\s+)?(\d{1,3})\W*", re.IGNORECASE)
_NUMBER_COLUMNS = frozenset(("step", "steps", "#", "no", "no.", "nr", "nr.", "number"))


def step_named(text: str) -> int | None:
    """The number of a step that is called by it: "Step 2: loosen the nuts", "Step 2 of 3" -> 2."""
    match = _STEP_NAME.match(text)
    return int(match[1]) if match else None


def numbered_rows(table: Block) -> dict[int, int]:
    """Of a table whose first column numbers its steps, the number in each row by the row's line; else empty."""
    head, *rows = table.children
    if head.text.split(CELL, 1)[0].strip().lower() not in _NUMBER_COLUMNS:
        return {}
    matches = [_NUMBERED.fullmatch(row.text.split(CELL, 1)[0].strip()) for row in rows]
    found = {row.start: int(match[1]) for row, match in zip(rows, matches, strict=True) if match}
    return found if len(found) == len(rows) else {}
