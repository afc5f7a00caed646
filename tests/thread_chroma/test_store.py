import uuid
import warnings
from collections.abc import Callable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings

from thread_chroma import ChromaUnitStore, RowForm, open_store
from thread_chroma.rows import Record, rendered
from thread_chroma.writing import calls
from thread_core import layout
from thread_core.errors import BadStore
from thread_core.models import Link, LogicUnit, Span, Target
from thread_core.ports import Hit, Stored, UnitStore, rows_of
from thread_core.store.versioning import version_of
from thread_core.testing.store_suite import EAST, GUIDE, NORTH, SOUTH, UnitStoreSuite, a_full_unit, a_unit

QUIET = Settings(anonymized_telemetry=False)
COSINE: Any = {"hnsw": {"space": "cosine"}}


def a_collection(space: str = "cosine") -> Any:
    """Ephemeral clients of one process share their rows, hence the name."""
    configuration: Any = {"hnsw": {"space": space}}
    client = chromadb.EphemeralClient()
    return client.create_collection(uuid.uuid4().hex, configuration=configuration, embedding_function=None)


class ChromaSuite(UnitStoreSuite):
    def add_other_row(self, store: Any, row_id: str, vector: tuple[float, float]) -> None:
        store._rows.add(
            ids=[row_id], embeddings=[list(vector)], documents=["a chunk"], metadatas=[{"source": "chunks.md"}]
        )

    def other_rows(self, store: Any) -> Any:
        return store._rows.get(where={"source": "chunks.md"})


class TestEmbedded(ChromaSuite):
    @pytest.fixture
    def store(self) -> UnitStore:
        return ChromaUnitStore(a_collection())


class TestSmallBatches(ChromaSuite):
    @pytest.fixture
    def store(self) -> UnitStore:
        return ChromaUnitStore(a_collection(), batch=2)


class TestPersistent(ChromaSuite):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[UnitStore]:
        client = chromadb.PersistentClient(tmp_path / "store", settings=QUIET)
        yield ChromaUnitStore(client.create_collection("thread", configuration=COSINE, embedding_function=None))
        client.close()  # it holds a dozen files open


@pytest.mark.parametrize("space", ["cosine", "l2", "ip"])
def test_scores_are_cosines_in_every_space_and_another_one_is_warned_of_once(space: str) -> None:
    store = ChromaUnitStore(a_collection(space))
    units = [a_unit("Look", 1), a_unit("Act", 2), a_unit("Leave", 3)]
    store.write(units, [NORTH, (0.6, 0.8), SOUTH])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        hits = store.search(NORTH, 3)
        assert store.search(NORTH, 3) == hits
    assert [hit.unit_id for hit in hits] == [unit.id for unit in units]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.8, -1.0])
    assert [f"uses {space} distances" in str(one.message) for one in told] == [True] * (space != "cosine")


def test_a_vector_without_direction_is_like_nothing() -> None:
    store = ChromaUnitStore(a_collection())
    store.write([a_unit("Look")], [(0.0, 0.0)])
    assert [hit.score for hit in store.search(NORTH, 1)] == [0.0]


def test_an_embedding_of_another_length_is_refused() -> None:
    store = ChromaUnitStore(a_collection())
    store.write([a_unit("Look")], [NORTH])
    with pytest.raises(BadStore, match="dimension of 2, got 3"):
        store.search((0.0, 1.0, 0.0), 1)
    with pytest.raises(BadStore, match="dimension of 2, got 3"):
        store.write([a_unit("Act", 2)], [(0.0, 1.0, 0.0)])


def as_node(unit: LogicUnit) -> tuple[str, dict[str, Any]]:
    """What LlamaIndex makes of a unit's node, in short."""
    return unit.header, layout.to_metadata(unit) | {layout.BODY: unit.body, "_node_type": "TextNode", "doc_id": "7"}


