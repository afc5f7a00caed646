"""The walk through a procedure: one step at a time, taking the branch that the outcome selects (section 3.3).

`turn` is a plan over a small state: it takes (state, event, text), reads what it needs, and returns the next state and
what the person sees. An event is what a person means by a line (`reply`); `asked` takes an answer to an open question,
`reporting` a report, `observed` what an executor did, `navigation` says where that leads, `rendering` what is seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thread_core.llm.asking import Spent
from thread_core.llm.prompting import Prompt
from thread_core.models import encodable
from thread_core.plan import Plan, decided, given
from thread_core.ports import Usage
from thread_core.retrieval import terminology
from thread_core.store.one_version import in_one_version
from thread_core.walk import rendering, states
from thread_core.walk.asked import act, answered
from thread_core.walk.decider import Decider
from thread_core.walk.entry import asked_anew, restart, start
from thread_core.walk.execution import Action, Outcome
from thread_core.walk.gap import GapKind, NoteGap
from thread_core.walk.gaps import gap_of
from thread_core.walk.matcher import OutcomeMatcher
from thread_core.walk.meant import meant
from thread_core.walk.memory import StepMemory
from thread_core.walk.navigation import go_on, past_removed
from thread_core.walk.observed import executed
from thread_core.walk.observing import observed
from thread_core.walk.positions import screen_shown, unit_at
from thread_core.walk.questions import HAND_OVER, SOLVED, Remark, ask, ended, show
from thread_core.walk.rendering import EDITED, Ran, Turn, after_running, choices, noticing, present
from thread_core.walk.reporting import STAY, go_past, question_back, reported
from thread_core.walk.state import DONE, Act, Asked, Choice, Explained, SessionState, because, remembering, undone
from thread_core.walk.states import ENDED, READING, Event, Status

FIRST = "There is nothing to go back to."
STOPPED = 'Nothing is run. Say what you see or next to continue, or "I give up" to hand it over.'
NO_STEP = "There is no step to skip."
NO_OPTION = "There is no option {} (options: {}). Say what you see, or next."
OPEN = "Which of these applies? Say next if none does."
SURE = "Is it solved? This step still has something to decide."


@in_one_version
def considered(
    state: SessionState,
    event: Event,
    text: str = "",
    *,
    outcome: Outcome | None = None,
    memory: StepMemory | None = None,
    matcher: OutcomeMatcher | None = None,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[tuple[SessionState, Turn]]:
    """Make one turn of which nobody is told, for whoever may think better of it. Every other one is a `turn`.

    A model decides where there is one for the role; see `decider`.

    Args:
        state: Where the walk stands.
        event: What happens.
        text: The question, the option's number, or what the person says.
        outcome: Of what `due` gave, for an executor's event.
        memory: Tells the models the steps that matter instead of all that was said and done.
        matcher: Orders the passages of a menu instead of the default.
        prompts: The user's own instead of the package's: `select`, `next`, `rationale`.

    Raises:
        IllegalStep: the event does not fit the state, which stays as it was.
    """
    text = encodable(text)
    states.check(state.status, event)
    event, text = yield from meant(state, event, text)
    decider = Decider(state, prompts, memory, matcher)
    remarks: list[Remark] = []
    gaps: list[GapKind] = []

    def answer(request: Any) -> Plan[Any] | None:
        match request:
            case Remark():
                remarks.append(request)
            case NoteGap(kind):
                gaps.append(kind)
            case _:
                return decider.decide(request)
        return given(None)

    reached, shown = yield from decided(_turn(state, event, text, outcome), answer)
    states.arrive(state.status, event, reached.status)
    usage: Usage = yield Spent()
    said = "\n\n".join((*(remark.text for remark in remarks), shown.text))
    cited = (*shown.citations, *(span for remark in remarks for span in remark.citations))
    gap = yield from gap_of(state, event, text, reached.status, gaps)
    noted = reached.replace(notes=decider.notes, spent=decider.spent, turn=state.turn + (event not in READING), gap=gap)
    return noted, shown.model_copy(update={"text": said, "citations": cited, "notes": decider.notes, "usage": usage})


turn = observed(considered)
"""Make one turn, and tell whoever observes walks; see `considered`."""


def due(state: SessionState) -> Plan[Action | None]:
    """Give what an executor may do now; None where it is the person's turn. One that is done again has the same key."""
    if state.status is not Status.AWAITING or state.handed or state.message or not state.trail:
        return None
    return (yield from rendering.action(state))


def _turn(state: SessionState, event: Event, text: str, outcome: Outcome | None) -> Plan[tuple[SessionState, Turn]]:
    anew = event in (Event.START, Event.RESTART, Event.BACK)
    edited = None if anew else (yield from noticing(state))
    ran: tuple[Ran, ...] = ()
    if edited is not None:
        yield Remark(EDITED)
    if event is Event.EXECUTED:
        at = edited or state
        reached, ran = yield from executed(at, (yield from due(at)), outcome, is_edited=edited is not None)
    elif edited is not None or event in READING:
        reached = edited or state
    else:
        reached = yield from _moved(state, event, text)
    reached = yield from _explaining(state, reached)
    reached = reached if anew else remembering(state, reached)
    shown = after_running(ran, (yield from present(reached)))
    return reached, shown.model_copy(update={"text": because(reached)}) if event is Event.WHY else shown


