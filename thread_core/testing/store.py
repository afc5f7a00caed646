"""The simplest store that keeps the contract of `UnitStore`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from thread_core import layout
from thread_core.models import LogicUnit
from thread_core.ports import Hit, Stored, Vector, Where
from thread_core.store.scanning import by_document, cosines, meets
from thread_core.store.versioning import version_of


class MemoryStore:
    """Units in a dictionary; every search compares all vectors."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[LogicUnit, tuple[float, ...]]] = {}

    def search(self, vector: Vector, k: int, where: Where | None = None) -> list[Hit]:
        rows = [row for row in self._rows.values() if _meets(row[0], where)]
        if not rows or k <= 0:
            return []
        scores = cosines(vector, [row[1] for row in rows])
        best = np.argsort(-scores, kind="stable")[:k]
        return [Hit(rows[index][0].id, rows[index][0].document_id, float(scores[index])) for index in best]

    def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        found = (self._rows[unit_id][0] for unit_id in ids if unit_id in self._rows)
        return [unit for unit in found if _meets(unit, where)]

    def documents(
        self, document_ids: Sequence[str], where: Where | None = None, *, vectors: bool = False
    ) -> dict[str, list[Stored]]:
        wanted = set(document_ids)
        own = (row for row in self._rows.values() if row[0].document_id in wanted)
        return by_document(Stored(*row) for row in own if _meets(row[0], where))

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        rows = self._rows.values()
        return [unit.id for unit, _ in rows if document_ids is None or unit.document_id in document_ids]

    def version(self) -> str:
        return version_of(self._rows)

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        rows = {**self._rows}
        rows.update((unit.id, (unit, tuple(vector))) for unit, vector in zip(units, vectors, strict=True))
        rows.update((unit.id, (unit, rows[unit.id][1])) for unit in moved if unit.id in rows)
        for unit_id in set(gone).difference(unit.id for unit in units):
            rows.pop(unit_id, None)
        self._rows = rows

    def sweep(self) -> int:
        return 0


def _meets(unit: LogicUnit, where: Where | None) -> bool:
    return not where or meets(layout.to_metadata(unit), where)
