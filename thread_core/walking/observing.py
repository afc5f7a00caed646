"""What leads on only where it is clear: what an executor saw, and what somebody said before a step was reached."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.walking import ahead, concluding, matching, showing, trail, ways
from thread_core.walking.guide import ChooseWay
from thread_core.walking.matching import Match
from thread_core.walking.moving import go, go_on
from thread_core.walking.querying import Next
from thread_core.walking.states import Status
from thread_core.walking.trail import RUN, Asked, SessionState
from thread_core.walking.ways import Candidate

CLEAR = 0.5
MARGIN = 0.1
"""It is clear from this score on, where it is by this much above any other condition's."""


def observed(state: SessionState, text: str, *, branches: bool) -> Plan[SessionState]:
    """Where what an executor saw of the step at hand leads; to the person, who is shown it, where that is not clear.

    Args:
        state: Where the walk stands.
        text: What was seen.
        branches: Whether the step says that something depends on it.
    """
    units = yield from showing.units_of(state.trail[-1].document_id)
    steps = [(unit, step) for step in state.shown if (unit := trail.find(step, units)) is not None]
    judged = ((unit, ways.due(unit, step.line_in(unit))) for unit, step in steps)
    current, outcomes = next((found for found in judged if found[1]), (steps[-1][0], []))
    told = state.telling(RUN)
    if not outcomes and branches:
        return state.but(handed="what follows from what was seen is not understood")
    if not outcomes:
        return (yield from go_on(told, current, units, RUN))
    possible = admitted(current, units, told, was_ruled_out=True)
    choices = [way for way in possible if way.link in outcomes and way.unit.id == current.id]
    ranked = uncontradicted(text, (yield from matching.rank(text, choices)) if text.strip() else [])
    found: Next | None = None
    if ranked:
        found = yield ChooseWay(text, current, [match.candidate for match in ranked], state.question, state.known)
    way = found.way if found is not None else clear(concluding.borne_out(text, ranked, choices))
    if way is None:
        return state.but(handed="what was seen fits no outcome for sure")
    told = state.telling(f"{RUN}: {way.condition}")
    is_guess = not concluding.is_of_now(text, way.condition)
    why = f"what was seen when it was run fits: {way.condition}"
    return (yield from go(told, way, units, why, is_guess=is_guess))


def recalled(state: SessionState, text: str) -> Plan[SessionState]:
    """Where what was said before the step on the screen was reached leads, if that is clear; else that step."""
    if text and state.asks(Asked.PREREQUISITE) and state.pending is not None:
        return state.but(pending=state.pending.model_copy(update={"reported": text}))
    if not text or state.status is not Status.AWAITING or state.message or not state.trail:
        return state
    current, units = yield from showing.unit_at(state.trail[-1])
    if current is None:
        return state
    stated = [way for way in admitted(current, units, state, was_ruled_out=True) if way.condition]
    way = clear(uncontradicted(text, (yield from matching.rank(text, stated))))
    if way is None or not concluding.is_of_now(text, way.condition):
        return state
    return (yield from go(state.telling(text), way, units, f'"{text}", as you said before, fits: {way.condition}'))


def admitted(
    current: LogicUnit, units: Sequence[LogicUnit], state: SessionState, was_ruled_out: bool
) -> list[Candidate]:
    """The ways on from a step, without what does not apply; with the step's own where it is shown in spite of that."""
    return [
        choice
        for choice in ways.candidates(current, units)
        if (was_ruled_out and choice.unit.id == current.id) or not ahead.ruled_out(choice.unit, state)
    ]


def clear(ranked: Sequence[Match]) -> Candidate | None:
    """The best way, where it fits well and no other nearly as well."""
    if not ranked or ranked[0].score < CLEAR:
        return None
    best, *rest = ranked
    others = [match for match in rest if match.candidate.link != best.candidate.link]
    return best.candidate if not others or best.score - others[0].score >= MARGIN else None


def uncontradicted(text: str, ranked: Sequence[Match]) -> list[Match]:
    """The ways of whose conditions what was seen is not the opposite."""
    return [match for match in ranked if not matching.contradicts(text, match.candidate)]
