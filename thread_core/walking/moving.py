"""Where a walk goes on: along links, past gates, into other documents and back to the caller.

Each plan takes a state and gives the state that is reached; what is shown of it is `showing`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from thread_core import places
from thread_core.answering.telling import told_in
from thread_core.branching import Branches
from thread_core.layout import leads_inside
from thread_core.linking import LinkState, Resolution
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType
from thread_core.plan import Plan
from thread_core.retrieval import prerequisites, terminology
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.prerequisites import Policy, Verdict
from thread_core.retrieval.retrieve import Entry
from thread_core.store.requests import Resolve
from thread_core.text import directions, sentences
from thread_core.walking import ahead, matching, trail, turns, ways
from thread_core.walking.showing import Remark, shown_units, unit_at, units_of, when_needed
from thread_core.walking.states import Status
from thread_core.walking.taking import asks_more
from thread_core.walking.trail import Asked, Explained, Lead, Passage, Pending, Position, SessionState
from thread_core.walking.ways import Candidate

ROUNDS = 3
"""How often the same outcome shows a step before the person is asked whether they go in circles."""
NEAREST = 3
"""Guides that are offered where nothing fits."""
NOT_FOR_YOU = '"{}" needs this: {}. But {}. If that is wrong, say what is right.'
OTHERS = "What else fits your question is listed; choose it by its number."
NO_OTHER = "Nothing else here fits your question."
LAST_WORDS = {
    Status.RESOLVED: "Good: resolved.",
    Status.ESCALATED: "Then it is not solved by this guide: hand it to somebody who knows more, with what you saw.",
}
IS_SOLVED = "Is it solved?"
NOWHERE = "No step of these guides fits what is to be looked for next: {}"
NOT_THERE = "This leads on to {} of {}, which is not in these guides."
LEFT = "done, and on with another guide"
WHICH_IS_IT = "Which of these is the case?"
NONE_OF_THEM = "Say next if none of them is."
IS_IT = "Is this the case? Say next if it is not."


def show(state: SessionState, unit: LogicUnit, line: int, units: Sequence[LogicUnit], lead: Lead) -> SessionState:
    """With a unit on the screen, from a line on."""
    first, *others = turns.shown_from(unit, line, units)
    others = [] if asks_more(unit, lead.condition, line) else others
    along = [Position.of(one, one.start, Lead(lead.why, lead.condition)) for one in others]
    steps = (Position.of(first, line, lead), *(one.model_copy(update={"along": True}) for one in along))
    blank = {"pending": None, "message": "", "ended": False, "handed": "", "approved": ""}
    return state.but(status=Status.AWAITING, trail=(*state.trail, *steps), **blank)


def explaining(before: SessionState, reached: SessionState) -> Plan[SessionState]:
    """With what the prerequisites of a new step name explained, each term once in a session."""
    step = reached.shown
    if reached.status is not Status.AWAITING or reached.message or not step or step == before.shown:
        return reached
    shown = yield from shown_units(reached)
    at_hand = yield from units_of(step[0].document_id)
    supplement = yield from terminology.explain(shown, at_hand, reached.question)
    earlier = reached.trail[: -len(step)]
    told = {one.name.casefold() for position in earlier for one in position.explained}
    documents = {unit.id: unit.document_id for unit in supplement}
    new = tuple(
        Explained(name=term.name, document_id=documents[term.unit_id], unit_id=term.unit_id)
        for term in terminology.terms(shown, supplement)
        if term.name.casefold() not in told
    )
    return reached.but(trail=(*earlier, step[0].model_copy(update={"explained": new}), *step[1:]))


def say(state: SessionState, message: str, status: Status) -> SessionState:
    """With some words on the screen and no step."""
    return state.but(status=status, message=message, pending=None, handed="", approved="")


def handed_over(state: SessionState) -> SessionState:
    """At the end, unsolved."""
    return say(state, LAST_WORDS[Status.ESCALATED], Status.ESCALATED)


def offer(state: SessionState, entries: Sequence[Entry], message: str) -> SessionState:
    """Say that nothing fits, and offer the nearest guides."""
    offered = tuple(dict.fromkeys(entry.unit.document_id for entry in entries[:NEAREST]))
    if offered:
        message += " The nearest guides are listed; choose one by its number."
    return say(state.but(documents=offered), message, Status.UNKNOWN)


def ask(state: SessionState, pending: Pending) -> SessionState:
    """With a question on the screen."""
    return state.but(status=Status.ASKING, pending=pending, message="", handed="", approved="")


def ask_prerequisite(state: SessionState, at: Position, prerequisite: str, question: str) -> SessionState:
    """With the question that decides whether a unit applies."""
    asked = Pending(kind=Asked.PREREQUISITE, question=question, about=prerequisite, at=at)
    return ask(state, asked).but(ended=False)


def visit(
    state: SessionState, unit: LogicUnit, line: int, units: Sequence[LogicUnit], lead: Lead
) -> Plan[SessionState]:
    """Show a unit if its prerequisites admit it; skip it where they do not; ask where they are undecided."""
    at: LogicUnit | None = unit
    missing = None
    while at is not None:
        gates, undecided = ahead.gates(at), ahead.undecided(at, state)
        judgement = prerequisites.judge_all(gates, state.known)
        is_open = judgement.verdict is Verdict.ASK
        asked = next((text for text in undecided if text not in state.left_open), None)
        if judgement.verdict is Verdict.MET or (is_open and (state.policy is Policy.KEEP or asked is None)):
            shown = trail.rounds(at, line, lead.condition, state)
            if shown >= ROUNDS:
                return _in_circles(state, Position.of(at, line, lead), shown)
            left = [text for text in undecided if text in state.left_open]
            return show(state, at, line, units, lead).but(
                handed=f"nothing says whether this holds: {left[0]}" if left else ""
            )
        if is_open and state.policy is Policy.ASK:
            assert asked is not None
            question = prerequisites.judge(asked, state.known).question
            return ask_prerequisite(state, Position.of(at, line, lead), asked, question)
        missing = missing or next((text for text in gates if _is_missing(text, state)), None)
        at = ahead.after(at, units, state)
        line = at.start if at is not None else 0
        lead = Lead(lead.why, lead.condition, is_guess=lead.is_guess)
    return (yield from leave(state, unit, missing))


def past_unit(
    state: SessionState, unit: LogicUnit, units: Sequence[LogicUnit], why: str, missing: str | None = None
) -> Plan[SessionState]:
    """Past a unit: to what its document goes on with, else away from that; see `leave` for what is missing."""
    upcoming = ahead.after(unit, units, state)
    if upcoming is None:
        return (yield from leave(state, unit, missing))
    return (yield from visit(state, upcoming, upcoming.start, units, Lead(why)))


def _is_missing(prerequisite: str, state: SessionState) -> bool:
    return prerequisites.judge(prerequisite, state.known).verdict is Verdict.NOT_MET


def leave(state: SessionState, unit: LogicUnit, missing: str | None) -> Plan[SessionState]:
    """Away from a guide of which nothing more is for the person, who is told why where they have seen nothing of it.

    Where they have seen nothing at all, the guides that fit next are offered, and words of theirs begin anew.

    Args:
        state: Where the walk stands.
        unit: Any of the guide.
        missing: The prerequisite that is not met, if that is why.
    """
    if missing is None or unit.document_id in {step.document_id for step in state.trail}:
        return (yield from after_document(state))
    by_facts = prerequisites.judge(missing, state.known.model_copy(update={"denied": ()}))
    said = by_facts.reason if by_facts.verdict is Verdict.NOT_MET else "you said that it does not hold"
    why = NOT_FOR_YOU.format(unit.title, missing, said)
    if state.trail:
        yield Remark(why)
        return (yield from after_document(state))
    _, others = yield from _other_guide(state)
    return say(state.but(documents=others), f"{why} {OTHERS if others else NO_OTHER}", Status.UNKNOWN)


def _in_circles(state: SessionState, at: Position, shown: int) -> SessionState:
    question = f"This step was shown {shown} times already, so it may lead in circles: {at.header}"
    return ask(state, Pending(kind=Asked.LOOP, question=question, at=at))


def follow(
    state: SessionState, unit: LogicUnit, link: Link, units: Sequence[LogicUnit], lead: Lead
) -> Plan[SessionState | None]:
    """Go where a link leads; None where that is not in this store."""
    lead = lead._replace(condition=link.condition)
    if link.action.ends:
        status = Status.RESOLVED if link.action is LinkAction.RESOLVED else Status.ESCALATED
        cited = link.evidence or unit.body_spans[0]
        end = Position.of(unit, cited.start, Lead(lead.why, link.condition)).model_copy(update={"ending": True})
        return say(state.but(trail=(*state.trail, end)), "", status)
    if leads_inside(unit, link):
        step = link.target.step if link.target else None
        line = link.evidence.start if link.evidence and step is None else ways.line_of(unit, step)
        return (yield from visit(state, unit, line, units, lead._replace(within=_is_within(state, unit, link))))
    if link.target is None:
        return (yield from _look_for(state, unit, link, lead))
    resolution: Resolution = yield Resolve(link.target.document, unit.document_id)
    other: Sequence[LogicUnit] = ()
    if resolution.leads:
        other = units if resolution.document_id == unit.document_id else (yield from units_of(resolution.document_id))
    goal = places.place_in(link.target, other)
    if goal is None and resolution.state is not LinkState.OUTSIDE:
        yield Remark(NOT_THERE.format(places.place_named(link.target), link.target.document or unit.document_id))
    if goal is None or (goal.id in state.seen and not link.condition):
        return None
    called = calling(state, unit, lead.why, goal)
    return (yield from visit(called, goal, ways.line_of(goal, link.target.step), other, lead))


def _look_for(state: SessionState, unit: LogicUnit, link: Link, lead: Lead) -> Plan[SessionState | None]:
    """Go where a link's query leads; None, and a remark, where nothing has to do with it."""
    goal: Entry | None = yield from retrieval.find_goal(link, unit, state.known)
    if goal is None:
        yield Remark(NOWHERE.format(link.query))
        return None
    called = calling(state, unit, lead.why, goal.unit)
    return (yield from visit(called, goal.unit, goal.unit.start, goal.document, lead))


