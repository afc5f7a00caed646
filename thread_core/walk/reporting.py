"""Where what a person reports leads: an option that is meant for sure, what a model reads in the guide, or a menu.

Each plan takes a state and gives the state that is reached.
"""

from __future__ import annotations

from collections.abc import Sequence

from thread_core import layout, places
from thread_core.documents.leaning import in_english
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.plan import Plan
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.retrieve import Entry
from thread_core.text.words import content_words
from thread_core.walk import questions, rendering
from thread_core.walk.answers import answer_to, passages_cited
from thread_core.walk.decide import NAMED, menu, plainly, surely, tells_done
from thread_core.walk.decider import ChooseWay
from thread_core.walk.gap import GapKind, NoteGap
from thread_core.walk.matcher import Match, deletes, rank, ways_on
from thread_core.walk.navigation import follow, go_on, past_removed, take, task_ended
from thread_core.walk.numbered import Part
from thread_core.walk.options import Case, Screen, section_choice
from thread_core.walk.positions import ruled_out, screen_shown, screens_of, unit_at
from thread_core.walk.querying import Next
from thread_core.walk.questions import (
    HAND_OVER,
    LISTED,
    NONE,
    WHICH,
    Remark,
    ask,
    guides,
    not_walked,
    other_guides,
    say,
)
from thread_core.walk.reply import hedges, parse
from thread_core.walk.state import DONE, Act, Asked, Choice, Pending, SessionState
from thread_core.walk.states import ENDED, Event, Status

COVERED = 0.3
"""From which on a passage has to do with a report at all."""
NOT_COVERED = "These guides say nothing about that. You are still at this step: choose an option, or hand it over."
OTHERS_MAY = "This guide says nothing about that, but another one may. Choose one, or hand it over."
WHAT_NEXT = "What next?"
OTHER_WORDS = "Then try other words, or name the product, alert or error."
HOW_NEXT = "Then choose how to continue."
ONWARD = Choice(label="Continue with the next part of this guide", act=Act.NEXT)
STAY = Choice(label="No, continue at this step", act=Act.STAY)
SEVERAL = "the model found several places that it may mean"
VAGUE, SEVERAL_NEAR = "it is uncertain, or means two things", "several options are close to what you said"
NOT_NEAR = "no option is close to what you said"
GONE = "That option is no longer in the guide."
ELSEWHERE = "That option leads to a place that is not in these guides."


def reported(state: SessionState, event: Event, text: str) -> Plan[SessionState]:
    """Where a report leads: by its form to an option, else as a model reads it, else by its words, else to a menu."""
    if state.status in ENDED and event is not Event.REPORT:
        return state if event is not Event.NOT_SOLVED else reopened(state)
    state = reopened(state).saying(text)
    step = state.trail[-1]
    current, units = yield from unit_at(step)
    if current is None:
        return (yield from past_removed(state.replace(pending=None), step, units))
    at = screen_shown(state.trail[-1], current, units)
    calling = yield from screens_of(state.callers)
    of_callers = tuple(choice for screen, _ in calling for choice in screen.choices if choice.condition)
    offered = (*at.choices, *of_callers)
    said = {Event.YES: "yes", Event.NO: "no"}.get(event, text)  # a whole answer in any language as the English one
    read = rendering.body_of(at)
    asked = (at.choices, offered) if calling else (at.choices,)
    certain = next(filter(None, (plainly(said, each) for each in asked)), None)
    if certain is not None:
        return (yield from take_option(state, certain.choice, f'"{text}": {certain.reason}', text))
    if event is Event.NOT_SOLVED and (way := _for_failure(offered)) is not None:
        return (yield from take_option(state, way, f'"{text}": the guide says what to do then', text))
    by_model: Next | None = yield ChooseWay(text, at, units, state.question, state.known, state.callers)
    if by_model is not None:
        led = yield from _led(state, at, units, by_model, text)
        if led is not None:
            return led
    found = next(filter(None, (surely(said, each, read) for each in asked)), None)
    if found is not None:
        return (yield from take_option(state, found.choice, f'"{text}": {found.reason}', text))
    is_vague = hedges(said)
    is_plain = event is Event.REPORT and not at.cases and not is_vague
    if is_plain and tells_done(said, at.passages, leads_on=at.onward is not None):
        return (yield from go_on(state.with_outcome(text).replace(pending=None), "the step before is done"))
    around = [*ways_on(at, units), *(way for screen, near in calling for way in ways_on(screen, near))]
    ranked: list[Match] = yield from rank(said, [way for way in around if not ruled_out(way.unit, state)])
    if not is_vague and all(match.related < COVERED for match in ranked):
        return (yield from _not_covered(state, at, text, NOT_NEAR, _speaking_of(said, units)))
    if event in (Event.NO, Event.NOT_SOLVED, Event.UNSURE, Event.YES) and not at.cases:
        return (yield from none_of_them(state)) if event is not Event.UNSURE else state
    listed = menu(offered if at.cases else of_callers, ranked)  # what is ahead is ranked with all else
    return _which(state, listed, text, VAGUE if is_vague else SEVERAL_NEAR)


