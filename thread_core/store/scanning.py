"""What stores have in common that look at every row: which rows meet a filter, which are nearest, in which order."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from thread_core.ports import SHORTEST, Stored, Vector, Where

T = TypeVar("T")
_OF_VALUES = {"$eq": operator.eq, "$gt": operator.gt, "$gte": operator.ge, "$lt": operator.lt, "$lte": operator.le}
_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    **_OF_VALUES,
    "$in": lambda value, several: (
        value in several if isinstance(value, str) else any(_holds("$eq", value, one) for one in several)
    ),
    "$contains": lambda values, one: isinstance(values, list) and any(_holds("$eq", value, one) for value in values),
}
_NEGATIONS = {"$ne": "$eq", "$nin": "$in", "$not_contains": "$contains"}
"""These are met by a row without the key, too."""
OPERATORS = (*_TESTS, *_NEGATIONS)
"""What a filter may ask of a key: all of Chroma's operators."""
_JOINING: dict[str, Callable[[Iterable[bool]], bool]] = {"$and": all, "$or": any}


def meets(row: Mapping[str, Any], where: Where | None) -> bool:
    """Whether a row's metadata meets a filter, read as Chroma reads it.

    Raises:
        ValueError: the filter has an operator that Chroma has not.

    Example:
        >>> meets({"product": "agent", "version": 4}, {"product": "agent", "version": {"$gte": 3}})
        True
    """
    return all(_meets_one(row, key, wanted) for key, wanted in (where or {}).items())


def translated(
    where: Where,
    one: Callable[[str, str, Any], T | None],
    every: Callable[[list[T]], T],
    either: Callable[[list[T]], T],
) -> T | None:
    """A filter in the words of a store, as far as it has words for it: whatever meets the filter meets that.

    Args:
        where: The filter.
        one: A key, an operator and a value -> the store's condition; None where the store has none that says the same.
        every: Conditions -> that all of them hold.
        either: Conditions -> that one of them holds.

    Returns:
        None where nothing of the filter can be said.

    Raises:
        ValueError: the filter has an operator that Chroma has not.
    """

    def said(key: str, wanted: Any) -> T | None:
        if key in _JOINING:
            parts = [translated(part, one, every, either) for part in wanted]
            if key == "$and":
                return joined(parts)
            known = [part for part in parts if part is not None]
            return either(known) if known and len(known) == len(parts) else None
        return joined([one(key, name, value) for name, value in _conditions(wanted)])

    def joined(parts: Iterable[T | None]) -> T | None:
        known = [part for part in parts if part is not None]
        return every(known) if len(known) > 1 else next(iter(known), None)

    return joined(said(key, wanted) for key, wanted in where.items())


def cosines(vector: Vector, vectors: Sequence[Vector] | npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The cosine of a vector with each of others; 0 where one of the two has no length (`SHORTEST`).

    Raises:
        ValueError: they differ in their number of dimensions.

    Example:
        >>> cosines([1.0, 0.0], [[2.0, 0.0], [0.0, 3.0], [0.0, 0.0]]).tolist()
        [1.0, 0.0, 0.0]
    """
    matrix, query = np.asarray(vectors, dtype=np.float64), np.asarray(vector, dtype=np.float64)
    length, lengths = np.linalg.norm(query), np.linalg.norm(matrix, axis=1)
    found = (matrix @ query) / np.where(lengths * length > 0, lengths * length, 1)
    return np.asarray(np.where((lengths > SHORTEST) & (length > SHORTEST), found, 0), dtype=np.float64)


def by_document(rows: Iterable[Stored]) -> dict[str, list[Stored]]:
    """The units of each document, in reading order."""
    found: dict[str, list[Stored]] = {}
    for row in rows:
        found.setdefault(row.unit.document_id, []).append(row)
    return {document_id: sorted(own, key=lambda row: row.unit.position) for document_id, own in found.items()}


def _meets_one(row: Mapping[str, Any], key: str, wanted: Any) -> bool:
    if key in _JOINING:
        return _JOINING[key](meets(row, part) for part in wanted)
    return all(_holds(name, row.get(key), one) for name, one in _conditions(wanted))


def _conditions(wanted: Any) -> Iterable[tuple[str, Any]]:
    """What is said of one key: operators with their values."""
    tests = wanted if isinstance(wanted, Mapping) else {"$eq": wanted}
    if unknown := [name for name in tests if name not in OPERATORS]:
        raise ValueError(f"found the operator {unknown[0]}, expected one of {', '.join(OPERATORS)}, $and, $or")
    return tests.items()


def _holds(name: str, found: Any, wanted: Any) -> bool:
    if name in _NEGATIONS:
        return not _holds(_NEGATIONS[name], found, wanted)
    if name in _OF_VALUES and isinstance(found, bool) is not isinstance(wanted, bool):  # one is no number
        return False
    try:
        return found is not None and bool(_TESTS[name](found, wanted))
    except TypeError:  # a text is neither more nor less than a number
        return False
