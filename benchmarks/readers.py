"""Whether anybody who reads while documents change sees one that is in between: half old and half new, or not there.

python benchmarks/readers.py                        10,000 reads of each kind of store: some 5 minutes on two cores
python benchmarks/readers.py --ray --seconds 600    the same of a served store that two writers on Ray write

Every unit of a guide holds a word of its version, and so has another id in each. One writer takes the guides in again
and again, back and forth between two versions that also differ in their number of units; readers ask meanwhile, through
the front doors of both frameworks and by the store. An embedded Chroma is read by threads of the writing process, a
served one by other processes.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from multiprocessing.context import ForkServerContext
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import _guides
from _crash_scene import Chroma as Server
from _crash_worker import Target
from _ingest import into
from _table import show
from langchain_chroma import Chroma
from llama_index.vector_stores.chroma import ChromaVectorStore

import langchain_thread
import llama_index_thread
from thread_chroma.opening import COLLECTION
from thread_core import Document, RuleExtractor, default_embedding
from thread_core.plan import Plan
from thread_core.ports import rows_of
from thread_core.store.library import Library
from thread_core.store.requests import read_document

READS = 10_000
READERS = 4
GUIDES = 8
VERSIONS = ("apricot", "blackthorn")
"""The word of each version."""

WHOLE, OLD_AND_NEW, INCOMPLETE, NOTHING = "whole", "old and new", "incomplete", "nothing"

OF_ALL = ("store.document", "Library")
"""Ways that read all of a document."""
WAYS = dict.fromkeys(OF_ALL, 6) | dict.fromkeys(
    ("ThreadRetriever, LangChain", "ThreadRetriever, LlamaIndex", "HowToSession"), 1
)
"""Each way of reading, and how often it is taken: looking up a document takes a tenth of the time of a question."""

Version = tuple[str, str]
"""A document and the word of its version."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print what was read in each way. Exits with 1 where anything was in between."""
    parser = argparse.ArgumentParser(description="Read guides while they change.")
    parser.add_argument("--reads", type=int, default=READS, help="of the embedded store, and of the served one")
    parser.add_argument("--readers", type=int, default=READERS, help="threads, or processes")
    parser.add_argument("--ray", action="store_true", help="have writers on Ray take in all guides again and again")
    parser.add_argument("--seconds", type=float, default=0.0, help="read so long, at least, and not so often")
    given = parser.parse_args(arguments)
    lines, bad = [], 0
    for served in (True,) if given.ray else (False, True):
        seen, edits = watched(served, given.reads, given.readers, seconds=given.seconds, on_ray=given.ray)
        bad += sum(number for (_, what), number in seen.items() if what != WHOLE)
        lines += list(rows("served" if served else "embedded", seen, edits))
    show(lines)
    if bad:
        raise SystemExit(f"{bad} answers were neither the old nor the new version of a document")


def rows(where: str, seen: Counter[tuple[str, str]], edits: int) -> Iterator[dict[str, str]]:
    """The lines of the table for one store."""
    for way in WAYS:
        yield {
            "": f"{where}, {way}",
            "reads": f"{sum(number for (one, _), number in seen.items() if one == way):,}",
            "edits meanwhile": f"{edits:,}",
            **{what: str(seen[way, what]) for what in (OLD_AND_NEW, INCOMPLETE, NOTHING)},
        }


