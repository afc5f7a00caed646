"""What the tables of ours lie in: a file of SQLite's (`sqlite_file`), or a database that several machines reach.

Statements are written once for all of them. They mark values with `?`, keep to what SQL databases have in common
(`ON CONFLICT`, `RETURNING`, keys that are columns, whole numbers for what is true), and name no table's row numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from thread_core.errors import ThreadError


@dataclass(frozen=True, slots=True)
class Kind:
    """What a database holds, and how it is told from others."""

    what: str
    """How a message begins that names it, such as `the replies in`."""
    mark: int
    """SQLite's application id."""
    schema: int
    """Version of the tables and of what is put into them; one of another version is refused."""
    tables: tuple[str, ...]
    """The statements that make it."""
    error: type[ThreadError]
    delete: str
    """What to do with one that is damaged, and what is lost by that."""
    readonly: str = "give this user write access, or choose another file"
    """What to do where it would have to be written and cannot be."""
    remade: bool = False
    """All of it can be made again, so one of an older version is emptied and made again instead of refused."""
    one_file: bool = False
    """Keep it in one file, which may lie where nothing can be written. Others keep a log beside it (SQLite's WAL), so
    that a write is cheap and shuts no reader out."""


class Transaction(Protocol):
    """What a write does; all of it or nothing."""

    def execute(self, query: str, values: Sequence[Any] = (), /) -> Any:
        """Carry out a statement."""

    def executemany(self, query: str, values: Iterable[Sequence[Any]], /) -> Any:
        """Carry out a statement with each of some values."""


class Database(Protocol):
    """Tables of some kind. Safe to share between threads; every method may raise the kind's error."""

    def read(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """The rows that a statement gives."""

    def writing(self) -> AbstractContextManager[Transaction]:
        """All or nothing; nobody else writes meanwhile, in this process or in another."""

    def holding(self, name: str, patience: float, *, shared: bool = False) -> AbstractContextManager[None]:
        """Hold a lock that belongs to the tables; whoever dies lets go of it.

        Args:
            name: Which one.
            patience: Seconds to wait for others who hold it.
            shared: Whether others may hold it too who also share it.

        Raises:
            locking.Held: others did not let go of it; the message says who, as far as that can be known.
        """

    def close(self) -> None:
        """Close it; it cannot be used afterwards."""
