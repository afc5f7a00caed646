"""Whose turn it is at a store: one ingest after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from thread_core.errors import StoreBusy
from thread_core.store.locking import Held, Holder


@contextmanager
def told(lock: AbstractContextManager[None]) -> Iterator[None]:
    """Hold a lock, and say in our words where others do."""
    with ExitStack() as held:
        try:
            held.enter_context(lock)
        except Held as error:
            raise StoreBusy(
                f"another ingest is writing to this store ({error}); wait until it has ended, or let this one wait"
                " with more patience"
            ) from None
        yield


_here: dict[int, Holder] = {}
"""Stores that ingests of this process are at, by their objects' ids."""
_changed = threading.Condition()


@contextmanager
def held_here(store: object, patience: float) -> Iterator[None]:
    """Be alone with a store, of the ingests of this process.

    Raises:
        Held: another one has not come to its end.
    """
    key, end = id(store), time.monotonic() + patience
    with _changed:
        while key in _here:
            if (left := end - time.monotonic()) <= 0:
                raise Held(str(_here[key]))
            _changed.wait(left)
        _here[key] = Holder.me()
    try:
        yield
    finally:
        with _changed:
            del _here[key]
            _changed.notify_all()
