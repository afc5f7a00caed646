"""An empty vector store of each kind that units are kept in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from tests.postgres import Postgres

KINDS = ("chroma", "memory", "faiss", "qdrant", "pgvector", "pgvector table")


def faiss(embeddings: Embeddings, index: Any, docstore: Any = None, **options: Any) -> Any:
    """A FAISS over an index, or over one for vectors of some length."""
    lib, community = pytest.importorskip("faiss"), pytest.importorskip("langchain_community.vectorstores.faiss")
    documents = docstore or community.InMemoryDocstore()
    made = lib.IndexFlatL2(index) if isinstance(index, int) else index
    return community.FAISS(embeddings, made, documents, {}, **options)


@contextmanager
def qdrant(embeddings: Embeddings, size: int, **options: Any) -> Iterator[Any]:
    module = pytest.importorskip("langchain_qdrant")
    from qdrant_client import QdrantClient, models

    client = QdrantClient(":memory:")
    vectors = models.VectorParams(size=size, distance=options.pop("distance", models.Distance.COSINE))
    client.create_collection("guides", vectors_config=vectors)
    yield module.QdrantVectorStore(client, "guides", embeddings, validate_collection_config=False, **options)
    client.close()


@contextmanager
def pgvector(embeddings: Embeddings, postgres: Postgres) -> Iterator[Any]:
    module = pytest.importorskip("langchain_postgres")
    from sqlalchemy import create_engine

    with postgres.database() as url:
        engine = create_engine(url)
        yield module.PGVector(embeddings, connection=engine)
        engine.dispose()


@contextmanager
def pgvector_table(embeddings: Embeddings, size: int, postgres: Postgres) -> Iterator[Any]:
    module = pytest.importorskip("langchain_postgres")
    with postgres.database() as url:
        engine = module.PGEngine.from_connection_string(url)
        engine.init_vectorstore_table("guides", size)
        yield module.PGVectorStore.create_sync(engine, embeddings, "guides")
        engine._run_as_sync(engine.close())


@contextmanager
def makers(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Makes stores of the kind that a fixture is asked for: `make(embeddings, size=256)`."""
    kind = request.param
    with ExitStack() as made:

        def make(embeddings: Embeddings, size: int = 256) -> Any:
            match kind:
                case "chroma":
                    return request.getfixturevalue("make_store")([], embeddings)
                case "memory":
                    return InMemoryVectorStore(embeddings)
                case "faiss":
                    return faiss(embeddings, size)
                case "qdrant":
                    return made.enter_context(qdrant(embeddings, size))
                case "pgvector":
                    return made.enter_context(pgvector(embeddings, request.getfixturevalue("postgres")))
                case _:
                    return made.enter_context(pgvector_table(embeddings, size, request.getfixturevalue("postgres")))

        yield make
