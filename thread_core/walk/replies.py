"""The table of whole forms (`replies.toml`), read when a first line is: it takes a twentieth of a second."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import chain, product

from thread_core.text.scripts import bare, is_spaceless
from thread_core.walk.states import Event

_APOSTROPHES = re.compile("['\N{RIGHT SINGLE QUOTATION MARK}\u2018\u02bc\u00b4`]")
_LISTED = "before behind joins asks asks_behind hedges approvals words".split()

Columns = Mapping[str, Mapping[str, str]]
"""What each language has, by the name of an intent or a list."""


class Replies:
    """What the forms mean, and the words around and between them."""

    def __init__(self, signs: Mapping[str, str], numbers: Mapping[str, str], columns: Columns) -> None:
        """Read the columns.

        Raises:
            ValueError: a form has two meanings.
        """
        self.signs = {sign: f", {word}, " for sign, word in signs.items()}
        self.numbers = {name: digits for digits, names in numbers.items() for name in _spread(names)}
        self.forms = _forms(columns)
        self.lists = {
            name: [entry for column in columns.values() for entry in _spread(column.get(name, ""))] for name in _LISTED
        }
        self.known = {word for entry in chain(self.forms, *self.lists.values()) for word in entry.split()}
        before, behind, joins, asks, asks_behind, hedges, *_ = map(_any_of, self.lists.values())
        self.number = re.compile(rf"{_any_of(self.numbers)}|(?<!\d)[1-9]\d?(?!\d)")
        self.before = re.compile(rf"^(?:{before})(?: |$)")
        self.behind = re.compile(rf"(?:(?:^| )(?:{behind}))+$")
        self.joins = re.compile(rf"(?<=\w) (?:{joins}) ")
        self.asked = re.compile(rf"^(?:(?:{before}) )*(?:{asks})|(?:{asks_behind})$")
        self.hedges = re.compile(hedges)


def table() -> dict[str, dict[str, str]]:
    """Return the file as it stands: `signs`, `numbers`, and a column for each language."""
    return tomllib.loads(files("thread_core.walk").joinpath("replies.toml").read_text(encoding="utf-8"))


@cache
def replies() -> Replies:
    """Return what the file says, read once."""
    columns = table()
    return Replies(columns.pop("signs"), columns.pop("numbers"), columns)


def unaccented(text: str) -> str:
    """Return a text in one case, without accents and apostrophes."""
    return bare(_APOSTROPHES.sub("", text)).replace("؟", "?")


def _spread(listed: str) -> Iterator[str]:
    """Yield the keys of a list of the table, with the "?" of those that may be asked: "it/that works /now" are four."""
    for entry in re.findall(r"[^\s,][^,\n]*", re.sub(r"[^\w\s,/?#]+", " ", unaccented(listed))):
        for words in product(*(word.split("/") for word in entry.replace("?", "").split())):
            yield " ".join(filter(None, words)).replace("_", " ") + ("?" if "?" in entry else "")


def _forms(columns: Columns) -> dict[str, Event]:
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
