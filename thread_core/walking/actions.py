"""A step as it was shown -> the action that an executor may carry out."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from itertools import islice

from thread_core import layout
from thread_core.models import NAMESPACE, LogicUnit
from thread_core.text import templates
from thread_core.text.orders import orders
from thread_core.text.source import Source
from thread_core.walking import turns
from thread_core.walking.execution import Action


def action_of(
    shown: Sequence[LogicUnit],
    line: int,
    *,
    said: Sequence[str],
    session: str,
    turn: int,
    began: int = 0,
    approved: str = "",
    condition: str = "",
    needs: Sequence[str] = (),
) -> Action:
    """What a turn says to do.

    Args:
        shown: The units of the turn (`turns.shown_from`), the first from a line on.
        line: That line of its document.
        said: What the person said, the oldest first: the values of parameters are looked for in it.
        session: The session's id.
        turn: The number of the turn in which it is due. The same step in a later turn is another action.
        began: The number of the turn in which the walk was begun.
        approved: The digest that the person approved.
        condition: The condition that led to the step: what stands under it is to be done.
        needs: What only the person can vouch for.
    """
    first = shown[0]
    parameters: dict[str, str] = {}
    texts: list[str] = []
    branches: list[int] = []
    for unit in shown:
        found = templates.values_in(unit, said)
        values = {name: value for name, value in found.items() if templates.is_safe(value)}
        unsaid = {name: templates.placeholder(name) for name, value in found.items() if not value}
        parameters = values | parameters
        filled = unit.model_copy(update={"body": templates.template_of(unit).fill(unsaid | values)})
        before = sum(len(Source(text)) + 1 for text in texts)
        texts.append(turns.body_from(filled, line) if unit is first else filled.body)
        branches += [before + number for number in _branches(unit, line if unit is first else 0)]
    text = "\n\n".join(texts)
    headings = [heading for unit in shown for heading in (unit.title, *unit.section)]
    told = orders(text, branches, condition, headings=headings)
    # by its place: an edit gives a unit another id, and what was begun there must not be begun again for that
    step = (first.document_id, first.place.anchor, first.place.number)
    return Action(
        key=str(uuid.uuid5(NAMESPACE, json.dumps([session, turn, step, told.commands]))),
        session=session,
        turn=turn,
        began=began,
        unit_id=first.id,
        header=first.header,
        text=f"{layout.heading(first)}\n{text}",
        commands=told.commands,
        complete=told.complete,
        reason=told.reason,
        branches=told.branches,
        parameters=parameters,
        missing=tuple(name for name in templates.marked(text) if any(name in command for command in told.commands)),
        citation=turns.step_turn(shown, line).citations[0],
        needs=tuple(needs),
        approved=approved,
    )


def _branches(unit: LogicUnit, line: int) -> list[int]:
    """Which lines of what is shown (1-based) say where an outcome leads."""
    shown = list(islice(unit.numbers, len(Source(unit.body))))
    if line in shown:
        shown = shown[shown.index(line) :]
    spans = [link.evidence for link in unit.links if link.condition and link.evidence and unit.says(link)]
    return [at for at, number in enumerate(shown, start=1) if any(span.start <= number <= span.end for span in spans)]
