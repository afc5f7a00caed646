"""Words in PostgreSQL: what holds for every index, and that it finds what the embedded one does."""

import pickle
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from random import Random

import pytest

from tests.postgres import Postgres
from thread_core import LogicUnit, default_embedding
from thread_core.errors import BadIndex
from thread_core.ports import LexicalIndex
from thread_core.retrieval.retrieve import retrieve
from thread_core.store import pruning
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.library import Library
from thread_core.store.versioning import version_of
from thread_core.testing.lexical_suite import DISK, QUEUE, LexicalIndexSuite, documents, pages, units
from thread_core.testing.store import MemoryStore
from thread_stores.names import PostgresNames
from thread_stores.words import PostgresWords


@pytest.fixture
def address(postgres: Postgres) -> Iterator[str]:
    with postgres.database() as url:
        yield url.replace("postgresql+psycopg://", "postgresql://")


@pytest.fixture
def index(address: str) -> Iterator[PostgresWords]:
    words = PostgresWords(address)
    yield words
    words.close()


class TestPostgresWords(LexicalIndexSuite):
    """The fixture is that of this file."""


@pytest.mark.parametrize("few", [0, pruning.FEW])
def test_it_ranks_as_the_embedded_index_does(index: LexicalIndex, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Also where rows are passed over that cannot be among the best."""
    monkeypatch.setattr(pruning, "FEW", few)
    random = Random(few)
    words = [f"{first}{second}" for first in "bdfgklmnprst" for second in ("at", "ot", "ing", "ed", "ers", "ätier")]
    often = [1 / (number + 1) for number in range(len(words))]

    def said(count: int) -> str:
        return " ".join(random.choices(words, often, k=count))

    texts = [f"# {said(3)}\n\n{said(random.randint(2, 60))} the {said(2)}\n" for _ in range(400)]
    embedded = SqliteLexicalIndex()
    for one in (index, embedded):
        one.update([units(*texts, *texts[:9])])
    for question in [said(random.randint(1, 9)) for _ in range(60)] + [" ".join(words), "batting and batted"]:
        ours, expected = index.search(question, 10), embedded.search(question, 10)
        assert [(hit.unit_id, hit.document_id) for hit in ours] == [(hit.unit_id, hit.document_id) for hit in expected]
        assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in expected])


def test_a_word_that_is_there_a_thousand_times_counts_as_often_as_a_byte_tells(index: LexicalIndex) -> None:
    index.update(pages(f"# Disk\n\n{'full ' * 1000}\n", *[QUEUE] * 9))
    embedded = SqliteLexicalIndex()
    embedded.update(pages(f"# Disk\n\n{'full ' * 1000}\n", *[QUEUE] * 9))
    [ours], [expected] = index.search("disk full", 1), embedded.search("disk full", 1)
    assert ours.unit_id == expected.unit_id
    assert ours.score == pytest.approx(expected.score, rel=0.02)


def test_what_one_machine_writes_another_finds(index: LexicalIndex, address: str) -> None:
    index.update([units(DISK)])
    for other in (PostgresWords(address), pickle.loads(pickle.dumps(index))):
        assert (documents(other, "journalctl"), other.version()) == (["0.md"], index.version())
    assert documents(PostgresWords(address, schema="others"), "journalctl") == []


def test_the_version_is_right_where_several_write_and_remove_at_once(address: str) -> None:
    def written(writer: int) -> set[str]:
        index = PostgresWords(address)
        held: list[str] = []
        for round in range(5):
            added = units(f"# Guide {round}\n\n1. Look at the disk.\n", DISK, document=f"{writer}-{round}-")
            index.update([added], held[:1])
            held = [*held[1:], *(unit.id for unit in added)]
        index.close()
        return {*held}

    with ThreadPoolExecutor(4) as pool:
        held = set[str]().union(*pool.map(written, range(4)))
    index = PostgresWords(address)
    assert (index.ids(), index.version()) == (held, version_of(held))
    assert {hit.unit_id for hit in index.search("disk", 99)} == held


def test_a_writer_waits_for_one_who_brings_it_into_step(address: str) -> None:
    """Who says the version alone changes the index, so what it found missing is what there is to take in."""
    [disk], [queue] = units(DISK), units(QUEUE, document="queue")
    reader, writer = PostgresWords(address), PostgresWords(address)
    begun: list[Future[None]] = []
    with ThreadPoolExecutor(1) as pool:

        def page() -> Iterator[list[LogicUnit]]:
            begun.append(pool.submit(writer.update, [[queue]]))
            with pytest.raises(TimeoutError):
                begun[0].result(timeout=0.3)
            yield [disk]

        reader.update(page(), (), version_of([disk.id]))
        begun[0].result(timeout=60)
    assert writer.version() == version_of([disk.id, queue.id])


def test_a_retrieval_uses_it(index: PostgresWords) -> None:
    store = MemoryStore()
    some = units(DISK, QUEUE)
    store.write(some, default_embedding().embed([unit.header for unit in some]))
    library = Library(store, default_embedding(), index)
    found = library.run(retrieve("journalctl", entries=1))
    assert [one.unit.document_id for one in found] == ["0.md"]
    assert index.version() == store.version()


def test_a_character_that_postgresql_cannot_hold_is_left_out(index: PostgresWords) -> None:
    [disk] = units(DISK)
    index.update([[disk.model_copy(update={"title": "Disk\0full", "body": "Free\0some space"})]])
    assert (documents(index, "space"), list(index.called("path \x000"))) == (["0.md"], ["0.md"])


def test_names_alone_are_no_words(address: str) -> None:
    PostgresNames(address, schema="guides")
    with pytest.raises(BadIndex, match="another"):
        PostgresWords(address, schema="guides")


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(BadIndex, match="the words of PostgreSQL's schema thread_words cannot be used"):
        PostgresWords("postgresql://me@/guides?host=/nowhere")
