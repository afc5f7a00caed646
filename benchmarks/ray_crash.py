"""Whether an ingest on Ray whose writers and whose driver are killed ends where one process comes to that never was.

python benchmarks/ray_crash.py                      50 kills: some 20 minutes on two cores
python benchmarks/ray_crash.py --kills 200 --seed 7

As `crash.py`, for several writers: a store lives through some rounds of edits and of runs in which a writer, some of
them or the driver is killed (SIGKILL) at random moments; then one run comes to its end. What the store, the words and
the ledger hold then is compared with what one process makes of the same documents. Stores are a Chroma server with a
ledger in a file, and PostgreSQL with pgvector, and the ledger and the words in it. Qdrant is not among them: its local
mode, all that its client has without a server, is for one process.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import ray
from _crash_scene import Chroma, Guides
from _crash_worker import read
from _ray_worker import At, open_ingest
from _table import show
from crash import ROUNDING

sys.path.append(str(Path(__file__).parents[1]))

from tests.postgres import a_server
from thread_core import default_embedding
from thread_core.ingest import Ledger, ThreadIngest
from thread_core.ports import UnitStore
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.testing.store import MemoryStore

KILLS = 50
ROUNDS = 3
"""That a store lives through."""
SHARDS = 2
DRIVER, WRITER, WRITERS, ENDED = "the driver", "a writer", "both writers", "nobody: the run had ended before"
PATIENCE = 180.0
"""Seconds after which a run counts as hanging."""
STORES = ("Chroma server", "pgvector")
CPUS = 4
"""That the cluster counts with; the machine may have fewer."""


@dataclass
class Tally:
    """What came out."""

    kills: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By store and by who was killed."""
    rounds: Counter[str] = field(default_factory=Counter)
    recovered: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def killed(self) -> int:
        """How many kills there were."""
        return sum(number for (_, who), number in self.kills.items() if who != ENDED)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print who was killed how often, and what was different. Exits with 1 where anything was."""
    parser = argparse.ArgumentParser(description="Kill ingests on Ray at random, and look what the store holds.")
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    tally = rehearse(given.kills, given.seed, told=True)
    show(
        [
            {
                "": store,
                **{who: str(tally.kills[store, who]) for who in (WRITER, WRITERS, DRIVER, ENDED)},
                "rounds": str(tally.rounds[store]),
                "differences": str(sum(one.startswith(store) for one in tally.differences)),
            }
            for store in STORES
        ]
    )
    if tally.differences:
        print(*tally.differences[:20], sep="\n")
        raise SystemExit(f"not as one process; repeat it with --kills {given.kills} --seed {given.seed}")


def rehearse(
    kills: int, seed: int, *, rounds: int = ROUNDS, stores: Sequence[str] = STORES, told: bool = False
) -> Tally:
    """Kill so often; each store lives through some rounds. Choices are the seed's, moments also the machine's."""
    random, tally = Random(seed), Tally()
    with a_cluster() as cluster:
        number = 0
        while tally.killed < kills:
            kind = stores[number % len(stores)]
            number += 1
            with TemporaryDirectory(prefix="thread-ray-") as folder, a_store(kind, Path(folder)) as at:
                life = Life(kind, at, Guides(Path(folder) / "guides", random), cluster, random, tally)
                for _ in range(rounds):
                    if tally.killed < kills:
                        life.round(kills)
            if told:
                print(f"{tally.killed} of {kills}: {kind}, {len(tally.differences)} different", file=sys.stderr)
    return tally


@contextmanager
def a_cluster() -> Iterator[str]:
    """A cluster of this machine; its address."""
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  (else all others on the machine come first)
    started = ray.init(num_cpus=CPUS, include_dashboard=False, log_to_driver=False)
    try:
        yield started.address_info["address"]
    finally:
        ray.shutdown()


@contextmanager
def a_store(kind: str, folder: Path) -> Iterator[At]:
    """An empty store of a kind."""
    (folder / "store").mkdir()
    with ExitStack() as opened:
        if kind == "pgvector":
            postgres = opened.enter_context(a_server())
            url = opened.enter_context(postgres.database())
            yield At(str(folder / "store"), postgres=url.replace("+psycopg", ""))
            return
        server = Chroma(folder / "served")
        server.start()
        opened.callback(server.kill)
        yield At(str(folder / "store"), server.url)


class Life:
    """A store from its beginning, and the folder of its documents."""

    def __init__(self, kind: str, at: At, guides: Guides, cluster: str, random: Random, tally: Tally) -> None:
        self._kind, self._at, self._guides = kind, at, guides
        self._cluster, self._random, self._tally = cluster, random, tally
        self._usual = 3.0
        """Seconds that the writers of a run have to do, at first a guess."""

    def round(self, kills: int) -> None:
        """Edits and killed runs, then a whole one; and what is different then."""
        self._guides.change()
        for _ in range(self._random.randint(1, 4)):
            if self._tally.killed < kills:
                self._killed_run()
            if self._random.random() < 0.4:
                self._guides.change()
        self._run(prune=True)
        self._tally.rounds[self._kind] += 1
        with TemporaryDirectory() as folder:
            for what in different(held(self._at), made(read(self._guides.folder), Path(folder))):
                self._note(what)

    def _run(self, *, prune: bool, killed: str = "") -> None:
        """A run; who is to be killed is, at a random moment after the writers have begun."""
        order = {"at": self._at._asdict(), "folder": str(self._guides.folder), "ray": self._cluster, "shards": SHARDS}
        program = [
            sys.executable,
            str(Path(__file__).with_name("_ray_worker.py")),
            json.dumps({**order, "prune": prune}),
        ]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            writers = [int(line) for line in takewhile(str.strip, run.stdout)]
            began = time.perf_counter()
            if killed and writers:
                self._kill(run, writers, killed)
            try:
                said = run.communicate(timeout=PATIENCE)[1]
            except subprocess.TimeoutExpired:
                run.kill()
                said = "it hung"
        if not killed:
            self._usual = time.perf_counter() - began
        if run.returncode and not (killed == DRIVER and run.returncode == -signal.SIGKILL):
            self._note(f"a run in which {killed or 'nobody'} was killed ended with {run.returncode}: {said[-600:]}")

    def _killed_run(self) -> None:
        self._run(prune=self._random.random() < 0.5, killed=self._random.choice((WRITER, WRITER, WRITERS, DRIVER)))

    def _kill(self, run: subprocess.Popen[str], writers: Sequence[int], who: str) -> None:
        try:
            run.wait(self._random.uniform(0, self._usual))
        except subprocess.TimeoutExpired:
            try:
                for process in {DRIVER: [run.pid], WRITER: [self._random.choice(writers)], WRITERS: writers}[who]:
                    os.kill(process, signal.SIGKILL)
            except ProcessLookupError:  # its writers have just ended
                self._tally.kills[self._kind, ENDED] += 1
            else:
                self._tally.kills[self._kind, who] += 1
        else:
            self._tally.kills[self._kind, ENDED] += 1

    def _note(self, what: str) -> None:
        print(f"{self._kind}: {what}", file=sys.stderr)
        self._tally.differences.append(f"{self._kind}: {what}")


class Vector(tuple[float, ...]):
    """Numbers that depend a little on the texts that are embedded together, and on how a store keeps them."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and all(abs(a - b) <= ROUNDING for a, b in zip(self, other, strict=True))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__


