"""Several writers side by side come to the end that one comes to, whoever of them dies."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Postgres
from tests.thread_core.ingest.crew import InThreads
from tests.thread_core.ingest.given import Killed, Place, edited, fresh, guide
from thread_core import Document
from thread_core.errors import BadDocument, BadLedger, BadStore, StoreBusy
from thread_core.extraction.extractor import Extraction
from thread_core.extraction.rules import RuleExtractor
from thread_core.ingest import IngestReport, Ledger, ThreadIngest, shards
from thread_core.ingest.shards import Shard, shard_of
from thread_core.ports import LexicalIndex
from thread_core.store.lexical import SqliteLexicalIndex

GUIDES = [guide(number, links=[f"pump-{number % 9 + 1}.md#step-2", f"pump-{number + 5}.md"]) for number in range(1, 10)]
EDITED = [
    edited(GUIDES[0], "wheel 2", "lever 2"),
    edited(edited(GUIDES[1], "## Step 2", "## Second step"), "# Pump 2\n", "# Pump two\n"),
    *GUIDES[3:],
    guide(12),
]


class Plant(Place):
    """A place whose ledger and words are opened by each writer for itself."""

    def __init__(self, open_ledger: Callable[[], Ledger], open_words: Callable[[], LexicalIndex]) -> None:
        super().__init__(open_ledger())
        self.open_ledger, self.open_words = open_ledger, open_words
        self.words = open_words()  # type: ignore[assignment]
        self.runner = InThreads(self.opened, 3)

    def opened(self, **options: Any) -> ThreadIngest:
        words, ledger = self.open_words(), self.open_ledger()
        return ThreadIngest(self.store, self.embedder, words=words, ledger=ledger, **options)

    def ingest(self, **options: Any) -> ThreadIngest:
        return super().ingest(runner=self.runner, **options)


@pytest.fixture(params=["files", "PostgreSQL"])
def plant(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Plant]:
    if request.param == "files":
        yield Plant(lambda: Ledger(tmp_path / "ledger.sqlite3"), lambda: SqliteLexicalIndex(tmp_path / "words.sqlite3"))
        return
    from thread_stores.ledger import open_ledger
    from thread_stores.names import PostgresNames

    postgres: Postgres = request.getfixturevalue("postgres")
    with postgres.database() as url:
        address = url.replace("+psycopg", "")
        yield Plant(lambda: open_ledger(address), lambda: PostgresNames(address))


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "PIECE", 1)


def told(report: IngestReport) -> dict[str, Any]:
    """A report, whatever took how long and came first.

    Where both ends of a link change in one run, which of them is written first decides whether it is new that it leads
    nowhere.
    """
    said = report.model_dump(exclude={"at", "seconds", "newly_dangling"})
    return {name: sorted(value, key=repr) if isinstance(value, tuple) else value for name, value in said.items()}


def test_they_come_to_the_end_that_one_comes_to(plant: Plant) -> None:
    one = Place()
    for documents in (GUIDES, EDITED, EDITED):
        reports = [place.run(*documents, source="pumps", prune=True) for place in (plant, one)]
        assert plant.everything() == one.everything()
        assert told(reports[0]) == told(reports[1])
    assert plant.runner.begun == 9, "three writers, three times"


def test_links_whose_place_a_writer_has_taken_away_are_told(plant: Plant) -> None:
    plant.run(*GUIDES)
    report = plant.run(EDITED[1])
    assert [one.unit.document_id for one in report.newly_dangling] == ["pump-1.md"]


@pytest.mark.parametrize("steps", [0, 3, 4, 12])
def test_a_writer_that_dies_is_begun_again_and_nothing_is_lost_or_doubled(plant: Plant, steps: int) -> None:
    plant.run(*GUIDES, source="pumps")
    with plant.store.dying_after(steps):
        plant.store._step = once_deadly(plant.store)  # type: ignore[method-assign]
        report = plant.run(*EDITED, source="pumps", prune=True)
    assert (plant.runner.died, report.ok, report.pruned) == (1, True, ("pump-3.md",))
    assert plant.everything() == fresh(*EDITED, source="pumps").everything()
    assert (plant.ledger.intents(), plant.store.sweep()) == ([], 0)


def once_deadly(store: Any) -> Callable[[str], None]:
    """The steps of a store, one of which kills whoever does it; the next one who does it lives."""
    step = type(store)._step

    def counted(what: str) -> None:
        try:
            step(store, what)
        except Killed:
            store.steps_left = None
            raise

    return counted


@pytest.mark.parametrize("steps", [0, 5, 11])
def test_a_run_that_dies_with_its_writers_is_completed_by_the_next(plant: Plant, steps: int) -> None:
    plant.run(*GUIDES, source="pumps")
    plant.runner = InThreads(plant.opened, 2, again=False)
    with plant.store.dying_after(steps):
        plant.run(*EDITED, source="pumps", prune=True)
    plant.runner = InThreads(plant.opened, 5)
    plant.run(*EDITED, source="pumps", prune=True)
    assert plant.everything() == fresh(*EDITED, source="pumps").everything()
    assert plant.ledger.intents() == []


def test_a_writer_of_a_run_that_is_over_writes_nothing(plant: Plant) -> None:
    plant.run(*GUIDES)
    token = plant.runner._token
    Place(plant.ledger).run()
    with pytest.raises(StoreBusy, match="the run that started this writer has ended"):
        Shard(plant.opened(), 0, shards=3, token=token)


def test_a_shard_has_one_writer(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thread_core.ingest.ledger.ORPHANED", 0)
    with plant.ledger.alone_with(plant.store, 0):
        token = plant.ledger.admit()
        first = Shard(plant.opened(), 0, shards=2, token=token)
        with pytest.raises(StoreBusy):
            Shard(plant.opened(), 0, shards=2, token=token)
        Shard(plant.opened(), 1, shards=2, token=token).close()
        first.close()
        Shard(plant.opened(), 0, shards=2, token=token).close()


def test_what_one_writer_cannot_do_is_the_run_s_error_once_the_others_are_done(plant: Plant) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise OSError("the disk has gone")

    with pytest.MonkeyPatch.context() as patch, pytest.raises(BadStore, match="the disk has gone"):
        patch.setattr(plant.store, "write", failing)
        plant.run(*GUIDES)
    assert plant.run(*GUIDES).ok
    assert plant.everything() == fresh(*GUIDES).everything()


def test_what_cannot_be_read_or_comes_twice_fails_alone(plant: Plant) -> None:
    report = plant.run(GUIDES[0], BadDocument("torn.md", "is torn"), GUIDES[0], Document("empty.md", " "))
    assert {(one.document_id, one.reason) for one in report.failures} == {
        ("torn.md", "is torn"),
        ("pump-1.md", "occurs twice; only the first one counts"),
    }
    assert report.empty == ("empty.md",)


class Later:
    """A document that is read when its turn comes."""

    def __init__(self, document: Document | BadDocument) -> None:
        self.id = document.document_id if isinstance(document, BadDocument) else document.id
        self._document = document

    def read(self) -> Document | BadDocument:
        return self._document


def test_documents_may_be_read_by_who_takes_them_in(plant: Plant) -> None:
    given = [*map(Later, GUIDES), Later(BadDocument("torn.md", "is torn"))]
    for place in (plant, Place()):
        assert [one.document_id for one in place.ingest().run(given).failures] == ["torn.md"]
        assert place.everything() == fresh(*GUIDES).everything()


async def test_an_event_loop_is_not_kept_waiting(plant: Plant) -> None:
    assert (await plant.ingest().arun(GUIDES)).ok
    assert plant.everything() == fresh(*GUIDES).everything()


def test_a_budget_that_ends_stops_all_writers_and_what_is_left_is_said(plant: Plant) -> None:
    from thread_core.errors import BudgetSpent

    class Thrifty:
        name = "thrifty"

        def attempt_all(self, documents: Any, concurrency: int) -> Iterator[Extraction]:
            for document in documents:
                if document.id == "pump-4.md":
                    raise BudgetSpent("the budget is spent")
                yield RuleExtractor().extract(document)

    plant.runner = InThreads(lambda: plant.opened(extractor=Thrifty()), 1)
    report = plant.run(*GUIDES)
    assert (report.ok, report.stopped) == (False, "the budget is spent")
    taken = {one.document_id for one in report.reports}
    assert taken.isdisjoint(report.left)
    assert taken.union(report.left) == {one.id for one in GUIDES}


def test_writers_elsewhere_need_a_ledger_that_they_reach() -> None:
    place = Place()
    with pytest.raises(BadLedger, match="several writers need one that they can all reach"):
        place.ingest(runner=InThreads(place.ingest, 2)).run(GUIDES)


def test_writers_over_another_store_are_noticed(plant: Plant) -> None:
    other = Place()
    runner = InThreads(
        lambda: ThreadIngest(other.store, other.embedder, words=other.words, ledger=plant.open_ledger()), 2
    )
    plant.runner = runner
    with pytest.raises(BadStore, match="must use the same store"):
        plant.run(*GUIDES)


def test_documents_are_parted_alike_in_every_process() -> None:
    parted = [shard_of(f"guide-{number}.md", 8) for number in range(8000)]
    assert parted[:6] == [shard_of(f"guide-{number}.md", 8) for number in range(6)]
    assert all(900 < parted.count(shard) < 1100 for shard in range(8))
