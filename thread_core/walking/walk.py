"""The walk through a procedure: one step at a time, taking the branch that the outcome selects (section 3.3).

`turn` is a plan over a small state: it takes (state, event), yields what it needs to read, and returns the next
state and what the person sees. `starting` says where a walk begins, `passing` what comes after a step that is done or
skipped, `choosing` and `reporting` what an answer and an outcome mean, `moving` where that leads, `showing` what is
seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thread_core.errors import IllegalStep
from thread_core.llm.asking import Spent
from thread_core.llm.prompting import Prompt
from thread_core.models import encodable
from thread_core.plan import Plan, decided
from thread_core.ports import Usage
from thread_core.store.one_version import in_one_version
from thread_core.text import sentences
from thread_core.walking import ahead, moves, progress, showing, states, trail, turns
from thread_core.walking.alarming import alarmed, begun, past_alarm
from thread_core.walking.choosing import choose, judged, option_named, said_at_the_end
from thread_core.walking.endings import has_tried_all
from thread_core.walking.execution import CARRIED_OUT, Action, Outcome, OutcomeKind
from thread_core.walking.forbidding import forbidden
from thread_core.walking.guide import Guide
from thread_core.walking.listening import asked_back, is_question, listen
from thread_core.walking.memory import StepMemory
from thread_core.walking.moving import IS_IT, ask, explaining, visit
from thread_core.walking.observing import observed
from thread_core.walking.passing import given_up, go_past, nothing_left_to_try, past, past_removed, skip
from thread_core.walking.replies import answer, approves, is_bare, is_unsure, is_yes, passes_on
from thread_core.walking.showing import EDITED, Remark, present, units_of
from thread_core.walking.spelling import plain
from thread_core.walking.starting import asked_anew, restart, start
from thread_core.walking.states import ENDED, READING, Event, Status
from thread_core.walking.trail import Asked, Lead, Pending, SessionState
from thread_core.walking.turns import Ran, Turn

FIRST = "There is nothing before this to go back to."
STOPPED = 'Nothing is done. Say what you see, or next, to go on; or "I give up" to hand it over.'
STANDS = "This comes first. Say go on to go on with the guide, or hand it over."
ONE = "Choose one of them, by its number or in its words; say next for what comes after."


@in_one_version
def turn(
    state: SessionState,
    event: Event,
    text: str = "",
    *,
    outcome: Outcome | None = None,
    memory: StepMemory | None = None,
    prompts: Mapping[str, Prompt] | None = None,
) -> Plan[tuple[SessionState, Turn]]:
    """One turn. A model decides where there is one for the role; see `guide`.

    Args:
        state: Where the walk stands.
        event: What happens.
        text: The question, the option's number, or what the person says.
        outcome: Of what `due` gave, for an executor's event.
        memory: Tells the models the steps that matter instead of all that was said and done.
        prompts: The user's own instead of the package's: `select`, `next`, `rationale`.

    Raises:
        IllegalStep: the event does not fit the state, which stays as it was.
    """
    text = encodable(text)
    states.check(state.status, event)
    happened = yield from _happened(state, event, text)
    guide = Guide(state, prompts, memory)
    remarks = _Remarks()
    plan = _turn(state, happened, text, outcome)
    reached, shown = yield from decided(plan, lambda request: remarks.decide(request) or guide.decide(request))
    states.arrive(state.status, happened, reached.status)
    usage: Usage = yield Spent()
    said = "\n\n".join((*(remark.text for remark in remarks.taken), shown.text))
    cited = (*shown.citations, *(span for remark in remarks.taken for span in remark.citations))
    noted = reached.but(notes=guide.notes, spent=guide.spent, turn=state.turn + (event not in READING))
    return noted, shown.model_copy(update={"text": said, "citations": cited, "notes": guide.notes, "usage": usage})


def due(state: SessionState) -> Plan[Action | None]:
    """What an executor may do now; None where it is the person's turn. One that is done again has the same key."""
    if state.status is not Status.AWAITING or state.handed or state.message or not state.trail:
        return None
    return (yield from showing.action(state))


class _Remarks:
    """What stands above what is shown."""

    def __init__(self) -> None:
        self.taken: list[Remark] = []

    def decide(self, request: Any) -> Plan[Any] | None:
        """The plan that takes a remark; None for any other request."""
        return self._take(request) if isinstance(request, Remark) else None

    def _take(self, remark: Remark) -> Plan[None]:
        self.taken.append(remark)
        yield from ()


def _happened(state: SessionState, event: Event, text: str) -> Plan[Event]:
    """What happens: who says "agent" where that is an option wants no human."""
    is_option = event is Event.HAND_OVER and option_named((yield from showing.options(state)), text) is not None
    return Event.REPORT if is_option else event


