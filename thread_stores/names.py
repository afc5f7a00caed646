"""The names of documents in PostgreSQL, by which links find them when several machines write one store.

No words are kept: whoever asks has an index of words of their own, which comes into step with the store, or asks by
vectors alone. `words` keeps both.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Self

from thread_core.errors import BadIndex
from thread_core.linking import keys_of
from thread_core.models import LogicUnit, encodable
from thread_core.ports import DocumentNames, Hit
from thread_core.store.batches import batches
from thread_core.store.database import Kind, Transaction
from thread_core.store.versioning import advanced
from thread_stores.database import PostgresDatabase, Statements

SCHEMA = "thread_names"
BATCH = 5000
"""Units, or documents, of one statement."""
KIND = Kind(
    what="the names",
    mark=0x74684E6D,
    schema=1,
    tables=(
        "CREATE TABLE filled (version TEXT NOT NULL, tokens BIGINT NOT NULL)",
        "INSERT INTO filled VALUES ('', 0)",
        "CREATE TABLE units (id TEXT PRIMARY KEY, document TEXT NOT NULL, tokens INTEGER NOT NULL)",
        "CREATE INDEX units_of_document ON units (document)",
        'CREATE TABLE documents (id TEXT COLLATE "C" PRIMARY KEY, title TEXT NOT NULL, aliases TEXT NOT NULL)',
        "CREATE TABLE called (key TEXT NOT NULL, document TEXT NOT NULL)",
        "CREATE INDEX called_by_key ON called USING hash (key)",
        "CREATE INDEX called_of_document ON called (document)",
    ),
    error=BadIndex,
    delete="drop it: it is rebuilt from the store",
)
"""`filled` has one row, and whoever writes changes it last, so nobody waits long for another. A key has no bound, hence
the hash. `tokens` are the words of a unit where words are kept, and of all units."""


class PostgresNames:
    """A `LexicalIndex` that finds nothing by words; any number of processes and machines may share one.

    Several may write at once, as long as no two of them write the same documents.

    Example:
        ThreadIngest(store, embedder, words=PostgresNames("postgresql://host/guides"), ledger=open_ledger(...))
    """

    _kind: ClassVar[Kind] = KIND

    def __init__(self, address: str, *, schema: str = SCHEMA) -> None:
        """Open the tables, or make them; every method may raise what this one does.

        Args:
            address: Such as `postgresql://me:secret@host/guides`.
            schema: Where they lie; one for each store.

        Raises:
            BadIndex: the server cannot be reached, or the schema holds something else.
        """
        self._given = address, schema
        self._database = PostgresDatabase(address, self._kind, schema)

    def __reduce__(self) -> tuple[partial[Self], tuple[str]]:
        """A copy, here or in another process, opens the same tables."""
        address, schema = self._given
        return partial(type(self), schema=schema), (address,)

    def search(self, words: str, k: int) -> list[Hit]:
        """Nothing."""
        return []

    def called(self, key: str) -> list[str]:
        """The documents that go by a key of `linking.keys_of`."""
        rows = self._database.read("SELECT DISTINCT document FROM called WHERE key = ?", (_stored(key),))
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
        return str(self._database.read("SELECT version FROM filled")[0][0])

    def update(self, added: Iterable[Sequence[LogicUnit]], removed: Collection[str] = (), version: str = "") -> None:
        """Take units in and drop others, all or nothing; where it is at `version` already, nothing is read.

        With a `version` nobody else writes meanwhile. Without, others may, who write other documents.
        """
        with self._database.writing(shared=not version) as database:
            if version and self.version() == version:
                return
            gone = {unit_id: rest for some in batches(list(removed), BATCH) for unit_id, *rest in _drop(some, database)}
            emptied = {document_id for document_id, _ in gone.values()}
            come = dict[str, int]()
            for units in added:
                for page in batches(units, BATCH):
                    come |= self._take(page, database)
                emptied.difference_update(unit.document_id for unit in units)
            for some in batches(sorted(emptied), BATCH):
                _forget_emptied(some, database)
            if come or gone:
                [[before]] = database.execute("SELECT version FROM filled FOR UPDATE").fetchall()
                more = sum(come.values()) - sum(tokens for _, tokens in gone.values())
                filled = advanced(before, come, gone), more
                database.execute("UPDATE filled SET version = ?, tokens = tokens + ?", filled)

    def close(self) -> None:
        """Close the connection; the index cannot be used afterwards."""
        self._database.close()

    def _take(self, units: Sequence[LogicUnit], database: Statements) -> dict[str, int]:
        """How many words those have that were not there; their documents go by their names, and by no others."""
        ids = [unit.id for unit in units]
        held = {row[0] for row in database.execute("SELECT id FROM units WHERE id = ANY(?)", (ids,)).fetchall()}
        new = {unit.id: unit for unit in units if unit.id not in held}
        tokens = self._enter(list(new.values()), database) if new else []
        _call(units, database)
        return dict(zip(new, tokens, strict=True))

    def _enter(self, units: Sequence[LogicUnit], database: Statements) -> Sequence[int]:
        """Enter units that are not there, and tell how many words are kept of each."""
        database.copy("units (id, document, tokens)", ((unit.id, unit.document_id, 0) for unit in units))
        return [0] * len(units)


def _drop(unit_ids: Sequence[str], database: Transaction) -> list[Any]:
    """The ids of the units that were there, their documents, and how many words were kept of each."""
    query = "DELETE FROM units WHERE id = ANY(?) RETURNING id, document, tokens"
    found: list[Any] = database.execute(query, (list(unit_ids),)).fetchall()
    return found


def _call(units: Sequence[LogicUnit], database: Statements) -> None:
    """Have the documents of some units go by their names, and by no others."""
    documents = {unit.document_id: unit for unit in units}
    rows = {name: (name, _stored(unit.title), json.dumps(unit.aliases)) for name, unit in documents.items()}
    query = "SELECT id, title, aliases FROM documents WHERE id = ANY(?)"
    renamed = rows.keys() - {row[0] for row in database.execute(query, (list(rows),)) if rows[row[0]] == row}
    if renamed:
        _forget(renamed, database)
        database.copy("documents (id, title, aliases)", (rows[name] for name in renamed))
        called = (DocumentNames(name, documents[name].title, documents[name].aliases) for name in renamed)
        keys = ((_stored(key), names.document_id) for names in called for key in {*keys_of(names)})
        database.copy("called (key, document)", keys)


def _forget_emptied(document_ids: Sequence[str], database: Transaction) -> None:
    """Have those of some documents go that have no unit any more."""
    query = "SELECT DISTINCT document FROM units WHERE document = ANY(?)"
    left = {document_id for (document_id,) in database.execute(query, (list(document_ids),))}
    _forget(left.symmetric_difference(document_ids), database)


def _forget(document_ids: Collection[str], database: Transaction) -> None:
    for table, column in (("called", "document"), ("documents", "id")):
        database.execute(f"DELETE FROM {table} WHERE {column} = ANY(?)", (list(document_ids),))


def _named(row: Sequence[str]) -> DocumentNames:
    document_id, title, aliases = row
    return DocumentNames(document_id, title, tuple(json.loads(aliases)))


def _stored(text: str) -> str:
    """A text as PostgreSQL can hold it."""
    return encodable(text).replace("\0", "")
