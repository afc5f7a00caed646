from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from thread_core import Document, RuleExtractor, default_embedding
from thread_core.errors import BadDocument, BadIndex, BadStore, BudgetSpent
from thread_core.extraction.fidelity import Extraction
from thread_core.ingest import IngestReport, ThreadIngest, intake, run
from thread_core.linking import LinkState
from thread_core.models import LogicUnit
from thread_core.ports import DocumentNames, Vector, Where, rows_of
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.library import Library
from thread_core.store.versioning import version_of
from thread_core.testing.store import MemoryStore

DISK = Document(
    "disk.md",
    "# Disk full\n\n1. Look at the disk.\n\n## Grow it\n\nFollow [the volume guide](volume.md) or [logs](logs.md).\n",
)
VOLUME = Document("volume.md", "# Volume\n\n1. Grow it. See <https://example.com/grow>.\n")


class CountingEmbedder:
    """The default embedding; notes every text that it is given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.texts += texts
        return default_embedding().embed(texts)

    def embed_query(self, text: str) -> list[float]:
        return self.embed([text])[0]


class NotingStore(MemoryStore):
    """Notes what is written, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, int]] = []

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        self._note("write", len(units) + len(moved) + len(gone))
        super().write(units, vectors, moved=moved, gone=gone)

    def _note(self, call: str, rows: int) -> None:
        if rows:
            self.calls.append((call, rows))


def take_in(store: MemoryStore, *documents: Document) -> IngestReport:
    return ThreadIngest(store, default_embedding(), words=SqliteLexicalIndex()).run(documents)


def edited(document: Document, old: str, new: str) -> Document:
    assert old in document.text
    return document.model_copy(update={"text": document.text.replace(old, new)})


def units_of(store: MemoryStore, document: Document) -> list[LogicUnit]:
    return [stored.unit for stored in rows_of(store, document.id)]


def test_the_store_holds_what_was_extracted() -> None:
    store = MemoryStore()
    summary = take_in(store, DISK, VOLUME)
    for document in (DISK, VOLUME):
        assert units_of(store, document) == list(RuleExtractor().extract(document).units)
    assert summary.added == sum(summary.units.values()) == len(store.ids())
    assert (summary.moved, summary.removed, summary.failures) == (0, 0, ())
    assert summary.coverage == 1.0


def test_links_are_judged_when_all_documents_are_there() -> None:
    summary = take_in(MemoryStore(), DISK, VOLUME)
    assert summary.links[LinkState.FOUND] == 1
    assert summary.links[LinkState.DANGLING] == 1
    assert [str(broken) for broken in summary.broken] == ["disk.md:7: logs.md leads to no document of this store"]


def test_a_link_to_a_section_that_is_not_there_is_dangling() -> None:
    text = (
        "# Disk\n\n1. If it is red, see [this](#gone).\n2. If it is green, see [that](#grow).\n\n## Grow\n\n1. Grow.\n"
    )
    document = Document("a.md", text)
    store = MemoryStore()
    report = take_in(store, document)
    assert report.links == {LinkState.DANGLING: 1}
    assert [str(broken) for broken in report.broken] == ["a.md:3: #gone is no section of this document"]
    mended = take_in(store, edited(document, "#gone", "#grow"))
    assert (mended.links, mended.broken, mended.newly_dangling) == ({}, (), ())


def test_links_to_documents_of_an_earlier_run_are_found() -> None:
    store = MemoryStore()
    take_in(store, VOLUME)
    assert take_in(store, DISK).links[LinkState.FOUND] == 1


def test_the_same_again_changes_nothing_and_embeds_nothing() -> None:
    store, embedder = NotingStore(), CountingEmbedder()
    first = ThreadIngest(store, embedder, words=SqliteLexicalIndex()).run([DISK, VOLUME])
    store.calls.clear()
    embedder.texts.clear()
    second = ThreadIngest(store, embedder, words=SqliteLexicalIndex()).run([DISK, VOLUME])
    assert not second.changed
    assert store.calls == []
    assert len(embedder.texts) == 3, "stored headers are embedded again to see that the embedding is the store's"
    assert (second.units, second.links, second.broken) == (first.units, first.links, first.broken)


def test_an_edit_replaces_what_it_changed() -> None:
    store, embedder = NotingStore(), CountingEmbedder()
    ThreadIngest(store, embedder, words=SqliteLexicalIndex()).run([DISK, VOLUME])
    store.calls.clear()
    embedder.texts.clear()
    changed = edited(DISK, "Look at the disk.", "Look at the big disk.")
    summary = ThreadIngest(store, embedder, words=SqliteLexicalIndex()).run([changed])
    assert (summary.added, summary.removed) == (1, 1)
    assert store.calls == [("write", 2)], "one write"
    assert [text for text in embedder.texts if "big disk" in text], "only the new unit is embedded"
    assert len(embedder.texts) == 1 + 3, "and stored headers again, to see that the embedding is the store's"
    assert units_of(store, changed) == list(RuleExtractor().extract(changed).units)
    assert units_of(store, VOLUME) == list(RuleExtractor().extract(VOLUME).units)


