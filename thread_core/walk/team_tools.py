"""The tools of the agents that lead a walk: plain functions over a desk, whatever framework calls them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from thread_core.errors import IllegalStep
from thread_core.llm.numbers import Number, Numbers
from thread_core.models import LogicUnit
from thread_core.plan import Plan, decided
from thread_core.walk.desk import Agent, Desk, Refusal, Told
from thread_core.walk.numbered import numbered
from thread_core.walk.options import screen_at
from thread_core.walk.positions import entrance
from thread_core.walk.questions import ask
from thread_core.walk.rendering import Turn, present
from thread_core.walk.state import Act, Asked, Choice, SessionState, remembering
from thread_core.walk.states import Event, Status
from thread_core.walk.team import ANEW, Seat, Wanted, arrived, executed, made, searched
from thread_core.walk.walk import considered, due

_WORDS: Mapping[str, Mapping[str, Any]] = {
    "next": {"done": True},
    **{end: {"ended": end} for end in ("return", "solved", "unsolved")},
}
"""Places that have no number, as a walk's model would say them."""
LONGEST = 300
"""Characters of a question that an agent puts."""
HANDOFF = "handoff"
"""How agents hand over to each other, where a framework has no way of its own; as LlamaIndex calls it."""
OVER = "The turn is the person's now: nothing more is done in it."


class Words(BaseModel):
    """What is looked for."""

    words: str = Field(description="A few words: the matter, with names, codes and messages as the person gave them.")


class GuideNumber(BaseModel):
    """Which guide."""

    number: Number = Field(description="A number of the last cards, such as 2 or 2.3, or a guide's id.")


class PlaceNumber(BaseModel):
    """Which place."""

    number: Number = Field(
        description="A number of the open guide, such as 3.2, L1 or C1; or next, solved, unsolved or return."
    )


class Question(BaseModel):
    """What the person is asked."""

    question: str = Field(default="", description="One short question; empty where numbers are given.")
    numbers: Numbers = Field(
        default=(), description="Of places in the open guide between which they choose, at most 5."
    )


class Handover(BaseModel):
    """Who goes on."""

    to_agent: Literal["selector", "planner", "query_generator"]
    reason: str = ""


class Nothing(BaseModel):
    """No arguments."""


def call(desk: Desk, name: str, given: Mapping[str, Any]) -> Plan[Told]:
    """Do what a model calls a tool of `TOOLS` for; whatever is wrong with the call is told to it."""
    try:
        if desk.agent is None:
            raise Refusal(OVER)
        if name == HANDOFF:
            return Told(desk.but(agent=Agent(Handover.model_validate(given).to_agent)), "They go on.")
        tool = tools(desk.executes).get(name)
        if tool is None:
            raise Refusal(f"There is no tool {name}; there are {', '.join(tools(desk.executes))}.")
        return (yield from tool.does(desk, tool.arguments.model_validate(given)))
    except ValidationError as error:
        said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        return Told(desk, f"The arguments do not fit: {said}.", is_error=True)
    except (Refusal, IllegalStep) as error:
        return Told(desk, str(error), is_error=True)
    except Wanted:
        return Told(desk, "That leads to a guide that has to be chosen first: open it.", is_error=True)


def _search(desk: Desk, given: Words) -> Plan[Told]:
    return Told(*(yield from searched(desk, given.words)))


def _open(desk: Desk, given: GuideNumber) -> Plan[Told]:
    document_id, unit_id = desk.found.get(given.number, (given.number, ""))
    begun, units = yield from entrance(document_id, unit_id)
    if begun is None:
        raise Refusal(f"There is no guide {given.number}: give a number of the last cards, or search first.")
    desk = desk.but(guide=(document_id, begun.id))
    if _is_own(desk):
        try:
            yield from made(desk)
        except Wanted as wanted:
            called = wanted.fields["calling"]
            return Told(desk, f"{wanted.fields['guide']}\n{called}\nThey are at: {wanted.fields['at']}")
    guide = numbered(screen_at(begun), units)
    return Told(desk, f"{guide.text}\n\nThe question enters it at: {guide.at}")


def _is_own(desk: Desk) -> bool:
    """Whether the open guide is the one that is walked."""
    step = desk.session.step
    return desk.is_way and step is not None and desk.guide[0] == step.document_id


