"""SQLite files that are ours: marked, so that neither another program's nor a newer release's is ever written.

What goes wrong with one is said in one sentence with what to do, as an error of its kind.
"""

from __future__ import annotations

import sqlite3
import threading
import warnings
import weakref
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from thread_core.store.database import Kind
from thread_core.store.locking import holding

PATIENCE = 30.0
"""Seconds to wait for another process that writes the same file."""

_ADVICE = {
    sqlite3.SQLITE_BUSY: "another process is writing to it; try again when it has ended",
    sqlite3.SQLITE_CANTOPEN: "choose a file in an existing folder, or give this user access to the folder",
    sqlite3.SQLITE_FULL: "free some space on its disk",
    sqlite3.SQLITE_IOERR: "check its disk",
}
"""What to do, by SQLite's result code; where it is not the file itself that is of no use any more."""
_USELESS = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR)


class SqliteFile:
    """A `Database` in a file, opened or made; several processes may open one file."""

    def __init__(self, path: str | Path | None, kind: Kind) -> None:
        """Open the file; without a path, make one in memory. Every method may raise the kind's error."""
        self.path = ":memory:" if path is None else str(path)
        self._kind = kind
        self._lock = threading.RLock()
        with self._explained():
            self._database = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            weakref.finalize(self, self._database.close)
            if kind.one_file:  # then long transactions of another process must not shut readers out before their end
                self._database.execute("PRAGMA cache_spill = OFF")
            if not self._is_ready():
                self._make()

    def read(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that a query finds."""
        with self._lock, self._explained():
            return self._database.execute(query, values).fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Several queries over what is there at one moment, whatever others write meanwhile."""
        with self._transaction("BEGIN") as database:
            yield database

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; nobody else writes meanwhile, in this process or in another."""
        with self._transaction("BEGIN IMMEDIATE") as database:
            yield database

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, self._explained():
            self._database.execute(begin)
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    @contextmanager
    def holding(self, name: str, patience: float, *, shared: bool = False) -> Iterator[None]:
        """Hold a lock, which is a file beside this one."""
        lock = Path(f"{self.path}.{name}")
        with ExitStack() as held:
            try:
                held.enter_context(holding(lock, patience, shared=shared))
            except OSError as error:
                raise self._kind.error(
                    f"the lock {lock} cannot be used ({error}); give this user write access to its folder"
                ) from error
            yield

    def close(self) -> None:
        """Close the file; it cannot be used afterwards."""
        with self._lock:
            self._database.close()

    def _is_ready(self) -> bool:
        """Whether the tables are there as they should be. Another program's database is refused."""
        # In this order: another process writes all three at once, and may do so between two of these lines.
        [[tables]] = self._database.execute("SELECT count(*) FROM sqlite_master")
        [[mark]] = self._database.execute("PRAGMA application_id")
        [[schema]] = self._database.execute("PRAGMA user_version")
        if tables and mark != self._kind.mark:
            raise self._kind.error(f"{self.path} is another program's database; choose another file")
        if tables and (schema > self._kind.schema or (schema < self._kind.schema and not self._kind.remade)):
            newer = schema > self._kind.schema
            raise self._kind.error(
                f"{self._kind.what} {self.path} cannot be used: {'a newer' if newer else 'an older'} release wrote"
                f" format {schema} of it, but this one reads {self._kind.schema}; use that release, choose another"
                f" file, or {self._kind.delete}"
            )
        return bool(tables) and schema == self._kind.schema

    def _make(self) -> None:
        with self.writing() as database:
            if self._is_ready():
                return  # another process has made them while this one waited
            older = database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).fetchall()
            if older:
                told = f"{self._kind.what} {self.path} have an older format, and are made again"
                warnings.warn(told, UserWarning, stacklevel=5)
            for (name,) in older:
                database.execute(f'DROP TABLE IF EXISTS "{name}"')  # that of an FTS index takes others with it
            for statement in self._kind.tables:
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {self._kind.mark}")
            database.execute(f"PRAGMA user_version = {self._kind.schema}")
        if self._kind.one_file:
            return
        with suppress(sqlite3.OperationalError):  # another process uses the file already; it waits a little longer then
            self._database.execute("PRAGMA journal_mode = WAL")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say in our words what is wrong with the file."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if (advice := self._advice(getattr(error, "sqlite_errorcode", 0) & 0xFF)) is None:
                raise
            message = f"{self._kind.what} {self.path} cannot be used ({error}); {advice}"
            raise self._kind.error(message) from error

    def _advice(self, code: int) -> str | None:
        if code in _USELESS:
            return self._kind.delete
        if code == sqlite3.SQLITE_NOTADB:
            return f"choose another file; or, if you do not need this one, {self._kind.delete}"
        if code == sqlite3.SQLITE_READONLY:
            return self._kind.readonly
        return _ADVICE.get(code)
