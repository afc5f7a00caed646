"""The embedded default as a LlamaIndex embedding, and any LlamaIndex embedding as the core's port."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core import Settings
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.embeddings.utils import EmbedType, resolve_embed_model
from llama_index.core.indices.base import BaseIndex
from pydantic import Field, PrivateAttr

from thread_core import default_embedding
from thread_core.embedding import MODEL
from thread_core.store.vector_cache import CachedEmbedder, SqliteVectorCache

UNNAMED = "unknown"
"""What LlamaIndex calls the model of an embedding that does not say its name."""


class DefaultEmbedding(BaseEmbedding):
    """The embedding that ships with the package: no download, no key. Loaded at the first text."""

    model_name: str = Field(default=MODEL, description="The model's name.")
    embed_batch_size: int = Field(default=1024, description="Texts per call.", gt=0, le=2048)

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
    """Caches the vectors of another embedding in a file, so that no text is embedded twice, in any process.

    Questions are not cached. Several models may share a file: they are identified by class and `model_name`.

    Example:
        embedding = CachedEmbedding(DefaultEmbedding(), "vectors.sqlite3")
    """

    inner: BaseEmbedding = Field(exclude=True, repr=False, description="Embeds texts that are not cached yet.")
    path: str = Field(description="The cache file. It is created if it is missing.")
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
        if self.model_name == UNNAMED:
            raise ValueError(f"{inner.class_name()} has no model name; pass model_name=...")
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


def to_embed_model(given: EmbedType | None, index: BaseIndex[Any] | None = None) -> BaseEmbedding:
    """An embedding as LlamaIndex's users name one; where none is given the index's own, or else that of `Settings`.

    Raises:
        ValueError: there is none, none of that name, or the index has vectors of another model.
        ImportError: the package that it needs is missing.
    """
    own: BaseEmbedding | None = getattr(index, "_embed_model", None)  # No public name gives it.
    if given is not None:
        model = given if isinstance(given, BaseEmbedding) else resolve_embed_model(given)
        if own is not None and not _is_same(model, own):
            raise ValueError(
                f"the index embeds with {_name(own)}, but embed_model= is {_name(model)}, whose vectors do not compare;"
                " leave out embed_model=, or make the index with the model that its rows were embedded with"
            )
        return model
    if own is not None:
        return own
    try:
        return Settings.embed_model
    except (ImportError, ValueError) as error:
        raise ValueError(
            "found no embedding; pass embed_model= that the collection was written with, or set Settings.embed_model"
        ) from error


def _is_same(one: BaseEmbedding, other: BaseEmbedding) -> bool:
    """Whether two embeddings say that they are one model; one that does not tell its name is known by its class."""
    names = [embedding.model_name for embedding in (_bare(one), _bare(other))]
    return type(_bare(one)) is type(_bare(other)) if UNNAMED in names else names[0] == names[1]


def _bare(embedding: BaseEmbedding) -> BaseEmbedding:
    return _bare(embedding.inner) if isinstance(embedding, CachedEmbedding) else embedding


def _name(embedding: BaseEmbedding) -> str:
    return f"{type(embedding).__name__} ({embedding.model_name})"
