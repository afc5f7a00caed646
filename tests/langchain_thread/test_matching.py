"""Rerankers of LangChain order a walk's menus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.cross_encoders import BaseCrossEncoder
from langchain_core.documents import BaseDocumentCompressor, Document

from langchain_thread.matching import to_matcher
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


class SquealOnly(BaseDocumentCompressor):
    def compress_documents(self, documents: Sequence[Document], query: str, callbacks: Any = None) -> list[Document]:
        return [document for document in documents if "squeals" in document.page_content]


@pytest.mark.parametrize(("reranker", "first"), [(ByKnock(), "knocks"), (SquealOnly(), "squeals")])
def test_a_reranker_orders_the_passages(reranker: Any, first: str) -> None:
    matcher = to_matcher(reranker)
    assert matcher is not None
    passages = ["the press hums", "the press squeals", "the press knocks"]
    scores = matcher.score("it is noisy", passages)
    assert first in passages[max(range(3), key=lambda at: scores[at])]


def test_a_walk_asks_it() -> None:
    store, units = MemoryStore(), RuleExtractor().extract(Guide("press.md", GUIDE)).units
    store.write(units, default_embedding().embed([unit.header for unit in units]))
    session = HowToSession(Library(store, default_embedding()), matcher=to_matcher(ByKnock()))
    session.start("The press is loud")
    assert "knocks" in session.respond("there is some noise in the hall").text


def test_anything_else_is_refused() -> None:
    with pytest.raises(TypeError, match="got str"):
        to_matcher("rerank")  # type: ignore[arg-type]
