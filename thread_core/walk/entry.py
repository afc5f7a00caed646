"""Where a walk enters the documents: by a question, by the guide that was chosen, or by what a model selected."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.models import LogicUnit, LogicUnitType
from thread_core.plan import Plan
from thread_core.retrieval import named_cases, prerequisites
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.retrieve import Entry
from thread_core.text.words import content_words
from thread_core.walk.decide import coded
from thread_core.walk.decider import ChooseEntry, Chosen
from thread_core.walk.navigation import take, visit
from thread_core.walk.options import case_choice, cases_of, is_row, screen_at
from thread_core.walk.positions import entrance, ruled_out
from thread_core.walk.questions import HAND_OVER, NONE, YES_NO, ask, guides, say
from thread_core.walk.state import Asked, Choice, Position, SessionState
from thread_core.walk.states import Status

MENU = 5
"""Guides that are offered where none is entered unasked."""
AHEAD = 0.35
"""How much better than the next guide one must fit to be entered unasked, besides `retrieve.SURE`."""
OFFERED = 0.35
"""How much one of the guides must have to do with the question (`retrieve.RELATED`), or it is said that nothing fits.

Less than to be shown unasked: a menu costs one look, and who is told that nothing fits goes away.
"""
UNKNOWN = "Nothing here fits the question. Try other words, or name the product, alert or error."
NEAREST = " These are the nearest guides; choose one by its number."
WHICH_GUIDE = "Which of these is it about?"
BEST = "it fits the question best"


def start(state: SessionState, question: str) -> Plan[SessionState]:
    """Enter the documents by a question: at the guide that is surely meant, else by a menu of the nearest."""
    state = state.replace(question=question, said=state.said or (question,))
    chosen: Chosen | None = yield ChooseEntry(question, state.known)
    if chosen is not None:
        return (yield from _enter_chosen(state, chosen))
    facts = prerequisites.Known(said=state.said)
    entries: list[Entry] = yield from retrieval.find_entries(question, MENU, facts)
    if not _is_sure(entries):
        may_be = bool(content_words(question)) and any(entry.related >= OFFERED for entry in entries)
        return ask(state, Asked.GUIDE, WHICH_GUIDE, (*guides(entries), NONE)) if may_be else _nothing(state, entries)
    entered = yield from enter(state, entries[0].unit, entries[0].document, BEST)
    return (yield from _told_already(entered, entries[0].document))


def _told_already(state: SessionState, units: Sequence[LogicUnit]) -> Plan[SessionState]:
    """On to the row of a table whose code the question names: "E044"."""
    if state.status is not Status.AWAITING:
        return state
    steps = (unit for unit in units if unit.type == LogicUnitType.STEP and not ruled_out(unit, state))
    rows = [case_choice(unit, case) for unit in steps for case in cases_of(unit) if is_row(unit, case)]
    told = coded(state.question, rows)
    went = (yield from take(state, told.choice, BEST)) if told is not None else None
    return went or state


def _is_sure(entries: Sequence[Entry]) -> bool:
    """Whether the first guide has to do with the question, and is ahead of all others: by its rank, and by that too."""
    if not entries or entries[0].related < retrieval.SURE:
        return False
    first, *others = entries
    return all(first.score - other.score >= AHEAD and first.related >= other.related for other in others)


def _nothing(state: SessionState, entries: Sequence[Entry]) -> SessionState:
    """Say that nothing fits, and offer the nearest guides."""
    if not entries:
        return say(state, UNKNOWN, Status.UNKNOWN)
    asked = ask(state, Asked.GUIDE, UNKNOWN + NEAREST, (*guides(entries[:MENU]), HAND_OVER))
    return asked.replace(status=Status.UNKNOWN)


def enter(
    state: SessionState, begun: LogicUnit, units: Sequence[LogicUnit], why: str, *, is_whole: bool = False
) -> Plan[SessionState]:
    """Enter a guide at a unit; where none of its steps is for the person, at the first, so that they are told why.

    It `is_whole` where it is asked for from there to its end, and not the section alone that a question names.
    """
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP]
    if steps and all(ruled_out(unit, state) for unit in steps):
        begun = steps[0]
    entered = state.replace(scope=() if is_whole else _scope(state.question, begun), callers=())
    return (yield from visit(entered, screen_at(begun), units, why))


def _scope(question: str, begun: LogicUnit) -> tuple[str, ...]:
    """The section that a question names plainly, as far as the walk begins in one; else all of the guide."""
    titles = named_cases.titled(begun)
    named = [depth for depth, name in enumerate(begun.section, 1) if named_cases.plainness(question, name, titles) > 0]
    return begun.section[: named[0]] if named else ()


def enter_guide(state: SessionState, choice: Choice) -> Plan[SessionState]:
    """Enter a guide that was chosen: where the question enters it, else at its first step."""
    begun, units = yield from entrance(choice.document_id, choice.unit_id)
    if begun is None:
        return say(state, "That guide is no longer in the store.", Status.UNKNOWN)
    return (yield from enter(state.replace(pending=None), begun, units, f"you chose {begun.title}"))


def _enter_chosen(state: SessionState, chosen: Chosen) -> Plan[SessionState]:
    """Begin at the first unit that a model chose, or with what it wants to know before."""
    selection = chosen.selection
    if not selection.units:
        return _nothing(state, chosen.entries)
    first = chosen.entries[0]
    met = tuple(text for text in selection.met if prerequisites.decidable(text))
    entered = state.replace(confirmed=tuple(dict.fromkeys((*state.confirmed, *met))))
    why = "the model chose it for the question"
    for one in selection.open:
        if one.unit_id == first.unit.id:
            at = screen_at(first.unit)
            position = Position.of(first.unit, at.first, at.last, why)
            question = f"{one.question} (What must hold: {one.prerequisite})"
            return ask(entered, Asked.PREREQUISITE, question, YES_NO, about=one.prerequisite, at=position)
    return (yield from enter(entered, first.unit, first.document, why, is_whole=True))


def restart(state: SessionState) -> Plan[SessionState]:
    """Begin again with the same question, and what was learned about the person's surroundings."""
    anew = _anew(state).replace(confirmed=state.confirmed, denied=state.denied)
    return (yield from start(anew, state.question))


def start_again(state: SessionState, question: str, said: tuple[str, ...] = ()) -> Plan[SessionState]:
    """Begin with another question in the same walk; nothing that was walked or confirmed counts any more."""
    return (yield from start(_anew(state).replace(said=said), question))


def _anew(state: SessionState) -> SessionState:
    """The walk before its first step; what was run in it stays known."""
    return SessionState(id=state.id, turn=state.turn, began=state.began, policy=state.policy, ran=state.ran)


def asked_anew(state: SessionState, text: str) -> Plan[SessionState]:
    """Begin by words that are said before any step: with the question so far, or alone where they fit better so."""
    question = f"{state.question} {text}".strip()
    if state.status is Status.UNKNOWN and state.question:
        alone: list[Entry] = yield from retrieval.find_entries(text)
        both: list[Entry] = yield from retrieval.find_entries(question)
        nearest = (max((entry.related for entry in entries), default=0.0) for entries in (alone, both))
        question = text if retrieval.fit(alone) and next(nearest) >= next(nearest) else question
    return (yield from start_again(state, question, (*state.said, text)))
