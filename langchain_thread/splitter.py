"""Documents -> logic units, in the place of a text splitter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from langchain_thread.convert import is_unit, to_document, to_sources
from thread_core import Document as SourceDocument
from thread_core import Extraction, RuleExtractor

START_INDEX = "start_index"
"""The key that LangChain's splitters write with `add_start_index`."""

_LINE_END = re.compile(r"\r\n|\n|\r")


class LogicUnitTextSplitter(TextSplitter):
    r"""Splits how-to documents into logic units where another splitter cuts them into chunks.

    Each unit is a plain document: `page_content` shows its header, prerequisites, body and linker, so a chain
    that stuffs `page_content` works unchanged, and `id` is made from the content, so adding a document twice
    changes nothing. Embed with `HeaderEmbeddings`. A document that already is a logic unit comes back as it is.

    Example:
        >>> document = Document("# Disk full\n\n1. Free space.", metadata={"source": "disk.md"})
        >>> print(LogicUnitTextSplitter().split_documents([document])[0].page_content)
        Logic unit: Disk full: Free space
        1. Free space.
    """

    def __init__(
        self,
        *,
        chunk_size: int = 4000,
        chunk_overlap: int = 0,
        length_function: Callable[[str], int] = len,
        keep_separator: bool | Literal["start", "end"] = False,
        add_start_index: bool = False,
        strip_whitespace: bool = True,
        separators: list[str] | None = None,
        is_separator_regex: bool = False,
    ) -> None:
        """Take what LangChain's splitters take, so that changing the class name is all there is to change.

        Args:
            add_start_index: Write `start_index`, where the unit's body begins in the document, in characters.
            chunk_size: Has no effect, like everything below: a unit is as long as what it says.
            chunk_overlap: Has no effect.
            length_function: Has no effect.
            keep_separator: Has no effect.
            strip_whitespace: Has no effect.
            separators: Has no effect.
            is_separator_regex: Has no effect.
        """
        super().__init__(chunk_size, chunk_overlap, length_function, keep_separator, add_start_index, strip_whitespace)
        self._extractor = RuleExtractor()

    def extract(self, documents: Iterable[Document]) -> list[Extraction]:
        """The units of each document with the report of what they cover, in order."""
        return [self._extractor.extract(source) for source in to_sources(documents)]

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """The units of all documents in reading order, each with a copy of its document's metadata.

        A document is known by its `id`, else by its `source`, and is called by its `title` where the metadata
        has these. Every other way into this class ends here.
        """
        return [unit for pair in _with_sources(documents) for unit in self._split(*pair)]

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """The units of some texts, whose metadata may name their source and title."""
        given = metadatas or [{}] * len(texts)
        return self.split_documents(
            Document(page_content=text, metadata=metadata) for text, metadata in zip(texts, given, strict=True)
        )

    def split_text(self, text: str) -> list[str]:
        """The units of a text as a reader sees them."""
        return [unit.page_content for unit in self.split_documents([Document(page_content=text)])]

    def _split(self, document: Document, source: SourceDocument) -> Iterator[Document]:
        if is_unit(document):
            yield document
            return
        starts = _line_starts(document.page_content)
        for unit in self._extractor.extract(source).units:
            split = to_document(unit, document.metadata)
            if self._add_start_index:
                split.metadata[START_INDEX] = starts[unit.start - 1]
            yield split


def _with_sources(documents: Iterable[Document]) -> Iterator[tuple[Document, SourceDocument]]:
    given = list(documents)
    return zip(given, to_sources(given), strict=True)


def _line_starts(text: str) -> list[int]:
    """Where each line of a text begins; a byte-order mark stands before the first."""
    return [int(text.startswith("\ufeff")), *(end.end() for end in _LINE_END.finditer(text))]