def test_a_new_body_under_an_old_header_costs_no_embedding() -> None:
    store, embedder = NotingStore(), CountingEmbedder()
    two_lines = Document("disk.md", "# Disk full\n\n1. Look at the disk.\n\n   Then wait.\n")
    ThreadIngest(store, embedder, words=SqliteLexicalIndex()).run([two_lines, VOLUME])
    before = {stored.unit.header: stored.vector for stored in rows_of(store, "disk.md")}
    embedder.texts.clear()
    changed = edited(two_lines, "Then wait.", "Then wait a minute.")
    summary = ThreadIngest(store, embedder, words=SqliteLexicalIndex()).run([changed, VOLUME])
    assert (summary.added, summary.removed) == (1, 1)
    assert len(embedder.texts) == 2, "stored headers are embedded again to see that the embedding is the store's"
    assert {stored.unit.header: stored.vector for stored in rows_of(store, "disk.md")} == before
    assert units_of(store, changed) == list(RuleExtractor().extract(changed).units)


def test_a_run_that_ends_early_takes_in_what_it_had_and_names_the_others() -> None:
    class Ending:
        def attempt_all(self, documents: Iterable[Document], concurrency: int) -> Iterator[Extraction | BadDocument]:
            disk, volume, _ = documents
            yield BadDocument(disk.id, "no reply")
            yield RuleExtractor().extract(volume)
            raise BudgetSpent("the budget ends here")

    store = MemoryStore()
    third = VOLUME.model_copy(update={"id": "third.md"})
    summary = ThreadIngest(store, default_embedding(), extractor=Ending()).run([DISK, VOLUME, third])
    assert units_of(store, VOLUME) == list(RuleExtractor().extract(VOLUME).units)
    assert [str(failure) for failure in summary.failures] == ["disk.md: no reply"]
    assert (summary.left, summary.stopped) == (("third.md",), "the budget ends here")


def test_lines_that_moved_cost_no_embedding() -> None:
    store, embedder = NotingStore(), CountingEmbedder()
    ThreadIngest(store, embedder, words=SqliteLexicalIndex()).run([DISK])
    store.calls.clear()
    embedder.texts.clear()
    lower = edited(DISK, "# Disk full\n", "# Disk full\n\n\n\n")
    summary = ThreadIngest(store, embedder, words=SqliteLexicalIndex()).run([lower])
    assert (summary.added, summary.removed) == (0, 0)
    assert store.calls == [("write", summary.moved)]
    assert len(embedder.texts) == 2, "stored headers are embedded again to see that the embedding is the store's"
    assert units_of(store, lower) == list(RuleExtractor().extract(lower).units)


class TestWords:
    """They go along with the store."""

    class Store(NotingStore):
        def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
            self._note("get", len(ids))
            return super().get(ids, where)

    def test_they_are_in_step_and_no_unit_is_read_for_them(self) -> None:
        store, words = self.Store(), SqliteLexicalIndex()
        for documents in ([DISK, VOLUME], [edited(DISK, "Look at", "Stare at")], [VOLUME]):
            ThreadIngest(store, default_embedding(), words=words).run(documents)
            assert (words.ids(), words.version()) == (set(store.ids()), store.version())
        assert [hit.document_id for hit in words.search("stare", 5)] == ["disk.md"]
        assert words.search("look", 5) == []
        # The unit whose link dangles is read, for the report.
        assert [rows for call, rows in store.calls if call == "get"] == [1, 1]

    def test_they_are_made_where_they_were_missing(self) -> None:
        store, words = MemoryStore(), SqliteLexicalIndex()
        take_in(store, DISK)
        ThreadIngest(store, default_embedding(), words=words).run([VOLUME])
        assert (words.ids(), words.version()) == (set(store.ids()), store.version())

    def test_where_they_were_behind_their_version_says_so_and_a_reader_mends_them(self) -> None:
        store, words = MemoryStore(), SqliteLexicalIndex()
        ThreadIngest(store, default_embedding(), words=words).run([VOLUME])
        take_in(store, DISK)
        ThreadIngest(store, default_embedding(), words=words).run([edited(VOLUME, "Grow it.", "Shrink it.")])
        assert words.version() == version_of(words.ids()) != store.version()
        Library(store, default_embedding(), words).refresh()
        assert (words.ids(), words.version()) == (set(store.ids()), store.version())

    def test_a_new_name_is_known_even_where_all_units_stay(self) -> None:
        store, words = MemoryStore(), SqliteLexicalIndex()
        ThreadIngest(store, default_embedding(), words=words).run([VOLUME.model_copy(update={"title": "Volume guide"})])
        renamed = edited(VOLUME, "# Volume\n", "# Grow a volume\n").model_copy(update={"title": "Volume guide"})
        summary = ThreadIngest(store, default_embedding(), words=words).run([renamed])
        assert (summary.added, summary.removed) == (0, 0)
        assert [*words.names()] == [DocumentNames("volume.md", "Volume guide", ("Grow a volume",))]

    def test_they_are_written_before_the_store_is_touched(self) -> None:
        """So a file that cannot be written leaves both as they were."""

        class Full(SqliteLexicalIndex):
            def update(self, *values: object) -> None:
                raise BadIndex("the disk is full")

        store = NotingStore()
        with pytest.raises(BadIndex):
            ThreadIngest(store, default_embedding(), words=Full()).run([DISK])
        assert store.calls == []

    @pytest.mark.parametrize("when", ["before", "after"])
    def test_after_a_run_that_was_killed_a_reader_mends_them(self, when: str, monkeypatch: pytest.MonkeyPatch) -> None:
        store, words = MemoryStore(), SqliteLexicalIndex()
        ThreadIngest(store, default_embedding(), words=words).run([DISK, VOLUME])
        changed = edited(edited(DISK, "Look", "Stare"), "# Disk full\n", "# Disk full\n\n")
        with killing(store, when, monkeypatch):
            ThreadIngest(store, default_embedding(), words=words).run([changed, VOLUME])
        assert (words.version() == store.version()) is (when == "after")
        Library(store, default_embedding(), words).refresh()
        assert (words.ids(), words.version()) == (set(store.ids()), store.version())


