import pytest

from thread_core.ports import UnitStore
from thread_core.testing.store import MemoryStore
from thread_core.testing.store_suite import UnitStoreSuite


class TestMemoryStore(UnitStoreSuite):
    @pytest.fixture
    def store(self) -> UnitStore:
        return MemoryStore()
