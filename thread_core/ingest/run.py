"""Documents -> units in the store, so that a run that is cut short loses nothing and the next one completes it.

Of each document only what differs from the store is touched, and nothing where extracting it failed. A document's new
units come and its outdated ones go in one write of the store. The words go along, ahead of the store, and tell by their
version what they hold: whoever reads after a run that was cut short sees that they differ, and mends them first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from thread_core import merging
from thread_core.access import ModelAccess
from thread_core.errors import BadCache, BadDocument, BadStore, BudgetSpent
from thread_core.extraction import CONCURRENCY
from thread_core.fidelity import Extraction, MergeReport, Report
from thread_core.ingest.report import Failure, IngestReport, Progress
from thread_core.lexical import NoWords, bring_into_step
from thread_core.library import Library
from thread_core.linking import Catalog, check
from thread_core.models import Document, Link, LogicUnit
from thread_core.ports import Embedder, LexicalIndex, Stored, UnitStore, Vector
from thread_core.rules import RuleExtractor
from thread_core.sameness import judged

BATCH = 1000
"""Units that are gathered before they are embedded and written."""

Extracted = Extraction | BadDocument
"""What became of a document."""


class Extractor(Protocol):
    """Takes documents apart, several at once where that is of use."""

    def attempt_all(self, documents: Iterable[Document], concurrency: int) -> Iterable[Extracted]:
        """What became of each document, in order.

        Raises:
            BudgetSpent: there is nothing left to pay for the rest with; what was given until then counts.
            BadCache: replies cannot be kept.
        """


class ThreadIngest:
    """Takes documents into a store. Documents of the store that are not among them stay as they are.

    Example:
        ingest = ThreadIngest(store, default_embedding(), words=SqliteLexicalIndex("words.sqlite3"))
        report = ingest.run([Document("disk.md", text)])
    """

    def __init__(
        self,
        store: UnitStore,
        embedder: Embedder,
        *,
        words: LexicalIndex | None = None,
        extractor: Extractor | None = None,
        concurrency: int = CONCURRENCY,
        merge_chains: int = 0,
        merge_similar: bool = False,
        models: ModelAccess | None = None,
    ) -> None:
        """Say where documents go, and how.

        Args:
            store: Where the units go.
            embedder: Makes the headers' vectors.
            words: Where the words go; they are in step with the store afterwards, whether they were before or not.
            extractor: Takes the documents apart, such as an `LLMExtractor`; the rules where None.
            concurrency: Documents that a model is asked about at once.
            merge_chains: Tokens up to which steps that only lead on to the next one are merged; 0 merges none.
            merge_similar: Show units that say the same in several documents as one. One recorded as such stays one
                until its document says something else.
            models: Who tells whether similar units say the same in other words; without them, the same words say so.
        """
        self._store = store
        self._embedder = embedder
        self._words: LexicalIndex = words if words is not None else NoWords()
        self._extractor: Extractor = extractor or ByRules()
        self._concurrency = concurrency
        self._merge_chains = merge_chains
        self._merge_similar = merge_similar
        self._models = models

    def run(
        self,
        documents: Iterable[Document | BadDocument],
        *,
        progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Take documents in.

        Args:
            documents: The documents, and what became of those that could not be read.
            progress: Is told after each document how far the run has come.

        Raises:
            BadStore: the store was written with another embedding; it is left as it was.
            BadIndex: the words cannot be written.
        """
        if complaint := Library(self._store, self._embedder, self._words).complaint():
            raise BadStore(complaint)
        run = _Run(self._store, self._words, self._embedder, self._models)
        stopped = ""
        given = list(documents)
        texts = {document.id: document for document in given if isinstance(document, Document)}
        for failure in given:
            if isinstance(failure, BadDocument):
                run.take(failure)
        try:
            for extracted in self._extractor.attempt_all(texts.values(), self._concurrency):
                if isinstance(extracted, Extraction):
                    source = texts[extracted.report.document_id]
                    run.take(merging.merge_chains(extracted, source, self._merge_chains))
                else:
                    run.take(extracted)
                if progress is not None:
                    progress(run.progress())
        except (BudgetSpent, BadCache) as error:
            stopped = str(error)
        return run.finish(texts, stopped, self._merge_similar)


