"""LlamaIndex with a model: it divides a guide, chooses units, puts answers into words and tells what an outcome means.

Wants a key in OPENAI_API_KEY; OPENAI_BASE_URL reaches another service that speaks OpenAI's protocol. Good replies are
kept in replies.sqlite3: the second run divides nothing anew. Lines that begin with `# ->` are what the tests' scripted
service makes it print; a real model uses other words.
"""

import os

import chromadb
from _documents import FOLDER
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.llms.openai_like import OpenAILike
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread import (
    DefaultEmbedding,
    HowToSession,
    LogicUnitNodeParser,
    ThreadQueryEngine,
    ThreadRetriever,
)
from llama_index_thread.models import to_access
from thread_core.llm.costs import Budget
from thread_core.llm.reply_cache import SqliteReplyCache

llm = OpenAILike(
    model=os.environ.get("OPENAI_MODEL", "gpt-4.1-mini"),
    api_base=os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    api_key=os.environ["OPENAI_API_KEY"],
    is_chat_model=True,
    max_retries=0,  # busy services are asked again here, as they wish to be: the client need not do it too
)
models = to_access(llm, budget=Budget(tokens=50_000), cache=SqliteReplyCache("replies.sqlite3"))

guide = FOLDER / "queue-backlog.md"
parser = LogicUnitNodeParser(llm=models)
nodes = parser.get_nodes_from_documents([Document(id_=guide.name, text=guide.read_text(encoding="utf-8"))])
print(len(nodes), "units for", models.usage.calls, "call")
# -> 8 units for 1 call

collection = chromadb.EphemeralClient().create_collection(
    "llama-index-with-a-model", configuration={"hnsw": {"space": "cosine"}}
)
storage = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
index = VectorStoreIndex(nodes, embed_model=DefaultEmbedding(), storage_context=storage)
retriever = ThreadRetriever(index)

# An answer in the model's words, streamed. Sources are added, and what no source says is named.
response = ThreadQueryEngine(retriever, models, streaming=True).query("The queue keeps growing, what do I do?")
response.print_response_stream()
# -> Look at the number of consumers; when it is zero, start them with
# -> `lumenctl instance start --service <consumer>` [1].
# -> Sources:
# -> [1] queue-backlog.md:17-21
print("\n\nIt took", response.metadata["usage"]["calls"], "calls.")
# -> It took 2 calls.

# A walk: the outcome, in any words, selects the branch. Steps are shown as the document has them.
session = HowToSession(retriever, models)
session.start("Messages pile up in a queue, what do I do?")
print(session.respond("it was 12,000 all the time, more or less"))
# -> Message queue backlog: Getting an impression: If the queue is stable
