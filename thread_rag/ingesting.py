"""Documents -> units in the store, so that a run that is cut short loses nothing and the next one completes it.

Of each document only what differs from the store is touched, and nothing where extracting it failed. New units are
written first and outdated ones deleted last: in between a reader may see both, and never neither. The words go along:
they say that they are out of step before the store is touched, and that they are in step when all is done, so whoever
reads after a run that was cut short mends them first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from thread_core import merging
from thread_core.access import ModelAccess
from thread_core.errors import BadCache, BadDocument, BadStore, BudgetSpent
from thread_core.fidelity import Extraction, MergeReport, Report
from thread_core.lexical import bring_into_step
from thread_core.library import Library
from thread_core.linking import BrokenLink, Catalog, LinkState, check
from thread_core.models import Document, Link, LogicUnit
from thread_core.ports import Embedder, LexicalIndex, Stored, UnitStore, Vector
from thread_core.rules import RuleExtractor
from thread_core.sameness import judged

BATCH = 1000
"""Units that are gathered before they are embedded and written."""

Extracted = Extraction | BadDocument
"""What became of a document."""
Extract = Callable[[Iterable[Document]], Iterable[Extracted]]
"""Takes documents apart, in their order."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run took in, and what it changed."""

    reports: tuple[Report, ...]
    """One for each document that was taken in."""
    units: Counter[str]
    """Units of these documents, by type."""
    links: Counter[LinkState]
    """Links of these documents to other documents, by what became of them."""
    broken: tuple[BrokenLink, ...]
    """The dangling, the ambiguous and the moved ones."""
    added: int
    moved: int
    """Units that say the same and whose lines or links' targets are others now."""
    removed: int
    failures: tuple[BadDocument, ...]
    left: tuple[str, ...] = ()
    """Documents whose turn did not come, and"""
    stopped: str = ""
    """why."""
    merges: tuple[MergeReport, ...] = ()
    """Chains of these documents, and units that say the same as those of others since this run."""

    @property
    def changed(self) -> bool:
        """Whether the store is another one than before."""
        return bool(self.added or self.moved or self.removed)

    @property
    def coverage(self) -> float:
        """Share of the lines that are in some unit, 0 to 1."""
        lines = sum(report.lines for report in self.reports)
        return sum(report.lines_kept for report in self.reports) / lines if lines else 1.0


def by_rules(documents: Iterable[Document]) -> Iterator[Extracted]:
    """Take documents apart one after the other, without a model."""
    extractor = RuleExtractor()
    for document in documents:
        try:
            yield extractor.extract(document)
        except Exception as error:  # one document's trouble must not stop the others
            reason = f"could not be taken apart ({type(error).__name__}: {error}); please report this"
            yield BadDocument(document.id, reason)


def ingest(
    documents: Sequence[Document],
    store: UnitStore,
    words: LexicalIndex,
    embedder: Embedder,
    extract: Extract = by_rules,
    *,
    merge_chains: int = 0,
    merge_similar: bool = False,
    models: ModelAccess | None = None,
) -> Summary:
    """Take documents in. Documents of the store that are not among them stay as they are.

    The words are in step with the store afterwards, whether they were before or not.

    Args:
        documents: The documents.
        store: Where the units go.
        words: Where the words go.
        embedder: Makes the headers' vectors.
        extract: Takes the documents apart, such as `LLMExtractor.attempt_all`. Where it ends early because the budget
            is spent or its replies cannot be kept, what it gave until then is taken in all the same.
        merge_chains: Tokens up to which steps that only lead on to the next one are merged; 0 merges none.
        merge_similar: Show units that say the same in several documents as one. One recorded as such stays one until
            its document says something else.
        models: Who tells whether similar units say the same in other words; without them, the same words say so.

    Raises:
        BadStore: the store was written with another embedding; it is left as it was.
        BadIndex: the words cannot be written.
    """
    if complaint := Library(store, embedder, words).complaint():
        raise BadStore(complaint)
    run = _Run(store, words, embedder, models)
    stopped = ""
    texts = {document.id: document for document in documents}
    try:
        for extracted in extract(documents):
            if isinstance(extracted, Extraction):
                source = texts[extracted.report.document_id]
                run.take(merging.merge_chains(extracted, source, merge_chains))
            else:
                run.take(extracted)
    except (BudgetSpent, BadCache) as error:
        stopped = str(error)
    return run.finish([document.id for document in documents], stopped, merge_similar)


