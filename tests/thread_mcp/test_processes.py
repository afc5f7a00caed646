"""The server in a process of its own, over its input and output, HTTP and a socket: agents of both frameworks walk."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage, MockFunctionCallingLLM
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError

from tests.thread_mcp.conftest import FUSES, PUMP, QUESTION

pytestmark = [
    pytest.mark.slow,
    # LlamaIndex's agents use fields of Pydantic by their old names, and clients leave streams to be collected.
    pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
TOKEN = "a-token-that-is-long-enough"
CALLS = [("start", {"question": QUESTION}), ("respond", {"answer": "2"}), ("respond", {"answer": 1})]
ROOMS = "attic barn bathroom bedroom cellar corridor garage kitchen laundry library office workshop".split()
THINGS = "basin bench bicycle bookshelf carpet desk lamp ladder mattress oven piano wardrobe".split()
AT = re.compile(r"\(Session (\w+), turn (\d+)\.")


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """What a test leaves is collected before the next one."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mcp")
    (folder / "guides").mkdir()
    (folder / "guides" / "pump.md").write_text(PUMP)
    (folder / "guides" / "fuses.md").write_text(FUSES)
    ingest(folder / "guides", folder / "store")
    return folder / "store"


def ingest(guides: Path, store: Path) -> None:
    command = [sys.executable, "-m", "thread_rag", "ingest", str(guides), "--store", str(store), "--wait", "60"]
    subprocess.run(command, check=True, capture_output=True)


def arguments(store: Path, *more: str) -> list[str]:
    return ["-m", "thread_rag", "mcp", "--store", str(store), *more]


@contextmanager
def listening(store: Path, *more: str) -> Iterator[str]:
    """A server at an address."""
    with subprocess.Popen([sys.executable, *arguments(store, *more)], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert line.startswith("listening at "), line
            yield line.removeprefix("listening at ").strip()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)


def next_call(heard: list[str]) -> tuple[str, dict[str, Any]] | None:
    """What a model calls next, of what it has been told so far; None at the end."""
    if len(heard) == len(CALLS):
        return None
    name, given = CALLS[len(heard)]
    at = AT.search(heard[-1]) if heard else None
    return name, given | ({"session": at[1], "turn": int(at[2])} if at else {})


class Walker(BaseChatModel):
    """Calls one tool after the other."""

    @property
    def _llm_type(self) -> str:
        return "walker"

    def bind_tools(self, tools: Any, **options: Any) -> Walker:  # type: ignore[override]
        return self

    def _generate(self, messages: list[BaseMessage], *given: Any, **options: Any) -> ChatResult:
        call = next_call([message.text for message in messages if isinstance(message, ToolMessage)])
        calls = [{"name": call[0], "args": call[1], "id": uuid.uuid4().hex}] if call else []
        return ChatResult(generations=[ChatGeneration(message=AIMessage("" if call else "Done.", tool_calls=calls))])


async def with_langchain(connection: dict[str, Any]) -> list[str]:
    """What the tools tell an agent of LangChain, by one connection."""
    async with MultiServerMCPClient({"guides": connection}).session("guides") as session:  # type: ignore[dict-item]
        return await langchain_walks(await load_mcp_tools(session))


async def with_langchain_by_calls(connection: dict[str, Any]) -> list[str]:
    """What they tell it where each call has a connection of its own."""
    return await langchain_walks(await MultiServerMCPClient({"guides": connection}).get_tools())  # type: ignore[dict-item]


async def langchain_walks(tools: Any) -> list[str]:
    said = await create_agent(Walker(), tools).ainvoke({"messages": [("user", QUESTION)]})
    return [message.text for message in said["messages"] if isinstance(message, ToolMessage)]


async def with_llama_index(connection: dict[str, Any]) -> list[str]:
    """What the tools tell an agent of LlamaIndex."""
    heard: list[str] = []

    def reply(messages: Any, **_: Any) -> ChatMessage:
        heard[:] = [message.content for message in messages if message.role == "tool"]
        call = next_call(heard)
        if call is None:
            return ChatMessage("Done.", role="assistant")
        block = ToolCallBlock(tool_call_id=uuid.uuid4().hex, tool_name=call[0], tool_kwargs=call[1])
        return ChatMessage(role="assistant", blocks=[block])

    where = connection.get("url") or connection["command"]
    client = BasicMCPClient(where, connection.get("args"), headers=connection.get("headers"))
    tools = await McpToolSpec(client).to_tool_list_async()
    await FunctionAgent(tools=tools, llm=MockFunctionCallingLLM(response_generator=reply)).run(QUESTION)
    return heard