def test_rows_of_llama_index_are_read_and_keep_their_form() -> None:
    unit, rows = a_full_unit(), a_collection()
    store = ChromaUnitStore(rows, form=as_node)
    store.write([unit], [NORTH])
    assert store.get([unit.id]) == [stored.unit for stored in rows_of(store, GUIDE)] == [unit]
    moved = unit.model_copy(update={"spans": (Span(GUIDE, 1, 9),)})
    store.write(moved=[moved])
    assert store.get([unit.id]) == [moved]
    [text], [metadata] = itemgetter("documents", "metadatas")(rows.get())
    assert (text, metadata["_node_type"], metadata[layout.BODY]) == (unit.header, "TextNode", unit.body)
    assert layout.BODY_START not in metadata


@pytest.mark.parametrize(
    ("theirs", "mine", "reason"),
    [
        (as_node, rendered, "rows of LlamaIndex, .* write with llama_index_thread.ThreadIngest"),
        (rendered, as_node, "LangChain or the command, .* write with langchain_thread.ThreadIngest"),
    ],
)
def test_rows_of_another_framework_are_not_written_over(theirs: RowForm, mine: RowForm, reason: str) -> None:
    rows, unit = a_collection(), a_unit("Look")
    rows.add(ids=["chunk"], embeddings=[list(NORTH)], documents=["a chunk"], metadatas=[{"body": "none of ours"}])
    ChromaUnitStore(rows, form=theirs).write([unit], [NORTH])
    before = rows.get()
    store = ChromaUnitStore(rows, form=mine)
    assert store.get(store.ids()) == [unit]
    for write in (lambda: store.write([a_unit("Act")], [NORTH]), lambda: store.write(moved=[unit], gone=[unit.id])):
        with pytest.raises(BadStore, match=reason):
            write()
    assert rows.get() == before


def test_a_documents_rows_share_a_call() -> None:
    """Of the greatest number that fits, whichever way the units came; what is too much by itself goes in order."""

    def records(document_id: str, number: int, size: int = 100) -> list[Record]:
        return [Record(f"{document_id}{i}", document_id, [], {}, "x" * size) for i in range(number)]

    one, two, three, many = records("a", 2), records("b", 2), records("c", 1), records("d", 6)
    assert list(calls(one + two + three, rows=4)) == [one + two, three]
    assert list(calls(three + one + two, rows=4)) == [three + one, two]
    assert list(calls([one[0], *two, one[1]], rows=4)) == [one + two]
    assert list(calls(one + many + three, rows=4)) == [one + many[:2], many[2:], three]
    assert list(calls(one + two + three, rows=9, size=one[0].size * 3)) == [one, two + three]
    assert list(calls(large := records("e", 1, size=999), rows=9, size=10)) == [large]
    assert list(calls([], rows=9)) == []


class Counting:
    """A collection that remembers how it was searched and written, and has somebody look after each call."""

    def __init__(self, rows: Any, look: Callable[[], object] = lambda: None) -> None:
        self._rows = rows
        self._look = look
        self.filters: list[Any] = []
        self.included: list[list[str]] = []
        self.read: list[list[str]] = []
        self.calls: list[tuple[str, list[str]]] = []
        self.vectors: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rows, name)

    def query(self, *, where: Any = None, **arguments: Any) -> Any:
        self.filters.append(where)
        self.included.append(arguments["include"])
        return self._rows.query(where=where, **arguments)

    def get(self, ids: Any = None, *, include: Any = ("documents", "metadatas"), **asked: Any) -> Any:
        self.read.append(list(include))
        return self._rows.get(ids, include=list(include), **asked)

    def add(self, ids: Any, **arguments: Any) -> None:
        self._write("add", ids, arguments)

    def update(self, ids: Any, **arguments: Any) -> None:
        self._write("update", ids, arguments)

    def delete(self, ids: Any) -> None:
        self._write("delete", ids, {})

    def _write(self, way: str, ids: Any, arguments: Any) -> None:
        self.calls.append((way, ids))
        self.vectors += ids if arguments.get("embeddings") else []
        getattr(self._rows, way)(ids=ids, **arguments)
        self._look()


def at_line(line: int, unit: LogicUnit) -> LogicUnit:
    return unit.model_copy(update=dict.fromkeys(("spans", "body_spans"), (Span(unit.document_id, line, line),)))


