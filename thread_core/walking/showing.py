"""From the state of a session to what the person sees: made anew from the store each time, so it can be shown again.

Plans over `ReadDocuments`; nothing here changes a state but `noticing`, which takes in what was edited meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thread_core import branching, layout
from thread_core.models import Link, LogicUnit, Span
from thread_core.plan import Plan
from thread_core.ports import Stored
from thread_core.retrieval import above
from thread_core.retrieval.prerequisites import is_for_a_person
from thread_core.retrieval.terminology import Term, terms
from thread_core.store.requests import read_document
from thread_core.text import sentences
from thread_core.text.shape import outdented
from thread_core.walking import ahead, trail, turns, ways
from thread_core.walking.actions import action_of
from thread_core.walking.execution import Action
from thread_core.walking.states import ENDED, STEPPED, TABLE, Event, Status
from thread_core.walking.taking import Case, case_taken, ending_said
from thread_core.walking.trail import Asked, Lead, Passage, Position, SessionState
from thread_core.walking.turns import Turn
from thread_core.walking.ways import Candidate

SOLVED = "It is solved"
YES_NO = ("Yes", "No")
YES_OR_NO = "I cannot tell whether that is a yes or a no. Say yes, no, or that you do not know."
HAND_OVER = "Hand it to somebody who knows more"
ROUND = ("Once more", "Go on with the next step", HAND_OVER)
APPROVAL = ("Run it", "I do it myself")
WARNED = ("Go on with the guide", HAND_OVER)
SAID = {
    Event.BACK: "back",
    Event.SKIP: "skip",
    Event.RESTART: "start over",
    Event.HAND_OVER: "I give up",
    Event.WHY: "why?",
}
"""What a person may say besides what is asked, for whoever makes buttons of it."""
EDITED = "The guide was edited since this step was shown. This is the step as it is now:"
AGAIN = f"{sentences.WARNING} this was run before: {{}}"
GUESSED = f"{sentences.WARNING} this step was guessed: {{}}"
GONE = "The step that was shown is no longer in the store. Say next to go on."


@dataclass(frozen=True, slots=True)
class Remark:
    """A line that stands above what is shown in this turn, and is not kept -> None."""

    text: str
    citations: tuple[Span, ...] = ()
    """Where it stands, where it is a document's."""


def units_of(document_id: str) -> Plan[tuple[LogicUnit, ...]]:
    """The units of a document in reading order; none where there is no such document."""
    stored: list[Stored] = yield from read_document(document_id)
    return tuple(row.unit for row in stored)


def unit_at(position: Position) -> Plan[tuple[LogicUnit | None, tuple[LogicUnit, ...]]]:
    """The unit of a position, None where it is no longer in the store; and the units of its document."""
    units = yield from units_of(position.document_id)
    return trail.find(position, units), units


def present(state: SessionState) -> Plan[Turn]:
    """What a person sees in a state, and may say; where it is handed over, with what was tried."""
    shown = yield from _screen(state)
    asked = state.pending.kind if state.pending is not None else None
    fits = {Event.BACK: bool(state.past), Event.SKIP: state.status in STEPPED}
    also = tuple(words for event, words in SAID.items() if (state.status, event) in TABLE and fits.get(event, True))
    shown = shown.model_copy(update={"asked": asked, "also": also})
    if state.status is not Status.ESCALATED:
        return shown
    told = turns.tried(state.question, state.trail, state.known.confirmed, state.denied)
    return shown.model_copy(update={"text": f"{shown.text}\n\n{told}"})


def _screen(state: SessionState) -> Plan[Turn]:
    offered = tuple((yield from options(state)))
    if state.pending is not None and state.pending.question:
        return (yield from _question(state, state.pending.question, offered))
    if state.asks(Asked.WARNING):
        return (yield from _warning(state, offered))
    if state.asks(Asked.APPROVAL):
        step = yield from _step(state)
        would = yield from action(state)
        step = turns.preceded(step, would.needs if would is not None else ())
        told = turns.to_approve(would)
        return step.model_copy(update={"text": f"{step.text}\n\n{told}", "status": Status.ASKING, "options": offered})
    if state.message:
        return Turn(text=state.message, status=state.status, options=offered)
    if state.trail and state.trail[-1].ending:
        return (yield from _ending(state))
    return (yield from _step(state)).model_copy(update={"options": offered})


