"""Replies of models that were found good, in one SQLite file: what was paid for is not paid for again.

A reply is on the disk when `put` returns, so a run that is cut short keeps what it had.
"""

from __future__ import annotations

from pathlib import Path

from thread_core.errors import BadCache
from thread_core.store.database import Kind
from thread_core.store.sqlite_file import SqliteFile

_KIND = Kind(
    what="the replies in",
    mark=0x74685270,
    schema=1,
    tables=("CREATE TABLE replies (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",),
    error=BadCache,
    delete="delete it: the store stays, but replies that are needed again have to be paid again",
)


class SqliteReplyCache:
    """A `ReplyCache` that outlives the process; several threads and processes may share one file.

    Example:
        ModelAccess(llm, cache=SqliteReplyCache("replies.sqlite3"))
    """

    def __init__(self, path: str | Path) -> None:
        """Open the file, or make it. Every method may raise what this one does.

        Raises:
            BadCache: it is damaged or something else, cannot be read or written, or is locked for half a minute.
        """
        self._file = SqliteFile(path, _KIND)

    def get(self, key: str) -> str | None:
        """The reply that was kept under a key, or None."""
        rows = self._file.read("SELECT text FROM replies WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    def put(self, key: str, text: str) -> None:
        """Keep a reply; one that is there already is replaced."""
        with self._file.writing() as database:
            database.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, text))

    def close(self) -> None:
        """Close the database; the cache cannot be used afterwards."""
        self._file.close()
