"""Documents into a new Chroma directory: by `ThreadIngest`, and by both frameworks with our splitter and their own.

Each gives the number of rows that were written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import chromadb
from _ingest import into
from _splitters import SPLITTERS
from chromadb.config import Settings
from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import MarkdownNodeParser, NodeParser
from llama_index.vector_stores.chroma import ChromaVectorStore

from langchain_thread import DefaultEmbeddings, HeaderEmbeddings
from llama_index_thread import DefaultEmbedding, LogicUnitNodeParser
from thread_chroma import open_store
from thread_core import Document
from thread_eval.systems.walking import COSINE

CALL = 5000
"""Rows that are handed to Chroma at once; neither framework splits what is too much for it."""


def ingest(workers: int, documents: Mapping[str, str], directory: Path) -> int:
    """`ThreadIngest`, with its words and its ledger."""
    one = into(open_store(directory, create=True), directory, workers=workers)
    return one.run(map(Document, documents, documents.values())).added


def on_llama_index(parser: Callable[[], NodeParser], documents: Mapping[str, str], directory: Path) -> int:
    """LlamaIndex's pipeline: parse, embed, add."""
    nodes = IngestionPipeline(transformations=[parser(), DefaultEmbedding()]).run(
        documents=SPLITTERS["MarkdownNodeParser"].handed(documents)
    )
    store = ChromaVectorStore(chroma_collection=_collection(directory))
    for start in range(0, len(nodes), CALL):
        store.add(list(nodes[start : start + CALL]))
    return len(nodes)


def on_langchain(splitter: str, embeddings: Embeddings, documents: Mapping[str, str], directory: Path) -> int:
    """LangChain's two lines: split, add."""
    one = SPLITTERS[splitter]
    pieces = one.split(one.handed(documents))
    store = Chroma("rows", embeddings, client=_client(directory), collection_configuration=COSINE)
    for start in range(0, len(pieces), CALL):
        store.add_documents(list(pieces[start : start + CALL]))
    return len(pieces)


def _collection(directory: Path) -> chromadb.Collection:
    return _client(directory).create_collection("rows", configuration=COSINE, embedding_function=None)


def _client(directory: Path) -> chromadb.ClientAPI:
    return chromadb.PersistentClient(directory, settings=Settings(anonymized_telemetry=False))


PIPELINES: dict[str, Callable[[Mapping[str, str], Path], int]] = {
    "ThreadIngest": partial(ingest, 1),
    "ThreadIngest, workers=2": partial(ingest, 2),
    "IngestionPipeline, LogicUnitNodeParser": partial(on_llama_index, LogicUnitNodeParser),
    "IngestionPipeline, MarkdownNodeParser": partial(on_llama_index, MarkdownNodeParser),
    "add_documents, LogicUnitTextSplitter": partial(
        on_langchain, "LogicUnitTextSplitter", HeaderEmbeddings(DefaultEmbeddings())
    ),
    "add_documents, MarkdownHeaderTextSplitter": partial(
        on_langchain, "MarkdownHeaderTextSplitter", DefaultEmbeddings()
    ),
}
