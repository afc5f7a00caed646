"""LlamaIndex: an agent walks through a guide over MCP, with `thread-rag mcp` as a process beside it.

No key, no download: the agent's model is a script here, which reads from each answer what the next call needs, as a
model does. Lines at the end that begin with `# ->` are what it prints; the tests compare them.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from _documents import FOLDER
from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage, MockFunctionCallingLLM
from llama_index.tools.mcp import McpToolSpec
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

QUESTION = "Messages pile up in a queue, what do I do?"
CALLS = [
    ("start", {"question": QUESTION}),
    ("respond", {"answer": "the queue is stable"}),
    ("respond", {"answer": "it is 15 minutes or more"}),
]


def reply(messages, **_):
    """Makes these calls, one after the other."""
    heard = [message.content for message in messages if message.role == "tool"]
    if len(heard) == len(CALLS):
        return ChatMessage("Look at that message.", role="assistant")
    name, given = CALLS[len(heard)]
    at = re.search(r"Session (\w+), turn (\d+)", heard[-1]) if heard else None
    arguments = given | ({"session": at[1], "turn": int(at[2])} if at else {})
    block = ToolCallBlock(tool_call_id=str(len(heard)), tool_name=name, tool_kwargs=arguments)
    return ChatMessage(role="assistant", blocks=[block])


async def main(store: str) -> None:
    server = StdioServerParameters(command=sys.executable, args=["-m", "thread_rag", "mcp", "--store", store])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:  # one process for the conversation
        await session.initialize()
        tools = await McpToolSpec(session).to_tool_list_async()
        llm = MockFunctionCallingLLM(response_generator=reply)  # a real model goes here
        handler = FunctionAgent(tools=tools, llm=llm).run(QUESTION)
        async for event in handler.stream_events():
            if isinstance(event, ToolCallResult):
                print(event.tool_output.raw_output.content[0].text.partition("\n")[0])
        await handler


with tempfile.TemporaryDirectory() as folder:
    store = str(Path(folder) / "store")
    command = [sys.executable, "-m", "thread_rag", "ingest", str(FOLDER), "--store", store]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    asyncio.run(main(store))
# -> Message queue backlog: Getting an impression
# -> Message queue backlog: Getting an impression: If the queue is stable
# -> Message queue backlog: The message that cannot be read
