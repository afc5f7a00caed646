"""The walk through a procedure: one step at a time, taking the branch that the outcome selects (section 3.3).

`turn` is a plan over a small state: it takes (state, event), yields what it needs to read, and returns the next
state and what the person sees. `moving` says where a walk goes on, `reporting` what an outcome means, `showing` what
is seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thread_core.errors import IllegalStep
from thread_core.linking import first_step
from thread_core.llm.asking import Spent
from thread_core.llm.prompting import Prompt
from thread_core.models import LogicUnit, LogicUnitType
from thread_core.plan import Plan, decided
from thread_core.ports import Usage
from thread_core.retrieval import prerequisites
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.prerequisites import Verdict
from thread_core.retrieval.retrieve import Entry
from thread_core.store.one_version import in_one_version
from thread_core.text import sentences
from thread_core.walking import moves, showing, states, trail, turns, ways
from thread_core.walking.execution import Action, Outcome, OutcomeKind
from thread_core.walking.guide import ChooseEntry, Chosen, Guide
from thread_core.walking.listening import asked_back, is_question, listen, several
from thread_core.walking.memory import StepMemory
from thread_core.walking.moving import (
    after_document,
    ask,
    ask_prerequisite,
    explaining,
    follow,
    go,
    go_on,
    leave,
    say,
    show,
    visit,
)
from thread_core.walking.replies import (
    answer,
    approves,
    has_tried_all,
    is_bare,
    is_yes,
    passes_by,
    passes_on,
    says_done,
    verdict_on,
)
from thread_core.walking.reporting import LAST_WORDS, NEAREST, observed, offer, recalled
from thread_core.walking.showing import EDITED, Remark, present, units_of
from thread_core.walking.states import ENDED, READING, STEPPED, Event, Status
from thread_core.walking.trail import Asked, Lead, Pending, Position, SessionState
from thread_core.walking.turns import Ran, Turn

CANDIDATES = 2
"""Documents that a question leads to: the best one, and the next when that has ended."""
UNKNOWN = "Nothing in this store fits the question. Try other words, or name the product, the alert or the error."
SEVERAL = "Several guides are about that. First: {}. After it: {}."
FIRST = "There is nothing before this to go back to."
NO_STEP = "There is no step here to skip."
ONE = "Choose one of them, by its number or in its words; say next for what comes after."
STILL_YOURS = "you wanted to do it yourself"


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
    is_option = event is Event.HAND_OVER and _named((yield from showing.options(state)), text) is not None
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
    first = trail.entrance(units, reached)
    left = reached.but(asides=tuple(more))
    if first is None or document_id in {position.document_id for position in reached.trail}:
        return left
    yield Remark((yield from present(reached)).text)
    return (yield from visit(left, first, first.start, units, Lead("it is for what you said besides")))


def _moved(state: SessionState, event: Event, text: str) -> Plan[SessionState]:
    if state.status in ENDED and event in (Event.NEXT, Event.REPORT) and moves.is_closing(text):
        return state
    match event:
        case Event.START:
            return (yield from _start(SessionState(id=state.id, turn=state.turn, policy=state.policy), text))
        case Event.RESTART:
            return (yield from _restart(state))
        case Event.BACK:
            return (yield from _back(state))
        case Event.HAND_OVER:
            return _given_up(state)
        case Event.NEXT if not _is_answer(state, text):
            offered = yield from showing.options(state)
            chosen = _named(offered, text)
            if chosen is not None:
                return (yield from _choose(state, chosen))
            return (yield from _said(state, text) if offered and moves.may_be_seen(text) else _next(state, text))
        case Event.SKIP:
            return (yield from _skip(state))
        case Event.CHOOSE:
            return (yield from _choose(state, int(text)))
        case Event.REPORT if has_tried_all(text):
            return (yield from _nothing_left_to_try(state, text))
        case _:
            return (yield from _said(state, text or _by_enter(state)))


def _is_answer(state: SessionState, text: str) -> bool:
    """Whether "yes" or "ok" answers what is asked, where it may mean "done" as well."""
    if state.asks(Asked.APPROVAL):
        return not passes_by(text)
    asks_again = state.asks(Asked.LOOP) and (is_bare(text) or approves(text) or not text)
    return state.asks(Asked.PREREQUISITE) or asks_again


def _by_enter(state: SessionState) -> str:
    """What an empty line says at a question: it runs nothing, and confirms nothing."""
    return "no" if state.asks(Asked.APPROVAL) else "next" if state.asks(Asked.PREREQUISITE) else "yes"


# -- events --------------------------------------------------------------------------------------------------------


def _start(state: SessionState, question: str) -> Plan[SessionState]:
    """Where a question enters the documents."""
    state = state.but(question=question, said=state.said or (question,))
    chosen: Chosen | None = yield ChooseEntry(question, state.known)
    if chosen is not None:
        return (yield from _enter(state, chosen))
    facts = prerequisites.Known(said=state.said)
    entries: list[Entry] = yield from retrieval.find_entries(question, max(CANDIDATES, NEAREST), facts)
    if not retrieval.fit(entries):
        return offer(state, entries, UNKNOWN)
    first, *others = entries[:CANDIDATES]
    state = state.but(documents=tuple(entry.unit.document_id for entry in others if retrieval.fit([entry])))
    if asked := (yield from several(question)):
        first, *more = asked
        state = state.but(asides=tuple(entry.unit.document_id for entry in more))
        titles = ", ".join(entry.unit.title for entry in more)
        yield Remark(SEVERAL.format(first.unit.title, titles))
    start = _begun(first, state)
    return (yield from visit(state, start, start.start, first.document, Lead("it fits the question best")))


def _begun(entry: Entry, state: SessionState) -> LogicUnit:
    """Where a guide is begun: where no step of it is for the person, at the first, so that they are told why."""
    steps = [unit for unit in entry.document if unit.type == LogicUnitType.STEP]
    return steps[0] if steps and all(trail.ruled_out(unit, state) for unit in steps) else entry.unit


def _restart(state: SessionState) -> Plan[SessionState]:
    """The same question, with what was learned about the person's surroundings."""
    kept = {"confirmed": state.confirmed, "denied": state.denied}
    return (yield from _start(SessionState(id=state.id, turn=state.turn, policy=state.policy, **kept), state.question))


