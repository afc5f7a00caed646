"""The walk through a procedure: one step at a time, taking the branch that the outcome selects (section 3.3).

`turn` is a plan over a small state: it takes (state, event, text), reads what it needs, and returns the next state and
what the person sees. An event is what a person means by a line (`reply`); `decide` says which option a report means,
`navigation` where that leads, `rendering` what is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thread_core import places
from thread_core.errors import IllegalStep
from thread_core.llm.asking import Spent
from thread_core.llm.prompting import Prompt
from thread_core.models import LogicUnit, encodable
from thread_core.plan import Plan, decided
from thread_core.ports import Usage
from thread_core.retrieval import prerequisites, terminology
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.prerequisites import Known, Verdict
from thread_core.retrieval.retrieve import Entry
from thread_core.store.one_version import in_one_version
from thread_core.walk import rendering, states
from thread_core.walk.answers import answer_to, passages_cited
from thread_core.walk.decide import Ask, Go, NotCovered, decide, plainly, polarity, surely, tells_done
from thread_core.walk.decider import ChooseWay, Decider
from thread_core.walk.entry import asked_anew, enter_guide, restart, start, start_again
from thread_core.walk.execution import CARRIED_OUT, Action, Outcome, OutcomeKind
from thread_core.walk.matcher import Match, OutcomeMatcher, deletes, rank, ways_on
from thread_core.walk.memory import StepMemory
from thread_core.walk.navigation import (
    HAND_OVER,
    NONE,
    SOLVED,
    WHICH,
    Remark,
    ask,
    follow,
    go_on,
    guides,
    handed_over,
    other_guides,
    past_removed,
    ruled_out,
    say,
    screen_shown,
    show,
    solved,
    take,
    task_ended,
    unit_at,
    visit,
)
from thread_core.walk.numbered import Part
from thread_core.walk.observed import observed_option
from thread_core.walk.options import Case, Screen
from thread_core.walk.querying import Next
from thread_core.walk.rendering import EDITED, Ran, Turn, after_running, choices, noticing, present
from thread_core.walk.reply import approves, hedges, parse
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
NOT_COVERED = "Nothing in these guides speaks of that. The step stands: choose an option, or hand it over."
OTHERS_MAY = "This guide does not speak of that; another one may. The step stands: choose, or hand it over."
WHAT_NEXT = "What shall be next?"
HOW_NEXT = "Then choose how to go on."
SURE = "Is it solved? Something is still open at this step."
ONWARD = Choice(label="Go on with what comes next in this guide", act=Act.NEXT)
STAY = Choice(label="Stay at this step", act=Act.STAY)
GONE = "That option is no longer in the guide."
ELSEWHERE = "That option leads to what is not in these guides."


@in_one_version
def turn(
    state: SessionState,
    event: Event,
    text: str = "",
    *,
    outcome: Outcome | None = None,
    memory: StepMemory | None = None,
    matcher: OutcomeMatcher | None = None,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[tuple[SessionState, Turn]]:
    """Make one turn. A model decides where there is one for the role; see `decider`.

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
    event, text = yield from _meant(state, event, text)
    decider = Decider(state, prompts, memory, matcher)
    remarks = _Remarks()
    plan = _turn(state, event, text, outcome)
    reached, shown = yield from decided(plan, lambda request: remarks.decide(request) or decider.decide(request))
    states.arrive(state.status, event, reached.status)
    usage: Usage = yield Spent()
    said = "\n\n".join((*(remark.text for remark in remarks.taken), shown.text))
    cited = (*shown.citations, *(span for remark in remarks.taken for span in remark.citations))
    noted = reached.replace(notes=decider.notes, spent=decider.spent, turn=state.turn + (event not in READING))
    return noted, shown.model_copy(update={"text": said, "citations": cited, "notes": decider.notes, "usage": usage})


def due(state: SessionState) -> Plan[Action | None]:
    """Give what an executor may do now; None where it is the person's turn. One that is done again has the same key."""
    if state.status is not Status.AWAITING or state.handed or state.message or not state.trail:
        return None
    return (yield from rendering.action(state))


