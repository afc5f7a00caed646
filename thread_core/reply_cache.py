"""Replies of models that were found good, in one SQLite file: what was paid for is not paid for again.

A reply is on the disk when `put` returns, so a run that is cut short keeps what it had.
"""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from thread_core.errors import BadCache

PATIENCE = 30.0
"""Seconds to wait for another process that writes the same file."""

_OURS = 0x74685270
"""Marks a file as a cache of this module (SQLite's application id)."""
_TABLE = "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID"
_DELETE = "delete it; what is in the store stays, and only replies that are wanted again are asked for again"
_ADVICE = {
    sqlite3.SQLITE_BUSY: "another process is writing it; try again when that one has ended",
    sqlite3.SQLITE_CANTOPEN: "name a file in a folder that is there, or open the folder to this user",
    sqlite3.SQLITE_CORRUPT: _DELETE,
    sqlite3.SQLITE_ERROR: _DELETE,
    sqlite3.SQLITE_FULL: "make room on its disk",
    sqlite3.SQLITE_IOERR: "look after its disk",
    sqlite3.SQLITE_NOTADB: f"name another file; or, if this one is of no use to you, {_DELETE}",
    sqlite3.SQLITE_READONLY: "open it to this user for writing, or name another file",
}
"""What to do, by SQLite's result code."""


class SqliteReplyCache:
    """A `ReplyCache` that outlives the process; several threads and processes may share one file.

    Example:
        ModelAccess(llm, cache=SqliteReplyCache("replies.sqlite3"))
    """

    def __init__(self, path: str | Path) -> None:
        """Open the file, or make it. Every method may raise what this one does.

        Raises:
            BadCache: it is damaged or something else, cannot be read or written, or is locked for `PATIENCE` seconds.
        """
        self._path = str(path)
        self._lock = threading.Lock()
        with self._explained():
            self._database = sqlite3.connect(
                self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            weakref.finalize(self, self._database.close)
            self._prepare()

    def get(self, key: str) -> str | None:
        """The reply that was kept under a key, or None."""
        with self._lock, self._explained():
            row = self._database.execute("SELECT text FROM replies WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def put(self, key: str, text: str) -> None:
        """Keep a reply; one that is there already is replaced."""
        with self._lock, self._explained():
            self._database.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, text))

    def close(self) -> None:
        """Close the database; the cache cannot be used afterwards."""
        with self._lock:
            self._database.close()

    def _prepare(self) -> None:
        [[application]] = self._database.execute("PRAGMA application_id")
        if application == _OURS:
            return
        self._database.execute("BEGIN IMMEDIATE")
        [[tables]] = self._database.execute("SELECT count(*) FROM sqlite_master")
        [[application]] = self._database.execute("PRAGMA application_id")
        if tables and application != _OURS:
            raise BadCache(f"{self._path} is a database of something else; name another file")
        self._database.execute(_TABLE)
        self._database.execute(f"PRAGMA application_id = {_OURS}")
        self._database.execute("COMMIT")
        with suppress(sqlite3.OperationalError):  # another process uses the file already; it waits a little longer then
            self._database.execute("PRAGMA journal_mode = WAL")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say in our words what is wrong with the file."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            advice = _ADVICE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
            if advice is None:
                raise
            raise BadCache(f"the replies in {self._path} cannot be used ({error}); {advice}") from error
