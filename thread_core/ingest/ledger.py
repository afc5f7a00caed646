"""What an ingest remembers: which documents the store holds as they are, where their links led, and what was begun.

It is a memory and no truth: a document counts as unchanged only if the store still holds exactly its units. Without it
nothing is lost but time, for then every document is compared with the store. It holds no texts.

One run at a time is at a store. A run may have several writers, in other processes and on other machines; each holds
the lock of its shard, and all share one that a later run waits for: so whatever becomes of the run that began them, no
writer is at work any more when the next one begins.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from thread_core.errors import BadLedger, StoreBusy
from thread_core.ingest.turns import held_here, told
from thread_core.linking import LinkState
from thread_core.models import Target
from thread_core.store.database import Database, Kind
from thread_core.store.sqlite_file import SqliteFile
from thread_core.store.versioning import together

PAGE = 500
"""Documents, or links, that are looked at together."""
ORPHANED = 90.0
"""Seconds to wait for the writers of a run that is gone, or for one that was cut off: they end when they notice, and a
database lets go of their locks."""

KIND = Kind(
    what="the ledger",
    mark=0x74684C67,
    schema=2,
    tables=(
        "CREATE TABLE documents (id TEXT PRIMARY KEY, source TEXT NOT NULL, fingerprint TEXT NOT NULL,"
        " version TEXT NOT NULL, judged BIGINT NOT NULL, alone INTEGER NOT NULL)",
        "CREATE INDEX documents_of_source ON documents (source)",
        "CREATE INDEX documents_alone ON documents (id) WHERE alone = 1",
        "CREATE TABLE links (document TEXT NOT NULL, number INTEGER NOT NULL, unit TEXT NOT NULL, nth INTEGER NOT NULL,"
        " key TEXT NOT NULL, anchor TEXT NOT NULL, step BIGINT, state TEXT NOT NULL, leads_to TEXT NOT NULL,"
        " PRIMARY KEY (document, number))",
        "CREATE INDEX links_by_goal ON links (leads_to) WHERE leads_to != ''",
        "CREATE TABLE intents (document TEXT PRIMARY KEY, source TEXT NOT NULL, new TEXT NOT NULL, gone TEXT NOT NULL,"
        " lost TEXT NOT NULL)",
        "CREATE TABLE names (version BIGINT NOT NULL)",
        "INSERT INTO names VALUES (1)",
        "CREATE TABLE run (token TEXT NOT NULL)",
    ),
    error=BadLedger,
    delete="delete it: only the memory of what is unchanged and what has vanished is lost, so the next run"
    " compares every document with the store, and removes none whose file is gone",
)
"""`judged` is the version of the documents' names at which a document's links were resolved; `alone` says that nobody
has looked yet whether others say the same; `number` counts the links of a document; `run` has a row where the run that
is at work, or was the last, has writers."""
_GIVEN = "CREATE TEMP TABLE IF NOT EXISTS given (number BIGINT PRIMARY KEY, id TEXT NOT NULL UNIQUE)"
_LINK = "document, unit, nth, key, anchor, step, state, leads_to"


class Entry(NamedTuple):
    """What the store holds of a document, as far as is remembered."""

    document_id: str
    source: str
    """Where it was read, as the caller names it."""
    fingerprint: str
    """Of all that decides its units; empty where that is not known."""
    version: str
    """`version_of` its units."""


class LinkEntry(NamedTuple):
    """A link to another document."""

    document_id: str
    """Of which document it is."""
    unit_id: str
    nth: int
    """The how-manieth of its unit's links it is, from 0."""
    key: str
    """How it calls the other document."""
    anchor: str
    step: int | None
    state: LinkState | None = None
    """What became of it when it was resolved last; None before that, and where the document it led to has changed."""
    leads_to: str = ""
    """The document to which it led then; of a dangling link, one in which its place is not."""

    @property
    def target(self) -> Target:
        """Its place in the other document."""
        return Target(anchor=self.anchor, step=self.step)

    @property
    def names_a_place(self) -> bool:
        """Whether it leads to a section or a step, which may not be there."""
        return bool(self.anchor) or self.step is not None

    @property
    def name(self) -> tuple[str, str, int]:
        """What tells it from all others."""
        return self.document_id, self.unit_id, self.nth


