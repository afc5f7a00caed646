"""The lexical index: SQLite's FTS5 with BM25 over header and body. Embedded, persistent when given a path.

A search scores the rows that can be among the best, and passes over the others (`pruning`).

A unit's words are part of its content, and its id is made from that: what is held for an id never grows old. So an
index comes into step with a store by taking in the units that it lacks and dropping the ones that are gone. It keeps
the version of what it holds, and what it knows is looked up where it lies: an update costs what it changes, and opening
a file costs nothing, however much is in it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from thread_core.errors import BadIndex
from thread_core.linking import keys_of
from thread_core.models import LogicUnit, encodable
from thread_core.ports import DocumentNames, Hit, LexicalIndex, UnitStore
from thread_core.store import pruning
from thread_core.store.batches import batches
from thread_core.store.database import Kind
from thread_core.store.sqlite_file import SqliteFile
from thread_core.store.versioning import advanced, count_of
from thread_core.text.header import spaced
from thread_core.text.scripts import folded
from thread_core.text.words import query_words

HEADER_WEIGHT = 2.0
"""How much more a word in the header counts than one in the body."""
TOKENS = "tokenize = \"porter unicode61 categories 'L* N* Co M*'\""
"""How FTS5 tells words apart; marks (`M*`) belong to those in which they stand."""
BATCH = 5000
"""Units that are read from a store at a time, and documents from a file."""

_KIND = Kind(
    what="the words in",
    mark=0x7448526C,
    schema=4,
    tables=(
        "CREATE TABLE filled (version TEXT NOT NULL)",
        "CREATE TABLE documents (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,"
        " aliases TEXT NOT NULL)",
        "CREATE TABLE called (key TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (key, number)) WITHOUT ROWID",
        "CREATE TABLE units (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL)",
        "CREATE INDEX units_of_document ON units (document)",
        f"CREATE VIRTUAL TABLE words USING fts5 (header, body, {TOKENS})",
    ),
    error=BadIndex,
    delete="delete it: it is rebuilt from the store",
    readonly="the store has changed since it was written; update it where it can be written",
    remade=True,
    one_file=True,
)
"""`filled` has one row or none. `aliases` is a JSON list; a row of `words` has the `number` of its unit, and one of
`called` that of the document which goes by its key."""

_SCORE_AT = "SELECT -bm25(words, ?, 1.0) AS score FROM words WHERE words MATCH ? ORDER BY score DESC LIMIT 1 OFFSET ?"
_BEST = (
    "WITH found AS (SELECT rowid, -bm25(words, ?, 1.0) AS score FROM words WHERE words MATCH ? {})"
    " SELECT units.id, units.document, score FROM found JOIN units ON units.number = found.rowid"
    " WHERE score >= ifnull((SELECT score FROM found ORDER BY score DESC LIMIT 1 OFFSET ? - 1), 0)"
    " ORDER BY score DESC, units.id LIMIT ?"
)
"""Ids are read of the best rows alone, and of those that are as good as the last of them."""
_AMONG = "AND +rowid IN (SELECT rowid FROM words WHERE words MATCH ?)"
"""With a plus, FTS5 does not look up one row after the other: it finds all, and those that are not among them go."""


def bring_into_step(index: LexicalIndex, store: UnitStore, version: str) -> None:
    """Have an index hold the units of a store that is at `version`; nothing is read where it does already."""
    if version and index.version() == version:
        return
    held, stored = index.ids(), store.ids()
    lacking = [unit_id for unit_id in stored if unit_id not in held]
    index.update(map(store.get, batches(lacking, BATCH)), held.difference(stored), version)


class SqliteLexicalIndex:
    """Words -> units. With a path it outlives the process; without one it is built in memory from the store.

    Several processes may share a file. One that may only read it can use it as long as it is in step.
    """

    _words_count = True

    def __init__(self, path: str | Path | None = None) -> None:
        """Open the file, or make it. Every method may raise what this one does.

        Raises:
            BadIndex: it is damaged or something else, cannot be read or written, or is locked for half a minute.
        """
        self._file = SqliteFile(path, _KIND)

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        """A copy, here or in another process, opens the same file; one in memory begins empty."""
        return type(self), (self._file.path,)

    def search(self, words: str, k: int) -> list[Hit]:
        """The k units with the best BM25 score, best first; equal ones always in the same order."""
        wanted = query_words(words)
        if not wanted or k < 1:
            return []
        with self._file.reading() as database:
            search = _Search(database, wanted, k, count_of(self.version()))
            return [Hit(*row) for row in search.best()]

    def called(self, key: str) -> list[str]:
        """The documents that go by a key of `linking.keys_of`."""
        rows = self._file.read("SELECT id FROM called JOIN documents USING (number) WHERE key = ?", (encodable(key),))
        return [document_id for (document_id,) in rows]

    def names(self) -> Iterator[DocumentNames]:
        """The documents of the units that are held, by id."""
        query = "SELECT id, title, aliases FROM documents WHERE id > ? ORDER BY id LIMIT ?"
        last = ""
        while rows := self._file.read(query, (last, BATCH)):
            yield from (DocumentNames(document_id, title, _aliases(listed)) for document_id, title, listed in rows)
            last = rows[-1][0]

    def ids(self) -> set[str]:
        """The units that are held."""
        return {unit_id for (unit_id,) in self._file.read("SELECT id FROM units")}

    def version(self) -> str:
        """`version_of` the units that are held."""
        rows = self._file.read("SELECT version FROM filled")
        return str(rows[0][0]) if rows else ""

    def update(self, added: Iterable[Sequence[LogicUnit]], removed: Collection[str] = (), version: str = "") -> None:
        """Take units in and drop others, all or nothing. Of a unit that is held, its document's names are taken.

        Where the index is at `version` already, because another process has done the same, nothing is read.
        """
        with self._file.writing() as database:
            before = self.version()
            if version and before == version:
                return
            change = _Change(database, self._words_count)
            dropped = change.drop(removed)
            now = advanced(before, removed=dropped)
            touched = set(dropped.values())
            for units in added:
                now = advanced(now, change.take(units))
                touched.update(unit.document_id for unit in units)
            for document_id in touched:
                change.forget_if_empty(document_id)
            if now != before:
                database.execute("DELETE FROM filled")
                database.execute("INSERT INTO filled VALUES (?)", (now,))

    def close(self) -> None:
        """Close the database; the index cannot be used afterwards."""
        self._file.close()


class NoWords(SqliteLexicalIndex):
    """An index that finds nothing, so that header vectors alone count. It keeps the documents' names, for links.

    Example:
        >>> NoWords().search("disk full", 5)
        []
    """

    _words_count = False

    def search(self, words: str, k: int) -> list[Hit]:
        """Nothing."""
        return []


class _Search:
    """What a search does within its transaction."""

    def __init__(self, database: sqlite3.Connection, wanted: Sequence[str], k: int, total: int) -> None:
        self._database = database
        self._wanted = wanted
        self._k = k
        self._total = total

    def best(self) -> list[Any]:
        """The units with the best scores, and their documents; rows that cannot be among them are not scored."""
        every = " OR ".join(map(_quoted, self._wanted))
        looked_up = self._wanted if len(self._wanted) <= pruning.LONGEST else ()
        words = sorted(word for word in map(self._counted, looked_up) if word.rows)
        rarest = pruning.rarest(words, self._k, self._total)
        reached = self._rows(_SCORE_AT, HEADER_WEIGHT, _any_of(rarest), self._k - 1) if rarest else []
        able = pruning.able(words, reached[0][0], self._total) if reached else ()
        among, given = (_AMONG, [every, " OR ".join(map(_way, able))]) if able else ("", [every])
        return self._rows(_BEST.format(among), HEADER_WEIGHT, *given, self._k, self._k)

    def _counted(self, word: str) -> pruning.Word[str]:
        [[rows]] = self._rows("SELECT count(*) FROM words WHERE words MATCH ?", _quoted(word))
        return pruning.Word.of(word, rows, self._total)

    def _rows(self, query: str, *values: object) -> list[Any]:
        return self._database.execute(query, values).fetchall()


def _quoted(word: str) -> str:
    """A word as FTS5 is asked for it."""
    return f'"{word}"'


def _any_of(words: Sequence[pruning.Word[str]]) -> str:
    return " OR ".join(_quoted(word.key) for word in words)


def _way(way: pruning.Way[str]) -> str:
    word = _quoted(way.word.key)
    return f"({word} AND ({_any_of(way.beside)}))" if way.beside else word


class _Change:
    """What an update does within its transaction."""

    def __init__(self, database: sqlite3.Connection, words_count: bool) -> None:
        self._database = database
        self._words_count = words_count

    def drop(self, ids: Iterable[str]) -> dict[str, str]:
        """The units that were there, each with its document."""
        dropped = {}
        for unit_id in ids:
            for number, document_id in self._rows("SELECT number, document FROM units WHERE id = ?", unit_id):
                self._rows("DELETE FROM words WHERE rowid = ?", number)
                self._rows("DELETE FROM units WHERE number = ?", number)
                dropped[unit_id] = document_id
        return dropped

    def take(self, units: Sequence[LogicUnit]) -> list[str]:
        """The ids of those that were not there."""
        new = []
        for unit in units:
            row = (unit.id, unit.document_id)
            entered = self._database.execute("INSERT OR IGNORE INTO units (id, document) VALUES (?, ?)", row)
            if entered.rowcount:
                if self._words_count:
                    words = (entered.lastrowid, *texts_of(unit))
                    self._database.execute("INSERT INTO words (rowid, header, body) VALUES (?, ?, ?)", words)
                new.append(unit.id)
        for unit in {unit.document_id: unit for unit in units}.values():
            self._call(DocumentNames(unit.document_id, unit.title, unit.aliases))
        return new

    def _call(self, names: DocumentNames) -> None:
        """Have a document go by these names and no others."""
        document_id, title, aliases = names
        if names == self._names_of(document_id):
            return
        self._forget(document_id)
        entered = self._database.execute(
            "INSERT INTO documents (id, title, aliases) VALUES (?, ?, ?)", (document_id, title, json.dumps(aliases))
        )
        keys = ((encodable(key), entered.lastrowid) for key in keys_of(names))
        self._database.executemany("INSERT OR IGNORE INTO called VALUES (?, ?)", keys)

    def _names_of(self, document_id: str) -> DocumentNames | None:
        for title, aliases in self._rows("SELECT title, aliases FROM documents WHERE id = ?", document_id):
            return DocumentNames(document_id, title, _aliases(aliases))
        return None

    def forget_if_empty(self, document_id: str) -> None:
        if not self._rows("SELECT 1 FROM units WHERE document = ? LIMIT 1", document_id):
            self._forget(document_id)

    def _forget(self, document_id: str) -> None:
        if names := self._names_of(document_id):
            own = "(SELECT number FROM documents WHERE id = ?)"
            keys = [(encodable(key), document_id) for key in keys_of(names)]
            self._database.executemany(f"DELETE FROM called WHERE key = ? AND number = {own}", keys)
            self._rows("DELETE FROM documents WHERE id = ?", document_id)

    def _rows(self, statement: str, *values: object) -> list[Any]:
        """What a statement of an update gives."""
        return self._database.execute(statement, values).fetchall()


def _aliases(listed: str) -> tuple[str, ...]:
    return tuple(json.loads(listed))


def texts_of(unit: LogicUnit) -> tuple[str, str]:
    """The words of a unit for FTS5: of its header, and of its body."""
    return folded(unit.header), folded(_with_parts("\n".join((*unit.prerequisites, unit.body))))


def _with_parts(text: str) -> str:
    """Names written as one word are found by their parts too."""
    parts = spaced(text)
    if parts == text:
        return text
    whole = set(text.split())
    return f"{text}\n{' '.join(word for word in parts.split() if word not in whole)}"
