"""The cases that a warning is for: what may be seen or happen, and is to be answered at once by what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from thread_core.text import conditions, leaning, sentences
from thread_core.text.denials import without_denials
from thread_core.text.words import content_words, word_list

REMEMBERED = 1024
"""Warnings whose cases are kept: each report is compared with those of its document."""
_LABEL = re.compile(rf"(?:{'|'.join(sentences.ALARMS)}): ", re.IGNORECASE)
_FORBIDS = re.compile(r"\W*(?:please )?(?:never|do not|don['’]t)\b", re.IGNORECASE)
_THAT_IS = re.compile(
    r"\b(?:an?|any|the) (?P<subject>(?:[\w-]+ ){1,3}?)(?:that|which|whose) (?P<is>[^.!;]+)", re.IGNORECASE
)
"""What is forbidden of a thing in a state: "Never charge a battery that is swollen or hot."."""
_OF_THE_READER = re.compile(
    r"(?:you|we)(?: (?:then|also|must|have to|need to|want to|can|cannot|will|are|have|had))* ", re.IGNORECASE
)
_ALTERNATIVES = re.compile(r",? or |, (?:and )?", re.IGNORECASE)
_NOTHING_SAID = content_words(
    "you still happen occur case ever notice see hear get gets gotten became becomes again suddenly anything something"
    " one problem issue very above below over under more less higher lower least most"
)
"""Words of a condition that say nothing of what is the case; on which side of a number it is says the number."""


class Alarm(NamedTuple):
    """One of the things that a condition of a warning names."""

    condition: str
    """In the words of the document."""
    words: tuple[str, ...]
    """Of the one thing, in order: the last one of many is what it does."""
    around: frozenset[str]
    """What else the condition and the sentence before it name."""
    is_whole: bool
    """The condition names nothing else."""


@lru_cache(maxsize=REMEMBERED)
def alarms(text: str) -> tuple[Alarm, ...]:
    """What a warning is for, as far as it says what to do then.

    Example:
        >>> [alarm.condition for alarm in alarms("It is heavy. If it smokes, leave the room.")]
        ['it smokes']
    """
    return tuple(_alarms(text))


def _alarms(text: str) -> Iterator[Alarm]:
    before = ""
    said = [sentence.text for sentence in sentences.cut(_LABEL.sub("", text, count=1))]
    for sentence, following in zip(said, (*said[1:], ""), strict=True):
        for condition in _conditions(sentence, following):
            around = content_words(f"{before} {condition}")
            for one in _ALTERNATIVES.split(condition):
                words = tuple(
                    word for word in dict.fromkeys(word_list(without_denials(one))) if word not in _NOTHING_SAID
                )
                if words:
                    rest = around.difference(words, _NOTHING_SAID)
                    yield Alarm(condition, words, frozenset(rest), one == condition)
        before = sentence


def _conditions(sentence: str, following: str) -> Iterator[str]:
    """What a sentence of a warning states, or asks, and says what to do in that case."""
    found = conditions.clause(sentence)
    if found is not None and found.condition:
        condition, then = found.condition, found.consequence
        stated, colon, first = condition.partition(": ")
        if colon and _orders(first):
            condition, then = stated, first
        if _orders(then) and not conditions.is_idle(condition) and not _is_done(condition):
            yield condition
    elif (asked := leaning.asks(sentence)) and _orders(following):
        yield asked
    elif _FORBIDS.match(sentence) and (thing := _THAT_IS.search(sentence)):
        for one in _ALTERNATIVES.split(thing["is"]):
            yield f"{thing['subject']}{one}"


def _orders(text: str) -> bool:
    """Whether a text tells the reader to do something, or not to do it."""
    return _FORBIDS.match(text) is not None or sentences.instructs(text)


def _is_done(condition: str) -> bool:
    """Whether a condition is something that the reader does: "you remove the disk"."""
    found = _OF_THE_READER.match(condition)
    return found is not None and sentences.tells(condition[found.end() :])