class Killed(BaseException):
    """No `except Exception` may catch it: the process is gone."""


@contextmanager
def killing(store: MemoryStore, when: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process ends where it writes into the store, before that or after it."""
    do = store.write

    def killed(*values: Any, **named: Any) -> None:
        if when == "after":
            do(*values, **named)
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(store, "write", killed)
        yield


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_that_was_killed_is_completed_by_the_next(when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    take_in(store, DISK, VOLUME)
    changed = edited(edited(DISK, "Look", "Stare"), "# Disk full\n", "# Disk full\n\n")
    with killing(store, when, monkeypatch):
        take_in(store, changed, VOLUME)
    present = {unit.body for unit in units_of(store, DISK)}
    assert any("Look at" in body for body in present) or any("Stare at" in body for body in present)
    take_in(store, changed, VOLUME)
    assert units_of(store, changed) == list(RuleExtractor().extract(changed).units)


def test_many_documents_are_written_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BATCH", 3)
    store = NotingStore()
    documents = [VOLUME.model_copy(update={"id": f"volume-{number}.md"}) for number in range(10)]
    summary = take_in(store, *documents)
    assert summary.added == sum(rows for _, rows in store.calls) == len(store.ids())
    assert len(store.calls) > 1
    assert len(summary.reports) == 10


def test_a_document_that_cannot_be_taken_apart_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    extract = RuleExtractor.extract

    def stumbling(self: RuleExtractor, document: Document) -> object:
        if document.id == "disk.md":
            raise KeyError("odd")
        return extract(self, document)

    monkeypatch.setattr(RuleExtractor, "extract", stumbling)
    store = MemoryStore()
    summary = take_in(store, DISK, VOLUME)
    assert [str(failure) for failure in summary.failures] == [
        "disk.md: could not be taken apart (KeyError: 'odd'); please report this"
    ]
    assert units_of(store, VOLUME) and not units_of(store, DISK)


def test_a_store_of_another_embedding_is_left_alone() -> None:
    store = MemoryStore()
    [unit, *_] = RuleExtractor().extract(VOLUME).units
    store.write([unit], [(0.0, 1.0)])
    with pytest.raises(BadStore, match="2 dimensions"):
        take_in(store, DISK)
    assert units_of(store, DISK) == []


def test_chains_are_merged_on_demand_and_taken_apart_again() -> None:
    words = "Turn the wheel and wait until the needle of its gauge stands still. " * 8
    document = Document("start.md", "# Start\n\n" + "\n\n".join(f"{number}. {words}" for number in (1, 2, 3)))
    store, lexical = MemoryStore(), SqliteLexicalIndex()
    summary = ThreadIngest(store, default_embedding(), words=lexical, merge_chains=2000).run([document])
    assert [unit.steps for unit in units_of(store, document)] == [(1, 2, 3)]
    assert [len(merge.units) for merge in summary.merges] == [3]
    ThreadIngest(store, default_embedding(), words=lexical).run([document])
    assert [unit.steps for unit in units_of(store, document)] == [(1,), (2,), (3,)]


class AskedStore(MemoryStore):
    """Notes of how many documents the ids were asked for; -1 for those of all."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        self.asked.append(-1 if document_ids is None else len(document_ids))
        return super().ids(document_ids)


def test_many_unchanged_documents_cost_one_look_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "WINDOW", 3)
    guides = [Document(f"{number}.md", f"# Guide {number}\n\n1. Look.\n") for number in range(12)]
    store = AskedStore()
    ingest = ThreadIngest(store, default_embedding())
    ingest.run(guides)
    store.asked.clear()
    assert ingest.run(guides).unchanged == 12
    assert store.asked == [3, -1]
    store.write(gone=store.ids(["7.md"]))
    store.asked.clear()
    report = ingest.run(guides)
    assert (report.unchanged, report.added) == (11, 1)
    assert store.asked[:3] == [3, -1, 3]
