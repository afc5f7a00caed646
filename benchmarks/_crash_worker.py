"""Processes that take a folder of documents into a store, made to be killed.

Run as a program it has everything imported, reads orders from its input, one a line, and forks a process for each: so a
process that opens a store, takes documents in and ends is there within milliseconds, and can be killed at any of them.

    {"target": {...}, "folder": "...", "prune": true}   ->  a line with the process's id, then one with its exit status

A process notes in a shared file of one byte how far it has come; that is all that is left to tell where it was killed.
"""

from __future__ import annotations

import json
import mmap
import os
import sqlite3
import sys
import traceback
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import _guides
import chromadb
from _ingest import LEDGER, WORDS, into
from chromadb.api import ClientAPI
from chromadb.api.models.Collection import Collection
from chromadb.config import Settings
from langchain_openai import ChatOpenAI

from langchain_thread.models import ChatModel
from thread_chroma import ChromaUnitStore, open_server, open_store
from thread_chroma.opening import COLLECTION
from thread_core import Document, RuleExtractor, default_embedding
from thread_core.embedding import StaticEmbedding
from thread_core.errors import ThreadError
from thread_core.extraction.extractor import LLMExtractor
from thread_core.llm.access import ModelAccess
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.store.lexical import SqliteLexicalIndex

REPLIES = "replies.sqlite3"
STAGE, LOG, SEEN = "stage", "log.txt", "seen.json"
STAGES = (
    "opening the store",
    "taking documents apart",
    "embedding",
    "changing the words",
    "writing rows",
    "between writing and deleting rows",
    "deleting rows",
    "after the rows",
)
SOUGHT = 10
"""Units that are searched for by the vectors of their own headers, and"""
NEAREST = 20
"""the nearest units among which they must be."""
MODEL = "scripted"
COMPLAINED = 3
"""Exit status of a process that has said what is wrong, in one of our own errors."""


LATE = (
    *("chromadb.api.rust", "chromadb.api.fastapi", "chromadb.telemetry.product.posthog", "httpcore"),
    "openai.resources",
    *("thread_rag.cli", "thread_rag.extracting", "thread_rag.ingesting", "thread_rag.models", "thread_rag.summary"),
)
"""Modules that are imported where they are needed; those of OpenAI's client alone take more than a run."""


class Target(NamedTuple):
    """A store, and how documents are taken into it. Everything that is kept is in its directory."""

    directory: str
    server: str = ""
    """URL of the Chroma server; Chroma is embedded where it is empty."""
    model: str = ""
    """URL of the model's service; the rules alone take documents apart where it is empty."""
    command: bool = False
    """Whether the command `thread-rag` does it."""

    def path(self, name: str) -> Path:
        """A file of the directory."""
        return Path(self.directory) / name

    def store(self) -> ChromaUnitStore:
        """The store, made where it is missing."""
        return open_server(self.server, create=True) if self.server else open_store(self.directory, create=True)

    def collection(self) -> Collection:
        """The rows of the store."""
        return self.client().get_collection(COLLECTION, embedding_function=None)

    def client(self) -> ClientAPI:
        """Chroma's client."""
        settings = Settings(anonymized_telemetry=False)
        at = urlsplit(self.server)
        if self.server:
            return chromadb.HttpClient(at.hostname or "", at.port or 0, settings=settings)
        return chromadb.PersistentClient(self.directory, settings)


def read(folder: Path) -> list[Document]:
    """The documents of a folder."""
    return [Document(file.relative_to(folder).as_posix(), file.read_text()) for file in sorted(folder.rglob("*.md"))]


def take_in(target: Target, folder: Path, *, prune: bool) -> None:
    """One run of an ingest, to its end."""
    extractor = None
    if target.model:
        client = ChatOpenAI(model=MODEL, base_url=target.model, api_key="test", max_retries=0)
        access = ModelAccess(ChatModel(client), cache=SqliteReplyCache(target.path(REPLIES)))
        extractor = LLMExtractor(access)
    ingest = into(target.store(), Path(target.directory), extractor=extractor)
    ingest.run(read(folder), source="guides", prune=prune)


