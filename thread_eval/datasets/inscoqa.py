"""InsCoQA: a conversation, documents, a last question; a plain answer and one flat list of instructions."""

from __future__ import annotations

from pydantic import Field

from thread_eval.datasets.reading import Record


class Conversation(Record):
    """One sample."""

    history: tuple[tuple[str, str], ...] = ()
    """Questions and answers before the last question."""
    question: str = Field(min_length=1)
    documents: tuple[str, ...] = Field(min_length=1)
    answer: str = Field(min_length=1)
    instructions: tuple[str, ...]