AGENTS = [with_langchain, with_langchain_by_calls, with_llama_index]
Agent = Callable[[dict[str, Any]], Awaitable[list[str]]]


def check(heard: list[str]) -> None:
    first, second, third = heard
    assert "keep your hands out of the housing" in first
    assert "fuse --read pump" in second
    assert "Take the blown fuse out" in third


def test_it_ends_with_its_input(store: Path) -> None:
    for said in ("", "no message\n", "[" * 100_000 + "\n"):
        done = subprocess.run([sys.executable, *arguments(store)], input=said, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert [json.loads(line)["method"] for line in done.stdout.splitlines()] in ([], ["notifications/message"])


@pytest.mark.parametrize("agent", AGENTS)
async def test_an_agent_walks_over_standard_input(store: Path, agent: Agent) -> None:
    check(await agent({"transport": "stdio", "command": sys.executable, "args": arguments(store)}))


@pytest.mark.parametrize("agent", AGENTS)
async def test_an_agent_walks_over_http(store: Path, tmp_path: Path, agent: Agent, socket_enabled: None) -> None:
    tokens = tmp_path / "tokens"
    tokens.touch(0o600)
    tokens.write_text(f"ann {TOKEN}\n")
    with listening(store, "--http", "127.0.0.1:0", "--token-file", str(tokens)) as url:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        check(await agent({"transport": "streamable_http", "url": url, "headers": headers}))
        assert httpx.post(url, json={}).status_code == 401


def test_a_socket_is_its_owners_alone(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as dead:  # of a server that was killed
        dead.bind(str(path))
    with listening(store, "--socket", str(path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with httpx.Client(transport=httpx.HTTPTransport(uds=str(path))) as client:
            headers = {"accept": "application/json, text/event-stream"}
            ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            assert client.post("http://localhost/mcp", json=ping, headers=headers).json()["result"] == {}
            assert client.post("http://evil.example/mcp", json=ping, headers=headers).status_code == 421
    assert not path.exists()


async def test_two_clients_walk_and_read_while_an_ingest_writes(store: Path, tmp_path: Path) -> None:
    """Each has a server of its own over one directory: no walk is lost, and no guide is read half old and half new."""
    guides = tmp_path / "guides"
    guides.mkdir()
    command = [sys.executable, "-m", "thread_rag", "ingest", str(guides), "--store", str(store), "--wait", "60"]
    server = StdioServerParameters(command=sys.executable, args=arguments(store), env=dict(os.environ))
    async with (
        stdio_client(server) as one,
        stdio_client(server) as other,
        ClientSession(*one) as ann,
        ClientSession(*other) as bob,
    ):
        for client in (ann, bob):
            await client.initialize()
        for verb in ("Sweep", "Mop"):
            for room in ROOMS:
                parts = "\n\n".join(f"## The {thing}\n\n1. {verb} under the {thing}.\n" for thing in THINGS)
                (guides / f"{room}.md").write_text(f"# The {room}\n\n{parts}")
            seen: set[tuple[int, int]] = set()
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as writing:
                while writing.poll() is None:
                    for client in (ann, bob):
                        await walk(client)
                        seen.add(await cleaned(client))
            assert writing.returncode == 0
            assert seen <= ({(0, 0), (12, 0)} if verb == "Sweep" else {(12, 0), (0, 12)})
            for client in (ann, bob):
                assert await cleaned(client) == ((12, 0) if verb == "Sweep" else (0, 12))
                found = (
                    await client.call_tool("search", {"question": f"{verb} the kitchen, under the oven"})
                ).structuredContent
                assert found is not None and "kitchen.md" in [one["guide"] for one in found["guides"]]


async def walk(client: ClientSession) -> None:
    """From the first step to the third."""
    step: Any = None
    for name, given in CALLS:
        at = {"session": step["session"], "turn": step["turn"]} if step else {}
        result = await client.call_tool(name, given | at)
        assert not result.isError, result.content
        step = result.structuredContent
    assert "Take the blown fuse out" in step["text"]


async def cleaned(client: ClientSession) -> tuple[int, int]:
    """Under how many things a guide says to sweep, and to mop; none where it is not there yet."""
    uri: Any = "guide:///kitchen.md"
    try:
        (content,) = (await client.read_resource(uri)).contents
    except McpError:
        return 0, 0
    text = content.text  # type: ignore[union-attr]
    return text.count("Sweep under"), text.count("Mop under")
