"""A store whose failures are one kind of error, with what to do."""

from __future__ import annotations

from functools import wraps
from typing import Any, cast

from thread_core.errors import BadStore, ThreadError
from thread_core.ports import UnitStore


def guarded(store: UnitStore) -> UnitStore:
    """Give a store of which every method may raise `BadStore`, and no error of the store's own."""
    return cast(UnitStore, _Guarded(store))


class _Guarded:
    def __init__(self, store: UnitStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        @wraps(method)
        def explained(*given: Any, **named: Any) -> Any:
            try:
                return method(*given, **named)
            except ThreadError:
                raise
            except Exception as error:
                said = " ".join(str(error).split())[:300]
                raise BadStore(
                    f"the store failed ({type(error).__name__}: {said}); check that it is running, has space and can be"
                    " written, then run it again: that finishes or undoes what was started"
                ) from error

        return explained
