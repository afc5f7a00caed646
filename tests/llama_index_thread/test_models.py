"""LlamaIndex's models as the core asks them, of OpenAI's kind and of others."""

from __future__ import annotations

import gc
import json
from typing import Any

import pytest
from llama_index.core import MockEmbedding
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.llms import MockLLM
from llama_index.core.schema import TextNode
from llama_index.llms.openai import base
from llama_index.llms.openai_like import OpenAILike
from openai import OpenAI, Stream

from llama_index_thread import HowToSession, LogicUnitNodeParser, ThreadQueryEngine, ThreadRetriever
from llama_index_thread.models import ChatModel, to_access
from llama_index_thread.prompts import default_prompts
from tests.llama_index_thread.conftest import ScriptedLLM
from tests.scripted.faults import NO_CHOICES, RESET_MIDWAY
from thread_core.errors import BadStore, ModelBusy
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.ports import Message, Reply

ASKED = [
    Message("system", "Be short."),
    Message("user", "Which unit?"),
    Message("assistant", "1"),
    Message("user", "?"),
]
CHOSEN = '{"prerequisites": [{"number": 1, "verdict": "met", "question": ""}], "units": ["1"], "query": []}'
SPOKEN = "Find large files with `du -sh {directory}/*` [1]."
QUESTION = "The disk is full, where are the large files?"
KEY = "sk-key-of-the-tests-0123456789"


def openai(server, **options):
    return OpenAILike(model="small", api_base=server.url, api_key=KEY, max_retries=0, is_chat_model=True, **options)


@pytest.fixture
def no_collection():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("given", ["gpt-4.1-mini", {Role.GENERATOR: None}, OpenAI])
def test_what_is_no_model_is_refused_with_what_to_do(given):
    with pytest.raises(TypeError, match=r"found .+, expected a LlamaIndex LLM"):
        to_access(given)


def test_a_stream_that_is_left_is_closed_at_once(server, no_collection):
    server.reply(SPOKEN)
    stream = ChatModel(openai(server)).stream(ASKED)
    while not next(stream).text:
        pass
    assert len(open_streams()) == 1
    stream.close()
    assert open_streams() == []


@pytest.mark.parametrize("fault", [NO_CHOICES, RESET_MIDWAY])
def test_a_stream_that_breaks_off_is_closed_at_once(server, no_collection, fault):
    server.reply(SPOKEN, fault=fault)
    with pytest.raises(ModelBusy):
        list(ChatModel(openai(server)).stream(ASKED))
    assert open_streams() == []


def open_streams():
    return [one for one in gc.get_objects() if isinstance(one, Stream) and not one.response.is_closed]


async def test_another_kind_of_model_is_asked_too():
    model = ChatModel(ScriptedLLM(replies=["one", "two", "three words here", "three words here"]))

    assert (model.name, model.context_window) == ("scripted", 8000)
    assert model.complete(ASKED) == Reply(text="one")
    assert await model.acomplete(ASKED) == Reply(text="two")
    for said in list(model.stream(ASKED)), [piece async for piece in model.astream(ASKED)]:
        assert "".join(piece.text for piece in said) == "three words here"
        assert [piece.end for piece in said] == [""] * (len(said) - 1) + ["complete"]


def test_a_model_that_is_taken_twice_keeps_its_client(server, monkeypatch):
    made = []

    def client(**options: Any) -> OpenAI:
        made.append(OpenAI(**options))
        return made[-1]

    monkeypatch.setattr(base, "SyncOpenAI", client)
    server.reply("unit 1", times=2)
    model = OpenAILike(model="scripted", api_base=server.url, api_key=KEY, max_retries=0, is_chat_model=True)
    for _ in range(2):
        assert ChatModel(model).complete(ASKED).text == "unit 1"
    assert [request.body["temperature"] for request in server.requests] == [0, 0]
    assert len(made) == 1