def question_back(state: SessionState, text: str) -> Plan[SessionState]:
    """A question is answered, and the step stays; a model may find that it reports something."""
    assert state.step is not None
    current, units = yield from unit_at(state.step)
    if current is None:
        return state.replace(reason="you asked something")
    at = screen_shown(state.step, current, units)
    found: Next | None = yield ChooseWay(text, at, units, state.question, state.known, state.callers)
    if found is not None and not found.query:
        led = yield from _led(state if found.answer else reopened(state), at, units, found, text)
        if led is not None:
            return led
    answer = yield from answer_to(text, units, current.lines_of(at.first, at.last))
    yield answer
    yield NoteGap(GapKind.ASKED if answer.citations else GapKind.NOT_ANSWERED)
    return state.replace(reason="you asked something")


def _for_failure(offered: Sequence[Choice]) -> Choice | None:
    """The only option that a guide states for when it has not helped."""
    meant = [choice for choice in offered if choice.condition and parse(choice.condition).event is Event.NOT_SOLVED]
    return meant[0] if len(meant) == 1 else None


def _led(
    state: SessionState, at: Screen, units: Sequence[LogicUnit], found: Next, text: str
) -> Plan[SessionState | None]:
    """Where a model says that a report leads; None where it does not say."""
    told = state.with_outcome(text).replace(pending=None)
    if found.way is not None:
        return (yield from _to_part(state, at, units, found.way, text))
    if found.answer:
        yield passages_cited([(part.unit, part.first, part.last) for part in found.answer])
        yield NoteGap(GapKind.ASKED)
        return state.replace(reason="the model found an answer")
    if found.between:
        return _which(state, [part.choice for part in found.between if part.choice], text, SEVERAL)
    if found.returns:
        return (yield from task_ended(told, at.unit, units))
    if found.ended is not None:
        return questions.ended(told, found.ended)
    if found.done and not at.cases:
        return (yield from go_on(told, "the model understood that it is done"))
    if found.query:
        return (yield from _not_covered(state, at, found.query, "the model found nothing in this guide"))
    return None


def _to_part(
    state: SessionState, at: Screen, units: Sequence[LogicUnit], part: Part, text: str
) -> Plan[SessionState | None]:
    """To a place that a model named; before one that deletes, to which no outcome leads, the person is asked."""
    why = f'"{text}": as the model read the guide'
    choice = part.choice
    if choice is not None and choice.act is Act.SHOW and deletes(part.text):
        return _which(state, [choice], text, SEVERAL)
    went: SessionState | None = None
    if choice is not None:
        stated = next((case for case in at.cases if part.link is case.link or _leads_to(case, part, units)), None)
        if stated is not None and choice.act is Act.SHOW:
            choice = choice.model_copy(update={"condition": stated.link.condition})
        went = yield from take_option(state, choice, why, text, is_guess=stated is None)
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


def _which(state: SessionState, choices: Sequence[Choice], text: str, reason: str) -> SessionState:
    """Ask which of some outcomes or places a report means, what comes next and none of them beside."""
    onward = () if any(choice.act is Act.NEXT for choice in choices) else (ONWARD,)
    return ask(state.replace(reason=reason), Asked.OUTCOME, WHICH, (*choices, *onward, NONE), about=text)