# -- what a store holds --------------------------------------------------------------------------------------------


def held(at: At) -> dict[str, Any]:
    """All that a store, its words and its ledger hold."""
    ingest = open_ingest(at)
    return _content(ingest.holdings.store, ingest.holdings.words, ingest.holdings.ledger)


def made(documents: Sequence[Any], folder: Path) -> dict[str, Any]:
    """What one process makes of documents."""
    store, words, ledger = MemoryStore(), SqliteLexicalIndex(), Ledger(folder / "ledger.sqlite3")
    ThreadIngest(store, default_embedding(), words=words, ledger=ledger).run(documents, source="guides")
    return _content(store, words, ledger)


def _content(store: UnitStore, words: Any, ledger: Ledger) -> dict[str, Any]:
    ids = store.ids()
    documents = sorted({unit.document_id for unit in store.get(ids)})
    rows = [row for some in store.documents(documents, vectors=True).values() for row in some]
    return {
        "units": {row.unit.id: row.unit.model_dump_json() for row in rows},
        "vectors": {row.unit.id: Vector(row.vector or ()) for row in rows},
        "each id once": len(ids) == len(set(ids)),
        "rows that nobody sees": store.sweep(),
        "words": sorted(words.ids()),
        "in step": words.version() == store.version(),
        "intents": ledger.intents(),
        "links": sorted(ledger.links_of(documents)),
        "documents": sorted(entry[:2] + entry[3:] for entry in ledger.entries(documents).values()),
    }


def different(seen: dict[str, Any], expected: dict[str, Any]) -> Iterator[str]:
    """What of a store is not as in another one."""
    for what, wanted in expected.items():
        if isinstance(wanted, dict):
            for key in sorted(wanted.keys() | seen[what].keys()):
                if seen[what].get(key) != wanted.get(key):
                    yield f"{what}: {key} is {str(seen[what].get(key))[:300]} instead of {str(wanted.get(key))[:300]}"
        elif seen[what] != wanted:
            yield f"{what}: {str(seen[what])[:300]} instead of {str(wanted)[:300]}"


if __name__ == "__main__":
    main()