def _turn(state: SessionState, event: Event, text: str, outcome: Outcome | None) -> Plan[tuple[SessionState, Turn]]:
    anew = event in (Event.START, Event.RESTART, Event.BACK)
    edited = None if anew else (yield from showing.noticing(state))
    ran: tuple[Ran, ...] = ()
    if edited is not None:
        yield Remark(EDITED)
    if event is Event.EXECUTED:
        reached, ran = yield from _executed(edited or state, outcome, is_edited=edited is not None)
    elif edited is not None or event in READING:
        reached = edited or state
    else:
        reached = yield from _moved(state, event, text)
    reached = yield from explaining(state, (yield from _set_aside(state, reached)))
    reached = reached if anew else trail.remembering(state, reached)
    shown = turns.after_running(ran, (yield from present(reached)))
    return reached, shown.model_copy(update={"text": trail.because(reached)}) if event is Event.WHY else shown


def _set_aside(state: SessionState, reached: SessionState) -> Plan[SessionState]:
    """Once what the walk was about is solved, the guide for what the person said besides."""
    if reached.status is not Status.RESOLVED or state.status is Status.RESOLVED or not reached.asides:
        return reached
    document_id, *more = reached.asides
    units = yield from units_of(document_id)
    first = ahead.entrance(units, reached)
    left = reached.but(asides=tuple(more))
    if first is None or document_id in {position.document_id for position in reached.trail}:
        return left
    yield Remark((yield from present(reached)).text)
    return (yield from visit(left, first, first.start, units, Lead("it is for what you said besides")))


def _moved(state: SessionState, event: Event, text: str) -> Plan[SessionState]:
    if state.status in ENDED and event in (Event.NEXT, Event.REPORT) and _closes(text):
        return state
    match event:
        case Event.START:
            anew = SessionState(id=state.id, turn=state.turn, began=state.turn, policy=state.policy)
            entered = yield from start(anew, text)
            return (yield from begun(entered, text))
        case Event.RESTART:
            return (yield from restart(state))
        case Event.BACK:
            return (yield from _back(state))
        case Event.HAND_OVER:
            return given_up(state)
        case Event.NEXT | Event.SKIP if state.asks(Asked.WARNING):
            return past_alarm(state)
        case Event.NEXT if not _is_answer(state, text):
            offered = yield from showing.options(state)
            chosen = option_named(offered, text)
            if chosen is not None:
                return (yield from choose(state, chosen))
            return (yield from _said(state, text) if offered and moves.may_be_seen(text) else go_past(state, text))
        case Event.SKIP:
            return (yield from skip(state))
        case Event.CHOOSE:
            return (yield from choose(state, int(text)))
        case Event.REPORT if has_tried_all(text):
            return (yield from nothing_left_to_try(state, text))
        case _:
            return (yield from _said(state, text or _by_enter(state)))


def _closes(text: str) -> bool:
    return moves.is_closing(text) or moves.stops(text)


def _is_answer(state: SessionState, text: str) -> bool:
    """Whether "yes" or "ok" answers what is asked, where it may mean "done" as well."""
    if state.asks(Asked.APPROVAL):
        return not moves.passes_by(text)
    is_open = state.asks(Asked.LOOP) or (state.asks(Asked.SOLVED) and not passes_on(text))
    asks_again = is_open and (is_bare(text) or approves(text) or not text)
    return state.asks(Asked.PREREQUISITE) or asks_again or _says_whether(state, text) is not None


def _says_whether(state: SessionState, text: str) -> bool | None:
    """The answer to whether the one outcome of a step is the case, where that is asked; by "ok" one only goes on."""
    is_asked = state.pending is not None and state.pending.question == IS_IT
    return answer(text) if is_asked and is_bare(text) else None


def _by_enter(state: SessionState) -> str:
    """What an empty line says at a question: it runs nothing, and confirms nothing."""
    return "no" if state.asks(Asked.APPROVAL) else "next" if state.asks(Asked.PREREQUISITE) else "yes"


def _said(state: SessionState, text: str) -> Plan[SessionState]:
    """Where words lead, by the first reading of them that fits: at last as what was seen of the step at hand."""
    for reading in (alarmed, _option, _stop, _question, _kept_from, _answer):
        if (reached := (yield from reading(state, text))) is not None:
            return reached
    return (yield from _of_step(state, text) if state.trail else asked_anew(state, text))


def _option(state: SessionState, text: str) -> Plan[SessionState | None]:
    """The option that words name; they may name one alone. A prerequisite's answer says more than its options do."""
    if state.asks(Asked.PREREQUISITE):
        return None
    offered = yield from showing.options(state)
    chosen = option_named(offered, text) or (yield from said_at_the_end(state, offered, text))
    if chosen is not None:
        return (yield from choose(state, chosen))
    if len(offered) < 2 or not moves.picks_several(text):
        return None
    yield Remark(ONE)
    return state


