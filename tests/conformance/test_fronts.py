"""What every front of both adapters is made of, and the terms that all of them explain."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document as LangChainDocument
from langchain_core.prompts import PromptTemplate as LangChainTemplate
from langchain_core.vectorstores import InMemoryVectorStore
from llama_index.core import VectorStoreIndex
from llama_index.core.prompts import PromptTemplate as LlamaIndexTemplate
from llama_index.core.schema import Document as LlamaIndexDocument

import langchain_thread
import llama_index_thread
from tests.conformance.modelled import ANSWERING, ASYNC, SYNC, LangChain, LlamaIndex
from thread_core.errors import full_name
from thread_core.walk.states import Status

TEXTS = {
    "link.md": "# Link down\n\n**Prerequisites**\n\n- The MTU is known.\n\n## Look\n\nRun `ip link`.\n",
    "terms.md": "# Glossary\n\nMTU: the largest packet that a link carries.\n\nBGP: a protocol.\n",
}
QUESTION = "The link is down"
EXPLAINED = "MTU: the largest packet that a link carries"
Front = Callable[..., Any]
LANGCHAIN: tuple[Front, ...] = (
    langchain_thread.HowToSession,
    langchain_thread.create_howto_graph,
    langchain_thread.create_howto_tool,
)
LLAMA_INDEX: tuple[Front, ...] = (
    llama_index_thread.HowToSession,
    llama_index_thread.HowToWorkflow,
    llama_index_thread.ThreadChatEngine,
    llama_index_thread.create_howto_tool,
)


@pytest.fixture(scope="module")
def langchain() -> LangChain:
    return LangChain(TEXTS)


@pytest.fixture(scope="module")
def llama_index() -> LlamaIndex:
    return LlamaIndex(TEXTS)


def test_another_retriever_is_refused_by_its_full_name(langchain: LangChain, llama_index: LlamaIndex) -> None:
    ours = {LANGCHAIN: langchain.retriever, LLAMA_INDEX: llama_index.retriever}
    others = {LANGCHAIN: langchain.store.as_retriever(), LLAMA_INDEX: llama_index.index}
    speaking = {LANGCHAIN: langchain_thread.create_howto_chain, LLAMA_INDEX: llama_index_thread.ThreadQueryEngine}
    for mine, theirs in ((LANGCHAIN, LLAMA_INDEX), (LLAMA_INDEX, LANGCHAIN)):
        needed = f"{full_name(type(ours[mine]))}"
        for front in mine:
            for given in (others[mine], ours[theirs]):
                told = f"found {full_name(type(given))}, expected a {needed}"
                with pytest.raises(TypeError, match=re.escape(told)):
                    front(given)
        told = rf"found {full_name(type(ours[theirs]))}, expected a .* retriever; make one with {needed}\("
        with pytest.raises(TypeError, match=told):
            speaking[mine](ours[theirs])


def test_documents_and_parts_of_the_other_framework_are_refused_by_their_full_names(
    langchain: LangChain, llama_index: LlamaIndex
) -> None:
    splitter, parser = langchain_thread.LogicUnitTextSplitter(), llama_index_thread.LogicUnitNodeParser()
    into: dict[str, Any] = {"index": llama_index.index, "embed_model": llama_index_thread.DefaultEmbedding()}
    with pytest.raises(TypeError, match=rf"found {full_name(type(parser))} as splitter="):
        langchain_thread.ThreadIngest(langchain.store, splitter=parser)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=rf"found {full_name(type(splitter))} as node_parser="):
        llama_index_thread.ThreadIngest(**into, node_parser=splitter)
    with pytest.raises(TypeError, match=r"found a llama_index\.\S+Document, expected"):
        splitter.split_documents([LlamaIndexDocument(text="# A")])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"found a langchain_core\.\S+Document, expected"):
        llama_index_thread.ThreadIngest(**into).run([LangChainDocument("# A")])  # type: ignore[list-item]


@pytest.mark.parametrize("question", [" ", "更换灯泡"])
def test_the_frameworks_own_searches_divide_by_no_zero(question: str) -> None:
    guide = "# Change the bulb\n\nTurn off the light."
    in_memory = InMemoryVectorStore(langchain_thread.DefaultEmbeddings())
    langchain_thread.ThreadIngest(in_memory).run([LangChainDocument(guide, id="bulb.md")])
    index = VectorStoreIndex([], embed_model=llama_index_thread.DefaultEmbedding())
    into = llama_index_thread.ThreadIngest(index, embed_model=llama_index_thread.DefaultEmbedding())
    into.run([LlamaIndexDocument(id_="bulb.md", text=guide)])
    ((_, one),) = in_memory.similarity_search_with_score(question)
    (other,) = index.as_retriever().retrieve(question)
    assert one == pytest.approx(other.score, abs=1e-6) and abs(one) < 1


def test_a_prompt_of_another_name_is_refused_at_once(langchain: LangChain, llama_index: LlamaIndex) -> None:
    retrievers: tuple[Any, Any] = (langchain.retriever, llama_index.retriever)
    templates = (LangChainTemplate.from_template("?"), LlamaIndexTemplate("?"))
    for fronts, retriever, template in zip((LANGCHAIN, LLAMA_INDEX), retrievers, templates, strict=True):
        for front in fronts:
            with pytest.raises(ValueError, match="found 'no such', expected a prompt"):
                front(retriever, prompts={"no such": template})


def test_terms_from_another_documents_glossary_are_told_below_the_steps(
    langchain: LangChain, llama_index: LlamaIndex
) -> None:
    ways = [(langchain, way) for way in ANSWERING] + [(llama_index, way) for way in (SYNC, ASYNC)]
    for adapter, way in ways:
        said = adapter.answer(None, QUESTION, way)
        assert said.text.endswith(f"\n\nTerms:\n- {EXPLAINED} [terms.md:3]")
        assert len(said.beside["steps"]) == 1


def test_terms_are_shown_in_a_walk(langchain: LangChain, llama_index: LlamaIndex) -> None:
    for adapter in (langchain, llama_index):
        turn = adapter.session(None).start(QUESTION)
        assert turn.status is Status.AWAITING
        assert f"\nTerm: {EXPLAINED}\n" in turn.text
        assert ("terms.md", 3) in [(cited.document_id, cited.start) for cited in turn.citations]
