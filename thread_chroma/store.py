"""One `UnitStore` over the rows of a Chroma collection, whichever framework wrote them.

Reading knows both layouts: a LangChain row's document is the rendered unit, a LlamaIndex row's document is
the header and its metadata holds the body. Writing keeps to the layout of the framework that owns the collection.
Four traits of Chroma shape this file:

- A condition that nearly every row meets is slow (0.1 to 0.2 s over 40,000 rows, beside others too; 3 ms without it).
  So a search asks without the marker first, and with it only where too few of the rows were units; and whether rows
  that are read meet a filter is told from what they hold.
- Of a row's metadata all is read or nothing, a tenth of a millisecond a row: a search does without.
- `upsert` and `update` merge metadata, so a key that the new version lacks is written as None, which removes it, and a
  row is marked by that key alone.
- Many calls fail beyond a number of rows, so writing and reading go in batches.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol, cast

import numpy as np

from thread_chroma import reading
from thread_chroma.rows import Record, RowForm, rendered
from thread_chroma.telling import Unindexed, in_our_words
from thread_chroma.writing import Present, Writes, calls, plan
from thread_core import layout
from thread_core.errors import BadStore
from thread_core.models import LogicUnit
from thread_core.ports import Hit, Stored, Vector, Where
from thread_core.store.batches import batches
from thread_core.store.rows import Traits
from thread_core.store.scanning import OPERATORS, by_document, cosines, meets, translated
from thread_core.store.versioning import version_of

BATCH = 5000
"""Rows a call. Chroma's own limit is `client.get_max_batch_size()`: 5,461 in the wheels of 1.5."""
DOCUMENTS = 100
"""Documents of which rows are asked for in one call."""
PAGE = 10_000
"""Whole rows that are read in one call."""
WIDER = 3
"""How many times more rows are asked for than wanted. Chroma's index is approximate: of the 100 nearest of 5,000 it
finds 98 when asked for 100, and all when asked for 300. Without it, two collections of the same units rank differently.
"""
REMEMBERED = 100_000
"""Units of which it is kept at most which document they are of: some 20 MB."""
COSINE = "cosine"
IN_COSINE = (
    'ingest into a new one, made with configuration={"hnsw": {"space": "cosine"}}'
    " (LangChain's Chroma calls it collection_configuration)"
)
"""What to do with a collection that measures other distances."""
_NOT_MARKED: dict[str, Any] = {layout.MARKER: {"$ne": layout.OUTDATED}}
"""Met by ordinary rows too, and quick: what few rows meet is soon taken out."""
_NOBODY = "thread:nobody"
"""An id that no row has."""
_OTHER_LAYOUTS: dict[str, Any] = {
    "$or": [
        {layout.MARKER: {"$gt": layout.LAYOUT}},
        {layout.MARKER: {"$in": list(range(layout.OUTDATED + 1, layout.LAYOUT))}},
    ]
}
_OF_LLAMA_INDEX = (
    "the collection has rows of LlamaIndex, and this store would overwrite them with LangChain's;"
    " write with llama_index_thread.ThreadIngest, or into another collection"
)
_OF_LANGCHAIN = (
    "the collection has rows of LangChain or the command, and this store would overwrite them with LlamaIndex's;"
    " write with langchain_thread.ThreadIngest or `thread-rag ingest`, or into another collection"
)


class Rows(Protocol):
    """The reading methods of a `chromadb.Collection`; one fits as it is.

    Where `configuration_json` does not tell that it measures cosines, `query` should give `embeddings`; without them
    `distances` are taken for those of a cosine collection.
    """

    def get(
        self,
        ids: Any = None,
        where: Any = None,
        limit: int | None = None,
        offset: int | None = None,
        *,
        include: Any = ...,
    ) -> Any:
        """Rows by id or filter: `ids` and what `include` names, as parallel lists."""

    def query(self, *, query_embeddings: Any, n_results: int = ..., where: Any = None, include: Any = ...) -> Any:
        """The nearest rows of each vector: as `get`, one list a vector."""


