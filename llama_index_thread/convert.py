"""The border: LlamaIndex's nodes and messages -> the core's values, and back. Pure functions.

A unit is a plain `TextNode` (a subclass would lose its fields in the store) whose text is the header. What the
node shows is decided by its lists of excluded keys, which travel with it: an embedding sees the header and nothing
else, a model sees header, prerequisite, body and linker.
"""

from __future__ import annotations

import uuid
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from llama_index.core.llms import ChatMessage, MessageRole
from llama_index.core.schema import (
    BaseNode,
    MetadataMode,
    NodeRelationship,
    ObjectType,
    RelatedNodeInfo,
    RelatedNodeType,
    TextNode,
)
from llama_index.core.schema import Document as LlamaIndexDocument
from llama_index.core.vector_stores.types import FilterCondition, FilterOperator, MetadataFilters
from llama_index.core.vector_stores.utils import node_to_metadata_dict

from thread_core import Document, LogicUnit, layout
from thread_core.models import encodable
from thread_core.ports import Message

AS_IT_STANDS = (
    "`SimpleDirectoryReader(..., filename_as_id=True)` does where file_extractor has no MarkdownReader for `.md`"
)
"""How LlamaIndex loads a file without taking its marks away."""
_ROLES: dict[MessageRole, Literal["system", "user", "assistant"]] = {
    MessageRole.SYSTEM: "system",
    MessageRole.USER: "user",
    MessageRole.ASSISTANT: "assistant",
}
_OPERATORS: dict[FilterOperator | FilterCondition, str] = {
    FilterOperator.EQ: "$eq",
    FilterOperator.NE: "$ne",
    FilterOperator.GT: "$gt",
    FilterOperator.GTE: "$gte",
    FilterOperator.LT: "$lt",
    FilterOperator.LTE: "$lte",
    FilterOperator.IN: "$in",
    FilterOperator.NIN: "$nin",
    FilterCondition.AND: "$and",
    FilterCondition.OR: "$or",
}
_MADE_UP = (
    "a document of a file has an id that LlamaIndex generated and that changes in each run, so links between documents"
    " are not found, and citations do not name the file; load with SimpleDirectoryReader(..., filename_as_id=True), or"
    " set stable ids"
)
_CUT_BEFORE = (
    "another parser has split the documents into nodes with generated ids, so links between documents are not found,"
    " and citations name those nodes; put LogicUnitNodeParser first, or in place of the other parser"
)
_LEFT_OUT = (
    "the documents' metadata {} is left out, so filters do not find it: rows hold strings, finite numbers and booleans,"
    " under keys that are neither a logic unit's (body, linker, prerequisite, lu_...) nor LlamaIndex's"
    " (document_id, doc_id, ref_doc_id, _node_...) nor Chroma's ($..., #..., chroma:...); rename or convert it"
)
TEMPLATE = "{content}\n{metadata_str}"
"""The header comes first. Where no metadata is shown, LlamaIndex leaves the template out."""


def to_document(node: BaseNode, *, include_metadata: bool = True) -> Document:
    """A LlamaIndex document, or a node of another parser, as the core reads it; `title` is taken from its metadata.

    Warns of metadata that no row can have, and of a file's document or a part of a document that has an id of
    LlamaIndex's making, by which nobody's link finds it.
    """
    if isinstance(node, LlamaIndexDocument) and "file_path" in node.metadata and _is_made_up(node.node_id):
        warnings.warn(_MADE_UP, UserWarning, stacklevel=2)
    if not isinstance(node, LlamaIndexDocument) and node.ref_doc_id and _is_made_up(node.node_id):
        warnings.warn(_CUT_BEFORE, UserWarning, stacklevel=2)
    text = node.get_content(MetadataMode.NONE)
    metadata = node.metadata if include_metadata else {}
    document = Document(
        id=encodable(node.node_id),
        text=text,
        title=str(metadata.get("title") or ""),
        metadata={key: value for key, value in metadata.items() if key not in layout.OF_LLAMA_INDEX},
    )
    if lost := [*layout.lost(document), *(key for key in layout.OF_LLAMA_INDEX if key in metadata)]:
        warnings.warn(_LEFT_OUT.format(", ".join(lost)), UserWarning, stacklevel=2)
    return document


def _is_made_up(node_id: str) -> bool:
    try:
        return uuid.UUID(node_id).version == 4
    except ValueError:
        return False


