"""Words that deny what is said with them: "not", "never", "isn't"."""

from __future__ import annotations

import re

_WORDS = frozenset("not no never none cannot without neither nor nothing nobody hardly".split())
_DENIES = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b|\b[a-z]{{1,6}}n't\b", re.IGNORECASE)


def straight(text: str) -> str:
    """A text with the apostrophe that keyboards have in place of the one that phones and word processors write."""
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def is_denial(word: str) -> bool:
    """Whether a word in lower case denies; see `straight`."""
    return word in _WORDS or word.endswith("n't")


def without_denials(text: str) -> str:
    """A text without these words; of "doesn't" what is denied stays."""
    return _DENIES.sub(" ", straight(text))


def denies(text: str) -> bool:
    """Whether a text has any such word.

    Example:
        >>> denies("It doesn’t start."), denies("It starts.")
        (True, False)
    """
    return _DENIES.search(straight(text)) is not None
