"""LlamaIndex's `QdrantVectorStore`: how its points hold nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.vector_stores.qdrant import QdrantVectorStore

from llama_index_thread.stores.form import Opened, over, to_node_of
from thread_core import layout
from thread_core.store.rows import Row
from thread_stores.qdrant import QdrantRows


def opened(store: QdrantVectorStore, writing: bool) -> Opened:
    """The units of a Qdrant collection, which is made with the first write where it is not there.

    Raises:
        TypeError: the vector store can only be awaited.
        BadStore: the collection has no dense vectors, or does not measure cosines.
    """
    if store.client is None:
        raise TypeError("found a QdrantVectorStore with only an aclient; pass client= too")
    return over(QdrantRows(store.client, store.collection_name, NodePoints(store)))


class NodePoints:
    """Points of which the payload is metadata, and in it the node itself."""

    metadata = ""
    aside = "_node_content"

    def __init__(self, store: QdrantVectorStore) -> None:
        self._store = store

    @property
    def vectors(self) -> str:
        """What the store calls the dense vectors; it says another name once it has seen the collection."""
        return self._store.dense_vector_name

    def text(self, payload: Mapping[str, Any]) -> str:
        """The header, which is a unit's text."""
        return str(payload.get(layout.HEADER, ""))

    def write(self, rows: Sequence[Row]) -> None:
        """Add nodes, as the store itself does: with words for a hybrid search where it has them."""
        self._store.add([to_node_of(row) for row in rows])
