"""The walk through a procedure: one step at a time, taking the branch that the outcome selects.

`turn` is a plan over a small state: it takes (state, event), yields what it needs to read, and returns the next
state and what the person sees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thread_core import directions, layout, linking, outcomes, prerequisites, retrieval, states, trail, turns
from thread_core.asking import Spent
from thread_core.errors import IllegalStep
from thread_core.guide import ChooseEntry, ChooseWay, Chosen, Guide
from thread_core.layout import leads_inside
from thread_core.library import ReadDocument, Resolve
from thread_core.linking import Resolution
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType, Span
from thread_core.outcomes import Candidate, Match
from thread_core.plan import Plan, decided
from thread_core.ports import Stored, Usage
from thread_core.prerequisites import Verdict
from thread_core.prompting import Prompt
from thread_core.querying import Next
from thread_core.replies import is_bare, sounds_solved, verdict_on
from thread_core.retrieval import Entry
from thread_core.states import Event, Status
from thread_core.trail import Position, SessionState
from thread_core.turns import Turn

CANDIDATES = 2
"""Documents that a question leads to: the best one, and the next when that has ended."""
NEAREST = 3
"""Guides that are offered where nothing fits."""
WEAK = 0.34
"""Outcome scores below this are asked again before they are followed."""
SOLVED = "It is solved"
UNSURE = 0.5
"""Outcome scores below this may mean that the next step is due."""
CLOSE = 0.2
"""Other ways on that fit nearly as well, by this much, are shown below the first."""
WHICH = "I cannot tell which of these you mean:"
ELSE = "I cannot tell where that leads. Say it in other words, or say next."
ENDED = {
    Status.RESOLVED: "Good: resolved.",
    Status.ESCALATED: "Then it is not solved by this guide: hand it to somebody who knows more, with what you saw.",
}
SURE = 0.6
"""A score from which a passage is followed although the words sound like an end."""


def turn(
    state: SessionState, event: Event, text: str = "", prompts: Mapping[str, Prompt] | None = None
) -> Plan[tuple[SessionState, Turn]]:
    """One turn. A model decides where there is one for the role; see `guide`.

    Args:
        state: Where the walk stands.
        event: What the person does.
        text: The question, the option's number, or what they say.
        prompts: The user's own instead of the package's: `select`, `next`.

    Raises:
        IllegalStep: the event does not fit the state, which stays as it was.
    """
    states.check(state.status, event)
    guide = Guide(prompts, spent=state.spent)
    reached, shown = yield from decided(_turn(state, event, text), guide.decide)
    states.arrive(state.status, event, shown.status)
    usage: Usage = yield Spent()
    noted = reached.model_copy(update={"notes": guide.notes, "spent": guide.spent})
    return noted, shown.model_copy(update={"notes": guide.notes, "usage": usage})


def _turn(state: SessionState, event: Event, text: str) -> Plan[tuple[SessionState, Turn]]:
    match event:
        case Event.START:
            return (yield from _start(text))
        case Event.BACK:
            return (yield from _back(state))
        case Event.NEXT:
            if _asks_prerequisite(state):
                return (yield from _answered(state, text or "yes"))
            return (yield from _next(state, "you went on"))
        case Event.CHOOSE:
            return (yield from _choose(state, int(text)))
        case Event.REPORT:
            return (yield from (_answered(state, text) if _asks_prerequisite(state) else _said(state, text)))


# -- events --------------------------------------------------------------------------------------------------------


def _start(question: str) -> Plan[tuple[SessionState, Turn]]:
    state = SessionState(question=question, said=(question,))
    chosen: Chosen | None = yield ChooseEntry(question, state.known)
    if chosen is not None:
        return (yield from _enter(state, chosen))
    entries: list[Entry] = yield from retrieval.find_entries(question, max(CANDIDATES, NEAREST))
    if not retrieval.fit(entries):
        return _unknown(state, entries)
    others = tuple(entry.unit.document_id for entry in entries[1:CANDIDATES])
    state = state.model_copy(update={"documents": others})
    first = entries[0]
    return (yield from _visit(state, first.unit, first.unit.start, first.document, "it fits the question best"))


def _enter(state: SessionState, chosen: Chosen) -> Plan[tuple[SessionState, Turn]]:
    """Begin at the first unit that a model chose, or with what it wants to know before."""
    selection = chosen.selection
    if not selection.units:
        return _unknown(state, chosen.entries)
    first, *others = chosen.entries
    met = tuple(text for text in selection.met if prerequisites.decidable(text))
    entered = state.model_copy(
        update={
            "documents": tuple(dict.fromkeys(entry.unit.document_id for entry in others)),
            "confirmed": tuple(dict.fromkeys((*state.confirmed, *met))),
        }
    )
    why = "the model chose it for the question"
    pending = Position.of(first.unit, first.unit.start, why)
    for one in selection.open:
        if one.unit_id == first.unit.id:
            asked = f"{one.question} (What must hold: {one.prerequisite})"
            return _ask(entered, pending, first.unit, one.prerequisite, asked)
    return (yield from _visit(entered, first.unit, first.unit.start, first.document, why))


def _next(state: SessionState, why: str) -> Plan[tuple[SessionState, Turn]]:
    """The step after the current one: where an unconditional link leads, else the next in the document."""
    if not state.trail:
        return (yield from _start(state.question))
    here = state.trail[-1]
    units = yield from _units(here.document_id)
    current = trail.find(here, units)
    if current is None:
        return (yield from _past_removed(state, units, state.question))
    if not state.ended:
        for link in current.links:
            if _goes_on(link) and not leads_inside(current, link):
                went = yield from _follow(state, current, link, units, why)
                if went is not None:
                    return went
        upcoming = trail.after(current, units, state) or trail.skipped(units, state)
        if upcoming is not None:
            return (yield from _visit(state, upcoming, upcoming.start, units, why))
    return (yield from _after_document(state))


def _after_document(state: SessionState) -> Plan[tuple[SessionState, Turn]]:
    """Back to the caller, else the end: say so first, then the next closest guide."""
    if state.callers:
        caller = state.callers[-1]
        units = yield from _units(caller.document_id)
        current = trail.find(caller, units)
        back = state.model_copy(update={"callers": state.callers[:-1]})
        upcoming = trail.after(current, units, back) if current is not None else None
        if upcoming is not None:
            return (yield from _visit(back, upcoming, upcoming.start, units, f"back in {upcoming.title}"))
        return (yield from _after_document(back))
    return (yield from _elsewhere(state))


def _past_removed(state: SessionState, units: Sequence[LogicUnit], question: str) -> Plan[tuple[SessionState, Turn]]:
    """The step shown is no longer in the store: on with what is left of its document, else with the question again."""
    shown = {position.unit_id for position in state.trail}
    left = [unit for unit in units if unit.type == LogicUnitType.STEP and unit.id not in shown]
    upcoming = next((unit for unit in left if unit.start >= state.trail[-1].line), None) or trail.skipped(units, state)
    if upcoming is not None:
        return (yield from _visit(state, upcoming, upcoming.start, units, "the step before is no longer in the store"))
    if units:
        return (yield from _after_document(state))
    started, asked = yield from _start(question)
    text = f"The guide that you followed is no longer in this store.\n{asked.text}"
    return started, asked.model_copy(update={"text": text})


def _elsewhere(state: SessionState) -> Plan[tuple[SessionState, Turn]]:
    linked = yield from _linked_documents(state)
    visited = {position.document_id for position in state.trail}
    others = [document_id for document_id in dict.fromkeys((*linked, *state.documents)) if document_id not in visited]
    for document_id in others:
        units = yield from _units(document_id)
        first = trail.entrance(units, state)
        if first is not None:
            break
    else:
        return _nothing_left(state)
    if not state.ended and state.trail:
        told = state.model_copy(update={"ended": True, "documents": tuple(others[others.index(document_id) :])})
        text = f"That was the last step here. If it is not solved, the closest other guide is: {first.title}."
        return _say(told, text, Status.AWAITING, (SOLVED, _onward(first)))
    return (yield from _visit(state, first, first.start, units, "the guide before it has ended"))


def _nothing_left(state: SessionState) -> tuple[SessionState, Turn]:
    if not state.trail:
        nothing = state.model_copy(update={"documents": ()})
        return _say(nothing, "No step of these guides applies to you.", Status.UNKNOWN)
    return _say(state, f"That was the last step of {state.trail[-1].header.split(':')[0]}.", Status.RESOLVED)


def _onward(first: LogicUnit) -> str:
    return f"Go on with {first.title}"


def _choose(state: SessionState, number: int) -> Plan[tuple[SessionState, Turn]]:
    options = yield from _options(state)
    if not 1 <= number <= len(options):
        known = f"1 to {len(options)}" if options else "none here"
        text = f"There is no option {number} (options: {known}). Say what you see, or next."
        return _say(state, text, state.status, tuple(options))
    if _asks_prerequisite(state):
        return (yield from _answered(state, "yes" if number == 1 else "no"))
    if state.status is Status.UNKNOWN:
        units = yield from _units(state.documents[number - 1])
        first = linking.first_step(units)
        if first is None:
            return _say(state, "That guide is no longer in the store.", Status.UNKNOWN, tuple(options))
        return (yield from _visit(state, first, first.start, units, f"you chose {first.title}"))
    if state.ended:
        return _say(state, "Good.", Status.RESOLVED) if number == 1 else (yield from _next(state, "you chose to go on"))
    units = yield from _units(state.trail[-1].document_id)
    current = trail.find(state.trail[-1], units)
    assert current is not None
    link = turns.offered(current)[number - 1]
    if not link.condition.startswith("not: "):
        state = state.model_copy(update={"said": (*state.said, link.condition)})
    went = yield from _follow(state, current, link, units, f'you chose "{link.condition}"')
    return went if went is not None else (yield from _next(state, "that option leads nowhere in this store"))


def _options(state: SessionState) -> Plan[list[str]]:
    """What the person may choose from, as it was listed."""
    if _asks_prerequisite(state):
        return ["Yes", "No"]
    if state.status is Status.UNKNOWN:
        titles = []
        for document_id in state.documents:
            units = yield from _units(document_id)
            titles.append(units[0].title if units else document_id)
        return titles
    if state.ended:
        first = trail.entrance((yield from _units(state.documents[0])), state)
        return [SOLVED, _onward(first)] if first is not None else [SOLVED]
    if not state.trail:
        return []
    current = trail.find(state.trail[-1], (yield from _units(state.trail[-1].document_id)))
    return [turns.label(link) for link in turns.offered(current)] if current is not None else []


def _said(state: SessionState, text: str) -> Plan[tuple[SessionState, Turn]]:
    """Words: an option's own, or what the person saw."""
    options = [option.casefold() for option in (yield from _options(state))]
    if text.casefold() in options:
        return (yield from _choose(state, options.index(text.casefold()) + 1))
    return (yield from _report(state, text))