def to_node(unit: LogicUnit, source: str = "") -> TextNode:
    """Convert a unit to the node that is indexed: its text is the header. Equal units make equal nodes.

    The relation to the source is only the document's id, without the metadata and the hash that LlamaIndex's own
    parsers copy into each node, so that a unit can be written again without its document.

    Args:
        unit: The unit.
        source: The id of the document that it was read from, if another parser had split that first.
    """
    flat = layout.to_metadata(unit) | {layout.BODY: unit.body}
    metadata = {key: flat[key] for key in layout.VISIBLE} | flat  # A model is shown them in this order.
    shown = [key for key in layout.VISIBLE if metadata[key]]
    return TextNode(
        id_=unit.id,
        text=unit.header,
        metadata=metadata,
        # Sorted, because Chroma gives keys back in any order.
        excluded_embed_metadata_keys=sorted(metadata),
        excluded_llm_metadata_keys=sorted(metadata.keys() - shown),
        text_template=TEMPLATE,
        relationships={
            NodeRelationship.SOURCE: RelatedNodeInfo(node_id=source or unit.document_id, node_type=ObjectType.DOCUMENT)
        },
    )


def to_row(unit: LogicUnit) -> tuple[str, dict[str, Any]]:
    """A unit's text and metadata in Chroma, as `ChromaVectorStore` writes them of `to_node`."""
    node = to_node(unit)
    return node.text, node_to_metadata_dict(node, remove_text=True, flat_metadata=True)


def to_retrieved(unit: LogicUnit, related: Mapping[NodeRelationship, RelatedNodeType] | None = None) -> TextNode:
    """A unit as our retriever gives it: the text, for embeddings and models alike, is the rendered unit.

    Args:
        unit: The unit.
        related: What the node that the store holds is related to, where that is known.
    """
    node = to_node(unit)
    return node.model_copy(
        update={
            "text": layout.render(unit),
            "excluded_llm_metadata_keys": sorted(node.metadata),
            "relationships": {**node.relationships, **(related or {})},
        }
    )


def from_node(node: BaseNode) -> LogicUnit:
    """Convert a node from `to_node` or `to_retrieved` back to its unit, also after a store has held it.

    Raises:
        BadStore: The node is not a logic unit, or has another layout.
    """
    return layout.from_metadata(node.node_id, node.get_content(MetadataMode.NONE), node.metadata)


def is_unit(node: BaseNode) -> bool:
    """Whether a node is a logic unit; ordinary nodes may lie in the same collection."""
    return layout.is_of_any_layout(node.metadata)


def to_where(filters: MetadataFilters) -> dict[str, Any]:
    """A filter as the core and Chroma read it.

    Raises:
        TypeError: it is something else, such as the dictionary that Chroma takes.
        ValueError: Chroma has no such operator or condition.
    """
    if not isinstance(filters, MetadataFilters):
        raise TypeError(
            f"found {type(filters).__name__} as filters, expected LlamaIndex's MetadataFilters; pass"
            " MetadataFilters(filters=[MetadataFilter(key=..., value=...)])"
        )
    condition = _operator(filters.condition or FilterCondition.AND)
    parts = [
        to_where(one) if isinstance(one, MetadataFilters) else {one.key: {_operator(one.operator): one.value}}
        for one in filters.filters
    ]
    if len(parts) < 2:
        return parts[0] if parts else {}
    return {condition: parts}


def _operator(name: FilterOperator | FilterCondition) -> str:
    if name not in _OPERATORS:
        known = ", ".join(one.value for one in _OPERATORS)
        raise ValueError(f"found the operator {name.value!r}, expected one that Chroma has: {known}")
    return _OPERATORS[name]


def said_by_person(history: Sequence[str | ChatMessage]) -> tuple[str, ...]:
    """What the person said in a conversation, oldest first; a plain string is theirs."""
    return tuple(
        text for message in history if (text := message if isinstance(message, str) else _said(message)) is not None
    )


def to_messages(history: Sequence[str | ChatMessage]) -> list[Message]:
    """A conversation as the core reads it; a plain string is the person's, and what tools said is left out."""
    messages = [ChatMessage(content=one) if isinstance(one, str) else one for one in history]
    return [Message(_ROLES[one.role], one.content or "") for one in messages if one.role in _ROLES]


def _said(message: ChatMessage) -> str | None:
    return message.content if message.role == MessageRole.USER else None