@dataclass(slots=True)
class _Changes:
    """What some documents do to the store."""

    new: list[LogicUnit] = field(default_factory=list)
    moved: list[LogicUnit] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    vectors: dict[str, Vector] = field(default_factory=dict)
    """Of the new units' headers that their documents had before: a new body under an old header is not embedded."""

    def __len__(self) -> int:
        return len(self.new) + len(self.moved) + len(self.gone)

    def compare(self, before: Sequence[Stored], after: Iterable[LogicUnit]) -> None:
        """Add what turns a document's stored units into its present ones."""
        outdated = {unit.id: unit for unit, _ in before}
        vectors = {unit.header: vector for unit, vector in before if vector is not None}
        for unit in after:
            stored = outdated.pop(unit.id, None)
            if stored is None:
                self.new.append(unit)
                if unit.header in vectors:
                    self.vectors[unit.header] = vectors[unit.header]
            elif stored != (kept := unit.model_copy(update={"twins": stored.twins})):
                self.moved.append(kept)
        self.gone += outdated

    def write(self, store: UnitStore, words: LexicalIndex, embedder: Embedder) -> None:
        """New units first, deletions last. The words come before, and lose their marker until the run's end."""
        if not self:
            return
        words.update([self.new, self.moved], self.gone, "")
        headers = [header for unit in self.new if (header := unit.header) not in self.vectors]
        vectors = self.vectors | dict(zip(headers, embedder.embed(headers), strict=True))
        store.upsert(self.new, [vectors[unit.header] for unit in self.new])
        store.update_metadata(self.moved)
        store.delete(self.gone)


class _Run:
    """The tallies of one run, and the changes that are not written yet."""

    def __init__(self, store: UnitStore, words: LexicalIndex, embedder: Embedder, models: ModelAccess | None) -> None:
        self._store = store
        self._models = models
        self._words = words
        self._embedder = embedder
        self._changes = _Changes()
        self._reports: list[Report] = []
        self._failures: list[BadDocument] = []
        self._types: Counter[str] = Counter()
        self._linked: list[LogicUnit] = []
        self._written: Counter[str] = Counter()

    def take(self, extraction: Extracted) -> None:
        """Note what a document changes; write when enough has come together."""
        if isinstance(extraction, BadDocument):
            self._failures.append(extraction)
            return
        self._reports.append(extraction.report)
        self._types.update(str(unit.type) for unit in extraction.units)
        self._linked += [unit for unit in extraction.units if any(map(_other_document, unit.links))]
        stored = self._store.document(extraction.report.document_id)
        self._changes.compare(stored, extraction.units)
        if len(self._changes) >= BATCH:
            self._write()

    def finish(self, wanted: Iterable[str], stopped: str, merge_similar: bool) -> Summary:
        """Write the rest, then see what says the same and where links lead now that all documents are there."""
        self._write()
        version = self._store.version()
        bring_into_step(self._words, self._store, version)
        similar = self._merge_similar() if merge_similar and version else ()
        catalog = Catalog.of(self._words.names())
        links = Counter(
            catalog.resolve(name, unit.document_id).state
            for unit in self._linked
            for link in unit.links
            if (name := _other_document(link))
        )
        taken = {report.document_id for report in self._reports} | {one.document_id for one in self._failures}
        return Summary(
            reports=tuple(self._reports),
            units=self._types,
            links=links,
            broken=tuple(check(self._linked, catalog)),
            added=self._written["new"],
            moved=self._written["moved"],
            removed=self._written["gone"],
            failures=tuple(self._failures),
            left=tuple(document_id for document_id in wanted if document_id not in taken),
            stopped=stopped,
            merges=(*(merge for report in self._reports for merge in report.merges), *similar),
        )

    def _merge_similar(self) -> tuple[MergeReport, ...]:
        """Record which units say the same. Nothing else is written about them, so an edit of one undoes it."""
        library = Library(self._store, self._embedder, self._words, self._models)
        found = library.run(merging.find_twins((report.document_id for report in self._reports), judged()))
        self._store.update_metadata(found.units)
        return found.merges

    def _write(self) -> None:
        self._changes.write(self._store, self._words, self._embedder)
        self._written.update(new=len(self._changes.new), moved=len(self._changes.moved), gone=len(self._changes.gone))
        self._changes = _Changes()


def _other_document(link: Link) -> str:
    """The name by which a link calls another document; empty when it stays in its own."""
    return link.target.document if link.target is not None else ""