class _Remarks:
    """What stands above what is shown."""

    def __init__(self) -> None:
        self.taken: list[Remark] = []

    def decide(self, request: Any) -> Plan[Any] | None:
        """Take a remark; None for any other request."""
        return self._take(request) if isinstance(request, Remark) else None

    def _take(self, remark: Remark) -> Plan[None]:
        self.taken.append(remark)
        yield from ()


def _meant(state: SessionState, event: Event, text: str) -> Plan[tuple[Event, str]]:
    """The option that is said in its words, whatever else the words may mean; else the event as it is."""
    if event in (Event.START, Event.EXECUTED, Event.CHOOSE) or not text.strip():
        return event, text
    labels = [choice.label.casefold() for choice in (yield from choices(state))]
    said = text.strip().casefold()
    return (Event.CHOOSE, str(labels.index(said) + 1)) if labels.count(said) == 1 else (event, text)


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
            return handed_over(state.with_outcome("it was given up"))
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
            return (yield from _go_past(state, "you went on"))
        case Event.SOLVED:
            return (yield from _is_solved(state))
        case Event.ASK:
            return (yield from _question_back(state, text))
        case Event.DONE:
            return (yield from _done(state))
        case Event.YES | Event.NO | Event.UNSURE | Event.NOT_SOLVED | Event.REPORT:
            return (yield from _reported(state, event, text))
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
                return _how_next(state, pending)
        case Asked.SOLVED:
            if event in (Event.YES, Event.DONE, Event.SOLVED):
                return (yield from _act(state, acts[Act.SOLVED]))
            if event is Event.NEXT:
                onward = next((choice for choice in pending.choices if choice.act is Act.SHOW), None)
                return (yield from _act(state, onward)) if onward else _how_next(state, pending)
            if event in (Event.NO, Event.NOT_SOLVED, Event.UNSURE):
                return _how_next(state, pending)
        case Asked.GUIDE:
            if event in (Event.DONE, Event.YES, Event.NO, Event.UNSURE, Event.NOT_SOLVED):
                return state
            if event is Event.NEXT and Act.GUIDE in acts:
                return (yield from _act(state, acts[Act.GUIDE]))
            return (yield from asked_anew(state, text))
        case Asked.OUTCOME:
            said = event.value if event in (Event.YES, Event.NO) else text if event is Event.REPORT else ""
            named = [choice for choice in pending.choices if choice.act is not Act.NEXT]
            meant = surely(said, named) if said and not hedges(said) else None
            if meant is not None:
                return (yield from _taken(state, meant.choice, f'"{text}": {meant.reason}', text))
            if event is Event.NO:
                return (yield from _act(state, NONE))
            if event in (Event.DONE, Event.UNSURE, Event.YES) or (event is Event.REPORT and text == pending.about):
                return state
            if event is Event.NEXT and acts.keys().isdisjoint({Act.NEXT, Act.FOLLOW}):
                return state
    return None


def _how_next(state: SessionState, pending: Pending) -> SessionState:
    """Not solved: the same ways on, and none of them by itself."""
    left = tuple(choice for choice in pending.choices if choice.act is not Act.SOLVED)
    return ask(state, Pending(kind=Asked.OUTCOME, question=HOW_NEXT, choices=left))


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
    from_there = screen_shown(at, unit)
    return (yield from visit(state, from_there, units, at.why, **lead))


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
    pending = state.pending
    if pending is not None and pending.kind is Asked.PREREQUISITE and pending.at is not None:
        return (
            yield from go_on(show(state, pending.at).with_outcome("", skipped=True), "you went past the step before")
        )
    if state.step is None:
        return state
    return (yield from _go_past(state.with_outcome("", skipped=True), "you went past the step before", ""))


def _go_past(state: SessionState, why: str, came: str = DONE) -> Plan[SessionState]:
    """On to what comes next, past what is open."""
    is_again = state.status in ENDED
    state = _reopened(state)
    told = state.with_outcome(came) if came and not is_again else state
    current, _ = yield from unit_at(told.trail[-1])
    decides = is_again or (current is not None and bool(screen_shown(told.trail[-1], current).cases))
    return (yield from go_on(told.replace(pending=None), why, past_decision=decides))


