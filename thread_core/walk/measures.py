"""Numbers with their units in a text: what of it is an amount, and what only looks like one.

Units come from pint, looked up by their names alone, and spelled-out numbers from text2num. Nothing is evaluated.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from thread_core.text.denials import straight

if TYPE_CHECKING:
    from pint import UnitRegistry

MARK = "\ue000([0-9]+)\ue001"  # What stands for an amount in a marked text, with its index.
_LONGEST = 2000  # Characters; of a longer text nothing is read.

_METRIC = "meter liter gram pascal bar hertz volt ampere watt watt_hour ampere_hour joule calorie ohm newton"
_OTHERS = """minute hour day week month year inch foot yard mile gallon quart pint cup tablespoon teaspoon fluid_ounce
    pound ounce metric_ton degree_Celsius degree_Fahrenheit kelvin cubic_centimeter standard_atmosphere lux lumen
    pound_force_per_square_inch revolutions_per_minute mile_per_hour"""
_PREFIXES = {
    **dict.fromkeys(_METRIC.split(), "milli micro nano centi deci hecto kilo mega giga"),
    **dict.fromkeys(("byte", "bit", "baud"), "kilo mega giga tera kibi mebi gibi tebi"),
    **dict.fromkeys(_OTHERS.split(), ""),
    "second": "milli micro nano",
}
"""What guides measure in, as pint calls it: it knows hands, rods and points too, and that "are" and "a" are units."""
_SYMBOL = re.compile(r"(?![A-Z]+s$)(?:[b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z]{1,5}|[A-Za-z]{0,3}[A-Z])$|.*[_/²³0-9]")
"""How a unit looks that is not known: an amount in it is comparable with others in it only."""

_KEPT = re.compile(
    r"(\bseconds?\b|\b(?:hundred|thousand|million|billion)s\b"
    r"|(?<!ty[ -])\bones?\b(?! (?:hundred|thousand|million|billion|point)\b))",
    re.IGNORECASE,
)
"""What text2num takes for numbers too: a unit, no certain number, a pronoun."""
_LEADS = "about than over under above below exactly least most only just takes took for after is are was see has have"
_BEFORE_ONE = "|".join(f"(?<={word} )" for word in _LEADS.split())
_PARTS = (("half", "1/2", "½", 5), ("(?:three|3) quarters", "3/4", "¾", 75), ("quarter", "1/4", "¼", 25))
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b"
_CALLED = r"""step option section chapter page line port code error status exit version release https? issue ticket
    no\.? nr\.? number figure table item row column rule phase slot channel room model type build python windows ubuntu
    debian ios java android macos usb rev rc gear stage zone bay disk drive pump rack pod node server mode"""
_NAMES = (
    r"^ ?[0-9]+[.)] (?=\S)|\b[0-9][0-9.,]*(?: ?[^\s0-9±]+)? ?(?:±|\+/-).*",
    r"(?<![0-9])[0-9]+(?P<by>[-/.:])[0-9]+(?:(?P=by)[0-9]+)+\S*",  # Dates, versions, addresses.
    r"(?<![0-9])[0-9]+(?:[:/][0-9]\S*(?: ?[ap]\.?m\b)?| ?(?:[ap]\.?m\b|o'clock))",
    rf"{_MONTH} [0-9]+(?:st|nd|rd|th)?(?:,? [0-9]{{4}})?|\b[0-9]+(?:st|nd|rd|th)? (?:of )?{_MONTH}(?:,? [0-9]{{4}})?",
    r"\b(?:in|since|until|by|year|from|before|after|of) (?:19|20)[0-9]{2}\b(?! ?[\w%])",
    r"\b(?:[45][0-9]{2}|[0-9]{3}0)s\b",  # 503s, the 1990s.
    r"[€$£#] ?[0-9][\w.,]*|\b[0-9][0-9.,]* ?(?:[€$£]|(?:dozen|hundred|thousand|million|billion)\b)",
    r"\b[1-9][0-9]{0,2}\.[0-9]{3}\b|\b[0-9]+(?: ?[x×*] ?| )[0-9]\S*",  # 1.400 and 1 400 are two things to two people.
    rf"\b(?:{'|'.join(_CALLED.split())})s?(?: code)?:? ?#?[0-9][\w.]*+(?! ?(?:%|[KMGT]i?B\b))"
    r"(?: ?(?:,|and|or|to|-|–) ?[0-9]+\b(?! ?[\w%]))*",
)
"""What is called by a number, or looks like an amount."""
_REWRITES = (
    (r"(?<=[0-9])['\u00a0\u2009\u202f](?=[0-9]{3}\b)", ","),
    (r"[*`¦\ue000\ue001]+|[^\S\n]+", " "),
    (r" ?\n\s*", ". "),
    (r"\b(min|max|approx|ca)\. (?=[0-9])", r"\1 "),
    (r" ?\bper ?cent\b", "%"),
    (r"\bsecond\b", "sec"),
    (rf"(?:^ ?|{_BEFORE_ONE})(?:an?(?= (?:minute|hour|day|week|month|year|lit(?:re|er))\b)|one\b)", "1"),
    # Parts are written with a decimal comma, which is one only where a unit is behind it.
    *(
        (rf"(?<=[0-9])(?: and (?:a )?{word}\b| {slash}\b(?!/)| ?{sign})", f",{part}")
        for word, slash, sign, part in _PARTS
    ),
    *((rf"([0-9]) (\w{{1,12}}) and (?:a )?{word}\b", rf"\1,{part} \2") for word, *_, part in _PARTS),
    *(
        (rf"(?<![\w.,/-])(?:(?:a )?{word}|{slash}|{sign})(?: of)?(?: an?\b)?(?= ?[a-z])", f"0,{part}")
        for word, slash, sign, part in _PARTS
    ),
    (r" per (?=[a-z])| ?/ ?(?=[a-z])| (?:an?|each|every) (?=(?:sec|minute|hour|day|week|month)\b)", "/"),
    (r"\b(square|cubic|sq|cu|fluid|fl|watt|metric)\.? (?=[a-z])", r"\1_"),
    (r" ?(?:°|\bdeg(?:ree)?s?\b\.?)(?: ?([cf])(?:elsius|entigrade|ahrenheit)?\b)?", r" deg\1"),
    (r"(?<=[0-9])([dhm])(?=[0-9]+ ?(?:[hms]|min)\b)", r"\1 "),
    ("|".join(_NAMES), "¦"),
)
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), form) for pattern, form in _REWRITES)
_NUMBER = re.compile(
    r"(?:(?<![^\s(\[<>=≤≥~≈:\"'“])(?P<minus>[-\N{MINUS SIGN}]|minus )?\+?|(?<=[0-9%][-–—]))"
    r"(?P<digits>(?:[1-9][0-9]{0,2}(?:,[0-9]{3}){1,4}|[0-9]{1,12})(?:[.,][0-9]{1,9})?|\.[0-9]{1,9})"
    r"(?P<times>(?-i:k)(?!\w))?(?![0-9]|[.,:/'][0-9])(?:(?P<gap> ?|-)(?P<unit>%|/?[a-zµμΩ][\w/²³]{0,30}))?",
    re.IGNORECASE,
)
_TWO = re.compile(rf"(between )?{MARK}(,? | and |, and | (?:out )?of (?:the )?|){MARK}", re.IGNORECASE)
_TO = "(?: ?[-–—] ?| (?:to|through|or) )"
_HALF_READ = re.compile(rf"¦{_TO}{MARK}|{MARK}(?:{_TO}¦| {MARK})")


class Unit(NamedTuple):
    """Brings a number to base units, which its dimension names: "second", "meter ** 3", "" for a count, "%"."""

    dimension: str = ""
    factor: float = 1.0
    offset: float = 0.0

    def base(self, size: float) -> float:
        """Return how many base units a number of this one is: 0.005 seconds for 5 ms."""
        return float(f"{size * self.factor + self.offset:.12g}")


COUNT = Unit()


class Measure(NamedTuple):
    """A number as it is written, and its unit."""

    size: float
    unit: Unit


def marked(text: str) -> tuple[str, list[Measure]]:
    """Return a text with a mark in place of each amount, and the amounts: 35 of ms, of "35 ms at step 3"."""
    plain = "" if len(text) > _LONGEST else straight(text.encode(errors="replace").decode())
    plain = "".join(part if at % 2 else _in_digits(part) for at, part in enumerate(_KEPT.split(plain)))
    for pattern, form in _COMPILED:
        plain = pattern.sub(form, plain)
    found: list[Measure] = []
    plain = _NUMBER.sub(lambda match: _mark(match, found), plain)
    for _ in range(2):
        plain = _TWO.sub(lambda match: _as_one(match, found), plain)
    return _HALF_READ.sub("¦", plain), found


def _in_digits(text: str) -> str:
    from text_to_num import alpha2digit  # type: ignore[import-untyped]  # It ships no types.

    return str(alpha2digit(text, "en", 0)) if text.strip() else text


def _mark(match: re.Match[str], found: list[Measure]) -> str:
    """The mark of an amount, with what follows it that is no unit; something else for what is none."""
    word, gap, digits = match["unit"] or "", match["gap"] or "", match["digits"]
    unit, rest = unit_named(word) if word and not (gap and word.lower() in ("in", "us")) else None, ""
    if unit is None and word.lower() == "x":
        unit, rest = COUNT, gap and gap + word
    elif word and gap != " " and (word == "K" or (unit is None and "/" not in word)):
        return "¦"  # Part of a name, such as "3rd" and "2-way".
    elif unit is None:
        unit, rest = (Unit(word), "") if _SYMBOL.match(word) else (COUNT, gap + word)
    is_decimal = "," in digits and not re.fullmatch(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?", digits)
    if is_decimal and unit == COUNT:
        return f"¦{rest}"
    size = float((".".join(digits.rsplit(",", 1)) if is_decimal else digits).replace(",", ""))
    found.append(Measure(size * (1000 if match["times"] else 1) * (-1 if match["minus"] else 1), unit))
    return f"\ue000{len(found) - 1}\ue001{rest}"


def _as_one(match: re.Match[str], found: list[Measure]) -> str:
    """One mark for "1 h 30 min", and for the first of "2 of 3"; else the two that there are."""
    between, one, gap, other = match.groups()
    first, second = found[int(one)], found[int(other)]
    if between or "of" in gap:
        return match[0] if between else f"\ue000{one}\ue001"
    dimensions = {first.unit.dimension, second.unit.dimension}
    if dimensions == {"m", "second"} and (minute := unit_named("min")):
        first, second = (each._replace(unit=minute) if each.unit.dimension == "m" else each for each in (first, second))
    scale = first.unit.factor / second.unit.factor
    if first.unit.dimension != second.unit.dimension or not second.size < scale > 1:
        return match[0]
    found[int(one)] = Measure(first.size + second.size / scale, first.unit)
    return f"\ue000{one}\ue001"


@lru_cache(maxsize=2000)
def unit_named(name: str) -> Unit | None:
    """Look a unit up by its name, such as "ms", "litres" or "MB/s"; None for what guides do not measure in."""
    over, _, under = name.partition("/")
    if under:
        first, second = unit_named(over), unit_named(under)
        if first is None or second is None or first.offset:
            return None
        return Unit(f"{first.dimension} / {second.dimension}", first.factor / second.factor)
    if name in ("%", "m", "deg"):
        return Unit(name)  # Metre or minute, of a temperature or of an angle: that says the text it is compared with.
    if re.fullmatch(r"[KMGT]I?B|[kmgt]i?b|[KMGT]i", name):
        name = (name[0].upper() + ("iB" if "i" in name.lower() else "B")).replace("KB", "kB")
    name, look = {"C": "degC", "F": "degF", "a": ""}.get(name, name), _registry().parse_unit_name
    exact, small = look(name), look(name.lower() if len(name) > 1 else name)
    loose = look(name, case_sensitive=len(name) < 2 or re.fullmatch("[KMGT]b", name) is not None)
    for prefix, unit, _ in (*(each for each in (*exact, *small) if not each[0]), *exact, *loose):
        if unit in _PREFIXES and (not prefix or prefix in _PREFIXES[unit].split()):
            break
    else:
        return None
    zero, one = (_registry().Quantity(size, prefix + unit).to_base_units() for size in (0.0, 1.0))
    return Unit(str(one.units), one.magnitude - zero.magnitude, zero.magnitude)


@cache
def _registry() -> UnitRegistry[float]:
    from pint import UnitRegistry  # Only who meets a unit waits for it.

    return UnitRegistry()
