"""What both adapters do with a model behind HTTP, under the same names: extract, answer, walk."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from langchain_chroma import Chroma
from langchain_core.documents import Document as LangChainDocument
from langchain_core.runnables import AddableDict
from langchain_openai import ChatOpenAI
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.schema import QueryBundle
from llama_index.llms.openai_like import OpenAILike
from llama_index.vector_stores.chroma import ChromaVectorStore

import langchain_thread
import langchain_thread.models
import llama_index_thread
import llama_index_thread.models
from langchain_thread.convert import to_unit
from llama_index_thread.convert import from_node
from tests.conformance.conftest import COSINE, client, name
from thread_core import Extraction, LogicUnit
from thread_core.llm.access import ModelAccess
from thread_core.walk.memory import StepMemory
from thread_core.walk.session import HowToSession

PATIENT = 30.0
"""Seconds that a client waits for an answer, where nothing is held back."""
KEY = "sk-key-of-the-tests-0123456789"

SYNC, ASYNC, STREAMED, STREAMED_ASYNC = "sync", "async", "streamed", "streamed async"
EXTRACTING = (SYNC, ASYNC)
ANSWERING = (SYNC, ASYNC, STREAMED, STREAMED_ASYNC)


@dataclass(frozen=True)
class Said:
    """An answer, with what came beside it."""

    text: str
    beside: Mapping[str, Any]
    """`question`, `steps`, `instructions`; with a model `outcomes`, `questions`, `warnings`, `model`, `usage` too."""
    sources: tuple[str, ...]
    """The ids of the documents or nodes."""


class Modelled(Protocol):
    """An adapter over a store of logic units, with a real client."""

    kept_apart_by: str
    """The client's option for what is sent besides."""

    def client(self, url: str, *, timeout: float = PATIENT, model: str = "scripted", **options: Any) -> Any:
        """The framework's client of a service at `url`."""

    def access(self, llm: Any, **options: Any) -> ModelAccess:
        """The adapter's `to_access`."""

    def extract(self, llm: Any, texts: Mapping[str, str], way: str = SYNC, **options: Any) -> list[Extraction]:
        """The extraction of each document."""

    def units(self, llm: Any, texts: Mapping[str, str], way: str = SYNC, **options: Any) -> list[LogicUnit]:
        """What goes into a store, read back as units."""

    def answer(
        self,
        llm: Any,
        question: str,
        way: str = SYNC,
        prompts: Mapping[str, Any] | None = None,
        history: Sequence[tuple[str, str]] = (),
        memory: StepMemory | None = None,
    ) -> Said:
        """The answer of chain or query engine, after a conversation of (role, text) pairs."""

    def session(self, llm: Any, prompts: Mapping[str, Any] | None = None) -> HowToSession:
        """A walk."""

    def template(self, system: str, user: str) -> Any:
        """A prompt as the framework's user writes it, with `{fields}`."""


class LangChain:
    kept_apart_by = "extra_body"

    def __init__(self, texts: Mapping[str, str]) -> None:
        units = langchain_thread.LogicUnitTextSplitter().split_documents(self._documents(texts))
        embeddings = langchain_thread.HeaderEmbeddings(langchain_thread.DefaultEmbeddings())
        self.store = Chroma.from_documents(
            units, embeddings, client=client(), collection_name=name(), collection_configuration=COSINE
        )
        self.retriever = langchain_thread.ThreadRetriever(vectorstore=self.store)

    def client(self, url: str, *, timeout: float = PATIENT, model: str = "scripted", **options: Any) -> ChatOpenAI:
        return ChatOpenAI(model=model, base_url=url, api_key=KEY, max_retries=0, timeout=timeout, **options)

    def access(self, llm: Any, **options: Any) -> ModelAccess:
        return langchain_thread.models.to_access(llm, **options)

    def extract(self, llm: Any, texts: Mapping[str, str], way: str = SYNC, **options: Any) -> list[Extraction]:
        splitter = langchain_thread.LogicUnitTextSplitter(llm=llm, **options)
        if way == SYNC:
            return splitter.extract(self._documents(texts))
        return asyncio.run(splitter.aextract(self._documents(texts)))

    def units(self, llm: Any, texts: Mapping[str, str], way: str = SYNC, **options: Any) -> list[LogicUnit]:
        splitter = langchain_thread.LogicUnitTextSplitter(llm=llm, **options)
        documents: Sequence[LangChainDocument] = self._documents(texts)
        if way == SYNC:
            return [to_unit(unit) for unit in splitter.split_documents(documents)]
        return [to_unit(unit) for unit in asyncio.run(splitter.atransform_documents(documents))]

    def answer(
        self,
        llm: Any,
        question: str,
        way: str = SYNC,
        prompts: Mapping[str, Any] | None = None,
        history: Sequence[tuple[str, str]] = (),
        memory: StepMemory | None = None,
    ) -> Said:
        chain = langchain_thread.create_howto_chain(self.retriever, llm, memory=memory, prompts=prompts)
        inputs = {"question": question, "chat_history": list(history)}

        async def collect() -> list[Any]:
            return [piece async for piece in chain.astream(inputs)]

        if way == SYNC:
            whole = chain.invoke(inputs)
        elif way == ASYNC:
            whole = asyncio.run(chain.ainvoke(inputs))
        else:
            pieces = list(chain.stream(inputs)) if way == STREAMED else asyncio.run(collect())
            whole = AddableDict()
            for piece in pieces:
                whole += piece
        beside = {key: value for key, value in whole.items() if key not in ("answer", "context")}
        return Said(whole["answer"], beside, tuple(str(document.id) for document in whole["context"]))

    def session(self, llm: Any, prompts: Mapping[str, Any] | None = None) -> HowToSession:
        return langchain_thread.HowToSession(self.retriever, llm, prompts=prompts)

    def template(self, system: str, user: str) -> Any:
        from langchain_core.prompts import ChatPromptTemplate

        return ChatPromptTemplate.from_messages([("system", system), ("human", user)])

    def _documents(self, texts: Mapping[str, str]) -> list[LangChainDocument]:
        return [LangChainDocument(text, id=path) for path, text in texts.items()]


