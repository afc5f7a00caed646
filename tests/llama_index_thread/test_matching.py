"""Rerankers of LlamaIndex order a walk's menus."""

from __future__ import annotations

import pytest
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

from llama_index_thread.matching import to_matcher


class SquealFirst(BaseNodePostprocessor):
    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return sorted(nodes, key=lambda found: "squeals" not in found.node.get_content())[:2]


def test_a_reranker_orders_the_passages() -> None:
    matcher = to_matcher(SquealFirst())
    assert matcher is not None
    assert matcher.score("noise", ["it hums", "it squeals", "it knocks"]) == [0.5, 1.0, -1.0]


def test_anything_else_is_refused() -> None:
    with pytest.raises(TypeError, match="got str"):
        to_matcher("rerank")  # type: ignore[arg-type]
