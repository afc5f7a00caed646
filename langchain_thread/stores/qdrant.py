"""`langchain_qdrant.QdrantVectorStore`: how its points hold documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_qdrant import QdrantVectorStore, RetrievalMode
from qdrant_client import models

from langchain_thread.stores.rest import DocumentRows, Rest
from thread_core.errors import BadStore
from thread_core.store.rows import Row, RowUnitStore
from thread_stores.qdrant import QdrantRows


def opened(vectorstore: QdrantVectorStore, rest: Rest | None) -> RowUnitStore:
    """The units of a Qdrant collection.

    Raises:
        BadStore: the collection has no dense vectors, or does not measure cosines.
    """
    if vectorstore.retrieval_mode is RetrievalMode.SPARSE:
        raise BadStore(
            f"the Qdrant collection {vectorstore.collection_name} has no dense vectors, which units are found by;"
            " pass a QdrantVectorStore with RetrievalMode.DENSE or HYBRID"
        )
    rows = QdrantRows(vectorstore.client, vectorstore.collection_name, DocumentPoints(vectorstore))
    return RowUnitStore(rows, DocumentRows(rest))


class DocumentPoints:
    """Points of which the payload is a text, and metadata below a key."""

    def __init__(self, vectorstore: QdrantVectorStore) -> None:
        self._store = vectorstore
        self.vectors, self.metadata = vectorstore.vector_name, vectorstore.metadata_payload_key
        self.aside = vectorstore.content_payload_key

    def text(self, payload: Mapping[str, Any]) -> str:
        """The text of a point."""
        return payload.get(self.aside) or ""

    def write(self, rows: Sequence[Row]) -> None:
        """Write whole points."""
        points = [
            models.PointStruct(
                id=row.id, vector=vector, payload={self.aside: row.text, self.metadata: dict(row.metadata)}
            )
            for row, vector in zip(rows, self._vectors(rows), strict=True)
        ]
        self._store.client.upsert(self._store.collection_name, points, wait=True)

    def _vectors(self, rows: Sequence[Row]) -> list[Any]:
        """The vectors of some points; in a hybrid collection with the sparse ones, of their texts."""
        dense = [list(row.vector or ()) for row in rows]
        if self._store.retrieval_mode is not RetrievalMode.HYBRID:
            return [{self.vectors: vector} for vector in dense] if self.vectors else list(dense)
        sparse = self._store.sparse_embeddings.embed_documents([row.text for row in rows])
        return [
            {
                self.vectors: vector,
                self._store.sparse_vector_name: models.SparseVector(indices=one.indices, values=one.values),
            }
            for vector, one in zip(dense, sparse, strict=True)
        ]
