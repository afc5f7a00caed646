"""Writers on a real Ray cluster of this machine, over a served Chroma: the end is that of an ingest in one process."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import _guides
from _crash_scene import Chroma

from thread_chroma import open_server
from thread_core import Document, RuleExtractor, default_embedding
from thread_core.errors import BadDocument, BadWorkers
from thread_core.extraction.extractor import LLMExtractor
from thread_core.ingest import Ingest, IngestReport, Ledger, ThreadIngest
from thread_core.ingest.shards import Done, Piece
from thread_core.llm.access import ModelAccess
from thread_core.llm.costs import Budget
from thread_core.ports import UnitStore
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.testing.model import ScriptedModel
from thread_core.testing.store import MemoryStore

ray = pytest.importorskip("ray", reason="thread-rag[ray] is not installed")
runner = pytest.importorskip("thread_ray.runner")
files = pytest.importorskip("thread_ray.reading").files
ActorUnavailableError = ray.exceptions.ActorUnavailableError

pytestmark = [pytest.mark.slow, pytest.mark.enable_socket, pytest.mark.filterwarnings("ignore")]

GUIDES = 80


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., Ingest[Any]]]:
    server = Chroma(tmp_path / "served")
    server.start()
    url = server.url

    def open_ingest(**options: Any) -> Ingest[Any]:
        return ThreadIngest(
            open_server(url, create=True),
            default_embedding(),
            words=SqliteLexicalIndex(tmp_path / "words.sqlite3"),
            ledger=Ledger(tmp_path / "ledger.sqlite3"),
            **options,
        )

    yield open_ingest
    server.kill()


def folder(path: Path, count: int, version: int = 0) -> str:
    """Guides in files."""
    for number in range(count):
        guide = _guides.guide(number, count, version=version if number % 3 == 0 else 0)
        file = path / guide.id
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(guide.text)
    return str(path)


def held(store: UnitStore) -> dict[str, Any]:
    """The units of a store, and their vectors but for rounding."""
    documents = sorted({unit.document_id for unit in store.get(store.ids())})
    stored = (row for some in store.documents(documents, vectors=True).values() for row in some)
    return {row.unit.id: (row.unit, [round(float(one), 4) for one in row.vector or ()]) for row in stored}


def fresh(documents: Sequence[Document]) -> dict[str, Any]:
    """What an ingest in this process makes of documents."""
    store = MemoryStore()
    ThreadIngest(store, default_embedding()).run(documents)
    return held(store)


def read(path: str) -> list[Document]:
    return [Document(f.relative_to(path).as_posix(), f.read_text()) for f in sorted(Path(path).rglob("*.md"))]


def test_a_killed_writer_is_begun_again_and_the_end_is_that_of_one_process(
    opened: Callable[..., Ingest[Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = runner.RayCrew.begun

    def then_killed(crew: Any) -> None:
        begun(crew)
        pids = ray.get([writer.begun.remote() for writer in crew.writers])
        for delay, pid in zip((1.0, 2.5), pids, strict=True):
            threading.Timer(delay, os.kill, (pid, signal.SIGKILL)).start()

    path = folder(tmp_path / "guides", GUIDES)
    ingest = opened(runner=runner.RayRunner(opened, shards=2))
    monkeypatch.setattr(runner.RayCrew, "begun", then_killed)
    report = ingest.run(files(path), source=path)
    assert (report.ok, report.failures) == (True, ())
    assert held(ingest.holdings.store) == fresh(read(path))
    monkeypatch.undo()
    folder(tmp_path / "guides", GUIDES, version=1)
    (tmp_path / "guides" / _guides.name(1)).unlink()
    report = ingest.run(files(path), source=path, prune=True)
    assert (report.ok, report.pruned, report.unchanged) == (True, (_guides.name(1),), GUIDES - 1 - -(-GUIDES // 3))
    assert held(ingest.holdings.store) == fresh(read(path))
    words = ingest.holdings.words
    assert words.version() == ingest.holdings.store.version()


class Silent:
    """A writer on a machine that does not answer for a while: Ray fails each call at once, until it has another one."""

    def __init__(self, failures: int) -> None:
        self._left = failures
        self.take = self.begun = self

    def remote(self, *_: Any) -> Any:
        self._left -= 1
        if self._left >= 0:
            raise ActorUnavailableError("silent", None)
        return ray.put(Done(IngestReport(), ()))


def test_a_writer_that_does_not_answer_is_waited_for_and_no_document_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_PAUSE", 0.01)
    piece = Piece((Document("disk.md", "# Disk\n"),), {})
    assert runner.RayCrew([Silent(50)]).take(0, piece).result().report.failures == ()
    monkeypatch.setattr(runner, "START", 0.1)
    with pytest.raises(BadWorkers, match="a writer was lost and not restarted within 0 s"):
        runner.RayCrew([Silent(500)]).take(0, piece).result()


class Deadly(RuleExtractor):
    """Takes its process along where a document says so."""

    def extract(self, document: Document) -> Any:
        if "deadly" in document.text:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().extract(document)


def test_a_document_that_kills_whoever_reads_it_fails_alone(opened: Callable[..., Ingest[Any]]) -> None:
    documents = [_guides.guide(number, 6) for number in range(6)]
    deadly = Document("deadly.md", "# A deadly guide\n\n1. Look.\n")
    ingest = opened(runner=runner.RayRunner(lambda: opened(extractor=Deadly()), shards=1))
    report = ingest.run([*documents[:3], deadly, *documents[3:]])
    assert [(one.document_id, one.reason) for one in report.failures] == [(deadly.id, runner._KILLED)]
    assert held(ingest.holdings.store) == fresh(documents)


def test_all_writers_have_one_budget(opened: Callable[..., Ingest[Any]]) -> None:
    def open_extractor() -> LLMExtractor:
        return LLMExtractor(ModelAccess(ScriptedModel(), budget=Budget(tokens=10)))

    documents = [_guides.guide(number, 20) for number in range(20)]
    on_ray = runner.RayRunner(opened, shards=3, open_extractor=open_extractor, open_embedder=default_embedding)
    report = opened(runner=on_ray).run(documents)
    assert not report.ok and "the budget is spent" in report.stopped
    assert {*report.left} | {one.document_id for one in report.reports} == {one.id for one in documents}


def test_more_writers_than_there_is_room_for_are_refused(
    opened: Callable[..., Ingest[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "START", 5.0)
    with pytest.raises(BadWorkers, match=r"of 9 writers have started within 5 s, and the cluster has 4 processors"):
        opened(runner=runner.RayRunner(opened, shards=9)).run([_guides.guide(1, 2)])


def test_what_cannot_be_opened_is_said_as_it_is(opened: Callable[..., Ingest[Any]]) -> None:
    def broken() -> Ingest[Any]:
        raise BadDocument("x", "the key is wrong")

    with pytest.raises(BadDocument, match="the key is wrong"):
        opened(runner=runner.RayRunner(broken, shards=2)).run([_guides.guide(1, 2)])
    began = time.monotonic()
    with pytest.raises(BadWorkers, match="ZeroDivisionError"):
        opened(runner=runner.RayRunner(lambda: 1 // 0, shards=1)).run([_guides.guide(1, 2)])  # type: ignore[arg-type, return-value]
    assert time.monotonic() - began < 60
