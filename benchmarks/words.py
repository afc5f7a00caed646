"""What a search by words takes as a store grows, and what it would take if every row with one of the words were scored.

python benchmarks/words.py                          10,000 to 1,000,000 units: some 5 minutes, and 1 GB of disk
python benchmarks/words.py --units 10000 30000      as many as one likes
python benchmarks/words.py --postgres               beside each, the same in PostgreSQL, of which a server is started

Units are made of words as frequent as in any text: the n-th word is n times as rare as the first one (Zipf), and most
are seen once or twice. A question is eight words of one unit, most of them of its header, without those that a list of
stop words would hold.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from _clock import quantile, seconds
from _guides import SYLLABLES
from _ingest import size
from _table import show

from tests.postgres import a_server
from thread_core import LogicUnit, Place, Span
from thread_core.ports import Hit, LexicalIndex
from thread_core.store import pruning
from thread_core.store.lexical import SqliteLexicalIndex

UNITS = (10_000, 100_000, 1_000_000)
QUESTIONS = 50
K = 100
"""Units that are searched for, as many as a retrieval asks for."""
PAGE = 20_000
"""Units of one update."""
VOCABULARY = 2_000_000
STOP = 40
"""The most frequent words, which nobody looks for."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table, a line for each size; what is found must be the same either way."""
    parser = argparse.ArgumentParser(description="How a search by words grows with the number of units.")
    parser.add_argument("--units", type=int, nargs="+", default=UNITS, help="sizes of the index")
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--postgres", action="store_true", help="keep them in PostgreSQL, too")
    given = parser.parse_args(arguments)
    print(f"The best {K} units of a question of eight words, milliseconds by the clock on the wall\n")
    show(
        [
            line(units, given.questions, kept)
            for units in given.units
            for kept in (in_a_file, in_postgres)[: 1 + given.postgres]
        ]
    )


Kept = tuple[str, LexicalIndex, Callable[[], int]]
"""What an index is kept in, the index, and how many bytes it takes."""


@contextmanager
def in_a_file() -> Iterator[Kept]:
    """An index that is thrown away."""
    with TemporaryDirectory(prefix="thread-words-") as folder:
        path = Path(folder) / "words.sqlite3"
        yield "a file", SqliteLexicalIndex(path), partial(size, path)


@contextmanager
def in_postgres() -> Iterator[Kept]:
    """One in a server that is thrown away; its tables are tidied before a search, as autovacuum does it in time."""
    import psycopg

    from thread_stores.words import PostgresWords

    with a_server() as server, server.database() as url:
        address = url.replace("+psycopg", "")
        with psycopg.connect(address, autocommit=True) as link:

            def taken() -> int:
                link.execute("VACUUM ANALYZE thread_words.units")
                query = "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables"
                return int(link.execute(query).fetchall()[0][0])

            yield "PostgreSQL", PostgresWords(address), taken


def line(units: int, questions: int, kept: Callable[[], AbstractContextManager[Kept]]) -> Mapping[str, str]:
    """One size."""
    with kept() as (name, index, taken):
        filled = sum(seconds(partial(index.update, [page])) for page in pages(units))
        bytes_taken = taken()
        asked = [question(one) for one in chosen(units, questions)]
        pruned, found = timed(index, asked)
        few, pruning.FEW = pruning.FEW, units * len(asked)
        scored, expected = timed(index, asked)
        pruning.FEW = few
        if found != expected:
            raise SystemExit("what is found differs from what every row's score says")
        return {
            "units": f"{units:,}",
            "in": name,
            "bytes a unit": f"{bytes_taken / units:,.0f}",
            "filled, units/s": f"{units / filled:,.0f}",
            "p50 ms": f"{quantile(pruned, 0.5):.1f}",
            "p95 ms": f"{quantile(pruned, 0.95):.1f}",
            "every row scored, p50 ms": f"{quantile(scored, 0.5):.1f}",
            "p95": f"{quantile(scored, 0.95):.1f}",
        }


def timed(index: LexicalIndex, asked: Sequence[str]) -> tuple[list[float], list[list[Hit]]]:
    """Milliseconds of each search, in rising order, and what was found."""
    found: list[list[Hit]] = []

    def search(words: str) -> None:
        found.append(index.search(words, K))

    return sorted(1000 * seconds(partial(search, words)) for words in asked), found


def pages(units: int) -> Iterator[list[LogicUnit]]:
    """So many units, the same in every run."""
    random = np.random.default_rng(0)
    for first in range(0, units, PAGE):
        count = min(PAGE, units - first)
        headers = random.integers(5, 11, count)
        bodies = np.minimum(400, random.lognormal(3.7, 0.8, count).astype(int) + 3)
        drawn = np.searchsorted(_frequencies(), random.random(int(headers.sum() + bodies.sum())))
        words = map(_word, drawn.tolist())
        yield [
            _unit(first + at, list(islice(words, int(headers[at]))), list(islice(words, int(bodies[at]))))
            for at in range(count)
        ]


def chosen(units: int, count: int) -> list[LogicUnit]:
    """Units of which one can be asked."""
    numbers = set(Random(1).sample(range(min(units, PAGE)), count))
    return [unit for number, unit in enumerate(next(pages(units))) if number in numbers]


def question(unit: LogicUnit) -> str:
    """Words of its header and body."""
    random, stop = Random(unit.id), {_word(number) for number in range(STOP)}
    header, body = unit.header.split(), unit.body.split()
    drawn = [*random.sample(header, min(5, len(header))), *random.sample(body, min(3, len(body)))]
    return " ".join(word for word in drawn if word not in stop) or header[0]


def _unit(number: int, header: Sequence[str], body: Sequence[str]) -> LogicUnit:
    document = f"area-{number // 1000}/guide-{number // 10}.md"
    span = Span(document, number % 10 + 1, number % 10 + 1)
    return LogicUnit(
        id=f"{number:032x}",
        document_id=document,
        place=Place(anchor="", number=number % 10 + 1),
        type="step",
        header=" ".join(header),
        body=" ".join(body),
        spans=(span,),
        body_spans=(span,),
    )


@cache
def _frequencies() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """How many of all words are among the first n."""
    shares = 1 / (np.arange(1, VOCABULARY + 1) + 2.7) ** 1.05
    return np.cumsum(shares / shares.sum())


@cache
def _word(number: int) -> str:
    """The word that is so frequent."""
    syllables, left, word = SYLLABLES.split(), number + 40, ""
    while left:
        left, at = divmod(left, len(syllables))
        word += syllables[at]
    return word


if __name__ == "__main__":
    main()
