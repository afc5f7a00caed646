"""LlamaIndex: an agent that walks through a runbook with a tool, one step a call, and goes on in another process.

No key, no download: the agent's model is a script here, and any function-calling model takes its place. Lines at the
end that begin with `# ->` are what it prints; the tests compare them.
"""

import asyncio
import json
import warnings
from textwrap import shorten

import chromadb
from _documents import read
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage, MockFunctionCallingLLM
from llama_index.core.workflow import Context
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread import DefaultEmbedding, LogicUnitNodeParser, ThreadRetriever, create_howto_tool

warnings.filterwarnings("ignore", message="Skipping serialization of known unserializable key: memory")


def calls(**arguments: str) -> ChatMessage:
    """What a model replies to call the tool."""
    block = ToolCallBlock(tool_call_id="1", tool_name="howto", tool_kwargs=arguments)
    return ChatMessage(role="assistant", blocks=[block])


def says(text: str) -> ChatMessage:
    return ChatMessage(role="assistant", content=text)


# What a model would reply, turn by turn.
SCRIPT = iter(
    [
        calls(question="Service A cannot reach Service B, what do I do?"),
        says("Please ask Service B for its health. What does it answer?"),
        calls(outcome="The health check answers 503"),
        says("Then look at the instances of Service B. How are they?"),
        calls(outcome="one is Evicted"),
        says("Its node is short of disk space: look at how full the filesystems are."),
    ]
)


def an_agent(retriever: ThreadRetriever) -> FunctionAgent:
    llm = MockFunctionCallingLLM(response_generator=lambda messages, **_: next(SCRIPT))  # yours goes here
    return FunctionAgent(
        tools=[create_howto_tool(retriever)],
        llm=llm,
        system_prompt="Help with incidents. Follow the runbooks: call howto for every step, and report what was seen.",
    )


async def ask(agent: FunctionAgent, ctx: Context, message: str) -> None:
    print(f"\nPerson: {message}")
    handler = agent.run(message, ctx=ctx)
    async for event in handler.stream_events():
        if isinstance(event, ToolCallResult):
            print("Tool:  ", shorten(event.tool_output.content.splitlines()[0], 80))
    print("Agent: ", await handler)


async def main(retriever: ThreadRetriever) -> None:
    agent = an_agent(retriever)
    ctx = Context(agent)
    await ask(agent, ctx, "Service A cannot reach Service B!")
    await ask(agent, ctx, "It answers 503.")

    # The walk is a part of the agent's context: JSON, for another process on another day.
    saved = json.dumps(ctx.to_dict())
    agent = an_agent(retriever)
    ctx = Context.from_dict(agent, json.loads(saved))
    await ask(agent, ctx, "One of them is Evicted.")


documents = [Document(id_=path, text=text) for path, text in read()]
collection = chromadb.EphemeralClient().create_collection(
    "llama-index-agent-tool", configuration={"hnsw": {"space": "cosine"}}
)
index = VectorStoreIndex(
    LogicUnitNodeParser().get_nodes_from_documents(documents),
    embed_model=DefaultEmbedding(),
    storage_context=StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection)),
)
asyncio.run(main(ThreadRetriever(index)))
# -> Person: Service A cannot reach Service B!
# -> Tool:   Service A cannot connect to Service B: Check the health of Service B: [...]
# -> Person: It answers 503.
# -> Tool:   Service A cannot connect to Service B: Check the state of the instances of [...]
# -> Person: One of them is Evicted.
# -> Tool:   Node disk pressure: Diagnosis: Confirm the pressure
# -> Agent:  Its node is short of disk space: look at how full the filesystems are.
