"""The embedded default as a LlamaIndex embedding, and any LlamaIndex embedding as the core's port."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from llama_index.core.base.embeddings.base import BaseEmbedding
from pydantic import Field

from thread_core import default_embedding
from thread_core.embedding import MODEL


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
