"""A loader for LangChain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document

from thread_rag.loaders.loading import loaded


class ThreadLoader(BaseLoader):
    """Loads whatever `thread-rag ingest` reads: Markdown, HTML, Word, PDF, spreadsheets, notebooks.

    A document is a whole file, as Markdown. Its id and `source` are its path below the folder that was named; `printed`
    says with which line each page or paragraph ends, which units and citations name.

    Example:
        >>> ThreadIngest(store).run(ThreadLoader("guides").lazy_load())  # doctest: +SKIP
    """

    def __init__(self, *paths: str | Path) -> None:
        """Name files, folders, and patterns such as `docs/**/*.docx`."""
        self._paths = paths

    def lazy_load(self) -> Iterator[Document]:
        """Load one file after the other. Warns of those that cannot be read.

        Raises:
            NothingFound: a path is missing, or a folder holds no document.
        """
        for one in loaded(self._paths):
            title = {"title": one.title} if one.title else {}
            yield Document(id=one.id, page_content=one.text, metadata={"source": one.id, **title, **one.metadata})
