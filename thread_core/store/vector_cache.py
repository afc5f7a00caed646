"""Vectors of texts in one SQLite file: what was embedded once is not embedded again, in whichever framework.

Put the embedder that caches below what a framework embeds with: a body that changes under its old header then costs no
embedding on the framework's own path either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Self

import numpy as np

from thread_core.errors import BadCache
from thread_core.ports import Embedder, Vector
from thread_core.store.batches import batches
from thread_core.store.database import Kind
from thread_core.store.sqlite_file import SqliteFile

PAGE = 500
"""Vectors that are looked up in one query."""

_KIND = Kind(
    what="the vectors in",
    mark=0x74685663,
    schema=1,
    tables=("CREATE TABLE vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID",),
    error=BadCache,
    delete="delete it: only the time to embed again is lost",
)


class SqliteVectorCache:
    """Vectors by an embedding's name and a text, with 32 bits a number. Threads and processes may share one file."""

    def __init__(self, path: str | Path | None = None) -> None:
        """Open the file, or make it; without a path, keep the vectors in memory.

        Raises:
            BadCache: it is damaged or something else, or cannot be read or written. Every method may raise it.
        """
        self._file = SqliteFile(path, _KIND)

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        """A copy, here or in another process, opens the same file; one in memory begins empty."""
        return type(self), (self._file.path,)

    def get(self, embedding: str, texts: Sequence[str]) -> dict[str, list[float]]:
        """The vectors that are kept of some texts."""
        keys = {_key(embedding, text): text for text in texts}
        found: dict[str, list[float]] = {}
        for some in batches(list(keys), PAGE):
            marks = ", ".join("?" * len(some))
            for key, vector in self._file.read(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", some):
                found[keys[key]] = np.frombuffer(vector, dtype="<f4").tolist()
        return found

    def put(self, embedding: str, vectors: Iterable[tuple[str, Vector]]) -> None:
        """Keep the vectors of some texts."""
        rows = [(_key(embedding, text), np.asarray(vector, dtype="<f4").tobytes()) for text, vector in vectors]
        with self._file.writing() as database:
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def close(self) -> None:
        """Close the file; the cache cannot be used afterwards."""
        self._file.close()


class CachedEmbedder:
    """An embedder that keeps what it made. Questions pass through.

    Example:
        >>> from thread_core import default_embedding
        >>> embedder = CachedEmbedder(default_embedding(), SqliteVectorCache())
        >>> embedder.embed(["Disk full"]) == embedder.embed(["Disk full"])
        True
    """

    def __init__(self, embedder: Embedder, cache: SqliteVectorCache, *, name: str = "") -> None:
        """Put a cache before an embedder.

        Args:
            embedder: Makes the vectors.
            cache: Keeps them.
            name: Which model it is, for several may share a file; the embedder's own `name` where empty.

        Raises:
            ValueError: neither says which model it is.
        """
        self.name: str = name or getattr(embedder, "name", "")
        """Which model it is."""
        if not self.name:
            raise ValueError("name the model with name=..., which keeps vectors of different models apart")
        self._embedder = embedder
        self._cache = cache

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector for each text, in order; only those are made that are not kept."""
        vectors = self._cache.get(self.name, texts)
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        if new:
            made = self._embedder.embed(new)
            self._cache.put(self.name, zip(new, made, strict=True))
            # As they are kept, so that a text has one vector whether it was kept before or not.
            vectors |= zip(new, np.asarray(made, dtype=np.float32).tolist(), strict=True)
        return [vectors[text] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The embedder's."""
        return self._embedder.embed_query(text)


def _key(embedding: str, text: str) -> bytes:
    return blake2b(f"{embedding}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
