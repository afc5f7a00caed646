"""Amounts that a person reports, and ranges that conditions state: inside, outside, or not comparable.

What is in doubt is not compared: who is asked again loses a moment, who is sent the wrong way loses more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from math import inf
from typing import NamedTuple

from thread_core.documents.leaning import OPPOSITE
from thread_core.text.denials import denies, straight
from thread_core.text.words import content_words

_UNITS = """second minute hour day week month year meter inch foot yard mile liter gallon quart pint cup gram pound
    ounce metric_ton degree_Celsius degree_Fahrenheit kelvin pascal bar pound_force_per_square_inch volt ampere watt ohm
    hertz joule watt_hour ampere_hour byte baud revolutions_per_minute mile_per_hour percent""".split()
"""What guides measure in, as pint calls it: it knows hands, rods and points too, and that "are" and "a" are units."""
_PREFIXES = ("", *"milli micro nano centi kilo mega giga tera kibi mebi gibi tebi".split())
_NO_NUMBER = re.compile(r"\b(?:(sec)ond|(?:hundred|thousand|million|billion)s)\b", re.IGNORECASE)
_REWRITES = (
    (r"\bhalf an? ", "0.5 "),
    (r"\ban? (?=(?:minute|hour|day|week|month|year|lit(?:er|re))\b)", "a 1 "),
    (r"\b(\d+)( [a-z]+)? and a half\b", r"\1.5\2"),
    (r"(?:\bminus |\N{MINUS SIGN})(?=\d)", "-"),
    (r"(\d) ?(?:(?:°|degrees?) ?c(?:elsius)?|(?-i:C))\b", r"\1 celsius"),
    (r"(\d) ?(?:(?:°|degrees?) ?f(?:ahrenheit)?|(?-i:F))\b", r"\1 fahrenheit"),
    # Items of a list, dates, the time of day, codes, ordinals, thirds, and 1.250, which is two things to two people.
    (r"^\W*\d+[.)] (?=\S)|\b\d{1,4}([-./])\d{1,9}\1\d\S*|\b\d[\d:.]{0,5} ?(?:[ap]\.?m\b|o'clock)", " "),
    (r"\b(?:[45]\d\d|\d{3}0)s\b|\b(?:\d{1,9} )?\d{1,9}(?:st|nd|rd|th)s?\b|\b[1-9]\d{0,2}\.\d{3}\b", " "),
)
_NUMBER = re.compile(
    r"(?i)(?:(?<![^\s(\[<>=≤≥~≈\"'])|(?<=[\d%][-–—]))"
    r"(?P<value>-?(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,9})?)(?! ?[€$£]| dozen\b)"
    r"(?:(?P<gap>[ -]?)(?P<unit>%|[a-zµμΩ]+))?(?![\w/:°\N{FRACTION SLASH}]|[.,']\w)"
)
_MORE = r"(?:more|(?:great|high|larg|bigg|long|hott|warm|heavi|deep|old)er)"
_LESS = r"(?:less|(?:few|low|small|short|cold|cool|light|young|new)er)"
_HEDGE = r"about|around|approx\w*|roughly|exactly|only|just|some|then|now|still"
_FILL = rf"(?:(?:{_HEDGE}|an?|the|its|all|of)[ ]|[~≈(][ ]?){{0,3}}"
_PLURAL = r"(?!(?:is|was|has|as|does)\b)[a-z]+s\b"
_GRAMMAR = re.compile(
    rf"""(?xi) (?P<lead>
        (?P<not> (?:\b(?:not|no|never|cannot)|n't)[ ](?:(?:longer|be|go|get|rise|drop|fall|take|stay)[ ])? )?
        (?: (?P<more> \b(?:{_MORE}[ ]than|over|above|beyond|exceed\w*)\b | >(?!=) )
          | (?P<less> \b(?:{_LESS}[ ]than|under|below)\b | <(?!=) )
          | (?P<least> \b(?:at[ ]least|min(?:imum)?)\b | ≥ | >= )
          | (?P<most> \b(?:at[ ](?:the[ ])?most|(?<!not[ ])up[ ]to|within|max(?:imum)?)\b | ≤ | <= ) ) [ ]?
      | (?P<apart> \b(?:by|every|each|once|twice|times|last|past|next|another|extra|than|needs?|should[ ]be)[ ] )
      | (?P<waited> \b(?:after|wait|in|before|until)[ ] ) | (?P<between> \bbetween[ ] )
      | (?P<stated> ^[^\w\#]* | [=:][ ]? | \b(?:[a-z]+'s|is|are|was|were|be|equals?|reads?|shows?|says?|has|have|had
          |takes?|took|sees?|saw|gets?|got|found|counts?|lasts?|lasted|holds?|remains?|stays[ ]at)[ ] )
      | (?P<word> \b(?!(?:{_HEDGE})\b)[a-z']+[ ] ) )?
    (?P<fill> {_FILL} ) \#
    (?P<to> (?: [ ]?[-–—][ ]? | [ ](?:to|through|up[ ]to|or)[ ] | (?(between)[ ]and[ ]|(?!)) ) {_FILL} \# )?
    (?: (?P<up> \+ | (?:[ ][a-z]+)?[ ]or[ ](?:above|over|{_MORE})\b(?![ ](?:than|about|\#)) )
      | (?P<down> (?:[ ][a-z]+)?[ ]or[ ](?:below|under|{_LESS})\b(?![ ](?:than|about|\#)) )
      | (?P<off> [ ]?(?:[x×*±/]|\+/-)(?:[ ]?\#)? | [ ](?:and[ ]|(?:out[ ])?of[ ](?:the[ ])?)?\#
          | (?:[ ](?!(?:is|was|has|had|took)\b)[a-z]+)?[ ](?:an?|each|every)[ ]\#
          | (?:[ ][a-z]+){{0,2}}(?:/|[ ]per\b) | (?=[ ](?-i:[A-Z][a-z]))
          | (?:[ ][a-z]+s)?[ ](?:{_MORE}|{_LESS}|above|below|over|under|too|late|later|early|earlier|ago|faster)\b ) )?
    (?P<plural> (?=[ ](?:[a-z]+[ ])?{_PLURAL}) )? (?= (?:[ ](?:[a-z]+[ ]){{0,2}}?(?P<things>{_PLURAL}))? )"""
)
"""A mark of a number, or two, with what makes it a bound, the end of a span, or a difference, or a rate: no amounts."""
_BREAK = re.compile(r"(?<!min)(?<!max)[.;!?](?=\s|$)|, |\bbut\b", re.IGNORECASE)
_PART = re.compile(r"\b(?:half|halves|quarters?)\b|[½¼¾]", re.IGNORECASE)
_pint = cache(lambda: import_module("pint").UnitRegistry())  # Only who meets a unit waits for it.


class Amount(NamedTuple):
    """All from one end to the other, in base units ("second", "meter ** 3", "dimensionless" for %, "" for a count)."""

    low: tuple[float, int]  # A value, and whether the range ends just below it (-1), at it (0) or just above it (1).
    high: tuple[float, int]
    dimension: str
    unit: str = ""  # As it is written; of a span in two units none.
    kind: str = "told"  # Or "stated", a "bound", or in "doubt".
    things: str = ""  # What a count counts, where that is written in the plural.

    def is_of(self, other: Amount) -> bool:
        """Tell whether the two compare: seven names are none of five computers."""
        return self.dimension == other.dimension and (self.things == other.things or not (self.things and other.things))


@lru_cache(maxsize=1000)
def amounts(text: str, unit: str = "") -> tuple[Amount, ...]:
    """Read the amounts of a text, counts in a unit if one is given: "35 ms, at step 3" has one, of 0.035 "second"."""
    plain, numbers = _marked(text)
    read: list[Amount] = []
    for clause in _BREAK.split(plain):
        is_sure = not (_PART.search(clause) or denies(_GRAMMAR.sub(r"\g<word>", clause)))
        for match in _GRAMMAR.finditer(clause):
            amount = _amount(match, [numbers.pop(0) for _ in range(match[0].count("#"))], unit)
            read += [amount if is_sure else amount._replace(kind="doubt")] if amount else []
    is_either = len(read) > 1 and re.search(r"\bor\b", _GRAMMAR.sub("", plain))
    return tuple(amount._replace(kind="doubt") if is_either else amount for amount in read)


def bounds(condition: str) -> Amount | None:
    """Read the one range that a condition states: above 120 "second" for "more than 2 minutes"."""
    said = amounts(condition.removeprefix(OPPOSITE))
    chosen = [each for each in said if each.kind == "bound"] or [each for each in said if each.kind == "stated"]
    if len({each.dimension for each in chosen}) != 1 or any(each.kind == "doubt" for each in said):
        return None
    low, high = max(each.low for each in chosen), min(each.high for each in chosen)
    if condition.startswith(OPPOSITE):
        if (low[0] == -inf) == (high[0] == inf):
            return None
        low, high = ((high[0], high[1] + 1), (inf, 0)) if low[0] == -inf else ((-inf, 0), (low[0], low[1] - 1))
    return chosen[0]._replace(low=low, high=high) if low <= high else None


def only_one(report: str, conditions: Sequence[str]) -> int | None:
    """Find the only condition in whose range a report lies, by index: 1 for "3 L", of "up to 2 L" and "above 2 L"."""
    found = _compare(report, conditions)
    return found.index({True}) if found.count({True}) == 1 and not any(None in lies for lies in found) else None


def outside_all(report: str, conditions: Sequence[str]) -> bool:
    """Tell whether all conditions state ranges and a report lies outside of each, as "7 L" does of "2 to 5 L"."""
    return bool(conditions) and all(lies == {False} for lies in _compare(report, conditions))


def _compare(report: str, conditions: Sequence[str]) -> list[set[bool | None]]:
    """How the amounts of a report lie to the range of each condition; None for one of which that is in doubt."""
    stated = [amounts(condition) for condition in conditions]
    units = {each.unit for said in stated for each in said}
    # A number that stands alone is one of the unit of all: "50" lies in "less than 100 mL" where no other has litres.
    is_alone = len(units) == 1 and content_words(_marked(report)[0]) <= content_words(" ".join(conditions))
    told = () if report.rstrip().endswith("?") else amounts(report, units.pop() if is_alone else "")
    return [
        {_lies(amount, limit) for amount in told if any(map(amount.is_of, said))}
        for limit, said in zip(map(bounds, conditions), stated, strict=True)
    ]


def _lies(seen: Amount, span: Amount | None) -> bool | None:
    if span is None or seen.kind == "doubt" or seen.dimension != span.dimension:
        return None
    is_apart = seen.high < span.low or seen.low > span.high
    return True if span.low <= seen.low and seen.high <= span.high else False if is_apart else None


def _amount(match: re.Match[str], numbers: list[tuple[float, str]], default: str) -> Amount | None:
    """What a number, or two, and what stands around it say; None for a name, a difference or a rate."""
    has = {name for name, part in match.groupdict().items() if part is not None}
    bound = has & {"more", "less", "least", "most", "up", "down"}
    (first, unit), (last, other) = numbers[0], numbers[-1]
    if not (unit or other):
        before = "".join(f"{match['lead'] or ''}{match['fill']}".lower().split()[-1:])
        is_opened = bound or has & {"stated", "between"} or re.search(_HEDGE, match["fill"], re.IGNORECASE)
        is_counted = "plural" in has and (before.endswith("ed") or not content_words(before))
        if first < 0 or not (is_counted or (is_opened and before not in ("a", "an", "the", "all", "of"))):
            return None
    unit, other = unit or other or default, other or default
    (low, dimension), (high, same) = _in_base(first, unit), _in_base(last, other)
    is_of_time = re.search("(old|young|new)er|within", match[0], re.IGNORECASE)  # Else they are bounds of versions.
    if has & {"apart", "off"} or low > high or dimension != same or (is_of_time and dimension != "second"):
        return None
    is_up = bool(has & {"more", "least", "up"}) != ("not" in has)
    side = int(bool(has & {"more", "less"}) != ("not" in has))
    start = (-inf, 0) if bound and not is_up else (low, side)
    end = (inf, 0) if bound and is_up else (high, -side)
    is_stated = "stated" in has and (dimension != "second" or match["stated"].strip())
    kind = "bound" if bound or ("to" in has and "waited" not in has) else "stated" if is_stated else "told"
    kind = "doubt" if " or " in (match["to"] or "") and last - first != 1 else kind
    things = "" if dimension else (match["things"] or "").lower()
    return Amount(start, end, dimension, unit if unit == other else "", kind, things)


def _marked(text: str) -> tuple[str, list[tuple[float, str]]]:
    """Return a text with "#" in place of each number and its unit, and the numbers with their units in order."""
    from text_to_num import alpha2digit  # type: ignore[import-untyped]  # It ships no types.

    numbers: list[tuple[float, str]] = []

    def mark(match: re.Match[str]) -> str:
        word, gap = match["unit"] or "", match["gap"] or ""
        unit = "" if gap and word.lower() in ("in", "us", "a") else _unit(word)
        if word and not unit and gap != " ":
            return " "  # Part of a name, such as "2-way".
        numbers.append((float(match["value"].replace(",", "")), unit))
        return "#" if unit else f"#{gap}{word}"

    plain = straight(text.encode(errors="replace").decode()).replace("#", "№") if len(text) <= 2000 else ""
    plain = ". ".join(" ".join(line.split()) for line in plain.splitlines() if line.strip())
    plain = alpha2digit(_NO_NUMBER.sub(lambda match: match[1] or "dozen", plain), "en", 0)
    for pattern, form in _REWRITES:
        plain = re.sub(pattern, form, plain, flags=re.IGNORECASE)
    return _NUMBER.sub(mark, plain), numbers


def _in_base(value: float, unit: str) -> tuple[float, str]:
    quantity = _pint().Quantity(value, unit).to_base_units() if unit else None
    return (float(f"{quantity.magnitude:.12g}"), str(quantity.units)) if quantity is not None else (value, "")


@lru_cache(maxsize=1000)
def _unit(word: str) -> str:
    """Look up what pint calls a unit, such as "milliliter" for "ml"; "" for what guides do not measure in."""
    name = f"{word[:-1].title()}B".replace("KB", "kB") if re.fullmatch("[kmgt]i?b|KB", word) else word
    small = name.lower() if len(name) > 3 or (len(name) > 1 and name.isupper()) else name
    found = [each for spelled in (name, small) if word for each in _pint().parse_unit_name(spelled)]
    return next((prefix + unit for prefix, unit, _ in found if unit in _UNITS and prefix in _PREFIXES), "")