def _report(state: SessionState, text: str) -> Plan[tuple[SessionState, Turn]]:
    """Match what the person saw with the ways on; ask where two are equally near."""
    told = state.model_copy(update={"said": (*state.said, text)})
    if not state.trail:
        return (yield from _start(f"{state.question} {text}".strip()))
    here = state.trail[-1]
    units = yield from _units(here.document_id)
    current = trail.find(here, units)
    if current is None:
        return (yield from _past_removed(told, units, f"{state.question} {text}"))
    choices = [
        choice
        for choice in outcomes.candidates(current, units)
        if choice.unit.id == current.id or not trail.ruled_out(choice.unit, told)
    ]
    ranked = yield from outcomes.rank(text, choices)
    asking = told.model_copy(update={"asked": text, "said": state.said})
    ways = [match.candidate for match in ranked]
    found: Next | None = yield ChooseWay(text, current, ways, state.question, state.known)
    led = (yield from _led(told, found, units, text)) if found is not None else None
    if led is not None:
        return led
    if found is not None and state.asked != text:
        return (yield from _which(asking, state))
    best = ranked[0] if ranked else None
    followed = best is not None and best.score >= SURE and best.candidate.link is not None
    if sounds_solved(text) and not followed:
        return _say(told, ENDED[Status.RESOLVED], Status.RESOLVED)
    if best is None:
        return (yield from _next(told, "nothing else is said about that"))
    choice = best.candidate
    why = f'"{text}" fits: {choice.condition or choice.unit.header}'
    if turns.offered(current) and state.asked != text and (best.score < WEAK or is_bare(text)):
        return (yield from _which(asking, state))
    told = told.model_copy(update={"asked": ""})
    others = _others(ranked, choices, units, current, told)
    reached, shown = yield from _go(told, choice, units, why)
    return reached, turns.hedged(turns.quoting(shown, choice), others)


