"""Words that cannot be true at once: open and closed, more and less and the same, red and green."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from thread_core.text.denials import in_words, is_denial, straight, without_denials
from thread_core.text.words import content_words, stem

REMEMBERED = 4096
"""Texts whose meaning is remembered: an outcome is held beside every condition, and a condition in each turn."""
_GROUPS: tuple[dict[str, str], ...] = (
    {
        "good": "work works working worked succeeds succeeded successful successfully success ok okay fine healthy good"
        " normal well correct valid passes passed ready available reachable respond responds responded answers answered"
        " reply replies replied",
        "bad": "fail fails failed failing failure broken unhealthy bad abnormal incorrect wrong invalid unavailable"
        " unreachable crashes crashed expired refused rejected timeout",
    },
    {
        "there": "exist exists existing present found find finds appear appears appeared listed shown see sees seen"
        " visible displayed contains has have there installed set configured bound filled",
        "absent": "missing absent empty gone blank zero lost unset vanished hidden invisible disappears disappeared",
    },
    {
        "runs": "running runs run started starts start boots boot active alive up online",
        "stands": "stopped stops inactive dead down exited offline hangs hung freezes froze frozen",
    },
    {
        "more": "grow grows growing grew rise rises rising increase increases increasing climbs longer higher larger",
        "less": "shrink shrinks shrinking fall falls falling drop drops dropping dropped decrease decreases decreasing"
        " shorter lower smaller",
        "same": "same identical unchanged still persists continues stable equal match matches stays stayed remains"
        " remained constant",
        "more less other": "changed changes change changing differ differs different unequal mismatch",
    },
    {
        "on": "enabled on allowed permitted granted selected checked ticked connected connects connect open opens lit"
        " shines shine shining glows glow glowing",
        "off": "disabled off blocked denied forbidden cleared unchecked unticked disconnected closed dark unlit",
    },
    {"true": "true yes", "false": "false no"},
    {"all": "all every each both", "some": "some one only single", "none": "none"},
    {"full": "full", "empty": "empty"},
    {"blinking": "blink blinks blinking flashes flashing", "steady": "solid steady"},
    {"slow": "slow slowly slower", "fast": "fast faster quick quickly"},
    {"locked": "locked", "unlocked": "unlocked"},
    {"mounted": "mounted", "unmounted": "unmounted"},
    {"attached": "attached", "detached": "detached"},
    {"plugged": "plugged", "unplugged": "unplugged"},
    {"encrypted": "encrypted", "unencrypted": "unencrypted"},
    {"local": "local locally", "remote": "remote remotely"},
    {"wired": "wired", "wireless": "wireless"},
    {"else": "else otherwise"},
    {"past": "expired", "coming": "expires expire expiring"},
    {"primary": "primary", "secondary": "secondary standby"},
    {colour: colour for colour in "red green blue white yellow orange amber purple".split()},
)
"""What cannot be at once: what there is to be, and the words that say so. Some words leave it open between several."""
_PARTICIPLE = re.compile(r"\w+ed|been|gone|become|begun|got")
"""After "has" or "have", which then do not say that there is anything."""
_EXISTENCE = 1
"""Of the groups, the one whose words are turned round by what follows them too: "it shows nothing"."""


class _Meant(NamedTuple):
    """What a word says."""

    group: int
    kinds: frozenset[str]
    """Of the group, what may be."""
    word: str = ""
    """Itself, in a text where nothing denies it."""


class _Read(NamedTuple):
    """What a text says."""

    meant: tuple[_Meant, ...]
    """Of the words of which there are opposites, in order."""
    said: frozenset[str]
    """The other words that nothing denies, as stems."""
    done: frozenset[str]
    """Those of them that say that something was done: "fenced"."""
    denied: frozenset[str]
    """What stands right behind a word that denies."""
    failed: frozenset[str]
    """What stands right before "failed", or is failed to be done."""


_ALL = tuple(frozenset(" ".join(group).split()) for group in _GROUPS)
_MEANT: defaultdict[str, list[_Meant]] = defaultdict(list)
for _number, _group in enumerate(_GROUPS):
    for _kinds, _words in _group.items():
        for _word in _words.split():
            _MEANT[_word].append(_Meant(_number, frozenset(_kinds.split())))
_TELLING = content_words(" ".join((*_MEANT, "now again yet here showed turned ok okay yep yeah yup nope")))
"""These words, and some that add nothing to them."""
_WORD = re.compile(r"[a-z]+(?:'t)?|[^\w\s']")
_PHRASES = {
    "some": re.compile(r"\bnot (?:all|every|each|both)\b"),
    "none": re.compile(r"\bnot (?:one|a single)\b"),
    "rises": re.compile(r"\b(?:(?:go(?:es|ing|ne)?|went)\s+up|more\s+and\s+more)\b"),
    "falls": re.compile(r"\b(?:(?:go(?:es|ing|ne)?|went)\s+down|(?:fewer|less)\s+and\s+(?:fewer|less))\b"),
    "else": re.compile(
        r"\b(?:none\s+of\s+(?:the\w*|those|this|it)|neither(?:\s+of)?|(?:any|some)thing\s+else|something\s+different)\b"
    ),
    "appears": re.compile(r"\b(?:show|turn|pop)(?:s|ed|ped)?\s+up\b"),
    "timeout": re.compile(r"\btim(?:es?|ed|ing)[ -]?out\b"),
    "online": re.compile(r"\b(?:is|are|came|comes?)\s+back\b(?!\s+(?:at|in|on|to)\b)"),
    "not": re.compile(r"\bout\s+of\s+(?=(?:sync|order|service|range|reach|date)\b)"),
}
"""What words say together and not each by itself, in one word that is read before them."""
_EXCEPTING = re.compile(r"\b(?:other than|anything but)\s+(?:an?\s+|the\s+)?(?P<named>[\w-]+)")
"""What says all but one thing: "any answer other than pong"."""
_NO_LONGER = re.compile(r"\bno longer\b|\bn(?:o|ot) any ?(?:longer|more)\b")
"""What denies as "not" does, and says nothing of how long."""
_REACH = 5
"""Words after a denial that it turns round, within its clause; all of it where the clause is about nothing."""
_VALUE = re.compile(r"\b(?:true|false|yes|no)\b", re.IGNORECASE)
"""What a condition compares with what is printed behind a name."""
_NOTHING = frozenset("no none nothing nobody neither".split())
_OBJECT = 3
"""Words after one of them within which such a word stands."""
_EACH = frozenset("all every each both".split())
"""Words that a denial right before them turns round alone: "not all pods are ready"."""
_BETWEEN = frozenset("yet been fully quite really very so even actually".split())
"""Words between a denial and what it denies."""
_BEING = frozenset("is are was were be been isn't aren't wasn't weren't".split())
_FAILED = frozenset("fail fails failed failing failure".split())
_NEW_CLAUSE = frozenset("and but so because while although".split())


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
    excepted = _EXCEPTING.search(condition.lower())
    if excepted and (sign := _names(straight(seen).lower(), excepted["named"])):
        return -sign
    mine, theirs = _read(seen if _VALUE.search(condition) else in_words(seen)), _read(condition)
    named = {one.word for one in mine.meant} & {one.word for one in theirs.meant}
    signs = _signs(_within(mine, named), _within(theirs, named))
    if _denies(mine, theirs) or _denies(theirs, mine):
        signs.add(-1)
    signs = signs or _signs(_within(mine), _within(theirs))
    return signs.pop() if len(signs) == 1 else 0


def alike(one: str, other: str) -> bool:
    """Whether two texts may speak of the same thing: they share words, or one names none and both say how it is.

    Example:
        >>> alike("it is red", "the lamp is green"), alike("the lamp is red", "the pump is green")
        (True, False)
    """
    mine, theirs = _besides(one), _besides(other)
    if mine and theirs:
        return not mine.isdisjoint(theirs)
    return not _within(_read(one)).keys().isdisjoint(_within(_read(other)))


def is_good(words: str) -> bool:
    """Whether words say what somebody wants to be so, as far as they have an opposite: "working", "connected"."""
    kinds = {kind for word in words.lower().split() for meant in _MEANT.get(word, []) for kind in meant.kinds}
    return not kinds.isdisjoint(("good", "there", "runs", "on"))


def says_only(seen: str, condition: str) -> bool:
    """Whether what was seen has no words but those of a condition and those of which there are opposites."""
    return _besides(seen) <= _besides(condition)


def _besides(text: str) -> set[str]:
    """The words of a text that carry meaning, without those of which there are opposites."""
    return content_words(without_denials(text)) - _TELLING


def _names(seen: str, name: str) -> int:
    """1 where something is named, -1 where it is denied, 0 where it is not spoken of."""
    found = re.search(rf"(?P<denied>\b(?:not|no|never|isn't)\s+(?:\w+\s+)?)?\b{re.escape(name)}\b", seen)
    return 0 if not found else -1 if found["denied"] else 1


def _denies(one: _Read, other: _Read) -> bool:
    """Whether a text denies what another says in the same words: "is not fenced", "fence failed" and "is fenced"."""
    return not (one.denied.isdisjoint(other.said) and one.failed.isdisjoint(other.done))


def _signs(mine: Mapping[int, frozenset[str]], theirs: Mapping[int, frozenset[str]]) -> set[int]:
    """What tells: 1 where what is meant of a group is within the other's, -1 where both cannot be."""
    told = {_told(mine[group], theirs[group]) for group in mine.keys() & theirs.keys()}
    return told - {0}


