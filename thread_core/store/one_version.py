"""A plan that meets one version of each document, although they are ingested anew while it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from thread_core.models import LogicUnit
from thread_core.plan import Plan, decided
from thread_core.ports import Stored
from thread_core.store.requests import ReadDocuments, ReadUnits

P = ParamSpec("P")
T = TypeVar("T")


def in_one_version(make: Callable[P, Plan[T]]) -> Callable[P, Plan[T]]:
    """A function that makes plans: each then reads a document once, and sees no unit of another version of it.

    Example:
        >>> @in_one_version
        ... def twice(document_id):
        ...     first = yield from read_document(document_id)
        ...     second = yield from read_document(document_id)
        ...     return first is second
    """

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> Plan[T]:
        return decided(make(*args, **kwargs), _Versions().decide)

    return made


class _Versions:
    """The documents as they were when they were first read."""

    def __init__(self) -> None:
        self._read: dict[str, list[Stored]] = {}

    def decide(self, request: Any) -> Plan[Any] | None:
        match request:
            case ReadDocuments(document_ids):
                return self._documents(document_ids)
            case ReadUnits():
                return self._units(request)
            case _:
                return None

    def _documents(self, document_ids: Sequence[str]) -> Plan[dict[str, list[Stored]]]:
        if new := tuple(one for one in dict.fromkeys(document_ids) if one not in self._read):
            read: dict[str, list[Stored]] = yield ReadDocuments(new)
            self._read |= {one: read.get(one, []) for one in new}
        return {one: rows for one in document_ids if (rows := self._read[one])}

    def _units(self, request: ReadUnits) -> Plan[list[LogicUnit]]:
        found: list[LogicUnit] = yield request
        return [unit for unit in found if self._is_known(unit)]

    def _is_known(self, unit: LogicUnit) -> bool:
        read = self._read.get(unit.document_id)
        return read is None or any(row.unit.id == unit.id for row in read)