def _which(asking: SessionState, state: SessionState) -> Plan[tuple[SessionState, Turn]]:
    """Ask again what was meant, with what was offered."""
    options = tuple((yield from _options(state)))
    return _say(asking, WHICH if options else ELSE, Status.ASKING, options)


def _led(
    state: SessionState, found: Next, units: Sequence[LogicUnit], text: str
) -> Plan[tuple[SessionState, Turn] | None]:
    """Where a model says that a report leads; None where that is nowhere."""
    told = state.model_copy(update={"asked": ""})
    if found.ended is not None:
        return _say(told, ENDED[found.ended], found.ended)
    if found.way is not None:
        why = f'"{text}" was taken by the model for: {found.way.condition or found.way.unit.header}'
        reached, shown = yield from _go(told, found.way, units, why)
        return reached, turns.quoting(shown, found.way)
    if found.done:
        return (yield from _next(told, f'"{text}" was taken by the model for: done'))
    entries: list[Entry] = (yield from retrieval.find_entries(found.query, NEAREST, state.known)) if found.query else []
    seen = {position.unit_id for position in state.trail}
    goal = next((entry for entry in entries if entry.unit.id not in seen), None)
    if goal is None or not retrieval.fit(entries):
        return None
    why = f'"{text}" was taken by the model for: {found.query}'
    return (yield from _visit(told, goal.unit, goal.unit.start, goal.document, why))