def _reopened(state: SessionState) -> SessionState:
    """A walk that has ended stands at its last step again."""
    if state.step is None or not state.step.ending:
        return state.replace(status=Status.AWAITING, message="", pending=None) if state.status in ENDED else state
    last = next((step for step in reversed(state.trail) if not step.ending), state.step)
    return state.replace(trail=(*state.trail, last), status=Status.AWAITING, message="", pending=None)


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
        return ask(state, Pending(kind=Asked.OUTCOME, choices=at.choices))
    return (yield from go_on(state.with_outcome(DONE).replace(pending=None), "the step before is done"))


def _is_solved(state: SessionState) -> Plan[SessionState]:
    """Solved: the end, where nothing is open; else it is asked once more."""
    if state.status in ENDED:
        return solved(state)
    current, _ = yield from unit_at(state.trail[-1])
    if current is None or not screen_shown(state.trail[-1], current).cases:
        return solved(state.with_outcome("solved"))
    return ask(state, Pending(kind=Asked.SOLVED, question=SURE, choices=(SOLVED, STAY, HAND_OVER)))


STAY = Choice(label="No, go on at this step", act=Act.STAY)


def _question_back(state: SessionState, text: str) -> Plan[SessionState]:
    """A question is answered, and the step stays; a model may find that it reports something."""
    assert state.step is not None
    current, units = yield from unit_at(state.step)
    if current is None:
        return state.replace(reason="you asked something")
    at = screen_shown(state.step, current)
    calling = yield from _calling(state)
    found: Next | None = yield ChooseWay(
        text, at, units, state.question, state.known, [screen for screen, _ in calling]
    )
    if found is not None and not found.query:
        led = yield from _led(state if found.answer else _reopened(state), at, units, found, text)
        if led is not None:
            return led
    yield (yield from answer_to(text, units, current.lines_of(at.first, at.last)))
    return state.replace(reason="you asked something")


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
            return (yield from _taken(state, choice, f"you chose: {choice.label}"))
        case Act.GUIDE:
            return (yield from enter_guide(state, choice))
        case Act.NEXT:
            if pending is not None and pending.kind is Asked.LOOP and at is not None:
                passed = show(state, at).with_outcome("", skipped=True)
                return (yield from go_on(passed, "you went on", follows_links=False))
            return (yield from _go_past(state, f"you chose: {choice.label}", "none of the outcomes"))
        case Act.NONE:
            return (yield from _none_of_them(state))
        case Act.STAY:
            return state.replace(status=Status.AWAITING, pending=None)
        case Act.YES | Act.NO if pending is not None:
            event = Event.YES if choice.act is Act.YES else Event.NO
            return (yield from _judged(state, pending, event, "")) or state
        case Act.AGAIN if at is not None:
            return show(state, at)
        case Act.SOLVED:
            return solved(state.with_outcome("solved"))
        case Act.HAND_OVER:
            return handed_over(state.with_outcome("it was given up"))
        case Act.RUN:
            approved = pending.about if pending is not None else ""
            return state.replace(status=Status.AWAITING, pending=None, approved=approved, handed="")
        case Act.MYSELF:
            return state.replace(status=Status.AWAITING, pending=None, handed="you wanted to do it yourself")
    return state


def _taken(
    state: SessionState, choice: Choice, why: str, said: str = "", *, is_guess: bool = False
) -> Plan[SessionState]:
    """Where an option of a guide leads, with what was said of the step before."""
    told = state.with_outcome(said or choice.condition or choice.label).replace(pending=None)
    told = told if said else told.saying(choice.condition)
    if choice.act is Act.NEXT:
        return (yield from _go_past(told, why, ""))
    went = yield from take(told, choice, why, is_guess=is_guess)
    if went is None:
        yield Remark(GONE if (yield from unit_at(choice))[0] is None else ELSEWHERE)
        return state.replace(status=Status.AWAITING, pending=None) if state.trail else state
    return went.replace(reason=why)


