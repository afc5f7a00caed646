"""Whatever a client sends is answered by one clear error, and the server lives on."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCMessage, TextContent

from tests.thread_mcp.conftest import QUESTION, Connect
from thread_core.store.library import Library
from thread_mcp import create_server

LONG = "x" * 100_000
OTHERS = "0" * 32
CALLS: list[tuple[str, Any, str]] = [
    ("", {}, "found no tool ''"),
    ("shell", {"command": "id"}, "found no tool 'shell', expected one of search, start"),
    ("Start", {"question": "x"}, "found no tool 'Start'"),
    (LONG, {}, "found no tool 'xxx"),
    ("start\x00", {"question": "x"}, "found no tool"),
    ("search", {}, "search takes question, limit; question: Field required"),
    ("search", {"question": ""}, "question: String should have at least 1 character"),
    ("search", {"question": "   "}, "question: String should have at least 1 character"),
    ("search", {"question": None}, "question: String should have at least 1 character"),
    ("search", {"question": LONG}, "question: String should have at most 10000 characters"),
    ("search", {"question": ["x"]}, "question: Input should be a valid string"),
    ("search", {"question": {"$ne": ""}}, "question: Input should be a valid string"),
    ("search", {"question": True}, "question: Input should be a valid string"),
    ("search", {"question": 1.5}, "question: Input should be a valid string"),
    ("search", {"question": "x", "limit": 0}, "limit: Input should be greater than or equal to 1"),
    ("search", {"question": "x", "limit": -1}, "limit: Input should be greater"),
    ("search", {"question": "x", "limit": 21}, "limit: Input should be less than or equal to 20"),
    ("search", {"question": "x", "limit": 10**30}, "limit: "),
    ("search", {"question": "x", "limit": "5"}, "limit: Input should be a valid integer"),
    ("search", {"question": "x", "limit": None}, "limit: Input should be a valid integer"),
    ("search", {"question": "x", "sql": "'; DROP TABLE units; --"}, "sql: Extra inputs are not permitted"),
    ("search", {"question": "x", LONG: 1}, "Extra inputs are not permitted"),
    ("plan", {"question": 7.25}, "question: Input should be a valid string"),
    ("plan", {"question": LONG}, "at most 10000 characters"),
    ("start", {"question": LONG}, "at most 10000 characters"),
    ("start", {"question": "x", "guide": "../../etc/passwd"}, "found no guide '../../etc/passwd'"),
    ("start", {"question": "x", "guide": "/etc/passwd"}, "found no guide"),
    ("start", {"question": "x", "guide": "pump.md\x00"}, "found no guide"),
    ("start", {"question": "x", "guide": "\ud800"}, "guide: Input should be a valid string, unable to parse"),
    ("start", {"question": "x", "guide": {"$gt": ""}}, "guide: Input should be a valid string"),
    ("start", {"question": "x", "guide": LONG}, "guide: String should have at most 10000 characters"),
    ("start", {"question": "x", "session": OTHERS}, "session: Extra inputs are not permitted"),
    ("where", {}, "where takes session; session: Field required"),
    ("where", {"session": OTHERS}, "found no session '0000"),
    ("where", {"session": ""}, "found no session ''"),
    ("where", {"session": "."}, "found no session '.'"),
    ("where", {"session": "../" * 9 + "etc/passwd"}, "found no session '../"),
    ("where", {"session": f"../local/{OTHERS}"}, "found no session"),
    ("where", {"session": "/etc/passwd"}, "found no session '/etc/passwd'"),
    ("where", {"session": "..\\..\\windows"}, "found no session"),
    ("where", {"session": "*"}, "found no session '*'"),
    ("where", {"session": f"{OTHERS}\x00"}, "found no session"),
    ("where", {"session": f"{OTHERS}\n"}, "found no session"),
    ("where", {"session": "\ud800"}, "session: Input should be a valid string, unable to parse"),
    ("where", {"session": "٣" * 32}, "found no session"),
    ("where", {"session": LONG}, "session: String should have at most 100 characters"),
    ("where", {"session": 7}, "session: Input should be a valid string"),
    ("where", {"session": None}, "session: Input should be a valid string"),
    ("where", {"session": [OTHERS]}, "session: Input should be a valid string"),
    ("respond", {"session": OTHERS, "turn": 1}, "respond takes session, turn, answer; answer: Field required"),
    ("respond", {"session": OTHERS, "answer": "1"}, "turn: Field required"),
    ("respond", {"session": OTHERS, "turn": "1", "answer": "1"}, "turn: Input should be a valid integer"),
    ("respond", {"session": OTHERS, "turn": 1.5, "answer": "1"}, "turn: Input should be a valid integer"),
    ("respond", {"session": OTHERS, "turn": True, "answer": "1"}, "turn: Input should be a valid integer"),
    ("respond", {"session": OTHERS, "turn": -1, "answer": "1"}, "turn: Input should be greater"),
    ("respond", {"session": OTHERS, "turn": 1, "answer": ""}, "answer: String should have at least 1 character"),
    ("respond", {"session": OTHERS, "turn": 1, "answer": LONG}, "answer: String should have at most"),
    (
        "respond",
        {"session": OTHERS, "turn": 1, "answer": {"run": "rm -rf /"}},
        "answer: Input should be a valid string",
    ),
    ("respond", {"session": OTHERS, "turn": 1, "answer": "1", "approve": True}, "approve: Extra inputs"),
    ("back", {"session": OTHERS}, "turn: Field required"),
    ("hand_over", {"session": OTHERS, "turn": 1}, "found no session"),
]
MINE: list[tuple[str, dict[str, Any], str]] = [
    ("respond", {"turn": 9, "answer": "1"}, "found turn 9, but the walk is at turn 1"),
    ("respond", {"turn": 0, "answer": "1"}, "turn 0 was already answered"),
    ("respond", {"turn": 10**40, "answer": "1"}, "found turn 1000"),
    ("back", {"turn": 5}, "found turn 5"),
]


@pytest.mark.parametrize("nth", range(len(CALLS)))
async def test_a_call_that_fits_no_tool_is_refused(connect: Connect, nth: int) -> None:
    tool, given, said = CALLS[nth]
    async with connect() as client:
        result = await client.call_tool(tool, given)
        (content,) = result.content
        assert isinstance(content, TextContent) and result.isError and said in content.text
        assert len(content.text) < 400 and "\n" not in content.text
        assert not (await client.call_tool("search", {"question": QUESTION})).isError


@pytest.mark.parametrize(("tool", "given", "said"), MINE)
async def test_a_turn_that_is_not_there_is_refused(connect: Connect, tool: str, given: Any, said: str) -> None:
    async with connect() as client:
        step = (await client.call_tool("start", {"question": QUESTION})).structuredContent
        assert step is not None
        result = await client.call_tool(tool, {"session": step["session"], **given})
        assert result.isError and said in result.content[0].text  # type: ignore[union-attr]
        assert (await client.call_tool("where", {"session": step["session"]})).structuredContent == step


@pytest.mark.parametrize("question", ["\x00", "\ud800 and half", "\u202e", "?", "1", "\n" * 50 + "x", "💥" * 3000])
async def test_a_question_may_hold_anything(connect: Connect, question: str) -> None:
    async with connect() as client:
        for tool in ("search", "plan", "start"):
            await client.call_tool(tool, {"question": question})
        assert not (await client.call_tool("search", {"question": QUESTION})).isError


@pytest.mark.parametrize(
    "line",
    [
        {"method": "tools/call"},
        {"method": "tools/call", "params": {"name": 7}},
        {"method": "tools/call", "params": {"name": "search", "arguments": "question"}},
        {"method": "tools/call", "params": {"name": "search", "arguments": None}},
        {"method": "resources/read", "params": {"uri": ""}},
        {"method": "resources/list", "params": {"cursor": {"a": 1}}},
        {"method": "prompts/get", "params": {"name": "walk", "arguments": {"guide": 7}}},
        {"method": "completion/complete", "params": {"ref": {}, "argument": {}}},
        {"method": "no/such/method"},
        {"method": "x" * 100_000},
    ],
)
async def test_a_message_that_is_none_is_refused(library: Library, tmp_path: Any, line: dict[str, Any]) -> None:
    async with raw(library, tmp_path) as ask:
        said = await ask({"jsonrpc": "2.0", "id": 7, **line})
        assert "error" in said or said["result"]["isError"]
        assert (await ask({"jsonrpc": "2.0", "id": 8, "method": "ping"})) == {"jsonrpc": "2.0", "id": 8, "result": {}}


def raw(library: Library, folder: Any) -> Any:
    """Asks a server in messages as they come, whatever they say."""
    from contextlib import asynccontextmanager

    from mcp.shared.memory import create_client_server_memory_streams

    @asynccontextmanager
    async def asking() -> Any:
        server = create_server(library, folder / "sessions")
        async with create_client_server_memory_streams() as ((said, says), theirs), anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: server.run(*theirs, server.create_initialization_options()))

            async def ask(message: dict[str, Any]) -> Any:
                await says.send(SessionMessage(JSONRPCMessage.model_validate_json(json.dumps(message))))
                if "id" not in message:
                    return None
                answer = await said.receive()
                assert isinstance(answer, SessionMessage)
                return answer.message.model_dump(mode="json", by_alias=True, exclude_none=True)

            about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "0"}}
            await ask({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about})
            await ask({"jsonrpc": "2.0", "method": "notifications/initialized"})
            yield ask
            tasks.cancel_scope.cancel()

    return asking()
