from collections.abc import Iterable, Iterator, Sequence

import pytest

from tests.thread_core.ingest.given import Place, edited, fresh
from thread_core import Document, RuleExtractor, default_embedding
from thread_core.errors import BadDocument, BadIndex, BadStore, BudgetSpent
from thread_core.extraction.fidelity import Extraction
from thread_core.ingest import IngestReport, ThreadIngest, intake, run
from thread_core.linking import LinkState
from thread_core.models import LogicUnit
from thread_core.places import place_in
from thread_core.ports import DocumentNames, Where, rows_of
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.library import Library
from thread_core.store.versioning import version_of
from thread_core.testing.store import MemoryStore

DISK = Document(
    "disk.md",
    "# Disk full\n\n1. Look at the disk.\n\n## Grow it\n\nFollow [the volume guide](volume.md) or [logs](logs.md).\n",
)
VOLUME = Document("volume.md", "# Volume\n\n1. Grow it. See <https://example.com/grow>.\n")


def take_in(store: MemoryStore, *documents: Document) -> IngestReport:
    return ThreadIngest(store, default_embedding(), words=SqliteLexicalIndex()).run(documents)


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
    assert [str(broken) for broken in summary.broken] == [
        "disk.md:7: logs.md leads to a document that is not in this store"
    ]


def test_a_label_is_found_in_whichever_document_it_stands() -> None:
    lamp = "# Lamp\n\n1. Look.\n\nIf it hums, see [the lid](##open-lid). If it is dark, see [the lid](##lid-off).\n"
    lid = "# Lid\n\n1. Look.\n\n(open-lid)=\n\n## Open it\n\n1. Turn.\n"
    store = MemoryStore()
    report = take_in(store, Document("a.md", lamp), Document("b.md", lid))
    assert report.links == {LinkState.FOUND: 1, LinkState.DANGLING: 1}
    assert [str(broken) for broken in report.broken] == [
        "a.md:5: #lid-off leads to a document that is not in this store"
    ]
    named = next(
        link.target for link in units_of(store, Document("a.md", lamp))[0].links if link.condition == "it hums"
    )
    goal = place_in(named, units_of(store, Document("b.md", lid))) if named else None
    assert goal is not None
    assert goal.section == ("Open it",)
    gone = take_in(store, Document("a.md", lamp), Document("b.md", lid.replace("(open-lid)=", "")))
    assert len(gone.broken) == 2


def test_a_link_to_a_section_that_is_not_there_is_dangling() -> None:
    text = (
        "# Disk\n\n1. If it is red, see [this](#gone).\n2. If it is green, see [that](#grow).\n\n## Grow\n\n1. Grow.\n"
    )
    document = Document("a.md", text)
    store = MemoryStore()
    report = take_in(store, document)
    assert report.links == {LinkState.DANGLING: 1}
    assert [str(broken) for broken in report.broken] == ["a.md:3: #gone is not a section of this document"]
    mended = take_in(store, edited(document, "#gone", "#grow"))
    assert (mended.links, mended.broken, mended.newly_dangling) == ({}, (), ())


def test_a_run_that_ends_early_takes_in_what_it_had_and_names_the_others() -> None:
    class Ending:
        def attempt_all(self, documents: Iterable[Document], concurrency: int) -> Iterator[Extraction | BadDocument]:
            disk, volume, _ = documents
            yield BadDocument(disk.id, "no reply")
            yield RuleExtractor().extract(volume)
            raise BudgetSpent("the budget is spent")

    store = MemoryStore()
    third = VOLUME.model_copy(update={"id": "third.md"})
    summary = ThreadIngest(store, default_embedding(), extractor=Ending()).run([DISK, VOLUME, third])
    assert units_of(store, VOLUME) == list(RuleExtractor().extract(VOLUME).units)
    assert [str(failure) for failure in summary.failures] == ["disk.md: no reply"]
    assert (summary.left, summary.stopped) == (("third.md",), "the budget is spent")


def test_lines_that_moved_cost_no_embedding() -> None:
    place = fresh(DISK)
    lower = edited(DISK, "# Disk full\n", "# Disk full\n\n\n\n")
    report = place.run(lower)
    assert (report.added, report.removed, report.moved, report.embedded) == (0, 0, 2, 0)
    assert units_of(place.store, lower) == list(RuleExtractor().extract(lower).units)


class TestWords:
    """They go along with the store."""

    def test_they_are_in_step_and_no_unit_is_read_for_them(self, monkeypatch: pytest.MonkeyPatch) -> None:
        place, read = Place(), list[str]()
        get = place.store.get

        def reading(ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
            read.extend(ids)
            return get(ids, where)

        monkeypatch.setattr(place.store, "get", reading)
        for documents in ([DISK, VOLUME], [edited(DISK, "Look at", "Stare at")], [VOLUME]):
            place.run(*documents)
            assert place.is_in_step()
        assert [hit.document_id for hit in place.words.search("stare", 5)] == ["disk.md"]
        assert place.words.search("look", 5) == []
        assert len(read) == 2, "the unit whose link dangles is read, for the report"

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

    def test_where_they_cannot_be_written_the_store_is_not_touched(self) -> None:
        class Full(SqliteLexicalIndex):
            def update(self, *values: object) -> None:
                raise BadIndex("the disk is full")

        place = Place()
        place.words = Full()
        with pytest.raises(BadIndex):
            place.run(DISK)
        assert "write" not in place.store.calls


def test_many_documents_are_written_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BATCH", 3)
    place = fresh(*(VOLUME.model_copy(update={"id": f"volume-{number}.md"}) for number in range(10)))
    assert len(place.store.ids()) == 10
    assert 1 < place.store.calls.count("write") < 10


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


def test_many_unchanged_documents_cost_one_look_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "WINDOW", 3)
    guides = [Document(f"{number}.md", f"# Guide {number}\n\n1. Look.\n") for number in range(12)]
    place = fresh(*guides)
    place.store.calls.clear()
    assert place.run(*guides).unchanged == 12
    assert place.store.calls == ["ids", "all ids"]
    place.store.write(gone=place.store.ids(["7.md"]))
    place.store.calls.clear()
    report = place.run(*guides)
    assert (report.unchanged, report.added) == (11, 1)
    assert place.store.calls[:3] == ["ids", "all ids", "ids"]
