"""Units over rows of a store that can do little by itself: that reads no filter, and of which a write is many calls."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from thread_core import layout
from thread_core.errors import BadStore
from thread_core.ports import UnitStore, Vector, Where, rows_of
from thread_core.store.rows import Near, Row, RowsInMemory, RowUnitStore
from thread_core.testing.store_suite import GUIDE, NORTH, NORTH_EAST, UnitStoreSuite, a_unit


class PlainRows(RowsInMemory):
    """They read no filter in a search, and take two rows a call."""

    traits = replace(RowsInMemory.traits, atomic=False, call=2)

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[list[str], list[str]]] = []
        self.asked: list[int] = []

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        self.asked.append(k)
        return super().near(vector, k, {})

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        assert len(rows) <= 2 and len(gone) <= 2
        self.calls.append(([f"{row.id}@{row.metadata.get(layout.MARKER)}" for row in rows], list(gone)))
        super().write(rows, gone)


class TestPlainRows(UnitStoreSuite):
    @pytest.fixture
    def store(self) -> UnitStore:
        return RowUnitStore(PlainRows())

    def add_other_row(self, store: Any, row_id: str, vector: tuple[float, float]) -> None:
        store.rows.write([Row(row_id, "a chunk", {"source": "chunks.md"}, vector)])

    def other_rows(self, store: Any) -> Any:
        return store.rows.find({"source": "chunks.md"})


@pytest.fixture
def rows() -> PlainRows:
    return PlainRows()


def test_more_rows_are_asked_for_until_enough_meet_a_filter(rows: PlainRows) -> None:
    store = RowUnitStore(rows)
    others = [Row(f"chunk {number}", "", {}, NORTH) for number in range(30)]
    for start in range(0, 30, 2):
        rows.write(others[start : start + 2])
    units = [a_unit("Look", line, metadata={"team": "storage"}) for line in (1, 2)]
    store.write(units, [NORTH_EAST] * 2)

    assert {hit.unit_id for hit in store.search(NORTH, 2, {"team": "storage"})} == {unit.id for unit in units}
    assert rows.asked == [2, 8, 32]
    assert store.search(NORTH, 5, {"team": "nobody"}) == []


def test_rows_that_come_are_shown_when_all_are_there_and_those_that_go_are_deleted_last(rows: PlainRows) -> None:
    store = RowUnitStore(rows)
    old, new = a_unit("Act", 2), a_unit("Act at once", 2)
    store.write([old], [NORTH])
    rows.calls.clear()
    store.write([new], [NORTH], gone=[old.id])
    hidden, shown = [f"{new.id}@{layout.OUTDATED}"], [f"{new.id}@{layout.LAYOUT}"]
    assert rows.calls == [(hidden, []), (shown, []), ([], [old.id])]


def test_a_new_document_is_written_once(rows: PlainRows) -> None:
    unit = a_unit("Act", 2)
    RowUnitStore(rows).write([unit], [NORTH])
    assert rows.calls == [([f"{unit.id}@{layout.LAYOUT}"], [])]


def test_units_of_another_layout_are_told_of_and_give_way_to_those_of_their_document(rows: PlainRows) -> None:
    store = RowUnitStore(rows)
    older = {layout.MARKER: layout.LAYOUT - 1, layout.DOCUMENT_ID: GUIDE}
    rows.write([Row("old", "", older, NORTH)])
    with pytest.raises(BadStore, match=f"layout {layout.LAYOUT - 1}, such as those of {GUIDE}.*ingest those"):
        store.version()
    other = a_unit("Go", 1, "other.md")
    store.write([other], [NORTH])
    with pytest.warns(UserWarning, match="ingest those documents again"):
        version = store.version()
    assert store.version() == version

    unit = a_unit("Look")
    store.write([unit], [NORTH])
    assert [row.id for row in rows.find({})] == [other.id, unit.id]
    assert [stored.unit for stored in rows_of(store, GUIDE)] == [unit]


def test_a_vector_of_another_length_is_refused() -> None:
    store = RowUnitStore(RowsInMemory())
    store.write([a_unit("Look")], [NORTH])
    with pytest.raises(BadStore, match="found 3 dimensions, expected 2"):
        store.search((1.0, 0.0, 0.0), 5)
