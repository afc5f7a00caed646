import asyncio
import json

import pytest
from llama_index.core.callbacks import CallbackManager, LlamaDebugHandler
from llama_index.core.llms import ChatMessage, MessageRole
from llama_index.core.memory import Memory
from llama_index.core.prompts import PromptTemplate

from llama_index_thread import HowToSession, ThreadChatEngine, ThreadRetriever
from llama_index_thread.convert import from_node
from tests.conformance.walking import WALKS
from tests.llama_index_thread.hands import Hands, WatchedMemory
from thread_core.errors import AnsweredAlready, IllegalStep
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk.journal import Journal
from thread_core.walk.rendering import Turn
from thread_core.walk.state import VERSION
from thread_core.walk.states import Status

QUESTION = "Service A cannot reach Service B"


@pytest.fixture
def engine(guides):
    return ThreadChatEngine(guides)


def shown(response, turn):
    """Whether a response is a turn, and its nodes are the units of it."""
    return (
        response.response == str(turn)
        and Turn.model_validate({"text": turn.text, **response.metadata}) == turn
        and tuple(from_node(one.node).id for one in response.source_nodes) == turn.unit_ids
    )


@pytest.mark.slow
@pytest.mark.parametrize("walk", [walk.said for walk in WALKS[:2]], ids=lambda walk: walk[1])
async def test_every_way_to_chat_is_the_walk_of_a_session(guides, walk):
    session, (chat, achat, stream, astream) = HowToSession(guides), (ThreadChatEngine(guides) for _ in range(4))
    for number, words in enumerate(walk):
        response = chat.chat(words)
        assert shown(response, session.respond(words) if number else session.start(words))
        assert await achat.achat(words) == response
        told = stream.stream_chat(words)
        assert "".join(told.response_gen) == response.response
        assert (told.metadata, told.source_nodes) == (response.metadata, response.source_nodes)
        told = await astream.astream_chat(words)
        assert "".join([piece async for piece in told.async_response_gen()]) == response.response
        assert (told.metadata, told.source_nodes) == (response.metadata, response.source_nodes)
    assert [one.content for one in await achat._memory.aget_all()] == [one.content for one in chat.chat_history]
    assert chat.state == session.state.model_copy(update={"id": chat.state.id})


async def test_a_stream_is_complete_before_it_is_read(engine):
    told = engine.stream_chat(QUESTION)
    assert str(told) == engine.chat_history[-1].content
    assert engine.state.status is Status.AWAITING
    told = await engine.astream_chat("2")
    assert [message.role for message in engine.chat_history] == [MessageRole.USER, MessageRole.ASSISTANT] * 2
    assert str(told) == engine.chat_history[-1].content
    assert len([piece for piece in told.response_gen]) == str(told).count("\n") + 1


def test_after_a_reset_the_next_message_begins_a_walk(engine):
    first = engine.chat(QUESTION)
    engine.chat("2")

    engine.reset()

    assert (engine.chat_history, engine.state.status) == ([], Status.NEW)
    assert engine.chat(QUESTION) == first


def test_a_question_after_the_end_begins_another_walk_and_anything_else_reopens_it(guides, engine):
    session = HowToSession(guides)
    for words in (QUESTION, "I give up"):
        engine.chat(words)
    session.start(QUESTION)
    session.respond("I give up")
    assert shown(engine.chat("why?"), session.respond("why?"))
    assert shown(engine.chat("no, the health check answers 503"), session.respond("no, the health check answers 503"))
    engine.chat("I give up")

    response = engine.chat("How do I clear disk pressure on a node?")

    assert response.metadata["citations"][0]["document_id"] == "node-disk-pressure.md"
    assert engine.state.question == "How do I clear disk pressure on a node?"
    assert engine.chat("what does that mean?").metadata["citations"][0]["document_id"] != "service-connection.md"
    assert engine.state.question == "How do I clear disk pressure on a node?"


# -- histories and memories ----------------------------------------------------------------------------------------


async def test_a_history_that_is_handed_in_brings_the_walk_along(guides, engine):
    engine.chat(QUESTION)
    expected = engine.chat("2")
    history = [ChatMessage.model_validate_json(one.model_dump_json()) for one in engine.chat_history[:2]]

    assert ThreadChatEngine(guides).chat("2", chat_history=history) == expected
    assert await ThreadChatEngine(guides).achat("2", chat_history=history) == expected
    assert ThreadChatEngine.from_defaults(guides, chat_history=history).chat("2") == expected


