"""The walk through a procedure: one step at a time, taking the branch that the outcome selects (section 3.3).

`turn` is a plan over a small state: it takes (state, event, text), reads what it needs, and returns the next state and
what the person sees. An event is what a person means by a line (`reply`); `decide` says which option a report means,
`navigation` where that leads, `rendering` what is seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thread_core.errors import IllegalStep
from thread_core.llm.asking import Spent
from thread_core.llm.prompting import Prompt
from thread_core.models import encodable
from thread_core.plan import Plan, decided, given
from thread_core.ports import Usage
from thread_core.retrieval import prerequisites, terminology
from thread_core.retrieval.prerequisites import Known, Verdict
from thread_core.store.one_version import in_one_version
from thread_core.walk import rendering, states
from thread_core.walk.decide import polarity, surely
from thread_core.walk.decider import ChooseWay, Decider
from thread_core.walk.entry import asked_anew, enter_guide, restart, start, start_again
from thread_core.walk.execution import CARRIED_OUT, Action, Outcome, OutcomeKind
from thread_core.walk.gap import GapKind, NoteGap
from thread_core.walk.gaps import gap_of
from thread_core.walk.matcher import OutcomeMatcher
from thread_core.walk.meant import meant
from thread_core.walk.memory import StepMemory
from thread_core.walk.navigation import go_on, past_removed, take, visit
from thread_core.walk.observed import observed_option
from thread_core.walk.observing import observed
from thread_core.walk.positions import screen_shown, unit_at
from thread_core.walk.querying import Next
from thread_core.walk.questions import HAND_OVER, NONE, SOLVED, Remark, ask, ended, show
from thread_core.walk.rendering import EDITED, Ran, Turn, after_running, choices, noticing, present
from thread_core.walk.reply import approves, hedges
from thread_core.walk.reporting import STAY, go_past, how_next, none_of_them, question_back, reported, take_option
from thread_core.walk.state import (
    DONE,
    RUN,
    Act,
    Asked,
    Choice,
    Explained,
    Pending,
    SessionState,
    because,
    remembering,
    undone,
)
from thread_core.walk.states import ENDED, READING, Event, Status

FIRST = "There is nothing before this to go back to."
STOPPED = 'Nothing is done. Say what you see, or next, to go on; or "I give up" to hand it over.'
NO_STEP = "There is no step here to skip."
NO_OPTION = "There is no option {} (options: {}). Say what you see, or next."
OPEN = "Which of these is the case? Say next if none of them is."
SURE = "Is it solved? Something is still open at this step."


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
        reached, ran = yield from _executed(edited or state, outcome, is_edited=edited is not None)
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
            return (yield from _act(state, HAND_OVER))
        case Event.STOP:
            return (yield from _stop(state))
        case Event.SKIP:
            return (yield from _skip(state))
        case Event.CHOOSE:
            return (yield from _choose(state, int(text)))
    if state.pending is not None:
        answered = yield from _answered(state, state.pending, event, text)
        if answered is not None:
            return answered
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


def _answered(state: SessionState, pending: Pending, event: Event, text: str) -> Plan[SessionState | None]:
    """What an answer to the open question does; None where it is none."""
    acts = {choice.act: choice for choice in reversed(pending.choices)}
    match pending.kind:
        case Asked.PREREQUISITE:
            return (yield from _judged(state, pending, event, text))
        case Asked.APPROVAL:
            if approves(text):
                return (yield from _act(state, acts[Act.RUN]))
            if event in (Event.NO, Event.DONE, Event.NEXT):
                return (yield from _act(state, acts[Act.MYSELF]))
            return None if event is Event.ASK else state.saying(text)
        case Asked.LOOP:
            if event in (Event.YES, Event.NO, Event.NEXT):
                return (yield from _act(state, acts[Act.AGAIN if event is Event.YES else Act.NEXT]))
        case Asked.ONWARD:
            if event in (Event.YES, Event.NEXT):
                return (yield from _act(state, pending.choices[0]))
            if event in (Event.DONE, Event.UNSURE):
                return state
            if event in (Event.NO, Event.NOT_SOLVED):
                return how_next(state, pending)
        case Asked.SOLVED:
            if event in (Event.YES, Event.DONE, Event.SOLVED):
                return (yield from _act(state, acts[Act.SOLVED]))
            if event is Event.NEXT:
                onward = next((choice for choice in pending.choices if choice.act is Act.SHOW), None)
                return (yield from _act(state, onward)) if onward else how_next(state, pending)
            if event in (Event.NO, Event.NOT_SOLVED, Event.UNSURE):
                return how_next(state, pending)
        case Asked.GUIDE:
            if event in (Event.DONE, Event.YES, Event.NO, Event.UNSURE, Event.NOT_SOLVED):
                return state
            if event is Event.NEXT and Act.GUIDE in acts:
                return (yield from _act(state, acts[Act.GUIDE]))
            return (yield from asked_anew(state, text))
        case Asked.OUTCOME:
            said = event.value if event in (Event.YES, Event.NO) else text if event is Event.REPORT else ""
            named = [choice for choice in pending.choices if choice.act is not Act.NEXT]
            meant = surely(said, named) if said else None
            if meant is not None:
                return (yield from take_option(state, meant.choice, f'"{text}": {meant.reason}', text))
            if event is Event.NO:
                return (yield from _act(state, NONE))
            if event in (Event.DONE, Event.UNSURE, Event.YES) or (event is Event.REPORT and text == pending.about):
                return state
            if event is Event.NEXT and acts.keys().isdisjoint({Act.NEXT, Act.FOLLOW}):
                return state
    return None


def _judged(state: SessionState, pending: Pending, event: Event, text: str) -> Plan[SessionState | None]:
    """On where a prerequisite that was asked about holds, past its step where it does not; else it is left open."""
    verdict = Verdict.ASK
    if event is Event.YES:
        verdict = Verdict.MET
    elif event is Event.NO:
        verdict = Verdict.NOT_MET
    elif event in (Event.REPORT, Event.DONE) and text:
        verdict = prerequisites.judge(pending.about, Known(said=(text,))).verdict
        if verdict is Verdict.ASK and not hedges(text):
            verdict = {1: Verdict.MET, -1: Verdict.NOT_MET}.get(polarity(text, pending.about), Verdict.ASK)
    heard = state.replace(said=(*state.said, text)) if text else state
    if event is Event.ASK:
        return None if state.step else state
    if verdict is Verdict.ASK and event not in (Event.UNSURE, Event.NEXT):
        yield Remark("I cannot tell whether that is a yes or a no. Say yes, no, or that you do not know.")
        return state
    name = {Verdict.MET: "confirmed", Verdict.NOT_MET: "denied", Verdict.ASK: "left_open"}[verdict]
    known = heard.replace(pending=None, **{name: (*getattr(heard, name), pending.about)})
    return (yield from _visit_asked(known, pending))


def _visit_asked(state: SessionState, pending: Pending) -> Plan[SessionState]:
    """To the step that a question was about, whose gates are looked at again."""
    at = pending.at
    unit, units = (yield from unit_at(at)) if at is not None else (None, ())
    if at is None or unit is None:
        return (yield from start_again(state, state.question, state.said))
    lead = at.model_dump(include={"condition", "until", "jumped", "is_guess"})
    return (yield from visit(state, screen_shown(at, unit), units, at.why, **lead))


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
        return (yield from _act(state, Choice(label="", act=Act.MYSELF)))
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
        return (yield from go_on(passed, "you went past the step before"))
    if state.step is None:
        return state
    return (yield from go_past(state.with_outcome("", skipped=True), "you went past the step before", ""))


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
        return (yield from _act(state, SOLVED))
    return ask(state, Asked.SOLVED, SURE, (SOLVED, STAY, HAND_OVER))


def _choose(state: SessionState, number: int) -> Plan[SessionState]:
    """The option of a number, from 1 on, among those on the screen; another number changes nothing and is said."""
    offered = yield from choices(state)
    if not 1 <= number <= len(offered):
        yield Remark(NO_OPTION.format(number, f"1 to {len(offered)}" if offered else "none here"))
        return state
    return (yield from _act(state, offered[number - 1]))


def _act(state: SessionState, choice: Choice) -> Plan[SessionState]:
    """Do what an option does."""
    pending = state.pending
    at = pending.at if pending is not None else None
    match choice.act:
        case Act.FOLLOW | Act.SHOW:
            return (yield from take_option(state, choice, f"you chose: {choice.label}"))
        case Act.GUIDE:
            return (yield from enter_guide(state, choice))
        case Act.NEXT:
            if pending is not None and pending.kind is Asked.LOOP and at is not None:
                passed = show(state, at).with_outcome("", skipped=True)
                return (yield from go_on(passed, "you went on", follows_links=False))
            return (yield from go_past(state, f"you chose: {choice.label}", "none of the outcomes"))
        case Act.NONE:
            return (yield from none_of_them(state))
        case Act.STAY:
            return state.replace(status=Status.AWAITING, pending=None)
        case Act.YES | Act.NO if pending is not None:
            event = Event.YES if choice.act is Act.YES else Event.NO
            return (yield from _judged(state, pending, event, "")) or state
        case Act.AGAIN if at is not None:
            return show(state, at)
        case Act.SOLVED:
            return ended(state.with_outcome("solved"), Status.RESOLVED)
        case Act.HAND_OVER:
            yield NoteGap(GapKind.HANDED_OVER)
            return ended(state.with_outcome("it was given up"), Status.ESCALATED)
        case Act.RUN:
            approved = pending.about if pending is not None else ""
            return state.replace(status=Status.AWAITING, pending=None, approved=approved, handed="")
        case Act.MYSELF:
            return state.replace(status=Status.AWAITING, pending=None, handed="you wanted to do it yourself")
    return state


def _executed(
    state: SessionState, outcome: Outcome | None, *, is_edited: bool
) -> Plan[tuple[SessionState, tuple[Ran, ...]]]:
    """What came of handing the step to an executor: on by itself where that is clear, else it is the person's."""
    action = yield from due(state)
    if outcome is None or action is None:
        raise IllegalStep("take an outcome in", state.status, "ask `due` for an action first, and give its outcome")
    ran = Ran(header=action.header, commands=action.commands, outcome=outcome)
    said = (ran,) if outcome.text or outcome.kind is not OutcomeKind.HANDED else ()
    if outcome.kind in CARRIED_OUT:
        state = state.replace(ran=tuple(dict.fromkeys((*state.ran, *action.digests))))
    if is_edited:
        return state.replace(handed="the guide was edited meanwhile"), said
    if outcome.kind is OutcomeKind.APPROVAL:
        asked = (Choice(label="Run it", act=Act.RUN), Choice(label="I do it myself", act=Act.MYSELF))
        return ask(state, Asked.APPROVAL, "", asked, about=action.digest), said
    if outcome.kind is not OutcomeKind.OBSERVED:
        return state.replace(handed=outcome.kind.value, approved=""), said
    vouched = (text for text in action.needs if action.is_approved)
    done = state.replace(approved="", confirmed=(*state.confirmed, *vouched))
    if action.commands and not action.complete:
        return done.replace(handed="the step says more to do than what was run"), said
    return (yield from _observed(done, outcome.text)), said


def _observed(state: SessionState, text: str) -> Plan[SessionState]:
    """Where what an executor saw leads: on where nothing is to be decided, along the only option that quotes it."""
    current, units = yield from unit_at(state.trail[-1])
    if current is None:
        return state.replace(handed="the step is no longer in the store")
    at = screen_shown(state.trail[-1], current)
    told = state.with_outcome(RUN)
    if not at.cases:
        return (yield from go_on(told, RUN))
    choice, is_guess = observed_option(at, text), False
    if choice is None:
        found: Next | None = yield ChooseWay(text, at, units, state.question, state.known)
        choice, is_guess = found.way.choice if found is not None and found.way is not None else None, True
    if choice is not None:
        why = f"what was seen when it was run has: {choice.condition}"
        why = "the model chose it for what was seen" if is_guess else why
        if (went := (yield from take(told, choice, why, is_guess=is_guess))) is not None:
            return went
    return state.replace(handed="what was seen fits no outcome for sure")


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
