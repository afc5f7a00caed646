"""An empty vector store of each kind that units are kept in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import pytest
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.vector_stores.simple import SimpleVectorStore

from tests.postgres import Postgres

KINDS = ("simple", "chroma", "qdrant", "postgres", "postgres jsonb", "postgres halfvec")


@contextmanager
def chroma(new_chroma: Callable[[Path], Path]) -> Iterator[Any]:
    import chromadb
    from llama_index.vector_stores.chroma import ChromaVectorStore

    folder = Path(mkdtemp())
    settings = chromadb.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(new_chroma(folder), settings=settings)
    space = {"hnsw": {"space": "cosine"}}
    yield ChromaVectorStore(chroma_collection=client.create_collection("guides", configuration=space))
    client.close()
    rmtree(folder)


@contextmanager
def qdrant(**options: Any) -> Iterator[Any]:
    module = pytest.importorskip("llama_index.vector_stores.qdrant")
    from qdrant_client import QdrantClient

    client = QdrantClient(":memory:")
    # It warns of the index, which counts for nothing in memory.
    yield module.QdrantVectorStore("guides", client=client, index_doc_id=False, **options)
    client.close()


@contextmanager
def table(postgres: Postgres, size: int, **options: Any) -> Iterator[Any]:
    module = pytest.importorskip("llama_index.vector_stores.postgres")
    with postgres.database() as url:
        drivers = (url.replace("+psycopg:", driver) for driver in ("+psycopg2:", "+asyncpg:"))
        store = module.PGVectorStore(*drivers, "guides", embed_dim=size, **options)
        yield store
        asyncio.run(store.close())


@contextmanager
def makers(request: pytest.FixtureRequest) -> Iterator[Callable[..., VectorStoreIndex]]:
    """Makes empty indexes of the kind that a fixture is asked for: `make(embedding, size=256)`."""
    with ExitStack() as made:

        def store(size: int) -> Any:
            match request.param:
                case "simple":
                    return SimpleVectorStore()
                case "chroma":
                    return made.enter_context(chroma(request.getfixturevalue("new_chroma")))
                case "qdrant":
                    return made.enter_context(qdrant())
                case kind:
                    options = {"jsonb": {"use_jsonb": True}, "halfvec": {"use_halfvec": True, "hybrid_search": True}}
                    chosen = options.get(kind.partition(" ")[2], {})
                    return made.enter_context(table(request.getfixturevalue("postgres"), size, **chosen))

        def make(embedding: BaseEmbedding, size: int = 256) -> VectorStoreIndex:
            storage = StorageContext.from_defaults(vector_store=store(size))
            return VectorStoreIndex([], storage_context=storage, embed_model=embedding)

        yield make
