"""An index over LlamaIndex's `SimpleVectorStore`.

All that a unit is lies in the metadata of its vector; but the index reads nodes from its docstore, so it is written as
a whole. A write exchanges all vectors at once for those who read them here. LlamaIndex's own retrievers fetch nodes by
the ids that the index had when they were made: make them again after a write.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial

from llama_index.core import VectorStoreIndex
from llama_index.core.schema import BaseNode
from llama_index.core.storage.docstore.types import BaseDocumentStore
from llama_index.core.vector_stores.simple import SimpleVectorStore, SimpleVectorStoreData

from llama_index_thread.stores.form import NodeRows, Opened, to_node_of
from thread_core.ports import Vector, Where
from thread_core.store.rows import Near, Row, RowUnitStore, Traits, nearest
from thread_core.store.scanning import meets

_writing = threading.Lock()
"""Of all indexes: the copy of one's vectors that becomes its vectors must not miss another write."""


def opened(index: VectorStoreIndex, vectors: SimpleVectorStore) -> Opened:
    """The units of an index."""
    units = RowUnitStore(SimpleRows(index, vectors), NodeRows())
    return Opened(units, partial(_nodes, index.docstore))  # no lambda: a retriever may go to another process


def _rows(data: SimpleVectorStoreData, ids: Sequence[str]) -> list[Row]:
    metadata, held = data.metadata_dict or {}, data.embedding_dict
    return [Row(one, "", metadata[one], held[one]) for one in ids if one in metadata and one in held]


def _nodes(docstore: BaseDocumentStore, ids: Sequence[str]) -> list[BaseNode]:
    return docstore.get_nodes(list(ids), raise_error=False)


class SimpleRows:
    """The rows of an index in memory; each read looks at all of them."""

    traits = Traits(filters=(), indexed=False, atomic=True, shared=False, call=10_000)

    def __init__(self, index: VectorStoreIndex, vectors: SimpleVectorStore) -> None:
        """Give the index and the vectors that it is over."""
        self._index = index
        self._vectors = vectors

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        """The k rows nearest to a vector that meet a filter, best first."""
        return nearest(self.find(where), vector, k)

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> list[Row]:
        """Rows by id; the text of a unit is in its metadata too."""
        return _rows(self._vectors.data, ids)

    def find(self, where: Where, *, vectors: bool = False) -> list[Row]:
        """The rows that meet a filter."""
        data = self._vectors.data  # Once: a write exchanges it as a whole.
        return [row for row in _rows(data, list(data.metadata_dict or {})) if meets(row.metadata, where)]

    def ids(self, where: Where) -> list[str]:
        """The ids of the rows that meet a filter."""
        return [row.id for row in self.find(where)]

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        """Write some nodes and delete others."""
        vectored = [to_node_of(row) for row in rows]
        nodes = [node.model_copy(update={"embedding": None}) for node in vectored]
        with _writing:
            after = _copy(self._vectors)
            after.add(vectored)
            after.delete_nodes(list(gone))
            self._index.docstore.add_documents(nodes)
            self._vectors.data = after.data
            self._follow(nodes, gone)

    def _follow(self, written: Sequence[BaseNode], gone: Sequence[str]) -> None:
        """Have the rest of the index know what its vectors are now, as `insert_nodes` and `delete_nodes` would."""
        struct = self._index.index_struct
        for node in written:
            struct.add_node(node)
        for node_id in gone:
            struct.nodes_dict.pop(node_id, None)
            self._index.docstore.delete_document(node_id, raise_error=False)
        self._index.storage_context.index_store.add_index_struct(struct)


def _copy(store: SimpleVectorStore) -> SimpleVectorStore:
    data = store.data
    parts = (data.embedding_dict, data.text_id_to_ref_doc_id, data.metadata_dict or {})
    return SimpleVectorStore(SimpleVectorStoreData(*(dict(part) for part in parts)))
