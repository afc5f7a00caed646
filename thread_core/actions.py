"""From the step that is shown to what an executor is given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from thread_core import turns
from thread_core.execution import Action
from thread_core.models import LogicUnit, Span


def action_of(
    shown: Sequence[LogicUnit], line: int, *, said: Sequence[str], session: str, turn: int, approved: str = ""
) -> Action:
    """What the step at hand says to do, with its parameters filled in.

    Args:
        shown: The units on the screen, in reading order.
        line: From which line of its document on the first of them is shown.
        said: What the person said, the oldest first: parameters are filled in from it.
        session: The session's id.
        turn: How often it has moved: the key of the action is made of both.
        approved: The digest of what the person has allowed to be run.
    """
    first = shown[0]
    key = hashlib.sha256(json.dumps([session, turn, first.id]).encode()).hexdigest()
    return Action(
        key=key,
        session=session,
        unit_id=first.id,
        header=first.header,
        text="\n".join([turns.body_from(first, line), *(unit.body for unit in shown[1:])]),
        citation=Span(first.document_id, line, shown[-1].body_spans[-1].end),
        approved=approved,
    )
