"""What is embedded: a unit's header alone, any other text whole."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from langchain_core.embeddings import Embeddings

from thread_core import default_embedding, layout
from thread_core.embedding import MODEL
from thread_core.store.vector_cache import CachedEmbedder, SqliteVectorCache


class HeaderEmbeddings(Embeddings):
    """Embeds only the header of each logic unit, with another embedding (the paper's index).

    Questions, and texts that are not logic units, such as chunks in the same collection, are embedded completely.
    With a cache inside (`HeaderEmbeddings(CachedEmbeddings(...))`), editing a body costs no embedding. Open a
    collection with the wrapper that it was written with; if you forget it, `ThreadRetriever` warns and
    `ThreadIngest` refuses.
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

    model = MODEL
    """Which weights these are."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector of 256 floats for each text."""
        return default_embedding().embed(texts)

    def embed_query(self, text: str) -> list[float]:
        """The same space for questions and headers."""
        return default_embedding().embed_query(text)


class CachedEmbeddings(Embeddings):
    """Caches the vectors of another embedding in a file, so that no text is embedded twice.

    Questions are not cached. Threads and processes may share the file.

    Example:
        embeddings = HeaderEmbeddings(CachedEmbeddings(OpenAIEmbeddings(), "vectors.sqlite3"))
    """

    def __init__(self, inner: Embeddings, path: str | Path, *, name: str = "") -> None:
        """Open the file, or make it.

        Args:
            inner: Makes the vectors.
            path: The file.
            name: Which model `inner` is, for several may share a file; its own `model` or `model_name` where empty.

        Raises:
            ValueError: neither says which model it is.
            BadCache: the file is damaged or something else, or cannot be read or written. Every method may raise it.
        """
        self.inner = inner
        self._cache = SqliteVectorCache(path)
        self._cached = CachedEmbedder(CoreEmbedder(inner), self._cache, name=name)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors with 32 bits a number, of which only those are made that are not kept."""
        return self._cached.embed(texts)

    def embed_query(self, text: str) -> list[float]:
        """The inner embedding's vector of a question."""
        return self.inner.embed_query(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """`embed_documents` by the inner embedding's own async method."""
        kept = await asyncio.to_thread(self._cache.get, self._cached.name, texts)
        if new := [text for text in dict.fromkeys(texts) if text not in kept]:
            made = await self.inner.aembed_documents(new)
            await asyncio.to_thread(self._cache.put, self._cached.name, list(zip(new, made, strict=True)))
        return await asyncio.to_thread(self.embed_documents, texts)

    async def aembed_query(self, text: str) -> list[float]:
        """`embed_query` by the inner embedding's own async method."""
        return await self.inner.aembed_query(text)

    def close(self) -> None:
        """Close the file; the embedding cannot be used afterwards."""
        self._cache.close()


class CoreEmbedder:
    """LangChain's embeddings as the core's `Embedder`."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings

    @property
    def name(self) -> str:
        """Which model they are, where they say so."""
        named = (getattr(self._embeddings, key, None) for key in ("model", "model_name"))
        return next((name for name in named if isinstance(name, str)), "")

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text; some models refuse an empty list, so none is asked."""
        return self._embeddings.embed_documents(list(texts)) if texts else []

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._embeddings.embed_query(text)
