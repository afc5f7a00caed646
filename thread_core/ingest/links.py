"""Where the links between documents lead, once all documents of a run are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from thread_core import linking
from thread_core.ingest.changes import the_link
from thread_core.ingest.ledger import Ledger, LinkEntry
from thread_core.linking import BrokenLink, Catalog, LinkState
from thread_core.ports import UnitStore, rows_of


def judge(ledger: Ledger, catalog: Catalog) -> None:
    """Resolve the links of the given documents that are new, or that other documents' names may turn elsewhere."""
    while True:
        document_ids, links = ledger.unjudged()
        if not document_ids:
            return
        judged = []
        for link in links:
            found = catalog.resolve(link.key, link.document_id)
            state = found.state if link.key else LinkState.DANGLING
            judged.append(link._replace(state=state, leads_to=found.document_id))
        ledger.judge(document_ids, judged)


def broken(ledger: Ledger, catalog: Catalog, store: UnitStore) -> Iterator[BrokenLink]:
    """The links of the given documents that are dangling, ambiguous or moved, in the documents' order."""
    for links in ledger.broken():
        yield from _told(links, catalog, store)


def newly_dangling(
    names: Iterable[tuple[str, str, int]], ledger: Ledger, catalog: Catalog, store: UnitStore
) -> Iterator[BrokenLink]:
    """Those of some links that are still there and lead nowhere now: no such document, or no such place in it."""
    there = [link for name in dict.fromkeys(names) if (link := ledger.link(name)) is not None]
    lost = []
    for link in there:
        found = catalog.resolve(link.key, link.document_id)
        units = [row.unit for row in rows_of(store, found.document_id)] if found.leads else []
        if linking.place_in(link.target, units) is None:
            lost.append(link._replace(state=LinkState.DANGLING, leads_to=found.document_id))
    yield from _told(lost, catalog, store)


def _told(links: Sequence[LinkEntry], catalog: Catalog, store: UnitStore) -> Iterator[BrokenLink]:
    units = {unit.id: unit for unit in store.get(list(dict.fromkeys(link.unit_id for link in links)))}
    for entry in links:
        unit = units.get(entry.unit_id)
        link = the_link(entry, unit) if unit is not None else None
        if unit is not None and link is not None and entry.state is not None:
            candidates = catalog.resolve(entry.key, entry.document_id).candidates
            led = (entry.leads_to,) if entry.leads_to else ()
            yield BrokenLink(unit=unit, link=link, state=entry.state, candidates=candidates or led)
