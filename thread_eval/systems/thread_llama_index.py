"""Thread over LlamaIndex and Chroma."""

from __future__ import annotations

import uuid

import chromadb
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.vector_stores.chroma import ChromaVectorStore

import llama_index_thread
from llama_index_thread.prerequisites import ThreadQuery
from thread_core import layout
from thread_core.walk.session import HowToSession
from thread_core.walk.state import SessionState
from thread_eval.system import Answer, History
from thread_eval.systems import Setup
from thread_eval.systems.chunks_llama_index import OnLlamaIndex
from thread_eval.systems.walking import COSINE, Walking, answer_of


class ThreadOnLlamaIndex(Walking):
    """Its retriever, its session and its query engine."""

    name = "Thread, LlamaIndex"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup.documents)
        collection = chromadb.EphemeralClient().create_collection(f"eval-{uuid.uuid4().hex}", configuration=COSINE)
        embed_model = OnLlamaIndex(setup.embedder)
        index = VectorStoreIndex(
            [llama_index_thread.unit_to_node(unit) for unit in setup.units],
            embed_model=embed_model,
            storage_context=StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection)),
        )
        self._models = setup.models
        self._retriever = llama_index_thread.ThreadRetriever(index=index, embed_model=embed_model)
        self._engine = llama_index_thread.ThreadQueryEngine(self._retriever, setup.models)

    def retrieve(self, question: str) -> list[str]:
        """The units of a question."""
        return [found.node.get_content() for found in self._retriever.retrieve(question)]

    def session(self, state: SessionState) -> HowToSession:
        """One that stands where `state` says."""
        return llama_index_thread.HowToSession.resume(state, self._retriever, self._models)

    def answer(self, question: str, history: History = ()) -> Answer:
        """The whole plan."""
        roles = (MessageRole.USER, MessageRole.ASSISTANT)
        said = [ChatMessage(text, role=role) for pair in history for role, text in zip(roles, pair, strict=True)]
        given = self._engine.query(ThreadQuery(question, history=said))
        shown = [layout.render(llama_index_thread.node_to_unit(one.node)) for one in given.source_nodes]
        return answer_of(str(given), shown, given.metadata or {"instructions": ()})