def options(state: SessionState) -> Plan[list[str]]:
    """What the person may choose from, as it is listed."""
    match state.pending.kind if state.pending else None:
        case Asked.PREREQUISITE:
            return list(YES_NO)
        case Asked.SOLVED:
            return list(YES_NO)
        case Asked.LOOP:
            return list(ROUND)
        case Asked.APPROVAL:
            return list(APPROVAL)
        case Asked.OUTCOME if (at := state.pending.at if state.pending else None) is not None:
            return list((yield from troubles_asked(at)))
        case Asked.WARNING:
            return list(WARNED)
    if state.status is Status.UNKNOWN:
        titles = []
        for document_id in state.documents:
            units = yield from units_of(document_id)
            titles.append(units[0].title if units else document_id)
        return titles
    if state.ended and state.status not in ENDED:
        first = ahead.entrance((yield from units_of(state.documents[0])), state) if state.documents else None
        needed = [turns.clip(way.condition) for way in (yield from when_needed(state))]
        return [SOLVED, *needed, onward(first) if first is not None else HAND_OVER]
    if not state.trail or state.status not in (Status.AWAITING, Status.ASKING):
        return []
    current, _ = yield from unit_at(state.trail[-1])
    return turns.listed_options(current, state.trail[-1].listed_from(current)) if current is not None else []


def troubles_asked(at: Position) -> Plan[dict[str, LogicUnit]]:
    """By their headings, where the troubles are begun of which it is asked which one it is."""
    unit, units = yield from unit_at(at)
    return branching.troubles_at(unit, units) if unit is not None else {}


def when_needed(state: SessionState) -> Plan[list[Candidate]]:
    """What the document at hand has beyond its last step: for when that has not helped, and what was not shown."""
    units = yield from units_of(state.trail[-1].document_id)
    return [*(yield from unhelped(state)), *ways.when_needed(units, state.seen)]


def unhelped(state: SessionState) -> Plan[list[Candidate]]:
    """What the step at hand says itself for when it has not helped."""
    current, units = yield from unit_at(state.trail[-1])
    taken = {position.condition for position in state.trail}
    return ways.unhelped(current, units, taken) if current is not None else []


def onward(first: LogicUnit) -> str:
    """The option of going on with another guide."""
    return f"Go on with {first.title}"


def shown_units(state: SessionState) -> Plan[list[LogicUnit]]:
    """The units of the step at hand, as far as they are in the store."""
    shown = state.shown
    units = (yield from units_of(shown[0].document_id)) if shown else ()
    return [unit for step in shown if (unit := trail.find(step, units)) is not None]


def action(state: SessionState) -> Plan[Action | None]:
    """What the step at hand says to do, without what the step around it said before.

    What was run in this walk needs to be asked about before it is run again.
    """
    given = yield from _given(state)
    if given is None:
        return None
    if state.shown[0].within:
        before = yield from _given(state.but(trail=state.trail[: -len(state.shown)]))
        had = before.commands if before is not None else ()
        left = tuple(command for command in given.commands if command not in had)
        if not left:
            return None
        given = given.model_copy(update={"commands": left})
    again = {
        command: digest for command, digest in zip(given.commands, given.digests, strict=True) if digest in state.ran
    }
    needs = dict.fromkeys((*given.needs, *map(AGAIN.format, again)))
    return given.model_copy(update={"needs": tuple(needs), "repeats": tuple(again.values())})