def test_access_is_made_of_a_model_of_one_for_each_role_or_taken_as_it_is():
    access = to_access({"selector": ScriptedLLM(replies=[]), Role.GENERATOR: MockLLM()})

    assert (access.name(Role.SELECTOR), access.name(Role.EXTRACTOR)) == ("scripted", None)
    assert to_access(access) is access
    assert ChatModel(MockLLM()).context_window is None
    assert isinstance(to_access(MockLLM()), ModelAccess)
    with pytest.raises(ValueError, match="'chooser' is not a valid Role"):
        to_access({"chooser": MockLLM()})


async def test_another_kind_of_model_serves_parser_engine_and_session(retriever, documents):
    (extraction,) = LogicUnitNodeParser(llm=ScriptedLLM(replies=["no", "no"])).extract(documents[:1])
    assert extraction.report.extractor == "rules"
    assert "the reply holds no JSON object with the fields units" in extraction.report.problems[0]

    text = f"{SPOKEN}\n\nSources:\n[1] disk.md:11-17"
    engine = ThreadQueryEngine(retriever, ScriptedLLM(replies=[CHOSEN, SPOKEN] * 2))
    assert (str(engine.query(QUESTION)), str(await engine.aquery(QUESTION))) == (text, text)

    solved = '{"way": "", "ended": "solved", "words": "humming"}'
    session = HowToSession(retriever, ScriptedLLM(replies=[CHOSEN, solved]))
    session.start(QUESTION)
    assert session.respond("the thing is humming again").usage.calls == 1


async def test_a_streamed_response_is_whole_when_it_has_ended(retriever):
    engine = ThreadQueryEngine(retriever, ScriptedLLM(replies=[CHOSEN, SPOKEN] * 3), streaming=True)
    whole = ThreadQueryEngine(retriever, ScriptedLLM(replies=[CHOSEN, SPOKEN])).query(QUESTION)

    response = engine.query(QUESTION)
    pieces = list(response.response_gen)
    assert pieces[:3] == ["Find", " large", " files"]
    assert "".join(pieces) == whole.response
    assert (response.metadata, response.source_nodes) == (whole.metadata, whole.source_nodes)

    streamed = await engine.aquery(QUESTION)
    assert "".join([piece async for piece in streamed.async_response_gen()]) == whole.response
    assert (streamed.metadata, streamed.source_nodes) == (whole.metadata, whole.source_nodes)

    assert engine.query(QUESTION).get_response() == whole


async def test_a_streamed_response_has_its_sources_before_its_first_word(retriever, events):
    of_all = [CHOSEN, SPOKEN.replace(" [1]", "")]
    engine = ThreadQueryEngine(retriever, ScriptedLLM(replies=of_all * 2), streaming=True)
    whole = ThreadQueryEngine(retriever, ScriptedLLM(replies=of_all)).query(QUESTION)
    events.clear()

    for response in (engine.query(QUESTION), await engine.aquery(QUESTION)):
        assert response.source_nodes == whole.source_nodes
        assert response.metadata == {name: whole.metadata[name] for name in response.metadata}
        assert {"question", "steps", "outcomes", "instructions"} <= response.metadata.keys()
    assert events[:2] == ["QueryStartEvent", "RetrievalStartEvent"]
    assert events.index("QueryEndEvent") > events.index("RetrievalEndEvent")


async def test_a_store_that_fails_fails_a_streamed_query_and_not_its_response(index, store):
    retriever = ThreadRetriever(vector_store=store, embed_model=MockEmbedding(3))
    engine = ThreadQueryEngine(retriever, MockLLM(), streaming=True)

    with pytest.raises(BadStore, match="dimensions"):
        engine.query(QUESTION)
    with pytest.raises(BadStore, match="dimensions"):
        await engine.aquery(QUESTION)


