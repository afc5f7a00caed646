"""A run of an ingest on Ray, in a process that can be killed: how its writers open what they write to.

As a program it takes one order, `{"at": {...}, "folder": "...", "ray": "...", "shards": 2, "prune": true}`, prints the
ids of its processes once they have begun (the writers', one a line, then an empty one), and exits as the run ends.
"""

from __future__ import annotations

import json
import os
import sys
import weakref
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import ray

from thread_chroma import open_server
from thread_core import default_embedding
from thread_core.errors import ThreadError
from thread_core.ingest import Ingest, Ledger, ThreadIngest
from thread_core.ports import LexicalIndex, UnitStore
from thread_core.store.lexical import SqliteLexicalIndex
from thread_ray import runner
from thread_ray.reading import files

COMPLAINED = 3
"""Exit status of a run that has said what is wrong, in one of our own errors."""


class At(NamedTuple):
    """A store that several processes write, and what belongs to it."""

    directory: str
    """Where the words and the ledger are, if they are in no PostgreSQL."""
    server: str = ""
    """Address of a Chroma server."""
    postgres: str = ""
    """Address of a PostgreSQL, which has the ledger and the words, and in pgvector the units, if no Chroma has them."""

    def store(self) -> UnitStore:
        """The units."""
        if self.server:
            return open_server(self.server, create=True)
        from langchain_postgres import PGVector
        from sqlalchemy import create_engine

        from langchain_thread import DefaultEmbeddings
        from langchain_thread.stores import to_unit_store
        from langchain_thread.stores.rest import Rest

        engine = create_engine(self.postgres.replace("postgresql://", "postgresql+psycopg://"))
        store = to_unit_store(PGVector(DefaultEmbeddings(), connection=engine), Rest())
        weakref.finalize(store, engine.dispose)  # else its connections stay open in whoever looks at many stores
        return store

    def ledger(self) -> Ledger:
        """What the runs remember."""
        if not self.postgres:
            return Ledger(Path(self.directory, "ledger.sqlite3"))
        from thread_stores.ledger import open_ledger

        return open_ledger(self.postgres)

    def words(self) -> LexicalIndex:
        """The words."""
        if self.postgres:
            from thread_stores.words import PostgresWords

            return PostgresWords(self.postgres)
        return SqliteLexicalIndex(Path(self.directory, "words.sqlite3"))


def open_ingest(at: At, **options: Any) -> ThreadIngest:
    """An ingest of this process."""
    return ThreadIngest(at.store(), default_embedding(), words=at.words(), ledger=at.ledger(), **options)


def on_ray(at: At, shards: int) -> Ingest[Any]:
    """An ingest whose writers are on Ray; where there are none, this process is."""
    if not shards:
        return open_ingest(at)
    spread = {"scheduling_strategy": "SPREAD"}
    return open_ingest(
        at, runner=runner.RayRunner(partial(open_ingest, at), shards=shards, options=spread), patience=60
    )


def main() -> None:
    """Carry out the order."""
    order = json.loads(sys.argv[1])
    begun = runner.RayCrew.begun

    def told(crew: runner.RayCrew) -> None:
        begun(crew)
        print(*ray.get([writer.begun.remote() for writer in crew.writers]), sep="\n", end="\n\n", flush=True)

    runner.RayCrew.begun = told  # type: ignore[method-assign]
    ray.init(address=order["ray"], log_to_driver=False)
    if not order["shards"]:
        print(flush=True)
    folder = order["folder"]
    try:
        report = on_ray(At(**order["at"]), order["shards"]).run(files(folder), source="guides", prune=order["prune"])
        complaint = "" if report.ok else str(report)
    except ThreadError as error:
        complaint = str(error)
    if complaint:
        print(complaint, file=sys.stderr, flush=True)
        os._exit(COMPLAINED)


if __name__ == "__main__":
    main()
