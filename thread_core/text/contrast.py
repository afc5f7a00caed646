"""Whether what was seen agrees with a condition or contradicts it: opposites, quantities, codes.

Vectors and shared words say what two texts are about; they hardly tell "is empty" from "is not empty", "60 percent"
from "below 80 %", or a 503 from a 401. This does, with words that have an opposite and numbers that have a size.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_OPPOSITES: tuple[tuple[str, str], ...] = (
    (
        "work works working worked succeeds succeeded successful successfully success ok okay fine healthy good normal"
        " well correct valid passes passed ready available reachable responds answers replies",
        "fail fails failed failing failure broken unhealthy bad abnormal incorrect wrong invalid unavailable"
        " unreachable crashes crashed expired refused rejected",
    ),
    (
        "exist exists existing present found find finds appear appears listed shown see sees contains has have there"
        " installed set configured bound filled",
        "missing absent empty gone blank lost unset vanished",
    ),
    ("running runs run started starts active alive up online", "stopped stops inactive dead down exited offline hangs"),
    (
        "grow grows growing grew rise rises rising increase increases increasing climbs longer higher larger",
        "shrink shrinks shrinking fall falls falling drop drops dropping decrease decreases decreasing shorter lower"
        " smaller",
    ),
    (
        "changed changes differ differs different dropped unequal mismatch",
        "same identical unchanged still persists continues stable equal match matches",
    ),
    (
        "enabled on allowed permitted granted selected checked ticked connected open",
        "disabled off blocked denied forbidden cleared unchecked unticked disconnected closed",
    ),
    ("true yes", "false no"),
    ("all every each both", "some one only single"),
)
_SIGNS = {
    word: (number, sign)
    for number, pair in enumerate(_OPPOSITES)
    for sign, words in zip((1, -1), pair, strict=True)
    for word in words.split()
}
_WORD = re.compile(r"[a-z]+(?:'t)?|[^\w\s']")
_DENIALS = frozenset("not no never none cannot without neither nor nothing nobody hardly".split())
_REACH = 5
"""Words after a denial that it turns round, within its clause."""
_EXISTENCE = 1
"""Of the pairs, the one whose words are turned round by what follows them too: "it shows nothing"."""
_NOTHING = frozenset("no none nothing nobody neither".split())
_OBJECT = 3
"""Words after one of them within which such a word stands."""
_NEW_CLAUSE = frozenset("and but so because while although".split())

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ONE = {"a": 1.0, "an": 1.0, "half a": 0.5, "half an": 0.5}
"""Of a time, which is not as often something else as a second is: "an hour"."""
_SIZE = (
    rf"(?<![\w.])(?P<size>\d+(?:[.,]\d+)*|{'|'.join(_NUMBERS)}|(?:half )?an?(?= (?:minute|hour|day|week)\b))"
    r"(?:\s*(?P<unit>%|[a-z]+))?"
)
_UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("%", "percent"), ("%", 1.0)),
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("s", 0.001)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("s", 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("s", 60.0)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), ("s", 3600.0)),
    **dict.fromkeys(("day", "days"), ("s", 86400.0)),
    **dict.fromkeys(("week", "weeks"), ("s", 604800.0)),
    **dict.fromkeys(("kb", "kib"), ("B", 1e3)),
    **dict.fromkeys(("mb", "mib"), ("B", 1e6)),
    **dict.fromkeys(("gb", "gib"), ("B", 1e9)),
    **dict.fromkeys(("tb", "tib"), ("B", 1e12)),
}
_BELOW = "below|under|less than|lower than|smaller than|fewer than|shorter than|at most|up to|no more than|<=?|≤"
_ABOVE = "above|over|more than|greater than|higher than|larger than|longer than|exceed(?:s|ed|ing)?|at least|>=?|≥"
_BEFORE = re.compile(
    rf"(?:\b(?P<below>{_BELOW})|\b(?P<age>(?:old|new|young)er than)|(?P<above>{_ABOVE}))\s*(?:about |around )?{_SIZE}",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"{_SIZE}\s+or\s+(?:an?\s+|any\s+)?(?:(?P<below>less|below|lower|fewer|earlier|smaller)"
    r"|(?P<age>older|newer)|(?P<above>more|above|higher|later|larger|greater))\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(_SIZE, re.IGNORECASE)
_STRICT = re.compile(r"below|under|than|above|over|exceed|^[<>]$", re.IGNORECASE)
_OPPOSED = re.compile(r"(?<!\S)not(?:: (?P<rest>.+)| \((?P<inner>.+)\))$", re.DOTALL)
"""The opposite of a condition, as the linkers write what "otherwise" and "unless" say."""
_CODE = re.compile(r"(?<![\w.])(?:0x[0-9a-f]{4,}|[1-5]\d\d|[1-5]xx|[A-Z]{1,4}\d{2,6})(?![\w%]|\.\d)", re.IGNORECASE)
_DENIED_CODE = re.compile(
    r"\b(?:not|no|isn't|instead of|rather than|other than)\s+(?:an?\s+|the\s+)?(\S+?)\b", re.IGNORECASE
)


class Amount(NamedTuple):
    """A number with its unit brought to a base unit: 5 ms is 0.005 s."""

    size: float
    unit: str


class Bound(NamedTuple):
    """A condition on an amount: from `low` to `high`, of which `strict` says that the ends do not count."""

    low: float
    high: float
    unit: str
    strict: bool

    def admits(self, amount: Amount) -> bool:
        """Whether an amount lies within."""
        if self.strict:
            return self.low < amount.size < self.high
        return self.low <= amount.size <= self.high


def agreement(seen: str, condition: str) -> int:
    """1 where what was seen agrees with a condition, -1 where it contradicts it, 0 where nothing tells.

    Example:
        >>> agreement("all three are around 60 percent", "every filesystem is below 80 %")
        1
        >>> agreement("it answers 503", "401 and 403 codes")
        -1
        >>> agreement("the pods are not running", "the pods are running")
        -1
    """
    if opposed := _opposed(condition):
        return -agreement(seen, opposed)
    for judge in (by_amount, _by_code, _by_opposites):
        if verdict := judge(seen, condition):
            return verdict
    return 0


def _opposed(condition: str) -> str:
    """What a condition says the opposite of, or an empty string."""
    match = _OPPOSED.search(condition)
    return (match["rest"] or match["inner"]) if match else ""


def by_amount(seen: str, condition: str) -> int:
    """The same by amounts alone: whether all that were seen lie within what the condition admits, or none does.

    Example:
        >>> by_amount("the oldest is an hour old", "it is 15 minutes or more")
        1
        >>> by_amount("it works", "it is 15 minutes or more")
        0
    """
    if opposed := _opposed(condition):
        return -by_amount(seen, opposed)
    bounds = list(_bounds(condition))
    amounts = list(_amounts(seen)) if bounds else []
    fits = [bound.admits(amount) for bound in bounds for amount in amounts if bound.unit == amount.unit]
    return 0 if not fits or any(fits) != all(fits) else 1 if fits[0] else -1


def _bounds(text: str) -> Iterator[Bound]:
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(text):
            amount = _amount(match["size"], match["unit"])
            strict = pattern is _BEFORE and _STRICT.search(match["below"] or match["age"] or match["above"]) is not None
            above = _grows_with_age(match["age"], amount.unit) if match["age"] else match["above"]
            low, high = (amount.size, float("inf")) if above else (float("-inf"), amount.size)
            yield Bound(low, high, amount.unit, strict)


def _grows_with_age(age: str, unit: str) -> bool:
    """Whether what is older or newer is more: an older message is of more hours, an older version of a lower number."""
    return (unit == "s") is age.lower().startswith("old")


def _amounts(text: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text):
        yield _amount(match["size"], match["unit"])


def _amount(size: str, unit: str | None) -> Amount:
    if size.count(".") > 1:
        major, minor, patch = (int(part) for part in (*size.replace(",", "").split("."), "0")[:3])
        return Amount(major * 1e6 + minor * 1e3 + patch, "version")
    base, scale = _UNITS.get((unit or "").lower(), ("", 1.0))
    word = size.lower()
    number = _ONE[word] if word in _ONE else _NUMBERS.index(word) if word in _NUMBERS else float(word.replace(",", ""))
    return Amount(number * scale, base)


def _by_code(seen: str, condition: str) -> int:
    """Codes of one shape: a 503 is none of "401 and 403", but one of "5xx"."""
    wanted = {match[0].lower() for match in _CODE.finditer(condition)}
    given = {match[0].lower() for match in _CODE.finditer(_DENIED_CODE.sub("", seen))}
    shapes = {_shape(code) for code in wanted} & {_shape(code) for code in given}
    if not shapes:
        return 0
    families = {f"{code[0]}xx" for code in given if _shape(code) == "http"}
    return 1 if wanted & (given | families) else -1


def _shape(code: str) -> str:
    return "hex" if code.startswith("0x") else "http" if code[0].isdigit() else re.sub(r"\d", "", code)


def _by_opposites(seen: str, condition: str) -> int:
    mine, theirs = _signs(seen), _signs(condition)
    shared = [mine[number] * theirs[number] for number in mine.keys() & theirs.keys()]
    return (min(shared) if min(shared) == max(shared) else 0) if shared else 0


def _signs(text: str) -> dict[int, int]:
    """Which side of each pair of opposites a text is on; what it says of both is left out."""
    found: dict[int, set[int]] = {}
    denied = 0
    words = _WORD.findall(text.lower())
    for at, word in enumerate(words):
        after = list(itertools.takewhile(_goes_on, words[at + 1 : at + 1 + _OBJECT]))
        if word in _SIGNS and not (word == "no" and after):  # "no lamp" is no answer
            number, sign = _SIGNS[word]
            turned = denied or (number == _EXISTENCE and _is_of_nothing(word, after))
            found.setdefault(number, set()).add(-sign if turned else sign)
        denied = _REACH if _denies(word) else max(0, denied - 1) if _goes_on(word) else 0
    return {number: signs.pop() for number, signs in found.items() if len(signs) == 1}


def _denies(word: str) -> bool:
    return word in _DENIALS or word.endswith("n't")


def _goes_on(word: str) -> bool:
    """Whether a word belongs to the clause of the one before."""
    return word[0].isalpha() and word not in _NEW_CLAUSE


def _is_of_nothing(word: str, after: Sequence[str]) -> bool:
    """Whether what exists, or is shown, is nothing: "there is no entry", "there isn't one", "it shows nothing"."""
    return not _NOTHING.isdisjoint(after) or (word == "there" and any(map(_denies, after)))