def _none_of_them(state: SessionState) -> Plan[SessionState]:
    """None of a menu: what comes next in the guide, other guides, handing over."""
    others = yield from other_guides(state, state.pending.about if state.pending is not None else "")
    if state.step is None:
        if not others:
            return say(state, "Then ask in other words, or name the product, the alert or the error.", Status.UNKNOWN)
        return ask(state, Pending(kind=Asked.GUIDE, question=WHAT_NEXT, choices=(*others, HAND_OVER)))
    listed = (ONWARD, *others, STAY, HAND_OVER)
    return ask(state, Pending(kind=Asked.OUTCOME, question=WHAT_NEXT, choices=listed))


def _reported(state: SessionState, event: Event, text: str) -> Plan[SessionState]:
    """Where a report leads: an option that is meant beyond doubt, else what a model says, else a menu."""
    if state.status in ENDED and event is not Event.REPORT:
        return state if event is not Event.NOT_SOLVED else _reopened(state)
    state = _reopened(state).saying(text)
    step = state.trail[-1]
    current, units = yield from unit_at(step)
    if current is None:
        return (yield from past_removed(state.replace(pending=None), step, units))
    at = screen_shown(state.trail[-1], current)
    calling = yield from _calling(state)
    offered = (*at.choices, *(choice for screen, _ in calling for choice in screen.choices if choice.condition))
    said = _said(event, text)
    read = rendering.body_of(at)
    certain = None if hedges(said) else plainly(said, at.choices) or plainly(said, offered)
    if certain is not None:
        return (yield from _taken(state, certain.choice, f'"{text}": {certain.reason}', text))
    if event is Event.NOT_SOLVED and (way := _for_failure(offered)) is not None:
        return (yield from _taken(state, way, f'"{text}": the guide says what to do then', text))
    by_model: Next | None = yield ChooseWay(
        text, at, units, state.question, state.known, [screen for screen, _ in calling]
    )
    if by_model is not None:
        led = yield from _led(state, at, units, by_model, text)
        if led is not None:
            return led
    found = None if hedges(said) else surely(said, at.choices, read) or surely(said, offered, read)
    if found is not None:
        return (yield from _taken(state, found.choice, f'"{text}": {found.reason}', text))
    is_plain = event is Event.REPORT and not at.cases and not hedges(said)
    if is_plain and tells_done(said, at.passages, leads_on=at.onward is not None):
        return (yield from go_on(state.with_outcome(text).replace(pending=None), "the step before is done"))
    around = [*ways_on(at, units), *(way for screen, near in calling for way in ways_on(screen, near))]
    ranked: list[Match] = yield from rank(said, [way for way in around if not ruled_out(way.unit, state)])
    decision = decide(said, offered, ranked, read)
    match decision:
        case Go():
            why = f'"{text}": {decision.reason}'
            return (yield from _taken(state, decision.choice, why, text, is_guess=decision.is_guess))
        case Ask():
            if event in (Event.NO, Event.NOT_SOLVED, Event.UNSURE, Event.YES) and not at.cases:
                return (yield from _none_of_them(state)) if event is not Event.UNSURE else state
            onward = () if any(choice.act is Act.NEXT for choice in decision.choices) else (ONWARD,)
            listed = (*decision.choices, *onward, NONE)
            pending = Pending(kind=Asked.OUTCOME, question=WHICH, choices=listed, about=text)
            return ask(state.replace(reason=decision.reason), pending)
        case NotCovered():
            return (yield from _not_covered(state, at, text, decision))


def _said(event: Event, text: str) -> str:
    """A report as it is compared: a whole answer in any language as the English one."""
    return {Event.YES: "yes", Event.NO: "no"}.get(event, text)


def _calling(state: SessionState) -> Plan[list[tuple[Screen, Sequence[LogicUnit]]]]:
    """The screens of the steps that called this guide, the last one first, and the units around them."""
    found: list[tuple[Screen, Sequence[LogicUnit]]] = []
    for caller in reversed(state.callers):
        unit, units = yield from unit_at(caller)
        if unit is not None:
            found.append((screen_shown(caller, unit), units))
    return found


def _for_failure(offered: Sequence[Choice]) -> Choice | None:
    """The only option that a guide states for when it has not helped."""
    meant = [choice for choice in offered if choice.condition and parse(choice.condition).event is Event.NOT_SOLVED]
    return meant[0] if len(meant) == 1 else None