def _given(state: SessionState) -> Plan[Action | None]:
    """What the step at hand says to do, by itself."""
    shown = yield from shown_units(state)
    if not shown:
        return None
    first = state.shown[0]
    return action_of(
        shown,
        first.line_in(shown[0]),
        said=state.said,
        session=state.root,
        turn=state.turn,
        began=state.began,
        approved=state.approved,
        condition=first.condition,
        needs=(yield from _vouched_for(state, shown)),
    )


def _vouched_for(state: SessionState, shown: Sequence[LogicUnit]) -> Plan[list[str]]:
    """What only the person can vouch for before the step at hand is carried out, told here or on an earlier screen."""
    units = yield from units_of(shown[0].document_id)
    own = (text for unit in shown for text in unit.prerequisites)
    warned = (one.text for unit in shown for one in above.warned(unit, units))
    guessed = [GUESSED.format(state.shown[0].why)] if state.shown[0].is_guess else []
    needed = dict.fromkeys((*guessed, *own, *above.needed(shown[0], units), *warned))
    return [text for text in needed if is_for_a_person(text, state.known)]


def noticing(state: SessionState) -> Plan[SessionState | None]:
    """The state with the step at hand as it is now, where the person has seen another text; None where nothing changed.

    What is no longer in the store at all is another matter: the walk goes on without it.
    """
    if state.status is not Status.AWAITING or state.message or not state.trail:
        return None
    group = state.shown
    units = yield from units_of(group[0].document_id)
    found = [trail.find(step, units) for step in group]
    if None in found or all(unit.content_hash == step.content_hash for unit, step in _pairs(found, group)):
        return None
    fresh = [_as_now(step, unit) for unit, step in _pairs(found, group)]
    return state.but(trail=(*state.trail[: -len(group)], *fresh))


def _pairs(found: Sequence[LogicUnit | None], group: Sequence[Position]) -> list[tuple[LogicUnit, Position]]:
    return [(unit, step) for unit, step in zip(found, group, strict=True) if unit is not None]


def _as_now(step: Position, unit: LogicUnit) -> Position:
    line = step.line_in(unit) if unit.content_hash == step.content_hash else unit.start
    now = Position.of(unit, line, Lead(step.why, step.condition, is_guess=step.is_guess))
    return now.model_copy(update={"along": step.along})


def _question(state: SessionState, question: str, offered: tuple[str, ...]) -> Plan[Turn]:
    """A question, with where the step stands that waits for the answer."""
    again = state.pending is not None and state.pending.again
    asked = Turn(text=f"{YES_OR_NO}\n\n{question}" if again else question, status=state.status, options=offered)
    at = state.pending.at if state.pending else None
    unit, _ = (yield from unit_at(at)) if at is not None else (None, ())
    if unit is None:
        return asked
    return asked.model_copy(update={"unit_ids": (unit.id,), "citations": unit.spans[:1]})


def _warning(state: SessionState, offered: tuple[str, ...]) -> Plan[Turn]:
    """A warning alone, in the words of its document."""
    at = state.pending.at if state.pending else None
    standing = (yield from _standing([at.quoted])) if at is not None and at.quoted is not None else []
    if not standing:
        return Turn(text=GONE, status=state.status, options=offered)
    ((unit, span),) = standing
    said = outdented(turns.body_from(unit, span.start, span.end)) or unit.body
    text = f"{layout.heading(unit)}\n{said}"
    return Turn(text=text, status=state.status, unit_ids=(unit.id,), citations=(span, *unit.spans), options=offered)


def _step(state: SessionState) -> Plan[Turn]:
    shown = yield from shown_units(state)
    if not shown:
        return Turn(text=GONE, status=Status.AWAITING)
    first = state.shown[0]
    undecided = ahead.undecided(shown[0], state)
    told = yield from _terms(shown, first)
    case = _case(shown[0], first)
    alone = case if first.quoted is None else None
    turn = turns.step_turn(shown, first.line_in(shown[0]), undecided, told, alone)
    elsewhere = yield from _said_above(state, shown[0], turn.citations[0])
    if case is not None and alone is None and _is_seen_again(state):
        turn = turns.naming(turn, case)
    else:
        for unit, span in (yield from _standing([first.quoted] if first.quoted else [])):
            turn = turns.quoting(turn, unit, span)
    turn = turns.hedged(turn, (yield from _standing(first.besides)))
    return turns.preceded(turn, elsewhere)


