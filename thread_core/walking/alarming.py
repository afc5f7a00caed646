"""What a person reports that a warning is for: it is shown alone, before anything else, and nothing is run meanwhile.

Which reports these are the warnings of the guides at hand say themselves, by their conditions. Such a condition wins
over all ways on, however well those fit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from thread_core.models import LogicUnit
from thread_core.plan import Plan
from thread_core.retrieval.above import Warned, all_urgent, all_warned
from thread_core.text import contrast
from thread_core.text.alarms import Alarm, alarms
from thread_core.text.denials import denies
from thread_core.text.words import content_words
from thread_core.walking import trail
from thread_core.walking.endings import sounds_solved
from thread_core.walking.moving import ask
from thread_core.walking.showing import units_of
from thread_core.walking.spelling import plain
from thread_core.walking.states import Status
from thread_core.walking.trail import Asked, Lead, Passage, Pending, Position, SessionState

MANY = 4
"""Words of a condition of which the last one need not be said."""
BEFORE = 2
"""Words before what is named in which a denial is one of that: "I do not smell gas"."""
MERE = content_words("very really so too still again now here just always getting gets bad badly there")
"""Words beside one word that is said alone."""
_OVER = re.compile(r"\b(?:stopped|no longer|ceased|any ?more|(?:is|are) gone)\b", re.IGNORECASE)
CALLED_AFTER = content_words(
    "alarm detector sensor siren hood machine extinguisher brigade engine fighter department door drill escape exit"
    " blanket drawer meter valve pump line pipe tank bottle company bill supplier"
)
"""Things that are called after what they are for: "smoke detector", "fire door", "gas bill"."""
_NUMBER = re.compile(r"\d")
_CLAUSES = re.compile(r"[.!?;:,](?=\s|$)|[()–—\n]|\s-+\s|\b(?:and|but)\b", re.IGNORECASE)


def alarmed(state: SessionState, text: str) -> Plan[SessionState | None]:
    """With the first warning on the screen that is for what a person says; None where none is.

    Args:
        state: Where the walk stands: at a step, then its document counts, or before one, then those that were found.
        text: What the person says.
    """
    said = plain(text)
    for document_id in _at_hand(state):
        units = yield from units_of(document_id)
        for warned in all_warned(units):
            for alarm in alarms(warned.text):
                if is_for(alarm, said, warned.unit.title) and not _is_dealt_with(alarm, state, units):
                    return _showing(warned, alarm, state, text)
        for urgent in all_urgent(units):
            for alarm in alarms(urgent.text):
                if is_urgent(alarm, said, urgent.unit.title) and not _is_dealt_with(alarm, state, units):
                    return _showing(urgent, alarm, state, text)
    return None


def _showing(warned: Warned, alarm: Alarm, state: SessionState, text: str) -> SessionState:
    quoted = Passage.of(warned.unit, warned.span.start, warned.span.end)
    lead = Lead(f'"{text}" is what a warning is for: {alarm.condition}', alarm.condition, quoted)
    at = Position.of(warned.unit, warned.span.start, lead)
    *before, last = state.trail or (None,)
    told = () if last is None else (*before, last.model_copy(update={"warned": (*last.warned, alarm.condition)}))
    return ask(state.but(trail=told), Pending(kind=Asked.WARNING, about=alarm.condition, at=at))


def _is_dealt_with(alarm: Alarm, state: SessionState, units: Sequence[LogicUnit]) -> bool:
    """Whether a warning was shown at the step at hand, which says itself what follows from the same."""
    if state.asks(Asked.WARNING) or not state.trail or alarm.condition not in state.trail[-1].warned:
        return False
    current = trail.find(state.trail[-1], units)
    return current is not None and any(content_words(link.condition).issuperset(alarm.words) for link in current.links)


def begun(state: SessionState, question: str) -> Plan[SessionState]:
    """Where a question has led, behind the warning of any of the documents found that is for it, if one is."""
    found = dict.fromkeys((*_at_hand(state), *state.documents, *state.asides))
    sounded = yield from alarmed(state.but(trail=(), pending=None, documents=tuple(found)), question)
    if sounded is None:
        return state
    return sounded.but(trail=state.trail, documents=state.documents, past=(*state.past, trail.screen(state)))


def past_alarm(state: SessionState) -> SessionState:
    """What was on the screen before a warning; nothing of it is run unasked."""
    while state.asks(Asked.WARNING) and (earlier := trail.undone(state)) is not None:
        state = earlier
    if state.asks(Asked.APPROVAL):
        return state.but(status=Status.AWAITING, pending=None)
    return state


def is_for(alarm: Alarm, said: str, title: str = "") -> bool:
    """Whether a person says that what a warning names is the case; not where it is what the whole guide is about.

    Args:
        alarm: What the warning names.
        said: What the person says, spelled out.
        title: Of the guide.
    """
    about = content_words(title)
    if about.issuperset(alarm.words):
        return False
    named = not content_words(said).isdisjoint(alarm.around)
    bare = about | MERE if alarm.is_whole else set[str]()
    clauses = ((clause, named or content_words(clause) <= bare.union(alarm.words)) for clause in _CLAUSES.split(said))
    return any(_is_said(alarm, clause) for clause, fits in clauses if fits or len(alarm.words) > 1)


def is_urgent(alarm: Alarm, said: str, title: str = "") -> bool:
    """Whether a person says that what one is to flee from is the case, whatever else they say of it.

    What only names a thing says nothing of it: that which the guide is about, or one that is called after it.
    """
    about = content_words(title).difference(alarm.words) | CALLED_AFTER
    words = said.split()
    pairs = enumerate(pairwise(words))
    names = {at for at, (one, thing) in pairs if _is_any(one, alarm.words) and one.isalpha() and _is_any(thing, about)}
    left = " ".join(word for at, word in enumerate(words) if at not in names)
    return any(_is_said(alarm, clause) for clause in _CLAUSES.split(left))


def _is_any(word: str, words: Collection[str]) -> bool:
    return not content_words(word).isdisjoint(words)


def _is_said(alarm: Alarm, clause: str) -> bool:
    """Whether a clause says what a warning names, and not that it is not so or no longer."""
    told = content_words(clause)
    sign = contrast.agreement(clause, alarm.condition).sign
    if sign < 0 or sounds_solved(clause, None) or not (told >= _needed(alarm, clause, sign > 0)):
        return False
    if denies(alarm.condition):
        return denies(clause)
    words = clause.split()
    named = [index for index, word in enumerate(words) if not content_words(word).isdisjoint(alarm.words)]
    return not (denies(" ".join(words[max(0, named[0] - BEFORE) : named[-1] + 1])) or _OVER.search(clause))


def _needed(alarm: Alarm, clause: str, is_within: bool) -> set[str]:
    """The words that have to be said: all but a number that another one is within, and what many words are said to do.

    "My carbon monoxide alarm went off" says that it sounds; an amount says something else.
    """
    words = alarm.words
    if len(words) >= MANY and not _NUMBER.search(clause):
        words = words[:-1]
    return {word for word in words if not (is_within and _NUMBER.match(word))}


def _at_hand(state: SessionState) -> Iterable[str]:
    """The document at hand; where no step was shown yet, that of the one which is asked about, or those offered."""
    if state.trail:
        return (state.trail[-1].document_id,)
    asked = state.pending.at if state.pending is not None else None
    return (asked.document_id,) if asked is not None else state.documents