def _told(mine: frozenset[str], theirs: frozenset[str]) -> int:
    return -1 if mine.isdisjoint(theirs) else 1 if mine <= theirs else 0


def _within(text: _Read, named: Collection[str] = ()) -> Mapping[int, frozenset[str]]:
    """What a text says of each group; where it says several things that cannot be at once, nothing.

    Args:
        text: What it says.
        named: Words that do not count: another text says them too, so they tell what is spoken of.
    """
    found: dict[int, frozenset[str]] = {}
    for group, kinds, word in text.meant:
        if not word or word not in named:
            found[group] = found.get(group, _ALL[group]) & kinds
    return {group: kinds for group, kinds in found.items() if kinds}


@lru_cache(REMEMBERED)
def _read(text: str) -> _Read:
    meant: list[_Meant] = []
    said: set[str] = set()
    taken_back: set[str] = set()
    failed: set[str] = set()
    denied = 0
    words = _spoken(text)
    for at, word in enumerate(words):
        before = words[at - 1] if at else "."
        after = list(itertools.takewhile(_goes_on, words[at + 1 : at + 1 + _OBJECT]))
        if word in _MEANT:
            meant += _meanings(before, word, after, denied > 0)
        elif not denied and _goes_on(word):
            said.add(word)
        if word in _FAILED:
            failed.update(after[1:2] if after[:1] == ["to"] else [before])
        if is_denial(word):
            reach = len(words) if word in _NOTHING and not _goes_on(before) else _REACH
            denied = max(denied, 1 if not _EACH.isdisjoint(after[:1]) else reach)
            taken_back |= _state(before, word, words[at + 1 : at + 2 + _REACH])
        else:
            denied = max(0, denied - 1) if _goes_on(word) else 0
    stems = {word: stem(word) for word in said if content_words(word)}
    done = {found for word, found in stems.items() if _PARTICIPLE.fullmatch(word)}
    return _Read(
        meant=tuple(meant),
        said=frozenset(stems.values()) - taken_back,
        done=frozenset(done - taken_back),
        denied=frozenset(taken_back),
        failed=frozenset(stem(word) for word in failed if word not in _MEANT),
    )


