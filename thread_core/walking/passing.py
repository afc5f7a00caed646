"""On past a step: done, skipped, no longer in the store, or the last thing that there was to try."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.models import LogicUnit, LogicUnitType
from thread_core.plan import Plan
from thread_core.walking import ahead, moves, showing, ways
from thread_core.walking.moving import IS_SOLVED, after_document, go, go_on, handed_over, past_unit, say, visit
from thread_core.walking.showing import Remark, unit_at, units_of
from thread_core.walking.starting import start_again
from thread_core.walking.states import STEPPED, Status
from thread_core.walking.trail import DONE, Asked, Lead, Position, SessionState

GOOD = "Good."
NO_STEP = "There is no step here to skip."


def go_past(state: SessionState, text: str) -> Plan[SessionState]:
    """Done: on to what comes next. Whether it is solved, who is asked that says by "ok" and "done", not by "next"."""
    if state.pending is not None and not state.trail and (at := state.pending.at) is not None:
        return (yield from _into_likeliest(state, at))
    if not state.trail:
        return (yield from start_again(state, state.question))
    if state.ended:
        goes_on = moves.asks_on(text)
        if goes_on:
            units = yield from units_of(state.trail[-1].document_id)
            if (beside := ahead.beside_trouble(units, state)) is not None:
                return (yield from visit(state, beside, beside.start, units, Lead("you went on", is_guess=True)))
        is_last = (yield from showing.options(state))[-1:] == [showing.HAND_OVER]
        is_asked = is_last or (IS_SOLVED in state.message and not goes_on)
        is_yes = is_asked and (moves.says_done(text) or moves.agrees(text))
        return say(state, GOOD, Status.RESOLVED) if is_yes else (yield from past(state, "you went on"))
    came = "not run" if state.asks(Asked.APPROVAL) and not moves.says_done(text) else DONE
    return (yield from past(state.telling(came), "you went on"))


def _into_likeliest(state: SessionState, at: Position) -> Plan[SessionState]:
    """The likeliest of the sections among which it was asked, for who names none of them."""
    unit, units = yield from unit_at(at)
    if unit is None:
        return (yield from past_removed(state.but(pending=None), units, state.question))
    lead = Lead("it is the likeliest of them", is_guess=True)
    return (yield from visit(state.but(pending=None), unit, unit.start, units, lead))


def skip(state: SessionState) -> Plan[SessionState]:
    """Not done: on all the same. A question that is skipped leaves its step out and decides nothing."""
    if state.status not in STEPPED:
        yield Remark(NO_STEP)
        return state
    told = state if state.pending is not None or state.ended else state.telling("", skipped=True)
    return (yield from past(told, "you went past the step before"))


def past(state: SessionState, why: str) -> Plan[SessionState]:
    """Past the step at hand, or past the one that was asked about."""
    asked = state.pending.at if state.pending is not None else None
    current, units = yield from unit_at(asked or state.trail[-1])
    free = state.but(pending=None)
    if current is None:
        return (yield from past_removed(free, units, state.question))
    if asked is None or state.asks(Asked.LOOP):
        return (yield from go_on(state if state.asks(Asked.OUTCOME) else free, current, units, why))
    return (yield from past_unit(free, current, units, why))


def past_removed(state: SessionState, units: Sequence[LogicUnit], question: str) -> Plan[SessionState]:
    """The step shown is no longer in the store: on with what is left of its document, else with the question again."""
    seen = state.seen
    left = (unit for unit in units if unit.type == LogicUnitType.STEP and unit.id not in seen)
    line = state.trail[-1].line if state.trail else 0
    upcoming = next((unit for unit in left if unit.start >= line), None) or ahead.skipped(units, state)
    if upcoming is not None:
        lead = Lead("the step before is no longer in the store")
        return (yield from visit(state, upcoming, upcoming.start, units, lead))
    if units:
        return (yield from after_document(state))
    yield Remark("The guide that you followed is no longer in this store.")
    return (yield from start_again(state, question))


def nothing_left_to_try(state: SessionState, text: str) -> Plan[SessionState]:
    """To whom the guide says to call, else to what it says after this, else given up."""
    if not state.trail:
        return given_up(state)
    current, units = yield from unit_at(state.trail[-1])
    way = ways.to_call(current, units, state.seen) if current is not None else None
    told = state.but(pending=None).telling(text, said=text)
    if way is not None:
        return (yield from go(told, way, units, f'"{text}"'))
    if current is not None and ahead.after(current, units, told) is not None:
        return (yield from go_on(told, current, units, f'"{text}", and this is left'))
    return given_up(told)


def given_up(state: SessionState) -> SessionState:
    """To be handed over by whoever is walking."""
    return handed_over(state.telling("it was given up"))
