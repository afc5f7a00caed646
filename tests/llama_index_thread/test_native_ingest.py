"""LlamaIndex's own pipeline and `ThreadIngest` leave the same rows behind, whatever was edited before."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import chromadb
import numpy as np
import pytest
from chromadb.api import ClientAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from llama_index.core import Document
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread import CachedEmbedding, DefaultEmbedding, LogicUnitNodeParser, ThreadIngest
from tests.llama_index_thread.conftest import RecordingEmbedding
from thread_core.store.library import SAMPLED

COSINE = {"hnsw": {"space": "cosine"}}
Texts = Mapping[str, str]


def documents(texts: Texts) -> list[Document]:
    metadata = {"team": "storage", "year": 2024}
    return [Document(id_=name, text=text, metadata={"file": name} | metadata) for name, text in texts.items()]


@cache
def client() -> ClientAPI:
    """One for all: to make it takes longer than what is done with it."""
    return chromadb.EphemeralClient()


class Way:
    """One way of taking documents in, into a collection of its own."""

    def __init__(self) -> None:
        name = f"native-{uuid.uuid4().hex}"
        self.collection = client().create_collection(name, configuration=COSINE, embedding_function=None)
        self.store = ChromaVectorStore(chroma_collection=self.collection)

    def rows(self) -> dict[str, tuple[str, Any]]:
        found = self.collection.get(include=["documents", "metadatas"])
        return dict(zip(found["ids"], zip(found["documents"], found["metadatas"], strict=True), strict=True))

    def vectors(self) -> Any:
        """Chroma gives them back at length 1, so one that is written again differs in its last bit."""
        found = self.collection.get(include=["embeddings"])
        vectors = dict(zip(found["ids"], found["embeddings"], strict=True))
        return np.array([vectors[row_id] for row_id in sorted(vectors)])

    def holds_what(self, other: Way) -> bool:
        """Whether both hold the same rows, with the same vectors."""
        return self.rows() == other.rows() and np.allclose(self.vectors(), other.vectors(), rtol=0, atol=1e-6)

    def close(self) -> None:
        client().delete_collection(self.collection.name)


class Native(Way):
    def __init__(self) -> None:
        super().__init__()
        self.docstore = SimpleDocumentStore()

    def pipeline(self, embedding: BaseEmbedding | None = None) -> IngestionPipeline:
        return IngestionPipeline(
            transformations=[LogicUnitNodeParser(), embedding or DefaultEmbedding()],
            vector_store=self.store,
            docstore=self.docstore,
            docstore_strategy=DocstoreStrategy.UPSERTS,
            disable_cache=True,
        )

    def run(self, texts: Texts) -> None:
        self.pipeline().run(documents=documents(texts))

    def remove(self, name: str) -> None:
        self.docstore.delete_document(name)
        self.store.delete(name)


class Ours(Way):
    def ingest(self) -> ThreadIngest:
        return ThreadIngest(vector_store=self.store, embed_model=DefaultEmbedding())

    def run(self, texts: Texts) -> None:
        assert not self.ingest().run(iter(documents(texts))).failures

    def remove(self, name: str) -> None:
        self.ingest().remove([name])


@pytest.fixture
def native() -> Iterator[Native]:
    path = Native()
    yield path
    path.close()


@pytest.fixture
def ours() -> Iterator[Ours]:
    path = Ours()
    yield path
    path.close()


GUIDE = """# Disk full

## Look

You need root access.

1. Look at the disk.

   Then wait.
