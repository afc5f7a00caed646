"""An executor and a memory for tests."""

from __future__ import annotations

import asyncio
from typing import Any

from thread_core.plan import Plan
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.memory import Recalled, StepMemory


class Hands:
    """An executor that does as it was told beforehand, and the person's turn after that; `had` holds what it was given.

    It stands still within an action while `held` is set, until `go` is.
    """

    def __init__(self, *outcomes: Outcome | Exception, held: bool = False) -> None:
        self.had: list[Action] = []
        self.begun, self.go = asyncio.Event(), asyncio.Event()
        self._outcomes = list(outcomes)
        self._held = held

    def run(self, action: Action) -> Outcome:
        self.had.append(action)
        outcome = self._outcomes.pop(0) if self._outcomes else Outcome(kind=OutcomeKind.HANDED)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def arun(self, action: Action) -> Outcome:
        self.begun.set()
        if self._held:
            await self.go.wait()
        return self.run(action)


def seen(text: str) -> Outcome:
    return Outcome(kind=OutcomeKind.OBSERVED, text=text)


class WatchedMemory(StepMemory):
    """Counts how often it was asked."""

    asked = 0

    def recall(self, *args: Any, **options: Any) -> Plan[Recalled]:
        self.asked += 1
        return super().recall(*args, **options)