def _enter(state: SessionState, chosen: Chosen) -> Plan[SessionState]:
    """Begin at the first unit that a model chose, or with what it wants to know before."""
    selection = chosen.selection
    if not selection.units:
        return offer(state, chosen.entries, UNKNOWN)
    first, *others = chosen.entries
    met = tuple(text for text in selection.met if prerequisites.decidable(text))
    entered = state.but(
        documents=tuple(dict.fromkeys(entry.unit.document_id for entry in others)),
        confirmed=tuple(dict.fromkeys((*state.confirmed, *met))),
    )
    lead = Lead("the model chose it for the question")
    for one in selection.open:
        if one.unit_id == first.unit.id:
            question = f"{one.question} (What must hold: {one.prerequisite})"
            return ask_prerequisite(
                entered, Position.of(first.unit, first.unit.start, lead), one.prerequisite, question
            )
    return (yield from visit(entered, first.unit, first.unit.start, first.document, lead))


def _next(state: SessionState, text: str) -> Plan[SessionState]:
    """Done: on to what comes next."""
    if not state.trail:
        return (yield from _start_again(state, state.question))
    came = "not run" if state.asks(Asked.APPROVAL) and not says_done(text) else "done"
    return (yield from _past(state.telling(came), "you went on"))


def _past(state: SessionState, why: str) -> Plan[SessionState]:
    """Past the step at hand, or past the one that was asked about."""
    asked = state.pending.at if state.pending is not None else None
    here = asked or state.trail[-1]
    units = yield from units_of(here.document_id)
    current = trail.find(here, units)
    free = state.but(pending=None)
    if current is None:
        return (yield from _past_removed(free, units, state.question))
    if asked is None or state.asks(Asked.LOOP):
        return (yield from go_on(state if state.asks(Asked.OUTCOME) else free, current, units, why))
    upcoming = trail.after(current, units, free)
    if upcoming is None:
        return (yield from after_document(free))
    return (yield from visit(free, upcoming, upcoming.start, units, Lead(why)))


