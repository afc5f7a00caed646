"""Amounts that a person reports, and ranges that conditions state: inside, outside, or not comparable.

What is in doubt is not compared: who is asked again loses a moment, who is sent the wrong way loses more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import NamedTuple

from thread_core.text.denials import denies
from thread_core.text.leaning import OPPOSITE
from thread_core.text.words import content_words
from thread_core.walk.measures import COUNT, MARK, Measure, Unit, marked

_FILL = r"(?:(?:about|around|approx(?:imately)?\.?|roughly|some|exactly|an?|the|its|only|just|limit|of) |[~≈(] ?){0,4}"
_ER = "(?:great|high|larg|bigg|long|hott|warm|heavi|deep|old|lat)er"
_LOWER = "(?:low|small|short|cold|cool|light|young|new|earli)er"
_OR = r"(?: (?!or\b|and\b)[a-z]+)? (?:or|and)"
_END = rf"\b(?! than| {_FILL}{MARK})"
_SAID = re.compile(
    r"(?:(?P<not>(?:\b(?:not|no|never|cannot)|n't) \(?"
    r"(?:(?:much|longer|yet|be|go|get|rise|climb|drop|fall|stay|take|last) )?)?(?P<same>equal to or )?"
    rf"(?:(?P<more>\b(?:(?:more|{_ER}) than|over|above|beyond|exceed(?:s|ed|ing)?)\b|>(?!=))"
    rf"|(?P<less>\b(?:(?:less|fewer|{_LOWER}) than|under|below|nearly|almost)\b|<(?!=))"
    r"|(?P<least>\bat least\b|\bmin(?:imum)?(?: of)?\b|≥|>=)"
    r"|(?P<most>\bat (?:the )?most\b|\bup to\b|\bwithin\b|\bmax(?:imum)?(?: of)?\b|≤|<=))"
    r"(?P<equal> or equal(?: to)?)? ?"
    r"|(?P<apart>\b(?:by|every|each|last|past|next|previous|first|another|extra|than|instead of|needs?|requires?"
    r"|expected|should be|plus|minus) |[±/] ?)|(?P<waited>\b(?:after|wait|in|before|until) )"
    r"|(?P<stated>^\W*|\b(?:is|are|was|were|equals?|reads?|shows?|has|have|takes?|remains|stays at) |'s |[=:] ?))?"
    rf"{_FILL}(?P<between>\bbetween {_FILL})?{MARK}"
    rf"(?:(?P<joint> ?[-–—] ?| (?:to|through|up to) |(?(between) and |(?!))| or ){_FILL}{MARK})?"
    rf"(?:(?P<up>\+|{_OR} (?:more|above|over|{_ER}){_END}| (?:at least|min(?:imum)?)\b)"
    rf"|(?P<down>{_OR} (?:less|fewer|below|under|{_LOWER}){_END}| (?:at (?:the )?most|max(?:imum)?)\b))?"
    rf"(?P<off> (?:above|below|over|under|more|less|fewer|too|late|early|{_ER}|{_LOWER}|faster|slower)\b)?",
    re.IGNORECASE,
)
"""An amount with what makes it a bound, the end of a range, or a difference or a period, which are neither."""
_OF_TIME = re.compile("old|young|new|lat|earl|within", re.IGNORECASE)  # Else they are bounds of versions.
_BREAK = re.compile(r"[.;!?](?=\s|$)|, |\bbut\b", re.IGNORECASE)


class Quantity(NamedTuple):
    """An amount in base units ("second", "meter ** 3", "" for a count, "%"), or in an unknown unit as it is written."""

    value: float
    dimension: str
    words: frozenset[str]  # Stems of the words around it: what it is an amount of.


class Range(NamedTuple):
    """All from low to high, in base units; an end that is open does not belong to it."""

    low: float
    high: float
    low_open: bool
    high_open: bool
    dimension: str


class _Said(NamedTuple):
    range: Range
    form: str
    """"bound", "stated", "told" in passing, "either" of two, or in "doubt"."""
    amounts: tuple[Quantity, ...]
    units: frozenset[Unit]


def amounts(text: str) -> tuple[Quantity, ...]:
    """Read the amounts of a text in order, each in base units: "35 ms, at step 3" has one, of 0.035 "second"."""
    return tuple(amount for said in _read(text) for amount in said.amounts)


def bounds(condition: str) -> Range | None:
    """Read the one range that a condition states, in base units: above 120 "second" for "more than 2 minutes".

    None where it states none, or several that have nothing in common.
    """
    return limit[0] if (limit := _limit(condition)) else None


def within(report: str, condition: str) -> bool | None:
    """Return True where a report lies in a condition's range, False outside, None where nobody can tell.

    Example:
        >>> within("about 35 ms", "above 20 ms"), within("35 pods", "above 20 ms")
        (True, None)
    """
    found = _compare(report, condition)
    return found.pop() if len(found) == 1 else None


def only_one(report: str, conditions: Sequence[str]) -> int | None:
    """Return the index of the only condition in whose range a report lies; None too where another is in doubt.

    A number that stands alone is one of the unit of all ranges: "50" lies in "less than 100 mL" if no other has litres.
    """
    found = _compare_all(report, conditions)
    sure = all(lies in ({True}, {False}, set()) for lies in found)
    return found.index({True}) if sure and found.count({True}) == 1 else None


def outside_all(report: str, conditions: Sequence[str]) -> bool:
    """Return whether all conditions state ranges and a report lies outside of each, as "7 L" does of "2 to 5 L"."""
    return bool(conditions) and all(lies == {False} for lies in _compare_all(report, conditions))


def _compare_all(report: str, conditions: Sequence[str]) -> list[set[bool | None]]:
    units = {limit[1] for condition in conditions if (limit := _limit(condition))}
    is_alone = len(units) == 1 and all(each.words <= content_words(" ".join(conditions)) for each in amounts(report))
    return [_compare(report, condition, units.copy().pop() if is_alone else None) for condition in conditions]


def _compare(report: str, condition: str, count: Unit | None = None) -> set[bool | None]:
    """How each amount of a report lies to the range of a condition; None for one of which that is in doubt."""
    limit = _limit(condition)
    told = _read(report, count, limit[1] if limit and limit[0].dimension == "kelvin" else None)
    if limit is None:
        doubted = {said.range.dimension for said in _read(condition) if said.form != "told"}
        return {None for said in told if said.range.dimension in doubted}
    if report.rstrip().endswith("?") or any(said.form == "doubt" for said in told):
        return {None}
    return {_lies(said.range, limit[0]) for said in told if said.range.dimension == limit[0].dimension}


def _lies(seen: Range, span: Range) -> bool | None:
    if seen.high < span.low or (seen.high == span.low and (seen.high_open or span.low_open)):
        return False
    if seen.low > span.high or (seen.low == span.high and (seen.low_open or span.high_open)):
        return False
    starts = (seen.low, seen.low_open) >= (span.low, span.low_open)
    return True if starts and (-seen.high, seen.high_open) >= (-span.high, span.high_open) else None


@lru_cache(maxsize=1000)
def _limit(condition: str) -> tuple[Range, Unit | None] | None:
    """The range that a condition states, and its unit where that is one."""
    said = _read(condition.removeprefix(OPPOSITE))
    chosen = [each for each in said if each.form == "bound"] or [each for each in said if each.form == "stated"]
    dimensions = {each.range.dimension for each in chosen}
    if len(dimensions) != 1 or any(each.form in ("either", "doubt") for each in said):
        return None
    low, low_open = max((each.range.low, each.range.low_open) for each in chosen)
    high, is_closed = min((each.range.high, not each.range.high_open) for each in chosen)
    is_split = condition.startswith(OPPOSITE) and (low == -inf) == (high == inf)
    if low > high or (low == high and (low_open or not is_closed)) or is_split:
        return None
    if condition.startswith(OPPOSITE):
        low, high, low_open, is_closed = (high, inf, is_closed, False) if low == -inf else (-inf, low, True, low_open)
    units = frozenset[Unit]().union(*(each.units for each in said if each.range.dimension in dimensions))
    return Range(low, high, low_open, not is_closed, *dimensions), next(iter(units)) if len(units) == 1 else None


@lru_cache(maxsize=1000)
def _read(text: str, count: Unit | None = None, degree: Unit | None = None) -> tuple[_Said, ...]:
    """What a text says of amounts, in order; counts and degrees in a unit where one is given."""
    plain, found = marked(text)
    units = {"": count, "deg": degree}
    found = [Measure(size, units.get(unit.dimension) or unit) for size, unit in found]
    said: list[_Said] = []
    for clause in _BREAK.split(plain):
        rest, at = _SAID.sub(" ", clause), 0
        for match in _SAID.finditer(clause):
            one = _say(match, [found[int(index)] for index in re.findall(MARK, match[0])], content_words(rest))
            is_other = said and re.search(r"\bor\b", clause[at : match.start()]) and one and one.form != "told"
            said += [one._replace(form="doubt") if is_other or denies(rest) else one] if one else []
            at = match.end()
    return tuple(said)


def _say(match: re.Match[str], found: list[Measure], words: set[str]) -> _Said | None:
    """What an amount, or two, and what stands around it say; None for a difference, a period or a version."""
    if match["joint"] and found[0].unit == COUNT:
        found = [found[0]._replace(unit=found[1].unit), found[1]]
    low, high = (end.unit.base(end.size) for end in (found[0], found[-1]))
    dimension, is_count = found[0].unit.dimension, found[0].unit == COUNT
    bound = next((match[name] for name in ("more", "less", "least", "most", "up", "down") if match[name]), "")
    is_none = match["apart"] or match["off"] or low > high or dimension != found[-1].unit.dimension
    if is_none or (is_count and low < 0) or (_OF_TIME.search(bound) and dimension != "second"):
        return None
    is_told = match["stated"] is None or (dimension == "second" and words and not match["stated"].strip())
    form = "told" if is_told else "stated"
    if bound or (match["joint"] and not match["waited"]):
        form = "bound"
    if match["joint"] == " or " and not (is_count and high - low == 1):
        form = "either"
    span = Range(low, high, False, False, dimension)
    if bound:
        is_up = bool(match["more"] or match["least"] or match["up"])
        is_open = bool((match["more"] or match["less"]) and not (match["equal"] or match["same"]))
        if match["not"]:
            form = form if is_open else "doubt"
            is_up, is_open = not is_up, False
        span = Range(low, inf, is_open, True, dimension) if is_up else Range(-inf, high, True, is_open, dimension)
    read = tuple(Quantity(each.unit.base(each.size), each.unit.dimension, frozenset(words)) for each in found)
    return _Said(span, form, read, frozenset(each.unit for each in found))
