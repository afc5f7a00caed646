"""Whether a way on is what a person may mean: followed, asked about first, for something else, or the wrong end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from thread_core.branching import Branches
from thread_core.layout import leads_inside
from thread_core.models import LinkAction, LogicUnit
from thread_core.places import place_in
from thread_core.text import contrast, opposites
from thread_core.text.denials import denies, without_denials
from thread_core.text.platforms import platforms_in
from thread_core.text.versions import mentioned
from thread_core.text.words import content_words
from thread_core.walking import ahead, concluding, matching, turns, ways, weighing
from thread_core.walking.endings import is_nothing_new, only_works, sounds_solved, sounds_unsolved
from thread_core.walking.matching import Match
from thread_core.walking.observing import CLEAR
from thread_core.walking.replies import answer, is_bare, refuses
from thread_core.walking.trail import Asked, SessionState
from thread_core.walking.ways import Candidate

UNFIT = 0.2
"""Scores below this say that no passage here is meant: above, one here is right more often than a header elsewhere."""
WEAK = 0.34
"""Scores below this are asked again before one of the options of a step is followed."""
UNLIKE = 0.1
"""What a way is worth by meaning and words from which on a report without a word in common has to do with it, and from
which on it leads to a section that is not on the screen. Higher, it is asked about much that is right."""
WILL = content_words("want wish like intend going willing refuse rather thanks way then")
"""Words of who will not do something, beside what that is."""
SURE = 0.6
"""A score from which a passage is followed although the words sound like an end."""


@dataclass(frozen=True)
class Report:
    """What a person says of the step at hand, and what it may mean there."""

    text: str
    """In their words."""
    said: str
    """In plain words."""
    about: str
    """What the walk is about, which tells whether it is solved."""
    before: SessionState
    told: SessionState
    """With what they say."""
    current: LogicUnit
    units: Sequence[LogicUnit]
    choices: Sequence[Candidate]
    """The ways on that apply to them."""

    @property
    def is_again(self) -> bool:
        """Whether they were asked what they mean and have said the same once more."""
        pending = self.before.pending
        return self.before.asks(Asked.OUTCOME) and pending is not None and pending.about == self.text

    @cached_property
    def branches(self) -> Branches:
        """Of the document."""
        return Branches.of(self.units)

    @property
    def is_for_one_trouble(self) -> bool:
        """Whether the step at hand is for one of several troubles."""
        return self.branches.trouble(self.current) is not None

    @property
    def is_solved(self) -> bool:
        """Whether they say that the problem is gone."""
        return sounds_solved(self.said, self.about)


def is_beside(way: Candidate, heard: Report, beside: Collection[str]) -> bool:
    """Whether a way is in one of the units that are ruled out, or leads to one and its condition is not named."""
    target = way.link.target if way.link is not None else None
    if way.unit.id in beside or way.distance == 0 or target is None or target.document:
        return way.unit.id in beside
    goal = place_in(target, heard.units)
    is_named = not content_words(heard.said).isdisjoint(content_words(way.condition))
    return goal is not None and goal.id in beside and not is_named


def is_for_another(way: Candidate, heard: Report) -> bool:
    """Whether a way is for another trouble than the one at hand."""
    return way.distance != 0 and heard.is_for_one_trouble and heard.branches.passes(heard.current, way.unit)


def is_refused(heard: Report) -> bool:
    """Whether they will not do something of which no condition speaks: that is no outcome."""
    words = content_words(without_denials(heard.said)) - WILL
    return refuses(heard.said) and all(words.isdisjoint(content_words(way.condition)) for way in heard.choices)


def is_told_of(best: Match | None, heard: Report) -> bool:
    """Whether the guide speaks of what was seen: the step at hand as one of its cases, or another passage for sure."""
    if best is None:
        return False
    way = best.candidate
    is_case = way.distance == 0 and way.link is not None and best.score >= WEAK
    return best.score >= SURE or is_case or matching.agrees(heard.said, heard.choices)


def is_guess(best: Match, text: str) -> bool:
    """Whether what was said may well mean another way: the best fits badly, or one of the two denies something."""
    way = best.candidate
    return best.score < CLEAR or is_bare(text) or denies(text) != denies(way.condition)


def is_to_be_asked(best: Match, heard: Report) -> bool:
    """Whether it is asked what a report means: where options fit badly, and where it has to do with no way on.

    A way that ends the walk has to fit well, and so has another section. No number may be in question or be that of a
    failure, and no word that its condition quotes be doubted. That all is as it was has to do with any step, and so has
    which platform or version somebody has.
    """
    text, choices, offered = heard.said, heard.choices, bool(turns.offered(heard.current))
    link = best.candidate.link
    ends = link is not None and link.action in (LinkAction.RESOLVED, LinkAction.ESCALATE)
    if offered and (best.score < (CLEAR if ends else WEAK) or is_bare(text)):
        return True
    condition = best.candidate.condition
    if contrast.is_unread(text, condition) or concluding.measures_trouble(text, condition):
        return True
    if concluding.printed(text, best.candidate) == -1:
        return True
    if best.likeness >= UNLIKE:
        return False
    if _is_elsewhere(best, heard):
        return True
    if sounds_unsolved(text) or any(platforms_in(text)) or any(mentioned(text)):
        return False
    words = content_words(text)
    shared = any(words & content_words(f"{way.condition} {way.passage}") for way in choices)
    return (offered or not shared) and not matching.agrees(text, choices)


def _is_elsewhere(best: Match, heard: Report) -> bool:
    """Whether a way is in a section that is not on the screen, and not for the end or the system that they tell of."""
    way, units = best.candidate, heard.units
    on_screen = {heard.current.id, *(position.unit_id for position in heard.before.shown)}
    if way.unit.section in {unit.section for unit in units if unit.id in on_screen}:
        return False
    if any(platforms_in(heard.said)) or any(part.name in ("in turn", "admitted") for part in best.parts):
        return False
    if heard.is_solved:
        return not sounds_solved(way.condition, None)
    stated = way.link.condition if way.link is not None else ""
    is_next = not turns.offered(heard.current) and way.unit is ahead.after(heard.current, units, heard.told)
    return not (sounds_unsolved(heard.said) and (is_next or (bool(stated) and is_nothing_new(stated))))


def is_agreed(about: str, text: str, match: Match) -> bool:
    """Whether a report is on the side of a way's condition and fits it at all, and that is about what is spoken of."""
    way = match.candidate
    return match.score >= WEAK and matching.agrees(text, [way]) and opposites.alike(about, way.condition)


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
    named = bool(content_words(said) & content_words(way.link.condition)) and states(said, way) > 0
    stated = matching.agrees(said, [way]) if only_works(said) else named and not sounds_solved(said)
    return (way.distance == 0 and stated) or best.score >= SURE
