"""What every `UnitStore` must do, as tests; a new store's test is a class and a fixture.

Example:
    class TestMyStore(UnitStoreSuite):
        @pytest.fixture
        def store(self) -> UnitStore:
            return MyStore()
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from thread_core import layout
from thread_core.extraction.finishing import finished
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Place, Span, Target, Twin, identify
from thread_core.ports import Hit, UnitStore, Where, rows_of
from thread_core.store.rows import RowUnitStore, VectorRows
from thread_core.store.scanning import meets
from thread_core.store.versioning import version_of

GUIDE = "guides/disk full.md"
CHUNK, SECOND_CHUNK = "5f0c1c36-8b1e-4d0a-9d3e-0a4f6f6f3b01", "c7f1a0de-3f5e-4c59-8f43-7e3c0d9b2a02"
"""Ids of rows that are no logic units; some stores take no others than UUIDs."""
NORTH, NORTH_EAST, EAST, SOUTH = (0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, -1.0)


def a_unit(header: str, line: int = 1, document_id: str = GUIDE, **fields: Any) -> LogicUnit:
    """A small unit that stands on one line; its id comes from its content, as everywhere."""
    span = Span(document_id, line, line)
    unit = LogicUnit(
        id="",
        document_id=document_id,
        place=Place("steps", line),
        type=LogicUnitType.STEP,
        header=header,
        body=f"{line}. {header}.",
        spans=(span,),
        body_spans=(span,),
    )
    return identify([unit.model_copy(update=fields)])[0]


def a_full_unit() -> LogicUnit:
    """A unit that uses every field, with texts that are easily damaged on the way."""
    here = Span(GUIDE, 5, 9)
    extend, inodes = Target(place=Place("extend", 2)), Target(document="../inodes.md", anchor="count", step=3)
    links = (
        Link("the disk is still full", "Disk full: extend the volume", LinkAction.CONTINUE, extend, here),
        Link("`df` says 100%", "inodes", LinkAction.CROSS, inodes, Span(GUIDE, 9, 9)),
        Link("there is room again", "", LinkAction.RESOLVED),
        Link("", "the storage team", LinkAction.ESCALATE),
    )
    unit = LogicUnit(
        id="",
        document_id=GUIDE,
        place=Place("free-space", 2),
        type="runbook step",
        header="Disk full: free space: größte Dateien 🗑 finden",
        prerequisites=("You are `root`.", "If in doubt: there is a backup"),
        body="2. Find them 🗑:\n\n   ```sh\n\tdu -xh <path> | sort -h\n   ```\n   [CONTINUE] is no mark here\n",
        links=links,
        parameters={"path": "/var", "limit": ""},
        steps=(2, 3),
        title="Disk full",
        date="2024-02-29",
        section=("Free space", "Method 1: files"),
        spans=(Span(GUIDE, 3, 3), here),
        body_spans=(here,),
        aliases=("KB-17", "disk is full"),
        metadata={"product": "gateway", "major": 3, "share": 0.5, "public": True, "note": ""},
        twins=(Twin("andere/größe.md", "1b9d6bcd-bbfd-5b2d-9b5d-ab8dfbbd4bed"),),
    )
    return identify(finished([unit]))[0]


TAGS: tuple[dict[str, Any], ...] = (
    {"team": "storage", "year": 2024, "share": 0.5, "public": True},
    {"team": "storage", "year": 2023, "share": 1.0, "public": False},
    {"team": "größe 🗑", "year": 1, "public": True, "a.b": "dotted", 'quo"te': "quoted"},
    {"team": "1", "year": -3, "share": 1e-9},
    {},
)
"""The metadata of documents that are filtered."""
FILTERS: tuple[Where, ...] = (
    {"team": "größe 🗑"},
    {"year": 2024.0},
    {"share": 1},
    {"public": True},
    {"year": {"$eq": 1}, "public": {"$eq": True}},
    {"team": {"$ne": "storage"}},
    {"year": {"$ne": 2024}},
    {"year": {"$gt": 1}},
    {"year": {"$gte": 1, "$lt": 2024}},
    {"share": {"$lte": 0.5}},
    {"team": {"$in": ["1", "storage"]}},
    {"year": {"$in": [2023, -3]}},
    {"team": {"$nin": ["1", "storage"]}},
    {"$or": [{"team": "1"}, {"year": {"$gte": 2024}}]},
    {"$and": [{"team": "storage"}, {"$or": [{"year": 2023}, {"public": False}]}]},
    {"a.b": "dotted"},
    {'quo"te': {"$in": ["quoted"]}},
    {"team": "nobody"},
)


class CutShort:
    """Rows of which the process that writes them is killed after so many calls."""

    class Killed(Exception):
        """No process is there any more."""

    def __init__(self, rows: VectorRows, calls: int) -> None:
        self.rows = rows
        self.calls = calls

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rows, name)

    def write(self, *what: Any) -> None:
        if not self.calls:
            raise self.Killed
        self.calls -= 1
        self.rows.write(*what)


class UnitStoreSuite:
    """Inherit, supply `store`, and the tests of the contract are yours."""

    @pytest.fixture
    def store(self) -> UnitStore:
        """An empty store, a new one for each test."""
        raise NotImplementedError("supply a fixture `store` that returns an empty UnitStore")

    def add_other_row(self, store: UnitStore, row_id: str, vector: tuple[float, float]) -> None:
        """Put a row that is no logic unit beside the units, where the backend can hold one."""
        pytest.skip("this store holds nothing but logic units")

    def other_rows(self, store: UnitStore) -> Any:
        """Everything that the backend holds of rows that are no logic units, in a form that compares."""
        raise NotImplementedError("needed with add_other_row")

    def test_an_empty_store_answers_with_nothing(self, store: UnitStore) -> None:
        """No method fails for want of rows, and the version says that there are none."""
        assert store.search(NORTH, 3) == []
        assert rows_of(store, GUIDE) == []
        assert store.get(["nobody"]) == []
        assert (list(store.ids()), store.version()) == ([], "")

    def test_empty_lists_and_missing_ids_are_fine(self, store: UnitStore) -> None:
        """Callers need no special case for "nothing to do"."""
        unit = a_unit("Free space")
        store.write([], [])
        store.write(moved=[])
        store.write(gone=[])
        store.write([unit], [NORTH])
        store.write(gone=[])
        store.write(gone=["nobody"])
        assert store.get([]) == []
        assert store.get([unit.id]) == [unit]

    def test_units_come_back_whole(self, store: UnitStore) -> None:
        """Every field, by every way of reading."""
        units = [a_unit("Look"), a_full_unit()]
        store.write(units, [NORTH, EAST])
        assert store.get([unit.id for unit in units]) == units
        assert [stored.unit for stored in rows_of(store, GUIDE)] == units
        assert sorted(_all(store), key=lambda unit: unit.position) == units

    def test_vectors_come_back_where_they_are_given_out(self, store: UnitStore) -> None:
        """Or None; the direction is enough, for a store may keep vectors at length 1."""
        store.write([a_unit("Look", 1), a_unit("Act", 2)], [NORTH_EAST, SOUTH])
        vectors = [stored.vector for stored in rows_of(store, GUIDE)]
        if None not in vectors:
            expected = [_direction(vector) for vector in (NORTH_EAST, SOUTH)]
            assert [_direction(vector) for vector in vectors] == [pytest.approx(one, abs=1e-6) for one in expected]

    def test_a_document_is_read_in_order(self, store: UnitStore) -> None:
        """By line, however it was written; another document with a similar id is another document."""
        units = [a_unit(f"Step {line}", line) for line in (1, 4, 9, 20, 100)]
        other = a_unit("Step 1", 1, document_id=f"{GUIDE}x")
        store.write([units[3], units[0], other, units[4], units[2], units[1]], [NORTH] * 6)
        assert [stored.unit for stored in rows_of(store, GUIDE)] == units

    def test_every_way_of_reading_keeps_to_a_filter(self, store: UnitStore) -> None:
        """By a key of the document's own metadata, by one of the layout, by several, and by two filters at once."""
        tags = {"team": "storage", "year": 2024}
        mine = a_unit("Look", 1, metadata=tags)
        older = a_unit("Look again", 2, metadata=tags | {"year": 2023})
        term = a_unit("Inode", 3, metadata=tags, type=LogicUnitType.TERMINOLOGY)
        theirs = a_unit("Act", 4, metadata=tags | {"team": "network"})
        units = [mine, older, term, theirs]
        store.write(units, [NORTH, NORTH_EAST, EAST, NORTH])
        for where, expected in (
            (None, units),
            ({}, units),
            ({"team": "storage"}, [mine, older, term]),
            ({"team": "storage", "year": 2024}, [mine, term]),
            ({"$and": [{"team": "storage", "year": 2024}, {layout.TYPE: "step"}]}, [mine]),
            ({"team": "nobody"}, []),
        ):
            ids = [unit.id for unit in expected]
            assert store.get([unit.id for unit in units], where) == expected
            read = store.documents([GUIDE, "nobody.md"], where)
            assert [stored.unit for rows in read.values() for stored in rows] == expected
            assert {hit.unit_id for hit in store.search(NORTH, 4, where)} == set(ids)

    def test_get_keeps_the_order_of_the_ids(self, store: UnitStore) -> None:
        """Missing ids are left out, one that is asked for twice comes twice."""
        first, second = a_unit("Look", 1), a_unit("Act", 2)
        store.write([first, second], [NORTH, EAST])
        assert store.get([second.id, "nobody", first.id, second.id]) == [second, first, second]

    def test_ids_are_those_of_every_unit(self, store: UnitStore) -> None:
        """Each once, in any order."""
        units = [a_unit(f"Step {line}", line) for line in range(1, 8)]
        store.write(units, [NORTH] * 7)
        assert sorted(store.ids()) == sorted(unit.id for unit in units)

    def test_what_a_new_version_lacks_is_gone(self, store: UnitStore) -> None:
        """Stores that merge a row with what was there would keep the old prerequisite and metadata."""
        full = a_full_unit()
        empty = {"prerequisites": (), "links": (), "parameters": {}, "aliases": (), "date": ""}
        bare = full.model_copy(update={**empty, "metadata": {"major": 4}})
        store.write([full], [NORTH])
        store.write([bare], [NORTH])
        assert store.get([full.id]) == [bare]
        store.write(moved=[full])
        assert store.get([full.id]) == [full]
        store.write(moved=[bare])
        assert store.get([full.id]) == [bare]

    def test_a_unit_that_moved_keeps_its_vector(self, store: UnitStore) -> None:
        """Lines that moved cost no embedding, and a unit that is not there is not made."""
        unit = a_unit("Look", 1)
        moved = unit.model_copy(update={"spans": (Span(GUIDE, 7, 8),), "body_spans": (Span(GUIDE, 8, 8),)})
        store.write([unit], [EAST])
        store.write(moved=[moved, a_unit("Never written", 3)])
        assert _all(store) == [moved]
        assert _rounded(store.search(EAST, 5)) == [(unit.id, 1.0)]

    def test_a_second_write_replaces_the_vector(self, store: UnitStore) -> None:
        """The same id is the same row."""
        unit = a_unit("Look")
        store.write([unit], [EAST])
        store.write([unit], [NORTH])
        assert _rounded(store.search(NORTH, 5)) == [(unit.id, 1.0)]

    def test_each_unit_needs_its_vector(self, store: UnitStore) -> None:
        """Nothing is written when the two lists differ in length."""
        with pytest.raises(ValueError):
            store.write([a_unit("Look", 1), a_unit("Act", 2)], [NORTH])

    def test_deleted_units_are_gone(self, store: UnitStore) -> None:
        """From every way of reading, and an id may be named twice."""
        kept, gone = a_unit("Look", 1), a_unit("Act", 2)
        store.write([kept, gone], [NORTH, EAST])
        store.write(gone=[gone.id, gone.id, "nobody"])
        assert _all(store) == store.get([gone.id, kept.id]) == [kept]
        assert [stored.unit for stored in rows_of(store, GUIDE)] == [kept]
        assert _rounded(store.search(EAST, 5)) == [(kept.id, 0.0)]

    def test_one_write_brings_moves_and_removes(self, store: UnitStore) -> None:
        """What an edit makes of a document; a unit that comes and goes in one write is there."""
        kept, old, new = a_unit("Look", 1), a_unit("Act", 2), a_unit("Act at once", 2)
        store.write([kept, old], [NORTH, EAST])
        moved = kept.model_copy(update={"spans": (Span(GUIDE, 7, 7),), "body_spans": (Span(GUIDE, 7, 7),)})
        store.write([new], [SOUTH], moved=[moved], gone=[old.id, new.id])
        assert [stored.unit for stored in rows_of(store, GUIDE)] == [new, moved]
        assert sorted(store.ids()) == sorted([kept.id, new.id])
        assert _rounded(store.search(NORTH, 5)) == [(kept.id, 1.0), (new.id, -1.0)]
        assert store.sweep() == 0

    def test_several_documents_are_read_at_once(self, store: UnitStore) -> None:
        """Each in its order; one that is not there is left out."""
        first, second = a_unit("Look", 1), a_unit("Act", 2)
        other = a_unit("Look", 1, document_id="other.md")
        store.write([second, other, first], [NORTH, EAST, SOUTH])
        read = store.documents([GUIDE, "nobody.md", "other.md", GUIDE])
        units = {document_id: [stored.unit for stored in rows] for document_id, rows in read.items()}
        assert units == {GUIDE: [first, second], "other.md": [other]}
        assert sorted(store.ids([GUIDE, "nobody.md"])) == sorted([first.id, second.id])
        assert (store.documents([]), store.ids([])) == ({}, [])

    def test_search_scores_are_cosines_best_first(self, store: UnitStore) -> None:
        """Whatever the length of the vectors; scores of one search compare."""
        units = [a_unit(f"Step {line}", line) for line in (1, 2, 3, 4)]
        store.write(units, [SOUTH, EAST, (3.0, 3.0), (0.0, 5.0)])
        hits = store.search((0.0, 2.0), 10)
        assert _rounded(hits) == [(units[3].id, 1.0), (units[2].id, 0.7071), (units[1].id, 0.0), (units[0].id, -1.0)]
        assert {hit.document_id for hit in hits} == {GUIDE}
        assert _rounded(store.search(NORTH, 2)) == _rounded(hits)[:2]
        assert store.search(NORTH, 0) == []

    def test_search_filters_by_the_documents_own_metadata(self, store: UnitStore) -> None:
        """One condition, or several that must all hold."""
        old, new, other = (
            a_unit("Look", 1, metadata={"product": "gateway", "major": 1}),
            a_unit("Look", 2, metadata={"product": "gateway", "major": 2}),
            a_unit("Look", 3, metadata={"product": "agent", "major": 2}),
        )
        store.write([old, new, other], [NORTH, NORTH_EAST, NORTH])
        assert [hit.unit_id for hit in store.search(NORTH, 5, {"product": "gateway"})] == [old.id, new.id]
        assert [hit.unit_id for hit in store.search(NORTH, 5, {"product": "gateway", "major": 2})] == [new.id]
        assert store.search(NORTH, 5, {"product": "printer"}) == []

    def test_filters_mean_the_same_everywhere(self, store: UnitStore) -> None:
        """In a search as in any other way of reading: what `meets` says."""
        units = [a_unit("Look", line, metadata=metadata) for line, metadata in enumerate(TAGS, 1)]
        store.write(units, [NORTH] * len(units))
        for where in FILTERS:
            met = {unit.id for unit in units if meets(layout.to_metadata(unit), where)}
            assert {unit.id for unit in store.get(store.ids(), where)} == met, where
            assert {hit.unit_id for hit in store.search(NORTH, len(units), where)} == met, where
            assert len(store.search(NORTH, 1, where)) == min(len(met), 1), where

    def test_an_operator_that_is_unknown_is_refused(self, store: UnitStore) -> None:
        """In words that say which are known."""
        store.write([a_unit("Look", 1)], [NORTH])
        with pytest.raises(ValueError, match=r"\$"):
            store.search(NORTH, 1, {"team": {"$like": "s"}})

    @pytest.mark.parametrize("calls", range(4))
    def test_a_write_that_is_cut_short(self, store: UnitStore, calls: int) -> None:
        """Readers see the document as it was or as it is, or both where the store is not atomic, and never neither."""
        if not isinstance(store, RowUnitStore):
            pytest.skip("only rows can be cut short from outside")
        kept, old, new, other = a_unit("Look", 1), a_unit("Act", 2), a_unit("Act at once", 2), a_unit("Go", 1, "b.md")
        moved = kept.model_copy(update={"spans": (Span(GUIDE, 7, 7),), "body_spans": (Span(GUIDE, 7, 7),)})
        store.write([kept, old, other], [NORTH, EAST, NORTH])
        cut = RowUnitStore(CutShort(store.rows, calls), store.form)
        with suppress(CutShort.Killed):
            cut.write([new], [SOUTH], moved=[moved], gone=[old.id])
        for swept in (False, True):
            if swept:
                store.sweep()
            seen = {stored.unit.id for stored in rows_of(store, GUIDE)}
            assert {old.id, new.id} & seen, "never neither"
            assert store.rows.traits.atomic is False or len(seen) == 2
            assert {kept.id} <= seen <= {kept.id, old.id, new.id}
            assert set(store.ids()) == {hit.unit_id for hit in store.search(NORTH, 9)} == {*seen, other.id}
        store.write([new], [SOUTH], moved=[moved], gone=[old.id])
        assert [stored.unit for stored in rows_of(store, GUIDE)] == [new, moved]
        assert store.sweep() == 0

    def test_the_version_changes_with_the_units(self, store: UnitStore) -> None:
        """Also when one is exchanged for another, and back to "empty" at the end."""
        first, second, third = (a_unit(f"Step {line}", line) for line in (1, 2, 3))
        store.write([first, second], [NORTH, NORTH])
        both = store.version()
        assert both and store.version() == both
        store.write(gone=[first.id])
        one = store.version()
        store.write([third], [NORTH])
        exchanged = store.version()
        assert len({both, one, exchanged}) == 3
        assert exchanged == version_of([third.id, second.id])
        store.write(gone=[second.id, third.id])
        assert store.version() == ""

    def test_other_rows_are_not_seen(self, store: UnitStore) -> None:
        """A collection may hold ordinary chunks too, nearer to the question than any unit."""
        self.add_other_row(store, CHUNK, NORTH)
        assert (store.search(NORTH, 3), list(store.ids()), store.version()) == ([], [], "")
        unit = a_unit("Look", metadata={"product": "gateway"})
        store.write([unit], [EAST])
        version = store.version()
        self.add_other_row(store, SECOND_CHUNK, NORTH)
        assert _rounded(store.search(NORTH, 1)) == _rounded(store.search(NORTH, 5)) == [(unit.id, 0.0)]
        assert _rounded(store.search(NORTH, 1, {"product": "gateway"})) == [(unit.id, 0.0)]
        assert store.get([CHUNK, unit.id]) == _all(store) == [unit]
        assert list(store.ids()) == [unit.id]
        assert store.version() == version

    def test_other_rows_are_not_touched(self, store: UnitStore) -> None:
        """Not even when their ids are named."""
        self.add_other_row(store, CHUNK, NORTH)
        before = self.other_rows(store)
        unit = a_unit("Look")
        store.write([unit], [EAST])
        store.write(gone=[CHUNK, unit.id])
        assert before and self.other_rows(store) == before


def _all(store: UnitStore) -> list[LogicUnit]:
    return store.get(store.ids())


def _rounded(hits: list[Hit]) -> list[tuple[str, float]]:
    return [(hit.unit_id, round(hit.score, 4) + 0.0) for hit in hits]


def _direction(vector: Any) -> list[float]:
    length = sum(number * number for number in vector) ** 0.5
    return [number / length for number in vector]
