"""Whether an ingest on Ray over several machines ends as one process ends, whichever cable is pulled meanwhile.

python benchmarks/ray_hosts.py                      20 incidents: some 30 minutes on two cores; needs root, on Linux
python benchmarks/ray_hosts.py --incidents 40 --seed 7 --stores pgvector

Machines are namespaces (`_machines`): one has PostgreSQL and a Chroma server, one the head of the Ray cluster, the
program that begins a run, and somebody who reads; two have a writer each. A store lives through edits and runs in
which a writer's machine is cut off for a minute or loses its power, or the databases are cut off for 20 s, at random
moments. After each round one run comes to its end, and what the store, the words and the ledger hold is compared with
what one process makes of the same documents; and each guide that was read with all versions that it ever had.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from _crash_scene import Guides
from _crash_worker import read
from _hosts import PATIENCE, Site
from _machines import alone
from _ray_worker import COMPLAINED, At
from _table import show
from ray_crash import SHARDS, STORES, different, held, made

from thread_core import Document, RuleExtractor

INCIDENTS = 20
ROUNDS = 2
"""That come to their end while a store lives, at least."""
GUIDES = 150
EDITS = 80
"""Between two runs, at most."""
CUT = "a writer's machine cut off for 60 s"
DARK = "a writer's machine without power"
NO_DATABASE = "the databases cut off for 20 s"
ENDED = "nothing: the run had ended before"
LASTS = {CUT: 60.0, NO_DATABASE: 20.0}
"""Seconds. Ray takes a machine for dead after some 30 s of silence, and PostgreSQL a session after 45."""


@dataclass
class Tally:
    """What came out."""

    incidents: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By store, and by what happened."""
    complained: Counter[str] = field(default_factory=Counter)
    """Runs that ended with an error of ours, which the next run had to make good."""
    rounds: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    @property
    def happened(self) -> int:
        """How many incidents there were."""
        return sum(number for (_, what), number in self.incidents.items() if what != ENDED)