async def test_an_engine_is_at_one_message_at_a_time(engine):
    replies = await asyncio.gather(engine.achat(QUESTION), engine.achat(QUESTION), return_exceptions=True)
    (refused,) = [one for one in replies if isinstance(one, IllegalStep)]
    assert "use one engine per conversation" in str(refused)
    assert len(engine.chat_history) == 2
    assert engine.chat("2").metadata["status"] == "awaiting"


def test_a_history_that_was_cut_back_goes_on_from_there(engine):
    engine.chat(QUESTION)
    expected = engine.chat("2")
    engine.chat("3")

    assert engine.chat("2", chat_history=engine.chat_history[:2]) == expected
    assert len(engine.chat_history) == 4


@pytest.mark.parametrize("history", [[], [ChatMessage("hello"), ChatMessage("hi", role="assistant")]])
def test_a_history_without_a_reply_of_ours_begins_a_walk(engine, history):
    first = engine.chat(QUESTION)
    engine.chat("2")

    assert engine.chat(QUESTION, chat_history=history) == first
    assert len(engine.chat_history) == len(history) + 2


@pytest.mark.slow
async def test_a_memory_in_a_file_brings_the_walk_into_another_process(guides, engine, tmp_path):
    uri = f"sqlite+aiosqlite:///{tmp_path / 'chat.sqlite3'}"
    for text in (QUESTION, "2", "done"):
        memory = Memory.from_defaults(session_id="ada", async_database_uri=uri)
        assert await ThreadChatEngine(guides, memory=memory).achat(text) == engine.chat(text)
        await memory.sql_store._async_engine.dispose()


def test_a_history_of_another_version_is_refused(guides, engine):
    engine.chat(QUESTION)
    history = engine.chat_history
    kept = history[-1].additional_kwargs
    kept["thread_session"] = kept["thread_session"].replace(f'"version":{VERSION}', '"version":0')

    with pytest.raises(ValueError, match="a session of version 0 cannot be resumed"):
        ThreadChatEngine(guides).chat("2", chat_history=history)


# -- the rest ------------------------------------------------------------------------------------------------------


def test_made_by_its_defaults_it_has_what_it_was_given(guides, tmp_path):
    hands, journal = Hands(), Journal(tmp_path / "journal.jsonl")
    engine = ThreadChatEngine.from_defaults(guides, executor=hands, journal=journal, policy=Policy.DROP)
    engine.chat(QUESTION)
    engine.chat("2")
    assert engine.state.policy is Policy.DROP
    assert {entry["event"] for entry in journal.entries()} >= {"answered", "begun"}
    assert hands.had


def test_a_second_answer_to_a_turn_is_told_and_not_remembered(guides, tmp_path):
    journal = Journal(tmp_path / "journal.jsonl")
    first = ThreadChatEngine(guides, journal=journal)
    first.chat(QUESTION)
    second = ThreadChatEngine.resume(first.state, guides, journal=Journal(tmp_path / "journal.jsonl"))
    first.chat("2")

    with pytest.raises(AnsweredAlready):
        second.chat("1")
    assert second.chat_history == []


@pytest.mark.parametrize("make", [ThreadChatEngine, ThreadChatEngine.from_defaults])
def test_a_model_chooses_and_is_asked_with_the_users_prompt(index, embedding, llm, make):
    met = {"number": 1, "verdict": "met", "question": ""}
    llm.replies = [json.dumps({"prerequisites": [met], "units": ["1"], "query": []}), '{"way": "1"}']
    prompts = {"select": PromptTemplate("MINE {question} {guides}")}
    steps = WatchedMemory()
    engine = make(ThreadRetriever(index, embed_model=embedding), llm, steps=steps, prompts=prompts)

    response = engine.chat("The disk is full, where are the large files?")

    assert "MINE | The disk is full" in llm.prompts[0]
    assert response.metadata["usage"]["calls"] == 1
    assert engine.chat("there is hardly any room").metadata["usage"]["calls"] == 1
    assert steps.asked == 2


def test_callbacks_hear_of_a_chat(guides, capsys):
    heard = LlamaDebugHandler(print_trace_on_end=True)
    ThreadChatEngine(guides, callback_manager=CallbackManager([heard])).chat(QUESTION)
    assert "Trace: chat" in capsys.readouterr().out
