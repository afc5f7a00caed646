"""Tables of ours in PostgreSQL, where several machines reach them: what `SqliteFile` is on one disk.

- A connection is one session, and locks are the session's: who dies, or loses it, has let go of them.
- Writes go one after the other, as in SQLite, by a lock within each transaction, so no two of them can wait for each
  other. Those that take longer than milliseconds, and never write the same rows, share the lock.
- The tables lie in a schema of their own, so a database may hold several, beside whatever else is in it.
"""

from __future__ import annotations

import os
import platform
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from typing import Any

from thread_core.errors import missing
from thread_core.store.database import Kind, Transaction
from thread_core.store.locking import Held
from thread_stores import silence

try:
    import psycopg
    from psycopg import sql
except ModuleNotFoundError as error:
    raise missing(error, "postgres") from error

_PAUSE = 0.1
"""Seconds between two attempts to get a lock."""
_SETTINGS = {"connect_timeout": 10, **silence.of_client()}
_FORM = "CREATE TABLE thread_rag (mark BIGINT NOT NULL, schema INTEGER NOT NULL)"


class PostgresDatabase:
    """A `Database` in a schema of PostgreSQL, opened or made; any number of processes may open it."""

    def __init__(self, address: str, kind: Kind, schema: str) -> None:
        """Open it; every method may raise the kind's error.

        Args:
            address: A URI such as `postgresql://me@host/guides`, or a connection string of libpq's.
            kind: What it holds.
            schema: PostgreSQL's name for where the tables lie.
        """
        self._kind = kind
        self._name = f"{kind.what} of PostgreSQL's schema {schema}"
        self._schema = schema
        self._lock = threading.RLock()
        self._held: set[int] = set()
        with self._explained():
            self._connection = psycopg.connect(address, autocommit=True, **{"application_name": _me(), **_SETTINGS})  # type: ignore[arg-type]
            weakref.finalize(self, self._connection.close)
            self._open()

    def read(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that a statement gives."""
        with self._lock, self._explained():
            found = self._connection.execute(_marked(query), values)
            return found.fetchall() if found.description else []

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Several queries over what is there at one moment, whatever others write meanwhile."""
        with self._lock, self._explained(), self._connection.cursor() as cursor:
            cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                yield Statements(cursor)
            finally:
                cursor.execute("ROLLBACK")

    @contextmanager
    def writing(self, *, shared: bool = False) -> Iterator[Statements]:
        """All or nothing; nobody else writes meanwhile, but for those who share that."""
        with self._lock, self._explained(), self._connection.transaction():
            lock = f"SELECT pg_advisory_xact_lock{'_shared' * shared}(%s, %s), {silence.told(silence.WRITING)}"
            self._connection.execute(lock.encode(), self._key("writing"))
            with self._connection.cursor() as cursor:
                yield Statements(cursor)

    @contextmanager
    def holding(self, name: str, patience: float, *, shared: bool = False) -> Iterator[None]:
        """Hold a lock of this session's; no thread of this object's may hold it too."""
        key = self._key(name)
        end = time.monotonic() + patience
        while not self._try(key, shared=shared):
            if (left := end - time.monotonic()) <= 0:
                raise Held(self._holder(key))
            time.sleep(min(_PAUSE, left))
        try:
            yield
        finally:
            self._let_go(key, shared=shared)

    def close(self) -> None:
        """Close the connection; locks that it held are free then."""
        self._connection.close()

    def _open(self) -> None:
        self._connection.execute(f"SELECT {silence.told(silence.SESSION, local=False)}".encode())
        with self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", self._key("writing"))
            name = sql.Identifier(self._schema)
            is_new = not self._connection.execute(
                "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = %s", (self._schema,)
            ).fetchall()
            if is_new:
                self._connection.execute(sql.SQL("CREATE SCHEMA {}").format(name))
            self._connection.execute(sql.SQL("SET search_path TO {}").format(name))
            if is_new:
                for statement in (_FORM, *self._kind.tables):
                    self._connection.execute(statement.encode())
                form = (self._kind.mark, self._kind.schema)
                self._connection.execute("INSERT INTO thread_rag VALUES (%s, %s)", form)
        self._check()

    def _check(self) -> None:
        """Refuse what is something else, or of another release."""
        if self._connection.execute("SELECT to_regclass('thread_rag')").fetchone() == (None,):
            raise self._kind.error(
                f"the schema {self._schema} of PostgreSQL has something else in it; choose another one"
            )
        ((mark, schema),) = self._connection.execute("SELECT mark, schema FROM thread_rag").fetchall()
        if (mark, schema) != (self._kind.mark, self._kind.schema):
            raise self._kind.error(
                f"{self._name} cannot be used: another release wrote format {schema} of it, but this one reads"
                f" {self._kind.schema}; use that release, choose another schema, or {self._kind.delete}"
            )

    def _try(self, key: tuple[int, int], *, shared: bool) -> bool:
        with self._lock, self._explained():
            if key[1] in self._held:
                return False
            query = f"SELECT pg_try_advisory_lock{'_shared' * shared}(?, ?)"
            if is_held := bool(self.read(query, key)[0][0]):
                self._held.add(key[1])
            return is_held

    def _let_go(self, key: tuple[int, int], *, shared: bool) -> None:
        with self._lock, suppress(self._kind.error):  # without the session there is no lock
            self._held.discard(key[1])
            self.read(f"SELECT pg_advisory_unlock{'_shared' * shared}(?, ?)", key)

    def _holder(self, key: tuple[int, int]) -> str:
        """Who has a lock; more cannot be known where this user may not see others' sessions."""
        rows = self.read(
            "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid) WHERE locktype = 'advisory'"
            " AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " AND classid::bigint = ? AND objid::bigint = ? ORDER BY backend_start",
            [number % 2**32 for number in key],
        )
        return str(rows[0][0] or "another process") if rows else "another process"

    def _key(self, name: str) -> tuple[int, int]:
        """A lock's two numbers in the database."""
        return _number(self._schema), _number(name)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say in our words what is wrong."""
        try:
            yield
        except psycopg.Error as error:
            said = " ".join(str(error).split())
            raise self._kind.error(
                f"{self._name} cannot be used ({said}); check that PostgreSQL runs and that this user may write"
                " there, and run it again"
            ) from error


class Statements:
    """A cursor for statements that mark values with `?`."""

    def __init__(self, cursor: psycopg.Cursor[Any]) -> None:
        self._cursor = cursor

    def execute(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Carry out a statement."""
        return self._cursor.execute(_marked(query), values)

    def executemany(self, query: str, values: Any) -> Any:
        """Carry out a statement with each of some values."""
        return self._cursor.executemany(_marked(query), list(values))

    def copy(self, into: str, rows: Iterable[Sequence[Any]]) -> None:
        """Write rows into the columns of a table, such as `units (id, document)`: the fastest way there is."""
        with self._cursor.copy(f"COPY {into} FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row(row)


def _marked(query: str) -> bytes:
    """A statement of ours, none of which has a question mark or a percent sign in it, as psycopg marks values."""
    return query.replace("?", "%s").encode()


def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=4).digest(), signed=True)


def _me() -> str:
    """For whoever waits for this process; PostgreSQL cuts it off at 63 bytes."""
    return f"process {os.getpid()} on {platform.node()}"
