"""An action as a step with some commands gives it."""

from __future__ import annotations

from typing import Any

from thread_core import Span
from thread_core.walk.execution import Action


def action(*commands: str, key: str = "key", **fields: Any) -> Action:
    values = {
        "key": key,
        "session": "session",
        "unit_id": "unit",
        "header": "Pump: Restart",
        "text": "Pump: Restart\nRun it.",
        "commands": commands,
        "citation": Span("pump.md", 1, 3),
    }
    return Action(**{**values, **fields})
