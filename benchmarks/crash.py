"""Whether an ingest that is killed, again and again, ends where one that was never killed does.

python benchmarks/crash.py                          200 kills: some 15 minutes on two cores
python benchmarks/crash.py --kills 1000 --seed 7

A store lives through some rounds. In each, documents are edited, deleted, added, renamed and put back as they once
were; runs of an ingest over them are killed (SIGKILL) at random moments, sometimes the Chroma server is killed instead;
then one run comes to its end. What the store then holds is compared with a fresh ingest of the same documents. With a
model, a stand-in behind HTTP counts what it is asked.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

from _crash_scene import Chroma, Guides, StandIn, Worker
from _crash_worker import COMPLAINED, REPLIES, STAGES, Target
from _table import show

from tests.scripted import ScriptedServer
from thread_core import layout

KILLS = 200
ROUNDS = 5
"""That a store lives through."""

ROUNDING = 1e-6
"""By which the numbers of a vector may differ: they depend a little on the texts that are embedded together."""
SHOWN = 20
"""Differences that are printed."""


class Way(NamedTuple):
    """How documents are taken in."""

    served: bool
    model: bool
    command: bool = False

    def __str__(self) -> str:
        """As in the table."""
        by = "thread-rag ingest" if self.command else "ThreadIngest"
        return f"{by}, {'chroma run' if self.served else 'embedded'}{', model' * self.model}"


WAYS = (
    Way(served=False, model=False),
    Way(served=True, model=False),
    Way(served=False, model=True),
    Way(served=True, model=True),
    Way(served=False, model=False, command=True),
    Way(served=True, model=True, command=True),
)
"""One store after the other, in turns; half of them served."""


@dataclass
class Tally:
    """What came out."""

    kills: Counter[Way] = field(default_factory=Counter)
    rounds: Counter[Way] = field(default_factory=Counter)
    seconds: Counter[Way] = field(default_factory=Counter)
    servers: Counter[Way] = field(default_factory=Counter)
    """Kills of the Chroma server."""
    hit: Counter[str] = field(default_factory=Counter)
    """The stage in which a process was killed."""
    differences: list[tuple[Way, str]] = field(default_factory=list)
    asked: int = 0
    """Requests to the model."""
    again: int = 0
    """Of them, those for what it had been asked before."""
    repeated: int = 0
    """Of them, those whose good reply was kept already."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what was killed where, and what was different. Exits with 1 where anything was."""
    parser = argparse.ArgumentParser(description="Kill ingests at random, and look what the store holds in the end.")
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    tally = rehearse(given.kills, given.seed, told=True)
    print(f"{sum(tally.kills.values())} kills, seed {given.seed}\n")
    show([row(way, tally) for way in dict.fromkeys(WAYS)])
    print()
    show([{"killed while": stage, "kills": str(tally.hit[stage])} for stage in (*STAGES, SERVER, ENDED)])
    asked = f"The model was asked {tally.asked} times, {tally.again} times again"
    print(f"\n{asked}, {tally.repeated} times although its reply was kept")
    if tally.differences or tally.repeated:
        for way, what in tally.differences[:SHOWN]:
            print(f"{way}: {what}")
        raise SystemExit(f"not as a fresh ingest; repeat it with --kills {given.kills} --seed {given.seed}")


SERVER = "the Chroma server was killed"
ENDED = "no kill: the run had ended before"


def row(way: Way, tally: Tally) -> dict[str, str]:
    """One line of the table."""
    return {
        "": str(way),
        "kills": str(tally.kills[way]),
        "of the server": str(tally.servers[way]),
        "rounds": str(tally.rounds[way]),
        "differences": str(sum(one == way for one, _ in tally.differences)),
        "seconds": f"{tally.seconds[way]:.0f}",
    }


def rehearse(kills: int, seed: int, *, rounds: int = ROUNDS, told: bool = False) -> Tally:
    """Kill so often; each store lives through some rounds. Choices are the seed's, moments also the machine's."""
    random = Random(seed)
    tally = Tally()
    with Worker() as worker, ScriptedServer() as model:
        number = 0
        while sum(tally.kills.values()) < kills:
            way = WAYS[number % len(WAYS)]
            number += 1
            began = time.perf_counter()
            with TemporaryDirectory(prefix="thread-crash-") as folder:
                life = Life(way, Path(folder), random, worker, model, tally)
                with life:
                    for _ in range(rounds):
                        if sum(tally.kills.values()) < kills:
                            life.round(kills)
            tally.seconds[way] += time.perf_counter() - began
            if told:
                print(
                    f"{sum(tally.kills.values())} of {kills}: {way}, {len(tally.differences)} different",
                    file=sys.stderr,
                )
    return tally