def _speaking_of(report: str, units: Sequence[LogicUnit]) -> list[LogicUnit]:
    """The units of a guide that have enough of a report's words to be about it, those that have the most first."""
    words = content_words(report)
    shared = [(len(words & content_words(f"{layout.heading(unit)}\n{unit.body}")), unit) for unit in units]
    return [unit for count, unit in sorted(shared, key=lambda one: -one[0]) if count and count >= NAMED * len(words)]


def _not_covered(
    state: SessionState, at: Screen, text: str, reason: str, speaking: Sequence[LogicUnit] = ()
) -> Plan[SessionState]:
    """Nothing near: sections of a guide that speaks of it come before other guides; else it is said to be silent."""
    yield NoteGap(GapKind.NOT_COVERED)
    if state.pending is not None and state.pending.kind is Asked.SOLVED:
        return how_next(state.replace(reason=reason), state.pending)
    entries: list[Entry] = yield from retrieval.find_entries(text, 3, state.known)
    others = not_walked(entries, state)
    own = [choice for choice in at.choices if choice.act is Act.FOLLOW][:LISTED]
    sections: dict[tuple[str, ...], Choice] = {}
    for unit in speaking:
        is_step = unit.type == LogicUnitType.STEP and not ruled_out(unit, state)
        if is_step and unit.section and unit.section != at.unit.section:
            sections.setdefault(unit.section, section_choice(unit, unit.section[-1]))
    onward = (ONWARD, *guides(others)) if speaking else (*guides(others), ONWARD)
    listed = (*own, *list(sections.values())[:LISTED], *onward, STAY, HAND_OVER)
    question = WHAT_NEXT if speaking else OTHERS_MAY if others else NOT_COVERED
    return ask(state.replace(reason=reason), Asked.OUTCOME, question, listed, about=text)


def is_not_covered(state: SessionState) -> bool:
    """Whether a person is told that the guide at hand does not speak of what they reported."""
    return state.pending is not None and state.pending.question in (NOT_COVERED, OTHERS_MAY)


def none_of_them(state: SessionState) -> Plan[SessionState]:
    """None of a menu: what comes next in the guide, other guides, handing over; before any step, other words."""
    if state.step is None:
        yield NoteGap(GapKind.NO_GUIDE)
        return say(state, OTHER_WORDS, Status.UNKNOWN)
    yield NoteGap(GapKind.NONE)
    others = yield from other_guides(state, state.pending.about if state.pending is not None else "")
    return ask(state, Asked.OUTCOME, WHAT_NEXT, (ONWARD, *others, STAY, HAND_OVER))


def take_option(
    state: SessionState, choice: Choice, why: str, said: str = "", *, is_guess: bool = False
) -> Plan[SessionState]:
    """Where an option of a guide leads, with what was said of the step before."""
    told = state.with_outcome(said or in_english(choice.condition) or choice.label).replace(pending=None)
    told = told if said else told.saying(choice.condition)
    if choice.act is Act.NEXT:
        return (yield from go_past(told, why, ""))
    went = yield from take(told, choice, why, is_guess=is_guess)
    if went is None:
        yield Remark(GONE if (yield from unit_at(choice))[0] is None else ELSEWHERE)
        return state.replace(status=Status.AWAITING, pending=None) if state.trail else state
    return went.replace(reason=why)


def go_past(state: SessionState, why: str, came: str = DONE) -> Plan[SessionState]:
    """On to what comes next, past what is open."""
    is_again = state.status in ENDED
    state = reopened(state)
    told = state.with_outcome(came) if came and not is_again else state
    current, _ = yield from unit_at(told.trail[-1])
    decides = is_again or (current is not None and bool(screen_shown(told.trail[-1], current).cases))
    if decides and not is_again:
        yield NoteGap(GapKind.NONE)
    return (yield from go_on(told.replace(pending=None), why, past_decision=decides))


def reopened(state: SessionState) -> SessionState:
    """A walk that has ended stands at its last step again."""
    if state.step is not None and state.step.ending:
        last = next((step for step in reversed(state.trail) if not step.ending), state.step)
        state = state.replace(trail=(*state.trail, last))
    elif state.status not in ENDED:
        return state
    return state.replace(status=Status.AWAITING, message="", pending=None)


def how_next(state: SessionState, pending: Pending) -> SessionState:
    """Not solved: the same ways on, and none of them by itself."""
    return ask(state, Asked.OUTCOME, HOW_NEXT, [choice for choice in pending.choices if choice.act is not Act.SOLVED])
