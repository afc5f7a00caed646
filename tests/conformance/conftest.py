"""The example documents in both frameworks, each over its own Chroma collection."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.api import ClientAPI
from langchain_chroma import Chroma
from langchain_core.documents import Document as LangChainDocument
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import BaseNode
from llama_index.vector_stores.chroma import ChromaVectorStore

import langchain_thread
import llama_index_thread
from langchain_thread.convert import to_unit
from llama_index_thread.convert import from_node
from thread_core.testing.adapter_suite import Adapter

COSINE = {"hnsw": {"space": "cosine"}}
DOCUMENTS = Path(__file__).parents[2] / "examples" / "documents"


def texts() -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCUMENTS.glob("*.md"))}


def name() -> str:
    return f"conformance-{uuid.uuid4().hex}"


def client() -> ClientAPI:
    """Ephemeral clients of one process share their state."""
    return chromadb.EphemeralClient()


def langchain_pipeline(texts: Mapping[str, str]) -> Adapter:
    documents = [LangChainDocument(text, id=path) for path, text in texts.items()]
    units = langchain_thread.LogicUnitTextSplitter().split_documents(documents)
    embeddings = langchain_thread.HeaderEmbeddings(langchain_thread.DefaultEmbeddings())
    store = Chroma.from_documents(
        units, embeddings, client=client(), collection_name=name(), collection_configuration=COSINE
    )
    return langchain_adapter(units, store)


def langchain_in_memory(texts: Mapping[str, str]) -> Adapter:
    """LangChain's own vector store, filled by our ingest."""
    documents = [LangChainDocument(text, id=path) for path, text in texts.items()]
    store = InMemoryVectorStore(langchain_thread.DefaultEmbeddings())
    langchain_thread.ThreadIngest(store).run(documents)
    return langchain_adapter(langchain_thread.LogicUnitTextSplitter().split_documents(documents), store)


def langchain_adapter(units: list[LangChainDocument], store: VectorStore) -> Adapter:
    retriever = langchain_thread.ThreadRetriever(vectorstore=store)
    return Adapter(
        units=[to_unit(document) for document in units],
        retrieve=lambda question: [to_unit(document) for document in retriever.invoke(question)],
        session=lambda: langchain_thread.HowToSession(retriever),
        resume=lambda state: langchain_thread.HowToSession.resume(state, retriever),
    )


def llama_index_pipeline(texts: Mapping[str, str]) -> Adapter:
    documents: list[Any] = [LlamaIndexDocument(id_=path, text=text) for path, text in texts.items()]
    nodes = llama_index_thread.LogicUnitNodeParser().get_nodes_from_documents(documents)
    collection = client().create_collection(name(), configuration=COSINE)
    context = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
    embedding = llama_index_thread.DefaultEmbedding()
    return llama_index_adapter(nodes, VectorStoreIndex(nodes, embed_model=embedding, storage_context=context))


def llama_index_in_memory(texts: Mapping[str, str]) -> Adapter:
    """By `ThreadIngest`, into the vector store that LlamaIndex takes by default."""
    documents: list[Any] = [LlamaIndexDocument(id_=path, text=text) for path, text in texts.items()]
    embedding = llama_index_thread.DefaultEmbedding()
    index = VectorStoreIndex([], embed_model=embedding)
    llama_index_thread.ThreadIngest(index, embed_model=embedding).run(documents)
    return llama_index_adapter([index.docstore.get_node(one) for one in index.index_struct.nodes_dict], index)


def llama_index_adapter(nodes: list[BaseNode], index: VectorStoreIndex) -> Adapter:
    retriever = llama_index_thread.ThreadRetriever(index=index, embed_model=llama_index_thread.DefaultEmbedding())
    return Adapter(
        units=[from_node(node) for node in nodes],
        retrieve=lambda question: [from_node(found.node) for found in retriever.retrieve(question)],
        session=lambda: llama_index_thread.HowToSession(retriever),
        resume=lambda state: llama_index_thread.HowToSession.resume(state, retriever),
    )


@pytest.fixture(scope="session")
def langchain() -> Adapter:
    return langchain_pipeline(texts())


@pytest.fixture(scope="session")
def llama_index() -> Adapter:
    return llama_index_pipeline(texts())
