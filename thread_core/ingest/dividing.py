"""Documents -> their units, for a framework's splitter or parser, which keeps neither a ledger nor a store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from logging import Logger

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

    def each(self, documents: Sequence[Document]) -> Iterator[Extraction]:
        """The extractions, one by one as they are needed."""
        if isinstance(self.extractor, RuleExtractor):
            extractions = map(self.extractor.extract, documents)
        else:
            extractions = map(self._told, self.extractor.extract_all(documents, self.concurrency))
        yield from map(self._merged, extractions, documents)

    async def aeach(self, documents: Sequence[Document]) -> AsyncIterator[Extraction]:
        """`each`, with a model asked on the caller's event loop, and the rules off it."""
        if isinstance(self.extractor, RuleExtractor):
            for extraction in await asyncio.to_thread(lambda: list(self.each(documents))):
                yield extraction
        else:
            waiting = iter(documents)
            async for extraction in self.extractor.aextract_all(documents, self.concurrency):
                yield self._merged(self._told(extraction), next(waiting))

    def _merged(self, extraction: Extraction, document: Document) -> Extraction:
        return merge_chains(extraction, document, self.merged_up_to)

    def _told(self, extraction: Extraction) -> Extraction:
        for problem in extraction.report.problems:
            self.logger.warning("%s: %s", extraction.report.document_id, problem)
        return extraction
