"""What is compared: Thread through the front doors of both frameworks, what one would pick today, and a floor."""

from __future__ import annotations

import copy
import importlib
import re
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import chromadb
import numpy as np
from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.node_parser import MarkdownNodeParser, SentenceSplitter
from llama_index.vector_stores.chroma import ChromaVectorStore
from pydantic import PrivateAttr

import langchain_thread
import llama_index_thread
from langchain_thread.embeddings import CoreEmbedder
from thread_core import LogicUnit, default_embedding
from thread_core.ports import Embedder
from thread_core.text.words import count_tokens
from thread_core.walk.rendering import Turn
from thread_core.walk.session import HowToSession, SessionState
from thread_eval.system import Reply, Status
from thread_eval.walking import DONE

HEADINGS = [("#" * level, f"h{level}") for level in range(1, 5)]
COSINE = {"hnsw": {"space": "cosine"}}
ENTRIES = 5
"""Chunks that a splitter's retriever gives."""
TAIL = 300
"""Characters of the last chunk that a "done" is asked about."""

_STATUS: dict[str, Status] = {
    "awaiting": "going",
    "asking": "asking",
    "resolved": "resolved",
    "escalated": "escalate",
    "unknown": "unknown",
}


def embedding(name: str) -> Embedder:
    """`default`, or `module:name` of LangChain embeddings that are made without arguments."""
    if name == "default":
        return default_embedding()
    module, _, factory = name.partition(":")
    return CoreEmbedder(getattr(importlib.import_module(module), factory)())


# -- Thread --------------------------------------------------------------------------------------------------------


class Walking(ABC):
    """A `HowToSession` for each question."""

    def __init__(self, documents: Mapping[str, str]) -> None:
        self._documents = documents

    @abstractmethod
    def session(self, state: SessionState) -> HowToSession:
        """One that stands where `state` says."""

    def start(self, question: str) -> Reply:
        self._session = self.session(SessionState())
        return self._reply(self._session.start(question))

    def respond(self, said: str) -> Reply:
        return self._reply(self._session.respond(said))

    def fork(self) -> Self:
        other = copy.copy(self)
        other._session = self.session(self._session.state)
        return other

    def _reply(self, turn: Turn) -> Reply:
        place = f"{turn.citations[0].document_id}:{turn.unit_ids[0]}" if turn.citations and turn.unit_ids else ""
        return Reply(turn.text, _STATUS[turn.status.value], self._first_cited(turn), turn.options, place)

    def _first_cited(self, turn: Turn) -> str:
        if not turn.citations:
            return ""
        span = turn.citations[0]
        lines = re.split(r"\r\n|\n|\r", self._documents[span.document_id])
        return "\n".join(lines[span.start - 1 : span.end])


class ThreadOnLangChain(Walking):
    name = "Thread, LangChain"
    models: Any = None
    """Chat models by role, for walks with one."""

    def __init__(self, documents: Mapping[str, str], units: Sequence[LogicUnit], embedder: Embedder) -> None:
        super().__init__(documents)
        store = Chroma(
            collection_name=_new_name(),
            embedding_function=langchain_thread.HeaderEmbeddings(_OnLangChain(embedder)),
            collection_configuration=COSINE,
        )
        for page in _pages([langchain_thread.unit_to_document(unit) for unit in units]):
            store.add_documents(page)
        self.store = store
        self._retriever = langchain_thread.ThreadRetriever(vectorstore=store)

    def retrieve(self, question: str) -> list[str]:
        return [document.page_content for document in self._retriever.invoke(question)]

    def session(self, state: SessionState) -> HowToSession:
        return langchain_thread.HowToSession.resume(state, self._retriever, self.models)


class ThreadOnLlamaIndex(Walking):
    name = "Thread, LlamaIndex"

    def __init__(self, documents: Mapping[str, str], units: Sequence[LogicUnit], embedder: Embedder) -> None:
        super().__init__(documents)
        collection = chromadb.EphemeralClient().create_collection(_new_name(), configuration=COSINE)
        embed_model = _OnLlamaIndex(embedder)
        index = VectorStoreIndex(
            [llama_index_thread.unit_to_node(unit) for unit in units],
            embed_model=embed_model,
            storage_context=StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection)),
        )
        self._retriever = llama_index_thread.ThreadRetriever(index=index, embed_model=embed_model)

    def retrieve(self, question: str) -> list[str]:
        return [found.node.get_content() for found in self._retriever.retrieve(question)]

    def session(self, state: SessionState) -> HowToSession:
        return llama_index_thread.HowToSession.resume(state, self._retriever)


class _OnLangChain(Embeddings):
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> list[float]:
        return self._embedder.embed_query(text)


