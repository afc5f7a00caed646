"""A terminal obeys what it reads, so document text, and file names and messages that quote it, are cleaned first."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = str.maketrans("", "", "\u061c\u200e\u200f")
"""Marks that Hebrew and Arabic texts hold, and that overrule nothing."""
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that make a text read otherwise than it is written."""


_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""What JSON leaves as it stands, and a terminal or a reader of lines does not."""


def clean(text: str) -> str:
    """The text with a visible mark for each control character; every escape sequence begins with one."""
    seen = text.translate(_UNSEEN)
    return "".join("\N{REPLACEMENT CHARACTER}" if _is_unsafe(character) else character for character in seen)


def one_line(text: str) -> str:
    """A clean text without line breaks."""
    return clean(" ".join(text.split()))


def json_line(line: str) -> str:
    """A line of JSON with escapes for what is not to be seen as it stands; it says the same."""
    return _UNSAFE_IN_JSON.sub(lambda sign: f"\\u{ord(sign[0]):04x}", line)


def _is_unsafe(character: str) -> bool:
    if character in "\n\t":
        return False
    return unicodedata.category(character) in ("Cc", "Cs") or character in _DIRECTIONS
