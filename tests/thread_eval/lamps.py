"""A system that notes what it is asked, a task for each lamp, and a program that is killed while it asks."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from tests.thread_eval.kettle import Scripted
from thread_eval import runs
from thread_eval.datasets.gold import Quote, Task
from thread_eval.kinds.kind import Case
from thread_eval.kinds.walks import Walks, task_cases
from thread_eval.system import Answer, History, Reply
from thread_eval.systems import Offer, Setup

GUIDE = {"lamp.md": "# Lamp\n\n1. Turn the lamp on.\n"}
CONFIG = {"systems": ["ours", "theirs"], "seed": 0}


class Noting(Scripted):
    """Says the step to whatever it is asked, and writes down the question."""

    def __init__(self, notes: Path, on: Callable[[str], None] = lambda question: None) -> None:
        super().__init__([Reply("Turn the lamp on.", place="lamp.md:1")])
        self._notes, self._on = notes, on

    def start(self, question: str) -> Reply:
        with self._notes.open("a") as file:
            file.write(f"{question}\n")
        self._on(question)
        return super().start(question)

    def answer(self, question: str, history: History = ()) -> Answer:
        return Answer("1. Turn the lamp on.", ("Turn the lamp on.",), ("Turn the lamp on.",))


def cases(count: int) -> list[Case]:
    step = Quote(document="lamp.md", quote="Turn the lamp on.")
    return task_cases((Task(id=f"{n}", question=f"lamp {n}", steps=(step,)) for n in range(count)), GUIDE)


def offers(notes: Path, on: Callable[[str], None] = lambda question: None) -> Mapping[str, Offer]:
    """Two systems that note what they are asked."""
    offer = Offer("langchain", lambda setup: Noting(notes, on))
    return MappingProxyType({"ours": Offer("langchain", offer.make, is_ours=True), "theirs": offer})


def setup(documents: Mapping[str, str]) -> Setup:
    return Setup(documents, [])


def killed(folder: Path) -> None:
    """Ask three cases of two systems, and die at the second case of the second one."""
    asked: list[str] = []

    def on(question: str) -> None:
        asked.append(question)
        if len(asked) == 5:
            os.kill(os.getpid(), signal.SIGKILL)

    runs.SYSTEMS = offers(folder / "notes", on)
    runs.Run(folder / "run", CONFIG).ask(Walks(), cases(3), setup)


if __name__ == "__main__":
    killed(Path(sys.argv[1]))
