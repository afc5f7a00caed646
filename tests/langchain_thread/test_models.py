"""LangChain's chat models as the core asks them, of OpenAI's kind and of others."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.chat_models import init_chat_model
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel, FakeListLLM, GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_openai import ChatOpenAI

from langchain_thread import HowToSession, LogicUnitTextSplitter, ThreadRetriever, create_howto_chain
from langchain_thread.models import ChatModel, to_access
from tests.scripted import ScriptedServer
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.ports import Message, Reply

ASKED = [
    Message("system", "Be short."),
    Message("user", "Which unit?"),
    Message("assistant", "1"),
    Message("user", "?"),
]
CHOSEN = '{"prerequisites": [], "units": ["1"], "query": []}'
SPOKEN = "Ping the agent with `agent ping`; if it does not answer, run `agent restart` [1]."


def saying(*texts: str, **metadata: Any) -> GenericFakeChatModel:
    return GenericFakeChatModel(messages=iter(AIMessage(text, response_metadata=metadata) for text in texts))


async def test_another_kind_of_model_is_asked_too() -> None:
    model = ChatModel(saying("one", "two", "three words here", "three words here"))
    assert (model.name, model.context_window) == ("GenericFakeChatModel", None)
    assert model.complete(ASKED) == Reply(text="one")
    assert await model.acomplete(ASKED) == Reply(text="two")
    pieces = [list(model.stream(ASKED)), [piece async for piece in model.astream(ASKED)]]
    for said in pieces:
        assert "".join(piece.text for piece in said) == "three words here"
        assert [piece.end for piece in said] == [""] * (len(said) - 1) + ["complete"]


@pytest.mark.parametrize(
    ("metadata", "end"),
    [
        ({}, "complete"),
        ({"finish_reason": "stop"}, "complete"),
        ({"stop_reason": "end_turn"}, "complete"),
        ({"finish_reason": "length"}, "length"),
        ({"stop_reason": "max_tokens"}, "length"),
        ({"finish_reason": "SAFETY"}, "refused"),
        ({"stop_reason": "refusal"}, "refused"),
    ],
)
def test_a_reply_says_how_it_ended(metadata: dict[str, Any], end: str) -> None:
    assert ChatModel(saying("Look.", **metadata)).complete(ASKED).end == end


def test_usage_is_what_the_model_counted() -> None:
    counted = {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11, "input_token_details": {"cache_read": 4}}
    model = GenericFakeChatModel(messages=iter([AIMessage("Look.", usage_metadata=counted)]))
    usage = ChatModel(model).complete(ASKED).usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) == (9, 2, 4)


def test_access_is_made_of_a_model_of_one_for_each_role_or_taken_as_it_is() -> None:
    small, large = FakeListChatModel(responses=["1"]), FakeListChatModel(responses=["2"])
    access = to_access({"selector": small, "generator": large})
    assert access.name(Role.SELECTOR) == access.name(Role.GENERATOR) == "FakeListChatModel"
    assert access.name(Role.EXTRACTOR) is None
    assert to_access(access) is access
    assert isinstance(to_access(small), ModelAccess)
    with pytest.raises(ValueError, match="'chooser' is not a valid Role"):
        to_access({"chooser": small})


ASKING = ChatPromptTemplate.from_template("{question}")


@pytest.mark.parametrize(
    "given",
    [
        "gpt-4.1-mini",
        None,
        FakeListLLM(responses=["1"]),
        ChatOpenAI,
        ASKING,
        ASKING.with_retry(),
        FakeListChatModel(responses=["1"]) | StrOutputParser(),
    ],
)
def test_what_is_no_chat_model_is_refused_with_what_to_do(given: Any, store: Chroma) -> None:
    retriever = ThreadRetriever(vectorstore=store)
    for models in (given, {Role.GENERATOR: given}):
        if models is not None:
            with pytest.raises(TypeError, match=r"found .+, expected a chat model"):
                create_howto_chain(retriever, models)


def test_replies_are_kept_under_the_name_of_the_model_itself() -> None:
    small, large = (ChatOpenAI(model=name, api_key="test") for name in ("small", "large"))
    around = [small.bind(stop=["."]), small.with_retry(), small.with_fallbacks([large]), small.bind().with_retry()]
    assert [ChatModel(model).name for model in around] == ["small"] * 4
    assert ChatModel(FakeListChatModel(responses=["1"]).with_retry()).name == "FakeListChatModel"


@pytest.mark.parametrize("chosen", ["small", "large"])
async def test_a_model_may_be_chosen_at_each_call(chosen: str, store: Chroma, server: ScriptedServer) -> None:
    options: Any = {"base_url": server.url, "api_key": "test", "max_retries": 0}
    small, large = (ChatOpenAI(model=name, **options) for name in ("small", "large"))
    which: Any = ConfigurableField(id="model")
    config: Any = {"configurable": {"model": chosen}}
    ways = [
        (init_chat_model("small", model_provider="openai", configurable_fields=("model",), **options), config),
        (small.configurable_fields(model_name=which), config),
        (small.configurable_alternatives(which, default_key="small", large=large), config),
        (small.configurable_fields(model_name=which).with_config(config).with_retry(), None),
    ]
    for model, given in ways:
        server.forget()
        server.reply(CHOSEN, to="You choose", times=2)
        server.reply(SPOKEN, times=2)
        chain = create_howto_chain(ThreadRetriever(vectorstore=store), model)
        said = chain.invoke({"question": "Agent 2.4 is silent"}, given)
        assert (said["model"], said["answer"].startswith(SPOKEN)) == (chosen, True)
        assert await chain.ainvoke({"question": "Agent 2.4 is silent"}, given) == said
        assert {request.body["model"] for request in server.requests} == {chosen}


def test_another_kind_of_model_serves_splitter_chain_and_session(store: Chroma, guides: list[Document]) -> None:
    (extraction,) = LogicUnitTextSplitter(llm=saying("no", "no")).extract(guides[:1])
    assert extraction.report.extractor == "rules"
    assert "the reply holds no JSON object with the fields units" in extraction.report.problems[0]
    retriever = ThreadRetriever(vectorstore=store)
    inputs = {"question": "The agent is silent", "chat_history": ["We run agent 2.4"]}
    said = create_howto_chain(retriever, saying(CHOSEN, SPOKEN)).invoke(inputs)
    assert said["answer"] == f"{SPOKEN}\n\nSources:\n[1] agent.md:5-6"
    session = HowToSession(retriever, saying(CHOSEN, '{"way": "", "ended": "solved", "words": "humming"}'))
    session.start("Agent 2.4 is silent")
    assert session.respond("the thing is humming again").usage.calls == 1


async def test_the_trace_has_the_models_calls_and_the_retrievers(store: Chroma) -> None:
    chain = create_howto_chain(ThreadRetriever(vectorstore=store), saying(CHOSEN, SPOKEN))
    inputs = {"question": "Agent 2.4 is silent"}
    events = [event async for event in chain.astream_events(inputs)]
    whole = events[0]["run_id"]
    for kind, times in (("on_retriever_start", 1), ("on_chat_model_start", 2), ("on_chat_model_end", 2)):
        found = [event for event in events if event["event"] == kind]
        assert len(found) == times
        assert all(whole in event["parent_ids"] for event in found)


async def test_a_plain_retriever_serves_a_chain_with_a_model_too(store: Chroma, units: list[Document]) -> None:
    chain = create_howto_chain(store.as_retriever(search_kwargs={"k": 3}), saying(*[CHOSEN, SPOKEN] * 2))
    inputs = {"question": "The agent is silent", "chat_history": ["We run agent 2.4"]}
    said = chain.invoke(inputs)
    assert (len(said["context"]), said["model"]) == (1, "GenericFakeChatModel")
    assert said["context"][0].id in {unit.id for unit in units}
    assert await chain.ainvoke(inputs) == said
    chunks = RunnableLambda(lambda question: [Document("Lunch is at noon.")])
    nothing = '{"prerequisites": [], "units": [], "query": []}'
    said = create_howto_chain(chunks, saying(nothing)).invoke({"question": "Lunch?"})
    assert said["answer"].startswith("No logic unit fits this question.")
    assert said["context"] == []