def watched(
    served: bool, reads: int, readers: int, *, seconds: float = 0.0, on_ray: bool = False
) -> tuple[Counter[tuple[str, str]], int]:
    """What was read of a store while it was written, and how many edits there were."""
    with (
        TemporaryDirectory(prefix="thread-readers-") as folder,
        a_target(Path(folder), served) as target,
        a_writer(target, on_ray) as write,
    ):
        write([guide(number, 0) for number in range(GUIDES)])
        pool: Executor = ProcessPoolExecutor(readers, _forking()) if served else ThreadPoolExecutor(readers)
        with pool:
            work = [pool.submit(read, target, reads // readers, seed, seconds) for seed in range(readers)]
            for edits in count(step=GUIDES if on_ray else 1):
                version = 1 - edits // GUIDES % 2
                changed = range(GUIDES) if on_ray else [edits % GUIDES]
                write([guide(number, version) for number in changed])
                if all(one.done() for one in work):
                    return sum((one.result() for one in work), Counter[tuple[str, str]]()), edits + len(changed)
    raise AssertionError("the loop ends by returning")


@contextmanager
def a_writer(target: Target, on_ray: bool) -> Iterator[Callable[[Sequence[Document]], object]]:
    """Takes guides into a store, in this process or by two writers on Ray."""
    if not on_ray:
        yield into(target.store(), Path(target.directory)).run
        return
    from _ray_worker import At
    from _ray_worker import on_ray as by_writers
    from ray_crash import a_cluster

    with a_cluster():
        yield by_writers(At(target.directory, target.server), shards=2).run


def _forking() -> ForkServerContext:
    """Makes processes from one that has imported what they need and no more."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


@contextmanager
def a_target(folder: Path, served: bool) -> Iterator[Target]:
    """An empty store."""
    (folder / "store").mkdir()
    if not served:
        yield Target(str(folder / "store"))
        return
    server = Server(folder / "served")
    server.start()
    try:
        yield Target(str(folder / "store"), server.url)
    finally:
        server.kill()


# -- reading -------------------------------------------------------------------------------------------------------


def read(target: Target, reads: int, seed: int, seconds: float = 0.0) -> Counter[tuple[str, str]]:
    """Read at random, so often or so long, and count what came: by which way, and whether it was whole."""
    random = Random(seed)
    known = units()
    ways = readers_of(target)
    seen: Counter[tuple[str, str]] = Counter()
    end = time.monotonic() + seconds
    for number in count():
        if (time.monotonic() >= end) if seconds else number >= reads:
            break
        [way] = random.choices(list(WAYS), list(WAYS.values()))
        name = _guides.name(random.randrange(GUIDES))
        seen[way, judged(name, ways[way](name), known, whole=way in OF_ALL)] += 1
    return seen


def judged(name: str, found: Collection[str], known: Mapping[str, Version], *, whole: bool) -> str:
    """Whether the units that were read of a guide, and of others with it, are of one version each."""
    versions = {known.get(unit_id, ("", "")) for unit_id in found}
    documents = [document for document, _ in versions]
    if name not in documents:
        return NOTHING
    if len(set(documents)) < len(documents):
        return OLD_AND_NEW
    return INCOMPLETE if whole and len(found) < sum(version in versions for version in known.values()) else WHOLE


def readers_of(target: Target) -> dict[str, Callable[[str], Collection[str]]]:
    """Each way of reading a guide, over clients of this process; what it gives are ids of units."""
    store = target.store()
    library = Library(store, default_embedding())
    on_langchain = langchain_thread.ThreadRetriever(
        vectorstore=Chroma(
            COLLECTION,
            langchain_thread.HeaderEmbeddings(langchain_thread.DefaultEmbeddings()),
            client=target.client(),
        )
    )
    on_llama_index = llama_index_thread.ThreadRetriever(
        vector_store=ChromaVectorStore(chroma_collection=target.collection()),
        embed_model=llama_index_thread.DefaultEmbedding(),
    )

    def plan(name: str) -> Plan[list[str]]:
        return [row.unit.id for row in (yield from read_document(name))]

    ways: tuple[Callable[[str], Collection[str]], ...] = (
        lambda name: [row.unit.id for row in rows_of(store, name)],
        lambda name: library.run(plan(name)),
        lambda name: [str(document.id) for document in on_langchain.invoke(question(name))],
        lambda name: [found.node.node_id for found in on_llama_index.retrieve(question(name))],
        lambda name: langchain_thread.HowToSession(on_langchain).start(question(name)).unit_ids,
    )
    return dict(zip(WAYS, ways, strict=True))


# -- the guides ----------------------------------------------------------------------------------------------------


def guide(number: int, version: int) -> Document:
    """A guide in one of its versions: each step says the version's word, and the second version has steps more."""
    lines = [f"# {_guides.title(number)}\n"]
    for section in range(1, 7 + 2 * version):
        lines.append(f"## Way {section}\n")
        for step in (1, 2):
            lines.append(
                f"{step}. Look at lamp {10 * section + step} of rack {number}. It is called {VERSIONS[version]}.\n"
            )
            lines.append(f"   If it is red, go to [way 1](#way-1). If it is green, go to step {3 - step}.\n")
    return Document(_guides.name(number), "\n".join(lines))


def question(name: str) -> str:
    """What leads to a guide."""
    return f"What do I do when {TITLES[name]}?"


def units() -> dict[str, Version]:
    """The units of all guides in both versions: of which document and version each is."""
    made = RuleExtractor()
    return {
        unit.id: (unit.document_id, VERSIONS[version])
        for number in range(GUIDES)
        for version in range(len(VERSIONS))
        for unit in made.extract(guide(number, version)).units
    }


TITLES = {_guides.name(number): _guides.title(number) for number in range(GUIDES)}


if __name__ == "__main__":
    main()