class _OnLlamaIndex(BaseEmbedding):
    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(embed_batch_size=1024)
        self._embedder = embedder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.embed(texts)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._embedder.embed([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embedder.embed_query(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def _new_name() -> str:
    return f"benchmark-{uuid.uuid4().hex}"


def _pages(units: Sequence[Any], size: int = 5000) -> Iterator[Sequence[Any]]:
    return (units[start : start + size] for start in range(0, len(units), size))


# -- what one would pick today -------------------------------------------------------------------------------------


class Chunks:
    """Chunks embedded whole, all compared, the best k; "done" and outcomes go into the next query."""

    def __init__(self, name: str, chunks: Sequence[str], embedder: Embedder, k: int = ENTRIES) -> None:
        self.name = name
        self._chunks = [chunk for chunk in chunks if chunk.strip()]
        self._embedder = embedder
        self._k = k
        self._vectors = _unit_length(np.asarray(embedder.embed(self._chunks)))

    def ranked(self, query: str) -> list[int]:
        vector = np.asarray(self._embedder.embed_query(query))
        return np.argsort(-(self._vectors @ vector), kind="stable").tolist()

    def retrieve(self, question: str) -> list[str]:
        return [self._chunks[index] for index in self.ranked(question)[: self._k]]

    def start(self, question: str) -> Reply:
        self._question = question
        self._shown: tuple[int, ...] = ()
        return self._next(question)

    def respond(self, said: str) -> Reply:
        about = self._chunks[self._shown[-1]][-TAIL:] if said == DONE else said
        return self._next(f"{self._question} {about}")

    def fork(self) -> Self:
        return copy.copy(self)

    def _next(self, query: str) -> Reply:
        best = next((index for index in self.ranked(query) if index not in self._shown), None)
        if best is None:
            return Reply("", "resolved")
        self._shown = (*self._shown, best)
        return Reply(self._chunks[best])


class ReadsOn:
    """The floor of a walk: finds the document of the best chunk and reads it on in order, whatever is said."""

    name = "floor: reads on"

    def __init__(self, documents: Mapping[str, str], embedder: Embedder) -> None:
        split = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=50).split_text
        pairs = [(path, chunk) for path, text in documents.items() for chunk in split(text)]
        self._owners = [path for path, _ in pairs]
        self._texts = [chunk for _, chunk in pairs]
        self._chunks = Chunks(self.name, self._texts, embedder)

    def retrieve(self, question: str) -> list[str]:
        return list(self._in_order(question))

    def start(self, question: str) -> Reply:
        self._rest = tuple(self._in_order(question))
        return self.respond("")

    def respond(self, said: str) -> Reply:
        if not self._rest:
            return Reply("", "resolved")
        text, *rest = self._rest
        self._rest = tuple(rest)
        return Reply(text)

    def fork(self) -> Self:
        return copy.copy(self)

    def _in_order(self, question: str) -> Iterator[str]:
        """The chunks of the best document, then those of the next one."""
        for path in dict.fromkeys(self._owners[index] for index in self._chunks.ranked(question)):
            yield from (text for text, owner in zip(self._texts, self._owners, strict=True) if owner == path)


def _unit_length(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(lengths > 0, lengths, 1)


def systems(documents: Mapping[str, str], units: Sequence[LogicUnit], embedder: Embedder) -> Iterator[Any]:
    """All of them, one after the other."""
    texts = list(documents.values())
    yield ThreadOnLangChain(documents, units, embedder)
    yield ThreadOnLlamaIndex(documents, units, embedder)
    for size, overlap in ((1000, 50), (2000, 100)):
        splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap)
        chunks = [chunk for text in texts for chunk in splitter.split_text(text)]
        yield Chunks(f"RecursiveCharacterTextSplitter {size}", chunks, embedder)
    by_heading = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
    chunks = [section.page_content for text in texts for section in by_heading.split_text(text)]
    yield Chunks("MarkdownHeaderTextSplitter", chunks, embedder)
    nodes = [LlamaIndexDocument(text=text) for text in texts]
    sentences = SentenceSplitter(chunk_size=512, chunk_overlap=50, tokenizer=_tokens)
    chunks = [node.get_content() for node in sentences.get_nodes_from_documents(nodes)]
    yield Chunks("SentenceSplitter 512", chunks, embedder)
    chunks = [node.get_content() for node in MarkdownNodeParser().get_nodes_from_documents(nodes)]
    yield Chunks("MarkdownNodeParser", chunks, embedder)
    yield Chunks("whole documents", texts, embedder, k=1)
    yield ReadsOn(documents, embedder)


def _tokens(text: str) -> list[int]:
    """As many entries as a text has tokens in the scores, so that all sizes mean the same."""
    return list(range(count_tokens(text)))
