"""What a person says that they did or will do, held against what the guide at hand forbids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from thread_core.models import LogicUnit, Span
from thread_core.text import directions, sentences
from thread_core.text.denials import denies, straight
from thread_core.text.words import content_words
from thread_core.walking import ways

_ACTS = re.compile(
    r"(?:(?:so|ok(?:ay)?|but|and|well|then|no|yes|sorry)\b[\s,]*)*(?:i|we)\b(?:'(?:ll|ve|m|re))?"
    r"(?:\s+(?:will|shall|have|am|are|just|only|already|now|then|going to))*\s+"
    r"(?!(?:see|saw|hear|heard|feel|felt|smell|notice|get|got|think|guess|know|need|want|can|could|had|did|do|was|were"
    r"|am|are|have|said|say|mean|meant|found|find)\b)[a-z]",
    re.IGNORECASE,
)
"""Somebody did something, or is about to."""
_FORBIDS = re.compile(
    r"(?:^|(?<=[.;:,(|–—])|\b(?:and|but|then|please|so))[\s*_\"]*(?:never|do not|don't|must (?:not|never))[*_]*"
    r"(?P<what>(?:\s+(?!(?:as|at|by|during|for|from|in|into|of|on|onto|over|than|through|to|under|with|within)\b)"
    r"[\w'-]+){1,5})(?P<rest>[^.;]*)",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"\b(?:until|till|unless|before|yet|while|without|if|when|after|more than|longer)\b", re.IGNORECASE
)
"""What is forbidden only until something or under a condition: one may do it by now."""
_ING = re.compile(r"\b(\w{2,})ing\b", re.IGNORECASE)


def forbidden(said: str, shown: Sequence[LogicUnit], units: Sequence[LogicUnit]) -> tuple[str, Span] | None:
    """The sentence of a guide that forbids what a person says, in plain words, that they did or will do; and its place.

    What is forbidden in a case counts where that is on the screen, what is always forbidden counts anywhere.
    """
    if "?" in said or denies(said) or _ACTS.match(straight(said)) is None:
        return None
    words = content_words(said) | content_words(_ING.sub(r"\1", said))
    on_screen = {unit.id for unit in shown}
    elsewhere = (unit for unit in units if unit.id not in on_screen)
    found = [*_forbidding(shown, words, is_here=True), *_forbidding(elsewhere, words, is_here=False)]
    return found[0] if found else None


def _forbidding(
    units: Sequence[LogicUnit] | Iterator[LogicUnit], words: Collection[str], *, is_here: bool
) -> Iterator[tuple[str, Span]]:
    """The sentences of some units that forbid to do something, given by words; of a table's rows none elsewhere."""
    for unit in units:
        stated = {link.evidence.start for link in unit.links if link.condition and link.evidence}
        for first, last, passage in ways.passages(unit):
            if not is_here and not stated.isdisjoint(range(first, last + 1)):
                continue
            for sentence in sentences.cut(passage):
                if _forbids(sentence.text, words):
                    yield sentence.text.strip(), Span(unit.document_id, first, last)


def _forbids(sentence: str, words: Collection[str]) -> bool:
    """Whether a sentence forbids to do something that some words name, now and in any case."""
    for found in _FORBIDS.finditer(straight(sentence)):
        what = content_words(found["what"])
        is_end = directions.breaks_off(found[0].strip(' *_"([,.;:'))
        if what and what <= set(words) and not is_end and not _FOR_NOW.search(f"{found['what']} {found['rest']}"):
            return True
    return False
