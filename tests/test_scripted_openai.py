"""The scripted server under the frameworks' real clients, and what those make of each fault."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import operator
import threading
from collections.abc import Awaitable, Callable, Iterator
from functools import reduce
from typing import Any

import httpx
import openai
import pytest
from langchain_core.exceptions import (
    ContextOverflowError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelError,
    ModelNotFoundError,
    ModelRateLimitError,
    ModelTimeoutError,
)
from langchain_openai import ChatOpenAI
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

from tests.scripted import (
    CONTEXT_TOO_LONG,
    FAULTS,
    HELD,
    MODEL_NOT_FOUND,
    REFUSED,
    RESET,
    RESET_MIDWAY,
    SERVER_ERROR,
    UNAUTHORIZED,
    UNAVAILABLE,
    Fault,
    Request,
    ScriptedServer,
    Usage,
    rate_limited,
)
from thread_core.ports import Message

pytestmark = pytest.mark.slow

QUESTION = "Which unit fits?"
REPLY = '{"unit": 3}'
SCHEMA = {"type": "object", "properties": {"unit": {"type": "integer"}}}
RESPONSE_FORMAT = {"type": "json_schema", "json_schema": {"name": "choice", "schema": SCHEMA}}
PATIENT = 30.0
HASTY = 0.25

# What the clients make of each fault, without retries: an exception with its HTTP status, or a text with its finish
# reason. Sync and async are alike. What raises nothing must be noticed by whoever reads the reply.
#
# - The HTTP status is `error.status_code`, the code in the body `error.code`, and the time to wait is in
#   `error.response.headers`. Connection errors, timeouts and the plain APIError have none of these.
# - LangChain's errors are OpenAI's too, and those of langchain_core.exceptions, whatever the provider.
# - No openai.APIError: what an odd body raises (TypeError, ValueError, LookupError, AttributeError, AssertionError);
#   and under openai 2 the httpx.TransportError of a stream that breaks (openai 3 makes it an APIConnectionError).
# - With a `response_format` LangChain takes the path of OpenAI's own parser, where a reply that is cut or filtered is
#   an OpenAIError that is no APIError either.
LANGCHAIN = r"""
fault                           | invoke                                  | stream
none                            | '{"unit": 3}' stop                      | '{"unit": 3}' stop
not JSON                        | 'I would rather tell it in words.' stop | 'I would rather tell it in words.' stop
fenced                          | '```json\n{"unit": 3}\n```' stop        | '```json\n{"unit": 3}\n```' stop
prose around                    | 'Sure:\n\n{"unit": 3}\n\nDone.' stop    | 'Sure:\n\n{"unit": 3}\n\nDone.' stop
empty                           | '' stop                                 | '' stop
truncated                       | '{"uni' length                          | '{"uni' length
null                            | '' stop                                 | '' stop
refused                         | '' stop                                 | '' stop
filtered                        | '' content_filter                       | '' content_filter
no usage                        | '{"unit": 3}' stop                      | '{"unit": 3}' stop
no choices                      | TypeError                               | '' None
empty choices                   | IndexError                              | '' None
no JSON body                    | JSONDecodeError                         | ValueError
web page                        | ValueError                              | ValueError
unended                         | '{"uni' None                            | '{"uni' None
failed midway                   | ValueError                              | APIError
unauthorized                    | OpenAIAuthenticationError 401           | OpenAIAuthenticationError 401
model not found                 | OpenAIModelNotFoundError 404            | OpenAIModelNotFoundError 404
context too long                | OpenAIContextOverflowError 400          | OpenAIContextOverflowError 400
server error                    | OpenAIAPIError 500                      | OpenAIAPIError 500
unavailable                     | OpenAIAPIError 503                      | OpenAIAPIError 503
rate limited                    | OpenAIRateLimitError 429                | OpenAIRateLimitError 429
rate limited, retry-after 2     | OpenAIRateLimitError 429                | OpenAIRateLimitError 429
rate limited, retry-after-ms 20 | OpenAIRateLimitError 429                | OpenAIRateLimitError 429
held                            | OpenAITimeoutError                      | OpenAITimeoutError
reset                           | OpenAIConnectionError                   | OpenAIConnectionError
reset midway                    | OpenAIConnectionError                   | ReadError
broken off                      | OpenAIConnectionError                   | RemoteProtocolError
"""
LANGCHAIN_WITH_SCHEMA = r"""
fault                           | invoke                                  | stream
none                            | '{"unit": 3}' stop                      | '{"unit": 3}' stop
not JSON                        | 'I would rather tell it in words.' stop | 'I would rather tell it in words.' stop
fenced                          | '```json\n{"unit": 3}\n```' stop        | '```json\n{"unit": 3}\n```' stop
prose around                    | 'Sure:\n\n{"unit": 3}\n\nDone.' stop    | 'Sure:\n\n{"unit": 3}\n\nDone.' stop
empty                           | '' stop                                 | '' stop
truncated                       | LengthFinishReasonError                 | LengthFinishReasonError
null                            | '' stop                                 | '' stop
refused                         | '' stop                                 | '' stop
filtered                        | ContentFilterFinishReasonError          | ContentFilterFinishReasonError
no usage                        | '{"unit": 3}' stop                      | '{"unit": 3}' stop
no choices                      | TypeError                               | KeyError
empty choices                   | IndexError                              | IndexError
no JSON body                    | JSONDecodeError                         | AssertionError
web page                        | AttributeError                          | AssertionError
unended                         | '{"uni' None                            | '{"uni' None
failed midway                   | TypeError                               | APIError
unauthorized                    | OpenAIAuthenticationError 401           | OpenAIAuthenticationError 401
model not found                 | OpenAIModelNotFoundError 404            | OpenAIModelNotFoundError 404
context too long                | OpenAIContextOverflowError 400          | OpenAIContextOverflowError 400
server error                    | OpenAIAPIError 500                      | OpenAIAPIError 500
unavailable                     | OpenAIAPIError 503                      | OpenAIAPIError 503
rate limited                    | OpenAIRateLimitError 429                | OpenAIRateLimitError 429
rate limited, retry-after 2     | OpenAIRateLimitError 429                | OpenAIRateLimitError 429
rate limited, retry-after-ms 20 | OpenAIRateLimitError 429                | OpenAIRateLimitError 429
held                            | OpenAITimeoutError                      | OpenAITimeoutError
reset                           | OpenAIConnectionError                   | OpenAIConnectionError
reset midway                    | OpenAIConnectionError                   | ReadError
broken off                      | OpenAIConnectionError                   | RemoteProtocolError
"""
LLAMA_INDEX = r"""
fault                           | chat                                    | stream_chat
none                            | '{"unit": 3}' stop                      | '{"unit": 3}' stop
not JSON                        | 'I would rather tell it in words.' stop | 'I would rather tell it in words.' stop
fenced                          | '```json\n{"unit": 3}\n```' stop        | '```json\n{"unit": 3}\n```' stop
prose around                    | 'Sure:\n\n{"unit": 3}\n\nDone.' stop    | 'Sure:\n\n{"unit": 3}\n\nDone.' stop
empty                           | None stop                               | '' stop
truncated                       | '{"uni' length                          | '{"uni' length
null                            | None stop                               | '' stop
refused                         | None stop                               | '' stop
filtered                        | None content_filter                     | '' content_filter
no usage                        | '{"unit": 3}' stop                      | '{"unit": 3}' stop
no choices                      | TypeError                               | TypeError
empty choices                   | IndexError                              | '' None
no JSON body                    | JSONDecodeError                         | None None
web page                        | AttributeError                          | None None
unended                         | '{"uni' None                            | '{"uni' None
failed midway                   | TypeError                               | APIError
unauthorized                    | AuthenticationError 401                 | AuthenticationError 401
model not found                 | NotFoundError 404                       | NotFoundError 404
context too long                | BadRequestError 400                     | BadRequestError 400
server error                    | InternalServerError 500                 | InternalServerError 500
unavailable                     | InternalServerError 503                 | InternalServerError 503
rate limited                    | RateLimitError 429                      | RateLimitError 429
rate limited, retry-after 2     | RateLimitError 429                      | RateLimitError 429
rate limited, retry-after-ms 20 | RateLimitError 429                      | RateLimitError 429
held                            | APITimeoutError                         | APITimeoutError
reset                           | APIConnectionError                      | APIConnectionError
reset midway                    | APIConnectionError                      | ReadError
broken off                      | APIConnectionError                      | RemoteProtocolError
"""


def langchain(server: ScriptedServer, timeout: float = PATIENT) -> ChatOpenAI:
    return ChatOpenAI(
        model="scripted", base_url=server.url, api_key="test", max_retries=0, timeout=timeout, stream_usage=True
    )


def langchain_with_schema(server: ScriptedServer, timeout: float = PATIENT) -> Any:
    return langchain(server, timeout).bind(response_format=RESPONSE_FORMAT)


def llama_index(server: ScriptedServer, timeout: float = PATIENT) -> OpenAILike:
    return OpenAILike(
        model="scripted",
        api_base=server.url,
        api_key="test",
        is_chat_model=True,
        context_window=8000,
        max_retries=0,
        timeout=timeout,
        additional_kwargs={"stream_options": {"include_usage": True}},
    )


# Every way to ask: each gives the text, the finish reason and the usage (prompt, completion, cached) of the reply.
Said = tuple[str | None, str | None, tuple[int, int, int] | None]


def of_langchain(message: Any) -> Said:
    usage = message.usage_metadata
    counted = usage and (usage["input_tokens"], usage["output_tokens"], usage["input_token_details"]["cache_read"])
    return message.content, message.response_metadata.get("finish_reason"), counted


def of_llama_index(replies: list[Any]) -> Said:
    """Of a stream all replies: the finish reason and the usage come in different ones."""
    reasons = [choice.finish_reason for reply in replies for choice in reply.raw.choices if choice.finish_reason]
    usages = [reply.raw.usage for reply in replies if reply.raw.usage]
    counted = [(u.prompt_tokens, u.completion_tokens, u.prompt_tokens_details.cached_tokens) for u in usages]
    return (
        replies[-1].message.content if replies else None,
        reasons[-1] if reasons else None,
        counted[-1] if counted else None,
    )


async def invoke(model: ChatOpenAI) -> Said:
    return of_langchain(model.invoke(QUESTION))


async def ainvoke(model: ChatOpenAI) -> Said:
    return of_langchain(await model.ainvoke(QUESTION))


async def stream(model: ChatOpenAI) -> Said:
    return of_langchain(reduce(operator.add, model.stream(QUESTION)))


async def astream(model: ChatOpenAI) -> Said:
    return of_langchain(reduce(operator.add, [chunk async for chunk in model.astream(QUESTION)]))


ASKED = [ChatMessage(role="user", content=QUESTION)]


async def chat(model: OpenAILike) -> Said:
    return of_llama_index([model.chat(ASKED)])


async def achat(model: OpenAILike) -> Said:
    return of_llama_index([await model.achat(ASKED)])


async def stream_chat(model: OpenAILike) -> Said:
    return of_llama_index(list(model.stream_chat(ASKED)))


async def astream_chat(model: OpenAILike) -> Said:
    return of_llama_index([reply async for reply in await model.astream_chat(ASKED)])


LANGCHAIN_WAYS = (invoke, ainvoke, stream, astream)
LLAMA_INDEX_WAYS = (chat, achat, stream_chat, astream_chat)
WAYS = pytest.mark.parametrize(
    ("client", "ask"),
    [(client, ask) for client in (langchain, langchain_with_schema) for ask in LANGCHAIN_WAYS]
    + [(llama_index, ask) for ask in LLAMA_INDEX_WAYS],
)
TABLES = {langchain: LANGCHAIN, langchain_with_schema: LANGCHAIN_WITH_SCHEMA, llama_index: LLAMA_INDEX}
Client = Callable[..., Any]
Ask = Callable[[Any], Awaitable[Said]]


def promised(table: str, way: str) -> dict[str, str]:
    """Of each fault, what the table says of one way to ask."""
    header, *rows = ([cell.strip() for cell in line.split("|")] for line in table.strip().splitlines())
    return {row[0]: row[header.index(way.removeprefix("a"))] for row in rows}


async def outcome(asked: Awaitable[Said]) -> str:
    try:
        text, finish_reason, _ = await asked
    except Exception as error:
        status = getattr(error, "status_code", None)
        return f"{type(error).__name__} {status}" if status else type(error).__name__
    return f"{text!r} {finish_reason}"


@pytest.fixture
def garbage() -> Iterator[None]:
    """Is collected after the test: a stream that a client left open, closed in the midst of a call, blocks that."""
    gc.disable()
    yield
    gc.enable()
    gc.collect()


@WAYS
@pytest.mark.usefixtures("garbage")
async def test_what_a_client_makes_of_each_fault(server: ScriptedServer, client: Client, ask: Ask) -> None:
    patient, hasty = client(server, PATIENT), client(server, HASTY)
    outcomes = {}
    for fault in (None, *FAULTS):
        server.reply(REPLY, to=QUESTION, fault=fault)
        outcomes[str(fault or "none")] = await outcome(ask(hasty if fault is HELD else patient))
    assert outcomes == promised(TABLES[client], ask.__name__)


@WAYS
async def test_it_says_what_the_script_says(server: ScriptedServer, client: Client, ask: Ask) -> None:
    server.reply("Restart the agent, then wait.")
    server.reply("Wait.", usage=Usage(900, 20, cached=640))
    model = client(server)
    assert await ask(model) == ("Restart the agent, then wait.", "stop", (3, 5, 0))
    assert await ask(model) == ("Wait.", "stop", (900, 20, 640))


def test_a_stream_comes_by_the_word(server: ScriptedServer) -> None:
    server.reply("Restart  the agent.\n")
    texts = [chunk.content for chunk in langchain(server).stream(QUESTION)]
    assert [text for text in texts if text] == ["Restart ", " ", "the ", "agent.\n"]


def test_it_remembers_what_it_was_asked(server: ScriptedServer) -> None:
    server.reply(REPLY, times=3)
    langchain(server).invoke([("system", "Choose."), ("user", QUESTION)])
    list(langchain_with_schema(server).stream(QUESTION))
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


def test_a_fault_comes_before_the_reply(server: ScriptedServer) -> None:
    model = langchain(server)
    server.reply(to=QUESTION, fault=SERVER_ERROR)
    server.reply("unit 3", to=QUESTION)
    with pytest.raises(openai.InternalServerError):
        model.invoke(QUESTION)
    assert model.invoke(QUESTION).text == "unit 3"


async def test_each_question_gets_its_own_reply_whichever_comes_first(server: ScriptedServer) -> None:
    model = langchain(server)
    questions = [f"Which unit fits, of {number} units?" for number in range(8)]
    for question in reversed(questions):
        server.reply(lambda request: request.text.upper(), to=question)
    replies = await asyncio.gather(*(model.ainvoke(question) for question in questions))
    assert [reply.text for reply in replies] == [question.upper() for question in questions]


def test_a_reply_for_any_number_of_questions_may_stay_unused(server: ScriptedServer) -> None:
    server.reply("never", to="Nobody asks this", times=None)
    server.reply("often", times=None)
    assert [langchain(server).invoke(QUESTION).text for _ in range(3)] == ["often"] * 3


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


@WAYS
async def test_the_time_to_wait_is_in_the_headers_of_the_error(
    server: ScriptedServer, client: Client, ask: Ask
) -> None:
    server.reply(fault=rate_limited(retry_after=2, retry_after_ms=1500))
    with pytest.raises(openai.RateLimitError) as limited:
        await ask(client(server))
    headers = limited.value.response.headers
    assert (headers["retry-after"], headers["retry-after-ms"]) == ("2", "1500")


@pytest.mark.parametrize(
    ("fault", "raised", "retryable"),
    [
        (UNAUTHORIZED, ModelAuthenticationError, False),
        (MODEL_NOT_FOUND, ModelNotFoundError, False),
        (CONTEXT_TOO_LONG, ContextOverflowError, False),
        (rate_limited(), ModelRateLimitError, True),
        (SERVER_ERROR, ModelAPIError, True),
        (UNAVAILABLE, ModelAPIError, True),
        (HELD, ModelTimeoutError, True),
        (RESET, ModelConnectionError, True),
    ],
    ids=str,
)
def test_langchain_names_an_error_for_every_provider(
    server: ScriptedServer, fault: Fault, raised: type[ModelError], retryable: bool
) -> None:
    server.reply(fault=fault)
    with pytest.raises(raised) as failed:
        langchain(server, HASTY if fault is HELD else PATIENT).invoke(QUESTION)
    assert failed.value.is_retryable is retryable


def test_where_the_words_of_a_refusal_are(server: ScriptedServer) -> None:
    server.reply(fault=REFUSED, times=3)
    refusal = "I cannot help with that."
    assert langchain(server).invoke(QUESTION).additional_kwargs["refusal"] == refusal
    assert llama_index(server).chat(ASKED).raw.choices[0].message.refusal == refusal
    streamed = [choice.delta.refusal for part in llama_index(server).stream_chat(ASKED) for choice in part.raw.choices]
    assert "".join(word for word in streamed if word) == refusal


def test_a_stream_arrives_in_part_before_it_breaks(server: ScriptedServer) -> None:
    server.reply("one two three four", fault=RESET_MIDWAY)
    arrived = []
    with pytest.raises(httpx.ReadError):
        for chunk in langchain(server).stream(QUESTION):
            arrived.append(chunk.text)
    assert "".join(arrived) == "one two three "


def test_a_held_answer_ends_when_it_is_released(server: ScriptedServer) -> None:
    server.reply(fault=HELD)
    server.release()
    with pytest.raises(openai.APIConnectionError):
        langchain(server).invoke(QUESTION)


def test_no_thread_outlives_the_server(socket_enabled: None) -> None:
    before = threading.active_count()
    with ScriptedServer() as server:
        server.reply(fault=HELD)
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{server.url}/chat/completions", json={}, timeout=HASTY)
    assert threading.active_count() == before
