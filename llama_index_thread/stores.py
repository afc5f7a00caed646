"""Where units lie: LlamaIndex's vector stores as the core's `UnitStore`.

A `ChromaVectorStore` holds all that a unit is. So does a `SimpleVectorStore`, in the metadata of its vectors; but an
index reads nodes from its docstore, so units are written to the index as a whole.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from llama_index.core import VectorStoreIndex
from llama_index.core.schema import BaseNode, NodeRelationship, RelatedNodeType
from llama_index.core.vector_stores.simple import SimpleVectorStore, SimpleVectorStoreData
from llama_index.core.vector_stores.types import BasePydanticVectorStore
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread.convert import to_node, to_row
from thread_chroma import ChromaUnitStore
from thread_chroma.telling import in_our_words
from thread_core import LogicUnit, layout
from thread_core.errors import BadStore
from thread_core.ports import Hit, Stored, UnitStore, Vector, Where
from thread_core.store.scanning import by_document, cosines, meets
from thread_core.store.versioning import version_of

_writing = threading.Lock()
"""Of all indexes: the copy of one's vectors that becomes its vectors must not miss another write."""


def vectors_of(
    index: VectorStoreIndex | None, vector_store: BasePydanticVectorStore | None
) -> BasePydanticVectorStore | None:
    """The vector store that is given, or that an index is over; None where it tells of none.

    Raises:
        ValueError: not one of the two is given.
    """
    if (index is None) == (vector_store is None):
        raise ValueError("give either index= or vector_store=, not both and not neither")
    return vector_store if index is None else getattr(index, "vector_store", None)


def to_unit_store(index: VectorStoreIndex | None, vector_store: BasePydanticVectorStore | None) -> UnitStore:
    """The units of an index or of its vector store.

    Raises:
        ValueError: not one of the two is given.
        TypeError: units are not kept in such a store.
    """
    if isinstance(index, BasePydanticVectorStore):
        raise TypeError(
            f"an index is expected here, got {type(index).__name__}; give vector_store=, or for a SimpleVectorStore the"
            " index over it"
        )
    store = vectors_of(index, vector_store)
    if isinstance(store, ChromaVectorStore):
        return ChromaUnitStore(store.client, form=to_row)
    if isinstance(store, SimpleVectorStore) and index is not None:
        return IndexUnitStore(index)
    raise TypeError(
        "logic units are kept in a ChromaVectorStore, or in an index over a SimpleVectorStore, got"
        f" {type(store or index).__name__}; give index= or make it with"
        " StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=...))"
    )


Relationships = dict[NodeRelationship, RelatedNodeType]


def relationships_of(
    index: VectorStoreIndex | None, vector_store: BasePydanticVectorStore | None, ids: Sequence[str]
) -> dict[str, Relationships]:
    """What some nodes are related to, as LlamaIndex holds it, by id; missing nodes are left out."""
    store = vectors_of(index, vector_store)
    nodes: Sequence[BaseNode] = ()
    if ids and isinstance(store, ChromaVectorStore):
        with in_our_words():
            nodes = store.get_nodes(list(ids))
    elif index is not None:
        nodes = index.docstore.get_nodes(list(ids), raise_error=False)
    return {node.node_id: node.relationships for node in nodes}


