"""Walks with a script, and the fronts that play them. A front knows nothing of a walk but what it reads from files.

`main` plays one turn, by its index, of each walk at some of the fronts in a process of its own, prints a line of JSON
for each, and is killed with everything still open.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import chromadb
import chromadb.api.rust  # Chroma imports it when a client is made.
from chromadb.api import ClientAPI
from langchain_chroma import Chroma
from langchain_core.documents import Document as LangChainDocument
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from llama_index.core import Document as LlamaIndexDocument
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.utils import get_tokenizer
from llama_index.core.workflow import Context
from llama_index.vector_stores.chroma import ChromaVectorStore

import langchain_thread
import llama_index_thread
from langchain_thread.graph import aanswering, answering, create_howto_graph
from llama_index_thread.workflow import AnswerEvent, HowToEndEvent, TurnEvent
from thread_chroma.store import ChromaUnitStore
from thread_core import Document, RuleExtractor, default_embedding
from thread_core.executors import Allow, CommandExecutor
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.journal import Journal
from thread_core.walk.rendering import Turn
from thread_core.walk.saving import SessionFile
from thread_core.walk.session import HowToSession
from thread_core.walk.state import SessionState

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
COSINE: Any = {"hnsw": {"space": "cosine"}}
CONFIG: Any = {"configurable": {"thread_id": "walk"}}

SLUICE = """\
# The sluice does not open

## Step 1: Read the level

```sh
echo high
```