def _go(desk: Desk, given: PlaceNumber) -> Plan[Told]:
    if desk.moved:
        raise Refusal("The walk has moved in this turn: the person has to read the step first.")
    if not given.number or not desk.guide[0]:
        raise Refusal("Give the number of a place in the open guide." if desk.guide[0] else "Open a guide first.")
    if _is_own(desk):
        decision = {"words": desk.text, **_WORDS.get(given.number, {"way": given.number})}
        return (yield from arrived(desk, *(yield from made(desk, decision))))
    begun, units = yield from entrance(*desk.guide)
    part = numbered(screen_at(begun), units).parts.get(given.number) if begun is not None else None
    if part is None:
        raise Refusal(f"The open guide has no number {given.number}.")
    return (yield from arrived(desk, *(yield from _entered(desk, part.unit))))


def _entered(desk: Desk, unit: LogicUnit) -> Plan[tuple[SessionState, Turn]]:
    """Enter a guide, as if the person had been asked which, and had chosen it; the reason says who did."""
    before = desk.session
    if desk.is_way and desk.event is not Event.EXECUTED:
        base = before.saying(desk.text).with_outcome(desk.text)
    else:
        base, _ = yield from made(desk, empty=True)
    if not desk.is_way:
        base = base.replace(trail=(), callers=(), scope=(), past=())
    menu = ask(base.replace(turn=before.turn), Asked.GUIDE, "", [Choice.of(unit, unit.title, Act.GUIDE)])
    reached, shown = yield from decided(considered(menu, Event.CHOOSE, "1"), Seat(None, empty=True).decide)
    lead = {"why": f'"{desk.text or before.question}": the agents chose {unit.title}', "is_guess": desk.is_way}
    if reached.pending is not None and reached.pending.at is not None:
        at = reached.pending.at.model_copy(update=lead)
        reached = reached.replace(pending=reached.pending.model_copy(update={"at": at}))
    elif reached.status is Status.AWAITING and len(reached.trail) > len(base.trail):
        reached = reached.replace(trail=(*reached.trail[:-1], reached.trail[-1].model_copy(update=lead)))
    reached = reached.replace(past=base.past)
    reached = reached if desk.event in ANEW else remembering(before, reached)
    return reached, shown.model_copy(update={"also": (yield from present(reached)).also})


def _ask(desk: Desk, given: Question) -> Plan[Told]:
    question = " ".join(given.question.split())[:LONGEST]
    if given.numbers and _is_own(desk):
        return (yield from arrived(desk, *(yield from made(desk, {"between": list(given.numbers)}))))
    if not question:
        raise Refusal("Give a question, or numbers of places in the guide that is walked.")
    if desk.moved or desk.outcome is not None or desk.session.asks(Asked.APPROVAL):
        raise Refusal("The person reads the step and answers that: end your turn, or say where what was seen leads.")
    asking = desk.session.replace(turn=desk.session.turn + 1)
    return Told(desk.but(session=asking, question=question, agent=None), "They are asked.")


def _execute(desk: Desk, given: Nothing) -> Plan[Told]:
    action = (yield from due(desk.session)) if desk.outcome is None else None
    if action is None:
        raise Refusal("Nothing of the step at hand can be executed now.")
    return (yield from executed(desk, action))


@dataclass(frozen=True, slots=True)
class Tool:
    """What agents may call."""

    does: Callable[[Desk, Any], Plan[Told]]
    description: str
    arguments: type[BaseModel]
    agents: frozenset[Agent] = frozenset(Agent)


EXECUTE = "execute"
_SEEKERS = frozenset({Agent.SELECTOR, Agent.QUERY_GENERATOR})
TOOLS: Mapping[str, Tool] = {
    "search_guides": Tool(_search, "Finds guides by words, and shows their cards.", Words, _SEEKERS),
    "open_guide": Tool(_open, "Opens a guide: its units and passages by number.", GuideNumber),
    "go_to": Tool(_go, "Moves the person to a place of the open guide.", PlaceNumber, frozenset({Agent.PLANNER})),
    "ask_person": Tool(_ask, "Asks the person, and ends your turn.", Question),
    EXECUTE: Tool(_execute, "Has the step at hand carried out.", Nothing, frozenset({Agent.PLANNER})),
}
"""By name, whatever framework calls them."""


def tools(executes: bool, agent: Agent | None = None) -> dict[str, Tool]:
    """Give the tools that there are, or those of one agent; without an executor nothing is executed."""
    allowed = {name: tool for name, tool in TOOLS.items() if executes or name != EXECUTE}
    return {name: tool for name, tool in allowed.items() if agent is None or agent in tool.agents}
