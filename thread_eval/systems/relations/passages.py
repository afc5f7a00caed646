"""Units whose links are relations as a system, by themselves and beside the chunks of another collection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from thread_core.documents.blocks.markdown import parse
from thread_core.documents.sections import outline
from thread_core.models import Document, LogicUnit
from thread_core.ports import Embedder
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_eval.systems import Setup
from thread_eval.systems.chunks import Chunks, Passage, Search
from thread_eval.systems.chunks_langchain import recursive
from thread_eval.systems.relations.asking import asked_facts
from thread_eval.systems.relations.facts import Fact, Titles, mentioned_facts, stated_facts
from thread_eval.systems.relations.following import HOPS, follow
from thread_eval.systems.relations.fusing import Cited, cited, fused
from thread_eval.systems.relations.units import fact_units


def relations(setup: Setup, hops: int = HOPS) -> Chunks:
    """Facts as units, and what the relation that is asked for leads to; with no hop, what the question finds alone.

    The facts are the model's where the setup has one, else what the structure states and where prose names documents.
    """
    library = fact_library(setup)

    def search(words: str, count: int) -> list[Passage]:
        units = library.run(follow(words, k=count, hops=hops))
        return [Passage(unit.id, cited(unit).text, unit.document_id) for unit in units]

    return Chunks("relations" if hops else "facts", search, setup.models)


def beside_chunks(setup: Setup) -> Chunks:
    """`relations` and LangChain's recursive chunks of the same documents as one list, each piece with its source."""
    library, chunks = fact_library(setup), recursive(setup, 1000, 50).search
    return Chunks("relations beside chunks", _both(library, chunks), setup.models)


def fact_library(setup: Setup) -> Library:
    """The facts of a setup's documents as units in memory, for `follow`."""
    documents = [Document(name, text, title=_title(name, text)) for name, text in setup.documents.items()]
    titles = Titles(documents)
    return library_of([unit for one in documents for unit in _units(one, titles, setup)], setup.embedder)


def library_of(units: Sequence[LogicUnit], embedder: Embedder) -> Library:
    """Some units in memory, for `follow`."""
    store = MemoryStore()
    store.write(units, embedder.embed([unit.header for unit in units]))
    return Library(store, embedder)


def _both(library: Library, chunks: Search) -> Search:
    def search(words: str, count: int) -> list[Passage]:
        found = [Cited(chunk.text, chunk.document) for chunk in chunks(words, count)]
        pieces = fused(library.run(follow(words, k=count)), found)
        return [Passage(one.source, one.text, one.source.partition(":")[0]) for one in pieces]

    return search


def _units(document: Document, titles: Titles, setup: Setup) -> tuple[LogicUnit, ...]:
    facts: Iterable[Fact]
    if setup.models is None:
        facts = (*stated_facts(document), *mentioned_facts(document, titles))
    else:
        facts = setup.models.run(asked_facts(document, titles))
    return fact_units(document, facts)


def _title(name: str, text: str) -> str:
    return outline(parse(text), name, "").title
