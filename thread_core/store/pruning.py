"""Which rows can be among the best of a word search, told before any of them is scored (MaxScore, Turtle and Flood).

To score a row takes FTS5 some twenty times as long as to find it. But a word adds only so much to a score, a common one
little: once the scores of the rarer words' rows are known, rows that have common words alone cannot come near, and are
passed over. What is found is the same, to the last digit of its score.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import Generic, NamedTuple, Self, TypeVar

T = TypeVar("T")

FEW = 5000
"""Rows, each counted for every word that it has, that are scored as fast as anything could be told of them."""
LONGEST = 20
"""Words of a question for which it is told: what FTS5 is asked grows with the square of them."""
RARE = 0.005
"""Share of all rows whose scores by their rarest words say what a row must reach to be among the best."""
WORTH = 0.5
"""Share of the rows with one of the words up to which it is worth telling them from the others."""
_MOST = 2.2
"""FTS5's BM25 gives a word less than this times what the word is worth, however often and in however short a row."""
_ROUNDING = 1 - 1e-9
_NOTHING = 1e-6
"""What FTS5 takes a word to be worth that more than half of the rows have."""


class Word(NamedTuple, Generic[T]):
    """A word of a question, and how many rows have it."""

    rows: int
    key: T
    """What it is looked up by."""
    most: float
    """What it adds to the score of a row at most."""

    @property
    def worth(self) -> float:
        """What BM25 takes it to be worth."""
        return self.most / _MOST

    @classmethod
    def of(cls, key: T, rows: int, total: int) -> Self:
        """A word that so many of all rows have."""
        worth = log((total - rows + 0.5) / (rows + 0.5)) if total >= rows else 0.0
        return cls(rows, key, _MOST * max(worth, _NOTHING))


class Way(NamedTuple, Generic[T]):
    """Rows that have a word and, where others are named beside it, one of these."""

    word: Word[T]
    beside: Sequence[Word[T]]


def rarest(words: Sequence[Word[T]], k: int, total: int) -> Sequence[Word[T]]:
    """The rarest words, by whose rows it is seen what a score must reach; none where that would tell nothing.

    Args:
        words: Those of a question, the rarest first.
        k: How many rows are wanted. The rarest words together must have as many.
        total: All rows.
    """
    if sum(word.rows for word in words) <= FEW:
        return ()
    rows = 0
    for at, word in enumerate(words):
        if rows >= k and rows + word.rows > RARE * total:
            return words[:at]
        rows += word.rows
    return ()


def able(words: Sequence[Word[T]], score: float, total: int) -> Sequence[Way[T]]:
    """The rows that can reach a score, and perhaps some that cannot; none where they are many.

    A row whose rarest word is a given one needs, besides it, some of the more common ones; of these it must have one
    without which the others do not suffice.

    Args:
        words: Those of a question, the rarest first.
        score: What is to be reached; above 0, and reached by some row.
        total: All rows.

    Example:
        >>> words = [Word.of("disk", 10, 9000), Word.of("node", 300, 9000), Word.of("run", 4000, 9000)]
        >>> [(way.word.key, [word.key for word in way.beside]) for way in able(words, 7.5, 9000)]
        [('disk', []), ('node', ['run'])]
        >>> [way.word.key for way in able(words, 8.0, 9000)]
        ['disk']
    """
    ways, rows = [], 0.0
    for at, word in enumerate(words):
        lacking = score * _ROUNDING - word.most
        beside = _needed(words[at + 1 :], lacking)
        if lacking <= 0:
            ways.append(Way(word, ()))
            rows += word.rows
        elif beside:
            ways.append(Way(word, beside))
            rows += word.rows * min(1.0, sum(other.rows for other in beside) / total)
    return ways if rows < WORTH * sum(word.rows for word in words) else ()


def _needed(words: Sequence[Word[T]], score: float) -> Sequence[Word[T]]:
    """Of words, the rarest first, those of which a row must have one to reach a score; none where it cannot."""
    left = sum(word.most for word in words)
    for at, word in enumerate(words):
        if left < score:
            return words[:at]
        left -= word.most
    return words
