"""Whether what a person says ends the walk, beside the ways on that it may mean."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.layout import leads_inside
from thread_core.models import LinkAction, LogicUnit
from thread_core.plan import Plan
from thread_core.text import contrast, opposites
from thread_core.text.directions import is_counted
from thread_core.text.header import unnumbered
from thread_core.text.resorts import is_routine, is_task, tells_of_fault
from thread_core.text.words import content_words
from thread_core.walking import ahead, matching, ways, weighing
from thread_core.walking.endings import is_nothing_new, only_works, sounds_solved, sounds_unsolved
from thread_core.walking.heard import Report
from thread_core.walking.matching import Match, own_words
from thread_core.walking.moving import IS_SOLVED, LAST_WORDS, ask, go, go_on, say
from thread_core.walking.replies import answer
from thread_core.walking.states import Status
from thread_core.walking.trail import Asked, Pending, SessionState
from thread_core.walking.ways import Candidate

WEAK = 0.34
"""Scores below this are asked again before one of the options of a step is followed."""
SURE = 0.6
"""A score from which a passage is followed although the words sound like an end."""


def is_told_of(best: Match | None, heard: Report) -> bool:
    """Whether the guide speaks of what was seen: the step at hand as one of its cases, or another passage for sure."""
    if best is None:
        return False
    way = best.candidate
    is_case = way.distance == 0 and way.link is not None and best.score >= WEAK
    return best.score >= SURE or is_case or matching.agrees(heard.said, heard.choices)


def _left_of_task(heard: Report) -> LogicUnit | None:
    """The next step where a task is walked, in which "that worked" is said of one step; None where a trouble is.

    Counted methods are tried in turn, and of these none is left behind one that has worked.
    """
    question, title = heard.before.question, heard.current.title
    if tells_of_fault(question) or not (is_task(question) or is_routine(title)):
        return None
    upcoming = ahead.after(heard.current, heard.units, heard.told)
    return None if upcoming is None or _is_another_method(heard.current, upcoming) else upcoming


def _is_another_method(current: LogicUnit, upcoming: LogicUnit) -> bool:
    return upcoming.section != current.section and any(map(is_counted, upcoming.section))


def _goes_on_with(current: LogicUnit, upcoming: LogicUnit) -> bool:
    """Whether the next step belongs to what the one at hand is of: by its section, or the numbers of sections."""
    return upcoming.section == current.section or any(unnumbered(name) != name for name in upcoming.section)


def _is_of_case(heard: Report) -> bool:
    """Whether it is the case that has led to the step at hand that is over, and not what was asked about."""
    case = own_words(heard.before.trail[-1].condition)
    is_of_question = not content_words(case).isdisjoint(content_words(heard.about))
    if not case or is_of_question or sounds_unsolved(case):
        return False
    return contrast.agreement(heard.said, case).sign < 0 and opposites.alike(heard.said, case)


def ends_otherwise(way: Candidate, said: str, about: str) -> bool:
    """Whether a way hands over what is said to work, or is the good end where what it is for is not what is said."""
    match way.link.action if way.link is not None else None:
        case LinkAction.ESCALATE:
            return sounds_solved(said, None) and not sounds_solved(way.condition, None)
        case LinkAction.RESOLVED:
            if is_nothing_new(said) or (sounds_unsolved(said, about) and sounds_solved(way.condition, None)):
                return True
            return not (_is_answered_by(said, way) or sounds_solved(said, about) or states(said, way) > 0)
    return False


def is_not_reached(heard: Report, way: Candidate) -> bool:
    """Whether the good end of the step at hand is what is denied, and none of its outcomes beside it may be meant."""
    if way.distance != 0 or way.link is None or way.link.action is not LinkAction.RESOLVED:
        return False
    beside = [one for one in heard.choices if one.distance == 0 and one.link not in (None, way.link) and one.condition]
    below = next((line for line, _, _ in ways.passages(heard.current) if line > way.end), way.end)
    if sounds_unsolved(heard.said, heard.about) and all(one.line > below for one in beside):
        return True
    if any(opposites.alike(one.condition, way.condition) for one in beside):
        return False
    return heard.is_again or states(heard.said, way) < 0


def states(said: str, way: Candidate) -> int:
    """Whether what was seen is what the condition of a way's link says, or its denial: 1, -1, or 0 where neither."""
    return matching.states(said, way.link.condition) if way.link is not None else 0


def _is_answered_by(said: str, way: Candidate) -> bool:
    """Whether it begins with the yes or the no that a way is for."""
    return answer(said) is not None and answer(said) is not weighing.denied(way.condition)


def _for_the_end(heard: Report) -> Candidate | None:
    """What the step at hand says to do where the problem is gone; None where a person has said so before."""
    if any(sounds_solved(said, heard.about) for said in heard.before.said):
        return None
    for way in heard.choices:
        is_stated = way.distance == 0 and way.link is not None and not way.link.action.ends
        if is_stated and sounds_solved(way.condition):
            return way
    return None


def _is_followed(best: Match, said: str, state: SessionState) -> bool:
    """Whether a way is meant although words sound like an end: it fits well, or is for that end and was not shown."""
    way = best.candidate
    if way.link is None:
        return False
    onward = way.distance == 0 and not leads_inside(way.unit, way.link)
    if sounds_solved(way.condition, None):
        return best.score >= SURE or onward or way.unit.id not in state.seen
    if sounds_unsolved(way.condition):
        return False
    named = bool(content_words(said) & content_words(way.link.condition))
    stated = matching.agrees(said, [way]) if only_works(said) else states(said, way) > 0 and not sounds_solved(said)
    return named and (best.score >= SURE or (way.distance == 0 and stated))


def whether_solved(heard: Report) -> SessionState:
    """Whether what was said means that it is solved: asked once."""
    if heard.means_yes:
        return _resolved(heard)
    return ask(heard.told, Pending(kind=Asked.SOLVED, question=IS_SOLVED, about=heard.text))


def _resolved(heard: Report) -> SessionState:
    return say(heard.told, LAST_WORDS[Status.RESOLVED], Status.RESOLVED)


def ended(heard: Report, ranked: Sequence[Match]) -> Plan[SessionState | None]:
    """The end that is told of; on where it is that of one step of a task, asked where it may be of a part alone.

    None where none is told of, or where the likeliest way is for that.
    """
    if not heard.is_solved or (ranked and _is_followed(ranked[0], heard.said, heard.before)):
        return None
    if (way := _for_the_end(heard)) is not None:
        return (yield from go(heard.told, way, heard.units, f'"{heard.text}" fits: {way.condition}'))
    upcoming = _left_of_task(heard)
    if upcoming is None and not _is_of_case(heard):
        return _resolved(heard)
    is_of_step = upcoming is not None and not heard.names_the_question and _goes_on_with(heard.current, upcoming)
    if upcoming is None or not (is_of_step or heard.means_yes):
        return whether_solved(heard)
    why = f'"{heard.text}" is said of the step before'
    return (yield from go_on(heard.told, heard.current, heard.units, why, is_guess=True))