def _not_covered(state: SessionState, at: Screen, text: str, decision: NotCovered) -> Plan[SessionState]:
    """Nothing near: another guide of the store may be about it; else it is said, and the step stays."""
    if state.pending is not None and state.pending.kind is Asked.SOLVED:
        return _how_next(state.replace(reason=decision.reason), state.pending)
    entries: list[Entry] = yield from retrieval.find_entries(text, 3, state.known)
    known = {step.document_id for step in state.trail}
    others = [entry for entry in entries if retrieval.fit([entry]) and entry.unit.document_id not in known]
    noted = state.replace(reason=decision.reason)
    own = tuple(choice for choice in at.choices if choice.act is Act.FOLLOW)[:5]
    listed = (*own, *guides(others), ONWARD, STAY, HAND_OVER)
    question = OTHERS_MAY if others else NOT_COVERED
    return ask(noted, Pending(kind=Asked.OUTCOME, question=question, choices=listed, about=text))


def _led(
    state: SessionState, at: Screen, units: Sequence[LogicUnit], found: Next, text: str
) -> Plan[SessionState | None]:
    """Where a model says that a report leads; None where it does not say."""
    told = state.with_outcome(text).replace(pending=None)
    if found.way is not None:
        return (yield from _to_part(state, at, units, found.way, text))
    if found.answer:
        yield passages_cited([(part.unit, part.first, part.last) for part in found.answer])
        return state.replace(reason="the model found what answers you")
    if found.between:
        return _which(state, [part.choice for part in found.between if part.choice], text)
    if found.returns:
        return (yield from task_ended(told, at.unit, units))
    if found.ended is not None:
        return solved(told) if found.ended is Status.RESOLVED else handed_over(told)
    if found.done and not at.cases:
        return (yield from go_on(told, "the model took it for done"))
    if found.query:
        return (yield from _not_covered(state, at, found.query, NotCovered("the model found nothing in this guide")))
    return None


def _to_part(
    state: SessionState, at: Screen, units: Sequence[LogicUnit], part: Part, text: str
) -> Plan[SessionState | None]:
    """To a place that a model named; before one that deletes, to which no outcome leads, the person is asked."""
    why = f'"{text}": the model read it so in the guide'
    choice = part.choice
    if choice is not None and choice.act is Act.SHOW and deletes(part.text):
        return _which(state, [choice], text)
    went: SessionState | None = None
    if choice is not None:
        stated = next((case for case in at.cases if part.link is case.link or _leads_to(case, part, units)), None)
        if stated is not None and choice.act is Act.SHOW:
            choice = choice.model_copy(update={"condition": stated.link.condition})
        went = yield from _taken(state, choice, why, text, is_guess=stated is None)
    elif part.link is not None:
        told = state.with_outcome(text).replace(pending=None)
        went = yield from follow(told, part.unit, part.link, units, why, is_guess=True)
    if went is not None and went.step is not None and went.step.document_id != part.unit.document_id and part.first:
        yield passages_cited([(part.unit, part.first, part.last)])  # what sends them there
    return went


def _leads_to(case: Case, part: Part, units: Sequence[LogicUnit]) -> bool:
    """Whether an outcome of the step leads to the unit in which a place stands."""
    target = case.link.target
    goal = places.place_in(target, units) if target is not None and not target.document else None
    return goal is not None and goal.id == part.unit.id


def _which(state: SessionState, choices: Sequence[Choice], text: str) -> SessionState:
    """Ask which of some places a report means."""
    pending = Pending(kind=Asked.OUTCOME, question=WHICH, choices=(*choices, ONWARD, NONE), about=text)
    return ask(state.replace(reason="the model found several places that it may mean"), pending)


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
        return ask(state, Pending(kind=Asked.APPROVAL, about=action.digest, choices=asked)), said
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
    option = observed_option(at, text)
    if option is not None:
        went = yield from take(told, option, f"what was seen when it was run has: {option.condition}")
        return went if went is not None else state.replace(handed="what was seen fits no outcome for sure")
    found: Next | None = yield ChooseWay(text, at, units, state.question, state.known)
    choice = found.way.choice if found is not None and found.way is not None else None
    if choice is not None:
        went = yield from take(told, choice, "the model chose it for what was seen", is_guess=True)
        if went is not None:
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
