"""The one line that is indexed: title, section path, and how the unit begins.

"Mitigation" or "Method 1" says nothing by itself; measured on real documents, the title and the path are worth
more than any other part of retrieval, and the first words of the body come next.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from thread_core.text.scripts import beginning, is_spaceless

LEAD_WORDS = 12
TITLE_LENGTH = 120
PART_LENGTH = 80
FULL_LENGTH = 200
"""Characters of a heading that a person reads above what it heads."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_IDENTIFIER = re.compile(r"\b[A-Za-z][a-z0-9]+[A-Z][a-z0-9]*[A-Z][A-Za-z0-9]*\b|\b[A-Z]{2,}(?:[A-Z][a-z0-9]+){2,}\b")
_INNER_CAPITAL = re.compile(r"[A-Z](?<=[a-z0-9].)")
"""What every name written as one word has."""
_PROPER = re.compile(r"[a-z]+[A-Z]{2,3}|[A-Z][a-z]+OS")
"""A name such as macOS or CentOS is known as it is written."""
_NUMBERING = re.compile(
    r"\s*(?:step\s+)?(?:[1-9]\d?(?:\.\d{1,2})+(?:[.)]\s+(?=\S)|:?\s+(?=(?-i:[^\Wa-z_\d]|[`\"'(\u201c])))"
    r"|\d{1,2}(?:\s+of\s+\d+)?[.):]\s+(?=\S))",
    re.IGNORECASE,
)
"""What counts a heading; no amount, code or address that begins it ("3.5 mm plug", "404: ...", "10.0.0.1 is gone")."""
_MARKS = " :.\uff1a\u3002"
_OUTER = re.compile(rf"(?:[{_MARKS}]*\s)?(?:[{_MARKS}]++(?![^\W_]))?")
"""Marks that begin nothing: in ".env" and ":8080" they belong to the name."""


def spaced(text: str) -> str:
    """Words inside names written as one: `KubePodNotReady` -> `Kube Pod Not Ready`. Embedders know words, not names."""
    return _IDENTIFIER.sub(_taken_apart, text) if _INNER_CAPITAL.search(text) else text


def _taken_apart(match: re.Match[str]) -> str:
    return match[0] if _PROPER.fullmatch(match[0]) else _CAMEL.sub(" ", match[0])


def compose(title: str, path: Iterable[str], lead: str = "") -> str:
    """One line: `title: section: subsection: first words`. A part that repeats the one before is left out."""
    lengths = [(title, TITLE_LENGTH), *((one, PART_LENGTH) for one in path), (clip(lead), PART_LENGTH)]
    return _joined([_part(spaced(said), longest) for said, longest in lengths])


def heading(title: str, path: Sequence[str]) -> str:
    """The same without first words, for people: names as written, and the last heading in full, which may tell all."""
    above = [_part(one, PART_LENGTH) for one in path[:-1]]
    return _joined([_part(title, TITLE_LENGTH), *above, *(_part(one, FULL_LENGTH) for one in path[-1:])])


def _joined(parts: Iterable[str]) -> str:
    return ": ".join(next(same) for _, same in itertools.groupby(filter(None, parts), str.casefold)) or "untitled"


@lru_cache(maxsize=64)
def _part(text: str, longest: int) -> str:
    """A heading as it is said, up to some characters; each comes again with every section below it."""
    said = _shorten(unnumbered(" ".join(text.split())), longest).rstrip(_MARKS)
    return _OUTER.sub("", said, count=1) if said[:1] in _MARKS else said


def unnumbered(heading: str) -> str:
    """`2.4 Journal` -> `Journal`."""
    found = _NUMBERING.match(heading)
    return heading[found.end() :] if found else heading


def clip(text: str, words: int = LEAD_WORDS) -> str:
    """The first words of a text."""
    found = (beginning(text, words) if is_spaceless(text) else text).split(maxsplit=words)
    return " ".join(found[:words])


def cut(text: str, words: int) -> str:
    """A text on one line, or its first words and a mark that there are more: "for longer than 5 ..."."""
    whole = " ".join(text.split())
    short = clip(whole, words)
    return short if short == whole else f"{short} ..."


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rsplit(" ", 1)[0]
