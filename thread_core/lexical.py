"""The lexical index: SQLite's FTS5 with BM25 over header and body. Embedded, persistent when given a path."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

from thread_core.header import spaced
from thread_core.models import LogicUnit
from thread_core.ports import Hit
from thread_core.words import query_words

HEADER_WEIGHT = 2.0
"""How much more a word in the header counts than one in the body."""


class SqliteLexicalIndex:
    """Words -> units. With a path it outlives the process; without one it is built in memory from the store."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(str(path), check_same_thread=False)
        weakref.finalize(self, self._database.close)
        with self._lock, self._database:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS units USING fts5"
                "(header, body, id UNINDEXED, document UNINDEXED, tokenize = 'porter unicode61')"
            )
            self._database.execute("CREATE TABLE IF NOT EXISTS filled (version TEXT NOT NULL)")

    def search(self, words: str, k: int) -> list[Hit]:
        """The k units with the best BM25 score, best first."""
        wanted = query_words(words)
        if not wanted:
            return []
        match = " OR ".join(f'"{word}"' for word in wanted)
        with self._lock:
            rows = self._database.execute(
                "SELECT id, document, -bm25(units, ?, 1.0) AS score FROM units WHERE units MATCH ?"
                " ORDER BY score DESC LIMIT ?",
                (HEADER_WEIGHT, match, k),
            ).fetchall()
        return [Hit(*row) for row in rows]

    def version(self) -> str:
        """The store's version at the last `fill`."""
        with self._lock:
            row = self._database.execute("SELECT version FROM filled").fetchone()
        return row[0] if row else ""

    def fill(self, pages: Iterator[list[LogicUnit]], version: str) -> None:
        """Replace all rows in one transaction."""
        with self._lock, self._database:
            self._database.execute("DELETE FROM units")
            for page in pages:
                self._database.executemany("INSERT INTO units VALUES (?, ?, ?, ?)", map(_row, page))
            self._database.execute("DELETE FROM filled")
            self._database.execute("INSERT INTO filled VALUES (?)", (version,))

    def close(self) -> None:
        """Close the database; the index cannot be used afterwards."""
        with self._lock:
            self._database.close()


def _row(unit: LogicUnit) -> tuple[str, str, str, str]:
    body = "\n".join((*unit.prerequisites, unit.body))
    return unit.header, _with_parts(body), unit.id, unit.document_id


def _with_parts(text: str) -> str:
    """Names written as one word are found by their parts too."""
    parts = spaced(text)
    if parts == text:
        return text
    whole = set(text.split())
    return f"{text}\n{' '.join(word for word in parts.split() if word not in whole)}"
