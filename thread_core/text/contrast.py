"""Whether what was seen agrees with a condition or contradicts it: opposites, quantities, codes.

Vectors and shared words say what two texts are about; they hardly tell "is empty" from "is not empty", "60 percent"
from "below 80 %", or a 503 from a 401. This does, with words that have an opposite and numbers that have a size.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterator
from typing import Literal, NamedTuple

from thread_core.text import opposites
from thread_core.text.denials import denied_words, straight
from thread_core.text.words import content_words

_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_ONE = {"a": 1.0, "an": 1.0, "half a": 0.5, "half an": 0.5}
"""Of a time, which is not as often something else as a second is: "an hour"."""
_SIZE = (
    rf"(?<![\w.])(?P<size>\d+(?:[.,]\d+)*|{'|'.join(_NUMBERS)}|(?:half )?an?(?= (?:minute|hour|day|week|month|year)\b))"
    r"(?:\s*(?P<unit>%|°(?:\s?[cf]\b)?|[a-z]+))?"
)
_LOW = _SIZE.replace("size", "low").replace("unit", "low_unit")
_UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("%", "percent"), ("%", 1.0)),
    **dict.fromkeys(("thousand", "thousands"), ("", 1e3)),
    **dict.fromkeys(("million", "millions", "mio", "mn"), ("", 1e6)),
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("s", 0.001)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("s", 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("s", 60.0)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), ("s", 3600.0)),
    **dict.fromkeys(("day", "days"), ("s", 86400.0)),
    **dict.fromkeys(("week", "weeks"), ("s", 604800.0)),
    **dict.fromkeys(("month", "months"), ("s", 2592000.0)),
    **dict.fromkeys(("year", "years", "yr", "yrs"), ("s", 31536000.0)),
    **dict.fromkeys(("°", "°c", "° c", "°f", "° f", "degree", "degrees", "celsius"), ("°", 1.0)),
    **dict.fromkeys(("kb", "kib"), ("B", 1e3)),
    **dict.fromkeys(("mb", "mib"), ("B", 1e6)),
    **dict.fromkeys(("gb", "gib"), ("B", 1e9)),
    **dict.fromkeys(("tb", "tib"), ("B", 1e12)),
}
_UNIT_WORDS = content_words(" ".join(_UNITS))
_SHORT = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
"""Short forms, of a count or of bytes."""
_NOT = r"(?:(?:\b(?:not|no|never|cannot)|n't)\s+(?:(?!for\b|in\b|since\b|after\b|within\b)[a-z]+\s+){0,2}?)"
"""Before a bound that it denies, and not before how long something has not been so."""
_BELOW = r"\b(?:below|under|less than|lower than|smaller than|fewer than|shorter than|at most|up to)|<=?|≤"
_ABOVE = "above|over|more than|greater than|higher than|larger than|longer than|exceed(?:s|ed|ing)?|at least|>=?|≥"
_BEFORE = re.compile(
    rf"(?P<not>{_NOT})?(?:(?P<below>{_BELOW})|\b(?P<age>(?:old|new|young)er than)|(?P<above>{_ABOVE}))"
    rf"\s*(?:about |around |(?:the |its |a )?(?:limit|threshold|maximum|minimum) (?:of )?)?{_SIZE}",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"(?P<not>{_NOT})?{_SIZE}\s+or\s+(?:an?\s+|any\s+)?(?:(?P<below>less|below|lower|fewer|earlier|smaller)"
    r"|(?P<age>older|newer)|(?P<above>more|above|higher|later|larger|greater))\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    rf"(?P<named>\b(?:between|from)\s+)?{_LOW}\s*(?:[-–—]|\b(?:to|through|(?P<joint>and))\b)\s*{_SIZE}", re.IGNORECASE
)
_AMOUNT = re.compile(_SIZE, re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=[1-9]),(?=\d{3}(?!\d))|(?<=\d\d),(?=\d{3}(?!\d))")
"""The comma of 1,500: in 1,5 and in 0,500 it is a decimal one."""
_ANY = "any"
"""The unit of a number that may have any."""
_MOMENT = re.compile(
    r"\b(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?|\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?)"
    r"(?:Z\b|[+-]\d\d:?\d\d\b)?"
)
"""A day or a time, which is no amount."""
_GOES_ON = re.compile(
    r"(?:['’_:/](?=\d)|[a-z]+(?=\d))[\w.,:/'’]{0,40}\s*(?P<unit>%|[a-z]+)?"
    r"|[ \t]{1,40}\d[\d.,]{0,40}\s*(?P<next>%|[a-z]+)?",
    re.IGNORECASE,
)
"""What stands behind a number of which nobody can tell whether it ends there: 250_000, 1e6, 3/4, 250 000."""
_TWOFOLD = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""What is a thousand times more to some: 250.000."""
_NEGATIVE = re.compile(r"(?:^|[^\w])[-\N{MINUS SIGN}]$|\d[ \t]$")
"""What stands before a number that is not what it seems: -1, and the end of 250 000."""
_BELOW_ZERO = re.compile(r"(?:^|[^\d\s])\s*[-\N{MINUS SIGN}]$")
"""What stands before degrees that are below zero, and are no end of a range: of all else, -1 may say that it failed."""
_NAME = re.compile(r"[a-z]-$", re.IGNORECASE)
"""What stands before a number that is part of a name: web-1."""
_UNCLEAR_UNITS = frozenset("mgtb")
"""Letters that mean one thing or another right behind a number: 6m."""
_ORDINALS = frozenset("st nd rd th".split())
_COMPARING = re.compile(
    r"\b(?:(?:less|fewer|more|lower|higher|larger|greater|smaller|longer|shorter|older|newer) than|at (?:least|most)"
    r"|exceed(?:s|ed|ing)?)\b",
    re.IGNORECASE,
)
_OF_VERSIONS = re.compile(
    r"\b(?:versions?|releases?|v\d[\d.]*|(?:older|newer|earlier|later) than|or (?:older|newer|earlier|later))\b",
    re.IGNORECASE,
)
"""What says that a number without a unit is of a version, also behind which something is: 10.4 is older than 10.11."""
_MAYBE_VERSION = re.compile(
    r"(?<![\w.,'’:/-])v?(?P<major>\d+)(?:\.(?P<minor>\d+))?"
    rf"(?![\w'’:/]|[.,]\d|\s*(?:{'|'.join(map(re.escape, (*_UNITS, *_SHORT)))})(?!\w))",
    re.IGNORECASE,
)
_STRICT = re.compile(r"below|under|than|above|over|exceed|^[<>]$", re.IGNORECASE)
_OPPOSED = re.compile(r"(?<!\S)not: (?P<rest>.+)$", re.DOTALL)
"""The opposite of a condition, as the linkers write what "otherwise" and "unless" say."""
_AS_SAID = re.compile(
    r"(?:it|they|this|that|these|those)\s+(?:is|are|was|were|do|does|did|has|have)(?P<not>\s+not|n't)?\s+\((?P<rest>.+)\)$",
    re.DOTALL | re.IGNORECASE,
)
"""A condition that repeats or denies the sentence before it, which the linkers write behind it in brackets."""
_CODE = re.compile(r"(?<![\w.])(?:0x[0-9a-f]{4,}|[1-5]\d\d|[1-5]xx|[A-Z]{1,4}\d{1,6})(?![\w%]|\.\d)", re.IGNORECASE)
_RANGES = re.compile(
    r"(?<![\w.])(?P<letters>[A-Z]{1,4})(?P<low>\d{1,6})\s*(?:[-–—]|to|through)\s*(?P=letters)(?P<high>\d{1,6})\b",
    re.IGNORECASE,
)
_DENIED_CODE = re.compile(
    r"\b(?:not|no|isn't|instead of|rather than|other than)\s+(?:an?\s+|the\s+)?(\S+?)\b", re.IGNORECASE
)


