"""A person's line -> what is meant by it: a whole form of one table (`replies.toml`), a question, or a report.

A line is a form, or several that punctuation or an "and" parts, of which the strongest counts. With a question mark it
is none but those that the table marks as asked ("what now?"). One slip of the keyboard is read over where it leads to
one intent: in no yes, no or number, and not where all words are such as the table knows, as in "now solved".
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from itertools import chain, product
from string import ascii_lowercase
from typing import NamedTuple

from thread_core.models import encodable
from thread_core.text.scripts import bare, is_spaceless
from thread_core.walk.states import Event

LONGEST, SLIPPED = 120, 40  # characters of a line that may be a form, and of one that is read over a slip


class Reply(NamedTuple):
    """A line that was read: what is meant, and what was said; of a choice the digits of its number alone."""

    event: Event
    text: str


def parse(line: str) -> Reply:
    """Read a line once, and return what is meant by it: "done, what next?" is DONE, "no pods are listed" a REPORT."""
    text = encodable(line.strip())
    if meant := _meant(_plain(text)) if len(text) <= LONGEST else None:
        return Reply(meant.event, meant.text or text)
    begins, ends = text[:LONGEST], text[-LONGEST:]
    asks = re.search(r"[?？؟]\W*$", ends) or _ASKED.search(_key(_plain(f"{begins} {ends}")))
    return Reply(Event.ASK if asks else Event.REPORT, text)


def approves(text: str) -> bool:
    """Return whether it is leave, in English, to run what is shown and nothing else: "Yes, run it."; not "yes, but"."""
    parts = {_key(part) for part in re.split(r"[.,!\n]", text.casefold())} - {""}
    is_leave = _key(text.casefold()) in _LISTS["approvals"] or (bool(parts) and parts.issubset(_LISTS["approvals"]))
    return is_leave and re.search(r"[^\w\s.,!*\"'’]", text) is None


def hedges(text: str) -> bool:
    """Return whether a report is vague, holds back or says two things: "either red or blue"; not "the order is red"."""
    return re.search(_ANY["hedges"], _key(_plain(text))) is not None


def _meant(plain: str) -> Reply | None:
    """Return the form that a plain line is, or the strongest of those that it holds if it holds nothing else."""
    if not (key := _key(plain)):
        return Reply(Event.UNSURE, "") if "?" in plain else None if plain.strip() else Reply(Event.WHERE, "")
    parts = _PARTS.findall(re.sub(rf"(?<=\w) (?:{_ANY['joins']}) ", ",", plain))
    whole = _look_up(key, asked="?" in plain)
    found = [whole] if whole else [_look_up(part, "?" in marks) for said, marks in parts if (part := _key(said))]
    forms = {form for form in found if form}
    intents = {form.event for form in forms}
    if None in found or not forms:
        return None
    if Event.CHOOSE in intents:
        is_one = len(forms - {Reply(Event.YES, "")}) == 1 and not _MEASURE.search(plain)
        return max(forms, key=lambda form: form.text) if is_one else None
    if any(both <= intents for both in _OPPOSITES):
        return Reply(Event.UNSURE, "")
    return Reply(min(intents, key=_STRONGEST_FIRST.index), "")


def _look_up(key: str, asked: bool) -> Reply | None:
    """Return the form that a key is without its fillers, by its letters, else by one slip; of a choice its number."""
    said = [key]
    while (rest := _BEFORE.sub("", said[-1])) != said[-1]:
        said.append(rest)
    said = [one for rest in said for one in (rest, _BEHIND.sub("", rest))]
    for one in chain(said, map(_corrected, said)):
        for form in (one, _NUMBER.sub("#", one, count=1)):
            if intent := _FORMS.get(f"{form}?" if asked else form):
                number = _NUMBER.findall(one)[0] if intent is Event.CHOOSE else ""
                return Reply(intent, _NUMBERS.get(number, number))
    return None


def _corrected(key: str) -> str:
    """Return the form that is meant by a key with one slip of the keyboard in it; nothing where none surely is."""
    if len(key) > SLIPPED or not key.isascii() or _KNOWN.issuperset(key.split()):
        return ""
    meant = _one_slip_away(key)
    intents = {_FORMS[form] for one in meant for form in (one, *_one_slip_away(one))}
    return min(meant) if len(intents) == 1 and intents.isdisjoint({Event.YES, Event.NO}) else ""


def _one_slip_away(key: str) -> set[str]:
    """Return the forms with one letter more, less or another behind the key's first one, or with two swapped."""
    cuts = [(key[:at], key[at:]) for at in range(len(key) + 1)]
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    other = {head + sign + rest for head, tail in cuts[1:] for sign in _LETTERS for rest in (tail, tail[1:])}
    close = {form for form in swapped if len(form) > 3} | {form for form in other if len(form.replace(" ", "")) > 4}
    return (close & _FORMS.keys()) - {key}


