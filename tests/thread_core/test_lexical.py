from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from thread_core import Document, LogicUnit, RuleExtractor, lexical
from thread_core.lexical import SqliteLexicalIndex, bring_into_step
from thread_core.ports import DocumentNames
from thread_core.testing.store import MemoryStore

DISK = "# Disk full\n\n## Fix\n\nFree some space with `journalctl`.\n"
QUEUE = "# Queue backlog\n\n## Fix\n\nIf KubePodNotReady fires, the disk may be full too.\n"


def units(*texts: str, document: str = "") -> list[LogicUnit]:
    documents = [Document(f"{document}{number}.md", text) for number, text in enumerate(texts)]
    return [unit for document in documents for unit in RuleExtractor().extract(document).units]


def pages(*texts: str) -> Iterator[list[LogicUnit]]:
    yield from ([unit] for unit in units(*texts))


def keep(store: MemoryStore, some: list[LogicUnit]) -> None:
    store.upsert(some, [(1.0, 0.0)] * len(some))


@pytest.fixture
def index() -> Iterator[SqliteLexicalIndex]:
    found = SqliteLexicalIndex()
    yield found
    found.close()


def documents(index: SqliteLexicalIndex, words: str, k: int = 5) -> list[str]:
    return [hit.document_id for hit in index.search(words, k)]


def test_words_in_the_header_count_more(index: SqliteLexicalIndex) -> None:
    index.update(pages(QUEUE, DISK), (), "1")
    assert documents(index, "disk full") == ["1.md", "0.md"]


def test_a_hit_names_its_unit_and_better_ones_have_higher_scores(index: SqliteLexicalIndex) -> None:
    index.update(pages(QUEUE, DISK), (), "1")
    queue, disk = units(QUEUE, DISK)
    first, second = index.search("disk full", 5)
    assert (first.unit_id, second.unit_id) == (disk.id, queue.id)
    assert first.score > second.score > 0


@pytest.mark.parametrize("words", ["journalctl", "JOURNALCTL?", "freeing the spaces", 'space "AND" (x*'])
def test_a_unit_is_found_by_any_of_its_words(index: SqliteLexicalIndex, words: str) -> None:
    index.update(pages(DISK), (), "1")
    assert documents(index, words) == ["0.md"]


@pytest.mark.parametrize("words", ["KubePodNotReady", "pod ready", "kubepodnotready"])
def test_a_name_is_found_whole_and_by_its_parts(index: SqliteLexicalIndex, words: str) -> None:
    index.update(pages(DISK, QUEUE), (), "1")
    assert documents(index, words) == ["1.md"]


@pytest.mark.parametrize(
    "words",
    ["", "the of", "certificate", '"', "a:b NEAR(", "\ud800", "²", "x\x00y", "NOT *", "a AND (b* NEAR", "^- {z}"],
)
def test_nothing_is_found_where_no_word_is_known(index: SqliteLexicalIndex, words: str) -> None:
    index.update(pages(DISK), (), "1")
    assert index.search(words, 5) == []


def test_a_question_may_be_as_long_as_a_log(index: SqliteLexicalIndex) -> None:
    index.update(pages(DISK), (), "1")
    assert documents(index, " ".join(f"word{number}" for number in range(5000)) + " journalctl") == ["0.md"]


def test_no_more_than_k_are_found(index: SqliteLexicalIndex) -> None:
    index.update(pages(*[DISK] * 5), (), "1")
    assert [len(index.search("disk", k)) for k in (0, 1, 3, 9)] == [0, 1, 3, 5]


def test_what_is_added_and_removed_is_found_or_not(index: SqliteLexicalIndex) -> None:
    [disk], [queue] = units(DISK), units(QUEUE)
    index.update([[disk]], (), "1")
    index.update([[queue]], [disk.id, "nobody"], "2")
    assert (documents(index, "journalctl"), documents(index, "queue")) == ([], ["0.md"])
    assert (index.ids(), index.version()) == ({queue.id}, "2")


def test_an_index_that_grew_ranks_like_one_made_at_once(index: SqliteLexicalIndex) -> None:
    kept, gone = units(DISK, QUEUE, DISK), units("# Certificate\n\nRotate the disk.\n", document="cert")
    at_once = SqliteLexicalIndex()
    at_once.update([kept], (), "1")
    for unit in (*gone, *reversed(kept)):
        index.update([[unit]], (), "")
    index.update((), [unit.id for unit in gone], "1")
    assert index.search("disk full", 5) == at_once.search("disk full", 5) != []
    at_once.close()


def test_a_unit_that_is_held_counts_once(index: SqliteLexicalIndex) -> None:
    for version in "12":
        index.update(pages(DISK, QUEUE), (), version)
    assert documents(index, "disk full") == ["0.md", "1.md"]


def test_an_update_that_fails_leaves_what_was_there(index: SqliteLexicalIndex) -> None:
    def failing() -> Iterator[list[LogicUnit]]:
        yield units(QUEUE)
        raise OSError("the store went away")

    index.update(pages(DISK), (), "1")
    with pytest.raises(OSError, match="went away"):
        index.update(failing(), index.ids(), "2")
    assert (documents(index, "journalctl"), documents(index, "queue"), index.version()) == (["0.md"], [], "1")


