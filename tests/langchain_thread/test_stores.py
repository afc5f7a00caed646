"""LangChain's own store in memory keeps the contract of a `UnitStore`, and the rest of a document's metadata stays."""

from typing import Any

import pytest
from langchain_core.vectorstores import InMemoryVectorStore

from langchain_thread import DefaultEmbeddings
from langchain_thread.stores import InMemoryUnitStore
from thread_core.ports import UnitStore
from thread_core.testing.store_suite import UnitStoreSuite


class TestInMemoryUnitStore(UnitStoreSuite):
    @pytest.fixture
    def store(self) -> UnitStore:
        return InMemoryUnitStore(InMemoryVectorStore(DefaultEmbeddings()))

    def add_other_row(self, store: Any, row_id: str, vector: tuple[float, float]) -> None:
        row = {"id": row_id, "vector": list(vector), "text": "a chunk", "metadata": {"source": "chunks.md"}}
        store._vectorstore.store[row_id] = row

    def other_rows(self, store: Any) -> Any:
        return [row for row in store._vectorstore.store.values() if row["metadata"].get("source") == "chunks.md"]
