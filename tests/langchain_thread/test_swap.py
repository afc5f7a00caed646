"""Changing the splitter (and wrapping the embedding) is all that an existing pipeline has to do."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompt_values import PromptValue
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.tools import create_retriever_tool

from langchain_thread import (
    DefaultEmbeddings,
    HeaderEmbeddings,
    HowToSession,
    LogicUnitTextSplitter,
    ThreadRetriever,
)
from thread_core import layout

PROMPT = ChatPromptTemplate.from_template("Answer from:\n{context}\n\nQuestion: {question}")


def format_documents(documents: list[Document]) -> str:
    return "\n\n".join(document.page_content for document in documents)


def test_an_existing_stuff_chain_sees_whole_units_and_no_bookkeeping(store: Chroma, units: list[Document]) -> None:
    seen: list[str] = []

    def note(prompt: PromptValue) -> PromptValue:
        seen.append(prompt.to_string())
        return prompt

    model = GenericFakeChatModel(messages=iter([AIMessage("Ping it.")]))
    retriever = store.as_retriever(search_kwargs={"k": 1})
    context = {"context": retriever | format_documents, "question": RunnablePassthrough()}
    chain = context | PROMPT | RunnableLambda(note) | model | StrOutputParser()

    assert chain.invoke("Ping the agent with agent ping, agent 2.3 and later") == "Ping it."
    assert units[0].page_content in seen[0]
    shown = ("Logic unit: The agent", "Prerequisite: Agent 2.3", "restart it with `agent restart`", "[CROSS] If the")
    assert [part for part in shown if part not in seen[0]] == []
    assert not re.search(r"lu_|layout|[0-9a-f]{32}|{", seen[0])


def test_langchains_own_index_may_give_the_rows_other_ids(
    make_store: Callable[..., Chroma], units: list[Document]
) -> None:
    store, records = make_store([]), InMemoryRecordManager("guides")
    options: dict[str, Any] = {"cleanup": "scoped_full", "source_id_key": "source", "key_encoder": "sha256"}
    assert index(units, records, store, **options)["num_added"] == len(units)
    assert index(units, records, store, **options)["num_skipped"] == len(units)
    found = ThreadRetriever(vectorstore=store).invoke("Disk full")
    assert found[0].metadata[layout.HEADER] == units[2].metadata[layout.HEADER]
    assert found[0].id in store.get()["ids"]
    assert HowToSession(ThreadRetriever(vectorstore=store)).start("Disk full").unit_ids == (found[0].id,)


def test_a_retriever_tool_shows_whole_units(store: Chroma, units: list[Document]) -> None:
    tool = create_retriever_tool(store.as_retriever(search_kwargs={"k": 1}), "guides", "Searches the guides.")
    assert tool.invoke({"query": "Disk full"}) == units[2].page_content


def test_chunks_and_units_may_share_a_collection(make_store: Callable[..., Chroma], units: list[Document]) -> None:
    chunk = Document("Lunch is served at noon.", metadata={"source": "menu.md"}, id="chunk")
    store = make_store([*units, chunk], HeaderEmbeddings(DefaultEmbeddings()))
    assert store.similarity_search("When is lunch?", k=1) == [chunk]


def test_beside_chunks_another_retriever_is_kept_to_units(make_store: Callable[..., Chroma]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "rerankers.md").read_text("utf-8")
    [other] = re.findall(r"`other = (.*?)`", page)
    unit = LogicUnitTextSplitter().split_documents([Document("# Lunch\n\nIt is served at noon.", id="lunch.md")])
    store = make_store([*unit, Document("Lunch is served at noon.", id="chunk")])
    assert [one.metadata["lu_place"] for one in eval(other, {"store": store}).invoke("lunch")] == [
        unit[0].metadata["lu_place"]
    ]
