"""What each main idea adds: the whole, then the whole without one part at a time.

python benchmarks/ablation.py [--documents FOLDER --gold FILE] [--embedding default] [--units FILE]

The public classes have no switch for any of this. Parts are composed differently here: other headers, other vectors,
another lexical index, units whose links lead nowhere; and where a part is a function, another one in its place.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from _gold import arguments_for, embedding, load, units_for
from _table import share, show
from quality import branches, retrievals, walks

from thread_core import LinkAction, LogicUnit, Target, layout
from thread_core.plan import run
from thread_core.ports import Embedder, Hit, LexicalIndex
from thread_core.retrieval import prerequisites
from thread_core.retrieval import retrieve as retrieval
from thread_core.store.lexical import NoWords, SqliteLexicalIndex
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.text import header as headers
from thread_core.walk import decide, matcher
from thread_core.walk.session import HowToSession, SessionState
from thread_eval import macro
from thread_eval.aggregates import column
from thread_eval.datasets.gold import Task
from thread_eval.systems.walking import Walking


def header_of(unit: LogicUnit) -> str:
    """The text that is embedded."""
    return unit.header


def same(unit: LogicUnit) -> LogicUnit:
    """The unit as it was extracted."""
    return unit


# -- parts in another form -----------------------------------------------------------------------------------------


def first_words_alone(unit: LogicUnit) -> LogicUnit:
    """A header without the document's title and the path of sections, where anything is left then."""
    before = headers.compose(unit.title, unit.section)
    lead = unit.header.removeprefix(before).removeprefix(": ")
    return unit.model_copy(update={"header": lead or unit.header.rsplit(": ", 1)[-1]})


def path_alone(unit: LogicUnit) -> LogicUnit:
    """A header of title and path, without the first words of the body."""
    return unit.model_copy(update={"header": headers.compose(unit.title, unit.section)})


def leading_nowhere(unit: LogicUnit) -> LogicUnit:
    """Links keep their conditions and their endings, and stay where they stand; only reading order leads on."""
    here = {"target": Target(place=unit.place), "action": LinkAction.CONTINUE}
    links = [
        link.model_copy(update=here) if link.target is not None and not layout.is_next(link) else link
        for link in unit.links
    ]
    return unit.model_copy(update={"links": tuple(links)})


def by_best_unit(scores: Mapping[str, float], hits: Sequence[Hit]) -> list[tuple[str, float]]:
    """Documents by their best unit, however many others agree."""
    best: dict[str, float] = {}
    for hit in hits:
        best[hit.document_id] = max(best.get(hit.document_id, 0.0), scores[hit.unit_id])
    return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))


def first_step(question: str, units: Sequence[LogicUnit], scores: Mapping[str, float]) -> LogicUnit:
    """Every document is entered at its first step."""
    return next((unit for unit in units if unit.type == "step"), units[0])


# -- the variants --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to put the parts together."""

    name: str
    change: Callable[[LogicUnit], LogicUnit] = same
    embedded: Callable[[LogicUnit], str] = header_of
    lexical: type[LexicalIndex] = SqliteLexicalIndex
    instead: tuple[tuple[Any, str, Any], ...] = ()
    """Module, name, and what stands there while the variant is measured."""


VARIANTS = (
    Variant("whole"),
    Variant("no title and path in the header", change=first_words_alone),
    Variant("no first words in the header", change=path_alone),
    Variant("whole unit embedded, not its header", embedded=layout.row_text),
    Variant("no words in retrieval", lexical=NoWords),
    Variant("no words in matching outcomes", instead=((matcher, "WORDS", 0.0),)),
    Variant("no agreement within a document", instead=((retrieval, "rank_documents", by_best_unit),)),
    Variant("no choice of the entry", instead=((retrieval, "choose_entry", first_step),)),
    Variant("no links followed", change=leading_nowhere),
    Variant("no conditions of passages", instead=((matcher, "CONDITION", 0.0), (matcher, "STATED", 0.0))),
    Variant("no option taken by its words", instead=((decide, "_by_words", lambda *_: None),)),
    Variant("no option taken by yes and no", instead=((decide, "_by_polarity", lambda *_: None),)),
    Variant(
        "no version and platform gates",
        instead=(
            (retrieval, "applies", lambda unit, known: True),
            (retrieval, "is_for_others", lambda title, known: False),
            (prerequisites, "decidable", lambda prerequisite: False),
        ),
    ),
)


class Composed(Walking):
    """The core over a store in memory, put together as a variant says."""

    def __init__(
        self, variant: Variant, documents: Mapping[str, str], units: Sequence[LogicUnit], embedder: Embedder
    ) -> None:
        super().__init__(documents)
        self.name = variant.name
        changed = [variant.change(unit) for unit in units]
        store = MemoryStore()
        store.write(changed, embedder.embed([variant.embedded(unit) for unit in changed]))
        self._library = Library(store, embedder, variant.lexical())

    def retrieve(self, question: str) -> list[str]:
        return [layout.render(found.unit) for found in run(retrieval.retrieve(question), self._library.answer)]

    def session(self, state: SessionState) -> HowToSession:
        return _Resumed(self._library, state)


class _Resumed(HowToSession):
    def __init__(self, library: Library, state: SessionState) -> None:
        super().__init__(library)
        self.resumed(state)


def measure(
    variant: Variant,
    tasks: Sequence[Task],
    documents: Mapping[str, str],
    units: Sequence[LogicUnit],
    embedder: Embedder,
) -> dict[str, str]:
    """The scores of one variant, as they are printed."""
    with ExitStack() as stack:
        for module, name, value in variant.instead:
            stack.enter_context(patch.object(module, name, value))
        stack.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", "the stored vectors are")
        system = Composed(variant, documents, units, embedder)
        found, walked = retrievals(system, tasks), walks(system, tasks)
    return {
        "": variant.name,
        **{name: share(macro(column(found, name))) for name in ("recall@500", "recall@1000", "complete@2000")},
        "walk recall": share(macro(column(walked, "walk_recall"))),
        **branches(walked),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one table, a variant a row."""
    given = arguments_for("What each main idea adds.").parse_args(arguments)
    tasks, documents = load(given.gold, given.documents)
    units, embedder = units_for(documents, given.units), embedding(given.embedding)
    print(f"{len(tasks)} tasks, {len(documents)} documents, the core over a store in memory\n")
    show([measure(variant, tasks, documents, units, embedder) for variant in VARIANTS])


if __name__ == "__main__":
    main()
