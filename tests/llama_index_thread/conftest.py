"""Two guides that link to each other, a real Chroma, an embedding and a model that write down what they get."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.api import ClientAPI
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.schema import BaseNode
from llama_index.vector_stores.chroma import ChromaVectorStore
from pydantic import Field

from llama_index_thread import DefaultEmbedding, LogicUnitNodeParser, ThreadRetriever

DISK = """# Disk full

The agent stops when its disk is full.

## Before you begin

You must have root access.

## Clean up

1. Find large files:

   ```bash
   du -sh {directory}/*
   ```

2. Delete them. If the disk is still full, see [Volumes](volumes.md#extend). If it works, you are done.

## On Windows

Run `cleanmgr /all`.
"""

VOLUMES = """# Volumes

## Extend

Run `volume extend +10G`. If this fails, contact support.
"""


KERNEL = """# Kernel modules

## Look

1. Print the name of the kernel:

   ```bash
   uname -s
   ```

   - If it prints "Linux", go to [Modules](#modules).
   - If it prints "Darwin", go to [Extensions](#extensions).

## Modules

List the modules as an administrator sees them.

## Extensions

List the extensions.
"""


class RecordingEmbedding(DefaultEmbedding):
    """The default's vectors; `texts` holds what was embedded as a text, `queries` what was as a question."""

    texts: list[str] = Field(default_factory=list, exclude=True)
    queries: list[str] = Field(default_factory=list, exclude=True)

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        self.texts.extend(texts)
        return super()._get_text_embeddings(texts)

    def _get_query_embedding(self, query: str) -> list[float]:
        self.queries.append(query)
        return super()._get_query_embedding(query)


class ScriptedLLM(CustomLLM):
    """Says the next of its replies, whole or word by word; `prompts` holds what it was asked."""

    replies: list[str] = Field(default_factory=lambda: ["done"])
    prompts: list[str] = Field(default_factory=list)

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=8000, model_name="scripted")

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        self.prompts.append(prompt)
        return CompletionResponse(text=self.replies.pop(0))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        self.prompts.append(prompt)
        said = ""
        for delta in re.findall(r" ?[^ ]+", self.replies.pop(0)):
            said += delta
            yield CompletionResponse(text=said, delta=delta)


class RecordingHandler(BaseEventHandler):
    names: list[str] = Field(default_factory=list)

    @classmethod
    def class_name(cls) -> str:
        return "RecordingHandler"

    def handle(self, event: Any, **kwargs: Any) -> None:
        self.names.append(event.class_name())


@pytest.fixture
def documents() -> list[Document]:
    return [
        Document(id_="disk.md", text=DISK, metadata={"file_path": "/guides/disk.md", "pages": 2}),
        Document(id_="volumes.md", text=VOLUMES, metadata={"file_path": "/guides/volumes.md"}),
    ]


@pytest.fixture
def nodes(documents: list[Document]) -> list[BaseNode]:
    return LogicUnitNodeParser().get_nodes_from_documents(documents)


@pytest.fixture
def embedding() -> RecordingEmbedding:
    return RecordingEmbedding()


@pytest.fixture
def llm() -> ScriptedLLM:
    return ScriptedLLM()


@pytest.fixture
def client(tmp_path: Path, new_chroma: Callable[[Path], Path]) -> Iterator[ClientAPI]:
    """On disk: in-memory clients of one process share rows and settings, also with other suites."""
    directory = new_chroma(tmp_path / "chroma")
    client = chromadb.PersistentClient(directory, settings=chromadb.Settings(anonymized_telemetry=False))
    yield client
    client.close()  # it contains a dozen files open


@pytest.fixture
def collection(client: ClientAPI) -> chromadb.Collection:
    return client.create_collection("guides", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None)


@pytest.fixture
def store(collection: chromadb.Collection) -> ChromaVectorStore:
    return ChromaVectorStore(chroma_collection=collection)


@pytest.fixture
def index(nodes: list[BaseNode], store: ChromaVectorStore, embedding: RecordingEmbedding) -> VectorStoreIndex:
    storage = StorageContext.from_defaults(vector_store=store)
    return VectorStoreIndex(nodes, storage_context=storage, embed_model=embedding)


@pytest.fixture
def retriever(index: VectorStoreIndex, embedding: RecordingEmbedding) -> ThreadRetriever:
    return ThreadRetriever(index, embed_model=embedding)


@pytest.fixture
def simple(embedding: RecordingEmbedding) -> VectorStoreIndex:
    """An index over a `SimpleVectorStore`, which is LlamaIndex's default."""
    return VectorStoreIndex([], embed_model=embedding)


@pytest.fixture
def events() -> Iterator[list[str]]:
    dispatcher = get_dispatcher()
    handler = RecordingHandler()
    dispatcher.add_event_handler(handler)
    yield handler.names
    dispatcher.event_handlers.remove(handler)


@pytest.fixture
def ticks_during() -> Callable[[Awaitable[Any]], Awaitable[int]]:
    """How often the event loop got its turn while something was awaited."""

    async def count(awaited: Awaitable[Any]) -> int:
        ticks = 0
        task = asyncio.ensure_future(awaited)
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await task
        return ticks

    return count


def retriever_over(texts: Mapping[str, str]) -> ThreadRetriever:
    collection = chromadb.EphemeralClient().create_collection(
        f"guides-{uuid.uuid4().hex}", configuration={"hnsw": {"space": "cosine"}}
    )
    storage = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
    documents = [Document(id_=path, text=text) for path, text in texts.items()]
    nodes = LogicUnitNodeParser().get_nodes_from_documents(documents)
    index = VectorStoreIndex(nodes, embed_model=DefaultEmbedding(), storage_context=storage)
    return ThreadRetriever(index, embed_model=DefaultEmbedding())


@pytest.fixture(scope="session")
def guides() -> ThreadRetriever:
    """A retriever over the example documents."""
    folder = Path(__file__).parents[2] / "examples" / "documents"
    return retriever_over({path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))})


@pytest.fixture
def kernel() -> ThreadRetriever:
    """A retriever over a guide with a command that runs anywhere."""
    return retriever_over({"kernel.md": KERNEL})
