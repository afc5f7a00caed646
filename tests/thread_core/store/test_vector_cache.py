from collections.abc import Sequence
from pathlib import Path

import pytest

from thread_core import default_embedding
from thread_core.store.vector_cache import CachedEmbedder, SqliteVectorCache


class Counting:
    """The default embedding; notes every text that it is given."""

    name = "counting"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.texts += texts
        return default_embedding().embed(texts)

    def embed_query(self, text: str) -> list[float]:
        return self.embed([text])[0]


def test_what_was_embedded_once_is_not_embedded_again(tmp_path: Path) -> None:
    embedder = Counting()
    first = CachedEmbedder(embedder, SqliteVectorCache(tmp_path / "vectors.sqlite3"))
    vectors = first.embed(["disk full", "queue", "disk full"])
    assert embedder.texts == ["disk full", "queue"]
    other = CachedEmbedder(embedder, SqliteVectorCache(tmp_path / "vectors.sqlite3"))
    assert other.embed(["queue", "certificate", "disk full"])[::2] == [vectors[1], vectors[0]]
    assert embedder.texts == ["disk full", "queue", "certificate"]
    assert vectors[0] == vectors[2] == pytest.approx(default_embedding().embed(["disk full"])[0])


def test_no_texts_and_many_texts() -> None:
    embedder = Counting()
    cached = CachedEmbedder(embedder, SqliteVectorCache())
    assert (cached.embed([]), embedder.texts) == ([], [])
    many = [f"text {number}" for number in range(1201)]
    assert cached.embed(many) == cached.embed(many)
    assert embedder.texts == many


def test_questions_pass_through() -> None:
    embedder = Counting()
    cached = CachedEmbedder(embedder, SqliteVectorCache())
    assert [cached.embed_query("disk full") == cached.embed_query("disk full"), len(embedder.texts)] == [True, 2]


def test_models_are_kept_apart_by_their_names() -> None:
    cache, embedder = SqliteVectorCache(), Counting()
    for name in ("", "other", ""):
        CachedEmbedder(embedder, cache, name=name).embed(["disk"])
    assert embedder.texts == ["disk", "disk"]

    class Nameless(Counting):
        name = ""

    with pytest.raises(ValueError, match="name the model with name="):
        CachedEmbedder(Nameless(), cache)