def _go(
    state: SessionState, choice: Candidate, units: Sequence[LogicUnit], why: str
) -> Plan[tuple[SessionState, Turn]]:
    """Where a passage leads: to the remedy that it names, where its link leads, or to its own words."""
    cure = outcomes.remedy(choice, units)
    if cure is not None:
        dealt_with = f"{why}; this is how it is dealt with"
        return (yield from _visit(state, cure, cure.start, units, dealt_with, choice.condition))
    if choice.link is not None and not leads_inside(choice.unit, choice.link):
        went = yield from _follow(state, choice.unit, choice.link, units, why)
        if went is not None:
            return went
    return (yield from _visit(state, choice.unit, choice.line, units, why, choice.condition))


def _others(
    ranked: Sequence[Match],
    choices: Sequence[Candidate],
    units: Sequence[LogicUnit],
    current: LogicUnit,
    state: SessionState,
) -> list[Candidate]:
    """What is shown below the best match: what takes it up, the next step where it is unsure, and what fits alike."""
    best, *rest = ranked
    found = []
    if (taken_up := outcomes.taken_up(best.candidate, choices)) is not None:
        found.append(taken_up)
    upcoming = trail.after(current, units, state) if best.score < UNSURE else None
    if upcoming is not None and not trail.ruled_out(upcoming, state):
        found.append(outcomes.beginning(upcoming))
    return found + [match.candidate for match in rest if match.score >= best.score - CLOSE]


