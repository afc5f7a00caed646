"""How-to tasks in the manner of WikiHow: a question, the steps of a right answer, and documents to answer from."""

from __future__ import annotations

from pydantic import Field

from thread_eval.datasets.reading import Record


class HowToDocument(Record):
    """One document."""

    title: str = Field(min_length=1)
    text: str


class HowToTask(Record):
    """One task."""

    question: str = Field(min_length=1)
    steps: tuple[str, ...] = Field(min_length=1)
    documents: tuple[HowToDocument, ...] = Field(min_length=1)
