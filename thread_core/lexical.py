"""The lexical index: SQLite's FTS5 with BM25 over header and body. Embedded, persistent when given a path.

A unit's words are part of its content, and its id is made from that: what is held for an id never grows old. So an
index comes into step with a store by taking in the units that it lacks and dropping the ones that are gone. It keeps
the version of what it holds, and what it knows is looked up where it lies: an update costs what it changes, and opening
a file costs nothing, however much is in it.
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
from thread_core.linking import keys_of
from thread_core.models import LogicUnit, encodable
from thread_core.ports import DocumentNames, Hit, LexicalIndex, UnitStore
from thread_core.versioning import advanced
from thread_core.words import query_words

HEADER_WEIGHT = 2.0
"""How much more a word in the header counts than one in the body."""
BATCH = 5000
"""Units that are read from a store at a time, and documents from a file."""

PATIENCE = 30.0
"""Seconds to wait for another process that writes the same file."""

_OURS = 0x7448526C
"""Marks a file as an index of this module (SQLite's application id)."""
_SCHEMA = 2
"""Version of the tables and of what is put into them; an index of another one is made again."""
_TABLES = (
    "CREATE TABLE filled (version TEXT NOT NULL)",
    "CREATE TABLE documents (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,"
    " aliases TEXT NOT NULL)",
    "CREATE TABLE called (key TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (key, number)) WITHOUT ROWID",
    "CREATE TABLE units (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL)",
    "CREATE INDEX units_of_document ON units (document)",
    "CREATE VIRTUAL TABLE words USING fts5 (header, body, tokenize = 'porter unicode61')",
    f"PRAGMA application_id = {_OURS}",
    f"PRAGMA user_version = {_SCHEMA}",
)
"""`filled` has one row or none. `aliases` is a JSON list; a row of `words` has the `number` of its unit, and one of
`called` that of the document which goes by its key."""
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

    def called(self, key: str) -> list[str]:
        """The documents that go by a key of `linking.keys_of`."""
        rows = self._read("SELECT id FROM called JOIN documents USING (number) WHERE key = ?", (encodable(key),))
        return [document_id for (document_id,) in rows]

    def names(self) -> Iterator[DocumentNames]:
        """The documents of the units that are held, by id."""
        query = "SELECT id, title, aliases FROM documents WHERE id > ? ORDER BY id LIMIT ?"
        last = ""
        while rows := self._read(query, (last, BATCH)):
            yield from (DocumentNames(document_id, title, _aliases(listed)) for document_id, title, listed in rows)
            last = rows[-1][0]

    def ids(self) -> set[str]:
        """The units that are held."""
        return {unit_id for (unit_id,) in self._read("SELECT id FROM units")}

    def version(self) -> str:
        """`version_of` the units that are held."""
        rows = self._read("SELECT version FROM filled")
        return str(rows[0][0]) if rows else ""

    def update(self, added: Iterable[Sequence[LogicUnit]], removed: Collection[str] = (), version: str = "") -> None:
        """Take units in and drop others, all or nothing. Of a unit that is held, its document's names are taken.

        Where the index is at `version` already, because another process has done the same, nothing is read.
        """
        with self._writing():
            before = self.version()
            if version and before == version:
                return
            dropped = self._drop(removed)
            now = advanced(before, removed=dropped)
            touched = set(dropped.values())
            for units in added:
                now = advanced(now, self._take(units))
                touched.update(unit.document_id for unit in units)
            for document_id in touched:
                self._forget_if_empty(document_id)
            if now != before:
                self._rows("DELETE FROM filled")
                self._rows("INSERT INTO filled VALUES (?)", now)

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
            for name in ("words", "units", "called", "documents", "filled"):
                self._database.execute(f"DROP TABLE IF EXISTS {name}")
            for statement in _TABLES:
                self._database.execute(statement)

    def _drop(self, ids: Iterable[str]) -> dict[str, str]:
        """The units that were there, each with its document."""
        dropped = {}
        for unit_id in ids:
            for number, document_id in self._rows("SELECT number, document FROM units WHERE id = ?", unit_id):
                self._rows("DELETE FROM words WHERE rowid = ?", number)
                self._rows("DELETE FROM units WHERE number = ?", number)
                dropped[unit_id] = document_id
        return dropped

    def _take(self, units: Sequence[LogicUnit]) -> list[str]:
        """The ids of those that were not there."""
        new = []
        for unit in units:
            row = (unit.id, unit.document_id)
            entered = self._database.execute("INSERT OR IGNORE INTO units (id, document) VALUES (?, ?)", row)
            if entered.rowcount:
                self._keep_words(entered.lastrowid, unit)
                new.append(unit.id)
        for unit in {unit.document_id: unit for unit in units}.values():
            self._call(DocumentNames(unit.document_id, unit.title, unit.aliases))
        return new

    def _keep_words(self, number: int | None, unit: LogicUnit) -> None:
        self._rows("INSERT INTO words (rowid, header, body) VALUES (?, ?, ?)", number, unit.header, _words(unit))

    def _call(self, names: DocumentNames) -> None:
        """Have a document go by these names and no others."""
        document_id, title, aliases = names
        if names == self._names_of(document_id):
            return
        self._forget(document_id)
        entered = self._database.execute(
            "INSERT INTO documents (id, title, aliases) VALUES (?, ?, ?)", (document_id, title, json.dumps(aliases))
        )
        keys = ((encodable(key), entered.lastrowid) for key in keys_of(names))
        self._database.executemany("INSERT OR IGNORE INTO called VALUES (?, ?)", keys)

    def _names_of(self, document_id: str) -> DocumentNames | None:
        for title, aliases in self._rows("SELECT title, aliases FROM documents WHERE id = ?", document_id):
            return DocumentNames(document_id, title, _aliases(aliases))
        return None

    def _forget_if_empty(self, document_id: str) -> None:
        if not self._rows("SELECT 1 FROM units WHERE document = ? LIMIT 1", document_id):
            self._forget(document_id)

    def _forget(self, document_id: str) -> None:
        if names := self._names_of(document_id):
            own = "(SELECT number FROM documents WHERE id = ?)"
            keys = [(encodable(key), document_id) for key in keys_of(names)]
            self._database.executemany(f"DELETE FROM called WHERE key = ? AND number = {own}", keys)
            self._rows("DELETE FROM documents WHERE id = ?", document_id)

    def _rows(self, statement: str, *values: object) -> list[Any]:
        """What a statement of an update gives."""
        return self._database.execute(statement, values).fetchall()

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


class NoWords(SqliteLexicalIndex):
    """An index that finds nothing, so that header vectors alone count. It keeps the documents' names, for links.

    Example:
        >>> NoWords().search("disk full", 5)
        []
    """

    def search(self, words: str, k: int) -> list[Hit]:
        """Nothing."""
        return []

    def _keep_words(self, number: int | None, unit: LogicUnit) -> None:
        """They are not asked for."""


def _read(store: UnitStore, ids: Sequence[str]) -> Iterator[list[LogicUnit]]:
    for start in range(0, len(ids), BATCH):
        yield store.get(ids[start : start + BATCH])


def _aliases(listed: str) -> tuple[str, ...]:
    return tuple(json.loads(listed))


def _words(unit: LogicUnit) -> str:
    return _with_parts("\n".join((*unit.prerequisites, unit.body)))


def _with_parts(text: str) -> str:
    """Names written as one word are found by their parts too."""
    parts = spaced(text)
    if parts == text:
        return text
    whole = set(text.split())
    return f"{text}\n{' '.join(word for word in parts.split() if word not in whole)}"
