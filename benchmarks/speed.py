"""How fast documents become units, texts become vectors, and questions are answered.

python benchmarks/speed.py [FOLDER]      the example documents, repeated, unless a folder is given
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median

from _gold import OWN_DOCUMENTS, read_documents
from _systems import HEADINGS, ThreadOnLangChain
from _table import show
from langchain_core.documents import Document as LangChainDocument
from langchain_text_splitters import MarkdownHeaderTextSplitter
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core.node_parser import MarkdownNodeParser

from langchain_thread import LogicUnitTextSplitter
from llama_index_thread import LogicUnitNodeParser
from thread_core import Document, LogicUnit, RuleExtractor, default_embedding
from thread_core.session import SessionState

MEGABYTES = 2.0
ROUNDS = 3
UNITS = 1000
"""In the store that is asked."""
QUESTIONS = 50


def main(arguments: Sequence[str] | None = None) -> None:
    """Print three tables: extraction, embedding, answers."""
    parser = argparse.ArgumentParser(description="How fast it is. CPU time where it says so.")
    parser.add_argument("folder", type=Path, nargs="?", default=OWN_DOCUMENTS)
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, help="to this the documents are repeated")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--units", type=int, default=UNITS, help="in the store that is asked")
    given = parser.parse_args(arguments)
    documents = read_documents(given.folder)
    if not any(text.strip() for text in documents.values()):
        raise SystemExit(f"{given.folder}: there is no Markdown document in it")
    print_extraction(repeated(documents, int(given.megabytes * 1e6)), given.rounds)
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


def print_extraction(documents: Mapping[str, str], rounds: int) -> None:
    """Megabytes a second of CPU, ours beside what the frameworks bring."""
    size = sum(len(text.encode()) for text in documents.values()) / 1e6
    contenders = extractors(documents)
    times = alternate(contenders, rounds)
    fastest_peer = min(median(times[name]) for name in ("MarkdownNodeParser", "MarkdownHeaderTextSplitter"))
    print(f"Extraction of {size:.1f} MB in {len(documents)} documents, median of {rounds} alternating rounds\n")
    show(
        [
            {
                "": name,
                "MB/s of CPU": f"{size / median(times[name]):.2f}",
                "slowest to fastest round": f"{size / max(times[name]):.2f} to {size / min(times[name]):.2f}",
                "beside the faster framework": f"{fastest_peer / median(times[name]):.2f}",
            }
            for name in contenders
        ]
    )


def extractors(documents: Mapping[str, str]) -> dict[str, Callable[[], object]]:
    """What turns the documents into units or chunks; each is handed what its framework hands it."""
    given = [Document(path, text) for path, text in documents.items()]
    on_langchain = [LangChainDocument(text, id=path) for path, text in documents.items()]
    on_llama_index = [LlamaIndexDocument(text=text, id_=path) for path, text in documents.items()]
    by_heading = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
    return {
        "RuleExtractor": lambda: [RuleExtractor().extract(document) for document in given],
        "LogicUnitTextSplitter": lambda: LogicUnitTextSplitter().split_documents(on_langchain),
        "LogicUnitNodeParser": lambda: LogicUnitNodeParser().get_nodes_from_documents(on_llama_index),
        "MarkdownHeaderTextSplitter": lambda: [by_heading.split_text(text) for text in documents.values()],
        "MarkdownNodeParser": lambda: MarkdownNodeParser().get_nodes_from_documents(on_llama_index),
    }


def alternate(contenders: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """CPU seconds of each, taking turns, so that a slow minute of the machine is everybody's."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, work in contenders.items():
            began = time.process_time()
            work()
            times[name].append(time.process_time() - began)
    return times


# -- embedding -----------------------------------------------------------------------------------------------------


def print_embedding(documents: Mapping[str, str], rounds: int) -> None:
    """Texts a second of CPU by the embedded default."""
    units = extract(documents)
    headers = list(islice(cycle([unit.header for unit in units]), 10_000))
    bodies = list(islice(cycle([unit.body for unit in units]), 2_000))
    embed = default_embedding().embed
    embed(headers[:100])
    times = alternate({"headers": lambda: embed(headers), "bodies": lambda: embed(bodies)}, rounds)
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
    system = ThreadOnLangChain(many, default_embedding())
    units = extract(documents)
    step = max(1, len(units) // QUESTIONS)
    questions = list(islice(cycle([unit.header for unit in units[::step]]), QUESTIONS))
    began = time.perf_counter()
    system.retrieve(questions[0])
    opening = time.perf_counter() - began
    retrievals = [seconds(partial(system.retrieve, question)) for question in questions]
    turns = [taken for question in questions for taken in walked(system, question)]
    print(
        f"\nWaiting, {copies * each:,} units in Chroma (the first question, {1000 * opening:.0f} ms, fills the index)\n"
    )
    show([waiting("a question, retrieved", retrievals), waiting("a turn of a session", turns)])


def walked(system: ThreadOnLangChain, question: str) -> list[float]:
    """Seconds of a walk's first turns: the question, "done", and the report of an outcome."""
    session = system.session(SessionState())
    return [
        seconds(lambda: session.start(question)),
        seconds(lambda: session.respond("Done. What next?")),
        seconds(lambda: session.respond("It still does not work, the same error is shown")),
    ]


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes by the clock on the wall."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def waiting(name: str, taken: Sequence[float]) -> dict[str, str]:
    """One line of the last table."""
    ranked = sorted(taken)
    return {
        "": name,
        "p50 ms": f"{1000 * quantile(ranked, 0.50):.1f}",
        "p95 ms": f"{1000 * quantile(ranked, 0.95):.1f}",
    }


def quantile(ranked: Sequence[float], part: float) -> float:
    """The value below which a part of some values lies, given in rising order."""
    return ranked[min(len(ranked) - 1, int(part * len(ranked)))]


if __name__ == "__main__":
    main()
