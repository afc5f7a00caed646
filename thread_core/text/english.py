"""Whether a text is English, by the share of its words that hold English sentences together.

The rules that read sentences know English alone. What is not English is read by its structure, and no machine runs it.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from thread_core.text.scripts import SPACELESS

FEWEST = 8
"""Words from which on a text may be said not to be English; a shorter one is taken for it."""
LEAST = 0.06
"""Share from which on a text is English: English guides have 0.09 and more, all but stubs, and others 0.04 at most."""

_NO_WORDS = re.compile(
    r"\n[ \t]*(?P<fence>```+|~~~+).*?(?:\n[ \t]*(?P=fence)|\Z)|`[^`\n]*`|https?://\S+|\]\([^)\]]*\)|<[^<>]*>",
    re.DOTALL,
)
"""Code, addresses and tags, of a text that begins with a line's end."""
_WORD = re.compile(rf"[{SPACELESS}]|[^\W\d_{SPACELESS}]+(?:'[^\W\d_]+)?")
_ASCII_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
"""The same in a text of ASCII in lower case, in half of the time."""
_ENGLISH = frozenset(
    """
    the and this that these those you your it its if then than when while whether which who how what where why with
    without from into before after again be been are have not don't doesn't isn't can't cannot should would could
    must may might there here they them their each every any other only until because both between through does did
    please first next following finally later via some make made need needs want used using shows press click select
    wait remove turn choose close delete see empty same still new old yes
    """.split()
)
"""Words that only English has, of the languages that are often met."""
_SHARED = frozenset("to of is on or for at by in has an as can will all no do we more".split())
"""Words that others write as well, with another meaning: beside one of the above each counts for half."""
_ENDS = ("ed", "ly")
"""How many an English word ends, and few others, from `LONG` letters on: they count as these do."""
LONG = 6


@lru_cache(maxsize=1)
def is_english(text: str) -> bool:
    """Whether rules that read English may read a text, code left out; in doubt they may.

    Example:
        >>> is_english("Öffnen Sie zuerst das Gehäuse und lösen Sie dann das Netzteil."), is_english("Disk full")
        (False, True)
    """
    words = _words(text)
    count = words.total()
    least = LEAST * count
    own = sum([words[word] for word in _ENGLISH.intersection(words)])
    return count < FEWEST or own >= least or (own > 0 and own + _shared(words) / 2 >= least)


def _words(text: str) -> Counter[str]:
    said = _NO_WORDS.sub(" ", f"\n{text}").replace("’", "'").lower()
    return Counter((_ASCII_WORD if said.isascii() else _WORD).findall(said))


def _shared(words: Counter[str]) -> int:
    """How many words are such as English has, and others may have too."""
    return sum(count for word, count in words.items() if word in _SHARED or _ends_so(word))


def _ends_so(word: str) -> bool:
    return word.endswith(_ENDS) and len(word) >= LONG and "'" not in word
