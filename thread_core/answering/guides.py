"""Which documents of an answer are one plan: the guide that fits best, and those that it sends the reader to.

What else was found is what may be meant instead, and is told as such: whoever goes through an answer from its top must
not go on with another guide unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core.linking import Catalog
from thread_core.models import LinkAction, LogicUnit
from thread_core.retrieval.entrance import TO_DO


def plan_of(units: Sequence[LogicUnit]) -> frozenset[str]:
    """The document of the first step, and those of the others to which its links lead."""
    first = next((unit for unit in units if unit.type in TO_DO), None)
    if first is None:
        return frozenset(unit.document_id for unit in units)
    catalog = Catalog.of(units)
    targets = (
        catalog.resolve(link.target.document, unit.document_id)
        for unit in units
        if unit.document_id == first.document_id
        for link in unit.links
        if link.action is LinkAction.CROSS and link.target is not None
    )
    return frozenset([first.document_id, *(target.document_id for target in targets if target.leads)])


def plan_first(units: Sequence[LogicUnit]) -> list[LogicUnit]:
    """The units of the plan, then those of each other guide with what it leads to, all in their order."""
    guides = _guides(units)
    return sorted(units, key=lambda unit: guides[unit.document_id] if unit.type in TO_DO else 0)


def said_between(units: Sequence[LogicUnit], plan: frozenset[str]) -> Iterator[str]:
    """For each unit what is to be said above it: that another guide begins, or what stands further up in this one."""
    guides = _guides(units) | dict.fromkeys(plan, -1)
    entered: dict[str, LogicUnit] = {}
    before: LogicUnit | None = None
    for unit in units:
        begun = entered.setdefault(unit.document_id, unit)
        if before is not None and -1 < guides[unit.document_id] != guides[before.document_id]:
            yield f"If this is not what you are looking for, another guide may be: {unit.title}"
        elif before is not None and before.document_id == unit.document_id and unit.start < begun.start <= before.start:
            yield f"Further up in the same guide ({unit.title}):"
        else:
            yield ""
        before = unit


def _guides(units: Sequence[LogicUnit]) -> dict[str, int]:
    """Each document's guide by its number: the plan is the first, what is left of the others has a plan of its own."""
    guides: dict[str, int] = {}
    while left := [unit for unit in units if unit.document_id not in guides]:
        guides |= dict.fromkeys(plan_of(left) - guides.keys(), len(guides))
    return guides