class Intent(NamedTuple):
    """What is about to be done to a document in the store."""

    document_id: str
    source: str
    new: tuple[str, ...]
    """Ids of units that come."""
    gone: tuple[str, ...]
    """Ids of units that go."""
    lost: tuple[tuple[str, str, int], ...] = ()
    """Links of other documents whose places go with them."""


class Ledger:
    """The memory of the ingests into one store. With a path it outlives the process; keep it beside the store.

    `thread_stores.ledger.open_ledger` opens one in PostgreSQL, which several machines reach.

    Example:
        ThreadIngest(store, embedder, ledger=Ledger("store/ledger.sqlite3")).run(documents)
    """

    def __init__(self, path: str | Path | Database | None = None) -> None:
        """Open the file, or make it; without a path, remember for as long as this object lives.

        Raises:
            BadLedger: it is damaged or something else, or cannot be written. Every method may raise it.
            ValueError: it is the address of a server.
        """
        if isinstance(path, str) and "://" in path:
            raise ValueError(
                "found an address, expected the path of a file; open a ledger in PostgreSQL with"
                " thread_stores.ledger.open_ledger(address)"
            )
        self._path = Path(path) if isinstance(path, str | Path) else None
        self._is_here = path is None
        self._database = SqliteFile(path, KIND) if isinstance(path, str | Path | None) else path

    def beside(self, ending: str) -> Path | None:
        """A file that belongs to the ledger's; None where that is none."""
        return self._path and self._path.with_name(f"{self._path.name}.{ending}")

    def close(self) -> None:
        """Close it; the ledger cannot be used afterwards."""
        self._database.close()

    @contextmanager
    def alone_with(self, store: object, patience: float) -> Iterator[None]:
        """Keep other ingests from a store: those with the same ledger, or for one in memory those of this process.

        Raises:
            StoreBusy: another one has not come to its end within `patience` seconds.
        """
        with told(held_here(store, patience) if self._is_here else self._database.holding("lock", patience)):
            if self._database.read("SELECT 1 FROM run"):
                with (
                    told(self._database.holding("writers", max(patience, ORPHANED))),
                    self._database.writing() as database,
                ):
                    database.execute("DELETE FROM run")
            yield

    def admit(self) -> str:
        """Have the run that is alone with its store have writers elsewhere; what they show that they are its own.

        Raises:
            BadLedger: nobody else reaches this ledger.
        """
        if self._is_here:
            raise BadLedger(
                "this ledger is in the memory of one process, but several writers need one that they can all reach;"
                " pass Ledger(path) on one machine, or thread_stores.ledger.open_ledger(address)"
            )
        token = uuid4().hex
        with self._database.writing() as database:
            database.execute("DELETE FROM run")
            database.execute("INSERT INTO run VALUES (?)", (token,))
        return token

    @contextmanager
    def at_shard(self, number: int, token: str) -> Iterator[None]:
        """Be the one writer of a shard, as long as the run that has admitted it.

        Raises:
            StoreBusy: the run has ended, or another process writes this shard and does not end.
        """
        with (
            told(self._database.holding("writers", ORPHANED, shared=True)),
            told(self._database.holding(f"writer-{number}", ORPHANED)),
        ):
            if [(token,)] != [tuple(row) for row in self._database.read("SELECT token FROM run")]:
                raise StoreBusy("the run that started this writer has ended; run it again")
            yield

    def begin(self, *, anew: bool = True) -> None:
        """A new run: no document was given yet, or where it goes on with the last one, those that this was given."""
        self._database.read(_GIVEN)
        if anew:
            self._database.read("DELETE FROM given")

    def give(self, document_ids: Sequence[str]) -> set[str]:
        """Note that a run was given some documents, or that they could not be read; those not noted before."""
        [[last]] = self._database.read("SELECT coalesce(max(number), 0) FROM given")
        numbered = enumerate(document_ids, last + 1)
        rows = self._database.read(
            f"INSERT INTO given VALUES {', '.join(['(?, ?)'] * len(document_ids))} ON CONFLICT DO NOTHING RETURNING id",
            [value for row in numbered for value in row],
        )
        return {document_id for (document_id,) in rows}

    def entries(self, document_ids: Sequence[str]) -> dict[str, Entry]:
        """What is remembered of some documents."""
        rows = self._database.read(
            f"SELECT id, source, fingerprint, version FROM documents WHERE id IN {_marks(document_ids)}", document_ids
        )
        return {row[0]: Entry(*row) for row in rows}

    def version(self) -> str:
        """`version_of` the units of all documents."""
        return together(version for (version,) in self._database.read("SELECT version FROM documents"))

    def vanished(self, source: str) -> list[str]:
        """The documents of a source that this run was not given."""
        query = (
            "SELECT id FROM documents WHERE source = ?"
            " AND NOT EXISTS (SELECT 1 FROM given WHERE given.id = documents.id) ORDER BY id"
        )
        return [document_id for (document_id,) in self._database.read(query, (source,))]

    def move(self, document_ids: Sequence[str], source: str) -> None:
        """Say that some documents are read elsewhere now."""
        with self._database.writing() as database:
            database.execute(
                f"UPDATE documents SET source = ? WHERE id IN {_marks(document_ids)}", (source, *document_ids)
            )

    def intend(self, intents: Sequence[Intent], *, renamed: bool) -> None:
        """Note what a write is about to do, before it does it; links to places in what it changes are judged anew.

        Args:
            intents: One for each document that it changes.
            renamed: Whether links may lead elsewhere afterwards: a document comes, goes or gets another name.
        """
        with self._database.writing() as database:
            rows = [(one.document_id, one.source, *map(json.dumps, one[2:])) for one in intents]
            database.executemany(
                "INSERT INTO intents VALUES (?, ?, ?, ?, ?) ON CONFLICT (document) DO UPDATE SET"
                " source = excluded.source, new = excluded.new, gone = excluded.gone, lost = excluded.lost",
                rows,
            )
            goals = [one.document_id for one in intents]
            database.execute(f"UPDATE documents SET fingerprint = '' WHERE id IN {_marks(goals)}", goals)
            led = f"leads_to IN {_marks(goals)} AND document != leads_to AND (anchor != '' OR step IS NOT NULL)"
            database.execute(
                f"UPDATE documents SET judged = 0 WHERE id IN (SELECT document FROM links WHERE {led})", goals
            )
            database.execute(f"UPDATE links SET state = '' WHERE {led}", goals)
            if renamed:
                database.execute("UPDATE names SET version = version + 1")

    def intents(self) -> list[Intent]:
        """What was begun, and nothing says that it was done."""
        rows = self._database.read("SELECT document, source, new, gone, lost FROM intents ORDER BY document")
        return [Intent(*row[:2], *(_tuples(json.loads(listed)) for listed in row[2:])) for row in rows]

    def recover(self, intent: Intent, *, held: bool) -> None:
        """An intent is dealt with: the document is whole, as it was or as it is, or the store holds nothing of it."""
        if not held:
            self.forget([intent.document_id])
            return
        with self._database.writing() as database:
            database.execute("DELETE FROM intents WHERE document = ?", (intent.document_id,))
            database.execute(
                "INSERT INTO documents VALUES (?, ?, '', '', 0, 1)"
                " ON CONFLICT (id) DO UPDATE SET source = excluded.source",
                (intent.document_id, intent.source),
            )

    def settle(self, entries: Sequence[Entry], links: Iterable[LinkEntry], *, alone: bool) -> None:
        """Take down what the store holds of some documents now; nothing is intended with them any more.

        Args:
            entries: One for each document.
            links: Those of these documents to others.
            alone: Whether it remains to be looked which other documents say the same.
        """
        ids = [entry.document_id for entry in entries]
        values: list[tuple[Any, ...]] = []
        with self._database.writing() as database:
            database.execute(f"DELETE FROM links WHERE document IN {_marks(ids)}", ids)
            rows = [(*entry, int(alone)) for entry in entries]
            database.executemany(
                "INSERT INTO documents VALUES (?, ?, ?, ?, 0, ?) ON CONFLICT (id) DO UPDATE SET"
                " source = excluded.source, fingerprint = excluded.fingerprint, version = excluded.version,"
                " judged = 0, alone = excluded.alone",
                rows,
            )
            numbers: Counter[str] = Counter()
            for link in links:
                numbers[link.document_id] += 1
                values.append((link.document_id, numbers[link.document_id], *link[1:6]))
            database.executemany("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, '', '')", values)
            database.execute(f"DELETE FROM intents WHERE document IN {_marks(ids)}", ids)

    def forget(self, document_ids: Iterable[str]) -> None:
        """Some documents have gone, and nothing is intended with them any more."""
        ids = list(document_ids)
        with self._database.writing() as database:
            for table, column in (("documents", "id"), ("links", "document"), ("intents", "document")):
                database.execute(f"DELETE FROM {table} WHERE {column} IN {_marks(ids)}", ids)

    def links_to(self, document_ids: Sequence[str]) -> list[LinkEntry]:
        """The links that led to some documents."""
        return self._links(f"leads_to IN {_marks(document_ids)} ORDER BY document, number", document_ids)

    def link(self, name: tuple[str, str, int]) -> LinkEntry | None:
        """A link by its name, if it is still there."""
        return next(iter(self._links("document = ? AND unit = ? AND nth = ?", name)), None)

    def unjudged(self) -> Iterator[list[str]]:
        """The given documents whose links may lead elsewhere since they were resolved, in pages."""
        last = 0
        while rows := self._database.read(
            "SELECT number, id FROM given JOIN documents USING (id)"
            " WHERE judged < (SELECT version FROM names) AND number > ? ORDER BY number LIMIT ?",
            (last, PAGE),
        ):
            yield [document_id for _, document_id in rows]
            last = rows[-1][0]

    def links_of(self, document_ids: Sequence[str]) -> list[LinkEntry]:
        """The links of some documents, each document's in order."""
        return self._links(f"document IN {_marks(document_ids)} ORDER BY document, number", document_ids)

    def judge(self, document_ids: Sequence[str], links: Iterable[LinkEntry]) -> None:
        """Take down where the links of some documents lead now."""
        rows = [(link.state.value if link.state else "", link.leads_to, *link.name) for link in links]
        with self._database.writing() as database:
            database.executemany(
                "UPDATE links SET state = ?, leads_to = ? WHERE document = ? AND unit = ? AND nth = ?", rows
            )
            database.execute(
                f"UPDATE documents SET judged = (SELECT version FROM names) WHERE id IN {_marks(document_ids)}",
                document_ids,
            )

    def states(self) -> dict[LinkState, int]:
        """How many links of the given documents are in which state."""
        rows = self._database.read(
            "SELECT state, count(*) FROM given JOIN links ON document = id WHERE state != '' GROUP BY state"
        )
        return {LinkState(state): count for state, count in rows}

    def broken(self) -> Iterator[list[LinkEntry]]:
        """The links of the given documents that are dangling, ambiguous or moved, in pages and in order."""
        wrong = [state.value for state in (LinkState.DANGLING, LinkState.AMBIGUOUS, LinkState.MOVED)]
        last = (0, 0)
        while rows := self._database.read(
            f"SELECT given.number, links.number, {_LINK} FROM given JOIN links ON document = id"
            f" WHERE state IN {_marks(wrong)} AND (given.number, links.number) > (?, ?)"
            " ORDER BY given.number, links.number LIMIT ?",
            (*wrong, *last, PAGE),
        ):
            yield [_link(row[2:]) for row in rows]
            last = rows[-1][:2]

    def alone(self) -> list[str]:
        """Some documents of which nobody has looked yet whether others say the same."""
        query = "SELECT id FROM documents WHERE alone = 1 ORDER BY id LIMIT ?"
        return [document_id for (document_id,) in self._database.read(query, (PAGE,))]

    def compared(self, document_ids: Sequence[str]) -> None:
        """Somebody has looked."""
        with self._database.writing() as database:
            database.execute(f"UPDATE documents SET alone = 0 WHERE id IN {_marks(document_ids)}", document_ids)

    def _links(self, condition: str, values: Sequence[object]) -> list[LinkEntry]:
        return [_link(row) for row in self._database.read(f"SELECT {_LINK} FROM links WHERE {condition}", values)]


def _link(row: Sequence[Any]) -> LinkEntry:
    document_id, unit_id, nth, key, anchor, step, state, leads_to = row
    judged = LinkState(state) if state else None
    return LinkEntry(document_id, unit_id, nth, key, anchor, step, judged, leads_to)


def _tuples(listed: Any) -> Any:
    """Lists in lists as tuples, as they were before they were JSON."""
    return tuple(map(_tuples, listed)) if isinstance(listed, list) else listed


def _marks(values: Sequence[object]) -> str:
    """The placeholders of some values; nothing is in those of none."""
    return f"({', '.join('?' * len(values)) or 'NULL'})"
