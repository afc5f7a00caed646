"""Where a walk goes on: along links, past gates, to the next lines, into other documents and back to the caller.

Each plan takes a state and gives the state that is reached; what is seen of it is `rendering`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from thread_core import places
from thread_core.documents import cases
from thread_core.documents.promises import Role, promise
from thread_core.layout import leads_inside
from thread_core.linking import LinkState, Resolution
from thread_core.models import Link, LinkAction, LogicUnit, LogicUnitType
from thread_core.plan import Plan
from thread_core.retrieval import prerequisites
from thread_core.retrieval import retrieve as retrieval
from thread_core.retrieval.prerequisites import Policy, Verdict
from thread_core.retrieval.retrieve import Entry
from thread_core.store.requests import Resolve
from thread_core.text.words import content_words
from thread_core.walk import questions
from thread_core.walk.options import (
    Case,
    Screen,
    after_decision,
    case_of,
    line_after,
    link_of,
    reads_on,
    screen_at,
    screen_holding,
    screen_of,
    stays_inside,
)
from thread_core.walk.positions import gates, ruled_out, screen_shown, undecided, unit_at, units_of
from thread_core.walk.questions import Remark, ask, say, show
from thread_core.walk.state import Act, Asked, Choice, Position, SessionState, find, visit_count
from thread_core.walk.states import Status

ROUNDS = 3
"""How often the same outcome shows a step before the person is asked whether they go in circles."""
NOT_FOR_YOU = '"{}" needs this: {}. But {}. If that is wrong, say what is right.'
NOWHERE = "The guide says to look for this next, and no step here fits it: {}"
NOT_THERE = "This leads to {} of {}, which is not in these guides."
IN_CIRCLES = "You have seen this step {} times already. You may be going in circles: {}"


def visit(state: SessionState, at: Screen, units: Sequence[LogicUnit], why: str, **lead: object) -> Plan[SessionState]:
    """Show a screen if its unit's prerequisites admit it; skip it where they do not; ask where they are undecided.

    `lead` has `condition`, `until`, `jumped` and `is_guess` of the position.
    """
    unit = at.unit
    lead["until"] = lead.get("until") or at.until
    position = Position.of(unit, at.first, at.last, why, then=at.then, **lead)  # type: ignore[arg-type]
    verdict = prerequisites.judge_all(gates(unit, state), state.known).verdict
    if verdict is Verdict.NOT_MET:
        return (yield from _past_excluded(state, unit, units, why))
    open_gates = undecided(unit, state) if verdict is Verdict.ASK else []
    asked = next((text for text in open_gates if text not in state.left_open), None)
    if asked is not None and state.policy is Policy.ASK:
        question = prerequisites.judge(asked, state.known).question
        return ask(state, Asked.PREREQUISITE, question, questions.YES_NO, about=asked, at=position)
    if asked is not None and state.policy is Policy.DROP:
        return (yield from _past_excluded(state, unit, units, why))
    shown = visit_count(unit, at.first, position.condition, state)
    if shown >= ROUNDS:
        return ask(state, Asked.LOOP, IN_CIRCLES.format(shown, position.header), questions.ROUND, at=position)
    left = [text for text in open_gates if text in state.left_open]
    return show(state, position).replace(handed=f"it is not known whether this holds: {left[0]}" if left else "")


def _past_excluded(state: SessionState, unit: LogicUnit, units: Sequence[LogicUnit], why: str) -> Plan[SessionState]:
    """Past a unit that is not for this person; where the guide has no other, they are told why."""
    upcoming = next((one for one in _later(unit, units, state) if _is_admitted(one, state)), None)
    if upcoming is not None:
        return (yield from visit(state, screen_at(upcoming), units, why))
    judged = {text: prerequisites.judge(text, state.known).verdict for text in gates(unit, state)}
    missing = next((text for text, verdict in judged.items() if verdict is Verdict.NOT_MET), "")
    if not missing or unit.document_id in {step.document_id for step in state.trail}:
        return (yield from task_ended(state, unit, units))
    by_facts = prerequisites.judge(missing, state.known.model_copy(update={"denied": ()}))
    said = by_facts.reason if by_facts.verdict is Verdict.NOT_MET else "you said that it does not hold"
    told = NOT_FOR_YOU.format(unit.title, missing, said)
    if state.trail:
        yield Remark(told)
        current, around = yield from unit_at(state.trail[-1])
        return (yield from task_ended(state, current or unit, around or units))
    return say(state, told, Status.UNKNOWN)


def _is_admitted(unit: LogicUnit, state: SessionState) -> bool:
    """Whether a unit is for the person, as far as the policy lets in what nothing decides."""
    return not ruled_out(unit, state) and not (state.policy is Policy.DROP and undecided(unit, state))


def take(state: SessionState, choice: Choice, why: str, *, is_guess: bool = False) -> Plan[SessionState | None]:
    """Go where an option leads that stands in a guide; None where it does not stand there any more."""
    unit, units = yield from unit_at(choice)
    if unit is None:
        return None
    if choice.act is Act.SHOW:
        at = screen_of(unit, choice.first, choice.last) if choice.first else screen_at(unit)
        left = _leaving(state, unit)
        if not choice.first:
            left = left.replace(scope=_section_begun(unit, [one for one in units if one.type == unit.type]))
        return (yield from visit(left, at, units, why, condition=choice.condition, jumped=True, is_guess=is_guess))
    link, case = link_of(choice, unit), case_of(choice, unit) if choice.condition else None
    if link is None:
        return None
    is_inside = case is not None and stays_inside(unit, link)
    if is_inside and (named := _section_for(choice.condition, unit, units)) is not None:
        return (yield from visit(state, screen_at(named), units, why, condition=choice.condition, jumped=True))
    went = None if is_inside else (yield from follow(state, unit, link, units, why, is_guess=is_guess))
    if went is not None or case is None or not (is_inside or case.first):
        return went
    at = _case_screen(unit, case)
    lead = {"condition": choice.condition, "until": _at_end(case.last, at) if is_inside else 0, "is_guess": is_guess}
    return (yield from visit(_leaving(state, unit), at, units, why, **lead))


def _section_for(condition: str, unit: LogicUnit, units: Sequence[LogicUnit]) -> LogicUnit | None:
    """Where the next section begins whose heading names a finding in all of its words: "Solution: disk full"."""
    said = content_words(condition)
    later = (one for one in units if one.type == LogicUnitType.STEP and one.position > unit.position)
    elsewhere = (one for one in later if one.section and one.section != unit.section)
    return next((one for one in elsewhere if len(said) > 1 and said <= content_words(one.section[-1])), None)


def _case_screen(unit: LogicUnit, case: Case) -> Screen:
    """A case alone, and below it what follows in any case."""
    if not case.first:
        return screen_at(unit)
    following = after_decision(unit, case.last) if _all_stay_inside(unit, case) else 0
    then = (following, screen_at(unit, following).last) if following else None
    return screen_of(unit, case.first, case.last, case.link.condition, then)


def _all_stay_inside(unit: LogicUnit, case: Case) -> bool:
    """Whether no case of a decision leads away: then what stands below it follows in any case."""
    return all(stays_inside(unit, one.link) for one in screen_holding(unit, case.last).cases)


def _section_begun(unit: LogicUnit, steps: Sequence[LogicUnit]) -> tuple[str, ...]:
    """The section that begins with a unit: the highest of which it is the first step."""
    for depth in range(1, len(unit.section)):
        path = unit.section[:depth]
        if next((one for one in steps if one.section[:depth] == path), unit).id == unit.id:
            return path
    return unit.section


def _at_end(last: int, at: Screen) -> int:
    """Up to which line of a case something is left to be shown; 0 where nothing is."""
    return last if at.last < last else 0


def _leaving(state: SessionState, unit: LogicUnit) -> SessionState:
    """The state of who goes to a unit that may be another document's: it is the calling guide's, or a new one."""
    if state.step is not None and state.step.document_id == unit.document_id:
        return state
    callers = takewhile(lambda caller: caller.document_id != unit.document_id, state.callers)
    return state.replace(callers=tuple(callers), scope=())


def follow(
    state: SessionState, unit: LogicUnit, link: Link, units: Sequence[LogicUnit], why: str, *, is_guess: bool = False
) -> Plan[SessionState | None]:
    """Go where a link leads; None where that is not in this store."""
    if link.action.ends:
        return _ended_by(state, unit, link, why)
    if link.target is None:
        return (yield from _look_for(state, unit, link, why))
    resolution: Resolution = yield Resolve(link.target.document, unit.document_id)
    other: Sequence[LogicUnit] = ()
    if resolution.leads:
        is_own = resolution.document_id == unit.document_id
        other = units if is_own else (yield from units_of(resolution.document_id))
    goal = unit if leads_inside(unit, link) else places.place_in(link.target, other)
    if goal is None:
        if resolution.state is not LinkState.OUTSIDE:
            yield Remark(NOT_THERE.format(places.place_named(link.target), link.target.document or unit.document_id))
        return None
    at = _target_screen(goal, link, unit)
    lead = {"condition": link.condition, "jumped": True, "is_guess": is_guess}
    return (yield from visit(_calling(state, unit, link, why, goal), at, other or units, why, **lead))


def _target_screen(goal: LogicUnit, link: Link, source: LogicUnit) -> Screen:
    """A jump's target: of a numbered step, without the steps below to which other outcomes of the same unit jump."""
    step = link.target.step if link.target else None
    line = places.line_of_step(goal, step)
    if step is None:
        return screen_at(goal)
    others = (one.target.step for one in source.links if one.condition and one.target and one.target.step)
    beside = sorted(begun for other in others if (begun := places.line_of_step(goal, other)) > line)
    at = screen_at(goal, line)
    before = [one.last for one in goal.passages if beside and line <= one.first < beside[0]]
    return screen_of(goal, line, min(at.last, before[-1])) if before else at


