"""Words as evidence: which of them carry meaning, and in which form two of them are the same."""

from __future__ import annotations

import re
from collections import deque
from functools import lru_cache
from itertools import islice

from thread_core.text.header import spaced
from thread_core.text.scripts import SPACELESS, is_spaceless, words_of

_LONGEST_TOKEN = 16
"""Characters; of longer words, such as keys and hashes, models' tokenizers make several."""
_MODEL_TOKEN = re.compile(rf"\w{{1,{_LONGEST_TOKEN}}}|[^\w\s]")
_SPACELESS_TOKEN = re.compile(rf"[{SPACELESS}]|[^\W{SPACELESS}]{{1,{_LONGEST_TOKEN}}}|[^\w\s]")
_STOP = frozenset(
    """
    a an and are as at be been being but by can could did do does doing done for from had has have having how i if in
    into is it its me my of on or our s so t than that the their them then there these they this those to us was we
    were what when where which while who why will with would you your please just also any some all about after before
    over under up out get got make sure via per
    """.split()
)
_SUFFIXES = ("ations", "ation", "ings", "ing", "edly", "ies", "ied", "ers", "er", "ed", "es", "s", "ly")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A crude stem: enough that "restarting" and "restarted" meet. Numbers and short words stay."""
    if len(word) <= 3 or not word.isalpha():
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            base = word[: -len(suffix)]
            if suffix in ("ies", "ied"):
                return base + "y"
            if len(base) > 3 and base[-1] == base[-2] and base[-1] in "bdgmnprt":
                return base[:-1]
            return base.removesuffix("e") if len(base) > 3 else base
    return word.removesuffix("e") if len(word) > 4 else word


def content_words(text: str) -> set[str]:
    """Stems of the words that carry meaning; names written as one word count with their parts."""
    return set(word_list(text))


def word_list(text: str) -> list[str]:
    """`content_words` in order, with repetitions."""
    return [stem(word) for word in _with_parts(text) if word not in _STOP]


def query_words(text: str) -> list[str]:
    """Words to look for, each once, unstemmed; the parts of names written as one word too."""
    return [word for word in dict.fromkeys(_with_parts(text)) if word not in _STOP]


def _with_parts(text: str) -> list[str]:
    whole, apart = words_of(text), spaced(text)
    if apart == text:
        return whole
    known = set(whole)
    return [*whole, *(part for part in words_of(apart) if part not in known)]


def count_tokens(text: str) -> int:
    """Tokens of a text, estimated as its words and punctuation marks: near what models' tokenizers count.

    Of a script that puts no space between words, each letter is one. Lines have as many together as each by itself.
    """
    return len(_token(text).findall(text))


def first_tokens(text: str, most: int) -> str:
    """The beginning of a text with so many tokens at most, as `count_tokens` counts them.

    Example:
        >>> first_tokens("Turn the valve. Wait.", 3)
        'Turn the valve'
    """
    last = deque(islice(_token(text).finditer(text), max(0, most)), maxlen=1)
    return text[: last[0].end()] if last else ""


def _token(text: str) -> re.Pattern[str]:
    return _SPACELESS_TOKEN if is_spaceless(text) else _MODEL_TOKEN
