"""An answer to the question that is open -> where it leads, and what each option does when it is chosen."""

from __future__ import annotations

from thread_core.plan import Plan
from thread_core.retrieval import prerequisites
from thread_core.retrieval.prerequisites import Known, Verdict
from thread_core.walk.decide import polarity, surely
from thread_core.walk.entry import asked_anew, enter_guide, start_again
from thread_core.walk.gap import GapKind, NoteGap
from thread_core.walk.navigation import go_on, visit
from thread_core.walk.positions import screen_shown, unit_at
from thread_core.walk.questions import NONE, Remark, ended, show
from thread_core.walk.reply import approves, hedges
from thread_core.walk.reporting import go_past, how_next, none_of_them, take_option
from thread_core.walk.state import Act, Asked, Choice, Pending, SessionState
from thread_core.walk.states import Event, Status


def answered(state: SessionState, pending: Pending, event: Event, text: str) -> Plan[SessionState | None]:
    """Do what an answer to the open question says; None where it is none."""
    acts = {choice.act: choice for choice in reversed(pending.choices)}
    match pending.kind:
        case Asked.PREREQUISITE:
            return (yield from _judged(state, pending, event, text))
        case Asked.APPROVAL:
            if approves(text):
                return (yield from act(state, acts[Act.RUN]))
            if event in (Event.NO, Event.DONE, Event.NEXT):
                return (yield from act(state, acts[Act.MYSELF]))
            return None if event is Event.ASK else state.saying(text)
        case Asked.LOOP:
            if event in (Event.YES, Event.NO, Event.NEXT):
                return (yield from act(state, acts[Act.AGAIN if event is Event.YES else Act.NEXT]))
        case Asked.ONWARD:
            if event in (Event.YES, Event.NEXT):
                return (yield from act(state, pending.choices[0]))
            if event in (Event.DONE, Event.UNSURE):
                return state
            if event in (Event.NO, Event.NOT_SOLVED):
                return how_next(state, pending)
        case Asked.SOLVED:
            if event in (Event.YES, Event.DONE, Event.SOLVED):
                return (yield from act(state, acts[Act.SOLVED]))
            if event is Event.NEXT:
                onward = next((choice for choice in pending.choices if choice.act is Act.SHOW), None)
                return (yield from act(state, onward)) if onward else how_next(state, pending)
            if event in (Event.NO, Event.NOT_SOLVED, Event.UNSURE):
                return how_next(state, pending)
        case Asked.GUIDE:
            if event in (Event.DONE, Event.YES, Event.NO, Event.UNSURE, Event.NOT_SOLVED):
                return state
            if event is Event.NEXT and Act.GUIDE in acts:
                return (yield from act(state, acts[Act.GUIDE]))
            return (yield from asked_anew(state, text))
        case Asked.OUTCOME:
            said = event.value if event in (Event.YES, Event.NO) else text if event is Event.REPORT else ""
            named = [choice for choice in pending.choices if choice.act is not Act.NEXT]
            meant = surely(said, named) if said else None
            if meant is not None:
                return (yield from take_option(state, meant.choice, f'"{text}": {meant.reason}', text))
            if event is Event.NO:
                return (yield from act(state, NONE))
            if event in (Event.DONE, Event.UNSURE, Event.YES) or (event is Event.REPORT and text == pending.about):
                return state
            if event is Event.NEXT and acts.keys().isdisjoint({Act.NEXT, Act.FOLLOW}):
                return state
    return None


def _judged(state: SessionState, pending: Pending, event: Event, text: str) -> Plan[SessionState | None]:
    """On where a prerequisite that was asked about holds, past its step where it does not; else it is left open."""
    verdict = Verdict.ASK
    if event is Event.YES:
        verdict = Verdict.MET
    elif event is Event.NO:
        verdict = Verdict.NOT_MET
    elif event in (Event.REPORT, Event.DONE) and text:
        verdict = prerequisites.judge(pending.about, Known(said=(text,))).verdict
        if verdict is Verdict.ASK and not hedges(text):
            verdict = {1: Verdict.MET, -1: Verdict.NOT_MET}.get(polarity(text, pending.about), Verdict.ASK)
    heard = state.replace(said=(*state.said, text)) if text else state
    if event is Event.ASK:
        return None if state.step else state
    if verdict is Verdict.ASK and event not in (Event.UNSURE, Event.NEXT):
        yield Remark("I cannot tell whether that means yes or no. Say yes, no, or that you do not know.")
        return state
    name = {Verdict.MET: "confirmed", Verdict.NOT_MET: "denied", Verdict.ASK: "left_open"}[verdict]
    known = heard.replace(pending=None, **{name: (*getattr(heard, name), pending.about)})
    return (yield from _visit_asked(known, pending))


def _visit_asked(state: SessionState, pending: Pending) -> Plan[SessionState]:
    """To the step that a question was about, whose gates are looked at again."""
    at = pending.at
    unit, units = (yield from unit_at(at)) if at is not None else (None, ())
    if at is None or unit is None:
        return (yield from start_again(state, state.question, state.said))
    lead = at.model_dump(include={"condition", "until", "jumped", "is_guess"})
    return (yield from visit(state, screen_shown(at, unit), units, at.why, **lead))


def act(state: SessionState, choice: Choice) -> Plan[SessionState]:
    """Do what an option does."""
    pending = state.pending
    at = pending.at if pending is not None else None
    match choice.act:
        case Act.FOLLOW | Act.SHOW:
            return (yield from take_option(state, choice, f"you chose: {choice.label}"))
        case Act.GUIDE:
            return (yield from enter_guide(state, choice))
        case Act.NEXT:
            if pending is not None and pending.kind is Asked.LOOP and at is not None:
                passed = show(state, at).with_outcome("", skipped=True)
                return (yield from go_on(passed, "you went on", follows_links=False))
            return (yield from go_past(state, f"you chose: {choice.label}", "none of the outcomes"))
        case Act.NONE:
            return (yield from none_of_them(state))
        case Act.STAY:
            return state.replace(status=Status.AWAITING, pending=None)
        case Act.YES | Act.NO if pending is not None:
            event = Event.YES if choice.act is Act.YES else Event.NO
            return (yield from _judged(state, pending, event, "")) or state
        case Act.AGAIN if at is not None:
            return show(state, at)
        case Act.SOLVED:
            return ended(state.with_outcome("solved"), Status.RESOLVED)
        case Act.HAND_OVER:
            yield NoteGap(GapKind.HANDED_OVER)
            return ended(state.with_outcome("you gave up"), Status.ESCALATED)
        case Act.RUN:
            approved = pending.about if pending is not None else ""
            return state.replace(status=Status.AWAITING, pending=None, approved=approved, handed="")
        case Act.MYSELF:
            return state.replace(status=Status.AWAITING, pending=None, handed="you wanted to do it yourself")
    return state
