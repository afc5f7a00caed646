"""Documents -> their units, for a framework's splitter or parser, which keeps neither a ledger nor a store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from logging import Logger

from thread_core.errors import BadCache, BudgetSpent
from thread_core.extraction.extractor import LLMExtractor
from thread_core.extraction.fidelity import Extraction
from thread_core.extraction.rules import RuleExtractor
from thread_core.ingest.merging import merge_chains
from thread_core.models import Document


@dataclass(frozen=True, slots=True)
class Divider:
    """Gives the units of each document, in order, with the report of what they cover and cost."""

    extractor: RuleExtractor | LLMExtractor
    concurrency: int
    """Documents that a model is asked about at once."""
    merged_up_to: int
    """Tokens up to which steps that only lead on to the next one are merged; 0 merges none."""
    logger: Logger
    """Is told what went wrong with a document, for callers who do not look at the report."""
    chunk_size: int | None = None
    """What a unit may hold, where the caller has said so: then the logger is told of a line that holds more."""

    def each(self, documents: Sequence[Document]) -> Iterator[Extraction]:
        """The extractions, one by one as they are needed.

        Raises:
            BudgetSpent, BadCache: after the last document that is finished; all those are in its `done`.
        """
        if isinstance(self.extractor, RuleExtractor):
            for document in documents:
                yield self._merged(self._told(self.extractor.extract(document), ()), document)
            return
        with _telling_what_is_done() as done:
            for extraction in self.extractor.extract_all(documents, self.concurrency):
                done.append(self._merged(self._told(extraction, extraction.report.problems), documents[len(done)]))
                yield done[-1]

    async def aeach(self, documents: Sequence[Document]) -> AsyncIterator[Extraction]:
        """`each`, with a model asked on the caller's event loop, and the rules off it."""
        if isinstance(self.extractor, RuleExtractor):
            for extraction in await asyncio.to_thread(lambda: list(self.each(documents))):
                yield extraction
            return
        with _telling_what_is_done() as done:
            async for extraction in self.extractor.aextract_all(documents, self.concurrency):
                done.append(self._merged(self._told(extraction, extraction.report.problems), documents[len(done)]))
                yield done[-1]

    def _merged(self, extraction: Extraction, document: Document) -> Extraction:
        return merge_chains(extraction, document, self.merged_up_to)

    def _told(self, extraction: Extraction, problems: Iterable[str]) -> Extraction:
        for problem in problems:
            self.logger.warning("%s: %s", extraction.report.document_id, problem)
        for span in extraction.report.too_large if self.chunk_size else ():
            if span.start == span.end:
                self.logger.warning("%s: a line is longer than chunk_size=%s and was not split", span, self.chunk_size)
        return extraction


@contextmanager
def _telling_what_is_done() -> Iterator[list[Extraction]]:
    """Where a run ends early, its error holds what was finished: a caller who waits for all of it loses nothing."""
    done: list[Extraction] = []
    try:
        yield done
    except (BudgetSpent, BadCache) as error:
        error.done = done
        raise
