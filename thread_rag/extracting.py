"""Extraction with a model, for the command: what it may cost, and what a run would cost.

Replies that were found good are kept in a file in the store's directory, so that a run that stopped goes on where it
was, and an unchanged document costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from thread_core.errors import BadDocument, BudgetSpent
from thread_core.extraction.extractor import LLMExtractor, LLMFor
from thread_core.llm.access import ModelAccess
from thread_core.llm.costs import Budget, Price
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.models import Document
from thread_core.ports import LLM, Usage

REPLIES = "replies.sqlite3"
"""The file in a store's directory that keeps the replies."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would cost if every reply is good at once."""

    documents: int
    unasked: int
    """Documents that need no call: their replies are kept, or there is nothing in them for a model to do."""
    usage: Usage
    failures: tuple[BadDocument, ...] = ()
    """Documents that cannot be read."""


def open_access(
    llm: LLM, store: Path, max_tokens: int | None, max_cost: float | None, price: Price | None
) -> ModelAccess:
    """The model with its budget, and with the replies that are kept beside the store.

    Raises:
        BadCache: the file of replies cannot be used.
    """
    return ModelAccess(llm, budget=Budget(max_tokens, max_cost, price), cache=SqliteReplyCache(store / REPLIES))


def estimate(
    given: Iterable[Document | BadDocument], llm: LLM, store: Path, *, llm_for: LLMFor, reformulate: bool
) -> Estimate:
    """What extracting documents would cost. Nothing is asked, and nothing is written.

    Raises:
        BadCache: the file of replies cannot be used.
    """
    kept = SqliteReplyCache(store / REPLIES) if (store / REPLIES).exists() else None
    # Without a budget a plan comes as far as the kept replies lead it.
    models = ModelAccess(llm, budget=Budget(tokens=0), cache=kept)
    extractor = LLMExtractor(models, llm_for=llm_for, reformulate=reformulate)
    documents, unasked, usage = 0, 0, Usage()
    failures: list[BadDocument] = []
    for document in given:
        if isinstance(document, BadDocument):
            failures.append(document)
            continue
        if not document.text.strip():
            continue
        documents += 1
        try:
            models.run(extractor.plan(document))
        except BudgetSpent:
            usage += extractor.estimate(document)
        else:
            unasked += 1
    if kept is not None:
        kept.close()
    return Estimate(documents, unasked, usage, tuple(failures))
