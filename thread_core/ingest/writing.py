"""Documents that were taken apart -> the store, the words and the ledger, one batch of whole documents after the other.

Of a batch, in this order: what it is about to do stands in the ledger, one write of the store shows readers the new
documents, the words follow, and the ledger says that it is done. Killed anywhere in between, the next run finds what
was intended, and sees in the store how far it came (`recovery`).

A reader who finds the words out of step brings them into step with the store, at any moment of this. It must find them
behind the store, never ahead of it: then it does what the writer is about to do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from thread_core.errors import BadStore
from thread_core.ingest.changes import Change, Taken
from thread_core.ingest.ledger import Intent, Ledger, LinkEntry
from thread_core.ingest.report import Tally
from thread_core.ports import Embedder, LexicalIndex, Stored, UnitStore, Vector
from thread_core.store.batches import batches
from thread_core.store.library import Library

DOCUMENTS = 200
"""Documents that are removed at once."""


class Holdings(NamedTuple):
    """Where an ingest puts what it makes, and what it knows."""

    store: UnitStore
    embedder: Embedder
    words: LexicalIndex
    ledger: Ledger


@dataclass(slots=True)
class Writer:
    """Writes documents, and removes them."""

    holdings: Holdings
    tally: Tally
    alone: bool
    """Whether it is to be looked afterwards which documents say the same."""
    lost: list[tuple[str, str, int]]
    """Links whose places have gone in this run, or in one that it has finished."""
    _checked: bool = False

    def write(self, batch: Sequence[Taken]) -> None:
        """Have the store hold some documents as they were taken apart."""
        if not batch:
            return
        with self.tally.clock("compare"):
            stored = self.holdings.store.documents([taken.document_id for taken in batch], vectors=True)
            compared = [Change.of(taken, stored.get(taken.document_id, ())) for taken in batch]
            changes = [change for change in compared if change]
        if not stored.keys() <= self._known(stored):
            self._refuse_another_embedding()
        if changes:
            with self.tally.clock("embed"):
                vectors = self._vectors(changes, stored.values())
            with self.tally.clock("write"):
                self._apply(changes, vectors)
        with self.tally.clock("write"):
            links = [link for taken in batch for link in taken.links]
            self.holdings.ledger.settle([taken.entry for taken in batch], links, alone=self.alone)

    def remove(self, document_ids: Sequence[str]) -> None:
        """Have the store hold nothing of some documents."""
        store, ledger = self.holdings.store, self.holdings.ledger
        for some in batches(document_ids, DOCUMENTS):
            with self.tally.clock("write"):
                stored, entries = store.documents(some), ledger.entries(some)
                sources = {document_id: entry.source for document_id, entry in entries.items()}
                changes = [
                    Change.of(Taken(document_id, sources.get(document_id, ""), "", ()), rows)
                    for document_id, rows in stored.items()
                ]
                if changes:
                    self._apply(changes, {})
                ledger.forget(some)
                self.tally.pruned += [change.document_id for change in changes]

    def _vectors(self, changes: Iterable[Change], stored: Iterable[Sequence[Stored]]) -> dict[str, Vector]:
        """The vectors of the new units' headers; those that the same documents had before are not made again."""
        vectors = {unit.header: vector for rows in stored for unit, vector in rows if vector is not None}
        headers = dict.fromkeys(unit.header for change in changes for unit in change.new)
        wanted = [header for header in headers if header not in vectors]
        if wanted:
            self._refuse_another_embedding()
        self.tally.embedded += len(wanted)
        return vectors | dict(zip(wanted, self.holdings.embedder.embed(wanted), strict=True))

    def _apply(self, changes: Sequence[Change], vectors: dict[str, Vector]) -> None:
        store, _, words, ledger = self.holdings
        new = [unit for change in changes for unit in change.new]
        moved = [unit for change in changes for unit in change.moved]
        gone = [unit_id for change in changes for unit_id in change.gone]
        intents = self._intents(changes)
        ledger.intend(intents, renamed=any(change.renames for change in changes))
        store.write(new, [vectors[unit.header] for unit in new], moved=moved, gone=gone)
        words.update([new, moved], gone)
        self.lost.extend(name for intent in intents for name in intent.lost)
        self.tally.wrote(new=len(new), moved=len(moved), gone=len(gone))

    def _known(self, document_ids: Iterable[str]) -> set[str]:
        """The documents of which the store holds what an ingest with this ledger has written."""
        return {one.document_id for one in self.holdings.ledger.entries(list(document_ids)).values() if one.version}

    def _refuse_another_embedding(self) -> None:
        """Look once in a run whether the store's vectors are of this embedding.

        It is looked before anything is embedded, and where the store holds documents that somebody else has written.
        """
        store, embedder, words, _ = self.holdings
        if not self._checked and (complaint := Library(store, embedder, words).complaint()):
            raise BadStore(complaint)
        self._checked = True

    def _intents(self, changes: Sequence[Change]) -> list[Intent]:
        """What the changes will do, with the links to these documents whose places go."""
        links: dict[str, list[LinkEntry]] = defaultdict(list)
        for link in self.holdings.ledger.links_to([change.document_id for change in changes if change.before]):
            if link.document_id != link.leads_to:
                links[link.leads_to].append(link)
        return [change.intent(links[change.document_id]) for change in changes]
