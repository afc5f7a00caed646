"""Two short guides that link to each other, embeddings that can be watched, and vector stores that are thrown away."""

import sqlite3
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.api import ClientAPI
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver

from langchain_thread import DefaultEmbeddings, HeaderEmbeddings, LogicUnitTextSplitter
from tests.langchain_thread.vectorstores import KINDS, makers

AGENT = """\
# The agent is silent

## Agent 2.3 and later

Ping the agent with `agent ping`. If it does not answer, restart it with `agent restart`.
If the disk is full, follow [Disk full](disk.md).

## Before Agent 2.3

Run `control status`. If it prints `up`, the issue is resolved.
Otherwise open a ticket with the platform team.
"""
DISK = """\
# Disk full

1. List what is large with `du -sh /var/*`.
2. Remove old logs. If nothing is old, escalate to the storage team.
"""


class RecordingEmbeddings(Embeddings):
    """The default embedding, which notes every text that it is given."""

    def __init__(self) -> None:
        self.documents: list[str] = []
        self.queries: list[str] = []
        self._inner = DefaultEmbeddings()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.documents += texts
        return self._inner.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        return self._inner.embed_query(text)


@pytest.fixture
def guides() -> list[Document]:
    return [
        Document(page_content=AGENT, metadata={"source": "agent.md", "team": "platform"}),
        Document(page_content=DISK, metadata={"source": "disk.md", "team": "storage"}),
    ]


@pytest.fixture
def units(guides: list[Document]) -> list[Document]:
    return LogicUnitTextSplitter().split_documents(guides)


@pytest.fixture
def recording() -> RecordingEmbeddings:
    return RecordingEmbeddings()


@pytest.fixture(scope="session")
def client() -> ClientAPI:
    """The in-memory Chroma of this process. All its clients must be set alike, so it is set as Chroma's default is."""
    return chromadb.EphemeralClient()


@pytest.fixture
def make_store(client: ClientAPI) -> Iterator[Callable[..., Chroma]]:
    """Chroma over documents, in a collection of its own that is deleted afterwards."""
    made: list[str] = []

    def make(documents: list[Document], embeddings: Embeddings | None = None, space: str = "cosine") -> Chroma:
        made.append(f"test-{uuid.uuid4().hex}")
        options: dict[str, Any] = {
            "embedding_function": embeddings or HeaderEmbeddings(DefaultEmbeddings()),
            "collection_configuration": {"hnsw": {"space": space}},
        }
        store = Chroma(collection_name=made[-1], client=client, **options)
        if documents:
            store.add_documents(documents)
        return store

    yield make
    for name in made:
        rows = client.get_collection(name, embedding_function=None)
        # Chroma 1.5 gives lists in the metadata of a deleted collection to the next rows that are made anywhere.
        if ids := rows.get(include=[])["ids"]:
            rows.delete(ids=ids)
        client.delete_collection(name)


@pytest.fixture(params=KINDS)
def make(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Makes empty stores of each kind that is supported."""
    with makers(request) as make:
        yield make


@pytest.fixture(params=["memory", "sqlite"])
def saver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BaseCheckpointSaver[Any]]:
    if request.param == "memory":
        yield InMemorySaver()
        return
    connection = sqlite3.connect(tmp_path / "walks.sqlite3", check_same_thread=False)
    yield SqliteSaver(connection)
    connection.close()


@pytest.fixture
def store(make_store: Callable[..., Chroma], units: list[Document]) -> Chroma:
    return make_store(units)
