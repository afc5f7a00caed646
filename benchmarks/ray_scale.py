"""What more writers on Ray buy: units a second with one process, and with 1, 2 and 4 writers, into a served store.

python benchmarks/ray_scale.py                      5,000 units into a Chroma server and pgvector, three times each
python benchmarks/ray_scale.py --units 50000 --writers 1 2 4 8 --stores pgvector

Each run fills an empty store; rounds alternate, and the median of a row counts. Seconds are those of the run without
those in which the writers' processes begin, which are told beside. Every store is compared with the one that one
process has filled. A machine with fewer processors than writers shows what it has, and no more.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import _guides
from _ray_worker import At, on_ray, open_ingest
from _table import show
from ray_crash import STORES, a_cluster, a_store, different, held

from thread_ray import runner

UNITS = 5_000
ROUNDS = 3
WRITERS = (1, 2, 4)
ALONE = 0
"""In the place of a number of writers: one process, without Ray."""


class Taken(NamedTuple):
    """What a run took."""

    seconds: float
    begun: float
    """Seconds until the writers had begun."""
    units: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each kind of store. Exits with 1 where a store is not the one that one process fills."""
    parser = argparse.ArgumentParser(description="Units a second with more and more writers on Ray.")
    parser.add_argument("--units", type=int, default=UNITS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--writers", type=int, nargs="+", default=WRITERS)
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    given = parser.parse_args(arguments)
    differences: list[str] = []
    with a_cluster():
        for kind in given.stores:
            taken: dict[int, list[Taken]] = defaultdict(list)
            for _ in range(given.rounds):
                differences += filled(kind, given.units, (ALONE, *given.writers), taken)
            show(list(rows(kind, taken)))
            print()
    if differences:
        print(*differences[:20], sep="\n")
        raise SystemExit("a store is not the one that one process fills")


def filled(kind: str, units: int, writers: Sequence[int], taken: dict[int, list[Taken]]) -> list[str]:
    """Fill a store in each way; what differs from the first one."""
    expected = None
    differences: list[str] = []
    for number in writers:
        with TemporaryDirectory(prefix="thread-ray-") as folder, a_store(kind, Path(folder)) as at:
            taken[number].append(fill(at, units, number))
            seen = held(at)
            if expected is None:
                expected = seen
            differences += [f"{kind}, {number} writers: {what}" for what in different(seen, expected)]
    return differences


def fill(at: At, units: int, writers: int) -> Taken:
    """Take guides into an empty store."""
    begun = 0.0
    wait = runner.RayCrew.begun
    start = time.perf_counter()

    def noted(crew: runner.RayCrew) -> None:
        nonlocal begun
        wait(crew)
        begun = time.perf_counter() - start

    runner.RayCrew.begun = noted  # type: ignore[method-assign]
    try:
        ingest = on_ray(at, writers) if writers else open_ingest(at)
        start = time.perf_counter()
        report = ingest.run(_guides.guides(units))
    finally:
        runner.RayCrew.begun = wait  # type: ignore[method-assign]
    return Taken(time.perf_counter() - start - begun, begun, report.added)


def rows(kind: str, taken: dict[int, list[Taken]]) -> list[dict[str, str]]:
    """The lines of the table: rates, and what of so many times the rate of one writer that is."""
    rates = {number: median(one.units / one.seconds for one in some) for number, some in taken.items()}
    first = min(number for number in rates if number != ALONE)
    return [
        {
            kind: f"{number} writer{'s' * (number > 1)} on Ray" if number else "one process",
            "units": f"{taken[number][0].units:,}",
            "units/s": f"{rate:,.0f}",
            "beside one process": f"{rate / rates[ALONE]:.2f}",
            "efficiency": f"{rate / rates[first] / (number / first):.2f}" if number else "",
            "writers begun after, s": f"{median(one.begun for one in taken[number]):.1f}" if number else "",
        }
        for number, rate in rates.items()
    ]


if __name__ == "__main__":
    main()