class LlamaIndex:
    kept_apart_by = "additional_kwargs"

    def __init__(self, texts: Mapping[str, str]) -> None:
        nodes = llama_index_thread.LogicUnitNodeParser().get_nodes_from_documents(self._documents(texts))
        embedding = llama_index_thread.DefaultEmbedding()
        collection = client().create_collection(name(), configuration=COSINE)
        context = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
        self.index = VectorStoreIndex(nodes, embed_model=embedding, storage_context=context)
        self.retriever = llama_index_thread.ThreadRetriever(index=self.index, embed_model=embedding)

    def client(self, url: str, *, timeout: float = PATIENT, model: str = "scripted", **options: Any) -> OpenAILike:
        return OpenAILike(
            model=model, api_base=url, api_key=KEY, max_retries=0, timeout=timeout, is_chat_model=True, **options
        )

    def access(self, llm: Any, **options: Any) -> ModelAccess:
        return llama_index_thread.models.to_access(llm, **options)

    def extract(self, llm: Any, texts: Mapping[str, str], way: str = SYNC, **options: Any) -> list[Extraction]:
        parser = llama_index_thread.LogicUnitNodeParser(llm=llm, **options)
        if way == SYNC:
            return parser.extract(self._documents(texts))
        return asyncio.run(parser.aextract(self._documents(texts)))

    def units(self, llm: Any, texts: Mapping[str, str], way: str = SYNC, **options: Any) -> list[LogicUnit]:
        parser = llama_index_thread.LogicUnitNodeParser(llm=llm, **options)
        if way == SYNC:
            return [from_node(node) for node in parser.get_nodes_from_documents(self._documents(texts))]
        return [from_node(node) for node in asyncio.run(parser.aget_nodes_from_documents(self._documents(texts)))]

    def answer(
        self,
        llm: Any,
        question: str,
        way: str = SYNC,
        prompts: Mapping[str, Any] | None = None,
        history: Sequence[tuple[str, str]] = (),
        memory: StepMemory | None = None,
    ) -> Said:
        engine = llama_index_thread.ThreadQueryEngine(
            self.retriever, llm, memory=memory, streaming=way in (STREAMED, STREAMED_ASYNC)
        )
        engine.update_prompts(dict(prompts or {}))
        said = [ChatMessage(text, role=MessageRole(role)) for role, text in history]
        query = llama_index_thread.ThreadQuery(question, history=said) if said else QueryBundle(question)

        async def collect() -> tuple[str, Any]:
            response = await engine.aquery(query)
            return "".join([piece async for piece in response.async_response_gen()]), response  # type: ignore[union-attr]

        if way == STREAMED_ASYNC:
            text, response = asyncio.run(collect())
        elif way == STREAMED:
            response = engine.query(query)
            text = "".join(response.response_gen)  # type: ignore[union-attr]
        else:
            response = engine.query(query) if way == SYNC else asyncio.run(engine.aquery(query))
            text = str(response)
        return Said(text, response.metadata or {}, tuple(found.node.node_id for found in response.source_nodes))

    def session(self, llm: Any, prompts: Mapping[str, Any] | None = None) -> HowToSession:
        return llama_index_thread.HowToSession(self.retriever, llm, prompts=prompts)

    def template(self, system: str, user: str) -> Any:
        from llama_index.core.prompts import ChatPromptTemplate

        return ChatPromptTemplate([ChatMessage(system, role="system"), ChatMessage(user, role="user")])

    def _documents(self, texts: Mapping[str, str]) -> list[Any]:
        return [LlamaIndexDocument(id_=path, text=text) for path, text in texts.items()]
