"""Questions that are several facts apart: how many of the facts that matter are in the first tokens retrieved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from thread_core.embedding import default_embedding
from thread_core.models import Document, LogicUnit
from thread_core.ports import Embedder
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.memory import nearest
from thread_eval.datasets.two_wiki import MultiHopQuestion
from thread_eval.metrics.retrieval import step_recall
from thread_eval.scores import Score
from thread_eval.shown import clip
from thread_eval.systems.relations.facts import Fact, Titles, mentioned_facts
from thread_eval.systems.relations.following import HOPS, follow
from thread_eval.systems.relations.fusing import Cited, cited, fused
from thread_eval.systems.relations.units import fact_units

BUDGETS = (50, 100, 200, 400)
"""Tokens that are looked at: the passages of one question have some 1,000."""
Facts = Callable[[Document, Titles], Iterable[Fact]]
"""What is made of a document; with a model: `lambda document, titles: access.run(asked_facts(document, titles))`."""


def documents_of(question: MultiHopQuestion) -> list[Document]:
    """The passages of a question, a sentence a line."""
    return [
        Document(title, "\n".join(" ".join(sentence.split()) for sentence in sentences), title=title)
        for title, sentences in dict(question.context).items()
    ]


def library_of(units: Sequence[LogicUnit], embedder: Embedder) -> Library:
    """Some units in memory, for `follow`."""
    store = MemoryStore()
    store.write(units, embedder.embed([unit.header for unit in units]))
    return Library(store, embedder)


def question_scores(
    question: MultiHopQuestion, facts: Facts = mentioned_facts, embedder: Embedder | None = None
) -> dict[str, Score]:
    """Recall of the supporting facts of one question, by `system@tokens`: no model is needed for it.

    The systems are `chunks` (its passages by embedding), `units` (those that it finds), `relations` (and what they lead
    to), and `fused` (`relations` beside `chunks`).
    """
    documents = documents_of(question)
    titles = Titles(documents)
    units = [unit for one in documents for unit in fact_units(one, facts(one, titles))]
    library = library_of(units, embedder or default_embedding())
    chunks = _chunks(question.question, documents, library)
    found = {hops: library.run(follow(question.question, k=len(units), hops=hops)) for hops in (0, HOPS)}
    texts = {
        "chunks": [chunk.text for chunk in chunks],
        "units": [cited(unit).text for unit in found[0]],
        "relations": [cited(unit).text for unit in found[HOPS]],
        "fused": [piece.text for piece in fused(found[HOPS], chunks)],
    }
    wanted = _supporting(question)
    return {
        f"{name}@{budget}": step_recall(clip(retrieved, budget), wanted)
        for name, retrieved in texts.items()
        for budget in BUDGETS
    }


def _chunks(question: str, documents: Sequence[Document], library: Library) -> list[Cited]:
    """The passages, the nearest first."""
    texts = [f"{document.title}\n{document.text}" for document in documents]
    ranked: list[int] = library.run(nearest(question, texts, len(texts)))
    return [Cited(texts[at], documents[at].id) for at in ranked]


def _supporting(question: MultiHopQuestion) -> list[str]:
    """The sentences that matter; one that the passages do not have is passed over."""
    sentences = dict(question.context)
    found = [sentences.get(title, ())[at : at + 1] for title, at in question.supporting_facts]
    return [sentence for one in found for sentence in one]
