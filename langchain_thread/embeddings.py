"""What is embedded: a unit's header alone, any other text whole."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.embeddings import Embeddings

from thread_core import default_embedding, layout


class HeaderEmbeddings(Embeddings):
    """Lets another embedding see of each logic unit its header only (the paper's index).

    Texts that are not logic units, such as chunks in the same collection, and questions pass whole. Put a cache
    below (`HeaderEmbeddings(CacheBackedEmbeddings(...))`): then an edited body costs no embedding. Open a
    collection with the same wrapper as it was written with; `ThreadRetriever` warns where this was forgotten.
    """

    def __init__(self, inner: Embeddings) -> None:
        self.inner = inner

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of the headers, or of the whole texts where there is none."""
        return self.inner.embed_documents([layout.header_of(text) for text in texts])

    def embed_query(self, text: str) -> list[float]:
        """The inner embedding's vector of a question."""
        return self.inner.embed_query(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """`embed_documents` by the inner embedding's own async method."""
        return await self.inner.aembed_documents([layout.header_of(text) for text in texts])

    async def aembed_query(self, text: str) -> list[float]:
        """`embed_query` by the inner embedding's own async method."""
        return await self.inner.aembed_query(text)


class DefaultEmbeddings(Embeddings):
    """The embedding that ships with the package: no download, no key. Loaded at the first text."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector of 256 floats for each text."""
        return default_embedding().embed(texts)

    def embed_query(self, text: str) -> list[float]:
        """The same space for questions and headers."""
        return default_embedding().embed_query(text)


class CoreEmbedder:
    """LangChain's embeddings as the core's `Embedder`."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text; some models refuse an empty list, so none is asked."""
        return self._embeddings.embed_documents(list(texts)) if texts else []

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._embeddings.embed_query(text)