def calling(state: SessionState, unit: LogicUnit, why: str, goal: LogicUnit) -> SessionState:
    """With a unit that waits for the return where the goal is in another document; in a circle it waits once."""
    if goal.document_id == unit.document_id:
        return state
    others = (caller for caller in state.callers if caller.unit_id != unit.id)
    return state.but(callers=(*others, Position.of(unit, unit.start, Lead(why))))


def go(
    state: SessionState,
    choice: Candidate,
    units: Sequence[LogicUnit],
    why: str,
    besides: Sequence[Candidate] = (),
    *,
    is_guess: bool = False,
) -> Plan[SessionState]:
    """Where a passage leads: to the remedy that it names, where its link leads, or to its own words."""
    link = choice.link
    quoted = Passage.of_link(link, choice.unit)
    others = tuple(Passage.of(way.unit, way.line, way.end) for way in besides)
    lead = Lead(why, choice.condition, quoted, others, is_guess=is_guess)
    cure = matching.remedy(choice, units)
    if cure is not None:
        dealt_with = lead._replace(why=f"{why}; this is how it is dealt with")
        return (yield from visit(state, cure, cure.start, units, dealt_with))
    if link is not None and not leads_inside(choice.unit, link):
        went = yield from follow(state, choice.unit, link, units, lead)
        if went is not None:
            return went
    within = link is not None and _is_within(state, choice.unit, link)
    line = choice.unit.start if _passes_steps(state, choice, units) else choice.line
    return (yield from visit(state, choice.unit, line, units, lead._replace(within=within)))


