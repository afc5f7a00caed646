"""A ledger in PostgreSQL: what holds for one in a file holds for it, on several machines."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from tests.postgres import Postgres
from tests.thread_core.ingest.given import Place, edited, fresh, guide
from thread_core import Document
from thread_core.errors import BadLedger, StoreBusy
from thread_core.ingest import Ledger
from thread_core.ingest.ledger import ORPHANED
from thread_stores import silence
from thread_stores.ledger import open_ledger

GUIDES = [guide(1, links=["pump-2.md", "pump-7.md"]), guide(2, links=["pump-1.md#step-2"]), guide(3)]


@pytest.fixture
def address(postgres: Postgres) -> Iterator[str]:
    with postgres.database() as url:
        yield url.replace("postgresql+psycopg://", "postgresql://")


def test_what_it_remembers_is_what_one_in_a_file_does(address: str) -> None:
    place, other = Place(open_ledger(address)), Place()
    changed = edited(GUIDES[1], "Step 2", "Bearing")
    for documents, prune in ((GUIDES, False), ((GUIDES[0], changed), False), ((changed, GUIDES[2]), True)):
        reports = [one.run(*documents, source="pumps", prune=prune) for one in (place, other)]
        assert place.everything() == other.everything()
        told = [report.model_dump(exclude={"at", "seconds"}) for report in reports]
        assert told[0] == told[1]


def test_it_outlives_the_process(address: str) -> None:
    place = Place(open_ledger(address))
    place.run(*GUIDES, source="pumps")
    place.ledger.close()
    place.ledger = open_ledger(address)
    assert place.run(*GUIDES, source="pumps").unchanged == 3


@pytest.mark.parametrize("steps", range(0, 9, 2))
def test_a_run_that_was_killed_is_completed_by_the_next(address: str, steps: int) -> None:
    place = Place(open_ledger(address))
    place.run(*GUIDES)
    changed = (edited(GUIDES[0], "wheel 2", "valve 2"), edited(GUIDES[1], "Step 3", "Motor"), GUIDES[2])
    with place.store.dying_after(steps):
        place.run(*changed)
    place.run(*changed)
    assert place.everything() == fresh(*changed).everything()
    assert place.ledger.intents() == []


HOLD = """
import sys, time
from thread_stores.ledger import open_ledger
with open_ledger(sys.argv[1]).alone_with(object(), 0):
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_second_says_who_the_first_is_and_goes_on_when_that_one_is_killed(address: str) -> None:
    place = Place(open_ledger(address))
    with subprocess.Popen([sys.executable, "-c", HOLD, address], stdout=subprocess.PIPE) as first:
        assert first.stdout is not None and first.stdout.readline()
        with pytest.raises(StoreBusy, match=rf"another ingest is writing to this store \(process {first.pid} on "):
            place.run(*GUIDES)
        first.kill()
    assert place.ingest(patience=30).run(GUIDES).added == 12


def test_threads_with_one_ledger_wait_for_each_other(address: str) -> None:
    place = Place(open_ledger(address))

    def meanwhile() -> Iterator[Document]:
        yield GUIDES[0]
        with pytest.raises(StoreBusy):
            place.run(*GUIDES)

    assert place.ingest().run(meanwhile()).ok


def test_a_run_waits_for_the_writers_of_the_one_before_it(address: str) -> None:
    first, second = open_ledger(address), open_ledger(address)
    with first.alone_with(object(), 0):
        token = first.admit()
    began = time.monotonic()
    with second.at_shard(0, token):
        waiting = threading.Thread(target=lambda: Place(first).run(*GUIDES))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
    waiting.join()
    assert time.monotonic() - began >= 0.5
    with pytest.raises(StoreBusy, match="the run that started this writer has ended"), second.at_shard(0, token):
        pass


def test_whoever_was_cut_off_is_undone_before_his_locks_are_free_and_waited_for_so_long(address: str) -> None:
    assert silence.WRITING < silence.SESSION < ORPHANED
    database = open_ledger(address)._database
    with database.writing() as told:  # a socket of this machine's has no such settings, and refuses none
        assert told.execute("SELECT current_setting('tcp_user_timeout')").fetchall() == [("0",)]


def test_something_else_and_other_forms_are_refused_and_left_alone(address: str) -> None:
    ledger = open_ledger(address)
    ledger._database.read("CREATE SCHEMA other")
    with pytest.raises(BadLedger, match="the schema other of PostgreSQL has something else in it"):
        open_ledger(address, schema="other")
    ledger._database.read("UPDATE thread_rag SET schema = 99")
    with pytest.raises(BadLedger, match="another release wrote format 99 of it, but this one reads 2"):
        open_ledger(address)


def test_a_server_that_is_not_there_is_named_and_its_password_is_not() -> None:
    with pytest.raises(BadLedger, match="check that PostgreSQL runs") as told:
        open_ledger("postgresql://me:secret@/guides?host=/nowhere")
    assert "secret" not in str(told.value)


def test_an_address_is_no_path() -> None:
    with pytest.raises(ValueError, match=r"open a ledger in PostgreSQL with thread_stores\.ledger\.open_ledger"):
        Ledger("postgresql://host/guides")
