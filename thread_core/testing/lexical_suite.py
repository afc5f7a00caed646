"""What every `LexicalIndex` must do, as tests; a new index's test is a class and a fixture.

Example:
    class TestMyIndex(LexicalIndexSuite):
        @pytest.fixture
        def index(self) -> LexicalIndex:
            return MyIndex()
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from thread_core.extraction.rules import RuleExtractor
from thread_core.models import Document, LogicUnit
from thread_core.ports import DocumentNames, LexicalIndex
from thread_core.store.versioning import version_of

DISK = "# Disk full\n\n## Fix\n\nFree some space with `journalctl`.\n"
QUEUE = "# Queue backlog\n\n## Fix\n\nIf KubePodNotReady fires, the disk may be full too.\n"
TITLED = "---\ntitle: Free some space\n---\n# Disk full\n\n## Look\n\nRun df.\n"


def units(*texts: str, document: str = "") -> list[LogicUnit]:
    """Those of some documents, which are called by their numbers."""
    documents = [Document(f"{document}{number}.md", text) for number, text in enumerate(texts)]
    return [unit for document in documents for unit in RuleExtractor().extract(document).units]


def pages(*texts: str) -> Iterator[list[LogicUnit]]:
    """The same, one after the other."""
    yield from ([unit] for unit in units(*texts))


def documents(index: LexicalIndex, words: str, k: int = 5) -> list[str]:
    """Those of the units that are found."""
    return [hit.document_id for hit in index.search(words, k)]


class LexicalIndexSuite:
    """Inherit, and give a fixture `index` that returns an empty index."""

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("检查打印机墨盒是否安装正确。", "墨盒怎么换"),
            ("プリンターの電源を入れ直してください。", "電源"),
            ("프린터를 다시 시작합니다.", "프린터"),
            ("प्रिंटर को पुनः आरंभ करें।", "प्रिंटर"),
            ("Gerät zurücksetzen", "gera\u0308t"),
            ("ＶＰＮ ８０９", "vpn 809"),
            ("Große Druck\u00adwarteschlange", "druckwarteschlange"),
            ("Grosse Dateien", "große"),
        ],
    )
    def test_words_are_found_in_any_script_and_form(self, index: LexicalIndex, text: str, words: str) -> None:
        index.update(pages(f"# Titel\n\n1. {text}\n", "# Anders\n\n1. Weiter.\n"))
        assert documents(index, words) == ["0.md"]

    def test_part_of_a_letter_finds_nothing(self, index: LexicalIndex) -> None:
        """Vowel signs stand on letters; they part no words."""
        index.update(pages("# Titel\n\n1. प्रिंटर चालू करें।\n"))
        assert documents(index, "टर") == []

    def test_a_hit_names_its_unit_and_better_ones_have_higher_scores(self, index: LexicalIndex) -> None:
        index.update(pages(QUEUE, DISK))
        queue, disk = units(QUEUE, DISK)
        first, second = index.search("disk full", 5)
        assert (first.unit_id, second.unit_id) == (disk.id, queue.id)
        assert first.score > second.score > 0

    @pytest.mark.parametrize("words", ["journalctl", "JOURNALCTL?", "freeing the spaces", 'space "AND" (x*'])
    def test_a_unit_is_found_by_any_of_its_words(self, index: LexicalIndex, words: str) -> None:
        index.update(pages(DISK))
        assert documents(index, words) == ["0.md"]

    @pytest.mark.parametrize("words", ["KubePodNotReady", "pod ready", "kubepodnotready"])
    def test_a_name_is_found_whole_and_by_its_parts(self, index: LexicalIndex, words: str) -> None:
        index.update(pages(DISK, QUEUE))
        assert documents(index, words) == ["1.md"]

    @pytest.mark.parametrize(
        "words",
        ["", "the of", "certificate", '"', "a:b NEAR(", "\ud800", "²", "x\x00y", "NOT *", "a AND (b* NEAR", "^- {z}"],
    )
    def test_nothing_is_found_where_no_word_is_known(self, index: LexicalIndex, words: str) -> None:
        index.update(pages(DISK))
        assert index.search(words, 5) == []

    def test_a_question_may_be_as_long_as_a_log(self, index: LexicalIndex) -> None:
        index.update(pages(DISK))
        assert documents(index, " ".join(f"word{number}" for number in range(5000)) + " journalctl") == ["0.md"]

    def test_no_more_than_k_are_found(self, index: LexicalIndex) -> None:
        index.update(pages(*[DISK] * 5))
        assert [len(index.search("disk", k)) for k in (0, 1, 3, 9)] == [0, 1, 3, 5]

    def test_what_is_added_and_removed_is_found_or_not(self, index: LexicalIndex) -> None:
        [disk], [queue] = units(DISK), units(QUEUE)
        index.update([[disk]])
        index.update([[queue]], [disk.id, "nobody"])
        assert (documents(index, "journalctl"), documents(index, "queue")) == ([], ["0.md"])
        assert (index.ids(), index.version()) == ({queue.id}, version_of([queue.id]))

    def test_the_version_is_that_of_what_is_held(self, index: LexicalIndex) -> None:
        """Whatever came twice, was missing, or came back in one update."""
        disk, queue, spool = (unit for text in (DISK, QUEUE, QUEUE.replace("Queue", "Spool")) for unit in units(text))
        for added, removed in (([disk, queue], []), ([disk, disk], [spool.id]), ([disk, spool], [disk.id, disk.id])):
            index.update([added], removed)
            assert index.version() == version_of(index.ids()) != ""
        assert index.ids() == {disk.id, queue.id, spool.id}

    def test_an_index_that_grew_ranks_like_one_made_at_once(self, index: LexicalIndex) -> None:
        kept, gone = units(DISK, QUEUE, DISK), units("# Certificate\n\nRotate the disk.\n", document="cert")
        index.update([kept])
        at_once = index.search("disk full", 5)
        index.update((), index.ids())
        for unit in (*gone, *reversed(kept)):
            index.update([[unit]])
        index.update((), [unit.id for unit in gone])
        assert index.search("disk full", 5) == at_once != []

    def test_an_update_that_fails_leaves_what_was_there(self, index: LexicalIndex) -> None:
        def failing() -> Iterator[list[LogicUnit]]:
            yield units(QUEUE)
            raise OSError("the store went away")

        index.update(pages(DISK))
        with pytest.raises(OSError, match="went away"):
            index.update(failing(), index.ids())
        assert (documents(index, "journalctl"), documents(index, "queue")) == (["0.md"], [])
        assert index.version() == version_of(index.ids())

    def test_nothing_is_taken_in_twice_for_one_version(self, index: LexicalIndex) -> None:
        """Two processes that find the same file out of step: the second one waits for the first, and reads nothing."""

        def unread() -> Iterator[list[LogicUnit]]:
            raise AssertionError("read")
            yield

        index.update(pages(DISK))
        index.update(unread(), index.ids(), index.version())
        assert documents(index, "disk") == ["0.md"]

    def test_an_index_that_was_never_filled_has_no_version(self, index: LexicalIndex) -> None:
        assert (index.version(), index.ids(), [*index.names()], index.search("disk", 5)) == ("", set(), [], [])

    # -- what documents may call each other ------------------------------------------------------------

    def test_every_document_has_its_own(self, index: LexicalIndex) -> None:
        index.update(pages(TITLED, QUEUE))
        assert [*index.names()] == [
            DocumentNames("0.md", "Disk full", ("Free some space",)),
            DocumentNames("1.md", "Queue backlog", ()),
        ]

    def test_a_document_is_looked_up_by_any_of_them(self, index: LexicalIndex) -> None:
        index.update([units(TITLED, QUEUE, document="docs/")])
        keys = "path docs/0", "end 0", "end docs/1", "name free some space", "name queue backlog", "name queue", "0.md"
        documents = "docs/0.md", "docs/0.md", "docs/1.md", "docs/0.md", "docs/1.md"
        assert [list(index.called(key)) for key in keys] == [*([one] for one in documents), [], []]

    def test_other_names_take_the_place_of_those_before(self, index: LexicalIndex) -> None:
        [disk], [queue] = units(DISK), units(QUEUE, document="queue")
        index.update([[disk, queue]])
        index.update([[disk.model_copy(update={"title": "Queue backlog"})]])
        assert (list(index.called("name disk full")), list(index.called("path 0"))) == ([], ["0.md"])
        assert sorted(index.called("name queue backlog")) == ["0.md", "queue0.md"]
        index.update((), [disk.id])
        assert (list(index.called("name queue backlog")), list(index.called("path 0"))) == (["queue0.md"], [])

    def test_nobody_goes_by_half_a_character(self, index: LexicalIndex) -> None:
        index.update(pages(DISK))
        assert list(index.called("name \ud800")) == []

    def test_they_go_with_the_last_unit(self, index: LexicalIndex) -> None:
        first, *others = units(TITLED)
        index.update([[first, *others]])
        index.update((), [unit.id for unit in others])
        assert [names.document_id for names in index.names()] == list(index.called("name disk full")) == ["0.md"]
        index.update((), [first.id])
        assert [*index.names()] == []