def _passes_steps(state: SessionState, choice: Candidate, units: Sequence[LogicUnit]) -> bool:
    """Whether who is led into another section at a passage would pass over what is to be done there in any case."""
    unit = choice.unit
    current = trail.find(state.trail[-1], units) if state.trail else None
    begun = current is not None and unit.section == current.section
    if begun or unit.rewritten or unit.id in state.seen:
        return False
    told = told_in(turns.body_from(unit, unit.start, choice.line - 1)) if choice.line > unit.start else ()
    firsts = [next((sentence.text for sentence in sentences.cut(one.text)), "") for one in told]
    stated = [link.condition for link in unit.links if link.condition]
    return any(not any(case in first for case in stated) for first in firsts)


def _is_within(state: SessionState, unit: LogicUnit, link: Link) -> bool:
    """Whether a link goes on within the step at hand; "repeat step 2" begins it again."""
    begins_again = link.target is not None and link.target.step is not None
    return not begins_again and bool(state.trail) and state.trail[-1].unit_id == unit.id


def go_on(
    state: SessionState, current: LogicUnit, units: Sequence[LogicUnit], why: str, *, is_guess: bool = False
) -> Plan[SessionState]:
    """The step after the current one: where an unconditional link leads, else the next in the document."""
    lead = Lead(why, is_guess=is_guess)
    if not state.ended:
        for link in current.links:
            if _goes_on(link) and not leads_inside(current, link):
                went = yield from follow(state, current, link, units, lead)
                if went is not None:
                    return went
        fork = ahead.fork(current, units, state)
        if fork is not None and not state.asks(Asked.OUTCOME):
            return ask(state, Pending(kind=Asked.OUTCOME, question=_which_it_is(state, current, fork)))
        upcoming = ahead.after(current, units, state, fork.past if fork is not None else ())
        if upcoming is None and current.type != LogicUnitType.FAQ:
            upcoming = ahead.skipped(units, state)
        if upcoming is not None:
            return (yield from visit(state, upcoming, upcoming.start, units, lead))
    return (yield from after_document(state))


