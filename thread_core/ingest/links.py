"""Where the links between documents lead, once all documents of a run are there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from thread_core.ingest.changes import the_link
from thread_core.ingest.ledger import Ledger, LinkEntry
from thread_core.linking import BrokenLink, Catalog, LinkState
from thread_core.places import place_in
from thread_core.ports import LexicalIndex, UnitStore
from thread_core.store.batches import batches

GOALS = 100
"""Documents that are read at once, to look for places in them."""
KEYS = 100_000
"""Names that are kept at most once they were looked up: a look-up in a database on another machine is a round trip."""


def catalog_of(words: LexicalIndex) -> Catalog:
    """The catalog of a store while no document gets another name."""
    return Catalog(lru_cache(KEYS)(words.called))


def judge(document_ids: Sequence[str], ledger: Ledger, catalog: Catalog, store: UnitStore) -> None:
    """Resolve the links of some documents, of those that `Ledger.unjudged` gives.

    One whose document is there, and not its place in it, is dangling too.
    """
    ledger.judge(document_ids, _judged(ledger.links_of(document_ids), catalog, store))


def _judged(links: Iterable[LinkEntry], catalog: Catalog, store: UnitStore) -> Iterator[LinkEntry]:
    """Links with what became of them."""
    resolved = [_resolved(link, catalog) for link in links]
    yield from (link for link in resolved if link.state is not None)
    yield from _placed([link for link in resolved if link.state is None], catalog, store)


def _resolved(link: LinkEntry, catalog: Catalog) -> LinkEntry:
    """A link with what became of it; without a state where its place has to be looked for."""
    if not link.key:
        return link._replace(state=LinkState.DANGLING, leads_to=link.document_id)
    found = catalog.resolve(link.key, link.document_id)
    state: LinkState | None = found.state
    if found.leads and link.names_a_place:
        is_known = link.state is not None and link.leads_to == found.document_id
        state = link.state if link.state is LinkState.DANGLING else found.state
        state = state if is_known else None
    return link._replace(state=state, leads_to=found.document_id)


def _placed(links: Sequence[LinkEntry], catalog: Catalog, store: UnitStore) -> Iterator[LinkEntry]:
    """Links with what became of them, by the places that the documents have to which they lead."""
    by_goal: dict[str, list[LinkEntry]] = defaultdict(list)
    for link in links:
        by_goal[link.leads_to].append(link)
    for some in batches(list(by_goal), GOALS):
        rows = store.documents(some)
        for document_id in some:
            units = [row.unit for row in rows.get(document_id, ())]
            for link in by_goal[document_id]:
                there = place_in(link.target, units) is not None
                state = catalog.resolve(link.key, link.document_id).state if there else LinkState.DANGLING
                yield link._replace(state=state)


def broken(ledger: Ledger, catalog: Catalog, store: UnitStore) -> Iterator[BrokenLink]:
    """The links of the given documents that are dangling, ambiguous or moved, in the documents' order."""
    for links in ledger.broken():
        yield from _told(links, catalog, store)


def newly_dangling(
    names: Iterable[tuple[str, str, int]], ledger: Ledger, catalog: Catalog, store: UnitStore
) -> Iterator[BrokenLink]:
    """Those of some links that are still there and lead nowhere now: no such document, or no such place in it."""
    there = [link._replace(state=None) for name in dict.fromkeys(names) if (link := ledger.link(name)) is not None]
    judged = _judged(there, catalog, store)
    lost = [link for link in judged if link.state not in (LinkState.FOUND, LinkState.MOVED)]
    yield from _told([link._replace(state=LinkState.DANGLING) for link in lost], catalog, store)


def _told(links: Sequence[LinkEntry], catalog: Catalog, store: UnitStore) -> Iterator[BrokenLink]:
    units = {unit.id: unit for unit in store.get(list(dict.fromkeys(link.unit_id for link in links)))}
    for entry in links:
        unit = units.get(entry.unit_id)
        link = the_link(entry, unit) if unit is not None else None
        if unit is not None and link is not None and entry.state is not None:
            candidates = catalog.resolve(entry.key, entry.document_id).candidates
            led = (entry.leads_to,) if entry.leads_to else ()
            yield BrokenLink(unit=unit, link=link, state=entry.state, candidates=candidates or led)
