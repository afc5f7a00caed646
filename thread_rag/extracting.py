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
from thread_rag.models import open_model

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


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked about documents, as the options of `thread-rag ingest` say it."""

    model: str
    base_url: str = ""
    llm_for: LLMFor = "all"
    reformulate: bool = False
    max_tokens: int | None = None
    max_cost: float | None = None
    price: Price | None = None

    def llm(self, *, asked: bool = True) -> LLM:
        """The model; without a key only where it is not to be asked.

        Raises:
            ModelError: there is no key.
        """
        return open_model(self.model, self.base_url, asked=asked)

    def extractor(self, store: Path) -> LLMExtractor:
        """What asks it, within the budget, with the replies that are kept in a store's directory.

        Raises:
            BadCache: the file of replies cannot be used.
            ModelError: there is no key.
        """
        budget = Budget(self.max_tokens, self.max_cost, self.price)
        return self._over(ModelAccess(self.llm(), budget=budget, cache=SqliteReplyCache(store / REPLIES)))

    def estimate(self, given: Iterable[Document | BadDocument], store: Path) -> Estimate:
        """What extracting documents would cost. Nothing is asked, and nothing is written.

        Raises:
            BadCache: the file of replies cannot be used.
        """
        kept = SqliteReplyCache(store / REPLIES) if (store / REPLIES).exists() else None
        # Without a budget a plan comes as far as the kept replies lead it.
        extractor = self._over(ModelAccess(self.llm(asked=False), budget=Budget(tokens=0), cache=kept))
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
                extractor.models.run(extractor.plan(document))
            except BudgetSpent:
                usage += extractor.estimate(document)
            else:
                unasked += 1
        if kept is not None:
            kept.close()
        return Estimate(documents, unasked, usage, tuple(failures))

    def _over(self, models: ModelAccess) -> LLMExtractor:
        return LLMExtractor(models, llm_for=self.llm_for, reformulate=self.reformulate)
