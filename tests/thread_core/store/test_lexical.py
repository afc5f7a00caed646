import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from thread_core import LogicUnit, default_embedding
from thread_core.errors import BadIndex
from thread_core.ports import DocumentNames
from thread_core.retrieval.retrieve import retrieve
from thread_core.store import lexical, pruning, sqlite_file
from thread_core.store.lexical import NoWords, SqliteLexicalIndex, bring_into_step
from thread_core.store.library import Library
from thread_core.store.pruning import able
from thread_core.store.versioning import version_of
from thread_core.testing.lexical_suite import DISK, QUEUE, LexicalIndexSuite, documents, pages, units
from thread_core.testing.store import MemoryStore


def keep(store: MemoryStore, some: list[LogicUnit]) -> None:
    store.write(some, [(1.0, 0.0)] * len(some))


@pytest.fixture
def index() -> Iterator[SqliteLexicalIndex]:
    found = SqliteLexicalIndex()
    yield found
    found.close()


class TestSqlite(LexicalIndexSuite):
    """An index in memory; the fixture is that of this file."""


@pytest.mark.parametrize("k", [1, 3, 40])
def test_rows_that_cannot_be_among_the_best_change_nothing_by_being_passed_over(
    index: SqliteLexicalIndex, monkeypatch: pytest.MonkeyPatch, k: int
) -> None:
    random = Random(k)
    words = [f"{first}{second}" for first in "bdfgklmnprst" for second in ("at", "ot", "ing", "ed", "ers", "ier")]
    often = [1 / (number + 1) for number in range(len(words))]

    def said(count: int) -> str:
        return " ".join(random.choices(words, often, k=count))

    texts = [f"# {said(3)}\n\n{said(random.randint(2, 30))}\n" for _ in range(400)]
    index.update([units(*texts, *texts[:9])])  # some say the same, and have the same score
    questions = [said(random.randint(1, 9)) for _ in range(60)] + [" ".join(words)]
    expected = [index.search(question, k) for question in questions]
    monkeypatch.setattr(pruning, "FEW", 0)
    monkeypatch.setattr(pruning, "WORTH", 2.0)
    asked: list[str] = []
    monkeypatch.setattr(pruning, "able", lambda *given: asked.append(able(*given)) or asked[-1])
    assert [index.search(question, k) for question in questions] == expected
    assert any(asked)


def test_an_index_with_a_path_outlives_its_process(tmp_path: Path) -> None:
    first = SqliteLexicalIndex(tmp_path / "words.sqlite")
    first.update(pages(DISK))
    first.close()
    second = SqliteLexicalIndex(str(tmp_path / "words.sqlite"))
    assert (second.version(), documents(second, "disk")) == (version_of(second.ids()), ["0.md"])
    second.close()


