"""An incident at night: a guide is walked, harmless steps run by themselves, and a colleague takes over.

The walk is a LangGraph graph. Its checkpoints and its journal are files, so it goes on in another process. An executor
runs the commands that its rules allow, asks where the guide needs what only a person can vouch for, and leaves to the
engineer what the guide warns of. The platform's command is a script that stands in for it and changes nothing:
bin/lumenctl. Lines that begin with `# ->` are some of what it prints.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from _documents import read
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langgraph.checkpoint.sqlite import SqliteSaver

from langchain_thread import (
    DefaultEmbeddings,
    HeaderEmbeddings,
    LogicUnitTextSplitter,
    ThreadRetriever,
    answering,
    create_howto_graph,
)
from thread_core.executors import Allow, Among, CommandExecutor
from thread_core.walk.journal import Journal

QUESTION = "The primary of the orders database is down. How do I fail over?"
CONFIG = {"configurable": {"thread_id": "incident-17"}}
RULES = [
    Allow("lumenctl", ("db", "ping", "orders"), {"--member": Among("primary"), "--from": Among("gateway")}, ask=False),
    Allow("lumenctl", ("db", "fence", "orders"), {"--member": Among("m1", "m2")}),
]
"""To look is allowed, to fence is asked about, and whatever stands in no rule is the engineer's."""


def retriever(folder: Path) -> ThreadRetriever:
    """The guides, ingested by the process that comes first."""
    store = Chroma(
        "guides",
        HeaderEmbeddings(DefaultEmbeddings()),
        persist_directory=str(folder / "store"),
        collection_configuration={"hnsw": {"space": "cosine"}},
    )
    if not store.get(limit=1)["ids"]:
        store.add_documents(LogicUnitTextSplitter().split_documents([Document(text, id=path) for path, text in read()]))
    return ThreadRetriever(vectorstore=store)


def open_app(folder: Path):
    """The same in each process: the store, the checkpoints and the journal are files."""
    os.environ["PATH"] = f"{Path(__file__).parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    journal = Journal(folder / "journal.jsonl")
    executor = CommandExecutor(RULES, folder=folder, journal=journal)
    graph = create_howto_graph(retriever(folder), executor=executor, journal=journal)
    return graph.compile(checkpointer=SqliteSaver(sqlite3.connect(folder / "walks.sqlite3", check_same_thread=False)))


def show(turn: dict) -> None:
    print("".join(f"  | {line}\n" for line in turn["text"].splitlines()), end="")
    print(f"  {turn['status']}: {' / '.join(turn['options'])}\n" if turn["options"] else f"  {turn['status']}\n")


def say(app, words: str) -> None:
    """What the engineer answers, and what is read then. `sync`: the answer is kept before anything is done about it."""
    print(f"> {words}")
    show(app.invoke(answering(app, CONFIG, words), CONFIG, durability="sync")["turn"])


def first_engineer(folder: Path) -> None:
    print(f"== The first engineer asks: {QUESTION}")
    app = open_app(folder)
    show(app.invoke({"question": QUESTION}, CONFIG, durability="sync")["turn"])
    # The guide needs a role and a window, for which only the engineer can vouch: so even to ping is asked about, once.
    # Then the shift ends, and with it the process.


def second_engineer(folder: Path) -> None:
    print("== The second engineer takes over, in another process, and reads where it stands")
    app = open_app(folder)
    (pause,) = app.get_state(CONFIG).interrupts
    show(pause.value)
    say(app, "Run it")
    # Nobody reads what a program printed as "any answer other than pong": that is the engineer's to say.
    say(app, "there is any answer other than pong")
    # The ping from another place was run unasked, and its answer is no `pong` either.
    say(app, "no answer")
    # From here on the guide warns, so nothing is run any more, though a rule would let a fence be asked about.
    say(app, "it is 20 seconds old")
    say(app, "fence failed")
    print("== The journal")
    for entry in Journal(folder / "journal.jsonl").entries():
        if entry["event"] in ("answered", "asked", "ended"):
            said = entry.get("answer") or " ".join(entry.get("words") or entry["commands"][0])
            print(f"{entry['event']}: {said} {entry.get('how', '')}".rstrip())


def main() -> None:
    if sys.argv[1:2] == ["take-over"]:
        second_engineer(Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        first_engineer(Path(folder))
        sys.stdout.flush()
        subprocess.run([sys.executable, __file__, "take-over", folder], check=True)


if __name__ == "__main__":
    main()

# ->   asking: Run it / I do it myself
# -> == The second engineer takes over, in another process, and reads where it stands
# ->   | Done: lumenctl db ping orders --member primary
# ->   | Done: lumenctl db ping orders --member primary --from gateway
# ->   awaiting: fence failed / Otherwise
# ->   | What was tried for: The primary of the orders database is down. How do I fail over?
# ->   escalated
# -> ended: lumenctl db ping orders --member primary --from gateway ended with exit code 0