def test_a_search_asks_again_only_where_units_are_missing() -> None:
    rows = Counting(a_collection())
    store = ChromaUnitStore(rows)
    units = [a_unit(f"Step {line}", line) for line in range(1, 10)]
    store.write(units, [(float(unit.start), 1.0) for unit in units])
    rows.add(ids=["chunk"], embeddings=[[1.0, 1.0]], documents=["a chunk"], metadatas=[{"source": "chunks.md"}])
    assert [hit.unit_id for hit in store.search((1.0, 1.0), 3)] == [unit.id for unit in units[:3]]
    assert rows.filters == [None]
    rows.add(ids=[str(i) for i in range(9)], embeddings=[[1.0, 1.0]] * 9, documents=["a chunk"] * 9)
    assert [hit.unit_id for hit in store.search((1.0, 1.0), 3)] == [unit.id for unit in units[:3]]
    assert rows.filters == [None, None, layout.ONLY_UNITS]


@pytest.mark.filterwarnings("ignore:the collection uses l2")
@pytest.mark.parametrize(("space", "asked"), [("cosine", ["distances"]), ("l2", ["distances", "embeddings"])])
def test_vectors_are_read_where_they_are_needed(space: str, asked: list[str]) -> None:
    rows, unit = Counting(a_collection(space)), a_unit("Look")
    store = ChromaUnitStore(rows)
    store.write([unit], [NORTH])
    assert store.search(NORTH, 1) == [Hit(unit.id, GUIDE, pytest.approx(1.0))]
    assert rows.included == [asked]
    assert store.documents([GUIDE]) == {GUIDE: [Stored(unit, None)]}
    assert store.documents([GUIDE], vectors=True) == {GUIDE: [Stored(unit, list(NORTH))]}


def test_which_document_a_unit_is_of_is_read_once() -> None:
    rows, units = Counting(a_collection()), [a_unit("Look", 1), a_unit("Act", 2)]
    store = ChromaUnitStore(rows)
    store.write(units, [NORTH, EAST])
    found = store.search(NORTH, 2)
    assert (store.search(NORTH, 2), rows.read[-3:]) == (found, [[], ["metadatas"], []])
    rows.update(ids=[units[0].id], metadatas=[{layout.MARKER: layout.OUTDATED}])
    assert store.search(NORTH, 2) == found[1:]


def test_a_write_changes_each_document_in_one_call() -> None:
    rows = Counting(a_collection())
    store = ChromaUnitStore(rows, batch=4)
    old = [a_unit(f"Step {line}", 1, document_id=f"{line}.md") for line in (1, 2, 3)]
    store.write(old, [NORTH] * 3)
    new = [a_unit(f"New step {line}", 1, document_id=f"{line}.md") for line in (1, 2, 3)]
    store.write(new, [EAST] * 3, gone=[unit.id for unit in old])
    assert rows.calls == [
        ("add", [unit.id for unit in old]),
        ("add", [unit.id for unit in new]),
        ("update", [new[0].id, old[0].id, new[1].id, old[1].id]),
        ("update", [new[2].id, old[2].id]),
        ("delete", [unit.id for unit in old]),
    ]
    assert sorted(store.ids()) == sorted(unit.id for unit in new)
    store.write(gone=[new[0].id])
    assert rows.calls[5:] == [("delete", [new[0].id])]


def test_whoever_looks_in_the_midst_of_a_write_sees_one_version_of_the_document() -> None:
    """Also where nothing goes: then no row comes or goes with the change."""
    collection = a_collection()
    reader = ChromaUnitStore(collection)
    seen: list[tuple[str, list[LogicUnit]]] = []
    rows = Counting(collection, lambda: seen.append((reader.version(), [row.unit for row in rows_of(reader, GUIDE)])))
    store = ChromaUnitStore(rows)
    first, last = a_unit("Look", 1), a_unit("Leave", 2)
    lower = at_line(3, last)
    between = a_unit("Act", 2)
    store.write([first, last], [NORTH, EAST])
    store.write([between], [NORTH], moved=[lower])
    store.write([a_unit("Act twice", 2)], [NORTH], gone=[between.id])
    versions = [[first, last], [first, between, lower], [first, a_unit("Act twice", 2), lower]]
    assert [way for way, _ in rows.calls] == ["add", "add", "update", "add", "update", "delete"]
    expected = [versions[n] for n in (0, 0, 1, 1, 2, 2)]
    assert seen == [(version_of(unit.id for unit in units), units) for units in expected]


