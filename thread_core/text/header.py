"""The one line that is indexed: title, section path, and how the unit begins.

"Mitigation" or "Method 1" says nothing by itself; measured on real documents, the title and the path are worth
more than any other part of retrieval, and the first words of the body come next.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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
_NUMBERING = re.compile(r"\s*(?:step\s+)?(?:\d+(?:\.\d+)+[.):]?|\d+(?:\s+of\s+\d+)?[.):])\s+(?=\S)", re.IGNORECASE)


def spaced(text: str) -> str:
    """Words inside names written as one: `KubePodNotReady` -> `Kube Pod Not Ready`. Embedders know words, not names."""
    return _IDENTIFIER.sub(_taken_apart, text) if _INNER_CAPITAL.search(text) else text


def _taken_apart(match: re.Match[str]) -> str:
    return match[0] if _PROPER.fullmatch(match[0]) else _CAMEL.sub(" ", match[0])


def compose(title: str, path: Iterable[str], lead: str = "") -> str:
    """One line: `title: section: subsection: first words`. A part that repeats the one before is left out."""
    above, last = _headings(title, tuple(path))
    return _joined(above, last, _part(clip(lead), PART_LENGTH)) or "untitled"


def heading(title: str, path: Iterable[str]) -> str:
    """The same without first words, and with the last heading in full: it may be what there is to do."""
    return _headings(title, tuple(path), FULL_LENGTH)[0] or "untitled"


@lru_cache(maxsize=64)
def _headings(title: str, path: tuple[str, ...], longest: int = PART_LENGTH) -> tuple[str, str]:
    """What comes again with the next unit of a section, in one line, and the last part of it, up to some characters."""
    said = last = _part(title, TITLE_LENGTH)
    for number, one in enumerate(path, start=1):
        text = _part(one, longest if number == len(path) else PART_LENGTH)
        joined = _joined(said, last, text)
        said, last = joined, last if joined == said else text
    return said, last


def _joined(above: str, last: str, text: str) -> str:
    if not above or not text:
        return above or text
    return above if last.casefold() == text.casefold() else f"{above}: {text}"


@lru_cache(maxsize=64)
def _part(text: str, longest: int) -> str:
    """A heading as it is said, up to some characters; each comes again with every section below it."""
    return _shorten(spaced(unnumbered(" ".join(text.split()))), longest).strip(" :.：。") if text else ""


def unnumbered(heading: str) -> str:
    """`2.4 Journal` -> `Journal`."""
    found = _NUMBERING.match(heading)
    return heading[found.end() :] if found else heading


def clip(text: str, words: int = LEAD_WORDS) -> str:
    """The first words of a text."""
    found = (beginning(text, words) if is_spaceless(text) else text).split(maxsplit=words)
    return " ".join(found[:words])


def _shorten(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rsplit(" ", 1)[0]
