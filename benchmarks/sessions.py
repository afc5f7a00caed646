"""What a turn of a session takes when many people walk at once, and whether any sees what is another's.

python benchmarks/sessions.py [FOLDER]      the example documents, unless a folder is given
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median

from _clock import quantile
from _gold import OWN_DOCUMENTS
from _table import show
from speed import extract

from thread_core.walk.rendering import Turn
from thread_core.walk.session import HowToSession
from thread_core.walk.state import SessionState
from thread_eval.datasets.gold import read_documents
from thread_eval.systems import Setup
from thread_eval.systems.thread_langchain import ThreadOnLangChain
from thread_eval.systems.thread_llama_index import ThreadOnLlamaIndex

SESSIONS = 200
TURNS = 6
THREADS = 16
ANSWERS = ("Done. What next?", "1", "2", "yes", "no", "it still does not work", "The error is the same", "back", "skip")

Walk = tuple[str, ...]
"""A question, then answers."""
Seen = list[tuple[Turn | str, float]]
"""Each turn, or why it was refused, and its seconds."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table: every way of walking at once in both frameworks."""
    parser = argparse.ArgumentParser(description="Many sessions over one store; seconds by the clock on the wall.")
    parser.add_argument("folder", type=Path, nargs="?", default=OWN_DOCUMENTS)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    given = parser.parse_args(arguments)
    documents = read_documents(given.folder)
    if not any(text.strip() for text in documents.values()):
        raise SystemExit(f"{given.folder}: there is no Markdown document in it")
    units = extract(documents)
    walks = list(walks_over([unit.header for unit in units], given.sessions))
    rows = []
    for make in (ThreadOnLangChain, ThreadOnLlamaIndex):
        system = make(Setup(documents, units))
        rows += list(measured(system.name, lambda system=system: system.session(SessionState()), walks))
    print(f"{given.sessions} sessions of {TURNS + 1} turns over one store\n")
    show(rows)


def walks_over(headers: Sequence[str], count: int) -> Iterator[Walk]:
    """Walks that differ, the same ones in every run."""
    random = Random(0)
    for header in islice(cycle(headers), count):
        yield (header, *random.choices(ANSWERS, k=TURNS))


def measured(name: str, new: Callable[[], HowToSession], walks: Sequence[Walk]) -> Iterator[dict[str, str]]:
    """Three lines of the table."""
    new().start(walks[0][0])
    alone = [walked(new(), walk) for walk in walks]
    with ThreadPoolExecutor(THREADS) as pool:
        threaded = list(pool.map(lambda walk: walked(new(), walk), walks))

    async def together() -> list[Seen]:
        return await asyncio.gather(*(awaited(new(), walk) for walk in walks))

    for way, seen in (("one by one", alone), (f"{THREADS} threads", threaded), ("at once", asyncio.run(together()))):
        yield line(f"{name}, {way}", seen, alone)


def walked(session: HowToSession, walk: Walk) -> Seen:
    """A walk, turn by turn."""
    seen: Seen = []
    for number, words in enumerate(walk):
        began = time.perf_counter()
        turn = session.respond(words) if number else session.start(words)
        seen.append((turn, time.perf_counter() - began))
    return seen


async def awaited(session: HowToSession, walk: Walk) -> Seen:
    """`walked`, on an event loop that many share."""
    seen: Seen = []
    for number, words in enumerate(walk):
        began = time.perf_counter()
        turn = await (session.arespond(words) if number else session.astart(words))
        seen.append((turn, time.perf_counter() - began))
    return seen


def line(name: str, seen: Sequence[Seen], alone: Sequence[Seen]) -> dict[str, str]:
    """How long turns took, how many a second, and how many were not what the same walk shows alone."""
    taken = sorted(seconds for walk in seen for _, seconds in walk)
    pairs = zip((turn for walk in seen for turn, _ in walk), (turn for walk in alone for turn, _ in walk), strict=True)
    return {
        "": name,
        "p50 ms": f"{1000 * median(taken):.1f}",
        "p95 ms": f"{1000 * quantile(taken, 0.95):.1f}",
        "turns": f"{len(taken):,}",
        "not as alone": f"{sum(one != other for one, other in pairs)}",
    }


if __name__ == "__main__":
    main()
