"""What a person says, taken apart: a question back, what must hold, and what is left aside, beside the outcome.

What is reported of the step at hand goes to `reporting`. All else leaves the walk where it stands, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.retrieval import above, prerequisites
from thread_core.retrieval.prerequisites import Verdict
from thread_core.retrieval.retrieve import Entry
from thread_core.text.questions import asked, asks, reported, supposes
from thread_core.walking import ahead, asides, needs, questions, turns
from thread_core.walking.alarming import begun
from thread_core.walking.moving import past_unit, visit
from thread_core.walking.reporting import is_in_doubt, meant_by, report
from thread_core.walking.showing import Remark, options, shown_units, units_of
from thread_core.walking.starting import enter_guide
from thread_core.walking.states import Status
from thread_core.walking.trail import Asked, Lead, SessionState

NOT_SAID = "I find no answer to that in this guide."
HOLDS = 'Noted, this holds: "{}"'
NEEDED = 'This is needed first: "{}"'
ELSEWHERE = '"{}" is left aside: another guide is about it, {}.'
TURNED = "Another guide is about that: {}. Say back for where you were."
MENDED = 'Of what you say, this is what is left: "{}"'
ASKED = "the person asked something about it"


def is_question(state: SessionState, text: str) -> Plan[bool]:
    """Whether a line only asks; not where it takes for granted what one of the options says: "why is it red?"."""
    return asks(text) and not supposes(text, (yield from options(state)))


def asked_back(state: SessionState, text: str) -> Plan[SessionState]:
    """What is on the screen once more, below what the guide at hand says to a question."""
    at = state.pending.at if state.pending is not None else None
    here = at or (state.trail[-1] if state.trail else None)
    units = (yield from units_of(here.document_id)) if here is not None else ()
    shown = (yield from shown_units(state)) if at is None else []
    at_hand = here.condition if here is not None else ""
    if not ((yield from _is_answered(text, shown, units, at_hand)) or state.asks(Asked.WARNING)):
        turned = (yield from _turned(state, text, units)) if units and at is None else None
        if turned is not None:
            return turned
        yield Remark(NOT_SAID)
    return state.but(handed=state.handed or ASKED) if state.status is Status.AWAITING else state


def _is_answered(question: str, shown: Sequence[LogicUnit], units: Sequence[LogicUnit], case: str) -> Plan[bool]:
    """Whether the guide says something to a question in a case; it is put above what is on the screen."""
    found = yield from questions.answers(question, shown, units, case)
    for told, citation in found:
        yield Remark(f"{told}\n[{citation}]", (citation,))
    return bool(found)


def listen(state: SessionState, text: str, current: LogicUnit, units: Sequence[LogicUnit]) -> Plan[SessionState]:
    """Where what a person says of the step at hand leads."""
    seen = reported(text) or text
    if seen != text:
        case = state.trail[-1].condition if state.trail else ""
        yield from _is_answered(asked(text), (yield from shown_units(state)), units, case)
    state, seen = yield from _without_others(state, seen, current)
    rest = asides.remaining(seen)
    if rest != seen:
        yield Remark(MENDED.format(rest))
        other = yield from asides.named_elsewhere(rest, current)
        if other is not None:
            first = ahead.entrance(other.document, state) or other.unit
            lead = Lead(f'"{rest}" is what this guide is about')
            return (yield from visit(state.telling(text, said=text), first, first.start, other.document, lead))
    needed = yield from _needed(state, units)
    conditions = [link.condition for link in current.links if link.condition]
    answered = needs.answered(rest, needed, conditions)
    if answered is None:
        reached = yield from report(state, rest, current, units)
        turned = (yield from _turned(state, text, units)) if is_in_doubt(state, reached) else None
        return turned or reached
    return (yield from _taken(state, text, *answered, current, units))


def _taken(
    state: SessionState, text: str, asked: str, verdict: Verdict, current: LogicUnit, units: Sequence[LogicUnit]
) -> Plan[SessionState]:
    """The step at hand, where what it needs holds or is to be had first; past it, where it is for others."""
    told = state.telling(text, said=text)
    if verdict is Verdict.MET:
        yield Remark(HOLDS.format(turns.clip(asked)))
        denied = tuple(one for one in told.denied if one != asked)
        return state.but(said=told.said, confirmed=(*state.confirmed, asked), denied=denied)
    denied_too = told.but(denied=(*told.denied, asked))
    if not prerequisites.decidable(asked):
        yield Remark(NEEDED.format(turns.clip(asked)))
        return denied_too
    if meant_by(text, current, units) is not None:
        return (yield from report(state, text, current, units))
    return (yield from past_unit(denied_too, current, units, f"this does not hold: {asked}"))


def _turned(state: SessionState, text: str, units: Sequence[LogicUnit]) -> Plan[SessionState | None]:
    """In another guide where the whole message is plainly about that; None where it is not."""
    left = {position.document_id for position in state.callers}
    other = yield from asides.turned_to(text, units, left)
    if other is None:
        return None
    yield Remark(TURNED.format(other.unit.title))
    return (yield from begun((yield from enter_guide(state.telling(text, said=text), text, other)), text))


def _needed(state: SessionState, units: Sequence[LogicUnit]) -> Plan[tuple[str, ...]]:
    """What must hold for the step on the screen: of that itself, and of what its document says above it."""
    if state.message or not (state.status is Status.AWAITING or state.asks(Asked.OUTCOME)):
        return ()
    shown = yield from shown_units(state)
    before = above.needed(shown[0], units) if shown else ()
    return (*(text for unit in shown for text in unit.prerequisites), *before)


def _without_others(state: SessionState, text: str, current: LogicUnit) -> Plan[tuple[SessionState, str]]:
    """What is said of the step at hand, with the guides for the rest kept for when this one has ended."""
    parts = asides.several(text)
    others: dict[str, Entry] = {}
    for part in parts if len(parts) > 1 else ():
        other = yield from asides.named_elsewhere(part, current)
        if other is not None:
            others[part] = other
    own = [part for part in parts if part not in others]
    if not others or not own:
        return state, text
    for part, other in others.items():
        yield Remark(ELSEWHERE.format(part, other.unit.title))
    kept = dict.fromkeys((*state.asides, *(other.unit.document_id for other in others.values())))
    return state.but(asides=tuple(kept)), " ".join(own)
