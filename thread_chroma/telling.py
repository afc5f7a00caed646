"""What goes wrong in Chroma, in our words: what was found, and what to do.

Every write may be done again: it brings the same rows under the same ids. So "run it again" is right wherever it is
not known whether a call has happened.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thread_core.errors import BadStore

_ANEW = (
    "restore the directory from a backup, or delete chroma.sqlite3 and the folders beside it (all collections) and"
    " ingest again; keep the other files, which include cached replies of models"
)
_SIGNS = (
    (
        ("readonly database", "permission denied", "unable to open database"),
        "the store cannot be written: its directory or chroma.sqlite3 is read-only; give this user write"
        " access, and run it again",
    ),
    (
        ("disk is full", "disk i/o error", "no space left", "file too large"),
        "the store's disk is full or fails; free some space and run it again to continue",
    ),
    (
        ("malformed", "not a database"),
        f"chroma.sqlite3 is damaged; {_ANEW}",
    ),
    (
        ("failed to apply logs", "backfill"),
        "Chroma cannot update its files: the disk is full, or the files are damaged; free some space and run it"
        f" again; if that does not help, {_ANEW}",
    ),
    (
        ("payload too large", "length limit"),
        "the Chroma server refused a request of that size; raise its max_payload_size_bytes",
    ),
)
"""Words of Chroma's errors, in small letters -> what they mean. Chroma tells them apart by their text alone."""

_UNINDEXED = (
    "Chroma's vector index lacks rows of the collection: another process has written to the directory since this one"
    " started; restart this one, or let both use a server (`chroma run`). If rows are still missing,"
    f" {_ANEW}"
)
_LACKS = ("nothing found on disk", "error finding id")
"""Words of those that say that the vector index lacks a row."""


class Unindexed(BadStore):
    """Chroma's vector index lacks rows that are there."""


@contextmanager
def in_our_words() -> Iterator[None]:
    """Raise what a call of Chroma's raises as `BadStore`, where it lies with the store and not with the caller.

    Chroma is imported late, and its HTTP client with it.
    """
    try:
        yield
    except BadStore:
        raise
    except Exception as error:
        if any(words in str(error).lower() for words in _LACKS):
            raise Unindexed(_UNINDEXED) from error
        if said := reason(error):
            raise BadStore(said) from error
        raise


def reason(error: Exception) -> str:
    """What an error of Chroma's means; empty where it lies with the caller."""
    import httpx
    from chromadb import errors

    said = " ".join(str(error).split())
    match error:
        case errors.InvalidArgumentError() if "dimension" in said:
            return (
                f"the embedding does not match the collection ({said}); use the one that it was written with,"
                " or ingest again"
            )
        case errors.NotFoundError():
            return f"the collection is gone ({said}); open the store again, or ingest into a new one"
        case httpx.TimeoutException():
            return (
                "the Chroma server did not answer in time, and may have written; run it again: nothing is written twice"
            )
        case httpx.TransportError():
            return f"the Chroma server cannot be reached ({said}); check that it runs, and try again"
        case errors.InvalidArgumentError() | ValueError() | TypeError():
            return ""
    meaning = next((meaning for words, meaning in _SIGNS if any(word in said.lower() for word in words)), "")
    if meaning:
        return f"{meaning} ({said})"
    if isinstance(error, errors.ChromaError):
        return f"Chroma failed ({said}); run it again, and if it fails again, read Chroma's log"
    return ""