def test_nothing_is_taken_in_twice_for_one_version(index: SqliteLexicalIndex) -> None:
    """Two processes that find the same file out of step: the second one waits for the first, and reads nothing."""

    def unread() -> Iterator[list[LogicUnit]]:
        raise AssertionError("read")
        yield

    index.update(pages(DISK), (), "1")
    index.update(unread(), index.ids(), "1")
    assert documents(index, "disk") == ["0.md"]


def test_an_index_that_was_never_filled_has_no_version(index: SqliteLexicalIndex) -> None:
    assert (index.version(), index.ids(), index.names(), index.search("disk", 5)) == ("", set(), [], [])


def test_an_index_with_a_path_outlives_its_process(tmp_path: Path) -> None:
    first = SqliteLexicalIndex(tmp_path / "words.sqlite")
    first.update(pages(DISK), (), "1")
    first.close()
    second = SqliteLexicalIndex(str(tmp_path / "words.sqlite"))
    assert (second.version(), documents(second, "disk")) == ("1", ["0.md"])
    second.close()


def test_threads_may_share_it(index: SqliteLexicalIndex) -> None:
    index.update(pages(DISK, QUEUE), (), "1")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: documents(index, "journalctl"), range(64)))
    assert found == [["0.md"]] * 64


class TestNames:
    """What documents may call each other."""

    TITLED = "---\ntitle: Free some space\n---\n# Disk full\n\n## Look\n\nRun df.\n"

    def test_every_document_has_its_own(self, index: SqliteLexicalIndex) -> None:
        index.update(pages(self.TITLED, QUEUE), (), "1")
        assert index.names() == [
            DocumentNames("0.md", "Disk full", ("Free some space",)),
            DocumentNames("1.md", "Queue backlog", ()),
        ]

    def test_they_go_with_the_last_unit(self, index: SqliteLexicalIndex) -> None:
        first, *others = units(self.TITLED)
        index.update([[first, *others]], (), "1")
        index.update((), [unit.id for unit in others], "2")
        assert [names.document_id for names in index.names()] == ["0.md"]
        index.update((), [first.id], "3")
        assert index.names() == []

    def test_they_may_change_while_the_units_stay(self, index: SqliteLexicalIndex) -> None:
        [disk] = units(DISK)
        index.update([[disk]], (), "1")
        index.update([[disk.model_copy(update={"aliases": ("KB 17",)})]], (), "2")
        assert index.names() == [DocumentNames("0.md", "Disk full", ("KB 17",))]
        assert documents(index, "disk") == ["0.md"]


class CountingStore(MemoryStore):
    """Notes how many units are read."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0

    def get(self, ids: Sequence[str]) -> list[LogicUnit]:
        found = super().get(ids)
        self.read += len(found)
        return found

    def pages(self, size: int = 5000) -> Iterator[list[LogicUnit]]:
        raise AssertionError("nobody needs all units at once")


class TestStep:
    """`bring_into_step` reads what an index lacks, and no more."""

    @pytest.fixture
    def store(self) -> CountingStore:
        found = CountingStore()
        keep(found, units(DISK, QUEUE))
        return found

    def test_an_empty_index_takes_everything_in(self, index: SqliteLexicalIndex, store: CountingStore) -> None:
        bring_into_step(index, store, store.version())
        assert (index.ids(), index.version(), store.read) == (set(store.ids()), store.version(), 2)

    def test_an_index_in_step_reads_nothing(self, index: SqliteLexicalIndex, store: CountingStore) -> None:
        for _ in range(2):
            bring_into_step(index, store, store.version())
        assert store.read == 2

    def test_only_what_changed_is_read(self, index: SqliteLexicalIndex, store: CountingStore) -> None:
        bring_into_step(index, store, store.version())
        keep(store, units("# Certificate\n\nRotate it.\n", document="cert"))
        store.delete([unit.id for unit in units(DISK)])
        bring_into_step(index, store, store.version())
        assert (index.ids(), index.version(), store.read) == (set(store.ids()), store.version(), 3)
        assert (documents(index, "certificate"), documents(index, "journalctl")) == (["cert0.md"], [])

    def test_an_index_without_a_marker_is_made_good(self, index: SqliteLexicalIndex, store: CountingStore) -> None:
        """As a writer leaves it that was killed: some units too many, some too few."""
        index.update([units(QUEUE, document="gone")], (), "")
        bring_into_step(index, store, store.version())
        assert index.ids() == set(store.ids())

    def test_a_store_that_was_emptied_leaves_nothing(self, index: SqliteLexicalIndex, store: CountingStore) -> None:
        for version in ("", store.version()):
            index.update([units(DISK)], (), version)
            bring_into_step(index, MemoryStore(), "")
            assert (index.ids(), index.version()) == (set(), "")

    def test_many_units_are_read_in_batches(
        self, index: SqliteLexicalIndex, store: CountingStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lexical, "BATCH", 1)
        bring_into_step(index, store, store.version())
        assert index.ids() == set(store.ids())