def _answered(state: SessionState, text: str) -> Plan[tuple[SessionState, Turn]]:
    """The answer to a prerequisite question: yes, no, or words that decide it. Asked once: anything else goes on."""
    assert state.pending is not None
    asked = state.asked
    answered = state.model_copy(update={"asked": "", "pending": None})
    units = yield from _units(state.pending.document_id)
    unit = trail.find(state.pending, units)
    verdict = verdict_on(asked, text)
    if not is_bare(text):
        answered = answered.model_copy(update={"said": (*state.said, text)})
    if verdict is Verdict.NOT_MET:
        answered = answered.model_copy(update={"denied": (*state.denied, asked)})
        chosen = None if state.trail else (yield ChooseEntry(state.question, answered.known))
        if chosen is not None:
            return (yield from _enter(answered, chosen))
        upcoming = trail.after(unit, units, answered) if unit is not None else None
        if upcoming is not None:
            return (yield from _visit(answered, upcoming, upcoming.start, units, f"this does not hold: {asked}"))
        return (yield from _after_document(answered))
    answered = answered.model_copy(update={"confirmed": (*state.confirmed, asked)})
    if unit is None:
        return (yield from _after_document(answered))
    return (yield from _visit(answered, unit, state.pending.line, units, state.pending.why, state.pending.condition))


def _back(state: SessionState) -> Plan[tuple[SessionState, Turn]]:
    keep: Sequence[Position] = [position for position in state.trail if not position.ending]
    if state.status is Status.AWAITING and not state.ended:
        keep = trail.without_last_turn(keep)
    if not keep:
        raise IllegalStep("go back in", state.status, "this is the first step")
    earlier_steps = trail.without_last_turn(keep)
    before = keep[len(earlier_steps)]
    units = yield from _units(before.document_id)
    unit = trail.find(before, units)
    if unit is None:
        raise IllegalStep("go back in", state.status, "the step before is no longer in the store")
    earlier = state.model_copy(update={"trail": tuple(earlier_steps), "pending": None, "asked": "", "ended": False})
    return _show(earlier, unit, before.line, units, before.why, before.condition)


# -- moving --------------------------------------------------------------------------------------------------------


def _visit(
    state: SessionState, unit: LogicUnit, line: int, units: Sequence[LogicUnit], why: str, condition: str = ""
) -> Plan[tuple[SessionState, Turn]]:
    """Show a unit if its prerequisites admit it; skip it where they do not; ask where they are undecided."""
    at: LogicUnit | None = unit
    while at is not None:
        gates = [text for text in at.prerequisites if prerequisites.decidable(text)]
        judgement = prerequisites.judge_all(gates, state.known)
        if judgement.verdict is Verdict.MET:
            return _show(state, at, line, units, why, condition)
        if judgement.verdict is Verdict.ASK:
            asked = next(text for text in gates if prerequisites.judge(text, state.known).verdict is Verdict.ASK)
            return _ask(state, Position.of(at, line, why, condition), at, asked, judgement.question)
        at = trail.after(at, units, state)
        line = at.start if at is not None else 0
    return (yield from _after_document(state))


def _follow(
    state: SessionState, unit: LogicUnit, link: Link, units: Sequence[LogicUnit], why: str
) -> Plan[tuple[SessionState, Turn] | None]:
    """Go where a link leads; None where that is not in this store."""
    if link.action in (LinkAction.RESOLVED, LinkAction.ESCALATE):
        status = Status.RESOLVED if link.action is LinkAction.RESOLVED else Status.ESCALATED
        cited = (link.evidence,) if link.evidence else unit.body_spans[:1]
        end = Position.of(unit, cited[0].start, why, link.condition).model_copy(update={"ending": True})
        shown = state.model_copy(update={"trail": (*state.trail, end)})
        said = f"{layout.heading(unit)}\n{link.query[:1].upper()}{link.query[1:]}"
        return _say(shown, said, status, unit_ids=(unit.id,), citations=(*cited, *unit.spans))
    if leads_inside(unit, link):
        step = link.target.step if link.target else None
        line = link.evidence.start if link.evidence and step is None else outcomes.line_of(unit, step)
        return (yield from _visit(state, unit, line, units, why, link.condition))
    if link.target is None:
        found = yield from _by_query(link.query, units, state)
        return (
            None
            if found is None
            else (yield from _visit(state, found[0], found[0].start, found[1], why, link.condition))
        )
    resolution: Resolution = yield Resolve(link.target.document, unit.document_id)
    if not resolution.leads:
        return None
    other = units if resolution.document_id == unit.document_id else (yield from _units(resolution.document_id))
    goal = linking.place_in(link.target, other)
    if goal is None or (goal.id in {p.unit_id for p in state.trail} and not link.condition):
        return None
    if goal.document_id != unit.document_id:
        caller = Position.of(unit, unit.start, why)
        state = state.model_copy(update={"callers": (*state.callers, caller)})
    return (yield from _visit(state, goal, outcomes.line_of(goal, link.target.step), other, why, link.condition))


