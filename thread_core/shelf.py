"""The documents of a store, or of a folder, by name, and where the links between their units lead: a graph to be read.

For whoever looks at guides as a whole. A walk resolves one link at a time, as a plan (`walk.navigation`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, Self

from thread_core.errors import BadStore, NothingFound
from thread_core.layout import leads_inside
from thread_core.linking import Catalog, LinkState
from thread_core.models import Link, LogicUnit
from thread_core.places import Places
from thread_core.ports import LexicalIndex, UnitStore, rows_of
from thread_core.store.lexical import bring_into_step
from thread_core.text.scripts import composed

PLACES = 64
"""Documents that are kept with their places, for further links to them."""
NAMED = 5
"""Documents that an error message names at most."""


class Leads(StrEnum):
    """What a link leads to."""

    STEP = "step"
    """Another unit, of this document or of another one."""
    INSIDE = "inside"
    """Lines of the unit itself."""
    END = "end"
    """The end of the walk: resolved, or handed over."""
    SEARCH = "search"
    """Whatever fits the query best when it is followed."""
    OUTSIDE = "outside"
    """A page that no document of the store is a copy of."""
    AMBIGUOUS = "ambiguous"
    """One of several documents, and nothing says which."""
    DANGLING = "dangling"
    """No document, or no such place in it."""


class Destination(NamedTuple):
    """Where a link leads."""

    leads: Leads
    unit: LogicUnit | None = None
    """Of `STEP` and `INSIDE`."""
    document_id: str = ""
    """The unit's document, or the one that has no such place."""
    candidates: tuple[str, ...] = ()
    """Of `AMBIGUOUS`, the documents that may be meant."""
    moved: bool = False
    """Whether nothing but the file name fits, and one document alone has it."""

    @property
    def is_broken(self) -> bool:
        """Whether a reader cannot go there."""
        return self.leads in (Leads.AMBIGUOUS, Leads.DANGLING)


class Way(NamedTuple):
    """A link of a unit, and where it leads: an edge of the graph whose nodes are units."""

    unit: LogicUnit
    link: Link
    destination: Destination


class Shelf:
    """Documents by name, and their units with the ways between them.

    Example:
        >>> shelf = Shelf.of(units)  # doctest: +SKIP
        >>> [(way.link.condition, way.destination.leads) for way in shelf.ways("disk-full.md")]  # doctest: +SKIP
        [('the journal is large', <Leads.STEP: 'step'>), ('', <Leads.END: 'end'>)]
    """

    def __init__(self, titles: Mapping[str, str], catalog: Catalog, read: Callable[[str], Sequence[LogicUnit]]) -> None:
        """Put documents on a shelf; `of` and `of_store` are the usual ways to one.

        Args:
            titles: Of all documents, by id.
            catalog: Knows what they are called.
            read: Gives a document's units in reading order.
        """
        self.ids: Sequence[str] = sorted(titles)
        """Of all documents, in order."""
        self.titles = titles
        """Of all documents, by id; empty of one that has none."""
        self._catalog = catalog
        self._places = lru_cache(maxsize=PLACES)(lambda document_id: Places(self.units(document_id)))
        self._read = lru_cache(maxsize=PLACES)(read)

    @classmethod
    def of(cls, units: Iterable[LogicUnit]) -> Self:
        """The documents that some units come from."""
        ordered = sorted(units, key=lambda unit: (unit.document_id, unit.position))
        documents = {name: [*own] for name, own in groupby(ordered, attrgetter("document_id"))}
        titles = {name: own[0].title for name, own in documents.items()}
        return cls(titles, Catalog.of(ordered), lambda name: documents.get(name, []))

    @classmethod
    def of_store(cls, store: UnitStore, words: LexicalIndex) -> Self:
        """The documents of a store; the words, which know their names, are brought into step with it.

        Raises:
            BadStore: it holds no units.
        """
        bring_into_step(words, store, store.version())
        titles = {one.document_id: one.title for one in words.names()}
        if not titles:
            raise BadStore("the store has no logic units; run `thread-rag ingest PATH` first")
        return cls(titles, Catalog(words.called), lambda name: [stored.unit for stored in rows_of(store, name)])

    def units(self, document_id: str) -> Sequence[LogicUnit]:
        """A document's units in reading order; none of one that is not there."""
        return self._read(document_id)

    def ways(self, document_id: str) -> Iterator[Way]:
        """The links of a document's units in reading order, each with where it leads."""
        for unit in self.units(document_id):
            for link in unit.links:
                yield Way(unit, link, self.destination(unit, link))

    def destination(self, unit: LogicUnit, link: Link) -> Destination:
        """Where a link of a unit leads."""
        if link.action.ends:
            return Destination(Leads.END)
        if leads_inside(unit, link):
            return Destination(Leads.INSIDE, unit, unit.document_id)
        if link.target is None:
            return Destination(Leads.SEARCH)
        found = self._catalog.resolve(link.target.document, unit.document_id)
        if not found.leads:
            return Destination(Leads(found.state.value), candidates=found.candidates)
        goal = self._places(found.document_id).find(link.target)
        if goal is None:
            return Destination(Leads.DANGLING, document_id=found.document_id)
        return Destination(Leads.STEP, goal, found.document_id, moved=found.state is LinkState.MOVED)

    def find(self, name: str) -> str:
        """The id of the document that a name means: an id, or an end of one that no other id has.

        Raises:
            NothingFound: no document has that name, or several have; the message names close ones.
        """
        if name in self.ids:
            return name
        wanted = composed(name)
        ending = [known for known in self.ids if name and composed(known).endswith(wanted)]
        found = [known for known in ending if f"/{composed(known)}".endswith(f"/{wanted}")] or ending
        if len(found) == 1:
            return found[0]
        if found:
            raise NothingFound(f"{name} may mean {listed(sorted(found))}; write more of the id")
        raise NothingFound(f"the store has no document {name}; {self._close_to(name)}")

    def _close_to(self, name: str) -> str:
        short = {known.rsplit("/", 1)[-1]: known for known in self.ids}
        close = get_close_matches(name, [*self.ids, *short], n=NAMED, cutoff=0.5)
        if not close:
            return f"it has {listed(self.ids)}"
        return f"did you mean {listed(list(dict.fromkeys(short.get(match, match) for match in close)))}?"


def listed(names: Sequence[str]) -> str:
    """The first few names of a row, for a message."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
