"""What ten and a hundred times the documents change: taking them in, asking, following a link, editing one.

python benchmarks/scale.py                          10,000 and 100,000 units: some 8 minutes on two cores
python benchmarks/scale.py --units 1000000          as many as one likes: some 2 hours, and 10 GB of disk

The guides are made by `_guides.py`, the store is the command's: Chroma in a directory, words and ledger beside it. Each
size is filled by one process and asked by another, so that the memory of both is seen. Beside our figures stand the
store's own for the same rows, because nothing that reads a store can grow slower than that.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import _guides
import chromadb
from _clock import quantile, seconds
from _ingest import LEDGER, WORDS, into, size
from _table import show
from chromadb.config import Settings

from thread_chroma import open_store
from thread_chroma.opening import COLLECTION
from thread_chroma.store import WIDER
from thread_core import default_embedding, layout
from thread_core.plan import Plan
from thread_core.ports import Stored
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.requests import Resolve, SearchWords, read_document

if TYPE_CHECKING:
    from langchain_thread import ThreadRetriever

UNITS = (10_000, 100_000)
QUESTIONS = 100
EDITS = 20
K = 100
"""Units that are searched for, as many as a retrieval asks for."""

Figures = dict[str, float]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table: each figure at every size, and how it has grown from one size to the next."""
    parser = argparse.ArgumentParser(description="How ingest and questions grow with the number of units.")
    parser.add_argument("--units", type=int, nargs="+", default=UNITS, help="sizes of the stores")
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--edits", type=int, default=EDITS, help="documents that are edited, one after the other")
    given = parser.parse_args(arguments)
    columns = [measured(units, given.questions, given.edits) for units in given.units]
    print("Seconds by the clock on the wall; of each column, how many times it is the one before\n")
    show(list(rows(columns)))


def measured(units: int, questions: int, edits: int) -> Figures:
    """Everything about one size. The store is thrown away."""
    with TemporaryDirectory(prefix="thread-scale-") as folder:
        directory = Path(folder)
        filled = alone(fill, directory, units)
        count = int(filled["documents"])
        return filled | alone(ask, directory, count, questions) | alone(edit, directory, count, edits)


def alone(work: Callable[..., Figures], *given: Any) -> Figures:
    """What some work gives in a process of its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *given).result()


def rows(columns: Sequence[Figures]) -> Iterable[Mapping[str, str]]:
    """The lines of the table."""
    sizes = [f"{column['units']:,.0f} units" for column in columns]
    for name in columns[0]:
        line = {"": name}
        for index, column in enumerate(columns):
            line[sizes[index]] = figure(column[name])
            if index:
                before = columns[index - 1][name]
                line[f"growth to {sizes[index]}"] = f"{column[name] / before:.1f}" if before else "-"
        yield line


def figure(value: float) -> str:
    """A number with three digits that count."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


# -- filling -------------------------------------------------------------------------------------------------------


def fill(directory: Path, units: int) -> Figures:
    """Take guides into an empty directory, and take them in again."""
    store = open_store(directory, create=True)
    ingest = into(store, directory)
    began = time.perf_counter()
    report = ingest.run(_guides.guides(units))
    taken = time.perf_counter() - began
    unchanged = seconds(lambda: ingest.run(_guides.guides(units)))
    text = sum(len(document.text.encode()) for document in _guides.guides(units))
    return {
        "units": report.added,
        "documents": len(report.reports),
        "MB of text": text / 1e6,
        "ingest: s": taken,
        "ingest: units/s": report.added / taken,
        "ingest: MB/s": text / 1e6 / taken,
        **{f"ingest: {stage} s": value for stage, value in report.seconds.items()},
        "ingest of everything unchanged: s": unchanged,
        "peak memory of ingest: MB": peak(),
        "on disk, Chroma: MB": size(directory) / 1e6 - size(directory / WORDS, directory / LEDGER) / 1e6,
        "on disk, words: MB": size(directory / WORDS) / 1e6,
        "on disk, ledger: MB": size(directory / LEDGER) / 1e6,
    }


