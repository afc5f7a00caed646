"""A store whose failures are one kind of error, with what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from thread_core.errors import BadStore, ThreadError
from thread_core.models import LogicUnit
from thread_core.ports import Hit, Stored, UnitStore, Vector, Where


class GuardedStore:
    """A store of which every method may raise `BadStore`, and no error of the store's own."""

    def __init__(self, store: UnitStore) -> None:
        self._store = store

    def search(self, vector: Vector, k: int, where: Where | None = None) -> list[Hit]:
        """The store's."""
        with _explained():
            return self._store.search(vector, k, where)

    def documents(
        self, document_ids: Sequence[str], where: Where | None = None, *, vectors: bool = False
    ) -> dict[str, list[Stored]]:
        """The store's."""
        with _explained():
            return self._store.documents(document_ids, where, vectors=vectors)

    def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        """The store's."""
        with _explained():
            return self._store.get(ids, where)

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        """The store's."""
        with _explained():
            return self._store.ids(document_ids)

    def version(self) -> str:
        """The store's."""
        with _explained():
            return self._store.version()

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        """The store's."""
        with _explained():
            self._store.write(units, vectors, moved=moved, gone=gone)

    def sweep(self) -> int:
        """The store's."""
        with _explained():
            return self._store.sweep()


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except ThreadError:
        raise
    except Exception as error:
        said = " ".join(str(error).split())[:300]
        raise BadStore(
            f"the store failed ({type(error).__name__}: {said}); see that it is running, has room and can be written,"
            " then run again: what was begun is finished or undone then"
        ) from error
