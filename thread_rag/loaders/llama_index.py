"""A reader for LlamaIndex."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from llama_index.core import Document
from llama_index.core.readers.base import BaseReader

from thread_rag.loaders.loading import loaded


class ThreadReader(BaseReader):
    """Reads whatever `thread-rag ingest` reads: Markdown, HTML, Word, PDF, spreadsheets, notebooks.

    A document is a whole file, as Markdown. `printed` in its metadata says with which line each page or paragraph ends,
    which units and citations name.

    Example:
        >>> ThreadReader().load_data("guides")  # doctest: +SKIP
        >>> SimpleDirectoryReader("guides", file_extractor={".docx": ThreadReader()})  # doctest: +SKIP
    """

    def lazy_load_data(self, *paths: str | Path, **_: Any) -> Iterable[Document]:
        """Read files, folders, and patterns, one document after the other; its id is its path below the folder.

        Warns of those that cannot be read.

        Raises:
            NothingFound: a path is missing, or a folder holds no document.
        """
        for one in loaded(paths):
            title = {"title": one.title} if one.title else {}
            yield Document(id_=one.id, text=one.text, metadata={**title, **one.metadata})

    def load_data(self, *paths: str | Path, extra_info: dict[str, Any] | None = None, **_: Any) -> list[Document]:
        """Read files, folders, and patterns; a `SimpleDirectoryReader` names one file, with metadata for it.

        Raises:
            NothingFound: a path is missing, or a folder holds no document.
        """
        found = list(self.lazy_load_data(*paths))
        for one in found:
            one.metadata = {**(extra_info or {}), **one.metadata}
        return found
