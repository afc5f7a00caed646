"""Words and names in PostgreSQL, for several machines that write and search one store.

A unit is a row with its words as numbers, under an index (GIN) by which the rows with a word are found; how often each
word is there lies beside them, byte for byte. A row says all that its score needs, so a unit comes and goes in one
piece, whoever else writes. BM25 is FTS5's, as in `thread_core.store.lexical`, and words are told apart by FTS5
(`tokens`), so what is found is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from thread_core.models import LogicUnit
from thread_core.ports import Hit
from thread_core.store import pruning
from thread_core.store.database import Kind, Transaction
from thread_core.store.versioning import count_of
from thread_core.text.words import query_words
from thread_stores import names
from thread_stores.database import Statements
from thread_stores.names import PostgresNames
from thread_stores.tokens import Tokens

SCHEMA = "thread_words"
KIND = replace(
    names.KIND,
    what="the words",
    mark=0x74685764,
    tables=(
        *names.KIND.tables,
        "ALTER TABLE units ADD words BIGINT[] NOT NULL, ADD often BYTEA NOT NULL",
        "ALTER TABLE units ALTER words SET STORAGE EXTERNAL, ALTER often SET STORAGE EXTERNAL",
        "ALTER TABLE units SET (toast_tuple_target = 8160)",
        "CREATE INDEX units_of_word ON units USING gin (words)",
    ),
)
"""Numbers of words cannot be compressed, and are read with their row wherever a page can hold them."""

_SESSION = "SELECT set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false)"
"""A search reads few rows of many: by the index, and in less time than it takes to compile the query."""
_COUNTS = (
    "SELECT version, tokens, ARRAY(SELECT (SELECT count(*) FROM units WHERE words @> ARRAY[word])"
    " FROM unnest(?::bigint[]) WITH ORDINALITY AS asked (word, at) ORDER BY at) FROM filled"
)
_SCORES = (
    "SELECT id, document, (SELECT sum(worth * 2.2 / (1 + (0.3 + 0.9 * tokens / ?::float8)"
    " / get_byte(often, array_position(words, word) - 1)))"
    " FROM unnest(?::bigint[], ?::float8[]) AS asked (word, worth)) AS score FROM units WHERE {}"
)
"""BM25 with k1 = 1.2 and b = 0.75; what is NULL, of a word that is not there, counts for nothing."""
_BEST = 'SELECT * FROM ({}) AS found ORDER BY score DESC, id COLLATE "C" LIMIT ?'


class PostgresWords(PostgresNames):
    """Words -> units, in a database that several processes and machines share.

    Several may write at once, as long as no two of them write the same documents. A word that is more than 255 times in
    a unit counts as 255 times.

    Example:
        ThreadIngest(store, embedder, words=PostgresWords("postgresql://me:secret@host/guides")).run(documents)
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
        super().__init__(address, schema=schema)
        self._tokens = Tokens()
        self._database.read(_SESSION)

    def search(self, words: str, k: int) -> list[Hit]:
        """The k units with the best BM25 score, best first; equal ones always in the same order."""
        wanted = self._tokens.of_question(query_words(words))
        if not wanted or k < 1:
            return []
        with self._database.reading() as database:
            return _Search(database, wanted, k).best()

    def _enter(self, units: Sequence[LogicUnit], database: Statements) -> Sequence[int]:
        counted = list(self._tokens.of_units(units))
        rows = (
            (unit.id, unit.document_id, tokens, f"{{{','.join(map(str, words))}}}", often)
            for unit, (tokens, words, often) in zip(units, counted, strict=True)
        )
        database.copy("units (id, document, tokens, words, often)", rows)
        return [one.tokens for one in counted]


class _Search:
    """What a search does within its transaction."""

    def __init__(self, database: Transaction, wanted: Sequence[int], k: int) -> None:
        self._database = database
        self._k = k
        [[version, tokens, counts]] = database.execute(_COUNTS, (list(wanted),)).fetchall()
        self._total = count_of(version)
        self._length = tokens / max(1, self._total)
        """Words of a unit, on average."""
        every = zip(wanted, counts, strict=True)
        self._words = [pruning.Word.of(word, rows, self._total) for word, rows in every if rows]

    def best(self) -> list[Hit]:
        """The units with the best scores; rows that cannot be among them are not scored."""
        if not self._words:
            return []
        words = sorted(self._words) if len(self._words) <= pruning.LONGEST else ()
        rarest = pruning.rarest(words, self._k, self._total)
        reached = self._hits(*_any_of(rarest)) if rarest else []
        able = pruning.able(words, reached[-1].score, self._total) if reached else ()
        return self._hits(*(_ways(able) if able else _any_of(self._words)))

    def _hits(self, condition: str, values: Sequence[Any]) -> list[Hit]:
        """The best of the rows that meet a condition."""
        words, worths = [word.key for word in self._words], [word.worth for word in self._words]
        query = _BEST.format(_SCORES.format(condition))
        rows = self._database.execute(query, (self._length, words, worths, *values, self._k)).fetchall()
        return [Hit(*row) for row in rows]


def _any_of(words: Sequence[pruning.Word[int]]) -> tuple[str, list[Any]]:
    """The condition that a row has one of some words, and its values."""
    return "words && ?::bigint[]", [[word.key for word in words]]


def _ways(ways: Sequence[pruning.Way[int]]) -> tuple[str, list[Any]]:
    """The condition that a row is in one of some ways among the best, and its values."""
    alone, values = _any_of([way.word for way in ways if not way.beside])
    conditions = [alone]
    for way in ways:
        if way.beside:
            beside, more = _any_of(way.beside)
            conditions.append(f"words @> ?::bigint[] AND {beside}")
            values += [[way.word.key], *more]
    return " OR ".join(conditions), values