def _moved(state: SessionState, event: Event, text: str) -> Plan[SessionState]:
    """Where what a person means leads: one case for each thing that can be meant."""
    match event:
        case Event.START:
            anew = SessionState(id=state.id, turn=state.turn, began=state.turn, policy=state.policy)
            return (yield from start(anew, text))
        case Event.RESTART:
            return (yield from restart(state))
        case Event.BACK:
            return (yield from _back(state))
        case Event.HAND_OVER:
            return (yield from act(state, HAND_OVER))
        case Event.STOP:
            return (yield from _stop(state))
        case Event.SKIP:
            return (yield from _skip(state))
        case Event.CHOOSE:
            return (yield from _choose(state, int(text)))
    if state.pending is not None:
        reached = yield from answered(state, state.pending, event, text)
        if reached is not None:
            return reached
    if state.step is None:
        return (yield from asked_anew(state, text)) if event in (Event.REPORT, Event.ASK) else state
    match event:
        case Event.NEXT:
            return (yield from go_past(state, "you went on"))
        case Event.SOLVED:
            return (yield from _is_solved(state))
        case Event.ASK:
            return (yield from question_back(state, text))
        case Event.DONE:
            return (yield from _done(state))
        case Event.YES | Event.NO | Event.UNSURE | Event.NOT_SOLVED | Event.REPORT:
            return (yield from reported(state, event, text))
    return state


def _back(state: SessionState) -> Plan[SessionState]:
    """To the screen before, and what was known then; where there is none, it is said and nothing changes."""
    earlier = undone(state)
    if earlier is None:
        yield Remark(FIRST)
        return state
    if earlier.status is Status.AWAITING and earlier.step is not None and not earlier.message:
        unit, _ = yield from unit_at(earlier.step)
        if unit is None:
            yield Remark("The step before is no longer in the store.")
            return state
    return earlier


def _stop(state: SessionState) -> Plan[SessionState]:
    """Nothing is left to an executor; a question whether to run it is answered by that."""
    yield Remark(STOPPED)
    if state.asks(Asked.APPROVAL):
        return (yield from act(state, Choice(label="", act=Act.MYSELF)))
    return state.replace(handed=state.handed or "the person stopped it") if state.status is Status.AWAITING else state


def _skip(state: SessionState) -> Plan[SessionState]:
    """Not done: on all the same. A prerequisite that is skipped leaves its step out and decides nothing."""
    if state.status not in states.STEPPED or (state.step is None and state.pending is None):
        yield Remark(NO_STEP)
        return state
    yield NoteGap(GapKind.SKIPPED)
    pending = state.pending
    if pending is not None and pending.kind is Asked.PREREQUISITE and pending.at is not None:
        passed = show(state, pending.at).with_outcome("", skipped=True)
        return (yield from go_on(passed, "you skipped the step before"))
    if state.step is None:
        return state
    return (yield from go_past(state.with_outcome("", skipped=True), "you skipped the step before", ""))


def _done(state: SessionState) -> Plan[SessionState]:
    """Done: on, unless something is to be decided first."""
    if state.status in ENDED:
        return state
    current, units = yield from unit_at(state.trail[-1])
    if current is None:
        return (yield from past_removed(state.replace(pending=None), state.trail[-1], units))
    at = screen_shown(state.trail[-1], current)
    if at.cases:
        yield Remark(OPEN)
        return ask(state, Asked.OUTCOME, "", at.choices)
    return (yield from go_on(state.with_outcome(DONE).replace(pending=None), "the step before is done"))


def _is_solved(state: SessionState) -> Plan[SessionState]:
    """Solved: the end, where nothing is open; else it is asked once more."""
    if state.status in ENDED:
        return ended(state, Status.RESOLVED)
    current, _ = yield from unit_at(state.trail[-1])
    if current is None or not screen_shown(state.trail[-1], current).cases:
        return (yield from act(state, SOLVED))
    return ask(state, Asked.SOLVED, SURE, (SOLVED, STAY, HAND_OVER))


def _choose(state: SessionState, number: int) -> Plan[SessionState]:
    """The option of a number, from 1 on, among those on the screen; another number changes nothing and is said."""
    offered = yield from choices(state)
    if not 1 <= number <= len(offered):
        yield Remark(NO_OPTION.format(number, f"1 to {len(offered)}" if offered else "none here"))
        return state
    return (yield from act(state, offered[number - 1]))


def _explaining(before: SessionState, reached: SessionState) -> Plan[SessionState]:
    """With what the prerequisites of a new step name explained, each term once in a session."""
    step = reached.step
    if reached.status is not Status.AWAITING or step is None or reached.trail == before.trail:
        return reached
    unit, units = yield from unit_at(step)
    if unit is None or not unit.prerequisites:
        return reached
    supplement = yield from terminology.explain([unit], units, reached.question)
    told = {one.name.casefold() for position in reached.trail[:-1] for one in position.explained}
    documents = {one.id: one.document_id for one in supplement}
    new = tuple(
        Explained(name=term.name, document_id=documents[term.unit_id], unit_id=term.unit_id)
        for term in terminology.terms([unit], supplement)
        if term.name.casefold() not in told
    )
    return reached.replace(trail=(*reached.trail[:-1], step.model_copy(update={"explained": new}))) if new else reached
