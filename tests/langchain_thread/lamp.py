"""A short guide with branches, an executor that leaves marks, and one turn of a walk in a process of its own.

The words of `main` are one of these; the last one has the process die within the executor:

FOLDER ask QUESTION [die]
FOLDER answer TEXT
FOLDER go-on

It prints the turn, or the error, as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import chromadb
import chromadb.api.rust  # Chroma imports it when a client is made.
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langgraph.checkpoint.sqlite import SqliteSaver

from langchain_thread import DefaultEmbeddings, HeaderEmbeddings, LogicUnitTextSplitter, ThreadRetriever
from langchain_thread.graph import App, answering, create_howto_graph
from thread_core import default_embedding
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.testing.model import ScriptedModel
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.journal import Journal

GUIDE = """\
# The lamp is dark

## Look at the switch

Run `switch status`.

- If it prints "off", go to [Switch it on](#switch-it-on).
- If it prints "fine", go to [Change the bulb](#change-the-bulb).

## Switch it on

Run `switch on`.

- If the lamp stays "dark", go to [Change the bulb](#change-the-bulb).
- If the lamp is lit, the issue is resolved.

## Change the bulb

Unscrew the bulb and put a new one in.

- If the lamp is lit, the issue is resolved.
- If the lamp stays dark, open a ticket with the electrician.
"""
QUESTION = "The lamp is dark, what do I do?"
CONFIG: Any = {"configurable": {"thread_id": "lamp-7"}}
CHOSEN = '{"prerequisites": [], "units": ["1"], "query": []}'
"""A selector's reply: the unit that fits best."""
EARLIER = "from earlier: what held then need not hold now"
"""What a model reads above a step of another walk."""
LOOK, SWITCH, BULB = "Look at the switch", "Switch it on", "Change the bulb"
SEEN = {LOOK: "off", SWITCH: "dark"}


def of(user_id: str, thread_id: str) -> Any:
    """The config of a person's thread."""
    return {"configurable": {"user_id": user_id, "thread_id": thread_id}}


def selecting(model: ScriptedModel) -> ModelAccess:
    """A model that chooses the first step, and no more."""
    return ModelAccess({Role.SELECTOR: model})


def told(model: ScriptedModel) -> list[str]:
    """What a model was asked."""
    return [asked[-1].text for asked in model.seen]


def units(guide: str = GUIDE) -> list[Document]:
    return LogicUnitTextSplitter().split_documents([Document(guide, id="lamp.md")])


@cache
def over_the_lamp() -> ThreadRetriever:
    """One for all tests that leave the guide as it is."""
    store = Chroma.from_documents(
        units(),
        HeaderEmbeddings(DefaultEmbeddings()),
        client=chromadb.EphemeralClient(),
        collection_name="lamp",
        collection_configuration={"hnsw": {"space": "cosine"}},
    )
    return ThreadRetriever(vectorstore=store)


def section(text: str) -> str:
    """Of the step that a text shows."""
    return next((name for name in (LOOK, SWITCH, BULB) if name in text.splitlines()[0]), text)


class Marking:
    """Does what `SEEN` knows, and notes each step that it begins."""

    def __init__(self, mark: Callable[[str], object]) -> None:
        self._mark = mark

    def run(self, action: Action) -> Outcome:
        step = action.header.split(": ")[1]
        if step not in SEEN:
            return Outcome(kind=OutcomeKind.HANDED, text="nobody but you has a bulb")
        self._mark(step)
        return Outcome(kind=OutcomeKind.OBSERVED, text=SEEN[step])


class Asking:
    """Wants to be allowed what it knows."""

    def run(self, action: Action) -> Outcome:
        if LOOK not in action.header:
            return Outcome(kind=OutcomeKind.HANDED)
        if action.approved != action.digest:
            return Outcome(kind=OutcomeKind.APPROVAL, text="It is the switch of the hall.")
        return Outcome(kind=OutcomeKind.OBSERVED, text=SEEN[LOOK])


def open_app(folder: Path, dies: bool) -> App:
    """As any process opens it: the store, the checkpoints and the journal are files."""
    store = Chroma(
        persist_directory=str(folder / "store"),
        collection_name="lamp",
        embedding_function=HeaderEmbeddings(DefaultEmbeddings()),
        collection_configuration={"hnsw": {"space": "cosine"}},
    )
    if not store.get(limit=1)["ids"]:
        store.add_documents(units())

    def mark(step: str) -> None:
        with (folder / "marks").open("a") as marks:
            print(step, file=marks)
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)

    journal = Journal(folder / "journal.jsonl")
    graph = create_howto_graph(ThreadRetriever(vectorstore=store), executor=Marking(mark), journal=journal)
    connection = sqlite3.connect(folder / "walks.sqlite3", check_same_thread=False)
    return graph.compile(checkpointer=SqliteSaver(connection))


def prepare() -> None:
    """Load what each process would."""
    default_embedding()


def main(at: str, action: str, text: str = "", dies: str = "") -> None:
    print(json.dumps(_turn(open_app(Path(at), bool(dies)), action, text)))


def _turn(app: App, action: str, text: str) -> Any:
    try:
        match action:
            case "ask":
                given: Any = {"question": text}
            case "answer":
                given = answering(app, CONFIG, text)
            case _:
                given = None
        return app.invoke(given, CONFIG, durability="sync")["turn"]
    except Exception as error:
        return {"error": type(error).__name__, "text": str(error)}
