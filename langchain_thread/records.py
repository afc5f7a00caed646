"""What LangChain's `index()` knows of a vector store, in one SQLite file that outlives processes and crashes.

`index()` writes to two places that no transaction spans, the vector store and the record manager, and may be killed
between them. It asks `exists` before it adds rows and `list_keys` before it deletes some, so both are noted here before
they happen: rows that were about to be added are listed as outdated by the next run that does not want them, and rows
that were about to be deleted do not exist until they are written again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from langchain_core.indexing import RecordManager

from thread_core.errors import BadLedger
from thread_core.store.database import Kind
from thread_core.store.sqlite_file import SqliteFile

TICK = 1e-6
"""Seconds by which the time goes on at least, whatever the computer's clock does."""

_INTENDED, _WRITTEN, _GOING = 0, 1, 2
"""What is known of a row: about to be added, there, about to be deleted."""
_KIND = Kind(
    what="the records in",
    mark=0x74685263,
    schema=1,
    tables=(
        "CREATE TABLE clock (time REAL NOT NULL)",
        "INSERT INTO clock VALUES (0)",
        "CREATE TABLE records (namespace TEXT NOT NULL, key TEXT NOT NULL, source TEXT, time REAL NOT NULL,"
        " state INTEGER NOT NULL, PRIMARY KEY (namespace, key)) WITHOUT ROWID",
        "CREATE INDEX records_of_source ON records (namespace, source, time)",
    ),
    error=BadLedger,
    delete="delete it and the collection, and index all documents again",
)
_NOW = "(julianday('now') - 2440587.5) * 86400.0"
_RECORD = (
    "INSERT INTO records VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
    " SET source = coalesce(excluded.source, source), time = excluded.time, state = excluded.state"
)
_AMONG = "IN (SELECT value FROM json_each(?))"