2. If the disk is full, go to [the logs](#logs).

## Logs

Remove old logs. If there is no room yet, see [the volumes](volumes.md#grow).

## Watch

Look at it for an hour.

## Watch again

Look at it for an hour.
"""
VOLUMES = "# Volumes\n\n## Grow\n\nRun `volume extend +10G`. If this fails, contact support.\n"
START = {"disk.md": GUIDE, "volumes.md": VOLUMES}


def edited(old: str, new: str, texts: Texts = START) -> Texts:
    assert old in texts["disk.md"]
    return {**texts, "disk.md": texts["disk.md"].replace(old, new)}


def test_a_document_that_is_removed_is_gone_either_way(native: Native, ours: Ours) -> None:
    for path in (native, ours):
        path.run(START)
        path.remove("disk.md")

    assert ours.holds_what(native)
    assert {metadata["file"] for _, metadata in ours.rows().values()} == {"volumes.md"}


def test_either_way_goes_on_where_the_other_left_off(native: Native, ours: Ours) -> None:
    native.run(START)
    taken_over = ThreadIngest(vector_store=native.store, embed_model=DefaultEmbedding())

    assert not taken_over.run(documents(START)).changed
    taken_over.run(documents(edited("# Disk full\n", "Soon.\n\n# Disk full\n")))
    ours.run(edited("# Disk full\n", "Soon.\n\n# Disk full\n"))
    assert native.holds_what(ours)


def test_a_body_that_is_edited_costs_no_embedding_either_way(
    native: Native, ours: Ours, embedding: RecordingEmbedding, tmp_path: Path
) -> None:
    texts = {f"{number}.md": GUIDE.replace("Disk", f"Disk {number}") for number in range(12)}
    changed = texts | {"7.md": texts["7.md"].replace("Then wait.", "Then wait a minute.")}
    cached = CachedEmbedding(embedding, tmp_path / "vectors.sqlite3")
    again = CachedEmbedding(embedding, tmp_path / "vectors.sqlite3")
    native.pipeline(cached).run(documents=documents(texts))
    ours.run(texts)
    assert len(embedding.texts) == len(set(embedding.texts)) == len(ours.rows()) == 48
    embedding.texts.clear()

    native.pipeline(again).run(documents=documents(changed))
    report = ThreadIngest(vector_store=ours.store, embed_model=embedding).run(documents(changed))

    assert (report.added, report.removed, report.embedded) == (1, 1, 0)
    assert len(embedding.texts) <= SAMPLED, "stored headers are embedded again to see that the embedding is the store's"
    assert ours.holds_what(native)


PARTS = (
    "## Look\n\nLook at the disk.",
    "## Look\n\nLook at the disk. Then wait.",
    "## Grow\n\nGrow it:\n\n```sh\ngrow {size}\n```",
    "## Grow\n\nIf it works, you are done. Otherwise see [the logs](logs.md#look).",
)
NAMES = ("disk.md", "volumes.md", "logs.md")


def written(above: str, parts: list[str]) -> str:
    return "\n\n".join(("# Guide", above, *parts))


GUIDES = st.builds(
    written,
    st.sampled_from(("", "You need root access.", "This takes\nan hour.")),
    st.lists(st.sampled_from(PARTS), max_size=5),
)
EDITS = st.tuples(st.sampled_from(NAMES), st.one_of(GUIDES, st.none()))
"""A guide that is written, written anew or taken back to what it was; or one that is removed."""


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(EDITS, min_size=1, max_size=8), st.booleans())
def test_both_ways_leave_the_same_rows_after_any_history(edits: list[tuple[str, str | None]], whole: bool) -> None:
    native, ours, fresh = Native(), Ours(), Ours()
    texts: dict[str, str] = {}
    for name, text in edits:
        if text is not None:
            texts[name] = text
            for path in (native, ours):
                path.run(texts if whole else {name: text})
        elif texts.pop(name, None) is not None:
            for path in (native, ours):
                path.remove(name)
        assert ours.holds_what(native)
    fresh.run(texts)
    assert ours.holds_what(fresh)
    for path in (native, ours, fresh):
        path.close()


class Failing(DefaultEmbedding):
    """Is killed at the first text, as far as the store can tell."""

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        raise KeyboardInterrupt


def killed(pipeline: IngestionPipeline, texts: Texts) -> None:
    pipeline.transformations[-1] = Failing()
    with pytest.raises(KeyboardInterrupt):
        pipeline.run(documents=documents(texts))


class TestWhatTheDocumentationSaysOfThePipeline:
    """Where LlamaIndex itself loses documents; each is found again by `ThreadIngest`."""

    def files(self, path: Way) -> set[str]:
        return {metadata["file"] for _, metadata in path.rows().values()}

    def repaired(self, native: Native, texts: Texts) -> bool:
        ThreadIngest(vector_store=native.store, embed_model=DefaultEmbedding()).run(documents(texts))
        return self.files(native) == set(texts)

    def test_killed_before_it_wrote_and_reverted_a_document_is_missing(self, native: Native) -> None:
        native.run(START)
        killed(native.pipeline(), edited("Then wait.", "Then go."))
        native.run(START)

        assert self.files(native) == {"volumes.md"}
        assert self.repaired(native, START)

    def test_passing_over_duplicates_never_tries_again_what_failed(self, native: Native) -> None:
        pipeline = native.pipeline()
        pipeline.docstore_strategy = DocstoreStrategy.DUPLICATES_ONLY
        killed(pipeline, START)
        pipeline.transformations[-1] = DefaultEmbedding()
        pipeline.run(documents=documents(START))

        assert self.files(native) == set()
        assert self.repaired(native, START)