def peak() -> float:
    """The most memory that this process has had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


# -- asking and editing --------------------------------------------------------------------------------------------


def ask(directory: Path, count: int, questions: int) -> Figures:
    """Ask and follow links, in a process that has just begun; LangChain is in the memory of this one alone."""
    from langchain_chroma import Chroma

    from langchain_thread import DefaultEmbeddings, HeaderEmbeddings, ThreadRetriever

    client = chromadb.PersistentClient(directory, settings=Settings(anonymized_telemetry=False))
    retriever = ThreadRetriever(
        vectorstore=Chroma(COLLECTION, HeaderEmbeddings(DefaultEmbeddings()), client=client),
        lexical_index=SqliteLexicalIndex(directory / WORDS),
    )
    collection = client.get_collection(COLLECTION, embedding_function=None)
    store = open_store(directory)
    library = retriever.library
    chosen = Random(0).choices(range(count), k=questions)
    names = [_guides.name(number) for number in chosen]
    asked = [f"What do I do when {_guides.title(number)}?" for number in chosen]
    vectors = default_embedding().embed(asked)
    return {
        "first question of a process: ms": 1000 * seconds(partial(retriever.invoke, asked[0])),
        **waiting("question", [partial(retriever.invoke, question) for question in asked]),
        **waiting("store.search", [partial(store.search, vector, K) for vector in vectors]),
        **waiting("the store's own query", [partial(nearest, collection, vector) for vector in vectors]),
        **waiting("search by words", [partial(library.answer, SearchWords(question, K)) for question in asked]),
        **waiting("next in a session", [advance(retriever, question) for question in asked]),
        **waiting("a link: resolve and read", [partial(library.run, follow(name)) for name in names]),
        **waiting("the store's own look-up", [partial(look_up, collection, name) for name in names]),
        "peak memory of questions: MB": peak(),
    }


def waiting(name: str, calls: Sequence[Callable[[], object]]) -> Figures:
    """Median and 95th percentile of some calls, in milliseconds."""
    taken = sorted(1000 * seconds(call) for call in calls)
    return {f"{name}: ms": median(taken), f"{name}, p95: ms": quantile(taken, 0.95)}


def advance(retriever: ThreadRetriever, question: str) -> Callable[[], object]:
    """The second turn of a session that has begun."""
    from langchain_thread import HowToSession

    session = HowToSession(retriever)
    session.start(question)
    return partial(session.respond, "Done. What next?")


def follow(name: str) -> Plan[list[Stored]]:
    """What a link needs: which document is meant, and its units."""
    meant = yield Resolve(f"../{name}", _guides.name(0))
    return (yield from read_document(meant.document_id))


def nearest(collection: chromadb.Collection, vector: list[float]) -> object:
    """What `store.search` asks of Chroma."""
    return collection.query([vector], n_results=WIDER * K, include=["metadatas", "distances", "embeddings"])


def look_up(collection: chromadb.Collection, name: str) -> object:
    """What `store.document` asks of Chroma."""
    return collection.get(where={layout.DOCUMENT_ID: name}, include=["metadatas", "documents", "embeddings"])


def edit(directory: Path, count: int, edits: int) -> Figures:
    """Change one body of a guide and take that guide in, and so on with others."""
    ingest = into(open_store(directory), directory)
    reports, taken = [], []
    for number in Random(1).sample(range(count), min(edits, count)):
        changed = _guides.guide(number, count, version=1)
        began = time.perf_counter()
        reports.append(ingest.run([changed]))
        taken.append(1000 * (time.perf_counter() - began))
    return {
        "edit of one body: ms": median(taken),
        "edit of one body, first of a process: ms": taken[0],
        "edit of one body: embeddings": max(report.embedded for report in reports),
        "edit of one body: rows written": median(report.added + report.moved + report.removed for report in reports),
    }


if __name__ == "__main__":
    main()