class CountingStore(MemoryStore):
    """Notes how many units are read."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0

    def get(self, ids: Sequence[str]) -> list[LogicUnit]:
        found = super().get(ids)
        self.read += len(found)
        return found


class TestStep:
    """`bring_into_step` reads what an index lacks, and no more."""

    @pytest.fixture
    def store(self) -> CountingStore:
        found = CountingStore()
        keep(found, units(DISK, QUEUE))
        return found

    def test_only_what_changed_is_read(self, index: SqliteLexicalIndex, store: CountingStore) -> None:
        bring_into_step(index, store, store.version())
        keep(store, units("# Certificate\n\nRotate it.\n", document="cert"))
        store.write(gone=[unit.id for unit in units(DISK)])
        bring_into_step(index, store, store.version())
        assert (index.ids(), index.version(), store.read) == (set(store.ids()), store.version(), 3)
        assert (documents(index, "certificate"), documents(index, "journalctl")) == (["cert0.md"], [])

    def test_an_index_of_other_units_is_made_good(self, index: SqliteLexicalIndex, store: CountingStore) -> None:
        """As a writer leaves it that was killed: some units too many, some too few."""
        index.update([units(QUEUE, document="gone")])
        bring_into_step(index, store, store.version())
        assert index.ids() == set(store.ids())

    def test_a_store_that_was_emptied_leaves_nothing(self, index: SqliteLexicalIndex, store: CountingStore) -> None:
        bring_into_step(index, store, store.version())
        bring_into_step(index, MemoryStore(), "")
        assert (index.ids(), index.version(), [*index.names()]) == (set(), "", [])

    def test_many_units_are_read_in_batches(
        self, index: SqliteLexicalIndex, store: CountingStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(lexical, "BATCH", 1)
        bring_into_step(index, store, store.version())
        assert index.ids() == set(store.ids())


class TestNoWords:
    """Header vectors alone work, with links and all."""

    CERTIFICATE = "# Certificate expired\n\n1. Run `cert renew`.\n\n   If the disk is full, follow [Disk full](0.md).\n"

    @pytest.fixture
    def library(self) -> Library:
        store = MemoryStore()
        some = units(DISK, QUEUE, self.CERTIFICATE)
        store.write(some, default_embedding().embed([unit.header for unit in some]))
        return Library(store, default_embedding(), NoWords())

    def test_it_knows_units_and_names_and_finds_nothing(self) -> None:
        index = NoWords()
        [disk], [queue] = units(DISK), units(QUEUE, document="queue")
        index.update([[disk, queue]])
        index.update([[disk.model_copy(update={"aliases": ("KB 17",)})]], [queue.id, "nobody"])
        assert (index.ids(), index.version(), index.search("disk", 5)) == ({disk.id}, version_of([disk.id]), [])
        assert [*index.names()] == [DocumentNames("0.md", "Disk full", ("KB 17",))]

    def test_what_is_near_is_retrieved_with_what_it_links_to(self, library: Library) -> None:
        found = library.run(retrieve("How do I renew a certificate that has expired?", entries=1))
        assert [one.unit.document_id for one in found] == ["2.md", "0.md"]


class TestFile:
    """A file can be anything, and others use it too."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        """A file with one unit."""
        index = SqliteLexicalIndex(tmp_path / "words.sqlite3")
        index.update(pages(DISK))
        index.close()
        return tmp_path / "words.sqlite3"

    @pytest.fixture
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sqlite_file, "PATIENCE", 0.05)

    def test_it_is_one_file(self, path: Path) -> None:
        """A second one beside it would be missed when the file is copied, or could not be made beside it."""
        open_index = SqliteLexicalIndex(path)
        assert documents(open_index, "disk") == ["0.md"]
        assert list(path.parent.iterdir()) == [path]
        open_index.close()

    def test_an_empty_file_becomes_an_index(self, tmp_path: Path) -> None:
        path = tmp_path / "words.sqlite3"
        path.touch()
        assert SqliteLexicalIndex(path).version() == ""
        assert path.stat().st_size > 0

    def test_an_index_of_an_older_release_is_made_again_and_says_so(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as other:
            for statement in ("PRAGMA user_version = 0", "DROP TABLE units", "CREATE TABLE units (word TEXT)"):
                other.execute(statement)
        with pytest.warns(UserWarning, match=r"words\.sqlite3 have an older format, and are made again"):
            index = SqliteLexicalIndex(path)
        assert (index.version(), index.ids(), [*index.names()]) == ("", set(), [])
        index.update(pages(QUEUE))
        assert documents(index, "queue") == ["0.md"]

    def test_damage_is_told_with_what_to_do(self, path: Path) -> None:
        """Whichever page it hits, and whenever it is met."""
        whole = path.read_bytes()
        page = int.from_bytes(whole[16:18], "big")
        refused = 0
        for start in range(page, len(whole), page):
            path.write_bytes(whole[:start] + b"\xff" * page + whole[start + page :])
            try:
                index = SqliteLexicalIndex(path)
                use(index)
            except BadIndex as refusal:
                assert "delete it: it is rebuilt from the store" in str(refusal)
                refused += 1
            index.close()
        assert refused

    @pytest.mark.usefixtures("impatient")
    def test_a_writer_does_not_shut_readers_out_but_other_writers(self, path: Path) -> None:
        writer, other = SqliteLexicalIndex(path), SqliteLexicalIndex(path)
        before = other.version()

        def meanwhile() -> Iterator[list[LogicUnit]]:
            yield units(QUEUE)
            assert (documents(other, "disk"), documents(other, "queue"), other.version()) == (["0.md"], [], before)
            with pytest.raises(BadIndex, match=r"database is locked.*another process is writing to it"):
                other.update(pages(QUEUE))

        writer.update(meanwhile())
        assert (documents(other, "queue"), other.version()) == (["0.md"], version_of(other.ids()))
        writer.close()
        other.close()

    @pytest.mark.slow
    def test_a_writer_that_is_killed_leaves_what_was_there(self, path: Path) -> None:
        code = """if True:
            import os, sys
            from tests.thread_core.store.test_lexical import QUEUE, SqliteLexicalIndex, units
            def pages():
                yield units(QUEUE)
                os._exit(7)
            SqliteLexicalIndex(sys.argv[1]).update(pages())
        """
        assert start(code, path).wait() == 7
        index = SqliteLexicalIndex(path)
        assert (documents(index, "disk"), documents(index, "queue")) == (["0.md"], [])
        assert index.version() == version_of(index.ids())

    @pytest.mark.slow
    def test_processes_share_it(self, tmp_path: Path) -> None:
        """They find it empty at the same time, and each ends with the whole."""
        code = """if True:
            import sys
            from tests.thread_core.store.test_lexical import *
            store = MemoryStore()
            keep(store, [unit for number in range(50) for unit in units(DISK, document=str(number))])
            index = SqliteLexicalIndex(sys.argv[1])
            bring_into_step(index, store, store.version())
            assert len(index.search("disk", 99)) == len([*index.names()]) == 50
        """
        started = [start(code, tmp_path / "words.sqlite3") for _ in range(4)]
        assert [process.wait() for process in started] == [0] * 4


class TestReadOnly:
    """As on a medium, or for a user, that may not write."""

    @pytest.fixture
    def path(self) -> Iterator[Path]:
        """A file in a folder, both for reading only; pytest's own folders are not open to other users."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "words.sqlite3"
            index = SqliteLexicalIndex(path)
            index.update(pages(DISK))
            index.close()
            path.chmod(0o444)
            Path(folder).chmod(0o555)
            with nobody_special():
                yield path
            Path(folder).chmod(0o755)

    def test_an_index_in_step_is_used(self, path: Path) -> None:
        index = SqliteLexicalIndex(path)
        store = MemoryStore()
        keep(store, units(DISK))
        assert (index.version(), documents(index, "disk")) == (store.version(), ["0.md"])
        bring_into_step(index, store, store.version())
        index.close()

    def test_one_that_is_not_says_so_and_stays(self, path: Path) -> None:
        index = SqliteLexicalIndex(path)
        before = index.version()
        with pytest.raises(BadIndex, match=r"readonly database.*the store has changed since it was written"):
            index.update(pages(QUEUE))
        assert (index.version(), documents(index, "disk")) == (before, ["0.md"])
        index.close()


def use(index: SqliteLexicalIndex) -> None:
    """Every method once."""
    index.version(), [*index.names()], index.ids(), index.search("disk journalctl", 5), index.called("name disk full")
    index.update(pages(QUEUE), index.ids())
    index.search("queue", 5)


def start(code: str, path: Path) -> subprocess.Popen[bytes]:
    root = Path(lexical.__file__).parents[1]
    return subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=root)


@contextmanager
def nobody_special() -> Iterator[None]:
    """Root may write everywhere, so be somebody else for a while."""
    me = os.geteuid()
    os.seteuid(me or 65534)
    try:
        yield
    finally:
        os.seteuid(me)
