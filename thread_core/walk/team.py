"""A walk that several agents lead: selector, planner and query generator, over the same few tools in any framework.

A person's turn begins with `hear`. The walk takes what it can read for sure; where it would ask a model, agents are at
work until one has moved it, or asks the person, and `close` says what the person reads. A move is a turn of `walk`, as
if a model of it had said what the agents decided: so the state is that of any session.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from thread_core.answering.cards import cards, listed
from thread_core.answering.conversation import facts
from thread_core.llm.asking import Ask, Keep, Kept, Role, Who
from thread_core.llm.prompting import quoted
from thread_core.plan import Plan, decided, given
from thread_core.ports import Message, Reply
from thread_core.retrieval import retrieve as retrieval
from thread_core.walk.decider import CARDS
from thread_core.walk.desk import Agent, Desk, Refusal, Told
from thread_core.walk.execution import Action, Outcome
from thread_core.walk.observing import Happened, tell
from thread_core.walk.rendering import Turn, after_running, present
from thread_core.walk.reply import parse
from thread_core.walk.session import AUTOMATIC, Perform
from thread_core.walk.state import SessionState
from thread_core.walk.states import READING, Event, Status
from thread_core.walk.walk import considered, due, turn

STANDS = "The agents reached no decision ({}). Try other words, or choose an option."
ASKS = "A model asks you this, in its own words:"
_ANSWERS = frozenset({Event.YES, Event.NO, Event.UNSURE, Event.NOT_SOLVED, Event.REPORT, Event.ASK})
"""What is an answer to an agent's question; all else that a person says is the walk's."""
ANEW = frozenset({Event.START, Event.RESTART})


class Wanted(Exception):
    """The walk would ask a model here."""

    def __init__(self, role: Role, fields: Mapping[str, str]) -> None:
        super().__init__(role)
        self.role, self.fields = role, fields


class Seat:
    """Sits where a walk asks its models: says what was decided, or that it has to be."""

    def __init__(self, decision: Mapping[str, Any] | None, *, empty: bool) -> None:
        self._left = [] if decision is None else [decision]
        self._is_for_agents = decision is None
        self._empty = empty
        self._fields: Mapping[str, str] = {}

    def messages(self, fields: Mapping[str, str]) -> tuple[Message, ...]:
        """As a prompt: it keeps what a model would be told."""
        self._fields = fields
        return (Message("user", ""),)

    def decide(self, request: Any) -> Plan[Any] | None:
        """Answer what a walk asks of models; None for any other request."""
        match request:
            case Who(role):
                if role is Role.SELECTOR and not self._empty:
                    raise Wanted(role, {})
                return given(None if self._empty else "agents")
            case Kept() | Keep():
                return given(None)
            case Ask(role, messages):
                if self._is_for_agents:
                    raise Wanted(role, self._fields)
                if not self._left:
                    wrong = [line[2:] for line in messages[-1].text.splitlines() if line.startswith("- ")]
                    raise Refusal(f"{'; '.join(wrong)}.")
                return given(Reply(text=json.dumps(self._left.pop())))
        return None


def hear(desk: Desk, line: str) -> Plan[Told]:
    """Take what the person says: a question where no walk has begun, an answer to an agent, or to the walk.

    Args:
        desk: As the last turn left it; with a new session, the line is the question.
        line: In their words.

    Returns:
        The desk, with an agent where one has to be at work, who begins with the text; else what is shown.

    Raises:
        IllegalStep: the session cannot take it.

    Example:
        told = library.run(hear(Desk(), "The lamp is dark"))
    """
    session = desk.session
    event, text = (Event.START, line) if session.status is Status.NEW else parse(line)
    options = () if session.status is Status.NEW else (yield from present(session)).options
    asked = ""
    if desk.question and event in _ANSWERS | {Event.START} and line.strip() not in options:
        event = Event.START if event is Event.START else Event.REPORT
        text, asked = f"{desk.text}; {line}", desk.question
    return (yield from _take(Desk(session=session, executes=desk.executes, event=event, text=text, asked=asked)))


def close(desk: Desk, shown: Turn | None = None, *, bound: str = "", trouble: str = "") -> Plan[Told]:
    """End a turn of the agents: what the person reads, whatever the models did or did not do.

    Args:
        desk: Where the turn stands.
        shown: What the last tool that moved the walk has shown; it is made anew where that is no longer at hand.
        bound: Which bound was reached, as `Desk.bound` says it: then the step stands, and the person is told so.
        trouble: Why a model gave no reply: then the walk decides by itself, and the turn notes it.
    """
    session, notes = desk.session, (f"decided without the agents: {trouble}",) if trouble else ()
    is_open = desk.agent is not None and not desk.moved
    if is_open and not (bound and session.step and desk.event not in {*ANEW, Event.EXECUTED}):
        told = yield from arrived(desk.but(executes=False), *(yield from made(desk, empty=True)))
        session, shown = told.desk.session, told.shown
        notes = notes or ((f"decided without the agents: {bound}",) if bound else ())
    elif shown is None or is_open:
        shown = Turn(text="", status=session.status)
        if session.status is not Status.NEW:
            shown = after_running(desk.ran, (yield from turn(session, Event.WHERE))[1])
    assert shown is not None
    if is_open and session is desk.session:
        shown, session = _below(STANDS.format(bound), shown), session.replace(turn=session.turn + 1)
    elif desk.question:
        shown = _below(f"{ASKS}\n\n> {desk.question}", shown)
    shown = shown.model_copy(update={"usage": desk.usage + shown.usage, "notes": (*shown.notes, *notes)})
    return Told(desk.but(session=session, agent=None, executes=desk.executes), shown=shown)


def _below(line: str, shown: Turn) -> Turn:
    return shown.model_copy(update={"text": f"{line}\n\n{shown.text}".rstrip()})


def made(
    desk: Desk, decision: Mapping[str, Any] | None = None, *, empty: bool = False
) -> Plan[tuple[SessionState, Turn]]:
    """The walk's turn of what the person did: with a decision, or the walk's own where the seat is empty."""
    seat = Seat(decision, empty=empty)
    plan = considered(desk.session, desk.event, desk.text, outcome=desk.outcome, prompts={"next": seat})
    return (yield from decided(plan, seat.decide))


def _take(desk: Desk) -> Plan[Told]:
    """What the walk makes of it by itself; else the agent who has to be at work, and what it is told."""
    try:
        reached, shown = yield from made(desk)
    except Wanted as wanted:
        asked = {"asked": f"\nThey were asked before:\n{quoted(desk.asked)}\n" if desk.asked else ""}
        if wanted.role is not Role.SELECTOR:
            assert desk.session.step is not None
            guide = desk.session.step.document_id, ""
            told = desk.but(agent=Agent.PLANNER, is_way=True, moved=False, guide=guide)
            return Told(told, Agent.PLANNER.told({**wanted.fields, **asked}))
        words = [desk.session.question] * (desk.event is not Event.START) + [desk.text] * (desk.event in _SAID)
        question = " ".join(filter(None, words))
        desk, found = yield from searched(desk.but(is_way=False), question)
        agent = Agent.SELECTOR if desk.found else Agent.QUERY_GENERATOR
        known = {"question": quoted(question), "facts": facts(desk.session.known, [question]), "guides": found}
        return Told(desk.but(agent=agent), agent.told({**known, **asked}))
    return (yield from arrived(desk, reached, shown))


_SAID = frozenset(Event) - {Event.RESTART}


def arrived(desk: Desk, reached: SessionState, shown: Turn) -> Plan[Told]:
    """Where the walk has moved: the person's turn, unless an executor may have the step, which they allowed or not."""
    tell(Happened(desk.event, desk.session, reached, desk.outcome))
    shown = after_running(desk.ran, shown)
    desk = desk.but(session=reached, ran=shown.ran, outcome=None, agent=None, moved=True, is_way=False)
    may = desk.executes and desk.event not in READING and len(shown.ran) < AUTOMATIC
    action: Action | None = (yield from due(reached)) if may else None
    if action is None:
        return Told(desk, "It is shown; the turn is the person's now.", shown)
    if action.is_approved:
        return (yield from executed(desk, action))
    text = f"This is the step now:\n{quoted(str(shown))}\nHave it executed, or end your turn to leave it to them."
    return Told(desk.but(agent=Agent.PLANNER), text, shown)


def executed(desk: Desk, action: Action) -> Plan[Told]:
    """Have an action carried out, and go where what was seen leads."""
    outcome: Outcome = yield Perform(action)
    return (yield from _take(desk.but(event=Event.EXECUTED, text="", outcome=outcome)))


def searched(desk: Desk, words: str) -> Plan[tuple[Desk, str]]:
    """Look for guides: the desk with their numbers, and their cards; the desk as it was where none fits."""
    known = desk.session.known if desk.session.said else None
    entries = yield from retrieval.find_entries(words, CARDS, known)
    if not retrieval.fit(entries):
        return desk, "No guide was found."
    units = [unit for entry in entries for unit in (entry.unit, *entry.document)]
    admitted = [unit for unit in units if known is None or retrieval.applies(unit, known)]
    needs = dict.fromkeys(text for unit in admitted for text in unit.prerequisites)
    text, named = listed(cards(admitted), {one: f"Prerequisite {at}:" for at, one in enumerate(needs, 1)})
    return desk.but(found={number: (unit.document_id, unit.id) for number, unit in named.items()}), text
