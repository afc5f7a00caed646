"""The scripted server under the frameworks' real clients: it says what its script says, and fails what differs."""

from __future__ import annotations

import asyncio
import contextlib
import threading

import httpx
import openai
import pytest
from langchain_openai import ChatOpenAI
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

from tests.scripted import Request, ScriptedServer, Usage
from tests.scripted.faults import HELD, RESET_MIDWAY, SERVER_ERROR
from thread_core.ports import Message

pytestmark = pytest.mark.slow

QUESTION = "Which unit fits?"
SCHEMA = {"type": "object", "properties": {"unit": {"type": "integer"}}}
RESPONSE_FORMAT = {"type": "json_schema", "json_schema": {"name": "choice", "schema": SCHEMA}}
ASKED = [ChatMessage(role="user", content=QUESTION)]


def langchain(server: ScriptedServer) -> ChatOpenAI:
    return ChatOpenAI(model="scripted", base_url=server.url, api_key="test", max_retries=0, stream_usage=True)


def llama_index(server: ScriptedServer) -> OpenAILike:
    return OpenAILike(model="scripted", api_base=server.url, api_key="test", is_chat_model=True, max_retries=0)


def test_it_says_what_the_script_says_whole_and_by_the_word(server: ScriptedServer) -> None:
    server.reply("Restart  the agent.\n", usage=Usage(900, 20, cached=640), times=3)
    whole = langchain(server).invoke(QUESTION)
    assert (whole.content, whole.response_metadata["finish_reason"]) == ("Restart  the agent.\n", "stop")
    streamed = list(langchain(server).stream(QUESTION))
    assert [chunk.content for chunk in streamed if chunk.content] == ["Restart ", " ", "the ", "agent.\n"]
    for usage in (whole.usage_metadata, next(chunk.usage_metadata for chunk in streamed if chunk.usage_metadata)):
        assert usage and (usage["input_tokens"], usage["output_tokens"]) == (900, 20)
        assert usage["input_token_details"]["cache_read"] == 640
    assert llama_index(server).chat(ASKED).message.content == "Restart  the agent.\n"


def test_it_remembers_what_it_was_asked(server: ScriptedServer) -> None:
    server.reply("3", times=3)
    langchain(server).invoke([("system", "Choose."), ("user", QUESTION)])
    list(langchain(server).bind(response_format=RESPONSE_FORMAT).stream(QUESTION))
    llama_index(server).chat(ASKED, response_format=RESPONSE_FORMAT)
    plain, streamed, other = server.requests
    assert plain.messages == [Message("system", "Choose."), Message("user", QUESTION)]
    assert [(seen.streamed, seen.wants_usage) for seen in server.requests] == [
        (False, False),
        (True, True),
        (False, False),
    ]
    assert [plain.schema, streamed.schema, other.schema] == [None, SCHEMA, SCHEMA]
    assert "authorization" not in plain.headers and "content-type" in plain.headers


async def test_each_question_gets_its_own_reply_whichever_comes_first(server: ScriptedServer) -> None:
    model = langchain(server)
    questions = [f"Which unit fits, of {number} units?" for number in range(8)]
    server.reply("never", to="Nobody asks this", times=None)
    for question in reversed(questions):
        server.reply(lambda request: request.text.upper(), to=question)
    replies = await asyncio.gather(*(model.ainvoke(question) for question in questions))
    assert [reply.text for reply in replies] == [question.upper() for question in questions]


def test_a_fault_comes_before_the_reply_and_a_stream_may_break_in_its_midst(server: ScriptedServer) -> None:
    server.reply(to=QUESTION, fault=SERVER_ERROR)
    server.reply("one two three four", to=QUESTION, fault=RESET_MIDWAY)
    with pytest.raises(openai.InternalServerError):
        langchain(server).invoke(QUESTION)
    arrived = []
    with pytest.raises(httpx.ReadError):
        for chunk in langchain(server).stream(QUESTION):
            arrived.append(chunk.text)
    assert "".join(arrived) == "one two three "


def test_what_is_not_in_the_script_gets_a_500_and_fails_the_test(socket_enabled: None) -> None:
    def broken(request: Request) -> str:
        raise ValueError("no such document")

    with ScriptedServer() as server:
        server.reply("unit 3", to="Which unit fits")
        server.reply("done", to="What next?", times=2)
        server.reply(broken, to="Which lines?")
        model = langchain(server)
        for question in ("Which unit fits?", "Which unit fits, again?", "Which lines?"):
            with contextlib.suppress(openai.InternalServerError):
                model.invoke(question)
        assert httpx.post(f"{server.url}/embeddings", json={}).status_code == 500
        with pytest.raises(AssertionError) as failed:
            server.finished()
    assert str(failed.value).splitlines() == [
        "the script and the questions differ",
        "never asked for: 'What next?' (2 more)",
        "asked unexpectedly: 'Which unit fits, again?'",
        "the reply to 'Which lines?' could not be made: ValueError('no such document')",
        "asked unexpectedly: /v1/embeddings",
    ]


def test_no_thread_outlives_the_server_and_what_it_held_ends(socket_enabled: None) -> None:
    before = threading.active_count()
    with ScriptedServer() as server:
        server.reply(fault=HELD, times=2)
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{server.url}/chat/completions", json={}, timeout=0.25)
        server.release()
        with pytest.raises(openai.APIConnectionError):
            langchain(server).invoke(QUESTION)
    assert threading.active_count() == before
