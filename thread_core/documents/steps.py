"""What is called a step by its number: "Step 2: loosen the nuts"."""

from __future__ import annotations

import re

_STEP_NAME = re.compile(r"\W*step\s+(\d{1,3})(?:\s+of\s+\d{1,3})?(?:\s*(?:[:.)](?!\d)|[-–—]\s)|\W*$)", re.IGNORECASE)


def step_named(text: str) -> int | None:
    """The number of a step that is called by it: "Step 2: loosen the nuts", "Step 2 of 3" -> 2."""
    match = _STEP_NAME.match(text)
    return int(match[1]) if match else None