- If it prints "high", go to [Release the brake](#step-2-release-the-brake).
- If it prints "low", wait for rain.

## Step 2: Release the brake

```sh
echo free
```

- If it prints "free", go to [Fetch the crank](#step-3-fetch-the-crank).
- If it prints "stuck", call the smith.

## Step 3: Fetch the crank

```sh
ls the-crank
```

- If the crank is there, turn it.
- If the crank is missing, follow [The spare crank](crank.md).

## Step 4: Look again

Look at the gate.

- If water flows, the issue is resolved.
- If the gate stays shut, go back to [Read the level](#step-1-read-the-level).
"""
CRANK = """\
# The spare crank

Ask the keeper of the next sluice for the spare crank, and sign for it.
"""
TAP = """\
# The tap drips

## Step 1: Tighten the tap

Turn the tap to the right.

- If it drips on, go to [Change the washer](#step-2-change-the-washer).
- If it is dry, the issue is resolved.

## Step 2: Change the washer

Put a new washer in. Then go back to [Tighten the tap](#step-1-tighten-the-tap).
"""
KETTLE = """\
# Kettle

## Lid does not close

Wipe the rim.

## Water is not hot

Turn the knob to the right.
"""
RULES = (
    Allow("echo", ("high",), ask=False),
    Allow("echo", ("free",)),
    Allow("ls", ("the-crank",), ask=False),
)
"""What an executor may run: the first and the last as they are, the second once the person says so."""


class Walk:
    """A question, and what the person says to each turn after it."""

    def __init__(self, *said: str, executing: bool = False) -> None:
        self.said = said
        self.executing = executing

    def __str__(self) -> str:
        return f"{', '.join(self.said[:3])}{', executing' if self.executing else ''}"


A, SHUT = "Service A cannot reach Service B", "The sluice does not open"
WALKS = (
    Walk(A, "The health check answers 200", "there is no route", "done", "The calls succeed", "yes"),
    Walk(A, "2", "An instance is Evicted", "done", "done", "done"),
    Walk("How do I clear disk pressure on a node?", "/var is at 93 %", "The images take 35 GB", "next", "It is solved"),
    Walk("A node does not report. How do I bring it back?", "yes", "no", "Agent 2.4", "it answers pong", "silent"),
    Walk("My printer shows as offline, what can I do?", "no", "macOS", "The page does not come out", "99", "3"),
    Walk("the moon is made of cheese", "next", "no", "2", "next", "what now"),
    Walk(A, "back", "why?", "2", "where are we?", "skip"),
    Walk(A, "2", "an instance is Failed", "skip", "back", "start over"),
    Walk(A, "I give up", "no, the health check answers 503", "it is solved", "back"),
    Walk("The tap drips", "1", "done", "it drips on", "back", "it is dry", "yes"),
    Walk("The tap drips", "1", "done", "1", "done", "1", "done", "hmm", "yes", "1"),
    Walk("The lid of the kettle does not close", "it did not help", "none of these", "thanks"),
    Walk("How do I use the kettle?", "done", "yes", "done", "no"),
    Walk(SHUT, 'it prints "high"', "free", "it is missing", "done", "it stays shut"),
    Walk(SHUT, "what do you mean?", "hmm", "stop", "1", executing=True),
    Walk(A, "what is an instance?", "lol", "An instance is Evicted", "where is that", "done"),
    Walk(SHUT, "Run it", "the crank is missing", "done", "water flows", executing=True),
    Walk(SHUT, "I do it myself", "why?", 'it prints "free"', "back", executing=True),
)
BROAD = (WALKS[4], WALKS[6], WALKS[8], WALKS[-2])
"""Together they have most of what can happen."""


# -- the stores ----------------------------------------------------------------------------------------------------


@cache
def texts() -> dict[str, str]:
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.md"))}
    return found | {"sluice.md": SLUICE, "crank.md": CRANK, "tap.md": TAP, "kettle.md": KETTLE}


def put_into(store: MemoryStore | ChromaUnitStore) -> Library:
    """The documents as the core alone makes units of them."""
    extractor = RuleExtractor()
    units = [unit for path, text in texts().items() for unit in extractor.extract(Document(path, text)).units]
    store.write(units, default_embedding().embed([unit.header for unit in units]))
    return Library(store, default_embedding())


@dataclass(frozen=True)
class Stores:
    """The documents in a Chroma directory, as the core and each framework keep them."""

    client: ClientAPI
    core: Library
    langchain: langchain_thread.ThreadRetriever
    llama_index: llama_index_thread.ThreadRetriever

    @classmethod
    def made(cls, folder: Path) -> Stores:
        client = _client(folder)
        put_into(_core_store(client))
        documents = [LangChainDocument(text, id=path) for path, text in texts().items()]
        _langchain_store(client).add_documents(langchain_thread.LogicUnitTextSplitter().split_documents(documents))
        nodes = llama_index_thread.LogicUnitNodeParser().get_nodes_from_documents(
            [LlamaIndexDocument(id_=path, text=text) for path, text in texts().items()]
        )
        context = StorageContext.from_defaults(vector_store=_llama_index_store(client))
        VectorStoreIndex(nodes, storage_context=context, embed_model=llama_index_thread.DefaultEmbedding())
        return cls._of(client)

    @classmethod
    def opened(cls, folder: Path) -> Stores:
        """As any process opens them."""
        return cls._of(_client(folder))

    @classmethod
    def _of(cls, client: ClientAPI) -> Stores:
        return cls(
            client,
            Library(_core_store(client), default_embedding()),
            langchain_thread.ThreadRetriever(vectorstore=_langchain_store(client)),
            llama_index_thread.ThreadRetriever(
                vector_store=_llama_index_store(client), embed_model=llama_index_thread.DefaultEmbedding()
            ),
        )


def _client(folder: Path) -> ClientAPI:
    return chromadb.PersistentClient(folder, settings=chromadb.Settings(anonymized_telemetry=False))


def _core_store(client: ClientAPI) -> ChromaUnitStore:
    return ChromaUnitStore(client.get_or_create_collection("core", configuration=COSINE, embedding_function=None))


def _langchain_store(client: ClientAPI) -> Chroma:
    embeddings = langchain_thread.HeaderEmbeddings(langchain_thread.DefaultEmbeddings())
    return Chroma("langchain", embeddings, client=client, collection_configuration=COSINE)


def _llama_index_store(client: ClientAPI) -> ChromaVectorStore:
    return ChromaVectorStore(chroma_collection=client.get_or_create_collection("llama_index", configuration=COSINE))


# -- the fronts ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a walk at a front lives: all that is known of it are the files of a folder."""

    folder: Path
    stores: Stores
    executing: bool

    @property
    def is_new(self) -> bool:
        return not any(self.folder.iterdir())

    @property
    def options(self) -> dict[str, Any]:
        """What every front takes."""
        journal = Journal(self.folder / "journal.jsonl")
        return {"executor": executor() if self.executing else None, "journal": journal}


def executor() -> CommandExecutor:
    return CommandExecutor(RULES, folder=Path(__file__).parent)


class Seen(NamedTuple):
    """What the person reads after they said something, and where the walk stands then."""

    turn: dict[str, Any]
    """A `Turn` as plain data, its text as a chat has it: with the options below."""
    state: dict[str, Any]
    """A `SessionState` as plain data, without its id."""


def seen(turn: Turn, state: SessionState) -> Seen:
    return Seen(turn.model_dump(mode="json") | {"text": str(turn)}, state.model_dump(mode="json", exclude={"id"}))


def _refused(shown: Turn, reason: str) -> Turn:
    return shown.model_copy(update={"text": f"{reason}\n\n{shown.text}"}) if reason else shown


def core(place: Place, said: str) -> Iterator[Seen]:
    yield _at_session(place, HowToSession(place.stores.core, **place.options), said)


def langchain(place: Place, said: str) -> Iterator[Seen]:
    yield _at_session(place, langchain_thread.HowToSession(place.stores.langchain, **place.options), said)


def llama_index(place: Place, said: str) -> Iterator[Seen]:
    yield _at_session(place, llama_index_thread.HowToSession(place.stores.llama_index, **place.options), said)


def _at_session(place: Place, session: HowToSession, said: str) -> Seen:
    file = SessionFile(place.folder / "session.json")
    is_new = not (place.folder / "session.json").exists()
    turn = session.start(said) if is_new else session.resumed(file.read()).respond(said)
    file.write(session.state)
    return seen(turn, session.state)


def chat(place: Place, said: str) -> Iterator[Seen]:
    """The state, and not the memory, says where it stands."""
    file = SessionFile(place.folder / "session.json")
    retriever = place.stores.llama_index
    if place.is_new:
        engine = llama_index_thread.ThreadChatEngine(retriever, **place.options)
    else:
        engine = llama_index_thread.ThreadChatEngine.resume(file.read(), retriever, **place.options)
    reply = engine.chat(said)
    file.write(engine.state)
    turn = Turn.model_validate({"text": reply.response, **reply.metadata})
    yield seen(turn, engine.state)._replace(turn=turn.model_dump(mode="json"))


def graph(place: Place, said: str) -> Iterator[Seen]:
    is_new = place.is_new
    with closing(sqlite3.connect(place.folder / "walk.sqlite3", check_same_thread=False)) as connection:
        app = create_howto_graph(place.stores.langchain, **place.options).compile(checkpointer=SqliteSaver(connection))
        given = {"question": said} if is_new else answering(app, CONFIG, said)
        yield _at_graph(app.invoke(given, CONFIG, durability="sync"))


def awaited_graph(place: Place, said: str) -> Iterator[Seen]:
    is_new = place.is_new

    async def turn() -> Seen:
        saver = await opened.enter_async_context(AsyncSqliteSaver.from_conn_string(str(place.folder / "walk.sqlite3")))
        app = create_howto_graph(place.stores.langchain, **place.options).compile(checkpointer=saver)
        given = {"question": said} if is_new else await aanswering(app, CONFIG, said)
        return _at_graph(await app.ainvoke(given, CONFIG, durability="sync"))

    with asyncio.Runner() as runner:
        opened = AsyncExitStack()
        try:
            yield runner.run(turn())
        finally:
            runner.run(opened.aclose())


def _at_graph(given: Any) -> Seen:
    return seen(Turn.model_validate(given["turn"]), SessionState.model_validate(given["session"]))


def workflow(place: Place, said: str) -> Iterator[Seen]:
    file = place.folder / "context.json"
    is_new = place.is_new
    flow = llama_index_thread.HowToWorkflow(place.stores.llama_index, **place.options)

    async def turn() -> Seen:
        if is_new:
            handler = flow.run(question=said)
        else:
            ctx: Context[Any] = Context.from_dict(flow, json.loads(file.read_text()))
            waits = ctx.is_running
            handler = flow.run(ctx=ctx) if waits else flow.run(ctx=ctx, answer=said)
            if waits:
                handler.ctx.send_event(AnswerEvent(text=said))
        async for event in handler.stream_events():
            if isinstance(event, TurnEvent | HowToEndEvent):
                file.write_text(json.dumps(handler.ctx.to_dict()))
                state = (await handler.ctx.store.get_state()).session
                return seen(_refused(event.turn, getattr(event, "refused", "")), state)
        return await handler  # raises what went wrong

    with asyncio.Runner() as runner:
        yield runner.run(turn())


FRONTS: dict[str, Callable[[Place, str], AbstractContextManager[Seen]]] = {
    front.__name__: contextmanager(front)
    for front in (core, langchain, llama_index, chat, graph, awaited_graph, workflow)
}
"""What comes of something that is said, with all that was opened for it kept open."""


# -- a process -----------------------------------------------------------------------------------------------------


def prepare() -> None:
    """Load what each process would: the memory of a chat counts tokens."""
    default_embedding()
    get_tokenizer()


def main(walks: str, turn: str, *fronts: str) -> None:
    folder, index = Path(walks), int(turn)
    stores = Stores.opened(folder / "stores")
    with ExitStack() as opened:
        for front, (number, walk) in product(fronts, enumerate(WALKS)):
            if index < len(walk.said):
                place = Place(folder / front / str(number), stores, walk.executing)
                place.folder.mkdir(parents=True, exist_ok=True)
                shown, state = opened.enter_context(FRONTS[front](place, walk.said[index]))
                print(json.dumps([front, number, shown, state]), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
