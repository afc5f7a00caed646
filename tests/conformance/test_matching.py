"""Rerankers of both frameworks order a walk's menus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.cross_encoders import BaseCrossEncoder
from langchain_core.documents import BaseDocumentCompressor, Document
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle

import langchain_thread.matching
import llama_index_thread.matching
from thread_core import Document as Guide
from thread_core import RuleExtractor, default_embedding
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.session import HowToSession

GUIDE = """# The press is loud

Listen to the press.

- If the press hums, tighten the belt.
- If the press squeals, oil the guide.
- If the press knocks, stop it.
"""


class ByKnock(BaseCrossEncoder):
    def score(self, text_pairs: list[tuple[str, str]]) -> list[float]:
        return [float("knocks" in passage) for _, passage in text_pairs]


class KnockOnly(BaseDocumentCompressor):
    def compress_documents(self, documents: Sequence[Document], query: str, callbacks: Any = None) -> list[Document]:
        return [document for document in documents if "knocks" in document.page_content]


class KnockFirst(BaseNodePostprocessor):
    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        return sorted(nodes, key=lambda found: "knocks" not in found.node.get_content())[:2]


@pytest.mark.parametrize(
    ("to_matcher", "reranker", "scores"),
    [
        (langchain_thread.matching.to_matcher, ByKnock(), [0.0, 0.0, 1.0]),
        (langchain_thread.matching.to_matcher, KnockOnly(), [-1.0, -1.0, 1.0]),
        (llama_index_thread.matching.to_matcher, KnockFirst(), [0.5, -1.0, 1.0]),
    ],
)
def test_a_reranker_orders_the_passages_and_a_walk_asks_it(
    to_matcher: Callable[[Any], Any], reranker: Any, scores: list[float]
) -> None:
    matcher = to_matcher(reranker)
    assert matcher.score("it is noisy", ["the press hums", "the press squeals", "the press knocks"]) == scores
    store, units = MemoryStore(), RuleExtractor().extract(Guide("press.md", GUIDE)).units
    store.write(units, default_embedding().embed([unit.header for unit in units]))
    session = HowToSession(Library(store, default_embedding()), matcher=matcher)
    session.start("The press is loud")
    assert "knocks" in session.respond("there is some noise in the hall").text


@pytest.mark.parametrize("adapter", [langchain_thread.matching, llama_index_thread.matching])
def test_anything_else_is_refused(adapter: Any) -> None:
    with pytest.raises(TypeError, match="found a str"):
        adapter.to_matcher("rerank")
