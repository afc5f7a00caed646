"""What a model decides in a walk: where it begins, and where an outcome leads.

A walk asks for a decision as for anything else. Without a model, or where it fails, the answer is that there is none,
and the walk goes on by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from thread_core.answering.selecting import Selection, select_or_search
from thread_core.errors import BadReply, BudgetSpent, ModelError
from thread_core.linking import Resolution
from thread_core.llm.asking import Role, Who
from thread_core.llm.prompting import Prompt
from thread_core.models import Link, LogicUnit
from thread_core.plan import Plan, given
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.prerequisites import Known
from thread_core.retrieval.retrieve import Entry
from thread_core.store.requests import Resolve
from thread_core.walk.matcher import OutcomeMatcher, Rank
from thread_core.walk.memory import Recalled, StepMemory, recall_nothing
from thread_core.walk.numbered import numbered
from thread_core.walk.options import Screen
from thread_core.walk.positions import screens_of
from thread_core.walk.querying import Next, find_next
from thread_core.walk.state import Position, SessionState

T = TypeVar("T")

CARDS = 12
"""Guides from which a model chooses."""


@dataclass(frozen=True, slots=True)
class ChooseEntry:
    """At which units a question enters the documents -> Chosen, or None."""

    question: str
    known: Known


@dataclass(frozen=True, slots=True)
class ChooseWay:
    """Where a report leads -> Next, or None."""

    report: str
    at: Screen
    units: Sequence[LogicUnit]
    """The guide's, in reading order."""
    question: str
    known: Known
    callers: Sequence[Position] = ()
    """The steps that called it, the last one last."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a model chose, and the entries that it chose from."""

    selection: Selection
    entries: tuple[Entry, ...]
    """Those that were chosen, in order; where none was, those that were found."""


class Decider:
    """Answers the decisions of one turn, and notes where it could not."""

    def __init__(
        self,
        state: SessionState,
        prompts: Mapping[str, Prompt] | None = None,
        memory: StepMemory | None = None,
        matcher: OutcomeMatcher | None = None,
    ) -> None:
        self._state = state
        self._prompts = prompts
        self._memory = memory
        self._matcher = matcher
        self.spent = state.spent
        """Whether the person was told that the budget is spent."""
        self.notes: tuple[str, ...] = ()

    def decide(self, request: Any) -> Plan[Any] | None:
        """The plan that answers a decision; None for any other request."""
        match request:
            case ChooseEntry():
                return self._if_there(Role.SELECTOR, self._entry(request))
            case ChooseWay():
                return self._if_there(Role.QUERY_GENERATOR, self._way(request))
            case Rank(report, passages):
                return given(self._matcher.score(report, passages) if self._matcher is not None else None)
            case _:
                return None

    def _if_there(self, role: Role, decision: Plan[T]) -> Plan[T | None]:
        name: str | None = yield Who(role)
        if name is None:
            return None
        try:
            return (yield from decision)
        except (BadReply, ModelError, BudgetSpent) as error:
            is_known = isinstance(error, BudgetSpent) and self.spent
            self.notes = (*self.notes, *([] if is_known else [f"decided without the model: {error}"]))
            self.spent = self.spent or isinstance(error, BudgetSpent)
        return None

    def _entry(self, request: ChooseEntry) -> Plan[Chosen]:
        entries: dict[str, Entry] = {}

        def find(words: str) -> Plan[list[LogicUnit]]:
            found: list[Entry] = yield from retrieval.find_entries(words, CARDS, request.known)
            for entry in found:
                entries.setdefault(entry.unit.document_id, entry)
            return [unit for entry in found for unit in (entry.unit, *entry.document)] if retrieval.fit(found) else []

        found = yield from find(request.question)
        callers = yield from _callers(list(entries.values()))
        selection: Selection = yield from select_or_search(
            request.question,
            (),
            found,
            find,
            known=request.known,
            callers=callers,
            recall=lambda: self._recall(SessionState(id=self._state.id, question=request.question)),
            prompts=self._prompts,
        )
        chosen = tuple(replace(entries[unit.document_id], unit=unit) for unit in selection.units)
        return Chosen(selection, chosen or tuple(entries.values()))

    def _way(self, request: ChooseWay) -> Plan[Next]:
        linked = yield from _linked(request.units)
        calling = yield from screens_of(request.callers)
        guide = numbered(request.at, request.units, [screen for screen, _ in calling], linked)
        recall = partial(self._recall, self._state, request.report)
        plan = find_next(
            request.report, guide, question=request.question, known=request.known, recall=recall, prompts=self._prompts
        )
        return (yield from plan)

    def _recall(self, state: SessionState, seen: str = "") -> Plan[Recalled]:
        """What stands in the place of a history in a prompt."""
        return self._memory.recall(state, seen, prompts=self._prompts) if self._memory else recall_nothing()


def _linked(units: Sequence[LogicUnit]) -> Plan[dict[str, tuple[LogicUnit, Link]]]:
    """The places in other guides of the store to which units send the reader whatever is the case, each by name.

    A guide to which an outcome leads is left out: the outcome says where in it.
    """
    leading = yield from _leading(units)
    found: dict[str, dict[str, tuple[LogicUnit, Link]]] = {}
    stated = set[str]()
    for unit in units:
        for link in unit.links:
            other = leading.get(link.target.document) if link.target is not None else None
            if link.target is None or other is None:
                continue
            if link.condition:
                stated.add(other)
            else:
                place = f"{other}#{link.target.anchor}".rstrip("#")
                found.setdefault(other, {}).setdefault(f"{link.query} ({place})", (unit, link))
    return {name: at for other, places in found.items() if other not in stated for name, at in places.items()}


def _callers(entries: Sequence[Entry]) -> Plan[dict[str, list[str]]]:
    """By document, the titles of those among some that send the reader to it."""
    known = {entry.unit.document_id for entry in entries}
    found: dict[str, list[str]] = {}
    for entry in entries:
        leading = yield from _leading(entry.document)
        for _, other in sorted(leading.items()):
            if other in known:
                found.setdefault(other, []).append(entry.unit.title)
    return found


def _leading(units: Sequence[LogicUnit]) -> Plan[dict[str, str]]:
    """The other documents of the store to which a document's links lead, by name as written."""
    named = {link.target.document for unit in units for link in unit.links if link.target is not None}
    found = {}
    for name in sorted(named - {""}):
        resolution: Resolution = yield Resolve(name, units[0].document_id)
        if resolution.leads and resolution.document_id != units[0].document_id:
            found[name] = resolution.document_id
    return found