def main() -> None:
    """Print what happened how often, and what was different. Exits with 1 where anything was."""
    parser = argparse.ArgumentParser(description="Cut machines off at random, and look what the store holds.")
    parser.add_argument("--incidents", type=int, default=INCIDENTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    given = parser.parse_args()
    tally = Tally()
    for number, kind in enumerate(given.stores, 1):
        until = given.incidents * number // len(given.stores)
        rehearse(kind, until, Random(given.seed * 100 + number), tally)
    show(list(rows(tally, given.stores)))
    if tally.differences:
        print(*tally.differences[:20], sep="\n")
        raise SystemExit(f"not as one process; repeat it with --incidents {given.incidents} --seed {given.seed}")


def rows(tally: Tally, stores: Sequence[str]) -> Iterator[dict[str, str]]:
    """The lines of the table."""
    for store in stores:
        yield {
            "": store,
            **{what: str(tally.incidents[store, what]) for what in (CUT, DARK, NO_DATABASE, ENDED)},
            "runs that ended with an error": str(tally.complained[store]),
            "rounds": str(tally.rounds[store]),
            "reads": f"{tally.reads[store]:,}",
            "differences": str(sum(one.startswith(store) for one in tally.differences)),
        }


def rehearse(kind: str, until: int, random: Random, tally: Tally) -> None:
    """Have a store live through incidents, until there were so many in all."""
    with (
        TemporaryDirectory(prefix="thread-hosts-") as folder,
        Site(Path(folder)).up() as site,
    ):
        at = site.store(kind)
        life = Life(kind, at, Guides(Path(folder) / "guides", random, GUIDES), site, random, tally)
        life.begin()
        with life.read():
            while tally.happened < until or tally.rounds[kind] < ROUNDS:
                life.round(until)


class Life:
    """A store from its beginning, and the folder of its documents."""

    def __init__(self, kind: str, at: At, guides: Guides, site: Site, random: Random, tally: Tally) -> None:
        self._kind, self._at, self._guides, self._site = kind, at, guides, site
        self._random, self._tally = random, tally
        self._usual = 0.0
        """Seconds that the writers of a run have to do."""

    def begin(self) -> None:
        """Fill the store."""
        self._run(prune=True)
        self._compare()

    def round(self, until: int) -> None:
        """Edits and runs with incidents, then a whole one; and what is different then."""
        for _ in range(self._random.randint(1, 3)):
            self._guides.change(EDITS)
            if self._tally.happened < until:
                self._run(prune=self._random.random() < 0.5, what=self._random.choice((CUT, DARK, NO_DATABASE)))
                self._site.whole()
        self._run(prune=True)
        self._tally.rounds[self._kind] += 1
        self._compare()

    @contextmanager
    def read(self) -> Iterator[None]:
        """Have somebody read beside the head meanwhile; what was read must have been there once."""
        order = {"at": self._at._asdict(), "folder": str(self._guides.folder)}
        reader = self._site.python(self._site.head, "_hosts_reader.py", order)
        yield
        said, wrong = reader.communicate(timeout=PATIENCE)
        if reader.returncode:
            self._note(f"who reads has ended with {reader.returncode}: {wrong[-600:]}")
        made_of = {name: self._versions(name) for name in self._guides.past}
        for line in map(json.loads, said.splitlines()):
            if "reads" in line:
                self._tally.reads[self._kind] += line["reads"]
            elif tuple(line["units"]) not in made_of[line["name"]]:
                self._note(f"{line['name']} was read as it never was: {line['units']}")

    def _versions(self, name: str) -> set[tuple[str, ...]]:
        """The units of a guide in each of its versions, and that it was not there."""
        texts = (Document(name, text) for text in self._guides.past[name])
        return {(), *(tuple(unit.id for unit in RuleExtractor().extract(text).units) for text in texts)}

    def _run(self, *, prune: bool, what: str = "") -> None:
        """A run; what is to happen does so at a random moment after the writers have begun."""
        order = {"at": self._at._asdict(), "folder": str(self._guides.folder), "ray": self._site.ray, "shards": SHARDS}
        with self._site.python(self._site.head, "_ray_worker.py", {**order, "prune": prune}) as run:
            writers = list(takewhile(str.strip, run.stdout))
            began = time.perf_counter()
            if what and writers:
                self._incident(run, what)
            try:
                said = run.communicate(timeout=PATIENCE)[1]
            except subprocess.TimeoutExpired:
                run.kill()
                said = "it hung"
        took = time.perf_counter() - began
        if not what:
            self._usual = took
        print(f"{self._kind}: {what or 'a whole run'}: {took:.0f} s, {run.returncode} {said[-600:]}", file=sys.stderr)
        if run.returncode == COMPLAINED and what:
            self._tally.complained[self._kind] += 1
        elif run.returncode:
            self._note(f"a run with {what or 'no incident'} ended with {run.returncode}: {said[-600:]}")

    def _incident(self, run: Any, what: str) -> None:
        try:
            run.wait(self._random.uniform(0, self._usual))
        except subprocess.TimeoutExpired:
            self._tally.incidents[self._kind, what] += 1
            machine = self._site.databases if what == NO_DATABASE else self._random.choice(self._site.workers)
            if what == DARK:
                machine.kill()
                return
            machine.cut()
            time.sleep(LASTS[what])
            machine.mend()
        else:
            self._tally.incidents[self._kind, ENDED] += 1

    def _compare(self) -> None:
        with TemporaryDirectory() as folder:
            for what in different(held(self._at), made(read(self._guides.folder), Path(folder))):
                self._note(what)

    def _note(self, what: str) -> None:
        print(f"{self._kind}: {what}", file=sys.stderr)
        self._tally.differences.append(f"{self._kind}: {what}")


if __name__ == "__main__":
    alone(main)