def _which_it_is(state: SessionState, current: LogicUnit, fork: ahead.Fork) -> str:
    """The question that is put where the ways part."""
    if fork.past and len(turns.offered(current, state.trail[-1].listed_from(current))) == 1:
        return IS_IT
    return " ".join(filter(None, (fork.asked, WHICH_IS_IT, NONE_OF_THEM if fork.past else "")))


def after_document(state: SessionState) -> Plan[SessionState]:
    """Back to the caller, else the end: say so first, then the next closest guide."""
    if state.callers:
        current, units = yield from unit_at(state.callers[-1])
        back = state.but(callers=state.callers[:-1])
        upcoming = ahead.after(current, units, back) if current is not None else None
        if upcoming is not None:
            return (yield from visit(back, upcoming, upcoming.start, units, Lead(f"back in {upcoming.title}")))
        return (yield from after_document(back))
    return (yield from _elsewhere(state))


def _elsewhere(state: SessionState) -> Plan[SessionState]:
    first, left = yield from _other_guide(state)
    if not state.ended and state.trail:
        needed = yield from when_needed(state)
        is_asked = yield from _is_to_be_solved(state, first)
        if first is not None or needed or is_asked:
            told = state.but(ended=True, documents=left)
            return say(told, " ".join(_at_the_end(first, needed, is_asked)), Status.AWAITING)
    if first is None:
        return (yield from _nothing_left(state))
    units = yield from units_of(first.document_id)
    left_behind = state.telling(LEFT) if state.ended else state
    return (yield from visit(left_behind, first, first.start, units, Lead("the guide before it has ended")))


def _other_guide(state: SessionState) -> Plan[tuple[LogicUnit | None, tuple[str, ...]]]:
    """Where the closest guide is entered that was not walked, if any; and the documents from it on."""
    linked = yield from _linked_documents(state)
    visited = {position.document_id for position in state.trail}
    known = dict.fromkeys((*state.asides, *linked, *state.documents))
    others = [document_id for document_id in known if document_id not in visited]
    for number, document_id in enumerate(others):
        first = ahead.entrance((yield from units_of(document_id)), state)
        if first is not None:
            return first, tuple(others[number:])
    return None, ()


def _is_to_be_solved(state: SessionState, first: LogicUnit | None) -> Plan[bool]:
    """Whether it is asked at the end if it is solved: where it was for one trouble, or more than "done" was said."""
    unit, units = yield from unit_at(state.trail[-1])
    is_for_one_trouble = unit is not None and Branches.of(units).trouble(unit) is not None
    return is_for_one_trouble or (first is None and not state.is_done)


def _at_the_end(first: LogicUnit | None, needed: Sequence[Candidate], is_asked: bool) -> Iterator[str]:
    """What is said after a guide's last step."""
    yield "That was the last step here."
    if is_asked:
        yield IS_SOLVED
    if needed:
        named = (f"what to do if {way.condition}" if way.link else f'"{way.condition}"' for way in needed)
        yield f"Only for when it is needed, there is also: {', '.join(named)}."
    if first is not None:
        yield f"If it is not solved, the closest other guide is: {first.title}."


def _nothing_left(state: SessionState) -> Plan[SessionState]:
    if not state.trail:
        return say(state.but(documents=()), "No step of these guides applies to you.", Status.UNKNOWN)
    if not state.is_done:
        return handed_over(state)
    last = state.trail[-1]
    units = yield from units_of(last.document_id)
    title = units[0].title if units else last.header
    return say(state, f"That was the last step of {title}.", Status.RESOLVED)


def _linked_documents(state: SessionState) -> Plan[list[str]]:
    """Documents that the ones walked link to, in reading order."""
    found: list[str] = []
    for document_id in dict.fromkeys(position.document_id for position in state.trail):
        for unit in (yield from units_of(document_id)):
            for link in unit.links:
                if link.action is LinkAction.CROSS and link.target is not None and unit.type == LogicUnitType.STEP:
                    resolution: Resolution = yield Resolve(link.target.document, document_id)
                    if resolution.leads:
                        found.append(resolution.document_id)
    return list(dict.fromkeys(found))


def _goes_on(link: Link) -> bool:
    """Whether a step ends by sending the reader on, whatever came of it; a reference ("more is in ...") does not."""
    return (
        not link.condition and link.target is not None and link.evidence is not None and directions.directs(link.query)
    )
