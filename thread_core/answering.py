"""A whole plan in one answer, without a model: the steps in order, each with its citation, then the open outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core.layout import leads_inside
from thread_core.models import LinkAction, LogicUnit, LogicUnitType, Model, Span

NOTHING = "No logic unit fits this question. Try other words, or name the product, alert or error."

_VERBS = {
    LinkAction.CONTINUE: "",
    LinkAction.CROSS: "",
    LinkAction.RESOLVED: " (resolved)",
    LinkAction.ESCALATE: " (escalate)",
}


class AnswerStep(Model):
    """One step of a plan."""

    text: str
    """The unit's body, as it stands in the document."""
    header: str
    unit_id: str
    prerequisites: tuple[str, ...] = ()
    citation: Span


class Answer(Model):
    """A plan: its text, its steps, and the outcomes that lead elsewhere."""

    text: str
    steps: tuple[AnswerStep, ...] = ()
    outcomes: tuple[str, ...] = ()
    """One line for each condition under which another way is taken than the next step."""


def answer(units: Sequence[LogicUnit]) -> Answer:
    """The units as numbered steps with citations, then the open outcomes; an honest sentence when there is none.

    What units say in the background (meaning, impact, references) is left out where there are steps.
    """
    chosen = [unit for unit in units if unit.type in (LogicUnitType.STEP, LogicUnitType.FAQ)] or list(units)
    steps = tuple(
        AnswerStep(
            text=unit.body,
            header=unit.header,
            unit_id=unit.id,
            prerequisites=unit.prerequisites,
            citation=_cited(unit),
        )
        for unit in chosen
    )
    open_outcomes = tuple(dict.fromkeys(outcome for unit in chosen for outcome in _outcomes(unit)))
    return Answer(text="".join(render(steps, open_outcomes)), steps=steps, outcomes=open_outcomes)


def render(steps: Sequence[AnswerStep], outcomes: Sequence[str]) -> Iterator[str]:
    """The text of an answer in pieces, one a step, so that it can be streamed."""
    if not steps:
        yield NOTHING
        return
    for number, step in enumerate(steps, start=1):
        needs = "".join(f"   Needs: {text}\n" for text in step.prerequisites)
        gap = "\n\n" if number > 1 else ""
        yield f"{gap}{number}. {step.header} [{step.citation}]\n{needs}{step.text}"
    if outcomes:
        yield "\n\nDepending on the outcome:\n" + "\n".join(f"- {outcome}" for outcome in outcomes)


def _cited(unit: LogicUnit) -> Span:
    first, last = unit.body_spans[0], unit.body_spans[-1]
    return Span(unit.document_id, first.start, max(first.end, last.end))


def _outcomes(unit: LogicUnit) -> Iterator[str]:
    for link in unit.links:
        if link.condition and not leads_inside(unit, link):
            yield f"if {link.condition}: {link.query}{_VERBS[link.action]}"