class ByRules:
    """Takes documents apart one after the other, without a model."""

    def attempt_all(self, documents: Iterable[Document], concurrency: int = 1) -> Iterator[Extracted]:
        """What became of each document, in order; one document's trouble does not stop the others."""
        extractor = RuleExtractor()
        for document in documents:
            try:
                yield extractor.extract(document)
            except Exception as error:
                reason = f"could not be taken apart ({type(error).__name__}: {error}); please report this"
                yield BadDocument(document.id, reason)


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

    def write(self, store: UnitStore, words: LexicalIndex, embedder: Embedder) -> int:
        """Write all at once; how many headers were embedded.

        The words come before, so that a file of them that cannot be written leaves the store as it was.
        """
        if not self:
            return 0
        words.update([self.new, self.moved], self.gone)
        headers = [header for unit in self.new if (header := unit.header) not in self.vectors]
        vectors = self.vectors | dict(zip(headers, embedder.embed(headers), strict=True))
        store.write(self.new, [vectors[unit.header] for unit in self.new], moved=self.moved, gone=self.gone)
        return len(headers)


class _Run:
    """The tallies of one run, and the changes that are not written yet."""

    def __init__(self, store: UnitStore, words: LexicalIndex, embedder: Embedder, models: ModelAccess | None) -> None:
        self._store = store
        self._models = models
        self._words = words
        self._embedder = embedder
        self._changes = _Changes()
        self._reports: list[Report] = []
        self._failures: list[Failure] = []
        self._embedded = 0
        self._types: Counter[str] = Counter()
        self._linked: list[LogicUnit] = []
        self._written: Counter[str] = Counter()

    def take(self, extraction: Extracted) -> None:
        """Note what a document changes; write when enough has come together."""
        if isinstance(extraction, BadDocument):
            self._failures.append(Failure.of(extraction))
            return
        self._reports.append(extraction.report)
        self._types.update(str(unit.type) for unit in extraction.units)
        self._linked += [unit for unit in extraction.units if any(map(_other_document, unit.links))]
        stored = self._store.document(extraction.report.document_id)
        self._changes.compare(stored, extraction.units)
        if len(self._changes) >= BATCH:
            self._write()

    def progress(self) -> Progress:
        """How far this run has come."""
        return Progress(
            documents=len(self._reports) + len(self._failures),
            units=self._types.total(),
            written=self._written.total(),
        )

    def finish(self, wanted: Iterable[str], stopped: str, merge_similar: bool) -> IngestReport:
        """Write the rest, then see what says the same and where links lead now that all documents are there."""
        self._write()
        version = self._store.version()
        bring_into_step(self._words, self._store, version)
        similar = self._merge_similar() if merge_similar and version else ()
        catalog = Catalog(self._words.called)
        links = Counter(
            catalog.resolve(name, unit.document_id).state
            for unit in self._linked
            for link in unit.links
            if (name := _other_document(link))
        )
        taken = {report.document_id for report in self._reports} | {one.document_id for one in self._failures}
        return IngestReport(
            reports=tuple(self._reports),
            units=dict(self._types),
            links=dict(links),
            broken=tuple(check(self._linked, catalog)),
            added=self._written["new"],
            moved=self._written["moved"],
            removed=self._written["gone"],
            embedded=self._embedded,
            failures=tuple(self._failures),
            left=tuple(document_id for document_id in wanted if document_id not in taken),
            stopped=stopped,
            merges=(*(merge for report in self._reports for merge in report.merges), *similar),
        )

    def _merge_similar(self) -> tuple[MergeReport, ...]:
        """Record which units say the same. Nothing else is written about them, so an edit of one undoes it."""
        library = Library(self._store, self._embedder, self._words, self._models)
        found = library.run(merging.find_twins((report.document_id for report in self._reports), judged()))
        self._store.write(moved=found.units)
        return found.merges

    def _write(self) -> None:
        self._embedded += self._changes.write(self._store, self._words, self._embedder)
        self._written.update(new=len(self._changes.new), moved=len(self._changes.moved), gone=len(self._changes.gone))
        self._changes = _Changes()


def _other_document(link: Link) -> str:
    """The name by which a link calls another document; empty when it stays in its own."""
    return link.target.document if link.target is not None else ""
