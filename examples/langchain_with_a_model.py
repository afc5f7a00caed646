"""LangChain with a model: it divides a guide, chooses units, puts answers into words and tells what an outcome means.

Wants a key in OPENAI_API_KEY; OPENAI_BASE_URL reaches another service that speaks OpenAI's protocol. Good replies are
kept in replies.sqlite3: the second run divides nothing anew. Lines that begin with `# ->` are what the tests' scripted
service makes it print; a real model uses other words.
"""

import os

from _documents import FOLDER
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_openai import ChatOpenAI

from langchain_thread import (
    DefaultEmbeddings,
    HeaderEmbeddings,
    HowToSession,
    LogicUnitTextSplitter,
    ThreadRetriever,
    create_howto_chain,
)
from langchain_thread.models import to_access
from thread_core.llm.costs import Budget
from thread_core.llm.reply_cache import SqliteReplyCache

# Busy services are asked again here, as they wish to be: the client need not do it too.
llm = ChatOpenAI(model=os.environ.get("OPENAI_MODEL", "gpt-4.1-mini"), max_retries=0)
models = to_access(llm, budget=Budget(tokens=50_000), cache=SqliteReplyCache("replies.sqlite3"))

guide = FOLDER / "queue-backlog.md"
splitter = LogicUnitTextSplitter(llm=models)
units = splitter.split_documents([Document(guide.read_text(encoding="utf-8"), id=guide.name)])
print(len(units), "units for", models.usage.calls, "call")
# -> 8 units for 1 call

store = Chroma.from_documents(
    units,
    HeaderEmbeddings(DefaultEmbeddings()),
    collection_name="langchain-with-a-model",
    collection_configuration={"hnsw": {"space": "cosine"}},
)
retriever = ThreadRetriever(vectorstore=store)

# An answer in the model's words, streamed. Sources are added, and what no source says is named.
whole = None
for piece in create_howto_chain(retriever, models).stream({"question": "The queue keeps growing, what do I do?"}):
    print(piece.get("answer", ""), end="", flush=True)
    whole = piece if whole is None else whole + piece
# -> Look at the number of consumers; when it is zero, start them with
# -> `lumenctl instance start --service <consumer>` [1].
# -> Sources:
# -> [1] queue-backlog.md:17-21
print("\n\nIt took", whole["usage"]["calls"], "calls.")
# -> It took 2 calls.

# A walk: the outcome, in any words, selects the branch. Steps are shown as the document has them.
session = HowToSession(retriever, models)
session.start("Messages pile up in a queue, what do I do?")
print(session.respond("it was 12,000 all the time, more or less"))
# -> Message queue backlog: Getting an impression: If the queue is stable