class Amount(NamedTuple):
    """A number with its unit brought to a base unit: 5 ms is 0.005 s."""

    size: float
    unit: str


class Bound(NamedTuple):
    """What an amount lies within: from `low` to `high`, of which `strict` says that the ends do not count."""

    low: float
    high: float
    unit: str
    strict: bool

    def fits(self, seen: Bound) -> int:
        """1 where what was seen lies within, -1 where it cannot, 0 where it may."""
        low, high = max(self.low, seen.low), min(self.high, seen.high)
        if low > high or (low == high and (self._leaves_out(low) or seen._leaves_out(low))):
            return -1
        ends = any(self._leaves_out(end) for end in (seen.low, seen.high)) and not seen.strict
        return int((low, high) == (seen.low, seen.high) and not ends)

    @property
    def is_open(self) -> bool:
        """Whether it may be any amount."""
        return self.low == -math.inf and self.high == math.inf

    def _leaves_out(self, size: float) -> bool:
        return self.strict and math.isfinite(size) and size in (self.low, self.high)


class Agreement(NamedTuple):
    """Whether what was seen agrees with a condition, and what tells."""

    sign: int
    """1 where it agrees, -1 where it contradicts the condition, 0 where nothing tells."""
    by: Literal["", "amount", "code", "opposites", "denial"]


