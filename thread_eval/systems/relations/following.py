"""The iterative engine over units whose links are relations: retrieve, follow the relation asked for, and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from thread_core.linking import Resolution
from thread_core.models import Link, LogicUnit
from thread_core.plan import Plan
from thread_core.ports import Hit
from thread_core.retrieval.retrieve import CANDIDATES, ENTRIES, QUERIES, Entry, find_goal, fuse
from thread_core.store.one_version import in_one_version
from thread_core.store.requests import ReadUnits, Resolve, SearchHeaders, SearchWords, read_document
from thread_core.walk.memory import nearest

HOPS = 2
"""Relations that are followed one after the other."""


@in_one_version
def follow(question: str, *, k: int = ENTRIES, hops: int = HOPS) -> Plan[list[LogicUnit]]:
    """The k units that a question finds by header and words, each followed by what its relations lead to.

    Of a unit the relation nearest to the question is followed, and of where it leads the unit nearest to the question
    is taken, and then its own. A value that no link places is looked for by header, a few of them in all.

    Args:
        question: What is asked.
        k: How many units are found at first.
        hops: How many relations are followed from each; with 0 none is.
    """
    nearby: list[Hit] = yield SearchHeaders(question, CANDIDATES)
    by_words: list[Hit] = yield SearchWords(question, CANDIDATES)
    scores = fuse(nearby, by_words)
    best = sorted(scores, key=lambda unit_id: (-scores[unit_id], unit_id))[:k]
    entries: list[LogicUnit] = yield ReadUnits(tuple(best))
    way = _Way(question)
    for entry in entries:
        yield from way.go(entry, hops)
    return list(way.found.values())


@dataclass(slots=True)
class _Way:
    """One run: what was found, and what may still be searched."""

    question: str
    found: dict[str, LogicUnit] = field(default_factory=dict)
    searches: int = QUERIES

    def go(self, unit: LogicUnit, hops: int) -> Plan[None]:
        """Take a unit, and what the relation that is asked for leads to."""
        if unit.id in self.found:
            return
        self.found[unit.id] = unit
        if hops and unit.links:
            (asked,) = yield from nearest(self.question, [link.condition for link in unit.links], 1)
            goals: Sequence[LogicUnit] = yield from self._goals(unit.links[asked], unit)
            others = [goal for goal in goals if goal.id not in self.found]
            near: list[int] = yield from nearest(self.question, [f"{one.title}: {one.body}" for one in others], 1)
            for at in near:
                yield from self.go(others[at], hops - 1)

    def _goals(self, link: Link, unit: LogicUnit) -> Plan[Sequence[LogicUnit]]:
        """The units where a link leads."""
        if link.target is not None:
            resolution: Resolution = yield Resolve(link.target.document, unit.document_id)
            if resolution.leads:
                return [row.unit for row in (yield from read_document(resolution.document_id))]
        if not self.searches:
            return []
        self.searches -= 1
        goal: Entry | None = yield from find_goal(link, unit)
        return goal.document if goal else []