class WritableRows(Rows, Protocol):
    """The methods of a `chromadb.Collection` that writing needs."""

    def add(self, ids: Any, embeddings: Any = None, metadatas: Any = None, documents: Any = None) -> None:
        """Add rows that are not there."""

    def update(self, ids: Any, embeddings: Any = None, metadatas: Any = None, documents: Any = None) -> None:
        """Merge rows that are there."""

    def delete(self, ids: Any = None) -> Any:
        """Remove rows."""


_WRITING = ("add", "update", "delete")
"""Looked for by name: what wraps a collection may have them without being seen to be a `WritableRows`."""


class ChromaUnitStore:
    """Logic units in a Chroma collection; other rows of it are neither read nor written.

    What another process writes is seen by every method but `search`: Chroma's vector index in this process
    learns of it only when this process writes too, or starts again; until then documents come without vectors, and a
    search with a filter may fail. Have one process a directory, or a server (`chroma run`).

    Example:
        >>> import chromadb
        >>> client = chromadb.EphemeralClient()
        >>> store = ChromaUnitStore(client.create_collection("guides", embedding_function=None))
        >>> store.documents(["nothing.md"])
        {}
    """

    traits = Traits(filters=OPERATORS, indexed=True, atomic=False, shared=False, call=BATCH)
    """A server (`chroma run`) is shared."""

    def __init__(self, rows: Rows, *, form: RowForm = rendered, batch: int = BATCH) -> None:
        """Say whose rows they are.

        Args:
            rows: The collection.
            form: How a unit becomes a row: the form of the framework that owns the collection. The default makes
                LangChain's rows and the command's.
            batch: Rows a call at most.
        """
        self._rows = rows
        self._form = form
        self._batch = batch
        self._checked = False
        self._told = False
        self._told_of_space = False
        self._seen = ("", "")
        self._documents: dict[str, str] = {}
        """Of units that were read, the document. A unit's id is made from its document's: none of this grows old."""

    def search(self, vector: Vector, k: int, where: Where | None = None) -> list[Hit]:
        """The k units whose headers are nearest, by the cosine, whatever the collection's space is.

        A filter is Chroma's, and may have several keys. Where the collection measures cosines, a score is by Chroma's
        distance, right to some millionths; elsewhere it is computed from the vectors. In an l2 or ip collection whose
        vectors differ in length, the k candidates are that space's nearest: it is warned of, once.

        Raises:
            BadStore: the vector's length is not that of the collection.
        """
        if k <= 0:
            return []
        conditions = _conditions(where)
        near = self._nearest(vector, k * WIDER, conditions)
        for some in (near[:k], near):
            if len(hits := self._hits(some)) >= min(k, len(near)):
                return hits[:k]
        return self._hits(self._nearest(vector, k * WIDER, [dict(layout.ONLY_UNITS), *conditions])[:k])

    def documents(
        self, document_ids: Sequence[str], where: Where | None = None, *, vectors: bool = False
    ) -> dict[str, list[Stored]]:
        """The units of several documents, each in reading order; a document without units is left out."""
        parts = batches(list(dict.fromkeys(document_ids)), DOCUMENTS)
        return by_document(row for some in parts for row in self._pages(_of(some), where, vectors=vectors))

    def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        """Units by id, in the order of `ids`; missing ones are left out, and those that do not meet a filter."""
        units: dict[str, LogicUnit] = {}
        for some in batches(list(dict.fromkeys(ids)), self._batch):
            found = self._get(ids=some, include=["documents", "metadatas"])
            units.update((row.unit.id, row.unit) for row in self._stored(found, where))
        return [units[unit_id] for unit_id in ids if unit_id in units]

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        """The ids of all units (0.2 s over 40,000 rows), or of those of some documents."""
        if document_ids is None:
            return list(self._get(where=dict(layout.ONLY_UNITS), include=[])["ids"])
        found: list[str] = []
        for some in batches(list(dict.fromkeys(document_ids)), DOCUMENTS):
            own = _all_of([_of(some), dict(layout.ONLY_UNITS)])
            found += self._get(where=own, include=[])["ids"]
        return found

    def version(self) -> str:
        """`version_of` the ids of all units, the same in every process; empty when there is none.

        It notices every unit that comes or goes, by whichever process. A count would be cheaper (3 ms) and
        miss an edit that exchanges one unit for another; the count and the newest row would miss that where
        a framework deletes a document's rows and adds them again. It does not notice that an unchanged
        unit's lines moved, because its content and therefore its id are the same, nor a change of other rows.
        Where the collection holds units of another layout, it says so: once, or by raising where there are no others.
        Takes 30 ms over 10,000 rows and 0.1 s over 40,000, and some three times that after a change.
        """
        rows = self._get(include=[])["ids"]
        # Rows that come and go are there before and after their document changes: by them alone, it would not have.
        ids = version_of([*rows, *self._marked()])
        seen, version = self._seen
        if ids != seen:
            version = version_of(self.ids())
            self._tell_of_other_layouts(bool(version))
            self._seen = (ids, version)
        return version

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        """Bring new units, rewrite moved ones and remove those that go: each document changes by one call of Chroma's.

        Before it come the rows of new units, which nobody takes for units yet; after it those that go are deleted. A
        document with more rows than a call takes goes in several, the new ones first: a reader may then see both
        versions of it for a moment.

        Raises:
            BadStore: the rows can only be read, are another framework's, or have vectors of another length.
        """
        self._writable()
        new = {unit.id: (unit, vector) for unit, vector in zip(units, vectors, strict=True)}
        others = {unit.id: unit for unit in moved if unit.id not in new}
        outgoing = [unit_id for unit_id in dict.fromkeys(gone) if unit_id not in new]
        if not (new or others or outgoing):
            return
        coming = [unit for unit, _ in new.values()]
        self._check_form(next(iter((*coming, *others.values())), None))
        present = self._present([*new, *others, *outgoing])
        rows = {row_id: row.metadata for row_id, row in present.items()}
        lasting = [unit for unit_id, unit in others.items() if layout.is_unit(rows.get(unit_id))]
        ending = [row_id for row_id in outgoing if layout.is_of_any_layout(rows.get(row_id))]
        older = self._of_other_layouts(list(dict.fromkeys(unit.document_id for unit in (*coming, *lasting))))
        ending += [row_id for row_id in older if row_id not in {*new, *ending}]
        self._carry_out(plan(new.values(), lasting, ending, older | present, self._form))

    def sweep(self) -> int:
        """Remove the rows that a write which was cut short has marked as outdated; how many there were.

        A call that a server has taken into its log and not carried out, because its process was killed, is carried out
        before.

        Raises:
            BadStore: the rows can only be read.
        """
        self._settle()
        left = self._marked()
        for some in batches(left, self._batch):
            self._delete(some)
        return len(left)

    def _carry_out(self, todo: Writes) -> None:
        rows = self._writable()
        for call in calls(todo.add, self._batch):
            vectors = [record.vector for record in call]
            with in_our_words():
                rows.add(ids=_ids(call), embeddings=vectors, metadatas=_metadatas(call), documents=_texts(call))
        for call in calls(todo.rewrite, self._batch):
            had = self._vectors([record.id for record in call if not record.vector])
            vectors = [record.vector or had[record.id] for record in call]
            with in_our_words():
                rows.update(ids=_ids(call), embeddings=vectors, documents=_texts(call))
        for call in calls(todo.change, self._batch):
            with in_our_words():
                rows.update(ids=_ids(call), metadatas=_metadatas(call))
        for call in calls(todo.delete, self._batch):
            self._delete(_ids(call))

    def _marked(self) -> list[str]:
        """The ids of rows that are to be units soon, or were some."""
        return list(self._get(where={layout.MARKER: layout.OUTDATED}, include=[])["ids"])

    def _settle(self) -> None:
        """Have Chroma carry out what is in its log, and make its index: it does so with any new write."""
        self._delete([_NOBODY])

    def _check_form(self, unit: LogicUnit | None) -> None:
        """Refuse rows of another framework: written in our form, they would be lost to it. One row tells of all."""
        if self._checked or unit is None:
            return
        found = self._get(limit=1, include=["metadatas"])["metadatas"]
        if not any(map(layout.is_unit, found)):
            found = self._get(where=dict(layout.ONLY_UNITS), limit=1, include=["metadatas"])["metadatas"]
        theirs, mine = layout.BODY in (found or [{}])[0], layout.BODY in self._form(unit)[1]
        if found and theirs != mine:
            raise BadStore(_OF_LLAMA_INDEX if theirs else _OF_LANGCHAIN)
        self._checked = True

    def _tell_of(self, space: str) -> None:
        if not self._told_of_space:
            self._told_of_space = True
            message = f"the collection uses {space} distances, expected cosine: other units may be found; {IN_COSINE}"
            warnings.warn(message, UserWarning, stacklevel=4)

    def _tell_of_other_layouts(self, others: bool) -> None:
        if self._told or not (found := self._get(where=_OTHER_LAYOUTS, limit=1, include=["metadatas"])["metadatas"]):
            return
        known, document = found[0][layout.MARKER], found[0].get(layout.DOCUMENT_ID)
        message = (
            f"the collection has units of layout {known}, such as those of {document}, but this version reads layout"
            f" {layout.LAYOUT}; ingest those documents again, or, if some are gone, all documents into a new store"
        )
        if not others:
            raise BadStore(message)
        self._told = True
        warnings.warn(message, UserWarning, stacklevel=4)

    def _of_other_layouts(self, document_ids: list[str]) -> dict[str, Present]:
        """Rows that an older or a newer version of this package has made of some documents."""
        found: dict[str, Present] = {}
        if document_ids and self._get(where=_OTHER_LAYOUTS, limit=1, include=[])["ids"]:
            for some in batches(document_ids, DOCUMENTS):
                found |= self._rows_of(where=_all_of([_of(some), _OTHER_LAYOUTS]))
        return found

    def _present(self, ids: list[str]) -> dict[str, Present]:
        """The rows that are there."""
        found: dict[str, Present] = {}
        for some in batches(ids, self._batch):
            found |= self._rows_of(ids=some)
        return found

    def _rows_of(self, **asked: Any) -> dict[str, Present]:
        found = self._get(**asked, include=["documents", "metadatas"])
        rows = zip(found["ids"], found["documents"], found["metadatas"], strict=True)
        return {row_id: Present(text, metadata or {}) for row_id, text, metadata in rows}

    def _vectors(self, ids: list[str]) -> dict[str, Any]:
        """The vectors of rows that are there."""
        vectors: dict[str, Any] = {}
        for some in batches(ids, self._batch):
            read = partial(reading.with_vectors, self._rows, ids=some, include=["embeddings"])
            try:
                found = read()
            except Unindexed:
                self._settle()
                found = read()
            vectors.update(zip(found["ids"], found["embeddings"], strict=True))
        return vectors

    def _pages(self, among: Any, where: Where | None, *, vectors: bool) -> Iterator[Stored]:
        """Units among some rows that meet a filter. Chroma fails to give more than 32,766 whole rows at once."""
        include = ["documents", "metadatas", *(["embeddings"] if vectors else ())]
        offset = 0
        while True:
            found = self._get(where=among, limit=PAGE, offset=offset, include=include)
            yield from self._stored(found, where)
            offset += PAGE
            if len(found["ids"]) < PAGE:
                return

    def _delete(self, ids: list[str]) -> None:
        with in_our_words():
            self._writable().delete(ids=ids)

    def _get(self, **asked: Any) -> Any:
        return reading.get(self._rows, **asked)

    def _nearest(self, vector: Vector, k: int, conditions: list[dict[str, Any]]) -> list[tuple[str, float]]:
        """The ids of the rows nearest to a vector and their cosines, best first."""
        space = space_of(self._rows)
        found = reading.nearest(
            self._rows,
            query_embeddings=[list(vector)],
            n_results=k,
            where=_all_of(conditions),
            include=["distances", *(() if space == COSINE else ("embeddings",))],
        )
        if space not in ("", COSINE):
            self._tell_of(space)
        return sorted(zip(found["ids"][0], _scores(vector, found), strict=True), key=lambda row: -row[1])

    def _hits(self, near: list[tuple[str, float]]) -> list[Hit]:
        """The units among some rows; of those that were read before it is known which document they are of."""
        if not near:
            return []
        present = self._get(ids=[row_id for row_id, _ in near], where=_NOT_MARKED, include=[])["ids"]
        before = self._documents
        documents = {row_id: before[row_id] for row_id in present if row_id in before}
        if new := [row_id for row_id in present if row_id not in documents]:
            found = self._get(ids=new, include=["metadatas"])
            rows = zip(found["ids"], found["metadatas"], strict=True)
            documents |= {
                row_id: self._noted(row_id, str(row[layout.DOCUMENT_ID])) for row_id, row in rows if layout.is_unit(row)
            }
        return [Hit(row_id, documents[row_id], score) for row_id, score in near if row_id in documents]

    def _stored(self, found: Any, where: Where | None) -> Iterator[Stored]:
        """The units among rows that were read, those that meet a filter."""
        vectors = found.get("embeddings")
        numbers = [None] * len(found["ids"]) if vectors is None else np.asarray(vectors).tolist()
        rows = zip(found["ids"], found["documents"], found["metadatas"], numbers, strict=True)
        for row_id, text, metadata, vector in rows:
            if layout.is_unit(metadata) and meets(metadata, where):
                unit = layout.from_metadata(row_id, text or "", metadata)
                self._noted(row_id, unit.document_id)
                yield Stored(unit, vector)

    def _noted(self, row_id: str, document_id: str) -> str:
        """A unit's document, which is known from now on."""
        if len(self._documents) >= REMEMBERED:
            self._documents = {}
        self._documents[row_id] = named = sys.intern(document_id)
        return named

    def _writable(self) -> WritableRows:
        if not all(hasattr(self._rows, name) for name in _WRITING):
            raise BadStore(
                "this store is read-only; add and delete units through the vector store that it reads,"
                " or make a ChromaUnitStore of the chromadb collection itself"
            )
        return cast(WritableRows, self._rows)


