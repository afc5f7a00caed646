"""The simplest store that keeps the contract of `UnitStore`."""

from __future__ import annotations

from thread_core.store.rows import RowsInMemory, RowUnitStore


class MemoryStore(RowUnitStore):
    """Units in memory; every search compares all vectors."""

    def __init__(self) -> None:
        super().__init__(RowsInMemory())
