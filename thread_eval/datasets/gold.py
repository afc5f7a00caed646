"""Gold tasks of our own form: what a how-to question should lead to, as quotes from the documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from thread_core.models import Model
from thread_eval.datasets.reading import read_records
from thread_eval.shown import normalised


class Quote(Model):
    """Words of a document, as they stand there."""

    document: str = Field(min_length=1)
    """Path relative to the folder of the documents."""
    quote: str = Field(min_length=1)


class Branch(Model):
    """What comes next when a person reports an outcome."""

    after_step: int = Field(ge=0)
    """Position in the task's steps, from 0."""
    outcome: str = Field(min_length=1)
    next: Quote | Literal["resolved", "escalate"]


class Task(Model):
    """A question and everything that a good answer shows."""

    id: str = Field(min_length=1)
    question: str = Field(min_length=1)
    steps: tuple[Quote, ...] = Field(min_length=1)
    prerequisites: tuple[Quote, ...] = ()
    branches: tuple[Branch, ...] = ()

    @property
    def step_quotes(self) -> list[str]:
        """What the steps say."""
        return [step.quote for step in self.steps]


def read_tasks(path: Path) -> list[Task]:
    """The tasks of a gold file, one JSON object a line.

    Raises:
        BadDataset: a line is no task, or there is none.
    """
    return read_records(path, Task)


def read_documents(folder: Path) -> dict[str, str]:
    """Every Markdown document below a folder, by its path relative to the folder."""
    paths = sorted(folder.rglob("*.md"))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8-sig") for path in paths}


def problems(tasks: Sequence[Task], documents: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with some tasks, one line each; nothing when all is well."""
    texts = {path: normalised(text) for path, text in documents.items()}
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            yield f"{task.id}: another task has this id"
        seen.add(task.id)
        for branch in task.branches:
            if branch.after_step >= len(task.steps):
                yield f"{task.id}: found a branch after step {branch.after_step}, expected 0 to {len(task.steps) - 1}"
        for quote in _quotes(task):
            if quote.document not in texts:
                yield f"{task.id}: there is no document {quote.document}"
            elif normalised(quote.quote) not in texts[quote.document]:
                yield f"{task.id}: not in {quote.document}: {quote.quote}"


def _quotes(task: Task) -> Iterator[Quote]:
    yield from task.steps
    yield from task.prerequisites
    yield from (branch.next for branch in task.branches if isinstance(branch.next, Quote))