def _by_query(
    query: str, units: Sequence[LogicUnit], state: SessionState
) -> Plan[tuple[LogicUnit, Sequence[LogicUnit]] | None]:
    """Where a link without a place leads: the best header, in this document first."""
    choices = [
        outcomes.Candidate(unit, unit.start, unit.start, unit.header, unit.header, 2)
        for unit in units
        if unit.type == LogicUnitType.STEP
    ]
    ranked = yield from outcomes.rank(query, choices)
    if ranked and ranked[0].score >= WEAK:
        return ranked[0].candidate.unit, units
    entries: list[Entry] = yield from retrieval.find_entries(query, 1)
    return (entries[0].unit, entries[0].document) if retrieval.fit(entries) else None


def _linked_documents(state: SessionState) -> Plan[list[str]]:
    """Documents that the ones walked link to, in reading order."""
    found: list[str] = []
    for document_id in dict.fromkeys(position.document_id for position in state.trail):
        for unit in (yield from _units(document_id)):
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


def _units(document_id: str) -> Plan[tuple[LogicUnit, ...]]:
    stored: list[Stored] = yield ReadDocument(document_id)
    return tuple(row.unit for row in stored)


# -- what the person sees ------------------------------------------------------------------------------------------


def _show(
    state: SessionState, unit: LogicUnit, line: int, units: Sequence[LogicUnit], why: str, condition: str
) -> tuple[SessionState, Turn]:
    shown = turns.shown_from(unit, line, units)
    steps = [Position.of(one, max(line, one.start), why, condition) for one in shown]
    along = [step.model_copy(update={"along": True}) for step in steps[1:]]
    moved = {"trail": (*state.trail, steps[0], *along), "pending": None, "asked": "", "ended": False}
    return state.model_copy(update={"status": Status.AWAITING, **moved}), turns.step_turn(shown, line)


def _say(
    state: SessionState,
    text: str,
    status: Status,
    options: tuple[str, ...] = (),
    unit_ids: tuple[str, ...] = (),
    citations: tuple[Span, ...] = (),
) -> tuple[SessionState, Turn]:
    return (
        state.model_copy(update={"status": status}),
        Turn(text=text, status=status, unit_ids=unit_ids, options=options, citations=citations),
    )


def _ask(
    state: SessionState, pending: Position, unit: LogicUnit, prerequisite: str, question: str
) -> tuple[SessionState, Turn]:
    """Put the question that decides whether a unit applies."""
    waiting = state.model_copy(update={"pending": pending, "asked": prerequisite, "ended": False})
    return _say(waiting, question, Status.ASKING, ("Yes", "No"), unit_ids=(unit.id,), citations=unit.spans[:1])


def _unknown(state: SessionState, nearest: Sequence[Entry]) -> tuple[SessionState, Turn]:
    """Say that nothing fits, and offer the nearest guides."""
    offered = nearest[:NEAREST]
    text = "Nothing in this store fits the question. Try other words, or name the product, the alert or the error."
    if offered:
        text += " The nearest guides are listed; choose one by its number."
    kept = state.model_copy(update={"documents": tuple(entry.unit.document_id for entry in offered)})
    return _say(kept, text, Status.UNKNOWN, tuple(entry.unit.title for entry in offered))


def _asks_prerequisite(state: SessionState) -> bool:
    return state.status is Status.ASKING and state.pending is not None
