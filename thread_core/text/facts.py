"""What a text says exactly: numbers with their units, names, paths, URLs. Two spellings of the same have one key."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What may be lost from a text or invented in it."""

    CODE = "code block"
    COMMAND = "command"
    INLINE = "inline code"
    NUMBER = "number"
    NAME = "identifier"
    PATH = "path"
    URL = "URL"
    CONDITION = "condition"
    NEGATION = "negation"
    SENTENCE = "sentence"


class Fact(NamedTuple):
    """Something that is either said as it is or said wrongly."""

    kind: Kind
    key: str
    """The same for `10 GB` and `10GB`, `v2.3` and `2.3`, "five minutes" and "5 min"."""
    text: str
    start: int
    """Characters before it."""


_TOKEN = re.compile(r"[^\s\x1f—→]+")
_BEFORE, _AFTER = "([{\"'“*`~", ".,;:!?)]}\"'”’*`~"
_NUMBER = re.compile(r"[#$€~≈<>=≤≥+±]*v?(\d+(?:[.,]\d+)*)(%|[A-Za-z]{1,6})?", re.IGNORECASE)
_RANGE = re.compile(r"(\d+(?:\.\d+)?)[-–](\d+(?:\.\d+)?)(%|[A-Za-z]{1,6})?")
_DIGITS = re.compile(r"\d[\d.,:/×x–-]*\d")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_NUMERALS = {word: str(size) for size, word in enumerate("two three four five six seven eight nine ten".split(), 2)}
_NUMERALS |= {"eleven": "11", "twelve": "12"}
_UNITS: dict[str, str] = {
    **dict.fromkeys(("%", "percent"), "%"),
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), "min"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("d", "day", "days"), "d"),
    **dict.fromkeys(("week", "weeks"), "week"),
    **dict.fromkeys(("month", "months"), "month"),
    **dict.fromkeys(("year", "years"), "year"),
    **dict.fromkeys(("byte", "bytes"), "b"),
    **{unit: unit for unit in ("kb", "kib", "mb", "mib", "gb", "gib", "tb", "tib", "ghz", "mhz", "mbps", "gbps")},
}
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"(?:\w+day,? )?(?:\d{{4}}[-/]\d\d[-/]\d\d|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}"
    rf"|\d{{1,2}}[. /-]{{0,2}}{_MONTH}[ /-]?\d{{2,4}}|{_MONTH} (?:\d{{1,2}},? )?\d{{4}})"
    r"(?:[T,]? ?(?:at )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?(?: ?[a-z]{1,4})?)?\W*",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:steps?|sections?|chapters?|rows?|methods?|appendix|items?|parts?|figures?|tables?)", re.IGNORECASE
)
"""A number after one of these says where something stands in the text, and changes when the text is put in order."""
_JOINING = frozenset(("and", "or", "to", "through"))

_FLAG = re.compile(r"--?[A-Za-z][\w.:=/,-]*")
_CAMEL = re.compile(r"[a-z][A-Z]")
_DOTTED = re.compile(r"[\w-]{2,}(?:\.[\w-]{2,})+(?::\d+)?")
_PLACEHOLDER = re.compile(r"<[\w-]+>|\$\{?\w+\}?")
_PIECE = re.compile(r"\w+(?:[.-]\w+)*")


def is_date(text: str) -> bool:
    """Whether a text is a date, maybe with a time, and nothing else."""
    return _DATE.fullmatch(text) is not None


def facts(text: str) -> Iterator[Fact]:
    """Everything exact in some words, in order. References to numbered steps and sections are no facts.

    Example:
        >>> [(fact.kind.value, fact.key) for fact in facts("Wait 5 minutes, then open /etc/app.conf with --force.")]
        [('number', '5 min'), ('path', '/etc/app.conf'), ('identifier', '--force')]
    """
    tokens = [(match[0], match.start()) for match in _TOKEN.finditer(text)]
    referring = False
    for index, (written, offset) in enumerate(tokens):
        token = written.lstrip(_BEFORE)
        start = offset + len(written) - len(token)
        token = token.rstrip(_AFTER).removesuffix("'s").removesuffix("’s")
        following = tokens[index + 1][0].rstrip(_AFTER) if index + 1 < len(tokens) else ""
        if not token:
            continue
        if referring and token[0].isdigit():
            referring = written[-1] not in ".;:"
            continue
        referring = _REFERENCE.fullmatch(token) is not None or (referring and token.lower() in _JOINING)
        for kind, key, said in _exact(token, following if written[-1] not in _AFTER else ""):
            yield Fact(kind, key, said, start)


def pieces(text: str) -> Iterator[str]:
    """Keys of the parts of what a text says exactly: of `localhost:8443` both, of "five" the 5."""
    for match in _PIECE.finditer(text):
        yield match[0]
        if numeral := _NUMERALS.get(match[0].lower()):
            yield numeral


def _exact(token: str, following: str) -> Iterator[tuple[Kind, str, str]]:
    """What a word is, if it is exact, as kind, key and text; the word after it may be its unit."""
    if token.isalpha() and token[1:].islower() and token.lower() not in _NUMERALS:
        return  # a word as most are
    if "://" in token or token.startswith(("www.", "mailto:")):
        yield Kind.URL, token.rstrip("/"), token
    elif _is_path(token):
        yield Kind.PATH, token.rstrip("/\\") or token, token
    elif token.lower() in _NUMERALS:
        if following.lower() in _UNITS:
            yield Kind.NUMBER, f"{_NUMERALS[token.lower()]} {_UNITS[following.lower()]}", f"{token} {following}"
    elif match := _RANGE.fullmatch(token):
        for size in (match[1], match[2]):
            yield _number(size, match[3] or "", following)
    elif match := _NUMBER.fullmatch(token):
        if (match[2] or "").lower() not in _ORDINALS:
            yield _number(match[1], match[2] or "", following)
    elif _DIGITS.fullmatch(token) and not token.startswith("0x"):
        yield Kind.NUMBER, token, token
    elif _is_name(token):
        yield Kind.NAME, token, token


def _number(size: str, unit: str, following: str) -> tuple[Kind, str, str]:
    apart = "" if unit or following.lower() not in _UNITS else following
    said = f"{size}{unit} {apart}".strip()
    own = (unit or apart).lower()
    return Kind.NUMBER, f"{_THOUSANDS.sub('', size)} {_UNITS.get(own, own)}".strip(), said


def _is_path(token: str) -> bool:
    if token.startswith(("/", "~/", "./", "../")):
        return len(token) > 1 and any(letter.isalnum() for letter in token)
    return (
        "\\" in token.strip("\\") or token[1:3] in (":\\", ":/") or ("/" in token and _DOTTED.search(token) is not None)
    )


def _is_name(token: str) -> bool:
    if len(token) < 2 or not any(letter.isalpha() for letter in token):
        return False
    if token.rstrip("snrdth").isdigit():
        return False  # an ordinal: 1st, 22nd
    return (
        any(letter.isdigit() for letter in token)
        or "_" in token.strip("_")
        or "@" in token.strip("@")
        or _FLAG.fullmatch(token) is not None
        or _CAMEL.search(token) is not None
        or _PLACEHOLDER.fullmatch(token) is not None
        or _DOTTED.fullmatch(token) is not None
    )
