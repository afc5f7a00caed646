"""LangChain: an agent walks through a guide over MCP, with `thread-rag mcp` as a process beside it.

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
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

QUESTION = "Messages pile up in a queue, what do I do?"
CALLS = [
    ("start", {"question": QUESTION}),
    ("respond", {"answer": "the queue is stable"}),
    ("respond", {"answer": "it is 15 minutes or more"}),
]


class Scripted(BaseChatModel):
    """Makes these calls, one after the other."""

    _llm_type = "scripted"

    def bind_tools(self, tools, **options):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **options):
        heard = [message.text for message in messages if isinstance(message, ToolMessage)]
        if len(heard) == len(CALLS):
            return ChatResult(generations=[ChatGeneration(message=AIMessage("Look at that message."))])
        name, given = CALLS[len(heard)]
        at = re.search(r"Session (\w+), turn (\d+)", heard[-1]) if heard else None
        arguments = given | ({"session": at[1], "turn": int(at[2])} if at else {})
        call = {"name": name, "args": arguments, "id": f"call-{len(heard)}"}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))])


async def main(store: str) -> None:
    server = {"transport": "stdio", "command": sys.executable, "args": ["-m", "thread_rag", "mcp", "--store", store]}
    client = MultiServerMCPClient({"guides": server})
    async with client.session("guides") as session:  # one process for the conversation; without it, one for each call
        agent = create_agent(Scripted(), await load_mcp_tools(session))  # a real model goes here
        said = await agent.ainvoke({"messages": [("user", QUESTION)]})
    for message in said["messages"]:
        if isinstance(message, ToolMessage):
            print(message.text.partition("\n")[0])


with tempfile.TemporaryDirectory() as folder:
    store = str(Path(folder) / "store")
    command = [sys.executable, "-m", "thread_rag", "ingest", str(FOLDER), "--store", store]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    asyncio.run(main(store))
# -> Message queue backlog: Getting an impression
# -> Message queue backlog: Getting an impression: If the queue is stable
# -> Message queue backlog: The message that cannot be read
