"""LlamaIndex's rerankers in the place of the matcher that orders a walk's menus."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, TextNode

from thread_core.walk.matcher import OutcomeMatcher

Matcher = OutcomeMatcher | BaseNodePostprocessor
"""What may order a menu: a matcher of the core, or a postprocessor that reranks."""


class _Postprocessed:
    def __init__(self, reranker: BaseNodePostprocessor) -> None:
        self._reranker = reranker

    def score(self, report: str, passages: Sequence[str]) -> Sequence[float]:
        """Score passages by the order in which the postprocessor gives them; what it leaves out comes last."""
        nodes = [NodeWithScore(node=TextNode(id_=str(at), text=text), score=0.0) for at, text in enumerate(passages)]
        scores = [-1.0] * len(passages)
        for rank, found in enumerate(self._reranker.postprocess_nodes(nodes, query_str=report)):
            scores[int(found.node.node_id)] = 1 / (1 + rank)
        return scores


def to_matcher(given: Matcher | None) -> OutcomeMatcher | None:
    """Turn a reranker into a matcher.

    Raises:
        TypeError: it is none of those.
    """
    if isinstance(given, BaseNodePostprocessor):
        return _Postprocessed(given)
    if given is not None and not callable(getattr(given, "score", None)):
        raise TypeError(
            f"found a {type(given).__name__} as matcher, expected an OutcomeMatcher or a BaseNodePostprocessor"
        )
    return given
