"""What is answered to what a walk asks: an option by its number or its words, a prerequisite, a leave, a round more."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.layout import leads_inside
from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.retrieval import prerequisites
from thread_core.retrieval.prerequisites import Verdict
from thread_core.text import directions
from thread_core.text.leaning import OPPOSITE
from thread_core.walking import moves, showing, turns
from thread_core.walking.alarming import alarmed, past_alarm
from thread_core.walking.endings import is_nothing_new, sounds_unsolved
from thread_core.walking.guide import ChooseEntry
from thread_core.walking.moving import after_document, follow, go, go_on, handed_over, past_unit, say, show, visit
from thread_core.walking.observing import recalled
from thread_core.walking.passing import GOOD, past
from thread_core.walking.replies import answer, is_bare, is_yes, passes_on, verdict_on
from thread_core.walking.showing import Remark, unit_at, units_of
from thread_core.walking.starting import begin, enter
from thread_core.walking.states import Status
from thread_core.walking.trail import Asked, Lead, Passage, Position, SessionState

STILL_YOURS = "you wanted to do it yourself"


def option_named(offered: Sequence[str], text: str) -> int | None:
    """The number of the option that is said: in its words, by its place, or by a yes or a no where one begins so.

    Of two of which one denies the other, the first is the yes.
    """
    options = [option.casefold() for option in offered]
    if text.casefold() in options:
        return options.index(text.casefold()) + 1
    if (number := moves.picked(text, len(options))) is not None:
        return number
    said = answer(text) if is_bare(text) else None
    answers = [answer(option) for option in options]
    if len(options) == 2 and options[1] == f"{OPPOSITE}{options[0]}":
        answers = [True, False]
    return answers.index(said) + 1 if said is not None and answers.count(said) == 1 else None


def said_at_the_end(state: SessionState, offered: Sequence[str], text: str) -> Plan[int | None]:
    """The number of the option that says whether it is solved by all that was done; None where it is not said so.

    Where it is not, what the guide says for that comes before all else.
    """
    if not state.ended or not offered:
        return None
    if is_yes(text):
        return 1
    is_no = is_bare(text) or (sounds_unsolved(text) and is_nothing_new(text))
    if not is_no:
        return None
    return 2 if (yield from showing.unhelped(state)) else len(offered)


def choose(state: SessionState, number: int) -> Plan[SessionState]:
    """The option of a number, from 1 on, among those on the screen; another number changes nothing and is said."""
    offered = yield from showing.options(state)
    if not 1 <= number <= len(offered):
        known = f"1 to {len(offered)}" if offered else "none here"
        yield Remark(f"There is no option {number} (options: {known}). Say what you see, or next.")
        return state
    match state.pending.kind if state.pending else None:
        case Asked.PREREQUISITE:
            return (yield from judged(state, "yes" if number == 1 else "no"))
        case Asked.SOLVED:
            return say(state, GOOD, Status.RESOLVED) if number == 1 else (yield from _not_solved(state))
        case Asked.LOOP:
            return (yield from _rounds(state, number))
        case Asked.WARNING:
            return past_alarm(state) if number == 1 else handed_over(state)
        case Asked.APPROVAL:
            return (
                _approved(state) if number == 1 else state.but(status=Status.AWAITING, pending=None, handed=STILL_YOURS)
            )
        case Asked.OUTCOME if (at := state.pending.at if state.pending else None) is not None:
            begun = [*(yield from showing.troubles_asked(at)).values()][number - 1]
            units = yield from units_of(at.document_id)
            return (yield from visit(state, begun, begun.start, units, Lead(f'you chose "{offered[number - 1]}"')))
    if state.status is Status.UNKNOWN:
        return (yield from begin(state, state.documents[number - 1]))
    if state.ended and number == 1:
        return say(state, GOOD, Status.RESOLVED)
    here = state.trail[-1]
    current, units = yield from unit_at(here)
    assert current is not None
    if state.ended:
        return (yield from _at_the_end(state, number, current, units))
    link = turns.offered(current, here.listed_from(current))[number - 1]
    if (sounded := (yield from alarmed(state, link.condition))) is not None:
        return sounded
    told = state.telling(link.condition, said="" if link.condition.startswith(OPPOSITE) else link.condition)
    is_seen = leads_inside(current, link) or directions.only_sends_on(link.query)
    quoted = None if is_seen else Passage.of_link(link, current)
    lead = Lead(f'you chose "{link.condition}"', quoted=quoted)
    went = yield from follow(told, current, link, units, lead)
    return went or (yield from go_on(told, current, units, "that option leads nowhere in this store"))


def _not_solved(state: SessionState) -> Plan[SessionState]:
    """To what the step at hand says for when it has not helped, else on."""
    ways = yield from showing.unhelped(state)
    if not ways:
        return (yield from past(state, "it is not solved"))
    units = yield from units_of(ways[0].unit.document_id)
    return (yield from go(state.but(pending=None), ways[0], units, "it is not solved"))


def _at_the_end(state: SessionState, number: int, current: LogicUnit, units: Sequence[LogicUnit]) -> Plan[SessionState]:
    """Behind the last step: what is there for when it is needed, else on into the next guide, or handed over."""
    needed = yield from showing.when_needed(state)
    if number > 1 + len(needed):
        if (yield from showing.options(state))[-1] == showing.HAND_OVER:
            return handed_over(state)
        return (yield from go_on(state, current, units, "you chose to go on"))
    way = needed[number - 2]
    return (yield from go(state.but(ended=False), way, units, f'you chose "{way.condition}"'))


def judged(state: SessionState, text: str) -> Plan[SessionState]:
    """The answer to a prerequisite question: a clear yes or no, or words that decide it.

    What is neither is asked again once. Then, and where somebody does not know, it goes on and nothing is confirmed.
    """
    assert state.pending is not None and state.pending.at is not None
    pending, at = state.pending, state.pending.at
    asked, verdict = pending.about, verdict_on(pending.about, text)
    says_nothing = is_bare(text) or passes_on(text) or moves.agrees(text)
    told = state if says_nothing else state.but(said=(*state.said, text))
    before, now = (prerequisites.judge(asked, one.known) for one in (state, told))
    if verdict is Verdict.ASK:
        verdict = now.verdict
    if verdict is Verdict.ASK and now.question != before.question:
        return told.but(pending=pending.model_copy(update={"question": now.question}))
    if verdict is Verdict.ASK and not (pending.again or passes_on(text) or text in state.said):
        return told.but(pending=pending.model_copy(update={"again": True, "reported": text}))
    answered = told.but(pending=None)
    reported = text if verdict is Verdict.ASK and not passes_on(text) else pending.reported
    reached = yield from _decided(answered, verdict, asked, at)
    return (yield from recalled(reached, "" if reported == state.question else reported))


def _decided(state: SessionState, verdict: Verdict, asked: str, at: Position) -> Plan[SessionState]:
    """The step that waits for an answer, or what comes in its place where it is for others."""
    unit, units = yield from unit_at(at)
    if verdict is Verdict.NOT_MET:
        return (yield from _denied(state.but(denied=(*state.denied, asked)), asked, unit, units))
    kept = "confirmed" if verdict is Verdict.MET else "left_open"
    answered = state.but(**{kept: (*getattr(state, kept), asked)})
    if unit is None:
        return (yield from after_document(answered))
    return (yield from visit(answered, unit, at.line_in(unit), units, at.lead))


def _denied(
    state: SessionState, prerequisite: str, unit: LogicUnit | None, units: Sequence[LogicUnit]
) -> Plan[SessionState]:
    """Past a step for which a prerequisite does not hold."""
    chosen = None if state.trail else (yield ChooseEntry(state.question, state.known))
    if chosen is not None:
        return (yield from enter(state, chosen))
    if unit is None:
        return (yield from after_document(state))
    return (yield from past_unit(state, unit, units, f"this does not hold: {prerequisite}", prerequisite))


def _rounds(state: SessionState, number: int) -> Plan[SessionState]:
    """The answer to whether to go round once more."""
    assert state.pending is not None and state.pending.at is not None
    at = state.pending.at
    free = state.but(pending=None)
    if number == 3:
        return handed_over(free)
    if number == 2:
        return (yield from past(state, "you chose not to go round again"))
    unit, units = yield from unit_at(at)
    return show(free, unit, at.line_in(unit), units, at.lead) if unit is not None else (yield from after_document(free))


def _approved(state: SessionState) -> SessionState:
    """With the leave to run what was asked about, to the letter."""
    assert state.pending is not None
    return state.but(status=Status.AWAITING, pending=None, approved=state.pending.about)
