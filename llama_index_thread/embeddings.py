"""The embedded default as a LlamaIndex embedding, and any LlamaIndex embedding as the core's port."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core import Settings
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.embeddings.utils import EmbedType, resolve_embed_model
from pydantic import Field, PrivateAttr

from thread_core import default_embedding
from thread_core.embedding import MODEL
from thread_core.store.vector_cache import CachedEmbedder, SqliteVectorCache


class DefaultEmbedding(BaseEmbedding):
    """The embedding that ships with the package: no download, no key. Loaded at the first text."""

    model_name: str = Field(default=MODEL, description="Which weights these are.")
    embed_batch_size: int = Field(default=1024, description="Texts a call.", gt=0, le=2048)

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "DefaultEmbedding"

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return default_embedding().embed(texts)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return default_embedding().embed_query(query)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)


class CachedEmbedding(BaseEmbedding):
    """Another embedding with a memory in a file: a text that was embedded before costs nothing, in any process.

    Questions are not kept. Several models may share a file: each is known by its class and its `model_name`.

    Example:
        embedding = CachedEmbedding(DefaultEmbedding(), "vectors.sqlite3")
    """

    inner: BaseEmbedding = Field(exclude=True, repr=False, description="Embeds what is not known yet.")
    path: str = Field(description="The file; it is made where it is missing.")
    _cached: CachedEmbedder = PrivateAttr()

    def __init__(self, inner: BaseEmbedding, path: str | Path, **options: Any) -> None:
        """Open the file.

        Args:
            inner: Embeds what is not known yet.
            path: The file; it is made where it is missing.
            options: Of every embedding; those of the inner one where absent. Give `model_name` where that one does not
                say all that decides the vectors, such as how many dimensions they have.

        Raises:
            ValueError: nothing says which model it is.
            BadCache: the file is damaged or something else, or cannot be read or written.
        """
        same = {"model_name": inner.model_name, "embed_batch_size": inner.embed_batch_size}
        super().__init__(inner=inner, path=str(path), **(same | options))
        if self.model_name == "unknown":
            raise ValueError(f"{inner.class_name()} does not say which model it is; give model_name=...")
        name = f"{inner.class_name()} {self.model_name}"
        self._cached = CachedEmbedder(CoreEmbedder(inner), SqliteVectorCache(path), name=name)

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "CachedEmbedding"

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._cached.embed(texts)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self.inner.get_query_embedding(query)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await self.inner.aget_query_embedding(query)


class CoreEmbedder:
    """A LlamaIndex embedding as the core's `Embedder`."""

    def __init__(self, embed_model: BaseEmbedding) -> None:
        self._embed_model = embed_model

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text."""
        return self._embed_model.get_text_embedding_batch(list(texts))

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._embed_model.get_query_embedding(text)


def to_embed_model(given: EmbedType | None) -> BaseEmbedding:
    """An embedding as LlamaIndex's users name one; the one of `Settings` where none is given.

    Raises:
        ValueError: there is none, or none of that name.
        ImportError: the package that it needs is missing.
    """
    if given is not None:
        return given if isinstance(given, BaseEmbedding) else resolve_embed_model(given)
    try:
        return Settings.embed_model
    except (ImportError, ValueError) as error:
        raise ValueError(
            "there is no embedding: give embed_model=, the one that the collection was written with, or set"
            " Settings.embed_model"
        ) from error