def _ended_by(state: SessionState, unit: LogicUnit, link: Link, why: str) -> SessionState:
    """End it by the words of a guide."""
    status = Status.RESOLVED if link.action is LinkAction.RESOLVED else Status.ESCALATED
    line = (unit.line_in_body(link.evidence.start) if link.evidence else None) or 1
    end = Position.of(unit, line, line, why, link.condition, ending=True)
    return say(state.replace(trail=(*state.trail, end)), "", status)


def _look_for(state: SessionState, unit: LogicUnit, link: Link, why: str) -> Plan[SessionState | None]:
    """Go where a link's query leads; None, and a remark, where nothing has to do with it."""
    goal: Entry | None = yield from retrieval.find_goal(link, unit, state.known)
    if goal is None:
        if link.evidence is not None:  # the guide's words; a model's are not shown
            yield Remark(NOWHERE.format(link.query))
        return None
    called = _calling(state, unit, link, why, goal.unit)
    lead = {"condition": link.condition, "jumped": True}
    return (yield from visit(called, screen_at(goal.unit), goal.document, why, **lead))


def _calling(state: SessionState, unit: LogicUnit, link: Link, why: str, goal: LogicUnit) -> SessionState:
    """With the step at hand waiting for the return where the goal is in another document; in a circle it waits once."""
    if goal.document_id == unit.document_id or state.step is None:
        return _leaving(state, goal)
    waiting = state.step.model_copy(update={"why": why})
    others = tuple(caller for caller in state.callers if caller.document_id not in (unit.document_id, goal.document_id))
    return state.replace(callers=(*others, waiting), scope=())


