from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.lexical import SqliteLexicalIndex

DISK = "# Disk full\n\n## Fix\n\nFree some space with `journalctl`.\n"
QUEUE = "# Queue backlog\n\n## Fix\n\nIf KubePodNotReady fires, the disk may be full too.\n"


def units(*texts: str) -> list[LogicUnit]:
    documents = [Document(f"{number}.md", text) for number, text in enumerate(texts)]
    return [unit for document in documents for unit in RuleExtractor().extract(document).units]


def pages(*texts: str) -> Iterator[list[LogicUnit]]:
    yield from ([unit] for unit in units(*texts))


@pytest.fixture
def index() -> Iterator[SqliteLexicalIndex]:
    found = SqliteLexicalIndex()
    yield found
    found.close()


def documents(index: SqliteLexicalIndex, words: str, k: int = 5) -> list[str]:
    return [hit.document_id for hit in index.search(words, k)]


def test_words_in_the_header_count_more(index: SqliteLexicalIndex) -> None:
    index.fill(pages(QUEUE, DISK), "1")
    assert documents(index, "disk full") == ["1.md", "0.md"]


def test_a_hit_names_its_unit_and_better_ones_have_higher_scores(index: SqliteLexicalIndex) -> None:
    index.fill(pages(QUEUE, DISK), "1")
    queue, disk = units(QUEUE, DISK)
    first, second = index.search("disk full", 5)
    assert (first.unit_id, second.unit_id) == (disk.id, queue.id)
    assert first.score > second.score > 0


@pytest.mark.parametrize("words", ["journalctl", "JOURNALCTL?", "freeing the spaces", 'space "AND" (x*'])
def test_a_unit_is_found_by_any_of_its_words(index: SqliteLexicalIndex, words: str) -> None:
    index.fill(pages(DISK), "1")
    assert documents(index, words) == ["0.md"]


@pytest.mark.parametrize("words", ["KubePodNotReady", "pod ready", "kubepodnotready"])
def test_a_name_is_found_whole_and_by_its_parts(index: SqliteLexicalIndex, words: str) -> None:
    index.fill(pages(DISK, QUEUE), "1")
    assert documents(index, words) == ["1.md"]


@pytest.mark.parametrize(
    "words",
    ["", "the of", "certificate", '"', "a:b NEAR(", "\ud800", "²", "x\x00y", "NOT *", "a AND (b* NEAR", "^- {z}"],
)
def test_nothing_is_found_where_no_word_is_known(index: SqliteLexicalIndex, words: str) -> None:
    index.fill(pages(DISK), "1")
    assert index.search(words, 5) == []


def test_a_question_may_be_as_long_as_a_log(index: SqliteLexicalIndex) -> None:
    index.fill(pages(DISK), "1")
    assert documents(index, " ".join(f"word{number}" for number in range(5000)) + " journalctl") == ["0.md"]


def test_no_more_than_k_are_found(index: SqliteLexicalIndex) -> None:
    index.fill(pages(*[DISK] * 5), "1")
    assert [len(index.search("disk", k)) for k in (0, 1, 3, 9)] == [0, 1, 3, 5]


def test_a_fill_replaces_what_was_there(index: SqliteLexicalIndex) -> None:
    index.fill(pages(DISK), "1")
    index.fill(pages(QUEUE), "2")
    assert (documents(index, "journalctl"), documents(index, "queue"), index.version()) == ([], ["0.md"], "2")


def test_a_fill_that_fails_leaves_what_was_there(index: SqliteLexicalIndex) -> None:
    def failing() -> Iterator[list[LogicUnit]]:
        yield units(QUEUE)
        raise OSError("the store went away")

    index.fill(pages(DISK), "1")
    with pytest.raises(OSError, match="went away"):
        index.fill(failing(), "2")
    assert (documents(index, "journalctl"), documents(index, "queue"), index.version()) == (["0.md"], [], "1")


def test_an_index_that_was_never_filled_has_no_version(index: SqliteLexicalIndex) -> None:
    assert (index.version(), index.search("disk", 5)) == ("", [])


def test_an_index_with_a_path_outlives_its_process(tmp_path: Path) -> None:
    first = SqliteLexicalIndex(tmp_path / "words.sqlite")
    first.fill(pages(DISK), "1")
    first.close()
    second = SqliteLexicalIndex(str(tmp_path / "words.sqlite"))
    assert (second.version(), documents(second, "disk")) == ("1", ["0.md"])
    second.close()


def test_threads_may_share_it(index: SqliteLexicalIndex) -> None:
    index.fill(pages(DISK, QUEUE), "1")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: documents(index, "journalctl"), range(64)))
    assert found == [["0.md"]] * 64
