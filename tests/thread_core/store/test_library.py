import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from thread_core import Document, LogicUnit, RuleExtractor, layout
from thread_core.errors import BadStore
from thread_core.linking import LinkState, Resolution
from thread_core.llm.access import ModelAccess
from thread_core.plan import Plan
from thread_core.ports import Where, rows_of
from thread_core.retrieval.retrieve import retrieve
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.library import Library, _Looks
from thread_core.store.requests import Embed, ReadDocuments, Request, Resolve, SearchHeaders, SearchWords, read_document
from thread_core.testing.store import MemoryStore

DISK = Document("disk.md", "# Disk full\n\n## Look\n\nRun df.\n\n## Free\n\nDelete files, see [queue](queue.md).\n")
QUEUE = Document("queue.md", "# Queue backlog\n\n## Watch\n\nRun watch.\n")

MANY = Document("many.md", "# Queue\n\n## Queue\n\nQueue queue queue.\n")
ONE = Document("one.md", "# Disk full\n\nThen look at the length of the queue of the spooler.\n")


class Letters:
    """A text's vector counts its letters from a to z; what was embedded is written down."""

    def __init__(self) -> None:
        self.embedded: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.embedded.append(list(texts))
        return [[float(text.lower().count(chr(97 + letter))) for letter in range(26)] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed([text])[0]


class Short(Letters):
    """Another model, by the length of its vectors."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 2.0] for _ in texts]


class Reversed(Letters):
    """Another model, with vectors of the same length."""

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [vector[::-1] for vector in super().embed(texts)]


class Unread(MemoryStore):
    """Gives out one unit at most, and no ids."""

    def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        assert len(ids) <= 1
        return super().get(ids, where)

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        raise AssertionError("read")


def keep(store: MemoryStore, *documents: Document) -> None:
    for document in documents:
        units = RuleExtractor().extract(document).units
        store.write(units, Letters().embed([unit.header for unit in units]))


@pytest.fixture
def store() -> MemoryStore:
    found = MemoryStore()
    keep(found, DISK, QUEUE)
    return found


@pytest.fixture
def library(store: MemoryStore) -> Library:
    return Library(store, Letters())


def test_headers_are_searched_by_vector(library: Library) -> None:
    hits = library.answer(SearchHeaders("Queue backlog: Watch: Run watch", 1))
    assert [(hit.document_id, round(hit.score, 5)) for hit in hits] == [("queue.md", 1.0)]


def test_words_are_searched_in_an_index_made_from_the_store(library: Library) -> None:
    assert [hit.document_id for hit in library.answer(SearchWords("watch", 5))] == ["queue.md"]


def test_documents_are_read_in_order(library: Library) -> None:
    read = library.answer(ReadDocuments(("disk.md", "missing.md", "queue.md")))
    assert {name: [row.unit.section for row in rows] for name, rows in read.items()} == {
        "disk.md": [("Look",), ("Free",)],
        "queue.md": [("Watch",)],
    }
    assert library.run(read_document("disk.md")) == read["disk.md"]
    assert library.run(read_document("missing.md")) == []


def tagged(document_id: str, text: str, team: str) -> Document:
    return Document(document_id, text, metadata={"team": team})


class TestWithinAFilter:
    @pytest.fixture
    def whole(self) -> Library:
        store = MemoryStore()
        keep(store, tagged("mine/disk.md", DISK.text, "storage"), tagged("theirs/disk.md", DISK.text, "network"))
        keep(store, tagged("theirs/queue.md", QUEUE.text, "network"))
        return Library(store, Letters())

    @pytest.fixture
    def mine(self, whole: Library) -> Library:
        return whole.within({"team": "storage"})

    def test_headers_and_documents_are_those_that_meet_it(self, whole: Library, mine: Library) -> None:
        assert {hit.document_id for hit in mine.answer(SearchHeaders("Disk full", 9))} == {"mine/disk.md"}
        both = ReadDocuments(("mine/disk.md", "theirs/disk.md"))
        assert list(mine.answer(both)) == ["mine/disk.md"]
        assert list(whole.answer(both)) == ["mine/disk.md", "theirs/disk.md"]

    def test_so_are_words_however_many_others_fit_better(self) -> None:
        store = MemoryStore()
        keep(store, *(tagged(f"theirs/{n}.md", MANY.text, "n") for n in range(30)))
        keep(store, tagged("mine.md", ONE.text, "storage"))
        found = Library(store, Letters()).within({"team": "storage"}).answer(SearchWords("queue", 2))
        assert [hit.document_id for hit in found] == ["mine.md"]

    def test_a_link_leads_to_no_other_document(self, whole: Library, mine: Library) -> None:
        assert mine.answer(Resolve("../theirs/queue.md", "mine/disk.md")) == Resolution(state=LinkState.OUTSIDE)
        assert whole.answer(Resolve("../theirs/queue.md", "mine/disk.md")).document_id == "theirs/queue.md"
        assert mine.answer(Resolve("", "mine/disk.md")).document_id == "mine/disk.md"

    def test_of_two_documents_that_a_link_may_mean_the_other_is_not_there(self, whole: Library, mine: Library) -> None:
        assert whole.answer(Resolve("Disk full", "notes.md")).state is LinkState.AMBIGUOUS
        found = Resolution(state=LinkState.FOUND, document_id="mine/disk.md")
        assert mine.answer(Resolve("Disk full", "notes.md")) == found

    def test_a_second_filter_narrows_the_first(self, mine: Library) -> None:
        assert mine.within({"team": "network"}).answer(ReadDocuments(("mine/disk.md",))) == {}
        assert mine.within({"lu_document": "theirs/disk.md"}).answer(SearchHeaders("x", 9)) == []
        assert mine.within({"lu_type": "step"}).answer(SearchHeaders("x", 9))[0].document_id == "mine/disk.md"
        assert len(mine.within(None).run(read_document("mine/disk.md"))) == 2

    def test_models_do_not_widen_it(self, mine: Library) -> None:
        assert mine.with_models(ModelAccess({})).answer(ReadDocuments(("theirs/disk.md",))) == {}

    def test_what_comes_later_is_found_and_a_filter_that_nothing_meets_finds_nothing(self, mine: Library) -> None:
        assert mine.within({"team": "nobody"}).answer(SearchWords("disk", 9)) == []
        keep(mine.store, tagged("mine/queue.md", QUEUE.text, "storage"))  # type: ignore[arg-type]
        assert [hit.document_id for hit in mine.answer(SearchWords("watch", 9))] == ["mine/queue.md"]


def test_a_link_is_resolved_against_the_store_s_documents(library: Library) -> None:
    found = Resolution(state=LinkState.FOUND, document_id="queue.md")
    assert library.answer(Resolve("queue.md", "disk.md")) == found
    assert library.answer(Resolve("Queue backlog", "disk.md")) == found
    assert library.answer(Resolve("gone.md", "disk.md")).state is LinkState.DANGLING


def test_vectors_have_length_1_and_are_made_once(store: MemoryStore) -> None:
    embedder = Letters()
    library = Library(store, embedder)
    vectors = library.answer(Embed(("ab", "ccc", "ab", "")))
    again = library.answer(Embed(("ccc", "d")))
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1, 1, 1, 0])
    assert np.array_equal(vectors[1], again[0])
    assert embedder.embedded == [["ab", "ccc", ""], ["d"]]
    assert library.answer(Embed(())).shape == (0, 0)


def asking(*requests: Request) -> Plan[list[Any]]:
    answers = []
    for request in requests:
        answers.append((yield request))
    return answers


def test_a_plan_is_driven_with_and_without_an_event_loop(library: Library) -> None:
    requests = SearchWords("watch", 5), Resolve("queue.md", "disk.md")
    expected = [library.answer(request) for request in requests]
    assert library.run(asking(*requests)) == asyncio.run(library.arun(asking(*requests))) == expected


class Taken(ThreadPoolExecutor):
    """The threads of an event loop, which the application has for itself."""

    def submit(self, *call: Any, **named: Any) -> Any:
        raise AssertionError(f"one of them was taken for {call}")


async def test_a_store_that_hangs_would_take_no_thread_of_the_event_loop_s(library: Library) -> None:
    asyncio.get_running_loop().set_default_executor(Taken())
    asked = SearchWords("watch", 5)
    found = [library.answer(asked)]
    assert await library.arun(asking(asked)) == found
    assert [piece async for piece in library.astream(asking(asked))] == [found]


def test_a_plan_looks_once_whether_the_store_has_changed(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    version = store.version
    monkeypatch.setattr(store, "version", lambda: looks.append("look") or version())
    library = Library(store, Letters())
    for _ in range(2):
        library.run(asking(*[SearchWords("watch", 5), Resolve("queue.md", "disk.md"), ReadDocuments(("disk.md",))] * 5))
    assert len(looks) == 2


def test_what_was_added_to_the_store_is_found(library: Library, store: MemoryStore) -> None:
    assert library.answer(SearchWords("certificate", 5)) == []
    keep(store, Document("cert.md", "# Certificate\n\nRotate it.\n"))
    assert [hit.document_id for hit in library.answer(SearchWords("certificate", 5))] == ["cert.md"]
    assert library.answer(Resolve("cert.md", "disk.md")).document_id == "cert.md"


def test_what_was_removed_from_the_store_is_not(library: Library, store: MemoryStore) -> None:
    assert library.answer(Resolve("queue.md", "disk.md")).state is LinkState.FOUND
    store.write(gone=[row.unit.id for row in rows_of(store, "queue.md")])
    assert library.answer(Resolve("queue.md", "disk.md")).state is LinkState.DANGLING
    assert library.answer(SearchWords("watch", 5)) == []


def test_an_index_in_step_is_all_that_is_read(store: MemoryStore, tmp_path: Path) -> None:
    """But for one document, to see whether the store is embedded as it will be asked; and no id."""
    before = SqliteLexicalIndex(tmp_path / "words.sqlite3")
    Library(store, Letters(), before).refresh()
    before.close()
    opened = Unread()
    opened.rows = store.rows
    library = Library(opened, Letters(), SqliteLexicalIndex(tmp_path / "words.sqlite3"))
    assert [hit.document_id for hit in library.answer(SearchWords("watch", 5))] == ["queue.md"]
    assert library.answer(Resolve("Queue backlog", "disk.md")).document_id == "queue.md"


def test_a_store_without_units_says_what_to_do_once_and_finds_nothing(store: MemoryStore) -> None:
    library = Library(MemoryStore(), Letters())
    with pytest.warns(UserWarning, match="has no logic units, so nothing is found; split documents with"):
        assert library.run(retrieve("Watch the queue")) == []
    assert library.run(retrieve("Watch the queue")) == []
    library.store.write(*zip(*((row.unit, row.vector) for row in rows_of(store, "queue.md")), strict=True))
    assert library.run(retrieve("Watch the queue"))


def test_what_is_no_request_is_refused(library: Library) -> None:
    with pytest.raises(TypeError, match="not a request of a plan: 'disk'"):
        library.answer("disk")  # type: ignore[arg-type]


class TestComplaint:
    def test_there_is_none_where_headers_were_embedded_so(self, library: Library) -> None:
        assert library.complaint() == ""

    def test_there_is_none_about_an_empty_store(self) -> None:
        assert Library(MemoryStore(), Letters()).complaint() == ""

    def test_vectors_of_whole_texts_are_named_however_like_headers_some_are(self) -> None:
        store, embedder = MemoryStore(), Letters()
        brief = Document("a.md", "# Disk full\n\nRun df.\n")
        units = [unit for document in (brief, DISK, QUEUE) for unit in RuleExtractor().extract(document).units]
        store.write(units, embedder.embed([layout.row_text(unit) for unit in units]))
        for words in (None, SqliteLexicalIndex()):
            assert "those of whole texts" in Library(store, embedder, words).complaint()
        keep(store, Document("b.md", "# Certificate\n\nRotate it.\n"))
        assert "those of whole texts" in Library(store, embedder).complaint()

    def test_few_rows_tell_of_many(self) -> None:
        store, embedder = MemoryStore(), Letters()
        keep(store, *(Document(f"{n}.md", f"# Pump {n}\n\n1. Open {n}.\n2. Close {n}.\n") for n in range(90)))
        assert Library(store, embedder).complaint() == ""
        assert [len(texts) for texts in embedder.embedded] == [5]


class TestFirstLook:
    """What is wrong with the embeddings is said when the store is first read."""

    def test_vectors_of_another_length_are_refused(self, store: MemoryStore) -> None:
        library = Library(store, Short())
        for request in (SearchHeaders("disk", 1), SearchWords("disk", 1), Resolve("queue.md", "disk.md")):
            with pytest.raises(BadStore, match="open it with the embedding that it was written with"):
                library.answer(request)

    def test_vectors_of_another_model_are_warned_about_once(self, store: MemoryStore) -> None:
        library = Library(store, Reversed())
        with pytest.warns(UserWarning, match="another model, or other texts were embedded"):
            library.refresh()
        keep(store, Document("cert.md", "# Certificate\n\nRotate it.\n"))
        assert [hit.document_id for hit in library.answer(SearchWords("certificate", 5))] == ["cert.md"]

    def test_a_store_that_was_emptied_says_so(self, library: Library, store: MemoryStore) -> None:
        library.refresh()
        store.write(gone=store.ids())
        with pytest.warns(UserWarning, match="has no logic units"):
            assert library.answer(SearchWords("watch", 5)) == []


class SlowStore(MemoryStore):
    """A look at all its ids takes half a second, by its own clock, and may be stopped in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.looks = 0
        self.looking, self.go_on = Event(), Event()
        self.go_on.set()

    def version(self) -> str:
        self.looks += 1
        self.now += 0.5
        self.looking.set()
        assert self.go_on.wait(60)
        return super().version()


class TestLargeStore:
    """One of more than `FEW` units is looked at as a whole at times only."""

    @pytest.fixture
    def store(self, monkeypatch: pytest.MonkeyPatch) -> SlowStore:
        monkeypatch.setattr("thread_core.store.library.FEW", 1)
        found = SlowStore()
        keep(found, DISK, QUEUE)
        return found

    @pytest.fixture
    def library(self, store: SlowStore, tmp_path: Path) -> Library:
        index = SqliteLexicalIndex(tmp_path / "words.sqlite3")
        library = Library(store, Letters(), index, clock=lambda: store.now)
        library.refresh()
        return library

    CERTIFICATE = Document("cert.md", "# Certificate\n\nRotate it.\n")

    def knows(self, library: Library) -> bool:
        """Whether the certificate is found by its words and by its name."""
        by_words = bool(library.answer(SearchWords("certificate", 5)))
        assert library.answer(Resolve("certificate", "disk.md")).leads is by_words
        return by_words

    def test_what_others_write_is_known_after_twenty_times_as_long_as_a_look_takes(
        self, library: Library, store: SlowStore
    ) -> None:
        keep(store, self.CERTIFICATE)
        store.now += 9.9
        assert (self.knows(library), store.looks) == (False, 1)
        store.now += 0.1
        assert (self.knows(library), store.looks) == (True, 2)

    def test_headers_and_documents_are_read_as_they_are(self, library: Library, store: SlowStore) -> None:
        keep(store, self.CERTIFICATE)
        store.write(gone=[row.unit.id for row in rows_of(store, "queue.md")])
        assert library.answer(SearchHeaders("Certificate: Rotate it", 1))[0].document_id == "cert.md"
        assert [hit.document_id for hit in library.answer(SearchWords("watch", 5))] == ["queue.md"]
        assert {one.unit.document_id for one in library.run(retrieve("Watch the queue"))} == {"cert.md", "disk.md"}

    def test_what_is_written_to_the_same_words_is_known_at_once(
        self, library: Library, store: SlowStore, tmp_path: Path
    ) -> None:
        keep(store, self.CERTIFICATE)
        ingest = SqliteLexicalIndex(tmp_path / "words.sqlite3")
        ingest.update([[row.unit for row in rows_of(store, "cert.md")]])
        assert (self.knows(library), store.looks) == (True, 1)

    def test_libraries_that_are_made_of_one_another_look_together(self, library: Library, store: SlowStore) -> None:
        store.now += 10
        for other in (library.within({"team": "storage"}), library.with_models(ModelAccess({})), library):
            other.refresh()
        assert store.looks == 2

    def test_others_go_on_while_one_looks(self, library: Library, store: SlowStore) -> None:
        keep(store, self.CERTIFICATE)
        store.now += 10
        store.looking.clear()
        store.go_on.clear()
        with ThreadPoolExecutor(1) as pool:
            looking = pool.submit(self.knows, library)
            assert store.looking.wait(60)
            assert (self.knows(library), store.looks) == (False, 2)
            store.go_on.set()
            assert looking.result()


@pytest.mark.parametrize(("seconds", "looks"), [(0.9, 3), (1.1, 1)])
def test_few_units_are_looked_at_each_time_unless_that_takes_long(
    store: MemoryStore, seconds: float, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other rows of a collection may be many."""
    taken: list[float] = []
    version = store.version
    monkeypatch.setattr(store, "version", lambda: taken.append(seconds) or version())
    library = Library(store, Letters(), clock=lambda: sum(taken))
    for _ in range(3):
        library.refresh()
    assert len(taken) == looks


def test_threads_may_search_while_the_store_changes(library: Library, store: MemoryStore) -> None:
    def ask(number: int) -> list[str]:
        if number % 10 == 0:
            keep(store, Document(f"new{number}.md", f"# Certificate {number}\n\nRotate it.\n"))
        return [hit.document_id for hit in library.answer(SearchWords("watch", 5))]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(60)))
    assert found == [["queue.md"]] * 60
    assert len(library.answer(SearchWords("certificate", 50))) == 6


def test_who_waits_for_a_look_that_fails_does_not_look_again(
    library: Library, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, waits = [], Event()
    join = _Looks.join

    def joined(self: _Looks, look: Any) -> Any:
        other = join(self, look)
        if other is not None:
            waits.set()
        return other

    def version() -> str:
        looks.append("one")
        waits.wait()
        raise BadStore("the server did not answer in time")

    monkeypatch.setattr(_Looks, "join", joined)
    monkeypatch.setattr(store, "version", version)
    with ThreadPoolExecutor(2) as pool:
        ended = [pool.submit(library.refresh) for _ in range(2)]
        errors = {str(one.exception()) for one in ended}
    assert (errors, looks) == ({"the server did not answer in time"}, ["one"])
    monkeypatch.undo()
    library.refresh()
