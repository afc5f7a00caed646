"""A patient person walks through a task: says "done" after every turn, and reports each branch's outcome aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from thread_core.text.words import count_tokens
from thread_eval.datasets.gold import Quote, Task
from thread_eval.shown import clip, shows
from thread_eval.system import Reply, System

READ = 600
"""Tokens of one reply that a person is taken to read."""
PATIENCE = 2400
"""Tokens after which a walk is over."""
MOST_TURNS = 30
WIDE = 400
"""Tokens of the reply to an outcome in which the next step must stand."""
CHOICES = 9
"""Options of a menu that a person reads."""
DONE, AGREED, ON = "Done. What next?", "Yes.", "next"

End = Literal["right", "menu", "stuck", "wrong"]
"""What became of a reported outcome: it led right at once, or by the menu shown, nowhere, or elsewhere."""
Entry = Literal["right", "menu", "none", "wrong"]
"""Where a question led: into a right document at once, or by the menu shown, nowhere, or elsewhere."""


@dataclass(frozen=True, slots=True)
class Explored:
    """A walk through a task, and what was said to the outcome of each branch."""

    turns: list[Reply]
    replies: list[Reply | None]
    """A branch each; None where the branch's step was never shown."""
    ends: list[End | None]
    """What became of each outcome; None where its step was never shown, or where it has no next step."""
    entry: Entry | None
    """None of a system that does not say where it stands."""


def explore(system: System, task: Task) -> Explored:
    """Walk through a task, and report each branch's outcome at the first turn that shows the branch's step."""
    turns: list[Reply] = []
    replies: list[Reply | None] = [None] * len(task.branches)
    ends: list[End | None] = [None] * len(task.branches)
    entry: Entry | None = None
    for turn in walk(system, task.question, task.step_quotes):
        if not turns:
            entry = _entered(system, turn, {step.document for step in task.steps})
        turns.append(turn)
        for index, branch in enumerate(task.branches):
            here = turn.goes_on and shows(read(turn), task.steps[branch.after_step].quote)
            if here and replies[index] is None:
                replies[index] = _report(system.fork(), branch.outcome)
                if isinstance(branch.next, Quote):
                    ends[index] = _came_of(system, turn, branch.outcome, branch.next.quote)
    return Explored(turns, replies, ends, entry)


def walk(system: System, question: str, wanted: Sequence[str] = ()) -> Iterator[Reply]:
    """The turns of a walk in which everything is answered with "done".

    Of a menu, be it the nearest guides where none fits, the option is chosen that shows something wanted; where none
    does, the answer is yes, and next where that is no answer: people know their case.
    """
    spent = 0
    reply, before = system.start(question), Reply("")
    shown: list[str] = []
    for _ in range(MOST_TURNS):
        yield reply
        shown.append(read(reply))
        spent += count_tokens(reply.text)
        if spent >= PATIENCE:
            return
        left = [quote for quote in wanted if not any(shows(text, quote) for text in shown)]
        said = _answer(system, reply, left, is_again=reply.text == before.text)
        if said is None:
            return
        before, reply = reply, system.respond(said)


def read(turn: Reply) -> str:
    """What a person reads of a reply."""
    return "".join(clip([turn.text], READ))


def continues(reply: Reply | None, quote: str, tokens: int) -> bool:
    """Whether a walk goes on with a step, within the first tokens of a reply."""
    return reply is not None and reply.goes_on and shows("".join(clip([reply.text], tokens)), quote)


def _entered(system: System, first: Reply, wanted: set[str]) -> Entry | None:
    if first.document in wanted:
        return "right"
    if any(reply.document in wanted for reply in _chosen(system, first)):
        return "menu"
    if first.status == "unknown":
        return "none"
    return "wrong" if first.place or first.options else None


def _came_of(system: System, before: Reply, outcome: str, quote: str) -> End:
    """What becomes of an outcome that is reported once."""
    told = system.fork()
    reply = told.respond(outcome)
    if continues(reply, quote, WIDE):
        return "right"
    moved = reply.place != before.place and bool(reply.unit or before.unit)  # chunks stand at no unit
    if reply.status not in ("asking", "unknown") and (moved or not reply.goes_on):
        return "wrong"
    return "menu" if any(continues(one, quote, WIDE) for one in _chosen(told, reply)) else "stuck"


def _chosen(system: System, menu: Reply) -> Iterator[Reply]:
    """What each option of a menu leads to."""
    return (system.fork().respond(number) for number in _numbers(menu))


def _numbers(menu: Reply) -> list[str]:
    return [str(number) for number in range(1, min(len(menu.options), CHOICES) + 1)]


def _answer(system: System, reply: Reply, wanted: Sequence[str], *, is_again: bool) -> str | None:
    """What is said to a reply; None where there is nothing to do, and no option that helps."""
    is_menu = bool(reply.options) and (reply.status in ("asking", "unknown") or is_again)
    for number in _numbers(reply) if is_menu and wanted else ():
        text = read(system.fork().respond(number))
        if any(shows(text, quote) for quote in wanted):
            return number
    if not reply.goes_on:
        return None
    if reply.status == "asking" or is_menu:
        return ON if is_again else AGREED
    return DONE


def _report(system: System, outcome: str) -> Reply:
    """The reply to an outcome; one that asks is told it once more."""
    reply = system.respond(outcome)
    return system.respond(outcome) if reply.status == "asking" else reply