def test_prompts_are_shown_and_replaced(retriever):
    llm = ScriptedLLM(replies=[CHOSEN, SPOKEN])
    engine = ThreadQueryEngine(retriever, llm)
    shown = engine.get_prompts()
    assert {name: shown[name].get_template() for name in shown} == {
        name: template.get_template() for name, template in default_prompts(["follow_up", "select", "answer"]).items()
    }

    engine.update_prompts(
        {"answer": default_prompts(["select"])["select"].from_messages([("system", "Kort."), ("user", "{units}")])}
    )
    engine.query(QUESTION)

    assert "system: Kort.\nuser: Unit [1]:" in llm.prompts[1]
    assert engine.get_prompts()["answer"].get_template() != shown["answer"].get_template()
    with pytest.raises(ValueError, match="found 'answr', expected a prompt: answer, "):
        engine.update_prompts({"answr": shown["answer"]})


async def test_the_models_calls_are_traced(retriever, events):
    expected = ["QueryStartEvent", "RetrievalStartEvent", "LLMChatStartEvent", "LLMChatEndEvent", "QueryEndEvent"]
    heard = LlamaDebugHandler(print_trace_on_end=False)
    llm = MockLLM(callback_manager=CallbackManager([heard]))

    ThreadQueryEngine(retriever, llm).query(QUESTION)

    names = [name for name in events if name in expected or name.startswith("LLMCompletion")]
    assert [names[0], names[-1]] == ["QueryStartEvent", "QueryEndEvent"]
    assert "RetrievalStartEvent" in names
    assert any(name.startswith("LLM") for name in names)
    assert len(heard.get_event_pairs(CBEventType.LLM)) >= 2


def test_a_stock_retriever_serves_an_engine_with_a_model_too(index):
    index.insert_nodes([TextNode(id_="chunk", text=QUESTION)])

    response = ThreadQueryEngine(index.as_retriever(similarity_top_k=3), ScriptedLLM(replies=[CHOSEN, SPOKEN])).query(
        QUESTION
    )

    assert response.response.startswith(SPOKEN)
    assert [one.node.node_id for one in response.source_nodes] == [
        step["unit_id"] for step in response.metadata["steps"]
    ]


# -- the parser as LlamaIndex keeps it -------------------------------------------------------------------------------


def test_a_pipelines_cache_tells_models_and_prompts_apart(documents):
    own = {"extract": default_prompts(["answer"])["answer"].from_messages([("user", "Divide: {lines}")])}

    def divided(cache, **fields):
        llm = ScriptedLLM(replies=["no"] * 4)
        parser = LogicUnitNodeParser(llm=llm, **fields)
        pipeline = IngestionPipeline(transformations=[parser], cache=cache)
        nodes = pipeline.run(documents=documents[:1])
        return pipeline.cache, len(llm.prompts), [node.node_id for node in nodes]

    cache, asked, nodes = divided(None)
    assert asked == 2
    assert divided(cache) == (cache, 0, nodes)
    for fields in ({"prompts": own}, {"domain": "Printers."}, {"reformulate": True}):
        assert divided(cache, **fields)[1] > 0
        assert divided(cache, **fields)[1] == 0


def test_a_dump_holds_the_models_name_and_no_key(server, documents):
    server.reply("no", times=2)
    parser = LogicUnitNodeParser(llm=openai(server), domain="Disks.")
    parser.get_nodes_from_documents(documents[:1])

    dumps = [parser.to_json(), json.dumps(parser.to_dict()), parser.model_dump_json(), repr(parser), str(parser)]

    assert [KEY in dump for dump in dumps] == [False] * 5
    with pytest.raises(ValueError, match="found 'divide', expected a prompt") as refused:
        LogicUnitNodeParser(llm=openai(server), prompts={"divide": default_prompts()["extract"]})
    assert "OpenAILike" not in str(refused.value)
    assert parser.to_dict()["extractor"].startswith("small ")
    with pytest.raises(ValueError, match="this parser was dumped with the model small; pass it again: llm="):
        LogicUnitNodeParser.from_dict(parser.to_dict())
    loaded = LogicUnitNodeParser.from_dict(parser.to_dict(), llm=openai(server))
    assert (loaded.extractor, loaded.domain) == (parser.extractor, "Disks.")
