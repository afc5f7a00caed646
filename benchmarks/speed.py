"""How fast documents become units and a store, what is broken by the way, and how fast questions are answered.

python benchmarks/speed.py [FOLDER]      the example documents, repeated, unless a folder is given
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from _breaks import count_breaks
from _clock import quantile, seconds
from _gold import OWN_DOCUMENTS
from _pipelines import PIPELINES
from _splitters import SPLITTERS
from _table import show

from thread_core import Document, LogicUnit, RuleExtractor, default_embedding
from thread_core.retrieval.retrieve import CANDIDATES
from thread_core.walk.session import SessionState
from thread_eval.datasets.gold import read_documents
from thread_eval.systems import Setup
from thread_eval.systems.thread_langchain import ThreadOnLangChain

MEGABYTES = 2.0
ROUNDS = 3
UNITS = 1000
"""In the store that is asked."""
QUESTIONS = 50


def main(arguments: Sequence[str] | None = None) -> None:
    """Print four tables: extraction, ingest, embedding, answers."""
    parser = argparse.ArgumentParser(description="How fast it is. CPU time where it says so.")
    parser.add_argument("folder", type=Path, nargs="?", default=OWN_DOCUMENTS)
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, help="to this the documents are repeated")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--units", type=int, default=UNITS, help="in the store that is asked")
    given = parser.parse_args(arguments)
    documents = read_documents(given.folder)
    if not any(text.strip() for text in documents.values()):
        raise SystemExit(f"{given.folder}: there is no Markdown document in it")
    many = repeated(documents, int(given.megabytes * 1e6))
    print_extraction(documents, many, given.rounds)
    print_ingest(many, given.rounds)
    print_embedding(documents, given.rounds)
    print_answers(documents, given.units)


# -- extraction ----------------------------------------------------------------------------------------------------


def repeated(documents: Mapping[str, str], size: int) -> dict[str, str]:
    """Documents again and again under new names until they have some size; at least once each."""
    taken: dict[str, str] = {}
    total = 0
    for number, (path, text) in enumerate(cycle(documents.items())):
        if number >= len(documents) and total >= size:
            return taken
        taken[f"{number // len(documents)}/{path}"] = text
        total += len(text.encode())
    return taken


def print_extraction(documents: Mapping[str, str], many: Mapping[str, str], rounds: int) -> None:
    """Megabytes a second of CPU, ours beside what the frameworks bring; and what each breaks, of each document once."""
    size = sum(len(text.encode()) for text in many.values()) / 1e6
    times = cpu(alternate({name: partial(one.split, one.handed(many)) for name, one in SPLITTERS.items()}, rounds))
    fastest_peer = min(median(times[name]) for name in ("MarkdownNodeParser", "MarkdownHeaderTextSplitter"))
    print(f"Extraction of {size:.1f} MB in {len(many)} documents, median of {rounds} alternating rounds\n")
    show(
        [
            {
                "": name,
                "MB/s of CPU": f"{size / median(times[name]):.2f}",
                "slowest to fastest round": f"{size / max(times[name]):.2f} to {size / min(times[name]):.2f}",
                "beside the faster framework": f"{fastest_peer / median(times[name]):.2f}",
                **count_breaks(documents, one.chunks(one.split(one.handed(documents)))).row(),
            }
            for name, one in SPLITTERS.items()
        ]
    )


class Taken(NamedTuple):
    """What some work took, in seconds; CPU with that of the processes that it has started and ended."""

    cpu: float
    wall: float


def alternate(contenders: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[Taken]]:
    """What each takes, in turns, so that a slow minute of the machine is everybody's."""
    times: dict[str, list[Taken]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, work in contenders.items():
            began = _now()
            work()
            ended = _now()
            times[name].append(Taken(ended.cpu - began.cpu, ended.wall - began.wall))
    return times


def _now() -> Taken:
    children = os.times()[2:4]
    return Taken(time.process_time() + sum(children), time.perf_counter())


def cpu(times: Mapping[str, Sequence[Taken]]) -> dict[str, list[float]]:
    """CPU seconds alone."""
    return {name: [one.cpu for one in taken] for name, taken in times.items()}


# -- ingest --------------------------------------------------------------------------------------------------------


def print_ingest(documents: Mapping[str, str], rounds: int) -> None:
    """The whole way of documents into Chroma in a directory, by the same pipeline with one splitter or another."""
    size = sum(len(text.encode()) for text in documents.values()) / 1e6
    rows: dict[str, int] = {}

    def into_new_directory(name: str) -> None:
        with TemporaryDirectory(prefix="thread-speed-") as folder:
            rows[name] = PIPELINES[name](documents, Path(folder))

    times = alternate({name: partial(into_new_directory, name) for name in PIPELINES}, rounds)
    print(f"\nThe same into Chroma: extract, embed with the default, write; median of {rounds} alternating rounds\n")
    show([ingest_row(name, times, rows[name], size) for name in PIPELINES])


def ingest_row(name: str, times: Mapping[str, Sequence[Taken]], rows: int, size: float) -> dict[str, str]:
    """One line of the table; ratios are of one round's times, and their median is shown."""

    def beside(peer: str) -> Taken:
        rounds = list(zip(times[name], times[peer], strict=True))
        return Taken(
            median(own.cpu / other.cpu for own, other in rounds), median(own.wall / other.wall for own, other in rounds)
        )

    parsed, split = beside("IngestionPipeline, MarkdownNodeParser"), beside("add_documents, MarkdownHeaderTextSplitter")

    return {
        "": name,
        "rows": f"{rows:,}",
        "s of CPU": f"{median(taken.cpu for taken in times[name]):.2f}",
        "s": f"{median(taken.wall for taken in times[name]):.2f}",
        "MB/s of CPU": f"{size / median(taken.cpu for taken in times[name]):.2f}",
        "time beside MarkdownNodeParser": f"{parsed.wall:.2f}",
        "its CPU": f"{parsed.cpu:.2f}",
        "time beside MarkdownHeaderTextSplitter": f"{split.wall:.2f}",
    }


# -- embedding -----------------------------------------------------------------------------------------------------


def print_embedding(documents: Mapping[str, str], rounds: int) -> None:
    """Texts a second of CPU by the embedded default."""
    units = extract(documents)
    headers = list(islice(cycle([unit.header for unit in units]), 10_000))
    bodies = list(islice(cycle([unit.body for unit in units]), 2_000))
    embed = default_embedding().embed
    embed(headers[:100])
    times = cpu(alternate({"headers": lambda: embed(headers), "bodies": lambda: embed(bodies)}, rounds))
    print("\nEmbedding with the default\n")
    show(
        [
            {"": name, "texts/s of CPU": f"{len(texts) / median(times[name]):,.0f}"}
            for name, texts in (("headers", headers), ("bodies", bodies))
        ]
    )


def extract(documents: Mapping[str, str]) -> list[LogicUnit]:
    """The units of all documents."""
    return [unit for path, text in documents.items() for unit in RuleExtractor().extract(Document(path, text)).units]


# -- answers -------------------------------------------------------------------------------------------------------


def print_answers(documents: Mapping[str, str], size: int) -> None:
    """Seconds that a person waits, on a Chroma collection in memory, through LangChain's front door."""
    each = len(extract(documents))
    copies = max(1, round(size / each))
    many = {f"{number}/{path}": text for number in range(copies) for path, text in documents.items()}
    system = ThreadOnLangChain(Setup(many, extract(many)))
    units = extract(documents)
    step = max(1, len(units) // QUESTIONS)
    questions = list(islice(cycle([unit.header for unit in units[::step]]), QUESTIONS))
    began = time.perf_counter()
    system.retrieve(questions[0])
    opening = time.perf_counter() - began
    retrievals = [seconds(partial(system.retrieve, question)) for question in questions]
    searches = [seconds(partial(system.store.similarity_search, question, CANDIDATES)) for question in questions]
    turns = [taken for question in questions for taken in walked(system, question)]
    print(
        f"\nWaiting, {copies * each:,} units in Chroma (the first question, {1000 * opening:.0f} ms, fills the index)\n"
    )
    show([waiting("a question, retrieved", retrievals), waiting("a turn of a session", turns)])
    ratio = median(retrievals) / median(searches)
    print(f"\nretrieve: ratio to the store's own query of as many candidates ({CANDIDATES}): {ratio:.1f}")


def walked(system: ThreadOnLangChain, question: str) -> list[float]:
    """Seconds of a walk's first turns: the question, "done", and the report of an outcome."""
    session = system.session(SessionState())
    return [
        seconds(lambda: session.start(question)),
        seconds(lambda: session.respond("Done. What next?")),
        seconds(lambda: session.respond("It still does not work, the same error is shown")),
    ]


def waiting(name: str, taken: Sequence[float]) -> dict[str, str]:
    """One line of the last table."""
    ranked = sorted(taken)
    return {
        "": name,
        "p50 ms": f"{1000 * quantile(ranked, 0.50):.1f}",
        "p95 ms": f"{1000 * quantile(ranked, 0.95):.1f}",
    }


if __name__ == "__main__":
    main()