# -- one store -----------------------------------------------------------------------------------------------------


class Life:
    """A store from its beginning, and the folder of its documents."""

    def __init__(
        self, way: Way, folder: Path, random: Random, worker: Worker, model: ScriptedServer, tally: Tally
    ) -> None:
        self._way = way
        self._random = random
        self._worker = worker
        self._tally = tally
        self._guides = Guides(folder / "guides", random)
        self._directory = folder / "store"
        self._directory.mkdir()
        self._server = Chroma(folder / "served") if way.served else None
        self._model = StandIn(model, self._directory / REPLIES, tally) if way.model else None
        self._usual = 1.0
        """Seconds that a run takes which comes to its end."""

    def __enter__(self) -> Self:
        if self._server:
            self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._server:
            self._server.kill()

    @property
    def target(self) -> Target:
        return Target(
            str(self._directory),
            self._server.url if self._server else "",
            self._model.url if self._model else "",
            self._way.command,
        )

    def round(self, kills: int) -> None:
        """Edits and killed runs, then a whole one; and what is different then."""
        self._guides.change()
        for _ in range(self._random.randint(1, 4)):
            if sum(self._tally.kills.values()) < kills:
                self._killed_run()
            if self._random.random() < 0.4:
                self._guides.change()
        began = time.perf_counter()
        status = self._worker.run(self.target, folder=self._guides.folder, prune=True)
        self._usual = time.perf_counter() - began
        self._tally.rounds[self._way] += 1
        if status:
            self._note(f"the run after the kills ended with {status}: {self._worker.said(self.target)}")
        for what in self._differences():
            self._note(what)

    def _note(self, what: str) -> None:
        print(f"{self._way}: {what}", file=sys.stderr)
        self._tally.differences.append((self._way, what))

    def _killed_run(self) -> None:
        self._worker.start(self.target, folder=self._guides.folder, prune=self._random.random() < 0.5)
        kills_server = self._server is not None and self._random.random() < 0.25
        if not self._worker.wait_for_moment(self._random, self._usual):
            self._tally.hit[ENDED] += 1
            self._end_of_run()
            return
        self._tally.kills[self._way] += 1
        if kills_server and self._server:
            self._server.kill()
            self._tally.servers[self._way] += 1
            self._tally.hit[SERVER] += 1
            self._end_of_run(said=COMPLAINED)
            self._server.start()
        else:
            self._worker.kill()
            self._tally.hit[STAGES[self._worker.stage]] += 1
            self._end_of_run()

    def _end_of_run(self, *, said: int = 0) -> None:
        """Wait for it. A run may end by itself, killed, or with the clear message that it should give."""
        status = self._worker.end()
        if status > 0 and status != said:
            self._note(f"a run ended with {status}: {self._worker.said(self.target)}")

    def _differences(self) -> Iterator[str]:
        """How the store is not what a fresh ingest of the documents makes."""
        with TemporaryDirectory(prefix="thread-crash-") as folder:
            fresh = Target(folder, model=self.target.model)
            with self._model.uncounted() if self._model else contextlib.nullcontext():
                status = self._worker.run(fresh, folder=self._guides.folder, prune=False)
            if status:
                yield f"a fresh ingest ended with {status}: {self._worker.said(fresh)}"
                return
            expected = self._worker.look(fresh)
        try:
            seen = self._worker.look(self.target)
        except RuntimeError as error:
            yield str(error)
        else:
            yield from different(seen, expected)


def different(seen: Mapping[str, Any], expected: Mapping[str, Any]) -> Iterator[str]:
    """What of a store is not as in another one."""
    rows, wanted = seen["rows"], expected["rows"]
    for row_id in sorted(rows.keys() | wanted.keys()):
        document = (rows.get(row_id) or wanted[row_id])["metadata"].get(layout.DOCUMENT_ID, "nothing")
        if row_id not in wanted:
            outdated = rows[row_id]["metadata"].get(layout.MARKER) == layout.OUTDATED
            yield f"row {row_id} of {document} is too many{', and outdated' * outdated}"
        elif row_id not in rows:
            yield f"row {row_id} of {document} is missing"
        else:
            for part in ("text", "metadata"):
                if rows[row_id][part] != wanted[row_id][part]:
                    yield f"row {row_id} of {document} differs in its {part}"
            if any(
                abs(a - b) > ROUNDING for a, b in zip(rows[row_id]["vector"], wanted[row_id]["vector"], strict=True)
            ):
                yield f"row {row_id} of {document} differs in its vector"
    for what in ("words", "in step", "intents", "links", "not found"):
        if seen[what] != expected[what]:
            yield f"{what}: {str(seen[what])[:200]} instead of {str(expected[what])[:200]}"


if __name__ == "__main__":
    main()