def _skip(state: SessionState) -> Plan[SessionState]:
    """Not done: on all the same. A question that is skipped leaves its step out and decides nothing."""
    if state.status not in STEPPED:
        yield Remark(NO_STEP)
        return state
    if not state.trail and state.pending is None:
        return (yield from _start_again(state, state.question))
    told = state if state.pending is not None else state.telling("", skipped=True)
    return (yield from _past(told, "you went past the step before"))


def _given_up(state: SessionState) -> SessionState:
    return say(state.telling("it was given up"), LAST_WORDS[Status.ESCALATED], Status.ESCALATED)


def _nothing_left_to_try(state: SessionState, text: str) -> Plan[SessionState]:
    """To whom the guide says to call, else to what it says after this, else given up."""
    if not state.trail:
        return _given_up(state)
    here = state.trail[-1]
    units = yield from units_of(here.document_id)
    current = trail.find(here, units)
    shown = {position.unit_id for position in state.trail}
    way = ways.to_call(current, units, shown) if current is not None else None
    told = state.but(pending=None).telling(text, said=text)
    if way is not None:
        return (yield from go(told, way, units, f'"{text}"'))
    if current is not None and trail.after(current, units, told) is not None:
        return (yield from go_on(told, current, units, f'"{text}", and this is left'))
    return _given_up(told)


def _past_removed(state: SessionState, units: Sequence[LogicUnit], question: str) -> Plan[SessionState]:
    """The step shown is no longer in the store: on with what is left of its document, else with the question again."""
    shown = {position.unit_id for position in state.trail}
    left = [unit for unit in units if unit.type == LogicUnitType.STEP and unit.id not in shown]
    line = state.trail[-1].line if state.trail else 0
    upcoming = next((unit for unit in left if unit.start >= line), None) or trail.skipped(units, state)
    if upcoming is not None:
        lead = Lead("the step before is no longer in the store")
        return (yield from visit(state, upcoming, upcoming.start, units, lead))
    if units:
        return (yield from after_document(state))
    yield Remark("The guide that you followed is no longer in this store.")
    return (yield from _start_again(state, question))


def _start_again(state: SessionState, question: str, said: tuple[str, ...] = ()) -> Plan[SessionState]:
    return (yield from _start(SessionState(id=state.id, turn=state.turn, policy=state.policy, said=said), question))


def _choose(state: SessionState, number: int) -> Plan[SessionState]:
    offered = yield from showing.options(state)
    if not 1 <= number <= len(offered):
        known = f"1 to {len(offered)}" if offered else "none here"
        yield Remark(f"There is no option {number} (options: {known}). Say what you see, or next.")
        return state
    match state.pending.kind if state.pending else None:
        case Asked.PREREQUISITE:
            return (yield from _answered(state, "yes" if number == 1 else "no"))
        case Asked.LOOP:
            return (yield from _rounds(state, number))
        case Asked.APPROVAL:
            return (
                _approved(state) if number == 1 else state.but(status=Status.AWAITING, pending=None, handed=STILL_YOURS)
            )
    if state.status is Status.UNKNOWN:
        return (yield from _offered_guide(state, state.documents[number - 1]))
    if state.ended and number == 1:
        return say(state, "Good.", Status.RESOLVED)
    here = state.trail[-1]
    units = yield from units_of(here.document_id)
    current = trail.find(here, units)
    assert current is not None
    if state.ended:
        needed = yield from showing.when_needed(state)
        if number > 1 + len(needed):
            return (yield from go_on(state, current, units, "you chose to go on"))
        way = needed[number - 2]
        return (yield from go(state.but(ended=False), way, units, f'you chose "{way.condition}"'))
    link = turns.offered(current)[number - 1]
    told = state.telling(link.condition, said="" if link.condition.startswith("not: ") else link.condition)
    went = yield from follow(told, current, link, units, Lead(f'you chose "{link.condition}"'))
    return went or (yield from go_on(told, current, units, "that option leads nowhere in this store"))


