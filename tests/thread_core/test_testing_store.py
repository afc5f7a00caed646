from typing import Any

import pytest

from thread_core.store.rows import Row
from thread_core.testing.store import MemoryStore
from thread_core.testing.store_suite import UnitStoreSuite


class TestMemoryStore(UnitStoreSuite):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()

    def add_other_row(self, store: Any, row_id: str, vector: tuple[float, float]) -> None:
        store.rows.write([Row(row_id, "a chunk", {"source": "chunks.md"}, vector)])

    def other_rows(self, store: Any) -> Any:
        return store.rows.find({"source": "chunks.md"})
