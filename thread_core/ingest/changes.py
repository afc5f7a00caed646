"""Stored units and present ones -> what turns the ones into the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thread_core import places
from thread_core.ingest.ledger import Entry, Intent, LinkEntry
from thread_core.models import Link, LogicUnit
from thread_core.ports import DocumentNames, Stored
from thread_core.store.versioning import version_of


class Taken(NamedTuple):
    """A document that was taken apart."""

    document_id: str
    source: str
    fingerprint: str
    units: tuple[LogicUnit, ...]

    @property
    def entry(self) -> Entry:
        """What there is to remember of it."""
        return Entry(self.document_id, self.source, self.fingerprint, version_of(unit.id for unit in self.units))

    @property
    def links(self) -> list[LinkEntry]:
        """Its links to other documents, and those to sections of its own that are not there."""
        found = places.Places(self.units)
        return [
            LinkEntry(self.document_id, unit.id, nth, target.document, target.anchor, target.step)
            for unit in self.units
            for nth, link in enumerate(unit.links)
            if (target := link.target) is not None and (target.document or places.is_lost(target, found))
        ]


class Change(NamedTuple):
    """What turns the store's units of a document into its present ones."""

    document_id: str
    source: str
    before: tuple[LogicUnit, ...]
    after: tuple[LogicUnit, ...]
    new: tuple[LogicUnit, ...]
    moved: tuple[LogicUnit, ...]
    """Units that say the same and whose lines, names or links' targets are others now."""
    gone: tuple[str, ...]

    @classmethod
    def of(cls, taken: Taken, stored: Sequence[Stored]) -> Change:
        """Compare. Twins that are recorded with a unit stay."""
        outdated = {unit.id: unit for unit, _ in stored}
        new, moved = [], []
        for unit in taken.units:
            old = outdated.pop(unit.id, None)
            if old is None:
                new.append(unit)
            elif old != (kept := unit.model_copy(update={"twins": old.twins})):
                moved.append(kept)
        before = tuple(unit for unit, _ in stored)
        return cls(taken.document_id, taken.source, before, taken.units, tuple(new), tuple(moved), tuple(outdated))

    def __bool__(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.new or self.moved or self.gone)

    @property
    def renames(self) -> bool:
        """Whether others may call the document by other names now, or could not call it before, or cannot any more."""
        return _names(self.before) != _names(self.after)

    def intent(self, links: Iterable[LinkEntry]) -> Intent:
        """The same by ids, with those of the links to the document that lose their places."""
        before, after = places.Places(self.before), places.Places(self.after)
        lost = tuple(link.name for link in links if before.find(link.target) and not after.find(link.target))
        return Intent(self.document_id, self.source, tuple(unit.id for unit in self.new), self.gone, lost)


def the_link(entry: LinkEntry, unit: LogicUnit) -> Link | None:
    """The link of a unit that an entry is about; None where the unit has others now."""
    link = unit.links[entry.nth] if entry.nth < len(unit.links) else None
    same = link is not None and link.target is not None and link.target.document == entry.key
    return link if same else None


def _names(units: Iterable[LogicUnit]) -> set[DocumentNames]:
    return {DocumentNames(unit.document_id, unit.title, unit.aliases) for unit in units}