def _plain(text: str) -> str:
    """Return a text in one case, without accents and apostrophes, its emoji as the words that they stand for."""
    return bare(_EMOJI.sub(lambda sign: _SIGNS.get(sign[0], " "), _APOSTROPHES.sub("", text))).replace("؟", "?")


def _key(plain: str) -> str:
    return re.sub(r"[\W_]+", " ", plain).strip()


def _spread(listed: str) -> Iterator[str]:
    """Yield the keys of a list of the table, with the "?" of those that may be asked: "it/that works /now" are four."""
    for entry in re.findall(r"[^\s,][^,\n]*", re.sub(r"[^\w\s,/?#]+", " ", _plain(listed))):
        for words in product(*(word.split("/") for word in entry.replace("?", "").split())):
            yield " ".join(filter(None, words)).replace("_", " ") + ("?" if "?" in entry else "")


def _read(columns: Mapping[str, Mapping[str, str]]) -> dict[str, Event]:
    """Return what all forms mean, also with the "?" that they may have; raise ValueError where one has two meanings."""
    forms = dict[str, Event]()
    for intent, column in product(Event, columns.values()):
        for form in _spread(column.get(intent.name.lower(), "")):
            for key in (form, form.removesuffix("?")):
                if forms.setdefault(key, intent) is not intent:
                    raise ValueError(f"{key!r} is {forms[key]} and {intent}: keep one of its meanings")
    return forms


def _any_of(entries: Iterable[str]) -> str:
    """Return a pattern of whole words, the longest first; in a script without spaces, of letters anywhere."""
    longest_first = sorted(entries, key=len, reverse=True)
    spaced = "|".join(entry for entry in longest_first if not is_spaceless(entry)) or "(?!)"
    return "|".join([rf"\b(?:{spaced})\b", *filter(is_spaceless, longest_first)])


_STRONGEST_FIRST = "stop,hand over,restart,back,not solved,solved,skip,why,where,next,unsure,done,no,yes".split(",")
_OPPOSITES = ({Event.YES, Event.NO}, {Event.SOLVED, Event.NOT_SOLVED}, {Event.BACK, Event.NEXT})
_APOSTROPHES = re.compile("['\N{RIGHT SINGLE QUOTATION MARK}\u2018\u02bc\u00b4`]")
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u20e3]")
_PARTS = re.compile(r"([^.,;:!?()&\n。、،؛–—¿¡]+)([.,;:!?()&\n。、،؛–—¿¡]*)")
_MEASURE = re.compile(r"[^\w\s#()\[\].,:;!*\"-]|(?<!\w)[.,-]\d")  # as no number of an option is written: "2%", ".5"
_LETTERS = ("", *ascii_lowercase)
_TABLE = tomllib.loads(files("thread_core.walk").joinpath("replies.toml").read_text(encoding="utf-8"))
_SIGNS: dict[str, str] = {sign: f", {word}, " for sign, word in _TABLE.pop("signs").items()}
_NUMBERS = {name: digits for digits, names in _TABLE.pop("numbers").items() for name in _spread(names)}
_FORMS = _read(_TABLE)
_LISTS = {
    name: [entry for column in _TABLE.values() for entry in _spread(column.get(name, ""))]
    for name in "before behind joins asks asks_behind hedges approvals words".split()
}
_KNOWN = {word for entry in chain(_FORMS, *_LISTS.values()) for word in entry.split()}
_ANY = {name: _any_of(entries) for name, entries in _LISTS.items()}
_NUMBER = re.compile(rf"{_any_of(_NUMBERS)}|(?<!\d)[1-9]\d?(?!\d)")
_BEFORE = re.compile(rf"^(?:{_ANY['before']})(?: |$)")
_BEHIND = re.compile(rf"(?:(?:^| )(?:{_ANY['behind']}))+$")
_ASKED = re.compile(rf"^(?:(?:{_ANY['before']}) )*(?:{_ANY['asks']})|(?:{_ANY['asks_behind']})$")