def go_on(
    state: SessionState, why: str, *, past_decision: bool = False, follows_links: bool = True
) -> Plan[SessionState]:
    """Go to what comes after the step at hand: where an unconditional link leads, else the next lines or units."""
    step = state.step
    assert step is not None
    current, units = yield from unit_at(step)
    if current is None:
        return (yield from past_removed(state, step, units))
    at = screen_shown(step, current)
    is_passed = past_decision and at.onward is not None and at.onward.action is LinkAction.CROSS
    if at.onward is not None and follows_links and not is_passed:
        went = yield from follow(state, current, at.onward, units, why)
        if went is not None:
            return went
    if (at.ends and not past_decision) or _only_decides(current):
        return (yield from task_ended(state, current, units))
    if (further := _rest_of_unit(step, current, at)) is not None:
        if _is_beside_branch(state, current, further.first, units):
            return questions.goes_on_below(state, current, further.first, further.last)
        return (yield from visit(state, further, units, why, until=_at_end(step.until, further)))
    return (yield from _next_unit(state, current, units, why))


def _only_decides(unit: LogicUnit) -> bool:
    """Whether a unit says of cases alone where they lead, as a question in a drawing does: what is below is another."""
    return unit.rewritten and bool(unit.links) and all(link.condition for link in unit.links)


def _rest_of_unit(step: Position, unit: LogicUnit, at: Screen) -> Screen | None:
    """What a unit goes on with: the rest of the case at hand, else what stands below the decision."""
    if at.last < step.until and 0 < (line := line_after(unit, at.last)) <= step.until:
        return screen_of(unit, line, step.until, step.condition)
    shown = at.then[1] if at.then else max(at.last, step.until)
    took_a_case = bool(step.condition) and not step.jumped and at.then is None
    following = after_decision(unit, shown) if took_a_case else line_after(unit, shown)
    return screen_at(unit, following) if following else None


