"""Documents written anew as in the paper, by the real clients of both frameworks over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document as LangChainDocument
from langchain_openai import ChatOpenAI
from llama_index.core.schema import Document as LlamaIndexDocument
from llama_index.llms.openai_like import OpenAILike

from langchain_thread import LogicUnitTextSplitter
from langchain_thread.convert import to_document, to_unit
from llama_index_thread import LogicUnitNodeParser
from llama_index_thread.convert import from_node
from tests.scripted import ScriptedServer, Usage
from thread_core import Document, Extraction
from thread_core.extraction.extractor import LLMExtractor
from thread_core.testing.model import ScriptedModel

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
REPLIES = Path(__file__).parents[1] / "replies" / "paper"
NAMES = ["queue-backlog", "collect-diagnostics"]
WRITE, REFINE = "You write a how-to document anew", "You compare a document with a draft"

Extract = Callable[[ScriptedServer, str, str], Any]


def langchain(server: ScriptedServer) -> LogicUnitTextSplitter:
    llm = ChatOpenAI(model="scripted", base_url=server.url, api_key="test", max_retries=0)
    return LogicUnitTextSplitter(llm=llm, reformulate=True)


def llama_index(server: ScriptedServer) -> LogicUnitNodeParser:
    llm = OpenAILike(
        model="scripted", api_base=server.url, api_key="test", is_chat_model=True, context_window=32_000, max_retries=0
    )
    return LogicUnitNodeParser(llm=llm, reformulate=True)


async def langchain_sync(server: ScriptedServer, name: str, text: str) -> Extraction:
    return langchain(server).extract([LangChainDocument(text, metadata={"source": name})])[0]


async def langchain_async(server: ScriptedServer, name: str, text: str) -> Extraction:
    return (await langchain(server).aextract([LangChainDocument(text, metadata={"source": name})]))[0]


async def llama_index_sync(server: ScriptedServer, name: str, text: str) -> Extraction:
    return llama_index(server).extract([LlamaIndexDocument(text=text, id_=name)])[0]


async def llama_index_async(server: ScriptedServer, name: str, text: str) -> Extraction:
    return (await llama_index(server).aextract([LlamaIndexDocument(text=text, id_=name)]))[0]


each_way = pytest.mark.parametrize("extract", [langchain_sync, langchain_async, llama_index_sync, llama_index_async])


def script(name: str) -> tuple[str, str]:
    draft, refined = (
        (REPLIES / f"{name}.{stage}.md").read_text(encoding="utf-8") for stage in ("reformulate", "refine")
    )
    return draft, refined


def text_of(name: str) -> str:
    return (EXAMPLES / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.slow
@each_way
@pytest.mark.parametrize("name", NAMES)
async def test_units_are_those_of_the_core(server: ScriptedServer, extract: Extract, name: str) -> None:
    draft, refined = script(name)
    server.reply(draft, to=WRITE, usage=Usage(prompt=1000, completion=500))
    server.reply(refined, to=REFINE, usage=Usage(prompt=1500, completion=10))
    extraction = await extract(server, f"{name}.md", text_of(name))
    model = ScriptedModel(("", draft), ("", refined))
    expected = LLMExtractor(model, reformulate=True).extract(Document(f"{name}.md", text_of(name)))
    made = [unit.model_copy(update={"metadata": {}}) for unit in extraction.units]
    assert (made, extraction.report.extractor) == (list(expected.units), "paper")
    usage = extraction.report.usage
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (2, 2500, 510)


@pytest.mark.slow
@each_way
async def test_a_model_that_keeps_what_it_invented_is_not_believed(server: ScriptedServer, extract: Extract) -> None:
    inventive, _ = script("queue-backlog")
    server.reply(inventive, to=WRITE)
    server.reply(inventive, to=REFINE, times=None)
    extraction = await extract(server, "queue-backlog.md", text_of("queue-backlog"))
    assert extraction.report.extractor == "rules"
    assert "lumenctl queue watch <queue> --minutes 15" in extraction.report.problems[0]
    assert not any("--minutes 15" in unit.body for unit in extraction.units)


def test_rows_of_both_frameworks_say_that_a_body_was_rewritten(server: ScriptedServer) -> None:
    draft, refined = script("collect-diagnostics")
    server.reply(draft, to=WRITE, times=2)
    server.reply(refined, to=REFINE, times=2)
    text = text_of("collect-diagnostics")
    rows = langchain(server).split_documents([LangChainDocument(text, metadata={"source": "collect-diagnostics.md"})])
    nodes = llama_index(server).get_nodes_from_documents([LlamaIndexDocument(text=text, id_="collect-diagnostics.md")])
    assert [to_unit(row).rewritten for row in rows] == [from_node(node).rewritten for node in nodes] == [True] * 7
    assert to_document(to_unit(rows[1])).page_content == rows[1].page_content
    assert to_unit(rows[1]).body == from_node(nodes[1]).body