def agreement(seen: str, condition: str) -> Agreement:
    """How what was seen stands to a condition; amounts outweigh codes, and both outweigh words.

    Example:
        >>> agreement("all three are around 60 percent", "every filesystem is below 80 %")
        Agreement(sign=1, by='amount')
        >>> agreement("it answers 503", "401 and 403 codes")
        Agreement(sign=-1, by='code')
        >>> agreement("the pods are not running", "the pods are running")
        Agreement(sign=-1, by='opposites')
        >>> agreement("the fuse is not blown", "a blown fuse")
        Agreement(sign=-1, by='opposites')
        >>> agreement("it works", "it is 15 minutes or more")
        Agreement(sign=0, by='')
    """
    seen, condition = straight(seen), straight(condition)
    if opposed := _OPPOSED.search(condition):
        sign, by = agreement(seen, opposed["rest"])
        return Agreement(-sign, by)
    if said := _AS_SAID.match(condition):
        sign, by = agreement(seen, said["rest"])
        return Agreement(-sign if said["not"] else sign, by)
    if sign := _by_amount(seen, condition):
        return Agreement(sign, "amount")
    code, words = _by_code(seen, condition), opposites.compare(seen, condition)
    if code and not (words < 0 and _names_the_same(seen, condition)):
        return Agreement(code, "code")
    if words:
        return Agreement(words, "opposites")
    return Agreement(0, "") if denied_words(seen).isdisjoint(denied_words(condition)) else Agreement(1, "denial")


def _by_amount(seen: str, condition: str) -> int:
    """Whether all amounts that were seen lie within what the condition admits, or none does.

    Nothing tells where one of them may be within and not, or cannot be read.
    """
    seen, condition = _in_versions(seen, condition)
    bounds = [bound for _, bound in _bounds(condition)]
    amounts = list(_told(seen)) if bounds else []
    if measured(seen) <= measured(condition):  # "it is 95": percent or degrees, where these are asked for
        amounts += [amount._replace(unit=unit) for amount in amounts for unit in ("%", "°") if not amount.unit]
    signs = {bound.fits(amount) for bound in bounds for amount in amounts if _is_one_kind(bound.unit, amount.unit)}
    return signs.pop() if len(signs) == 1 else 0


def _in_versions(*texts: str) -> tuple[str, ...]:
    """Texts of which one speaks of versions, with their numbers as such: 10.4 becomes 10.4.0, below 10.11.0."""
    if not any(map(_OF_VERSIONS.search, texts)):
        return texts
    return tuple(
        _MAYBE_VERSION.sub(lambda number: f"{number['major']}.{number['minor'] or 0}.0", text) for text in texts
    )


def is_unread(seen: str, condition: str) -> bool:
    """Whether a number was seen that may be the one that a condition bounds, and cannot be read."""
    bounds = [bound for _, bound in _bounds(straight(condition))]
    unread = [amount for amount in _told(straight(seen)) if amount.is_open] if bounds else []
    return any(_is_one_kind(bound.unit, amount.unit) for bound in bounds for amount in unread)


def tells_amounts(text: str) -> bool:
    """Whether a text tells of an amount: "it is 95", "after 5 minutes"."""
    return any(_told(straight(text)))


def compares(condition: str) -> bool:
    """Whether a condition bounds an amount, also where it is not read: "fewer than half of them"."""
    return _COMPARING.search(condition) is not None or bounds_an_amount(condition)


def _is_one_kind(unit: str, other: str) -> bool:
    """Whether amounts in two units may be compared: 12k is a count, or bytes."""
    return unit == other or _ANY in (unit, other) or ("k" in (unit, other) and {unit, other} <= {"k", "", "B"})


def exclude(one: str, other: str) -> bool:
    """Whether two conditions bound an amount so that it cannot lie within both: "below 80 %" and "80 % or more"."""
    mine, theirs = ([bound for _, bound in _bounds(text)] for text in _in_versions(straight(one), straight(other)))
    pairs = [(a, b) for a in mine for b in theirs if _is_one_kind(a.unit, b.unit)]
    return bool(pairs) and all(max(a.low, b.low) >= min(a.high, b.high) for a, b in pairs)


def bounds_an_amount(text: str) -> bool:
    """Whether a text says how much there is at least or at most: "p99 < 500 ms", "lag between 2 and 5 minutes"."""
    return any(_bounds(straight(text)))


def _bounds(text: str) -> Iterator[tuple[re.Match[str], Bound]]:
    """What a text bounds, each with where it does."""
    for match in _RANGE.finditer(text):
        least = _amount(match["low"], match["low_unit"] or match["unit"])
        most = _amount(match["size"], match["unit"])
        told = match["named"] or (not match["joint"] and (most.unit or match[0] == text.strip()))
        if told and least.unit == most.unit and least.size < most.size:
            yield match, Bound(least.size, most.size, most.unit, strict=False)
    for pattern in (_BEFORE, _AFTER):
        for match in pattern.finditer(text):
            amount = _amount(match["size"], match["unit"])
            if _unit_of_unread(match) is not None:
                continue
            strict = pattern is _BEFORE and _STRICT.search(match["below"] or match["age"] or match["above"]) is not None
            above = _grows_with_age(match["age"], amount.unit) if match["age"] else bool(match["above"])
            turned = match["not"] is not None
            low, high = (amount.size, float("inf")) if above is not turned else (float("-inf"), amount.size)
            yield match, Bound(low, high, amount.unit, strict is not turned)


