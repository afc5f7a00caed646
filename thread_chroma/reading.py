"""Reading where Chroma's vector index lacks rows that are there, or were a moment ago.

Chroma reads from SQLite what rows say and then from an index in memory their vectors, and the whole call fails where
the index lacks one. That is so

- for a moment, while rows come or go;
- in an empty collection whose first write was cut off: it has a length of vectors and no index, until there is another
  write or the server starts again;
- in a process that began before another one wrote into the same directory: its index learns of that when it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thread_chroma.telling import Unindexed, in_our_words

if TYPE_CHECKING:
    from thread_chroma.store import Rows

READS = 20
"""How often a read is tried, for rows that come or go meanwhile; where the index lacks a row for good, all are made."""
VECTORS = "embeddings"


def get(rows: Rows, *, include: Sequence[str], **asked: Any) -> Any:
    """What `Rows.get` gives; without vectors where the index lacks one of them."""
    try:
        return with_vectors(rows, include=include, **asked)
    except Unindexed:
        return _once(rows.get, include=[part for part in include if part != VECTORS], **asked)


def with_vectors(rows: Rows, **asked: Any) -> Any:
    """What `Rows.get` gives.

    Raises:
        Unindexed: the index lacks the vector of a row, or there is no index.
    """
    return _read(rows.get, **asked)


def nearest(rows: Rows, *, where: Any, **asked: Any) -> Any:
    """What `Rows.query` gives for one vector.

    Raises:
        Unindexed: the index lacks rows that meet the filter.
    """
    try:
        return _read(rows.query, where=where, **asked)
    except Unindexed:
        if _once(rows.get, where=where, limit=1, include=[])["ids"]:
            raise
        return {part: [[]] for part in ("ids", "metadatas", "distances", VECTORS)}


def _read(call: Callable[..., Any], **asked: Any) -> Any:
    for _ in range(READS - 1):
        try:
            return _once(call, **asked)
        except Unindexed:
            pass
    return _once(call, **asked)


def _once(call: Callable[..., Any], **asked: Any) -> Any:
    with in_our_words():
        return call(**asked)
