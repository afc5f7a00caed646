"""An agent walks through a guide with a tool: one call, one step. The walk lives in the agent's own thread.

Runs without a key, with a model that passes on what it hears. With a key in OPENAI_API_KEY a real one talks instead;
OPENAI_BASE_URL reaches another service that speaks OpenAI's protocol. Lines that begin with `# ->` are what it prints
without a key.
"""

import os
import sqlite3
import tempfile
from pathlib import Path

from _documents import read
from langchain.agents import create_agent
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.sqlite import SqliteSaver

from langchain_thread import (
    DefaultEmbeddings,
    HeaderEmbeddings,
    LogicUnitTextSplitter,
    ThreadRetriever,
    create_howto_tool,
)

CONFIG = {"configurable": {"thread_id": "chat-4"}}


class PassesOn(BaseChatModel):
    """Asks the tool what the person says, and tells the person what the tool says."""

    _llm_type = "passes-on"

    def bind_tools(self, tools, **options):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **options):
        said = messages[-1]
        if isinstance(said, ToolMessage):
            reply = AIMessage(said.content.rpartition("\n\n")[0])  # the last paragraph is for the model alone
        else:
            begun = any(isinstance(message, ToolMessage) for message in messages)
            arguments = {"outcome" if begun else "question": said.content}
            reply = AIMessage("", tool_calls=[{"name": "howto", "args": arguments, "id": f"call-{len(messages)}"}])
        return ChatResult(generations=[ChatGeneration(message=reply)])


units = LogicUnitTextSplitter().split_documents([Document(text, id=path) for path, text in read()])
store = Chroma.from_documents(
    units,
    HeaderEmbeddings(DefaultEmbeddings()),
    collection_name="agent-tool",
    collection_configuration={"hnsw": {"space": "cosine"}},
)
howto = create_howto_tool(ThreadRetriever(vectorstore=store))
has_key = bool(os.environ.get("OPENAI_API_KEY"))
model = ChatOpenAI(model=os.environ.get("OPENAI_MODEL", "gpt-4.1-mini")) if has_key else PassesOn()


def talk(checkpoints: Path, said: str) -> None:
    """One turn of the conversation. The agent is made anew for each, as in a process that has just begun."""
    agent = create_agent(
        model,
        [howto],
        system_prompt="Help with the tool howto. Tell the person each step in full, then wait for what came of it.",
        checkpointer=SqliteSaver(sqlite3.connect(checkpoints, check_same_thread=False)),
    )
    print(f"\n> {said}")
    print(agent.invoke({"messages": [("user", said)]}, CONFIG, durability="sync")["messages"][-1].text)


with tempfile.TemporaryDirectory() as folder:
    for words in ("Messages pile up in a queue, what do I do?", "the queue is stable", "it is 15 minutes or more"):
        talk(Path(folder) / "checkpoints.sqlite3", words)
# -> Message queue backlog: Getting an impression
# -> 4. the queue is stable
# -> Message queue backlog: Getting an impression: If the queue is stable
# -> Message queue backlog: The message that cannot be read
