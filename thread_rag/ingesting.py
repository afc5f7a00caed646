"""Documents -> units in the store, so that a run that is cut short loses nothing and the next one completes it.

Of each document only what differs from the store is touched. New units are written first and outdated ones
deleted last: in between a reader may see both, and never neither. The words go along: they say that they are out of
step before the store is touched, and that they are in step when all is done, so whoever reads after a run that was cut
short mends them first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from thread_core.errors import BadDocument, BadStore
from thread_core.fidelity import Extraction, Report
from thread_core.lexical import bring_into_step
from thread_core.library import Library
from thread_core.linking import BrokenLink, Catalog, LinkState, check
from thread_core.models import Document, Link, LogicUnit
from thread_core.ports import Embedder, LexicalIndex, UnitStore
from thread_core.rules import RuleExtractor

BATCH = 1000
"""Units that are gathered before they are embedded and written."""


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

    @property
    def changed(self) -> bool:
        """Whether the store is another one than before."""
        return bool(self.added or self.moved or self.removed)

    @property
    def coverage(self) -> float:
        """Share of the lines that are in some unit, 0 to 1."""
        lines = sum(report.lines for report in self.reports)
        return sum(report.lines_kept for report in self.reports) / lines if lines else 1.0


def ingest(documents: Iterable[Document], store: UnitStore, words: LexicalIndex, embedder: Embedder) -> Summary:
    """Take documents in. Documents of the store that are not among them stay as they are.

    The words are in step with the store afterwards, whether they were before or not.

    Raises:
        BadStore: the store was written with another embedding; it is left as it was.
        BadIndex: the words cannot be written.
    """
    if complaint := Library(store, embedder, words).complaint():
        raise BadStore(complaint)
    run = _Run(store, words, embedder)
    for document in documents:
        run.take(document)
    return run.finish()


@dataclass(slots=True)
class _Changes:
    """What some documents do to the store."""

    new: list[LogicUnit] = field(default_factory=list)
    moved: list[LogicUnit] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.new) + len(self.moved) + len(self.gone)

    def compare(self, before: Iterable[LogicUnit], after: Iterable[LogicUnit]) -> None:
        """Add what turns a document's stored units into its present ones."""
        outdated = {unit.id: unit for unit in before}
        for unit in after:
            stored = outdated.pop(unit.id, None)
            if stored is None:
                self.new.append(unit)
            elif stored != unit:
                self.moved.append(unit)
        self.gone += outdated

    def write(self, store: UnitStore, words: LexicalIndex, embedder: Embedder) -> None:
        """New units first, deletions last. The words come before, and lose their marker until the run's end."""
        if not self:
            return
        words.update([self.new, self.moved], self.gone, "")
        store.upsert(self.new, embedder.embed([unit.header for unit in self.new]))
        store.update_metadata(self.moved)
        store.delete(self.gone)


class _Run:
    """The tallies of one run, and the changes that are not written yet."""

    def __init__(self, store: UnitStore, words: LexicalIndex, embedder: Embedder) -> None:
        self._store = store
        self._words = words
        self._embedder = embedder
        self._extractor = RuleExtractor()
        self._changes = _Changes()
        self._reports: list[Report] = []
        self._failures: list[BadDocument] = []
        self._types: Counter[str] = Counter()
        self._linked: list[LogicUnit] = []
        self._written: Counter[str] = Counter()

    def take(self, document: Document) -> None:
        """Extract a document and note its changes; write when enough have come together."""
        try:
            extraction = self._extract(document)
        except BadDocument as failure:
            self._failures.append(failure)
            return
        self._reports.append(extraction.report)
        self._types.update(str(unit.type) for unit in extraction.units)
        self._linked += [unit for unit in extraction.units if any(map(_other_document, unit.links))]
        self._changes.compare((stored.unit for stored in self._store.document(document.id)), extraction.units)
        if len(self._changes) >= BATCH:
            self._write()

    def finish(self) -> Summary:
        """Write what is left, then see where the links lead now that all documents are there."""
        self._write()
        bring_into_step(self._words, self._store, self._store.version())
        catalog = Catalog.of(self._words.names())
        links = Counter(
            catalog.resolve(name, unit.document_id).state
            for unit in self._linked
            for link in unit.links
            if (name := _other_document(link))
        )
        return Summary(
            reports=tuple(self._reports),
            units=self._types,
            links=links,
            broken=tuple(check(self._linked, catalog)),
            added=self._written["new"],
            moved=self._written["moved"],
            removed=self._written["gone"],
            failures=tuple(self._failures),
        )

    def _extract(self, document: Document) -> Extraction:
        try:
            return self._extractor.extract(document)
        except Exception as error:  # one document's trouble must not stop the others
            reason = f"could not be taken apart ({type(error).__name__}: {error}); please report this"
            raise BadDocument(document.id, reason) from error

    def _write(self) -> None:
        self._changes.write(self._store, self._words, self._embedder)
        self._written.update(new=len(self._changes.new), moved=len(self._changes.moved), gone=len(self._changes.gone))
        self._changes = _Changes()


def _other_document(link: Link) -> str:
    """The name by which a link calls another document; empty when it stays in its own."""
    return link.target.document if link.target is not None else ""
