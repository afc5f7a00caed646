"""Which document a person means, and where the links of its units lead."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from thread_core.errors import BadStore, NothingFound
from thread_core.layout import leads_inside
from thread_core.linking import Catalog, LinkState, Resolution
from thread_core.models import Link, LogicUnit, Span
from thread_core.places import Places
from thread_core.ports import LexicalIndex, UnitStore, rows_of
from thread_core.store.lexical import bring_into_step
from thread_core.text.scripts import composed

PLACES = 16
"""Documents whose places are kept, for further links to them."""
NAMED = 5
"""Documents that an error message names at most."""


class Destination(NamedTuple):
    """Where a link leads, in words, and whether that is nowhere or more than one place."""

    text: str
    broken: bool = False


class Shelf:
    """The documents of a store, by name."""

    def __init__(self, store: UnitStore, words: LexicalIndex) -> None:
        """Bring the words, which know the documents' names, into step with the store.

        Raises:
            BadStore: it holds no units.
        """
        bring_into_step(words, store, store.version())
        self._store = store
        self._catalog = Catalog(words.called)
        self.ids = [one.document_id for one in words.names()]
        """Of all documents, in order."""
        if not self.ids:
            raise BadStore("the store holds no logic units; run `thread-rag ingest PATH` first")

    def units(self, document_id: str) -> list[LogicUnit]:
        """A document's units in reading order."""
        return [stored.unit for stored in rows_of(self._store, document_id)]

    @lru_cache(maxsize=PLACES)  # noqa: B019
    def _places(self, document_id: str) -> Places:
        return Places(self.units(document_id))

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
            raise NothingFound(f"{name} may mean {_listed(sorted(found))}; write more of the id")
        raise NothingFound(f"the store holds no document {name}; {self._close_to(name)}")

    def destination(self, unit: LogicUnit, link: Link) -> Destination:
        """Where a link of a unit leads."""
        if link.action.ends:
            return Destination(
                f"{link.action.value.lower()}: {link.query}" if link.query else link.action.value.lower()
            )
        if leads_inside(unit, link):
            return Destination("in this unit")
        if link.target is None:
            return Destination(f"whatever fits {link.query!r}")
        resolution = self._catalog.resolve(link.target.document, unit.document_id)
        if not resolution.leads:
            return _nowhere(link.target.document, resolution)
        goal = self._places(resolution.document_id).find(link.target)
        if goal is None:
            return Destination(f"dangling: {resolution.document_id} has no such section or step", broken=True)
        lines = goal.body_spans[0 if goal.rewritten else -1]
        if goal.document_id == unit.document_id:
            return Destination(f"lines {lines_of(lines)}")
        moved = "moved: " if resolution.state is LinkState.MOVED else ""
        return Destination(f"{moved}{lines} {goal.header}")

    def _close_to(self, name: str) -> str:
        short = {known.rsplit("/", 1)[-1]: known for known in self.ids}
        close = get_close_matches(name, [*self.ids, *short], n=NAMED, cutoff=0.5)
        if not close:
            return f"it holds {_listed(sorted(self.ids))}"
        return f"did you mean {_listed(list(dict.fromkeys(short.get(match, match) for match in close)))}?"


def lines_of(span: Span) -> str:
    """`4-9`, or `4` for a single line."""
    return str(span).removeprefix(f"{span.document_id}:")


def _nowhere(name: str, resolution: Resolution) -> Destination:
    if resolution.state is LinkState.AMBIGUOUS:
        return Destination(f"ambiguous: {name} may mean {_listed(list(resolution.candidates))}", broken=True)
    if resolution.state is LinkState.OUTSIDE:
        return Destination(f"outside: {name}")
    return Destination(f"dangling: {name} is no document of this store", broken=True)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