class SqliteRecordManager(RecordManager):
    """A record manager for `langchain_core.indexing.index`; several processes may share one file.

    Its clock is kept in the file and never goes back. Keys passed to `exists` count as about to be written, so leave
    that to `index()`. Give each collection its own namespace.

    Example:
        records = SqliteRecordManager("guides", "records.sqlite3")
        index(units, records, store, cleanup="scoped_full", source_id_key="source", key_encoder=unit_key)
    """

    def __init__(self, namespace: str, path: str | Path) -> None:
        """Open the file, or make it. Every method may raise what this one does.

        Args:
            namespace: The vector store's name among those whose records are in the file.
            path: The file.

        Raises:
            BadLedger: it is damaged or something else, cannot be read or written, or is locked by another process.
        """
        super().__init__(namespace)
        self._file = SqliteFile(path, _KIND)
        self._asked: set[str] = set()
        """Keys that this object was asked for and that were not written since."""

    def create_schema(self) -> None:
        """Nothing: the constructor has made the tables."""

    def get_time(self) -> float:
        """The time in seconds since 1970, later than any that was given or noted before, by whichever process."""
        with self._file.writing():
            return self._tick()

    def update(
        self,
        keys: Sequence[str],
        *,
        group_ids: Sequence[str | None] | None = None,
        time_at_least: float | None = None,
    ) -> None:
        """Note that rows are written. A row without a group keeps the one that it had.

        Raises:
            ValueError: `keys` and `group_ids` differ in length, or it is not `time_at_least` yet.
            BadLedger: another run has deleted what this one was about to write; index again.
        """
        sources = group_ids or [None] * len(keys)
        if len(keys) != len(sources):
            raise ValueError(f"each key has one group, got {len(keys)} keys and {len(sources)} groups")
        with self._file.writing():
            time = self._tick()
            if time_at_least and time < time_at_least:
                raise ValueError(f"it is {time} here, and not {time_at_least} yet; index again")
            if lost := self._asked.intersection(keys) - set(self._known(keys, (_INTENDED, _WRITTEN, _GOING))):
                self._asked -= lost
                raise BadLedger(f"another run has deleted {len(lost)} rows that this one was writing; index again")
            rows = zip(keys, sources, strict=True)
            self._note([(key, source, time, _WRITTEN) for key, source in rows])
            self._asked.difference_update(keys)

    def exists(self, keys: Sequence[str]) -> list[bool]:
        """Whether rows are there. Those that are not count as about to be written from now on."""
        with self._file.writing():
            written = set(self._known(keys, (_WRITTEN,)))
            noted = set(self._known(keys, (_WRITTEN, _GOING)))
            time = self._tick()
            self._note([(key, None, time, _INTENDED) for key in keys if key not in noted])
            self._asked.update(key for key in keys if key not in written)
        return [key in written for key in keys]

    def list_keys(
        self,
        *,
        before: float | None = None,
        after: float | None = None,
        group_ids: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[str]:
        """The rows that were written before one time, after another and in some groups, oldest first.

        Those from before a time are about to be deleted, with rows of any group that a run which was cut short may have
        added: none of them exists any more until it is written again.
        """
        conditions = ["namespace = ?"]
        values: list[str | float] = [self.namespace]
        for condition, value in (("time < ?", before), ("time > ?", after)):
            if value:
                conditions.append(condition)
                values.append(value)
        if group_ids:
            conditions.append(f"(source {_AMONG} OR state = {_INTENDED})")
            values.append(json.dumps(list(group_ids)))
        if not before:
            conditions.append(f"state <> {_INTENDED}")
        query = f"SELECT key FROM records WHERE {' AND '.join(conditions)} ORDER BY time, key LIMIT ?"
        with self._file.writing():
            keys = [key for (key,) in self._file.read(query, (*values, limit or -1))]
            if before:
                self._file.read(
                    f"UPDATE records SET state = {_GOING} WHERE namespace = ? AND state = {_WRITTEN} AND key {_AMONG}",
                    (self.namespace, json.dumps(keys)),
                )
        return keys

    def delete_keys(self, keys: Sequence[str]) -> None:
        """Forget rows, which were deleted."""
        with self._file.writing():
            self._file.read(
                f"DELETE FROM records WHERE namespace = ? AND key {_AMONG}", (self.namespace, json.dumps(list(keys)))
            )
            self._asked.difference_update(keys)

    async def acreate_schema(self) -> None:
        """`create_schema`, off the event loop."""
        await asyncio.to_thread(self.create_schema)

    async def aget_time(self) -> float:
        """`get_time`, off the event loop."""
        return await asyncio.to_thread(self.get_time)

    async def aupdate(
        self,
        keys: Sequence[str],
        *,
        group_ids: Sequence[str | None] | None = None,
        time_at_least: float | None = None,
    ) -> None:
        """`update`, off the event loop."""
        await asyncio.to_thread(self.update, keys, group_ids=group_ids, time_at_least=time_at_least)

    async def aexists(self, keys: Sequence[str]) -> list[bool]:
        """`exists`, off the event loop."""
        return await asyncio.to_thread(self.exists, keys)

    async def alist_keys(
        self,
        *,
        before: float | None = None,
        after: float | None = None,
        group_ids: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> list[str]:
        """`list_keys`, off the event loop."""
        return await asyncio.to_thread(self.list_keys, before=before, after=after, group_ids=group_ids, limit=limit)

    async def adelete_keys(self, keys: Sequence[str]) -> None:
        """`delete_keys`, off the event loop."""
        await asyncio.to_thread(self.delete_keys, keys)

    def close(self) -> None:
        """Close the database; the records cannot be used afterwards."""
        self._file.close()

    def _tick(self) -> float:
        self._file.read(f"UPDATE clock SET time = max(time + {TICK}, {_NOW})")
        [[time]] = self._file.read("SELECT time FROM clock")
        return float(time)

    def _known(self, keys: Sequence[str], states: Sequence[int]) -> Iterator[str]:
        query = f"SELECT key FROM records WHERE namespace = ? AND state {_AMONG} AND key {_AMONG}"
        values = (self.namespace, json.dumps(states), json.dumps(list(keys)))
        return (key for (key,) in self._file.read(query, values))

    def _note(self, rows: Sequence[tuple[str, str | None, float, int]]) -> None:
        for row in rows:
            self._file.read(_RECORD, (self.namespace, *row))
