"""What a slower network between machines costs an ingest, and how often a document has to wait for an answer.

python benchmarks/ray_slow.py                       2,000 units: some 6 minutes on two cores; needs root, on Linux
python benchmarks/ray_slow.py --units 10000 --round-trips 0 10 --stores pgvector

Machines are those of `ray_hosts.py`. What they say to the databases goes by a relay that hands each byte on later
(`_slow_network`), as the kernel of a rehearsal may have nothing that does so by itself. An empty store is filled by two
writers on Ray, and by one process beside the head.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

import _guides
from _hosts import PATIENCE, Site
from _machines import alone
from _ray_worker import At
from _table import show
from ray_crash import SHARDS, STORES

from thread_core import RuleExtractor

UNITS = 2_000
ROUND_TRIPS = (0.0, 5.0, 20.0)
"""Milliseconds."""
WAYS = {0: "one process", SHARDS: f"{SHARDS} writers on Ray"}


class Taken(NamedTuple):
    """What a run took."""

    seconds: float
    asked: int
    """How often somebody waited for an answer of a database."""


def main() -> None:
    """Print a line for each store, way and network."""
    parser = argparse.ArgumentParser(description="Fill a store over slower and slower networks.")
    parser.add_argument("--units", type=int, default=UNITS)
    parser.add_argument("--round-trips", type=float, nargs="+", default=ROUND_TRIPS, metavar="MS")
    parser.add_argument("--stores", nargs="+", choices=STORES, default=STORES)
    given = parser.parse_args()
    with TemporaryDirectory(prefix="thread-hosts-") as folder, Site(Path(folder)).up() as site:
        guides = Path(folder) / "guides"
        documents = list(_guides.guides(given.units))
        units = sum(len(RuleExtractor().extract(document).units) for document in documents)
        for document in documents:
            file = guides / document.id
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(document.text)
        show(list(rows(site, guides, given.stores, given.round_trips, units, len(documents))))


def rows(
    site: Site, guides: Path, stores: Sequence[str], round_trips: Sequence[float], units: int, documents: int
) -> Iterator[dict[str, str]]:
    """The lines of the table."""
    for store in stores:
        for writers, way in WAYS.items():
            taken = {ms: fill(site, guides, store, writers, ms) for ms in round_trips}
            yield {
                f"{documents} documents, {units:,} units": f"{store}, {way}",
                **{f"units/s at {ms:g} ms": f"{units / one.seconds:,.0f}" for ms, one in taken.items()},
                "round trips": f"{taken[round_trips[0]].asked:,}",
                "a document": f"{taken[round_trips[0]].asked / documents:.2f}",
            }


def fill(site: Site, guides: Path, store: str, writers: int, ms: float) -> Taken:
    """Take guides into an empty store, over a network with so long a round trip."""
    at = site.store(store)
    with slower(site, at, ms / 2000) as (there, asked):
        order = {"at": there._asdict(), "folder": str(guides), "ray": site.ray, "shards": writers, "prune": False}
        with site.python(site.head, "_ray_worker.py", order) as run:
            list(takewhile(str.strip, run.stdout))
            began = time.perf_counter()
            said = run.communicate(timeout=10 * PATIENCE)[1]
        if run.returncode:
            raise SystemExit(f"a run ended with {run.returncode}: {said[-600:]}")
        return Taken(time.perf_counter() - began, asked())


@contextmanager
def slower(site: Site, at: At, delay: float) -> Iterator[tuple[At, Callable[[], int]]]:
    """A store as it is reached over a slower network, and what tells how many round trips there were."""
    relays, there = [], {}
    for number, (name, address) in enumerate(at._asdict().items()):
        if "://" in address:
            url = urlsplit(address)
            relay = site.relay(9000 + number, url.port or 5432, delay)
            relays.append(relay)
            there[name] = address.replace(url.netloc, f"{url.netloc.split(':')[0]}:{9000 + number}")

    def asked() -> int:
        return sum(int(relay.communicate("")[0]) for relay in relays)

    try:
        yield at._replace(**there), asked
    finally:
        for relay in relays:
            relay.kill()
            relay.wait()


if __name__ == "__main__":
    alone(main)
