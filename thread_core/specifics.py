"""What a text says exactly: numbers, codes, identifiers, paths, addresses, quoted code.

Who puts a text into other words may choose words, but none of these: each must stand in the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from thread_core.words import content_words

INLINE_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)(?P<code>.{1,300}?)(?<!`)\1(?!`)", re.DOTALL)
_TOKEN = re.compile(r"\S+")
_AROUND = "\"'“”’*.,;:!?()[]{}…"
_NUMBER = re.compile(r"[+-]?(?P<number>\d+(?:[.,:]\d+)*)[a-z%°]{0,3}", re.IGNORECASE)
"""A number with or without its unit: how far they stand apart does not matter."""
_EXACT = re.compile(
    r".*\d|.*[\\_=@$<>{}#~|]|-{1,2}\w|[./]|.*/.*/|.*\w{2}[.:]\w{2}|.*[a-z][A-Z]|[A-Z]{2,}s?$",
    re.DOTALL,
)
"""What no plain word has: a digit, a sign of code, a dot inside, a capital inside, capitals alone."""
_BEFORE_LETTER, _AFTER_LETTER = r"(?<![^\W\d])", r"(?!\w)"
_BEFORE_DIGIT, _AFTER_DIGIT = r"(?<!\w)(?<!\d[.,])", r"(?![\d_]|[.,]\d|[a-z]{4,})"
"""What stands around a text that stands by itself: a unit may stand right behind its number."""
_LETTERS = re.compile(r"[a-z]+")

LEAST_WORDS = 3
"""From so many words that carry meaning on, half of them must be the original's."""


def specifics(text: str) -> Iterator[str]:
    """What of a text must stand in the original as it is.

    Example:
        >>> list(specifics("Run `df -h` on node-7, then wait 5min for the reply of api.example"))
        ['df -h', 'node-7', '5', 'api.example']
    """
    yield from (" ".join(match["code"].split()) for match in INLINE_CODE.finditer(text) if match["code"].strip())
    for match in _TOKEN.finditer(INLINE_CODE.sub(" ", text)):
        token = match[0].strip(_AROUND)
        if number := _NUMBER.fullmatch(token):
            yield number["number"]
        elif _EXACT.match(token):
            yield token


class Original:
    """A text that others are compared with. Neither white space nor capitals make a difference."""

    def __init__(self, text: str) -> None:
        self._raw = text
        self._text = _plain(text)

    @cached_property
    def _words(self) -> set[str]:
        return content_words(self._raw)

    def holds(self, specific: str) -> bool:
        """Whether an exact text stands here by itself, not as a part of a longer word or number."""
        wanted = _plain(specific)
        before = _BEFORE_DIGIT if wanted[:1].isdigit() else _BEFORE_LETTER if wanted[:1].isalpha() else ""
        after = _AFTER_DIGIT if wanted[-1:].isdigit() else _AFTER_LETTER if wanted[-1:].isalpha() else ""
        first = self._text.find(wanted)
        return first >= 0 and re.compile(f"{before}{re.escape(wanted)}{after}").search(self._text, first) is not None

    def missing(self, text: str) -> list[str]:
        """What of a text's specifics does not stand here."""
        return [specific for specific in dict.fromkeys(specifics(text)) if not self.holds(specific)]

    def is_strange(self, text: str) -> bool:
        """Whether most of a text's words are not of this one; few words say nothing of that, nor other scripts."""
        words = [word for word in content_words(text) if _LETTERS.fullmatch(word)]
        return len(words) >= LEAST_WORDS and 2 * sum(word in self._words for word in words) < len(words)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