class IndexUnitStore:
    """Logic units in a `VectorStoreIndex` over a `SimpleVectorStore`; other nodes of it are neither read nor written.

    All is in memory, and in a folder when you say `index.storage_context.persist(folder)`. A write exchanges all
    vectors at once for those who read through this class. LlamaIndex's own retrievers fetch nodes by the ids that the
    index had when they were made, so make them again after a write.
    """

    def __init__(self, index: VectorStoreIndex) -> None:
        """Give the index.

        Raises:
            TypeError: it is over another vector store.
        """
        if not isinstance(index.vector_store, SimpleVectorStore):
            raise TypeError(f"an index over a SimpleVectorStore is expected, got {type(index.vector_store).__name__}")
        self._index = index
        self._vectors = index.vector_store

    def search(self, vector: Vector, k: int, where: Where | None = None) -> list[Hit]:
        """The k units whose headers are nearest, by the cosine; every search compares all vectors.

        Raises:
            BadStore: the vector's length is not that of the index.
        """
        rows = self._rows(where=where)
        if not rows or k <= 0:
            return []
        if len(vector) != len(rows[0].vector):
            raise BadStore(
                f"the embedding does not fit the index (vectors of dimension {len(vector)}, and {len(rows[0].vector)}"
                " are there); use the one that it was written with, or ingest again"
            )
        scores = cosines(vector, [row.vector for row in rows])
        best = np.argsort(-scores, kind="stable")[:k]
        return [Hit(rows[at].id, str(rows[at].metadata[layout.DOCUMENT_ID]), float(scores[at])) for at in best]

    def documents(
        self, document_ids: Sequence[str], where: Where | None = None, *, vectors: bool = False
    ) -> dict[str, list[Stored]]:
        """The units of several documents, each in reading order; a document without units is left out."""
        rows = self._rows(where=where, document_ids=document_ids)
        return by_document(Stored(_unit(row), row.vector) for row in rows)

    def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        """Units by id, in the order of `ids`; missing ones are left out, and those that do not meet a filter."""
        return [_unit(row) for row in self._rows(ids, where)]

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        """The ids of all units, or of those of some documents."""
        return [row.id for row in self._rows(document_ids=document_ids)]

    def version(self) -> str:
        """`version_of` the ids of all units; empty when there is none."""
        return version_of(self.ids())

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        """Exchange units, for readers of this class at one stroke."""
        new = {unit.id: (unit, vector) for unit, vector in zip(units, vectors, strict=True)}
        with _writing:
            kept = {row.id: row.vector for row in self._rows([unit.id for unit in moved])}
            written = {unit.id: (unit, kept[unit.id]) for unit in moved if unit.id in kept} | new
            nodes = {unit_id: to_node(unit) for unit_id, (unit, _) in written.items()}
            outgoing = [row.id for row in self._rows(list(dict.fromkeys(gone))) if row.id not in new]
            after = _copy(self._vectors)
            after.add([nodes[one].model_copy(update={"embedding": list(written[one][1])}) for one in nodes])
            after.delete_nodes(outgoing)
            self._index.docstore.add_documents(list(nodes.values()))
            self._vectors.data = after.data
            self._follow(list(nodes.values()), outgoing)

    def sweep(self) -> int:
        """Nothing is left behind: what was not persisted is gone with its process."""
        return 0

    def _rows(
        self,
        ids: Iterable[str] | None = None,
        where: Where | None = None,
        document_ids: Iterable[str] | None = None,
    ) -> list[_Row]:
        """The units among some rows, or among all, that meet a filter and are of some documents."""
        data = self._vectors.data  # Once: a write exchanges it as a whole.
        metadata, vectors = data.metadata_dict or {}, data.embedding_dict
        asked = list(metadata) if ids is None else ids
        rows = [_Row(one, metadata[one], vectors[one]) for one in asked if one in metadata and one in vectors]
        if document_ids is not None:
            wanted = set(document_ids)
            rows = [row for row in rows if row.metadata.get(layout.DOCUMENT_ID) in wanted]
        return [row for row in rows if layout.is_unit(row.metadata) and meets(row.metadata, where)]

    def _follow(self, written: Sequence[BaseNode], gone: Sequence[str]) -> None:
        """Have the rest of the index know what its vectors are now, as `insert_nodes` and `delete_nodes` would."""
        struct = self._index.index_struct
        for node in written:
            struct.add_node(node)
        for node_id in gone:
            struct.nodes_dict.pop(node_id, None)
            self._index.docstore.delete_document(node_id, raise_error=False)
        self._index.storage_context.index_store.add_index_struct(struct)


class _Row(NamedTuple):
    id: str
    metadata: Mapping[str, Any]
    vector: list[float]


def _unit(row: _Row) -> LogicUnit:
    return layout.from_metadata(row.id, "", row.metadata)


def _copy(store: SimpleVectorStore) -> SimpleVectorStore:
    data = store.data
    parts = (data.embedding_dict, data.text_id_to_ref_doc_id, data.metadata_dict or {})
    return SimpleVectorStore(SimpleVectorStoreData(*(dict(part) for part in parts)))
