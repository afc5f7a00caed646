"""Words that cannot be true at once: open and closed, more and less and the same, red and green."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from thread_core.text.denials import in_words, is_denial, straight
from thread_core.text.words import content_words, stem

REMEMBERED = 4096
"""Texts whose meaning is remembered: an outcome is held beside every condition, and a condition in each turn."""
_GROUPS: tuple[dict[str, str], ...] = (
    {
        "good": "work succeed succeeds successful success ok okay fine healthy good normal well correct valid pass"
        " ready available reachable respond answer reply replies replied",
        "bad": "fail failure broken unhealthy bad abnormal incorrect wrong invalid unavailable unreachable crash"
        " expired refused rejected timeout",
    },
    {
        "there": "exist present found find appear listed shown see seen visible displayed contains has have there"
        " installed set configured bound filled",
        "absent": "missing absent empty gone blank zero lost unset vanished hidden invisible disappear",
    },
    {
        "runs": "run start boot active alive up online",
        "stands": "stop inactive dead down exited offline hang hung freeze froze frozen",
    },
    {
        "more": "grow grew rise increase climb longer higher larger",
        "less": "shrink fall drop decrease shorter lower smaller",
        "same": "same identical unchanged still persist continue stable equal match stay remain constant",
        "more less other": "change differ different unequal mismatch",
    },
    {
        "on": "enabled on allowed permitted granted selected checked ticked connect open lit shine glow",
        "off": "disabled off blocked denied forbidden cleared unchecked unticked disconnected closed dark unlit",
    },
    {"true": "true yes", "false": "false no"},
    {"all": "all every each both", "some": "some one only single", "none": "none"},
    {"full": "full", "empty": "empty"},
    {"blinking": "blink flashes", "steady": "solid steady"},
    {"slow": "slow", "fast": "fast quick"},
    *({word: word, f"un{word}": f"un{word}"} for word in "locked mounted plugged encrypted".split()),
    {"attached": "attached", "detached": "detached"},
    {"local": "local", "remote": "remote"},
    {"wired": "wired", "wireless": "wireless"},
    {"else": "else otherwise"},
    {"past": "expired", "coming": "expires expire expiring"},
    {"primary": "primary", "secondary": "secondary standby"},
    {colour: colour for colour in "red green blue white yellow orange amber purple".split()},
)
"""What cannot be at once: what there is to be, and the words that say so, in any inflection. Some leave it open."""
_REACH = 5
"""Words after a denial that it turns round, within its clause."""
_WORD = re.compile(r"[a-z]+(?:'t)?|[^\w\s']")
_PHRASES = (
    (re.compile(r"\bno longer\b|\bn(?:o|ot) any ?(?:longer|more)\b"), "not"),
    (re.compile(r"\bnot (?:all|every|each|both)\b"), "some"),
    (re.compile(r"\b(?:neither(?: of)?|none of (?:the\w*|those|this)|(?:any|some)thing else)\b"), "else"),
    (re.compile(r"\btim(?:es?|ed|ing)[ -]?out\b"), "timeout"),
)
"""What words say together and not each by itself."""
_NEW_CLAUSE = frozenset("and but so because while although".split())

_ALL = tuple(frozenset(" ".join(group).split()) for group in _GROUPS)
_MEANT: defaultdict[str, list[tuple[int, frozenset[str]]]] = defaultdict(list)
for _number, _group in enumerate(_GROUPS):
    for _kinds, _words in _group.items():
        for _word in _words.split():
            for _key in {_word, stem(_word)}:
                _MEANT[_key].append((_number, frozenset(_kinds.split())))

WORDS = frozenset(_MEANT)
"""All of them, as they are and as they are stemmed: the everyday words of outcomes."""


class _Meant(NamedTuple):
    """What a word says: which of its group may be, and the word itself where nothing denies it."""

    group: int
    kinds: frozenset[str]
    word: str


class _Read(NamedTuple):
    """The words of a text with opposites, and the stems of all others that carry meaning, said or denied."""

    meant: tuple[_Meant, ...]
    said: frozenset[str]
    denied: frozenset[str]


def compare(seen: str, condition: str) -> int:
    """1 where what was seen is what the condition says, -1 where it cannot be, 0 where nothing tells or it tells both.

    Example:
        >>> compare("the pods are not running", "the pods are stopped")
        1
        >>> compare("the count has not changed", "the count keeps growing")
        -1
        >>> compare("the primary is not down", "the primary is down")
        -1
    """
    mine, theirs = _read(seen), _read(condition)
    named = {one.word for one in mine.meant} & {one.word for one in theirs.meant}
    signs = _signs(_within(mine, named), _within(theirs, named))
    if mine.denied & theirs.said or theirs.denied & mine.said:
        signs.add(-1)
    signs = signs or _signs(_within(mine), _within(theirs))
    return signs.pop() if len(signs) == 1 else 0


def _signs(mine: Mapping[int, frozenset[str]], theirs: Mapping[int, frozenset[str]]) -> set[int]:
    """What tells: 1 where what is meant of a group is within the other's, -1 where both cannot be."""
    pairs = [(mine[group], theirs[group]) for group in mine.keys() & theirs.keys()]
    return {-1 if one.isdisjoint(other) else 1 for one, other in pairs if one.isdisjoint(other) or one <= other}


def _within(text: _Read, named: Collection[str] = ()) -> Mapping[int, frozenset[str]]:
    """What a text says of each group; words that another text says too tell what is spoken of, and do not count."""
    found: dict[int, frozenset[str]] = {}
    for group, kinds, word in text.meant:
        if not word or word not in named:
            found[group] = found.get(group, _ALL[group]) & kinds
    return {group: kinds for group, kinds in found.items() if kinds}


@lru_cache(REMEMBERED)
def _read(text: str) -> _Read:
    meant: list[_Meant] = []
    said: dict[bool, set[str]] = {True: set(), False: set()}
    for word, is_denied in _words_of(text):
        found = _MEANT.get(word) or _MEANT.get(stem(word)) or []
        for group, kinds in found:
            meant.append(_Meant(group, _ALL[group] - kinds, "") if is_denied else _Meant(group, kinds, word))
        if not found and content_words(word):
            said[is_denied].add(stem(word))
    return _Read(tuple(meant), frozenset(said[False] - said[True]), frozenset(said[True]))


def _words_of(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text in lower case, and whether a denial before each, within its clause, turns it round."""
    lowered = in_words(straight(text)).lower()
    for phrase, meant in _PHRASES:
        lowered = phrase.sub(meant, lowered)
    left = 0
    for word in _WORD.findall(lowered):
        if is_denial(word):
            left = _REACH
        elif word in _NEW_CLAUSE or not word[0].isalpha():
            left = 0
        else:
            yield word, left > 0
            left -= 1
