"""How units lie in LlamaIndex's vector stores: as the nodes that its own writing would put there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores.utils import metadata_dict_to_node

from llama_index_thread.convert import to_row
from thread_core import LogicUnit, layout
from thread_core.ports import UnitStore, Vector
from thread_core.store.rows import Row, RowUnitStore, VectorRows


class Opened(NamedTuple):
    """A vector store, or an index of one, as it is read and written here."""

    units: UnitStore
    nodes: Callable[[Sequence[str]], Iterable[BaseNode]]
    """Nodes by id, as LlamaIndex holds them; missing ones are left out."""


class NodeRows:
    """Rows that are nodes: the text is the header, and the metadata holds the body and the node itself."""

    def row(self, unit: LogicUnit, vector: Vector, old: Row | None) -> Row:
        """A unit's row; nothing of an older one stays."""
        return Row(unit.id, *to_row(unit), vector)

    def unit(self, row: Row) -> LogicUnit:
        """The unit of a row."""
        return layout.from_metadata(row.id, row.text, row.metadata)


def over(rows: VectorRows) -> Opened:
    """A vector store of which each row holds its node."""
    return Opened(RowUnitStore(rows, NodeRows()), lambda ids: map(to_node_of, rows.get(ids)))


def to_node_of(row: Row) -> BaseNode:
    """The node of a row, with its vector where that is known, and with what of its metadata is another now."""
    node = metadata_dict_to_node(dict(row.metadata), row.text)
    metadata = {key: row.metadata[key] for key in node.metadata}
    return node.model_copy(update={"metadata": metadata, "embedding": row.vector and list(row.vector)})
