"""2WikiMultiHopQA: questions whose answer is two and more facts away, with the relations between them."""

from __future__ import annotations

from pydantic import Field

from thread_eval.datasets.reading import Record


class MultiHopQuestion(Record):
    """One question."""

    id: str = Field(alias="_id", min_length=1)
    type: str
    """`inference`, `compositional`, `comparison` or `bridge_comparison`."""
    question: str = Field(min_length=1)
    context: tuple[tuple[str, tuple[str, ...]], ...]
    """Titles, and the sentences below them."""
    supporting_facts: tuple[tuple[str, int], ...]
    """Titles, and the positions, from 0, of the sentences that matter."""
    evidences: tuple[tuple[str, str, str], ...] = ()
    """Entity, relation, entity."""
    answer: str = Field(min_length=1)