def test_a_vector_is_written_again_only_where_it_is_another_or_the_text_is() -> None:
    """Chroma's index of the vectors may lose its way to other rows by it."""
    collection = a_collection()
    look, act = a_unit("Look", 1), a_unit("Act", 2)
    collection.add(ids=[look.id], embeddings=[list(EAST)], documents=["a chunk"], metadatas=[{"rank": 1}])
    rows = Counting(collection)
    store = ChromaUnitStore(rows)
    store.write([look, act], [NORTH, EAST])
    assert rows.vectors == [act.id, look.id]
    moved = at_line(9, look)
    store.write([a_unit("Ask", 3)], [EAST], moved=[moved], gone=[act.id])
    assert rows.vectors == [act.id, look.id, a_unit("Ask", 3).id]
    leads = moved.model_copy(update={"links": (Link("it is red", "Red lamp", target=Target(document="red.md")),)})
    store.write(moved=[leads])
    assert rows.vectors[3:] == [look.id]
    assert rows_of(store, GUIDE) == [Stored(a_unit("Ask", 3), list(EAST)), Stored(leads, list(NORTH))]
    assert layout.row_text(leads) in rows.get()["documents"]
    assert "rank" not in rows.get(look.id)["metadatas"][0]


class ReadingOnly:
    """What an adapter can offer over a framework's own vector store."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def get(
        self, ids: Any = None, where: Any = None, limit: Any = None, offset: Any = None, *, include: Any = ()
    ) -> Any:
        return self._rows.get(ids, where, limit, offset, include=list(include))

    def query(self, *, query_embeddings: Any, n_results: int = 10, where: Any = None, include: Any = ()) -> Any:
        asked = [name for name in include if name != "embeddings"]
        return self._rows.query(query_embeddings=query_embeddings, n_results=n_results, where=where, include=asked)


def test_rows_without_writing_methods_can_be_read() -> None:
    rows, unit = a_collection(), a_unit("Look")
    ChromaUnitStore(rows).write([unit], [EAST])
    store = ChromaUnitStore(ReadingOnly(rows))
    assert store.get([unit.id]) == store.get(store.ids()) == [unit]
    assert [(hit.unit_id, hit.score) for hit in store.search((1.0, 1.0), 1)] == [
        (unit.id, pytest.approx(0.7071, abs=1e-4))
    ]
    for write in (
        lambda: store.write([unit], [EAST]),
        lambda: store.write(moved=[unit]),
        lambda: store.write(gone=[unit.id]),
    ):
        with pytest.raises(BadStore, match="read-only"):
            write()
    assert store.get([unit.id]) == [unit]


def an_older_row(rows: Any, row_id: str, layout_version: int, document_id: str = GUIDE) -> None:
    """As another version of this package may have written it."""
    old = {"lu_layout": layout_version, "lu_document": document_id, "lu_spans": "[]"}
    rows.add(ids=[row_id], embeddings=[list(NORTH)], documents=["1. Look."], metadatas=[old])


@pytest.mark.parametrize("version", [1, 99])
def test_units_of_another_layout_are_named_and_an_ingest_replaces_them(version: int) -> None:
    rows, unit = a_collection(), a_unit("Look")
    an_older_row(rows, unit.id, version)
    an_older_row(rows, "gone since", version)
    an_older_row(rows, "another's", version, "other.md")
    store = ChromaUnitStore(rows)
    with pytest.raises(BadStore, match=f"units of layout {version}, such as those of .*; ingest those documents again"):
        store.version()
    assert (store.ids(), rows_of(store, GUIDE), store.search(NORTH, 3), store.sweep()) == ([], [], [], 0)
    store.write([unit], [NORTH])
    assert rows_of(store, GUIDE) == [Stored(unit, list(NORTH))]
    assert sorted(rows.get()["ids"]) == sorted([unit.id, "another's"])
    assert "lu_spans" not in rows.get(unit.id)["metadatas"][0]
    with pytest.warns(UserWarning, match="such as those of other.md"):
        store.version()
    store.write([a_unit("Act", document_id="other.md")], [NORTH])
    assert rows.count() == 2
    assert ChromaUnitStore(rows).version() == store.version()


def test_what_a_write_that_was_cut_short_left_is_no_unit_and_is_swept() -> None:
    rows, unit = a_collection(), a_unit("Look")
    an_older_row(rows, "marked", layout.OUTDATED)
    store = ChromaUnitStore(rows)
    assert (store.ids(), store.version(), rows_of(store, GUIDE), store.get(["marked"])) == ([], "", [], [])
    store.write([unit], [NORTH])
    assert [hit.unit_id for hit in store.search(NORTH, 3)] == [unit.id]
    assert (store.sweep(), store.sweep(), rows.get()["ids"]) == (1, 0, [unit.id])


def test_what_others_write_changes_the_version() -> None:
    rows = a_collection()
    mine, theirs = ChromaUnitStore(rows), ChromaUnitStore(rows)
    unit = a_unit("Look")
    mine.write([unit], [NORTH])
    before = mine.version()
    assert theirs.version() == before
    theirs.write([a_unit("Act", 2)], [NORTH])
    assert mine.version() != before
    theirs.write(gone=[a_unit("Act", 2).id])
    assert mine.version() == before


def test_a_store_is_the_same_after_reopening(tmp_path: Path) -> None:
    store = open_store(tmp_path / "deep" / "store", create=True)
    store.write([a_full_unit(), a_unit("Look", 20)], [NORTH, EAST])
    again = open_store(tmp_path / "deep" / "store")
    assert again.version() == store.version()
    assert rows_of(again, GUIDE) == rows_of(store, GUIDE)
    assert again.search(NORTH, 2) == store.search(NORTH, 2)
    assert open_store(tmp_path / "deep" / "store", create=True).version() == store.version()


def test_opening_makes_nothing_unless_told(tmp_path: Path) -> None:
    with pytest.raises(BadStore, match=r"missing does not exist; run `thread-rag ingest PATH --store .*missing`"):
        open_store(tmp_path / "missing")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadStore, match="holds no store"):
        open_store(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize("create", [False, True])
def test_a_file_is_no_store(tmp_path: Path, create: bool) -> None:
    (tmp_path / "file").write_text("text")
    with pytest.raises(BadStore, match="is a file"):
        open_store(tmp_path / "file", create=create)


def test_a_chroma_directory_without_our_collection_is_refused(tmp_path: Path) -> None:
    client = chromadb.PersistentClient(tmp_path, settings=QUIET)
    client.create_collection("others", embedding_function=None)
    with pytest.raises(BadStore, match="without a collection 'thread'"):
        open_store(tmp_path)
    open_store(tmp_path, create=True)
    assert sorted(collection.name for collection in client.list_collections()) == ["others", "thread"]


@pytest.mark.parametrize("create", [False, True])
def test_a_collection_with_another_distance_is_refused(tmp_path: Path, create: bool) -> None:
    chromadb.PersistentClient(tmp_path, settings=QUIET).create_collection("thread", embedding_function=None)
    with pytest.raises(BadStore, match="uses l2 distances"):
        open_store(tmp_path, create=create)


@pytest.mark.parametrize("create", [False, True])
def test_a_broken_database_is_refused(tmp_path: Path, create: bool) -> None:
    (tmp_path / "chroma.sqlite3").write_bytes(b"this is no database" * 100)
    with pytest.raises(
        BadStore, match=r"cannot be opened .* is damaged; restore the directory .* delete chroma.sqlite3"
    ):
        open_store(tmp_path, create=create)


@pytest.mark.slow
def test_more_rows_than_one_call_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chroma takes 5,461 rows a call."""
    monkeypatch.setattr("thread_chroma.store.PAGE", 5000)
    store = open_store(tmp_path, create=True)
    units = [a_unit(f"Step {line}", line) for line in range(1, 5501)]
    store.write(units, [(float(unit.start), 1.0) for unit in units])
    assert [stored.unit for stored in rows_of(store, GUIDE)] == units
    assert len(store.ids()) == len(store.get(store.ids())) == 5500
    store.write(gone=[unit.id for unit in units])
    assert store.version() == ""
