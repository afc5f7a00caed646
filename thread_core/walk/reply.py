"""A person's line -> what is meant by it: a whole form of one table (`replies`), a question, or a report.

A line is a form, or several that punctuation or an "and" parts, of which the strongest counts. With a question mark it
is none but those that the table marks as asked ("what now?"). One slip of the keyboard is read over where it leads to
one intent: in no yes, no or number, and not where all words are words, of the table or of the embedder, as in "now
solved".
"""

from __future__ import annotations

import re
from itertools import chain
from string import ascii_lowercase
from typing import NamedTuple

from thread_core.embedding import default_embedding
from thread_core.models import encodable
from thread_core.walk.replies import replies, unaccented
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
    asks = re.search(r"[?？؟]\W*$", ends) or replies().asked.search(_key(_plain(f"{begins} {ends}")))
    return Reply(Event.ASK if asks else Event.REPORT, text)


def approves(text: str) -> bool:
    """Return whether it is leave, in English, to run what is shown and nothing else: "Yes, run it."; not "yes, but"."""
    parts = {_key(part) for part in re.split(r"[.,!\n]", text.casefold())} - {""}
    leave = replies().lists["approvals"]
    is_leave = _key(text.casefold()) in leave or (bool(parts) and parts.issubset(leave))
    return is_leave and re.search(r"[^\w\s.,!*\"'’]", text) is None


def hedges(text: str) -> bool:
    """Return whether a report is vague, holds back or says two things: "either red or blue"; not "the order is red"."""
    return replies().hedges.search(_key(_plain(text))) is not None


def _meant(plain: str) -> Reply | None:
    """Return the form that a plain line is, or the strongest of those that it holds if it holds nothing else."""
    if not (key := _key(plain)):
        return Reply(Event.UNSURE, "") if "?" in plain else None if plain.strip() else Reply(Event.WHERE, "")
    parts = _PARTS.findall(replies().joins.sub(",", plain))
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
    while (rest := replies().before.sub("", said[-1])) != said[-1]:
        said.append(rest)
    said = [one for rest in said for one in (rest, replies().behind.sub("", rest))]
    for one in chain(said, map(_corrected, said)):
        for form in (one, replies().number.sub("#", one, count=1)):
            if intent := replies().forms.get(f"{form}?" if asked else form):
                number = replies().number.findall(one)[0] if intent is Event.CHOOSE else ""
                return Reply(intent, replies().numbers.get(number, number))
    return None


def _corrected(key: str) -> str:
    """Return the form that is meant by a key with one slip of the keyboard in it; nothing where none surely is."""
    if len(key) > SLIPPED or not key.isascii() or not (meant := _one_slip_away(key)):
        return ""
    if all(word in replies().known or default_embedding().has_word(word) for word in key.split()):
        return ""
    intents = {replies().forms[form] for one in meant for form in (one, *_one_slip_away(one))}
    return min(meant) if len(intents) == 1 and intents.isdisjoint({Event.YES, Event.NO}) else ""


def _one_slip_away(key: str) -> set[str]:
    """Return the forms with one letter more, less or another behind the key's first one, or with two swapped."""
    cuts = [(key[:at], key[at:]) for at in range(len(key) + 1)]
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    other = {head + sign + rest for head, tail in cuts[1:] for sign in _LETTERS for rest in (tail, tail[1:])}
    close = {form for form in swapped if len(form) > 3} | {form for form in other if len(form.replace(" ", "")) > 4}
    return (close & replies().forms.keys()) - {key}


def _plain(text: str) -> str:
    """Return a text in one case, without accents and apostrophes, its emoji as the words that they stand for."""
    return unaccented(_EMOJI.sub(lambda sign: replies().signs.get(sign[0], " "), text))


def _key(plain: str) -> str:
    return re.sub(r"[\W_]+", " ", plain).strip()


_STRONGEST_FIRST = "stop,hand over,restart,back,not solved,solved,skip,why,where,next,unsure,done,no,yes".split(",")
_OPPOSITES = ({Event.YES, Event.NO}, {Event.SOLVED, Event.NOT_SOLVED}, {Event.BACK, Event.NEXT})
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u20e3]")
_PARTS = re.compile(r"([^.,;:!?()&\n。、،؛–—¿¡]+)([.,;:!?()&\n。、،؛–—¿¡]*)")
_MEASURE = re.compile(r"[^\w\s#()\[\].,:;!*\"-]|(?<!\w)[.,-]\d")  # as no number of an option is written: "2%", ".5"
_LETTERS = ("", *ascii_lowercase)
