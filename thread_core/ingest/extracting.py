"""Who takes the documents of an ingest apart, asked with and without an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterable
from contextlib import closing
from typing import Protocol

from thread_core.errors import BadDocument
from thread_core.extraction.fidelity import Extraction
from thread_core.models import Document

Extracted = Extraction | BadDocument
"""What became of a document."""


class Extractor(Protocol):
    """Takes documents apart, several at once where that is of use.

    One that also has `aattempt_all` is asked on the caller's event loop. One that has a `name`, which says everything
    that decides its units, is not asked again for documents that are unchanged.
    """

    def attempt_all(self, documents: Iterable[Document], concurrency: int) -> Iterable[Extracted]:
        """What became of each document, in order.

        Raises:
            BudgetSpent: there is nothing left to pay for the rest with; what was given until then counts.
            BadCache: replies cannot be kept.
        """


def each(extractor: Extractor, documents: Iterable[Document], concurrency: int) -> Generator[Extracted, None, None]:
    """`attempt_all`, begun when the first one is asked for."""
    yield from extractor.attempt_all(documents, concurrency)


def off_loop(extractor: Extractor) -> Callable[[Iterable[Document], int], AsyncGenerator[Extracted, None]]:
    """`attempt_all`, in threads."""

    async def attempt(documents: Iterable[Document], concurrency: int) -> AsyncGenerator[Extracted, None]:
        with closing(each(extractor, documents, concurrency)) as extracted:
            while (one := await asyncio.to_thread(next, extracted, None)) is not None:
                yield one

    return attempt