def command(target: Target, folder: Path, *, prune: bool) -> None:
    """The same by the command."""
    from thread_rag import cli

    model = ["--model", MODEL, "--base-url", target.model] if target.model else []
    served = ["--server", target.server] if target.server else []
    sys.argv = ["thread-rag", "ingest", str(folder), "--store", target.directory]
    sys.argv += [*served, *model, *(["--prune", "--yes"] if prune else [])]
    os.environ["OPENAI_API_KEY"] = "test"
    cli.main()


def look(target: Target) -> dict[str, Any]:
    """All that a store holds and remembers, to be compared with another one."""
    store = target.store()
    rows = target.collection().get(include=["documents", "metadatas", "embeddings"])
    vectors = rows["embeddings"].tolist()
    words = SqliteLexicalIndex(target.path(WORDS))
    with closing(sqlite3.connect(target.path(LEDGER))) as ledger:
        [[intents]] = ledger.execute("SELECT count(*) FROM intents")
        links = sorted(map(repr, ledger.execute("SELECT * FROM links")))
    return {
        "rows": {
            row_id: {"text": text, "metadata": metadata, "vector": vector}
            for row_id, text, metadata, vector in zip(
                rows["ids"], rows["documents"], rows["metadatas"], vectors, strict=True
            )
        },
        "words": sorted(words.ids()),
        "in step": words.version() == store.version(),
        "intents": intents,
        "links": links,
        "not found": [
            row_id
            for row_id, vector in islice(zip(rows["ids"], vectors, strict=True), SOUGHT)
            if row_id not in (hit.unit_id for hit in store.search(vector, NEAREST))
        ],
    }


# -- how far a process has come ------------------------------------------------------------------------------------


def tell_stages(path: Path) -> None:
    """From now on, have this process note the stage that it is in."""
    with path.open("r+b") as file:
        noted = mmap.mmap(file.fileno(), 1)

    def told(owner: type[Any], method: str, begun: int, ended: int | None = None, *, after: int = 0) -> None:
        inner: Callable[..., Any] = getattr(owner, method)

        @wraps(inner)
        def telling(*given: Any, **named: Any) -> Any:
            counts = noted[0] >= after
            if counts:
                noted[0] = begun
            answer = inner(*given, **named)
            if counts and ended is not None:
                noted[0] = ended
            return answer

        setattr(owner, method, telling)

    told(RuleExtractor, "extract", 1)
    told(LLMExtractor, "attempt_all", 1)
    told(StaticEmbedding, "embed", 2)
    told(SqliteLexicalIndex, "update", 3)
    told(Collection, "add", 4, 5)
    told(Collection, "update", 4, 5)
    # A run begins with a deletion that deletes nothing.
    told(Collection, "delete", 6, 7, after=3)


# -- the program that forks ----------------------------------------------------------------------------------------


def main() -> None:
    """Fork a process for each order, and say how it has ended."""
    # What is loaded and compiled at the first use is not loaded and compiled again by each process.
    RuleExtractor().extract(_guides.guide(0, 1))
    default_embedding()
    for module in LATE:
        import_module(module)
    forked = 0
    for line in sys.stdin:
        if forked:
            os.waitpid(forked, 0)
        order = json.loads(line)
        child = os.fork()
        if not child:
            try:
                os._exit(_obey(order))
            finally:
                os._exit(1)
        print(child, flush=True)
        ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        print(ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status, flush=True)
        # The next order says that nobody will kill this process any more: until then its id is not given to another.
        forked = child


def _obey(order: dict[str, Any]) -> int:
    """What a forked process does; its exit status."""
    target = Target(**order["target"])
    _redirect(target.path(LOG))
    tell_stages(target.path(STAGE))
    try:
        if order.get("look"):
            target.path(SEEN).write_text(json.dumps(look(target)))
        else:
            (command if target.command else take_in)(target, Path(order["folder"]), prune=order["prune"])
    except ThreadError as error:
        print(f"error: {error}", file=sys.stderr)
        return COMPLAINED
    except SystemExit as end:
        return COMPLAINED if end.code else 0
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stderr.flush()
    return 0


def _redirect(log: Path) -> None:
    """Keep what is said out of the orders' way."""
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)


if __name__ == "__main__":
    main()