def _stop(state: SessionState, text: str) -> Plan[SessionState | None]:
    """Where the walk stands, with nothing left to an executor; a question whether to run it is answered by that."""
    if not moves.stops(text):
        return None
    yield Remark(STOPPED)
    if state.asks(Asked.APPROVAL):
        return (yield from choose(state, 2))
    return state.but(handed=state.handed or "the person stopped it") if state.status is Status.AWAITING else state


def _question(state: SessionState, text: str) -> Plan[SessionState | None]:
    """What is answered to a question back, of whoever is at a step or is asked something."""
    is_begun = bool(state.trail) or state.pending is not None
    if not is_begun or not (yield from is_question(state, text)):
        return None
    return (yield from asked_back(state, text))


def _answer(state: SessionState, text: str) -> Plan[SessionState | None]:
    """Where the answer to the question that is open leads; None where none is, or where words are no answer to it."""
    match state.pending.kind if state.pending is not None else None:
        case None:
            return None
        case Asked.WARNING:
            return (yield from _said_of_warning(state, text))
        case Asked.PREREQUISITE:
            return (yield from judged(state, text))
        case Asked.LOOP | Asked.SOLVED if is_bare(text):
            return (yield from choose(state, 1 if is_yes(text) else 2))
        case Asked.APPROVAL if approves(text) or is_bare(text):
            return (yield from choose(state, 1 if approves(text) else 2))
        case Asked.OUTCOME if (is_it := _says_whether(state, text)) is not None:
            return (yield from choose(state, 1) if is_it else past(state, "it is not the case"))
        case Asked.OUTCOME if not state.trail and is_unsure(text) and not passes_on(text):
            return (yield from past(state, "none of them is the case"))
    return None


def _of_step(state: SessionState, text: str) -> Plan[SessionState]:
    """Where what was seen of the step at hand leads; and on from there, where what comes next is asked for besides."""
    current, units = yield from showing.unit_at(state.trail[-1])
    if current is None:
        told = state.but(pending=None).telling(text, said=text)
        return (yield from past_removed(told, units, f"{state.question} {text}"))
    reported = moves.before_going_on(text)
    reached = yield from listen(state, reported or text, current, units)
    if not reported or not (reached.asks(Asked.OUTCOME) or reached.asks(Asked.SOLVED)):
        return reached
    return (yield from past(state.telling(text, said=reported), "you went on"))


def _kept_from(state: SessionState, text: str) -> Plan[SessionState | None]:
    """What is on the screen once more, below what the guide forbids of what the person says to do; None elsewhere.

    Who says the same again is believed to mean something else.
    """
    is_at_step = state.pending is None or state.asks(Asked.OUTCOME) or state.asks(Asked.WARNING)
    if not state.trail or not is_at_step or text in state.said:
        return None
    units = yield from units_of(state.trail[-1].document_id)
    shown = yield from showing.shown_units(state)
    if not shown or progress.reached(plain(text), state, shown[-1], units) is not None:
        return None
    found = forbidden(plain(text), shown, units)
    if found is None:
        return None
    said, cited = found
    yield Remark(f"{said}\n[{cited}]", (cited,))
    return state.but(said=(*state.said, text))


def _said_of_warning(state: SessionState, text: str) -> Plan[SessionState]:
    """What a warning says stands until the person goes on, or says in its words an outcome of the step before it."""
    before = past_alarm(state)
    outcomes = yield from showing.options(before)
    if before.trail and text.casefold() in map(str.casefold, outcomes):
        return (yield from _said(before, text))
    yield Remark(STANDS)
    return state


def _back(state: SessionState) -> Plan[SessionState]:
    """The screen before, and what was known then; where there is none, it is said and nothing changes."""
    earlier = trail.undone(state)
    if earlier is None:
        yield Remark(FIRST)
        return state
    if earlier.status is Status.AWAITING and not earlier.message and not (yield from showing.shown_units(earlier)):
        yield Remark("The step before is no longer in the store.")
        return state
    return earlier


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
        state = state.but(ran=tuple(dict.fromkeys((*state.ran, *action.digests))))
    if is_edited:
        return state.but(handed="the guide was edited meanwhile"), said
    if outcome.kind is OutcomeKind.APPROVAL:
        return ask(state, Pending(kind=Asked.APPROVAL, about=action.digest)), said
    if outcome.kind is not OutcomeKind.OBSERVED:
        return state.but(handed=outcome.kind.value, approved=""), said
    vouched = (text for text in action.needs if action.is_approved and not sentences.warning(text))
    done = state.but(approved="", confirmed=(*state.confirmed, *vouched))
    if action.commands and not action.complete:
        return done.but(handed="the step says more to do than what was run"), said
    return (yield from observed(done, outcome.text, branches=action.branches)), said
