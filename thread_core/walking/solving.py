"""Whether what a person says ends the walk, beside the ways on that it may mean."""

from __future__ import annotations

from thread_core.layout import leads_inside
from thread_core.models import LinkAction
from thread_core.text import opposites
from thread_core.text.words import content_words
from thread_core.walking import matching, ways, weighing
from thread_core.walking.endings import is_nothing_new, only_works, sounds_solved, sounds_unsolved
from thread_core.walking.heard import Report
from thread_core.walking.matching import Match
from thread_core.walking.replies import answer
from thread_core.walking.trail import SessionState
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


def is_followed(best: Match, said: str, state: SessionState) -> bool:
    """Whether a way is meant although words sound like an end: it fits well, or is for that end and was not shown."""
    way = best.candidate
    if way.link is None:
        return False
    shown = way.unit.id in {position.unit_id for position in state.trail}
    onward = way.distance == 0 and not leads_inside(way.unit, way.link)
    if sounds_solved(way.condition, None):
        return best.score >= SURE or onward or not shown
    if sounds_unsolved(way.condition):
        return False
    named = bool(content_words(said) & content_words(way.link.condition))
    stated = matching.agrees(said, [way]) if only_works(said) else states(said, way) > 0 and not sounds_solved(said)
    return named and (best.score >= SURE or (way.distance == 0 and stated))
