"""Units whole, for what reads the text of nodes: rerankers, BM25, evaluators."""

from __future__ import annotations

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import BaseNode, NodeWithScore, QueryBundle

from llama_index_thread.convert import from_node, is_unit, to_retrieved


class WholeUnits(BaseNodePostprocessor):
    r"""Puts the whole unit into the text of the nodes that an index finds, as `ThreadRetriever` does.

    In an index, a unit's text is its header, which is embedded, and only a model sees the rest (`MetadataMode.LLM`).
    Use this before a reranker that reads what was embedded (`MetadataMode.EMBED`, as `SentenceTransformerRerank` does)
    or only the text, and before postprocessors that mark nodes. Other nodes pass. Your nodes are never changed.

    Example:
        >>> from llama_index.core import Document
        >>> from llama_index_thread import LogicUnitNodeParser
        >>> nodes = LogicUnitNodeParser().get_nodes_from_documents([Document(text="# Pump\n\nLook at its lamp.")])
        >>> (found,) = WholeUnits().postprocess_nodes([NodeWithScore(node=node) for node in nodes])
        >>> found.node.get_content()
        'Pump\nLook at its lamp.'
    """

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "WholeUnits"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return [NodeWithScore(node=whole_unit(one.node), score=one.score) for one in nodes]


def whole_unit(node: BaseNode) -> BaseNode:
    """Return a node with the whole unit as its text; a node that is not a unit is returned unchanged.

    Example:
        BM25Retriever.from_defaults(nodes=[whole_unit(node) for node in nodes])
    """
    return to_retrieved(from_node(node), node.relationships) if is_unit(node) else node