def _next_unit(state: SessionState, current: LogicUnit, units: Sequence[LogicUnit], why: str) -> Plan[SessionState]:
    upcoming = next((one for one in _later(current, units, state) if not ruled_out(one, state)), None)
    if upcoming is None or not _is_within(upcoming, state.scope) or _is_appended(upcoming, current):
        return (yield from task_ended(state, current, units))
    if case_sections := _cases_from(upcoming, current, units):
        return questions.which_case(state, case_sections)
    if not reads_on(current, upcoming) or _is_beside_branch(state, upcoming, 1, units):
        return questions.goes_on_with(state, current, upcoming, units)
    return (yield from visit(state, screen_at(upcoming), units, why))


def _later(unit: LogicUnit, units: Sequence[LogicUnit], state: SessionState) -> Iterator[LogicUnit]:
    """What a reader goes on with after a unit, without cases beside the one that is read."""
    own = cases.case_of(unit.section)
    for other in units:
        if other.position > unit.position and unit.goes_on_with(other) and other.id not in state.seen:
            beside = cases.case_of(other.section)
            if not (own and beside and beside != own and beside[:-1] == own[:-1]):
                yield other


def _is_within(unit: LogicUnit, section: tuple[str, ...]) -> bool:
    return unit.section[: len(section)] == section


def _is_appended(unit: LogicUnit, after: LogicUnit) -> bool:
    """Whether a unit belongs to an appendix, and does not go on with one that is being read."""
    is_appendix = any(promise(name.partition(":")[0]) is Role.APPENDIX for name in unit.section)
    return is_appendix and not after.continues_in(unit)


def _cases_from(
    upcoming: LogicUnit, current: LogicUnit, units: Sequence[LogicUnit]
) -> dict[tuple[str, ...], LogicUnit]:
    """The sections for cases that begin with an upcoming unit, side by side, each by where it begins."""
    case = cases.case_of(upcoming.section)
    if not case or _is_within(current, case):
        return {}
    found: dict[tuple[str, ...], LogicUnit] = {}
    for unit in units:
        beside = cases.case_of(unit.section)
        if beside and beside[:-1] == case[:-1] and unit.position >= upcoming.position and unit.type == upcoming.type:
            found.setdefault(beside, unit)
    return found


def _is_beside_branch(state: SessionState, unit: LogicUnit, line: int, units: Sequence[LogicUnit]) -> bool:
    """Whether lines are where another outcome leads of the decision that led to the step at hand."""
    at = next((at for at in range(len(state.trail) - 1, 0, -1) if state.trail[at].jumped), 0)
    if not at or not state.trail[at].condition:
        return False
    source = find(state.trail[at - 1], units)
    if source is None:
        return False
    goals = set()
    for case in screen_shown(state.trail[at - 1], source).cases:
        target = case.link.target
        if target is None or target.document or stays_inside(source, case.link):
            continue
        goal = source if leads_inside(source, case.link) else places.place_in(target, units)
        if goal is not None:
            goals.add((goal.id, _target_screen(goal, case.link, source).first))
    return len(goals) > 1 and (unit.id, line) in goals


def task_ended(state: SessionState, current: LogicUnit, units: Sequence[LogicUnit]) -> Plan[SessionState]:
    """Return to the caller; else ask whether it is solved, and offer the other sections by name."""
    if state.callers:
        caller = state.callers[-1]
        back = state.replace(callers=state.callers[:-1], scope=())
        unit, around = yield from unit_at(caller)
        if unit is None:
            return (yield from task_ended(back, current, units))
        at = screen_shown(caller, unit)
        if at.cases:
            lead = {"condition": caller.condition, "until": caller.until}
            return (yield from visit(back, at, around, f"back in {unit.title}", **lead))
        at_caller = back.replace(trail=(*back.trail, caller))
        return (yield from go_on(at_caller, f"back in {unit.title}", past_decision=True))
    others = (*questions.other_sections(state, current, units), *(yield from questions.other_guides(state)))
    return questions.is_it_solved(state, current, others)


def past_removed(state: SessionState, step: Position, units: Sequence[LogicUnit]) -> Plan[SessionState]:
    """The step shown is no longer in the store: on with what is left of its document."""
    left = [unit for unit in units if unit.type == LogicUnitType.STEP and unit.id not in state.seen]
    upcoming = next((unit for unit in left if unit.place.anchor == step.place.anchor), next(iter(left), None))
    if upcoming is not None:
        return (yield from visit(state, screen_at(upcoming), units, "the step before is no longer in the store"))
    if units:
        return (yield from task_ended(state, units[-1], units))
    return say(state, "The guide that you followed is no longer in this store.", Status.UNKNOWN)
