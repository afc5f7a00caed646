"""What the model of an agent is told of a walk that it has as a tool: one call, one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field

from thread_core.models import Span
from thread_core.walk.rendering import Turn
from thread_core.walk.session import numbered
from thread_core.walk.state import SessionState
from thread_core.walk.states import STEPPED, Status

NAME = "howto"
DESCRIPTION = """\
Walks through a documented procedure (a runbook, a troubleshooting guide, product help), one step a call. Give the \
question to begin one. After that give the outcome of the step that was shown, and you get the step that this outcome \
leads to. One call at a time: report what was really seen, never what you expect. Steps are quoted from documents."""
QUESTION = "What is to be done or solved: begins a procedure. Else empty."
OUTCOME = 'What came of the step shown last: what was seen, a number of the list, "done", "back", "where are we?". \
Else empty.'
EITHER = "Pass either a question, to begin a procedure, or the outcome of the step that was shown."
NO_WALK = "No procedure is under way in this conversation: pass the question first."
ONE_AT_A_TIME = "Another call is still being answered: make one call at a time, and read its step first."
FIRST = 'That step was already answered with "{}", and that counts. This is where it led:'
LEFT = 'This leaves the procedure for "{}", which was under way. To begin it again, pass that question.'

_ADVICE = {
    Status.AWAITING: "Do this, or have it done; then call again with the outcome.",
    Status.ASKING: "This is for the person: ask them, then call again with their answer as the outcome.",
    Status.UNKNOWN: "Call again with the number of one of these as the outcome, or with another question.",
    Status.RESOLVED: "The procedure has ended.",
    Status.ESCALATED: "The procedure has ended without a solution: somebody else has to take over.",
}


def said(given: object) -> object:
    """What is said in an argument: models say null for nothing, and an option's number as a number."""
    whole = int(given) if isinstance(given, float) and given.is_integer() else given
    text = "" if whole is None else numbered(whole)
    return text.strip() if isinstance(text, str) else text


Question = Annotated[str, BeforeValidator(said), Field(description=QUESTION)]
Outcome = Annotated[str, BeforeValidator(said), Field(description=OUTCOME)]


class Arguments(BaseModel):
    """What the tool is called with. What else a model gives is passed over."""

    question: Question = ""
    outcome: Outcome = ""


def leaving(former: SessionState, question: str) -> str:
    """What to say of the walk that another question leaves; nothing of one that is not under way."""
    is_left = former.trail and former.status in STEPPED and former.question != question
    return LEFT.format(former.question) if is_left else ""


def told(shown: Turn, advice: str = "") -> str:
    """A turn with its known outcomes, where it stands, and what the model is to do: as advised, or by the status."""
    source = f"\n\nSource: {_source(shown.citations)}" if shown.citations else ""
    return f"{shown}{source}\n\n({advice or _ADVICE[shown.status]})"


def _source(cited: Sequence[Span]) -> str:
    """Of each document what is cited first, which are the lines that are shown: `disk.md:4-9, logs.md:7`."""
    first: dict[str, Span] = {}
    for span in cited:
        first.setdefault(span.document_id, span)
    return ", ".join(map(str, first.values()))
