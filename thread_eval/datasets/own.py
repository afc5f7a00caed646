"""Tasks made of one's own guides, without gold: what their entries and decisions promise is what is asked for.

Questions and outcomes are the guides' own words, shortened and in another order, unless a model puts them in others:
so they flatter every system alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import Field

from thread_core.documents.leaning import OPPOSITE
from thread_core.extraction.fidelity import unlinked
from thread_core.llm.asking import Ask, Role, ask_for
from thread_core.llm.prompting import numbered, prompt
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Model
from thread_core.places import first_step, line_of_step
from thread_core.plan import Plan
from thread_core.ports import Form
from thread_core.shelf import Leads, Shelf
from thread_eval.datasets.gold import Branch, Quote, Task

_MARKS = re.compile(r"[`\"“”«»*]")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_WORDS = re.compile(r"\w+\W+\w+")
_FENCE = re.compile(r"\s*(?:```|~~~)")


class Flaw(Model):
    """A place of a guide at which nobody is led on."""

    kind: Literal["dead end", "leads nowhere", "not linked"]
    where: str
    """As `guide.md:12`."""
    text: str


_NOWHERE = (Leads.OUTSIDE, Leads.AMBIGUOUS, Leads.DANGLING)
"""What a decision's way may lead to that is no place of these guides."""


class _Reworded(Form):
    texts: tuple[str, ...] = Field(min_length=1)


def tasks_from(units: Sequence[LogicUnit]) -> list[Task]:
    """A task for the entry of each document that has steps, and one for each other step that decides something."""
    shelf = Shelf.of(units)
    return [
        task
        for own in map(shelf.units, shelf.ids)
        for unit in own
        if unit.type == LogicUnitType.STEP and (task := _task(shelf, unit, is_entry=unit is first_step(own)))
    ]


def flaws_of(units: Sequence[LogicUnit]) -> Iterator[Flaw]:
    """Where guides lead nobody on.

    At the last step of a procedure that does not say so, at decisions whose way is not there, and at conditions under
    which nothing leads on.
    """
    shelf = Shelf.of(units)
    for name in shelf.ids:
        own = shelf.units(name)
        for at, unit in enumerate(own):
            goes_on = unit.links or any(unit.goes_on_with(later) for later in own[at + 1 :])
            if unit.type == LogicUnitType.STEP and not goes_on:
                yield Flaw(kind="dead end", where=str(unit.body_spans[-1]), text=_first_line(unit))
            for link in unit.links:
                if link.condition and shelf.destination(unit, link).leads in _NOWHERE:
                    yield Flaw(
                        kind="leads nowhere", where=str(link.evidence or unit.body_spans[-1]), text=link.condition
                    )
        for number, line in dict(unlinked(own)).items():
            yield Flaw(kind="not linked", where=f"{name}:{number}", text=line)


def reworded(task: Task) -> Plan[Task]:
    """A task whose question and outcomes a model has put in other words.

    Raises:
        BadReply, BudgetSpent, ModelError: it gave no usable reply.
    """
    texts = [task.question, *(branch.outcome for branch in task.branches)]

    def faults(reply: _Reworded) -> list[str]:
        given = len([text for text in reply.texts if text.strip()])
        return [] if given == len(reply.texts) == len(texts) else [f"there are {len(texts)} texts, you gave {given}"]

    ask = Ask(Role.QUERY_GENERATOR, prompt("reword", "thread_eval").messages({"texts": numbered(texts)}))
    question, *outcomes = (yield from ask_for(ask, _Reworded, faults, keep=True)).texts
    pairs = zip(task.branches, outcomes, strict=True)
    branches = tuple(branch.model_copy(update={"outcome": outcome}) for branch, outcome in pairs)
    return task.model_copy(update={"question": question, "branches": branches})


def in_other_order(condition: str) -> str:
    """A condition without quotes and marks, what stands before its first comma last; it says the same."""
    plain = _plain(condition)
    first, comma, rest = plain.partition(", ")
    is_whole = first.count("(") == first.count(")")
    return f"{rest}, {first}" if comma and is_whole else plain


def _task(shelf: Shelf, unit: LogicUnit, *, is_entry: bool) -> Task | None:
    """What is asked about one step; nothing where it neither begins nor decides anything."""
    quote = _quote(unit)
    branches = tuple(_branches(shelf, unit))
    if quote is None or not (is_entry or branches):
        return None
    asked = unit.title if is_entry and unit.title else ", ".join(reversed(unit.header.split(": ")))
    return Task(
        id=f"{unit.document_id}:{unit.start}",
        question=_plain(asked).rstrip(".:?") + "?",
        steps=(quote,),
        branches=branches,
    )


def _branches(shelf: Shelf, unit: LogicUnit) -> Iterator[Branch]:
    """The outcomes that lead elsewhere, each once; an opposite is stated by nobody, and takes a model to say."""
    for condition, link in {link.condition: link for link in unit.links if link.condition}.items():
        outcome, end = in_other_order(condition), _next(shelf, unit, link)
        if outcome and end is not None and not condition.startswith(OPPOSITE):
            yield Branch(after_step=0, outcome=outcome, next=end)


def _next(shelf: Shelf, unit: LogicUnit, link: Link) -> Quote | Literal["resolved", "escalate"] | None:
    goal = shelf.destination(unit, link)
    if goal.leads is Leads.END:
        return "resolved" if link.action is LinkAction.RESOLVED else "escalate"
    if goal.leads is not Leads.STEP or goal.unit is None or goal.unit is unit:
        return None
    return _quote(goal.unit, link.target.step if link.target else None)


def _quote(unit: LogicUnit, step: int | None = None) -> Quote | None:
    line = _first_line(unit, step)
    return Quote(document=unit.document_id, quote=line) if line else None


def _first_line(unit: LogicUnit, step: int | None = None) -> str:
    """The first line that is the unit's own, or of one of its steps, with words in it."""
    lines = unit.body.split("\n")
    above = 0 if unit.rewritten else sum(span.end - span.start + 1 for span in unit.body_spans[:-1])
    begin = line_of_step(unit, step) - 1 if step is not None else above
    worded = (line.strip() for line in lines[begin:] if _WORDS.search(line) and not _FENCE.match(line))
    return next(worded, "")


def _plain(text: str) -> str:
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())