def _spoken(text: str) -> list[str]:
    """The words of a text in lower case, and its signs."""
    said = straight(text).lower()
    for meant, phrase in _PHRASES.items():
        said = phrase.sub(rf"{meant} \g<0>", said)
    return _WORD.findall(_NO_LONGER.sub("not", said))


def _meanings(before: str, word: str, after: Sequence[str], is_denied: bool) -> Iterator[_Meant]:
    """What a word says of each of its groups, between others."""
    if _names_a_thing(before, word, after):
        return
    for group, kinds in ((one.group, one.kinds) for one in _MEANT[word]):
        turned = is_denied or (group == _EXISTENCE and _is_of_nothing(word, after))
        yield _Meant(group, _ALL[group] - kinds) if turned else _Meant(group, kinds, word)


def _state(before: str, denial: str, words: Sequence[str]) -> set[str]:
    """The state that is denied, where none of the listed opposites is: "is not high", "could not be fenced", "no pong".

    What somebody does not do, or does not see, may have to do with anything.
    """
    clause = list(itertools.takewhile(_goes_on, words))
    at = next((at for at, word in enumerate(clause) if content_words(word) and word not in _BETWEEN), None)
    if at is None or clause[at] in _MEANT or denial in _NOTHING - {"no"}:
        return set()
    is_all = not _goes_on(before) and at == len(clause) - 1
    is_state = not _BEING.isdisjoint((before, denial, *clause[:at])) or _PARTICIPLE.fullmatch(clause[at])
    return {stem(clause[at])} if is_all or (is_state and denial != "no") else set()


def _names_a_thing(before: str, word: str, after: Sequence[str]) -> bool:
    """Whether a word says nothing by itself: "count of failed calls", "no lamp", "has been set"."""
    if word in ("has", "have"):
        return any(_PARTICIPLE.fullmatch(other) for other in after[:2])
    return (before == "of" and bool(after)) or (before == "the" and word == "change") or (word == "no" and bool(after))


def _goes_on(word: str) -> bool:
    """Whether a word belongs to the clause of the one before."""
    return word[0].isalpha() and word not in _NEW_CLAUSE


def _is_of_nothing(word: str, after: Sequence[str]) -> bool:
    """Whether what exists, or is shown, is nothing: "there is no entry", "there isn't one", "it shows nothing"."""
    return not _NOTHING.isdisjoint(after) or (word == "there" and any(map(is_denial, after)))
