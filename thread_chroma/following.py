"""A directory that is read for long, while other processes ingest into it now and then.

Chroma reads its vector index once, and does not see what another process writes into it (see `reading`). So here it is
read again: when an ingest has ended, and before the next search. While one is under way it is not read, for whoever
reads it first also mends it: beside a process that writes, that brings the reader down or damages the index. Until the
ingest ends, rows are read as they are, and a search ranks the vectors that there were before.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from thread_chroma import reading
from thread_chroma.opening import COLLECTION, check_directory, open_rows
from thread_chroma.store import ChromaUnitStore
from thread_chroma.telling import Unindexed
from thread_core.errors import BadStore, StoreBusy
from thread_core.store.locking import unheld

_PAUSE = 0.1
"""Seconds between two looks whether an ingest has ended."""


def follow_store(
    directory: str | Path, lock: str | Path, *, collection: str = COLLECTION, patience: float = 0
) -> ChromaUnitStore:
    """The store in a directory, read-only, in which a search finds what other processes have ingested.

    Follow a directory once a process: Chroma has one index for all who open it there, and reads it anew when the last
    lets go.

    Args:
        directory: Of Chroma.
        lock: What an ingest holds while it writes: of a ledger the file beside it, `ledger.sqlite3.lock`.
        collection: Its name.
        patience: Seconds to wait for an ingest that is under way.

    Raises:
        BadStore: as of `open_store`.
        StoreBusy: an ingest is under way.

    Example:
        store = follow_store(".thread", ".thread/ledger.sqlite3.lock")
    """
    check_directory(Path(directory))
    rows = FollowedRows(Path(directory), Path(lock), collection)
    end = time.monotonic() + patience
    while not rows.caught_up():
        if time.monotonic() >= end:
            raise StoreBusy(
                f"an ingest is writing to {directory}, and its index cannot be read; wait until it ends, or keep"
                " the units on a Chroma server (`chroma run`)"
            )
        time.sleep(_PAUSE)
    return ChromaUnitStore(rows, batch=rows.batch)


class FollowedRows:
    """The reading methods of a collection, one call at a time: nobody reads while it is opened again."""

    def __init__(self, directory: Path, lock: Path, collection: str) -> None:
        self.batch = 0
        """Rows a call at most."""
        self._directory, self._lock, self._collection = directory, lock, collection
        self._client: Any = None
        self._rows: Any = None
        self._seen: tuple[int, int] | None = None
        self._alone = threading.RLock()

    @property
    def configuration_json(self) -> Any:
        """How distances are measured."""
        return self._rows.configuration_json

    def get(self, *given: Any, **asked: Any) -> Any:
        """As of a collection."""
        with self._as_it_is():
            return self._rows.get(*given, **asked)

    def query(self, *, query_embeddings: Any, n_results: int = 10, where: Any = None, include: Any = ()) -> Any:
        """As of a collection, for one vector. Where the index is behind, a filter is applied to what it finds."""
        with self._as_it_is() as is_behind:
            ask = partial(self._rows.query, query_embeddings)
            if where is None or not is_behind:
                return ask(n_results=n_results, where=where, include=include)
            found = ask(n_results=self._rows.count(), include=include)
            meet = set(self._rows.get(where=where, include=[])["ids"])
            at = [nth for nth, row_id in enumerate(found["ids"][0]) if row_id in meet][:n_results]
            return {part: [[found[part][0][nth] for nth in at]] for part in ("ids", *include)}

    def caught_up(self) -> bool:
        """Whether the index holds what has been ingested; it is read again for that, unless an ingest is under way."""
        with self._alone:
            if self._seen is not None and self._seen == self._moment():
                return True
            try:
                with unheld(self._lock) as is_calm:
                    if is_calm:
                        self._open()
                        self._seen = self._moment()
                    return is_calm
            except OSError as error:
                raise BadStore(
                    f"{self._lock} cannot be used ({error.strerror}); give this user write access"
                ) from error

    @contextmanager
    def _as_it_is(self) -> Iterator[bool]:
        """Whether the index is behind, with nobody else reading."""
        with self._alone:
            yield not self.caught_up()

    def _moment(self) -> tuple[int, int] | None:
        """When an ingest has begun or ended last: each writes into the file and empties it."""
        with suppress(FileNotFoundError):
            status = self._lock.stat()
            return status.st_ino, status.st_mtime_ns
        return None

    def _open(self) -> None:
        """Open the collection, and have its index read now."""
        if self._client is not None:
            self._client.close()
        self._client, self._rows, self.batch = open_rows(self._directory, self._collection)
        with suppress(Unindexed):
            reading.with_vectors(self._rows, limit=1, include=[reading.VECTORS])