def _offered_guide(state: SessionState, document_id: str) -> Plan[SessionState]:
    units = yield from units_of(document_id)
    first = first_step(units)
    if first is None:
        return say(state, "That guide is no longer in the store.", Status.UNKNOWN)
    return (yield from visit(state, first, first.start, units, Lead(f"you chose {first.title}")))


def _said(state: SessionState, text: str) -> Plan[SessionState]:
    """Words: an option's own, the answer to a question, or what the person saw."""
    offered = yield from showing.options(state)
    chosen = _named(offered, text)
    if chosen is not None and not state.asks(Asked.PREREQUISITE):
        return (yield from _choose(state, chosen))
    if len(offered) > 1 and moves.picks_several(text) and not state.asks(Asked.PREREQUISITE):
        yield Remark(ONE)
        return state
    if (state.trail or state.pending is not None) and is_question(text, offered):
        return (yield from asked_back(state, text))
    if state.asks(Asked.PREREQUISITE):
        return (yield from _answered(state, text))
    if state.asks(Asked.LOOP) and is_bare(text):
        return (yield from _choose(state, 1 if is_yes(text) else 2))
    if state.asks(Asked.APPROVAL) and (approves(text) or is_bare(text)):
        return (yield from _choose(state, 1 if approves(text) else 2))
    if not state.trail:
        return (yield from _start_again(state, f"{state.question} {text}".strip(), (*state.said, text)))
    here = state.trail[-1]
    units = yield from units_of(here.document_id)
    current = trail.find(here, units)
    if current is None:
        told = state.but(pending=None).telling(text, said=text)
        return (yield from _past_removed(told, units, f"{state.question} {text}"))
    return (yield from listen(state, text, current, units))


def _named(offered: Sequence[str], text: str) -> int | None:
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
    if len(options) == 2 and options[1] == f"not: {options[0]}":
        answers = [True, False]
    return answers.index(said) + 1 if said is not None and answers.count(said) == 1 else None


def _answered(state: SessionState, text: str) -> Plan[SessionState]:
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
    units = yield from units_of(at.document_id)
    unit = trail.find(at, units)
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
        return (yield from _enter(state, chosen))
    if unit is None:
        return (yield from after_document(state))
    upcoming = trail.after(unit, units, state)
    if upcoming is None:
        return (yield from leave(state, unit, prerequisite))
    lead = Lead(f"this does not hold: {prerequisite}")
    return (yield from visit(state, upcoming, upcoming.start, units, lead))


def _rounds(state: SessionState, number: int) -> Plan[SessionState]:
    """The answer to whether to go round once more."""
    assert state.pending is not None and state.pending.at is not None
    at = state.pending.at
    free = state.but(pending=None)
    if number == 3:
        return say(free, LAST_WORDS[Status.ESCALATED], Status.ESCALATED)
    if number == 2:
        return (yield from _past(state, "you chose not to go round again"))
    units = yield from units_of(at.document_id)
    unit = trail.find(at, units)
    return show(free, unit, at.line_in(unit), units, at.lead) if unit is not None else (yield from after_document(free))


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


# -- executors -----------------------------------------------------------------------------------------------------


def _executed(
    state: SessionState, outcome: Outcome | None, *, is_edited: bool
) -> Plan[tuple[SessionState, tuple[Ran, ...]]]:
    """What came of handing the step to an executor: on by itself where that is clear, else it is the person's."""
    action = yield from due(state)
    if outcome is None or action is None:
        raise IllegalStep("take an outcome in", state.status, "ask `due` for an action first, and give its outcome")
    ran = Ran(header=action.header, commands=action.commands, outcome=outcome)
    said = (ran,) if outcome.text or outcome.kind is not OutcomeKind.HANDED else ()
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
    here = state.trail[-1]
    units = yield from units_of(here.document_id)
    current = trail.find(here, units)
    assert current is not None
    return (yield from observed(done, outcome.text, current, units)), said


def _approved(state: SessionState) -> SessionState:
    """With the leave to run what was asked about, to the letter."""
    assert state.pending is not None
    return state.but(status=Status.AWAITING, pending=None, approved=state.pending.about)
