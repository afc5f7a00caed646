"""The version of a set of units: how many they are, and a sum over their ids.

In a sum the order does not count, and what comes and goes changes it by itself. So two sides that may differ, a store
and an index of it, compare by one short text, and whoever knows what has changed says the new version without reading
what has not.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

_BYTES = 16
_RANGE = 1 << 8 * _BYTES


def version_of(ids: Iterable[str]) -> str:
    """The version of a store that holds these units; empty where it holds none.

    Args:
        ids: The units' ids, each once, in any order.

    Example:
        >>> version_of(["look", "act"]) == version_of(["act", "look"])
        True
    """
    return advanced("", ids)


def advanced(version: str, added: Iterable[str] = (), removed: Iterable[str] = ()) -> str:
    """The version after some units have come that were not there, and some have gone that were.

    Example:
        >>> advanced(version_of(["look", "act"]), added=["ask"], removed=["act"]) == version_of(["look", "ask"])
        True
    """
    count, total = _parts(version)
    come, gone = [_number(unit_id) for unit_id in added], [_number(unit_id) for unit_id in removed]
    count += len(come) - len(gone)
    return _text(count, total + sum(come) - sum(gone))


def together(versions: Iterable[str]) -> str:
    """The version of several sets as one, where no two share a unit.

    Example:
        >>> together([version_of(["look"]), version_of(["act"])]) == version_of(["look", "act"])
        True
    """
    parts = [_parts(version) for version in versions]
    return _text(sum(count for count, _ in parts), sum(total for _, total in parts))


def count_of(version: str) -> int:
    """How many units a version is of.

    Example:
        >>> count_of(version_of(["look", "act"]))
        2
    """
    return _parts(version)[0]


def _parts(version: str) -> tuple[int, int]:
    count, _, total = version.partition("-")
    return (int(count), int(total, 16)) if version else (0, 0)


def _text(count: int, total: int) -> str:
    return f"{count}-{total % _RANGE:0{2 * _BYTES}x}" if count else ""


def _number(unit_id: str) -> int:
    return int.from_bytes(blake2b(unit_id.encode(), digest_size=_BYTES).digest())
