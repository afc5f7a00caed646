"""What one call of a store or of a database takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def batches(items: Sequence[T], size: int) -> Iterator[list[T]]:
    """The items in order, so many at a time.

    Example:
        >>> list(batches([1, 2, 3, 4, 5], 2))
        [[1, 2], [3, 4], [5]]
    """
    for start in range(0, len(items), size):
        yield list(items[start : start + size])
