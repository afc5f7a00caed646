"""Where the links of units lead, in words."""

from __future__ import annotations

from thread_core.models import Link, LogicUnit, Span
from thread_core.shelf import Destination, Leads, listed


def in_words(unit: LogicUnit, link: Link, goal: Destination) -> str:
    """Where a link of a unit leads, in one line."""
    name = link.target.document if link.target else ""
    match goal.leads:
        case Leads.END:
            end = link.action.value.lower()
            return f"{end}: {link.query}" if link.query else end
        case Leads.INSIDE:
            return "in this unit"
        case Leads.SEARCH:
            return f"whatever fits {link.query!r}"
        case Leads.OUTSIDE:
            return f"outside: {name}"
        case Leads.AMBIGUOUS:
            return f"ambiguous: {name} may mean {listed(goal.candidates)}"
        case Leads.STEP if goal.unit is not None:
            return _place(unit, goal.unit, moved=goal.moved)
    if goal.document_id:
        return f"dangling: {goal.document_id} has no such section or step"
    return f"dangling: {name} is not a document in this store"


def lines_of(span: Span) -> str:
    """`4-9`, or `4` for a single line."""
    return str(span).removeprefix(f"{span.document_id}:")


def _place(unit: LogicUnit, goal: LogicUnit, *, moved: bool) -> str:
    lines = goal.body_spans[0 if goal.rewritten else -1]
    if goal.document_id == unit.document_id:
        return f"lines {lines_of(lines)}"
    return f"{'moved: ' if moved else ''}{lines} {goal.header}"
