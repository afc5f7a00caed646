"""The lexical index: SQLite's FTS5 with BM25 over header and body. Embedded, persistent when given a path.

A unit's words are part of its content, and its id is made from that: what is held for an id never grows old. So an
index comes into step with a store by taking in the units that it lacks and dropping the ones that are gone.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import weakref
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thread_core.errors import BadIndex
from thread_core.header import spaced
from thread_core.models import LogicUnit
from thread_core.ports import DocumentNames, Hit, LexicalIndex, UnitStore
from thread_core.words import query_words

HEADER_WEIGHT = 2.0
"""How much more a word in the header counts than one in the body."""
BATCH = 5000
"""Units that are read from a store at a time."""

PATIENCE = 30.0
"""Seconds to wait for another process that writes the same file."""

_OURS = 0x7448526C
"""Marks a file as an index of this module (SQLite's application id)."""
_SCHEMA = 1
"""Version of the tables and of what is put into them; an index of another one is made again."""
_TABLES = (
    "CREATE TABLE filled (version TEXT NOT NULL)",
    "CREATE TABLE documents (id TEXT PRIMARY KEY, title TEXT NOT NULL, aliases TEXT NOT NULL)",
    "CREATE TABLE units (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL)",
    "CREATE INDEX units_of_document ON units (document)",
    "CREATE VIRTUAL TABLE words USING fts5 (header, body, tokenize = 'porter unicode61')",
    f"PRAGMA application_id = {_OURS}",
    f"PRAGMA user_version = {_SCHEMA}",
)
"""`aliases` is a JSON list; a row of `words` has the `number` of its unit."""
_REPLACE = "delete it, and it is made again from the store"
_ADVICE = {
    sqlite3.SQLITE_BUSY: "another process is writing it; try again when that one has ended",
    sqlite3.SQLITE_CANTOPEN: "name a file in a folder that is there, or open the folder to this user",
    sqlite3.SQLITE_CORRUPT: _REPLACE,
    sqlite3.SQLITE_FULL: "make room on its disk",
    sqlite3.SQLITE_IOERR: "look after its disk",
    sqlite3.SQLITE_NOTADB: f"name another file; or, if this one is of no use to you, {_REPLACE}",
    sqlite3.SQLITE_READONLY: "the store has changed since it was written; bring it into step where it can be written",
}
"""What to do, by SQLite's result code."""


def bring_into_step(index: LexicalIndex, store: UnitStore, version: str) -> None:
    """Have an index hold the units of a store that is at `version`; nothing is read where it does already."""
    if version and index.version() == version:
        return
    held, stored = index.ids(), store.ids()
    lacking = [unit_id for unit_id in stored if unit_id not in held]
    index.update(_read(store, lacking), held.difference(stored), version)


class SqliteLexicalIndex:
    """Words -> units. With a path it outlives the process; without one it is built in memory from the store.

    Several processes may share a file. One that may only read it can use it as long as it is in step.
    """

    def __init__(self, path: str | Path = ":memory:") -> None:
        """Open the file, or make it. Every method may raise what this one does.

        Raises:
            BadIndex: it is damaged or something else, cannot be read or written, or is locked for `PATIENCE` seconds.
        """
        self._path = str(path)
        self._lock = threading.RLock()
        with self._explained():
            self._database = sqlite3.connect(
                self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            weakref.finalize(self, self._database.close)
            # Long transactions of another process must not shut readers out before their end.
            self._database.execute("PRAGMA cache_spill = OFF")
            if not self._is_ready():
                self._make()

    def search(self, words: str, k: int) -> list[Hit]:
        """The k units with the best BM25 score, best first; equal ones always in the same order."""
        wanted = query_words(words)
        if not wanted:
            return []
        match = " OR ".join(f'"{word}"' for word in wanted)
        rows = self._read(
            "SELECT units.id, units.document, score FROM units JOIN"
            " (SELECT rowid, -bm25(words, ?, 1.0) AS score FROM words WHERE words MATCH ?) AS found"
            " ON units.number = found.rowid ORDER BY score DESC, units.id LIMIT ?",
            (HEADER_WEIGHT, match, k),
        )
        return [Hit(*row) for row in rows]

    def names(self) -> list[DocumentNames]:
        """The documents of the units that are held."""
        rows = self._read("SELECT id, title, aliases FROM documents ORDER BY id")
        return [DocumentNames(document_id, title, tuple(json.loads(aliases))) for document_id, title, aliases in rows]

    def ids(self) -> set[str]:
        """The units that are held."""
        return {unit_id for (unit_id,) in self._read("SELECT id FROM units")}

    def version(self) -> str:
        """The version of the store at which both held the same units; empty before that, and while it is changed."""
        rows = self._read("SELECT version FROM filled")
        return str(rows[0][0]) if rows else ""

    def update(self, added: Iterable[Sequence[LogicUnit]], removed: Collection[str], version: str) -> None:
        """Take units in and drop others, all or nothing. Of a unit that is held, its document's names are taken."""
        with self._writing():
            if version and self.version() == version:
                return  # another process has done it while this one waited
            self._drop(removed)
            for units in added:
                self._take(units)
            self._database.execute(
                "DELETE FROM documents WHERE NOT EXISTS (SELECT 1 FROM units WHERE document = documents.id)"
            )
            self._database.execute("DELETE FROM filled")
            self._database.execute("INSERT INTO filled VALUES (?)", (version,))

    def close(self) -> None:
        """Close the database; the index cannot be used afterwards."""
        with self._lock:
            self._database.close()

    def _is_ready(self) -> bool:
        """Whether the tables are there as they should be.

        Raises:
            BadIndex: the file is a database of something else.
        """
        # In this order: another process writes all three at once, and may do so between two of these lines.
        [[tables]] = self._database.execute("SELECT count(*) FROM sqlite_master")
        [[application]] = self._database.execute("PRAGMA application_id")
        [[schema]] = self._database.execute("PRAGMA user_version")
        if tables and application != _OURS:
            raise BadIndex(f"{self._path} is a database of something else; name another file")
        return bool(tables) and schema == _SCHEMA

    def _make(self) -> None:
        with self._writing():
            if self._is_ready():
                return  # another process has made them while this one waited
            for name in ("words", "units", "documents", "filled"):
                self._database.execute(f"DROP TABLE IF EXISTS {name}")
            for statement in _TABLES:
                self._database.execute(statement)

    def _drop(self, ids: Iterable[str]) -> None:
        rows = [(unit_id,) for unit_id in ids]
        self._database.executemany("DELETE FROM words WHERE rowid = (SELECT number FROM units WHERE id = ?)", rows)
        self._database.executemany("DELETE FROM units WHERE id = ?", rows)

    def _take(self, units: Sequence[LogicUnit]) -> None:
        for unit in units:
            row = (unit.id, unit.document_id)
            new = self._database.execute("INSERT OR IGNORE INTO units (id, document) VALUES (?, ?)", row)
            if new.rowcount:
                self._database.execute("INSERT INTO words (rowid, header, body) VALUES (?, ?, ?)", _words(new, unit))
        names = {unit.document_id: (unit.document_id, unit.title, json.dumps(unit.aliases)) for unit in units}
        self._database.executemany("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", names.values())

    def _read(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        with self._lock, self._explained():
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All or nothing; nobody else writes meanwhile, in this process or in another."""
        with self._lock, self._explained():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say in our words what is wrong with the file."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            advice = _ADVICE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
            if advice is None:
                raise
            raise BadIndex(f"the words in {self._path} cannot be used ({error}); {advice}") from error


class NoWords:
    """An index that finds nothing, so that header vectors alone count. It keeps the documents' names, for links.

    Example:
        >>> NoWords().search("disk full", 5)
        []
    """

    def __init__(self) -> None:
        self._documents: dict[str, str] = {}
        """Unit -> document."""
        self._names: dict[str, DocumentNames] = {}
        self._version = ""

    def search(self, words: str, k: int) -> list[Hit]:
        """Nothing."""
        return []

    def names(self) -> list[DocumentNames]:
        """The documents of the units that are held."""
        return [self._names[document_id] for document_id in sorted(set(self._documents.values()))]

    def ids(self) -> set[str]:
        """The units that are held."""
        return set(self._documents)

    def version(self) -> str:
        """The version of the store at the last `update`."""
        return self._version

    def update(self, added: Iterable[Sequence[LogicUnit]], removed: Collection[str], version: str) -> None:
        """Take the names of units in and drop others."""
        new = [(unit.id, DocumentNames(unit.document_id, unit.title, unit.aliases)) for page in added for unit in page]
        for unit_id in removed:
            self._documents.pop(unit_id, None)
        for unit_id, names in new:
            self._documents[unit_id] = names.document_id
            self._names[names.document_id] = names
        self._version = version


def _read(store: UnitStore, ids: Sequence[str]) -> Iterator[list[LogicUnit]]:
    for start in range(0, len(ids), BATCH):
        yield store.get(ids[start : start + BATCH])


def _words(row: sqlite3.Cursor, unit: LogicUnit) -> tuple[int | None, str, str]:
    body = "\n".join((*unit.prerequisites, unit.body))
    return row.lastrowid, unit.header, _with_parts(body)


def _with_parts(text: str) -> str:
    """Names written as one word are found by their parts too."""
    parts = spaced(text)
    if parts == text:
        return text
    whole = set(text.split())
    return f"{text}\n{' '.join(word for word in parts.split() if word not in whole)}"
