"""Units that say the same in several documents: a reader gets one of them, with what the others add.

That they are twins stands in their rows, each naming the others (`merging.find_twins`); the rows stay as their
documents made them. A twin that the store no longer holds has changed or gone, and is passed over.
"""

from __future__ import annotations

from collections.abc import Sequence

from thread_core import linking
from thread_core.layout import is_next, leads_inside
from thread_core.linking import Resolution
from thread_core.models import Link, LinkAction, LogicUnit, Target
from thread_core.plan import Plan
from thread_core.ports import Stored
from thread_core.store.requests import ReadDocuments, Resolve


def read(unit: LogicUnit) -> Plan[list[LogicUnit]]:
    """The twins of a unit that are in the store."""
    if not unit.twins:
        return []
    documents: dict[str, list[Stored]] = yield ReadDocuments(tuple(twin.document_id for twin in unit.twins))
    read = {row.unit.id: row.unit for rows in documents.values() for row in rows}
    return [read[twin.unit_id] for twin in unit.twins if twin.unit_id in read]


def extended(unit: LogicUnit, others: Sequence[LogicUnit]) -> Plan[LogicUnit]:
    """A unit with the prerequisites, the links and the lines that its twins have besides.

    Its place, its body and the step that comes next stay its own. A link of a twin names its document, and its
    evidence is left out: the lines are those of another document.
    """
    if not others:
        return unit
    links = list(unit.links)
    known: set[tuple[str, str, str]] = set()
    for one in (unit, *others):
        for link in one.links:
            leads_to: str = yield from _document(link, one.document_id)
            says = (link.condition.casefold(), link.query.casefold(), leads_to)
            if one is not unit and says not in known and not leads_inside(one, link) and not is_next(link):
                links.append(_seen_from(unit, one, link, leads_to))
            known.add(says)
    needed = (text for one in (unit, *others) for text in one.prerequisites)
    return unit.model_copy(
        update={
            "prerequisites": tuple(dict.fromkeys(needed)),
            "links": tuple(links),
            "spans": (*unit.spans, *(span for other in others for span in other.spans)),
        }
    )


def _document(link: Link, source: str) -> Plan[str]:
    """The other document that a link leads to, or its name where that is in no store; empty for the link's own."""
    if link.target is None or not link.target.document:
        return ""
    where: Resolution = yield Resolve(link.target.document, source)
    return where.document_id if where.leads else link.target.document


def _seen_from(unit: LogicUnit, other: LogicUnit, link: Link, leads_to: str) -> Link:
    """A link of another document as it reads in a unit's."""
    if link.target is None:
        return link.model_copy(update={"evidence": None})
    document = leads_to or other.document_id
    if document == unit.document_id:
        named = link.target.model_copy(update={"document": ""})
        return link.model_copy(update={"target": named, "action": LinkAction.CONTINUE, "evidence": None})
    anchor = link.target.place.anchor if link.target.place else link.target.anchor
    away = Target(document=linking.absolute(document), anchor=anchor, step=link.target.step)
    return link.model_copy(update={"target": away, "action": LinkAction.CROSS, "evidence": None})
