"""Documents are taken apart in several processes, and the end is the same."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from tests.thread_core.ingest.given import Place, fresh, guide
from thread_core import Document, RuleExtractor
from thread_core.errors import BadDocument, BadWorkers
from thread_core.ingest import intake, workers
from thread_core.ingest.workers import ByRules

GUIDES = [guide(number, links=["pump-2.md"]) for number in range(60)]


def test_there_is_at_least_one() -> None:
    with pytest.raises(ValueError, match="found workers="):
        ByRules(0)


def test_one_document_s_trouble_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    extract = RuleExtractor.extract

    def stumbling(self: RuleExtractor, document: Document) -> object:
        if document.id == "pump-1.md":
            raise KeyError("odd")
        return extract(self, document)

    monkeypatch.setattr(RuleExtractor, "extract", stumbling)
    first, second, _ = ByRules().attempt_all(GUIDES[:3])
    assert not isinstance(first, BadDocument)
    assert str(second) == "pump-1.md: could not be split (KeyError: 'odd'); please report this"


def test_rules_of_ones_own_are_kept_in_each_process(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RuleExtractor(max_tokens=12, count=lambda text: len(text.split()))
    monkeypatch.setattr(workers, "PIECE", 100)
    assert list(ByRules(2, rules).attempt_all(GUIDES[:4])) == list(map(rules.extract, GUIDES[:4]))
    assert ByRules(2, rules).name == rules.name != ByRules().name


def test_few_documents_begin_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loky.ProcessPoolExecutor", None)
    assert len(list(ByRules(4).attempt_all(GUIDES[:3]))) == 3
    assert list(ByRules(4).attempt_all([])) == []


def test_a_system_without_semaphores_does_without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*given: object, **named: object) -> object:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(workers, "PIECE", 100)
    monkeypatch.setattr("loky.ProcessPoolExecutor", missing)
    assert len(list(ByRules(4).attempt_all(GUIDES[:3]))) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_ctrl_c_comes_when_documents_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the midst of it, it would leave the queue of the pool locked for ever."""
    sent = threading.Event()
    elsewhere = threading.Thread(target=sent.wait, args=(60,))
    elsewhere.start()

    class Pool:
        def submit(self, *given: object) -> Future[list[object]]:
            os.kill(os.getpid(), signal.SIGINT)
            for _ in range(1000):
                time.sleep(0)
            sent.set()
            return Future()

        def shutdown(self, **how: object) -> None:
            pass

    monkeypatch.setattr(workers, "PIECE", 100)
    monkeypatch.setattr("loky.ProcessPoolExecutor", lambda *given, **named: Pool())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            list(ByRules(2).attempt_all(GUIDES[:2]))
        assert sent.is_set()
    finally:
        signal.signal(signal.SIGINT, before)
        sent.set()
        elsewhere.join()


@pytest.mark.slow
class TestProcesses:
    def test_the_store_is_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Pieces are small here, so that there are many of them."""
        monkeypatch.setattr(workers, "PIECE", 500)
        place = Place()
        report = place.ingest(workers=2).run(GUIDES)
        other = fresh(*GUIDES)
        assert place.everything() == other.everything()
        assert [one.document_id for one in report.reports] == [document.id for document in GUIDES]

    def test_what_does_not_travel_stays_here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(workers, "PIECE", 100)
        document = Document("pump.md", GUIDES[0].text, metadata={"team": "storage", "lock": threading.Lock()})
        one, _ = ByRules(2).attempt_all([document, GUIDES[1]])
        assert one == RuleExtractor().extract(document)

    def test_a_killed_worker_costs_the_documents_that_it_had(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(workers, "PIECE", 1)
        monkeypatch.setattr(workers, "AHEAD", 1)
        monkeypatch.setattr(intake, "WINDOW", 5)
        place = Place()
        documents = iter(GUIDES)

        def read() -> object:
            yield from (next(documents) for _ in range(10))
            for process in list_workers():
                os.kill(process, signal.SIGKILL)
            yield from documents

        report = place.ingest(workers=2).run(read())
        assert 1 <= len(report.failures) <= 2 * 2
        assert "was killed, perhaps because memory ran out" in report.failures[0].reason
        assert len(report.reports) + len(report.failures) == 60
        place.run(*GUIDES)
        assert place.everything() == fresh(*GUIDES).everything()

    @pytest.mark.skipif(sys.platform == "win32", reason="no signals")
    @pytest.mark.parametrize("how", ["SIGINT", "SIGKILL"])
    def test_no_worker_outlives_its_parent(self, how: str, tmp_path: Path) -> None:
        script = tmp_path / "script.py"
        script.write_text(SCRIPT)
        with subprocess.Popen(
            [sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as parent:
            try:
                assert parent.stdout is not None
                children = [int(number) for number in parent.stdout.readline().split()]
                assert len(children) == 2
                os.killpg(parent.pid, signal.SIGINT) if how == "SIGINT" else parent.kill()
                # The workers hold the other end of these pipes: reading ends when the last of them has gone.
                _, said = parent.communicate(timeout=60)
            except BaseException:
                os.killpg(parent.pid, signal.SIGKILL)
                raise
        assert parent.returncode == -getattr(signal, how)
        assert said.count("Traceback") == (1 if how == "SIGINT" else 0), "a worker that starts has seen Ctrl-C"

    @pytest.mark.skipif(sys.platform == "win32", reason="no signals")
    def test_a_worker_starts_with_ctrl_c_blocked(self) -> None:
        """In a process of its own: the first workers of one are started together with what watches over them."""
        run = subprocess.run([sys.executable, "-c", FIRST_WORKER], capture_output=True, text=True, timeout=60)
        assert (run.stdout, run.stderr) == ("True\n", "")

    def test_processes_that_cannot_start_are_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each of them ends before it has done anything."""
        monkeypatch.setattr(workers, "PIECE", 100)
        monkeypatch.setattr(workers, "_prepare", os._exit)
        with pytest.raises(BadWorkers, match=r"cannot be started here .* use workers=1"):
            list(ByRules(2).attempt_all(GUIDES))


def list_workers() -> list[int]:
    import multiprocessing

    return [child.pid for child in multiprocessing.active_children() if child.pid]


SCRIPT = """
import multiprocessing, time
from thread_core import Document
from thread_core.ingest import workers
from thread_core.ingest.workers import ByRules

workers.PIECE = 100

def read():
    for number in range(1_000_000):
        yield Document(f"{number}.md", "# Pump\\n\\n1. Turn it.\\n")

for number, _ in enumerate(ByRules(2).attempt_all(read())):
    if number == 3:
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)
"""
"""Without a guard of `__main__`: no worker runs it again."""

FIRST_WORKER = """
import signal
from thread_core.ingest import workers

pool = workers._pool(1)
print(signal.SIGINT in workers._submit(pool, signal.pthread_sigmask, signal.SIG_BLOCK, []).result())
"""
