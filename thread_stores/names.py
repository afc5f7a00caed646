"""The names of documents in PostgreSQL, by which links find them when several machines write one store.

No words are kept: whoever asks has an index of words of their own, which comes into step with the store, or asks by
vectors alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence

from thread_core.errors import BadIndex
from thread_core.linking import keys_of
from thread_core.models import LogicUnit, encodable
from thread_core.ports import DocumentNames, Hit
from thread_core.store.batches import batches
from thread_core.store.database import Kind, Transaction
from thread_core.store.versioning import advanced
from thread_stores.database import PostgresDatabase

SCHEMA = "thread_names"
BATCH = 1000
"""Units, or documents, of one statement."""
KIND = Kind(
    what="the names",
    mark=0x74684E6D,
    schema=1,
    tables=(
        "CREATE TABLE filled (version TEXT NOT NULL)",
        "CREATE TABLE units (id TEXT PRIMARY KEY, document TEXT NOT NULL)",
        "CREATE INDEX units_of_document ON units (document)",
        'CREATE TABLE documents (id TEXT COLLATE "C" PRIMARY KEY, title TEXT NOT NULL, aliases TEXT NOT NULL)',
        "CREATE TABLE called (key TEXT NOT NULL, document TEXT NOT NULL)",
        "CREATE INDEX called_by_key ON called USING hash (key)",
        "CREATE INDEX called_of_document ON called (document)",
    ),
    error=BadIndex,
    delete="drop it, and it is made again from the store",
)
"""`filled` has one row or none; a key has no bound, hence the hash."""


class PostgresNames:
    """A `LexicalIndex` that finds nothing by words; any number of processes and machines may share one.

    Example:
        ThreadIngest(store, embedder, words=PostgresNames("postgresql://host/guides"), ledger=open_ledger(...))
    """

    def __init__(self, address: str, *, schema: str = SCHEMA) -> None:
        """Open the tables, or make them; every method may raise what this one does.

        Args:
            address: Such as `postgresql://me:secret@host/guides`.
            schema: Where they lie; one for each store.

        Raises:
            BadIndex: the server cannot be reached, or the schema holds something else.
        """
        self._database = PostgresDatabase(address, KIND, schema)

    def search(self, words: str, k: int) -> list[Hit]:
        """Nothing."""
        return []

    def called(self, key: str) -> list[str]:
        """The documents that go by a key of `linking.keys_of`."""
        rows = self._database.read("SELECT DISTINCT document FROM called WHERE key = ?", (encodable(key),))
        return [document_id for (document_id,) in rows]

    def names(self) -> Iterator[DocumentNames]:
        """The documents of the units that are held, by id."""
        query = "SELECT id, title, aliases FROM documents WHERE id > ? ORDER BY id LIMIT ?"
        last = ""
        while rows := self._database.read(query, (last, BATCH)):
            yield from map(_named, rows)
            last = rows[-1][0]

    def ids(self) -> set[str]:
        """The units that are held."""
        return {unit_id for (unit_id,) in self._database.read("SELECT id FROM units")}

    def version(self) -> str:
        """`version_of` the units that are held."""
        rows = self._database.read("SELECT version FROM filled")
        return str(rows[0][0]) if rows else ""

    def update(self, added: Iterable[Sequence[LogicUnit]], removed: Collection[str] = (), version: str = "") -> None:
        """Take units in and drop others, all or nothing; where it is at `version` already, nothing is read."""
        with self._database.writing() as database:
            before = self.version()
            if version and before == version:
                return
            now, emptied = before, set[str]()
            for some in batches(list(removed), BATCH):
                rows = database.execute(f"DELETE FROM units WHERE id IN {_marks(some)} RETURNING id, document", some)
                gone = dict(rows.fetchall())
                now = advanced(now, removed=gone)
                emptied.update(gone.values())
            for units in added:
                for page in batches(units, BATCH):
                    now = advanced(now, self._take(page, database))
                emptied.difference_update(unit.document_id for unit in units)
            self._forget_emptied(list(emptied), database)
            if now != before:
                database.execute("DELETE FROM filled")
                database.execute("INSERT INTO filled VALUES (?)", (now,))

    def close(self) -> None:
        """Close the connection; the names cannot be used afterwards."""
        self._database.close()

    def _take(self, units: Sequence[LogicUnit], database: Transaction) -> list[str]:
        """The ids of those that were not there; their documents go by their names, and by no others."""
        if not units:
            return []
        ids = [unit.id for unit in units]
        held = {row[0] for row in self._database.read(f"SELECT id FROM units WHERE id IN {_marks(ids)}", ids)}
        new = {unit.id: unit.document_id for unit in units if unit.id not in held}
        database.executemany("INSERT INTO units VALUES (?, ?)", list(new.items()))
        documents = {unit.document_id: DocumentNames(unit.document_id, unit.title, unit.aliases) for unit in units}
        query = f"SELECT id, title, aliases FROM documents WHERE id IN {_marks(list(documents))}"
        known = {names.document_id: names for names in map(_named, self._database.read(query, list(documents)))}
        renamed = {name: names for name, names in documents.items() if known.get(name) != names}
        _forget(list(renamed), database)
        rows = [(name, names.title, json.dumps(names.aliases)) for name, names in renamed.items()]
        database.executemany("INSERT INTO documents VALUES (?, ?, ?)", rows)
        keys = [(encodable(key), name) for name, names in renamed.items() for key in keys_of(names)]
        database.executemany("INSERT INTO called VALUES (?, ?)", keys)
        return list(new)

    def _forget_emptied(self, document_ids: list[str], database: Transaction) -> None:
        """Have those of some documents go that have no unit any more."""
        for some in batches(document_ids, BATCH):
            rows = self._database.read(f"SELECT DISTINCT document FROM units WHERE document IN {_marks(some)}", some)
            _forget(list({*some}.difference(row[0] for row in rows)), database)


def _forget(document_ids: Sequence[str], database: Transaction) -> None:
    for table, column in (("called", "document"), ("documents", "id")):
        database.execute(f"DELETE FROM {table} WHERE {column} IN {_marks(document_ids)}", document_ids)


def _named(row: Sequence[str]) -> DocumentNames:
    document_id, title, aliases = row
    return DocumentNames(document_id, title, tuple(json.loads(aliases)))


def _marks(values: Sequence[object]) -> str:
    """The placeholders of some values; nothing is in those of none."""
    return f"({', '.join('?' * len(values)) or 'NULL'})"