def _grows_with_age(age: str, unit: str) -> bool:
    """Whether what is older or newer is more: an older message is of more hours, an older version of a lower number."""
    return (unit == "s") is age.lower().startswith("old")


def _told(text: str) -> Iterator[Bound]:
    """The amounts that a text tells of; one that cannot be read may be any."""
    said = _MOMENT.sub(" ", text)
    bounds = [(match, bound) for match, bound in _bounds(said) if not match[0].lower().startswith("up to")]
    yield from (bound for _, bound in bounds)
    covered = {at for match, _ in bounds for at in range(*match.span())}
    for match in _AMOUNT.finditer(said):
        if not (match.start() in covered or _NAME.search(_before(match)) or _is_ordinal(match)):
            size, unit = _amount(match["size"], match["unit"])
            is_below = unit == "°" and _BELOW_ZERO.search(said[: match.start("size")]) is not None
            unread = None if is_below else _unit_of_unread(match)
            size = -size if is_below else size
            yield Bound(size, size, unit, False) if unread is None else Bound(-math.inf, math.inf, unread, True)


def _before(match: re.Match[str]) -> str:
    """What stands right before a number."""
    start = match.start("size")
    return match.string[max(0, start - 2) : start]


def _is_ordinal(match: re.Match[str]) -> bool:
    return match["unit"] in _ORDINALS and match.end("size") == match.start("unit")


def _unit_of_unread(match: re.Match[str]) -> str | None:
    """The unit of a number that is more than what was read of it, or less; None where it is what was read."""
    unit = _amount(match["size"], match["unit"]).unit
    if not match["size"][0].isdigit() or unit == "version":
        return None
    if _NEGATIVE.search(_before(match)):
        return unit
    if (further := _GOES_ON.match(match.string, match.end("size"))) is not None:
        return _amount("1", further["unit"] or further["next"]).unit
    if match["unit"] in _UNCLEAR_UNITS and match.end("size") == match.start("unit"):
        return _ANY
    return unit if not unit and _TWOFOLD.fullmatch(match["size"]) else None


def _amount(size: str, unit: str | None) -> Amount:
    if size.count(".") > 1:
        major, minor, patch = (int(part) for part in (*size.replace(",", "").split("."), "0")[:3])
        return Amount(major * 1e6 + minor * 1e3 + patch, "version")
    base, scale = ("k", _SHORT[unit]) if unit in _SHORT else _UNITS.get((unit or "").lower(), ("", 1.0))
    word = size.lower()
    if word in _ONE or word in _NUMBERS:
        return Amount((_ONE[word] if word in _ONE else _NUMBERS.index(word)) * scale, base)
    plain = _THOUSANDS.sub("", word).replace(",", ".")
    return Amount(float(plain) * scale, base) if plain.count(".") < 2 else Amount(0.0, "list")


def _names_the_same(seen: str, condition: str) -> bool:
    """Whether both name one code, which then is what they speak of: "m1 is down", "m1 is up"."""
    return not _codes(seen).isdisjoint(_codes(condition))


def _by_code(seen: str, condition: str) -> int:
    """Codes of one shape: a 503 is none of "401 and 403", but one of "5xx"."""
    wanted, given = _codes(condition), _codes(_DENIED_CODE.sub("", seen))
    shapes = {_shape(code) for code in wanted} & {_shape(code) for code in given}
    if not shapes:
        return 0
    families = {f"{code[0]}xx" for code in given if _shape(code) == "http"}
    between = any(_is_between(code, codes) for codes in _RANGES.finditer(condition) for code in given)
    return 1 if between or wanted & (given | families) else -1


def _codes(text: str) -> set[str]:
    return {match[0].lower() for match in _CODE.finditer(text)}


def _is_between(code: str, codes: re.Match[str]) -> bool:
    """Whether a code is one of E10 to E19."""
    letters, number = codes["letters"].lower(), code.lstrip(string.ascii_lowercase)
    return code == letters + number and int(codes["low"]) <= int(number) <= int(codes["high"])


def measured(text: str) -> set[str]:
    """The words of a text beside its amounts: what they are amounts of, for one."""
    return {word for word in content_words(text) if word.isalpha() and word not in _UNIT_WORDS}


def _shape(code: str) -> str:
    return "hex" if code.startswith("0x") else "http" if code[0].isdigit() else re.sub(r"\d", "", code)