def _case(unit: LogicUnit, step: Position) -> Case | None:
    """What a step says of one of its own outcomes; None where that is all that it says from there on.

    Who chose it is shown that alone. Words of the person's own may mean another one: they are shown what else follows.
    """
    if not step.within:
        return None
    line = step.quoted.span(unit).start if step.quoted is not None else step.line_in(unit)
    case = case_taken(unit, step.condition, line)
    from_there = turns.body_from(unit, step.line_in(unit))
    return case if case is not None and case.text.split() != from_there.split() else None


def _is_seen_again(state: SessionState) -> bool:
    """Whether the step at hand begins where the one before it did."""
    now, before = state.shown[0], state.trail[: -len(state.shown)][-1:]
    return any((step.unit_id, step.line) == (now.unit_id, now.line) for step in before)


def _said_above(state: SessionState, unit: LogicUnit, seen: Span) -> Plan[list[str]]:
    """What must hold, and is warned of, that stands elsewhere in a document, where no step before it has told so.

    Args:
        state: Where the walk stands.
        unit: The step at hand.
        seen: Its lines that are shown.
    """
    units = yield from units_of(unit.document_id)
    before = _before_in_document(state)
    earlier = [found for step in before if (found := trail.find(step, units)) is not None]
    told = {one.text for step in earlier for one in above.warned(step, units)}
    needed = () if before else above.needed(unit, units)
    unseen = (one.text for one in above.warned(unit, units) if not seen.start <= one.span.start <= seen.end)
    return list(dict.fromkeys((*needed, *(text for text in unseen if text not in told))))


def _before_in_document(state: SessionState) -> list[Position]:
    """The steps before the one at hand in its document."""
    return [step for step in state.trail[: -len(state.shown)] if step.document_id == state.shown[0].document_id]


def _terms(shown: Sequence[LogicUnit], step: Position) -> Plan[list[Term]]:
    """What a step explains, as far as it is in the store."""
    among: list[LogicUnit] = []
    for one in step.explained:
        units = yield from units_of(one.document_id)
        among += [unit for unit in units if unit.id == one.unit_id]
    names = {one.name for one in step.explained}
    return [term for term in terms(shown, among) if term.name in names]


def _standing(passages: Sequence[Passage]) -> Plan[list[tuple[LogicUnit, Span]]]:
    """Where some passages stand, as far as their units are in the store."""
    found = []
    for passage in passages:
        units = yield from units_of(passage.document_id)
        found += [(unit, passage.span(unit)) for unit in units if unit.id == passage.unit_id]
    return found


def _ending(state: SessionState) -> Plan[Turn]:
    """The words of the document that ended the walk."""
    end = state.trail[-1]
    unit, _ = yield from unit_at(end)
    link = _ending_link(unit, end) if unit is not None else None
    if unit is None or link is None:
        return Turn(text=end.header, status=state.status)
    said = [one for one in unit.links if one.evidence and one.condition == end.condition and one.condition] or [link]
    cited = [one.evidence for one in said if one.evidence] or unit.body_spans[:1]
    text = ending_said(unit, said) or " ".join(f"{one.query[:1].upper()}{one.query[1:]}" for one in said)
    return Turn(
        text=f"{layout.heading(unit)}\n{text}",
        status=state.status,
        unit_ids=(unit.id,),
        citations=(*cited, *unit.spans),
    )


def _ending_link(unit: LogicUnit, end: Position) -> Link | None:
    same = [link for link in unit.links if link.action.ends and link.condition == end.condition]
    here = [link for link in same if link.evidence is not None and link.evidence.start == end.line_in(unit)]
    return next(iter(here or same), None)
