"""One turn of a walk in a process of its own; the words of `main` are FOLDER TEXT [alone | runs | dies].

The folder has the store, the context between turns, the journal, and a line in `ran` for everything that was run.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path

import chromadb
import chromadb.api.rust  # Chroma imports it when a client is made.
from llama_index.core.workflow import Context
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread import AnswerEvent, DefaultEmbedding, HowToEndEvent, HowToWorkflow, ThreadRetriever, TurnEvent
from thread_core import default_embedding
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.journal import Journal


class Runs:
    """Runs everything, or dies while it does."""

    def __init__(self, folder: Path, dies: bool) -> None:
        self._ran = folder / "ran"
        self._dies = dies

    def run(self, action: Action) -> Outcome:
        with self._ran.open("a") as file:
            file.write(f"{action.header}\n")
        if self._dies:
            os.kill(os.getpid(), signal.SIGKILL)
        return Outcome(kind=OutcomeKind.OBSERVED, text="it works")


async def one_turn(folder: Path, text: str, executor: Runs | None) -> None:
    client = chromadb.PersistentClient(folder / "chroma", settings=chromadb.Settings(anonymized_telemetry=False))
    store = ChromaVectorStore(chroma_collection=client.get_collection("guides", embedding_function=None))
    retriever = ThreadRetriever(vector_store=store, embed_model=DefaultEmbedding())
    workflow = HowToWorkflow(retriever, executor=executor, journal=Journal(folder / "journal.jsonl"))
    context = folder / "context.json"
    if not context.exists():
        handler = workflow.run(question=text)
    else:
        ctx: Context = Context.from_dict(workflow, json.loads(context.read_text()))
        handler = workflow.run(ctx=ctx, **({} if ctx.is_running else {"answer": text}))
        if ctx.is_running:
            handler.ctx.send_event(AnswerEvent(text=text))
    async for event in handler.stream_events():
        if isinstance(event, TurnEvent | HowToEndEvent):
            context.write_text(json.dumps(handler.ctx.to_dict()))
            print(event.turn.model_dump_json())
            return


def prepare() -> None:
    """Load what each process would."""
    default_embedding()


def main(folder: str, text: str, hands: str) -> None:
    where = Path(folder)
    asyncio.run(one_turn(where, text, None if hands == "alone" else Runs(where, hands == "dies")))