def space_of(rows: object) -> str:
    """What a collection measures distances by: cosine, l2 or ip; empty where it does not tell."""
    configuration = getattr(rows, "configuration_json", None)
    if configuration is None:
        return ""
    return str((configuration.get("hnsw") or configuration.get("spann") or {}).get("space", "l2"))


def _of(document_ids: list[str]) -> dict[str, Any]:
    return {layout.DOCUMENT_ID: {"$in": document_ids}}


def _conditions(where: Where | None) -> list[dict[str, Any]]:
    """The conditions of a filter that must all hold, one key and one operator each, as Chroma wants them."""
    if not (read := translated(where or {}, lambda key, name, value: {key: {name: value}}, _every, _either)):
        return []
    return list(read.get("$and", [read]))


def _every(conditions: list[dict[str, Any]]) -> dict[str, Any]:
    return {"$and": conditions}


def _either(conditions: list[dict[str, Any]]) -> dict[str, Any]:
    return {"$or": conditions} if len(conditions) > 1 else conditions[0]


def _all_of(conditions: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
    """Chroma wants no filter, one condition, or several under `$and`."""
    found = list(conditions)
    if len(found) > 1:
        return {"$and": found}
    return found[0] if found else None


def _scores(vector: Vector, found: Any) -> list[float]:
    if not found["ids"][0]:
        return []
    if found.get("embeddings") is None:
        return [1.0 - float(distance) for distance in found["distances"][0]]
    return [float(score) for score in cosines(vector, found["embeddings"][0])]


def _ids(call: list[Record]) -> list[str]:
    return [record.id for record in call]


def _metadatas(call: list[Record]) -> list[dict[str, Any]]:
    return [dict(record.metadata) for record in call]


def _texts(call: list[Record]) -> list[str]:
    return [record.text for record in call]
