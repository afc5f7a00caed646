"""A plan that meets one version of each document, although they are ingested anew while it runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from thread_core.models import LogicUnit
from thread_core.plan import Plan, decided
from thread_core.ports import Stored
from thread_core.store.library import ReadDocument, ReadUnits

P = ParamSpec("P")
T = TypeVar("T")


def in_one_version(make: Callable[P, Plan[T]]) -> Callable[P, Plan[T]]:
    """A function that makes plans: each then reads a document once, and sees no unit of another version of it.

    Example:
        >>> @in_one_version
        ... def twice(document_id):
        ...     first = yield ReadDocument(document_id)
        ...     second = yield ReadDocument(document_id)
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
            case ReadDocument():
                return self._document(request)
            case ReadUnits():
                return self._units(request)
            case _:
                return None

    def _document(self, request: ReadDocument) -> Plan[list[Stored]]:
        if request.document_id not in self._read:
            self._read[request.document_id] = yield request
        return self._read[request.document_id]

    def _units(self, request: ReadUnits) -> Plan[list[LogicUnit]]:
        found: list[LogicUnit] = yield request
        return [unit for unit in found if self._is_known(unit)]

    def _is_known(self, unit: LogicUnit) -> bool:
        read = self._read.get(unit.document_id)
        return read is None or any(row.unit.id == unit.id for row in read)
