"""Documents -> logic units, in the place of a text splitter."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from langchain_thread.convert import AS_IT_STANDS, is_unit, to_document, to_sources
from langchain_thread.models import Models, to_access
from langchain_thread.prompts import Templates, to_prompts
from thread_core import Document as SourceDocument
from thread_core import Extraction, RuleExtractor
from thread_core.extraction.extractor import CONCURRENCY, LLMExtractor, LLMFor
from thread_core.ingest.dividing import Divider
from thread_core.ingest.parts import Whole, arrived, in_place

START_INDEX = "start_index"
"""The key that LangChain's splitters write with `add_start_index`."""

_ANY_SIZE = 4000
"""What LangChain's splitters are given where nobody names a size."""

_logger = logging.getLogger(__name__)
_LINE_END = re.compile(r"\r\n|\n|\r")


class LogicUnitTextSplitter(TextSplitter):
    r"""Splits how-to documents into logic units. Use it in place of a splitter that makes chunks.

    Each unit is a plain document. Its `page_content` has the header, prerequisites, body and linker, so a chain that
    uses `page_content` works unchanged. Its `id` is made from the content, so adding a document twice changes
    nothing. Embed with `HeaderEmbeddings`. A document that is already a logic unit is returned unchanged.

    Example:
        >>> document = Document("# Disk full\n\n1. Free space.", metadata={"source": "disk.md"})
        >>> print(LogicUnitTextSplitter().split_documents([document])[0].page_content)
        Logic unit: Disk full: Free space
        1. Free space.
    """

    def __init__(
        self,
        *,
        chunk_size: int | None = None,
        chunk_overlap: int = 0,
        length_function: Callable[[str], int] = len,
        keep_separator: bool | Literal["start", "end"] = False,
        add_start_index: bool = False,
        strip_whitespace: bool = True,
        separators: list[str] | None = None,
        is_separator_regex: bool = False,
        llm: Models | None = None,
        llm_for: LLMFor = "all",
        reformulate: bool = False,
        domain: str = "",
        search: Callable[[str], str] | None = None,
        prompts: Templates | None = None,
        concurrency: int = CONCURRENCY,
        merge_chains: int = 0,
    ) -> None:
        """Take what LangChain's splitters take, so that changing the class name is all there is to change.

        Args:
            llm: Divides the documents; without one, and wherever it fails, rules do. Each failure is logged as a
                warning, and in the report of `extract`. `to_access(llm, budget=..., cache=...)` caps what it costs.
            llm_for: "all" documents, or "auto": only those in which the rules leave a condition without a way on, or
                that are not English.
            reformulate: Whether the model writes documents anew first, as in the paper.
            domain: What the documents are about, in a sentence or two: the model is told.
            search: Where reformulating may look things up: a question -> what is known about it.
            prompts: Your own in the place of the package's.
            concurrency: Documents that the model is asked about at once.
            merge_chains: Merge steps that only lead on to the next one into units of so many tokens at most; see
                `thread_core.ingest.merging.merge_chains`. 0 merges none.
            add_start_index: Write `start_index`, where the unit's body begins in the document, in characters.
            chunk_size: How much a unit's body holds at most, as the length function counts it: characters by default.
                What is larger is cut between lines, and a single line that is longer is warned of; `page_content` has
                header, prerequisites and links besides. What is small is packed to 700 characters in any case. Without
                it, the bound is 800 tokens, as `RuleExtractor` counts them.
            length_function: Counts what a `chunk_size` bounds.
            chunk_overlap: Has no effect, like everything below, and a warning says so: units do not overlap.
            keep_separator: Has no effect.
            strip_whitespace: Has no effect.
            separators: Has no effect.
            is_separator_regex: Has no effect.

        Raises:
            ValueError: `merge_chains` is below 0, `chunk_size` below 1, or `llm_for` neither of both.
        """
        size = _ANY_SIZE if chunk_size is None else chunk_size
        super().__init__(size, chunk_overlap, length_function, keep_separator, add_start_index, strip_whitespace)
        if chunk_overlap:
            _logger.warning("chunk_overlap=%s has no effect: logic units do not overlap", chunk_overlap)
        if merge_chains < 0:
            raise ValueError(f"found merge_chains={merge_chains}, expected a number of tokens, 0 or more")
        self._asked_size = chunk_size
        self.concurrency = concurrency
        self.merge_chains = merge_chains
        bound: dict[str, Any] = {} if chunk_size is None else {"max_tokens": chunk_size, "count": length_function}
        self.extractor: RuleExtractor | LLMExtractor = RuleExtractor(**bound)
        if llm is not None:
            self.extractor = LLMExtractor(
                to_access(llm),
                llm_for=llm_for,
                reformulate=reformulate,
                domain=domain,
                search=search,
                prompts=to_prompts(prompts),
                **bound,
            )

    def extract(self, documents: Iterable[Document]) -> list[Extraction]:
        """The units of each document with the report of what they cover and cost, in order."""
        return list(self._divider.each([whole.document for whole in _wholes(documents)]))

    async def aextract(self, documents: Iterable[Document]) -> list[Extraction]:
        """`extract`, for callers with an event loop."""
        wholes = [whole.document for whole in _wholes(documents)]
        return [extraction async for extraction in self._divider.aeach(wholes)]

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """The units of all documents in reading order, each with a copy of its document's metadata.

        A document is known by its `id`, else by its `source` and the `page`, `page_number`, `row` or `seq_num` that a
        loader writes; several of one source without those by their order, so give these in one call. It is called by
        its `title` where the metadata has one. Every other way into this class ends here.
        """
        given = list(documents)
        wholes = _unsplit(given)
        extractions = self._divider.each([whole.document for whole in wholes])
        return list(in_place(given, is_unit, wholes, extractions, self._units))

    async def atransform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        """`split_documents`, for callers with an event loop."""
        wholes = _unsplit(documents)
        extractions = [extraction async for extraction in self._divider.aeach([whole.document for whole in wholes])]
        return list(in_place(documents, is_unit, wholes, extractions, self._units))

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """The units of some texts, whose metadata may name their source and title."""
        given = metadatas or [{}] * len(texts)
        return self.split_documents(
            Document(page_content=text, metadata=metadata) for text, metadata in zip(texts, given, strict=True)
        )

    def split_text(self, text: str) -> list[str]:
        """The units of a text as a reader sees them."""
        return [unit.page_content for unit in self.split_documents([Document(page_content=text)])]

    @property
    def _divider(self) -> Divider:
        return Divider(self.extractor, self.concurrency, self.merge_chains, _logger, self._asked_size)

    def _units(self, whole: Whole, extraction: Extraction) -> Iterator[Document]:
        starts = _line_starts(whole.document.text)
        for unit in extraction.units:
            split = to_document(unit, whole.document.metadata)
            if self._add_start_index:
                split.metadata[START_INDEX] = starts[unit.start - 1]
            yield split


def _unsplit(documents: Sequence[Document]) -> list[Whole]:
    """The documents that are no units, as the core reads them."""
    pairs = zip(documents, to_sources(documents), strict=True)
    return _arrived(source for document, source in pairs if not is_unit(document))


def _wholes(documents: Iterable[Document]) -> list[Whole]:
    return _arrived(to_sources(documents))


def _arrived(sources: Iterable[SourceDocument]) -> list[Whole]:
    return [whole for whole in arrived(sources, AS_IT_STANDS) if isinstance(whole, Whole)]


def _line_starts(text: str) -> list[int]:
    """Where each line of a text begins; a byte-order mark stands before the first."""
    return [int(text.startswith("\ufeff")), *(end.end() for end in _LINE_END.finditer(text))]
