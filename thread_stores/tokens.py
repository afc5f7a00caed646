"""The words of units and questions as numbers, told apart and stemmed by SQLite's FTS5, as the embedded index does.

So both indexes find the same. FTS5 reads a thousand units in less time than a loop over their words takes here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from thread_core.models import LogicUnit
from thread_core.store.lexical import HEADER_WEIGHT, TOKENS, texts_of

OFTEN = 255
"""How often a word may count in a unit at most: a byte. It is worth as much then, within a fiftieth, as more often."""


class Counted(NamedTuple):
    """A unit's words, as they are kept."""

    tokens: int
    """How many there are."""
    words: list[int]
    """Each once, in rising order."""
    often: bytes
    """How often each is there, one in the header counted as `HEADER_WEIGHT`."""


class Tokens:
    """An FTS5 table that is filled, read and emptied. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._database.execute(f"CREATE VIRTUAL TABLE words USING fts5 (header, body, content='', {TOKENS})")
        self._database.execute("CREATE VIRTUAL TABLE said USING fts5vocab (words, instance)")

    def of_question(self, words: Sequence[str]) -> list[int]:
        """The words of a question, in order."""
        rows = self._said(((word, "") for word in words), "SELECT term FROM said ORDER BY doc, offset")
        return [_number(row[0]) for row in rows]

    def of_units(self, units: Sequence[LogicUnit]) -> Iterator[Counted]:
        """The words of each unit."""
        listed = "group_concat(2 * doc + (col = 'header'))"
        rows = self._said(map(texts_of, units), f"SELECT term, count(*), {listed} FROM said GROUP BY term")
        terms = sorted((_number(term), count, places) for term, count, places in rows)
        token = np.repeat(np.array([number for number, _, _ in terms], np.int64), [count for _, count, _ in terms])
        said = np.fromstring(",".join(places for _, _, places in terms), np.int64, sep=",")
        unit, often = said >> 1, np.where(said & 1, int(HEADER_WEIGHT), 1)
        order = np.argsort(unit.astype(np.min_scalar_type(len(units))), kind="stable")  # few bytes are sorted fastest
        unit, token, often = unit[order], token[order], often[order]
        is_first = np.ones(len(unit), bool)
        is_first[1:] = (unit[1:] != unit[:-1]) | (token[1:] != token[:-1])
        first = np.flatnonzero(is_first)
        counts = np.minimum(np.add.reduceat(often, first), OFTEN).astype(np.uint8).tobytes() if len(first) else b""
        words, ends = token[first].tolist(), np.searchsorted(unit[first], np.arange(len(units)), side="right").tolist()
        start = 0
        for end, tokens in zip(ends, np.bincount(unit, minlength=len(units)).tolist(), strict=True):
            yield Counted(tokens, words[start:end], counts[start:end])
            start = end

    def _said(self, texts: Iterator[tuple[str, str]], query: str) -> list[Any]:
        """What a query finds of headers and bodies, which are numbered from 0."""
        with self._lock:
            self._database.execute("BEGIN")
            try:
                rows = ((number, *text) for number, text in enumerate(texts))
                self._database.executemany("INSERT INTO words (rowid, header, body) VALUES (?, ?, ?)", rows)
                return self._database.execute(query).fetchall()
            finally:
                self._database.execute("ROLLBACK")


def _number(term: str) -> int:
    """A word as PostgreSQL's bigint: of a million words, no two are likely to have the same."""
    return int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), signed=True)
