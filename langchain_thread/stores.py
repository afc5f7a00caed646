"""LangChain's vector stores as the core's `UnitStore`: Chroma, and the one that LangChain keeps in memory.

A unit's row holds what `LogicUnitTextSplitter` puts into it. That is the unit and the rest of its document's metadata:
lists of tags, which a unit does not carry.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_chroma import Chroma
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from langchain_thread.convert import to_document, to_unit
from thread_chroma import ChromaUnitStore
from thread_core import LogicUnit, layout
from thread_core.models import storable
from thread_core.ports import Hit, Stored, UnitStore, Vector, Where
from thread_core.store.scanning import by_document, meets
from thread_core.store.versioning import version_of

_CHANGED = "thread:changed"
"""A key that no row holds."""


class Rest:
    """The metadata of one run's documents that their units do not carry."""

    def __init__(self) -> None:
        self._by_document: dict[str, dict[str, Any]] = {}

    def note(self, document_id: str, metadata: Mapping[str, Any]) -> None:
        """Take in a document. Of what is no scalar, lists of scalars of one type are kept, as Chroma keeps them."""
        kept = {key: value for key, value in _besides(metadata).items() if _is_plain(key, value)}
        self._by_document[document_id] = copy.deepcopy(kept)

    def clear(self) -> None:
        """Begin another run."""
        self._by_document.clear()

    def of(self, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """What belongs into a row besides the unit; None where the unit's document is not of this run."""
        return self._by_document.get(row.get(layout.DOCUMENT_ID, ""))

    def differs_from(self, row: Mapping[str, Any]) -> bool:
        """Whether a row holds something else besides its unit than it should."""
        return (rest := self.of(row)) is not None and _besides(row) != rest


def to_unit_store(vectorstore: VectorStore, rest: Rest | None = None) -> UnitStore:
    """A vector store that LangChain's users have, as the core reads it; with `rest`, it can be written.

    Raises:
        ValueError: it is of a class that is not supported.
    """
    if isinstance(vectorstore, Chroma):
        return ChromaUnitStore(ChromaRows(vectorstore) if rest is None else WritableChromaRows(vectorstore, rest))
    if isinstance(vectorstore, InMemoryVectorStore):
        return InMemoryUnitStore(vectorstore, rest)
    raise ValueError(f"langchain_chroma.Chroma and InMemoryVectorStore are supported, got {type(vectorstore).__name__}")


class ChromaRows:
    """A LangChain Chroma's rows, as `thread_chroma.Rows` wants them.

    LangChain's own search reads all that a row holds, so the collection itself is searched.
    """

    def __init__(self, vectorstore: Chroma) -> None:
        self._vectorstore = vectorstore

    def get(
        self,
        ids: Any = None,
        where: Any = None,
        limit: int | None = None,
        offset: int | None = None,
        *,
        include: Any = ("metadatas", "documents"),
    ) -> dict[str, Any]:
        """Rows by id or filter."""
        return self._vectorstore.get(ids, where, limit, offset, include=list(include))

    @property
    def configuration_json(self) -> Any:
        """The collection's."""
        return self._vectorstore._collection.configuration_json

    def query(
        self, *, query_embeddings: Any, n_results: int = 10, where: Any = None, include: Any = ()
    ) -> dict[str, Any]:
        """The rows nearest to each vector."""
        found = self._vectorstore._collection.query(
            query_embeddings=query_embeddings, n_results=n_results, where=where, include=list(include)
        )
        return dict(found)


class WritableChromaRows(ChromaRows):
    """A LangChain Chroma's rows, each with what belongs into it besides the unit.

    LangChain offers no way to write a row with its vector, so the collection itself is written.
    """

    def __init__(self, vectorstore: Chroma, rest: Rest) -> None:
        super().__init__(vectorstore)
        self._collection = vectorstore._collection
        self._rest = rest

    def get(self, *asked: Any, **options: Any) -> dict[str, Any]:
        """Rows by id or filter; one that holds something else than it should besides its unit is not like any unit."""
        found = super().get(*asked, **options)
        rows = found["metadatas"]
        return found if rows is None else {**found, "metadatas": [_marked(row, self._rest) for row in rows]}

    def add(self, ids: Any, embeddings: Any = None, metadatas: Any = None, documents: Any = None) -> None:
        """Add rows that are not there."""
        self._collection.add(ids=ids, embeddings=embeddings, metadatas=self._whole(metadatas), documents=documents)

    def update(self, ids: Any, embeddings: Any = None, metadatas: Any = None, documents: Any = None) -> None:
        """Merge rows that are there."""
        self._collection.update(ids=ids, embeddings=embeddings, metadatas=self._whole(metadatas), documents=documents)

    def delete(self, ids: Any = None) -> Any:
        """Remove rows."""
        return self._collection.delete(ids=ids)

    def _whole(self, metadatas: Any) -> Any:
        return metadatas and [_with_rest(row, self._rest.of(row)) for row in metadatas]


class InMemoryUnitStore:
    """Logic units in LangChain's `InMemoryVectorStore`, through what it shows of itself: its `store` and its search.

    A filter is Chroma's. Every read looks at every row.
    """

    def __init__(self, vectorstore: InMemoryVectorStore, rest: Rest | None = None) -> None:
        self._vectorstore = vectorstore
        self._rest = rest or Rest()

    def search(self, vector: Vector, k: int, where: Where | None = None) -> list[Hit]:
        """The k units whose headers are nearest, by the cosine."""
        near = self._vectorstore.similarity_search_with_score_by_vector(
            list(vector), max(k, 0), filter=lambda document: _is_unit(document.metadata, where)
        )
        return [Hit(document.id or "", document.metadata[layout.DOCUMENT_ID], score) for document, score in near]

    def documents(
        self, document_ids: Sequence[str], where: Where | None = None, *, vectors: bool = False
    ) -> dict[str, list[Stored]]:
        """The units of several documents, each in reading order; a document without units is left out."""
        wanted = set(document_ids)
        return by_document(
            Stored(layout.from_metadata(row["id"], row["text"], _marked(row["metadata"], self._rest)), row["vector"])
            for row in self._rows(where)
            if row["metadata"][layout.DOCUMENT_ID] in wanted
        )

    def get(self, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        """Units by id, in the order of `ids`; missing ones are left out, and those that do not meet a filter."""
        found = self._vectorstore.get_by_ids(ids)
        return [to_unit(document) for document in found if _is_unit(document.metadata, where)]

    def ids(self, document_ids: Sequence[str] | None = None) -> list[str]:
        """The ids of all units, or of those of some documents."""
        wanted = None if document_ids is None else set(document_ids)
        return [row["id"] for row in self._rows() if wanted is None or row["metadata"][layout.DOCUMENT_ID] in wanted]

    def version(self) -> str:
        """`version_of` the ids of all units."""
        return version_of(self.ids())

    def write(
        self,
        units: Sequence[LogicUnit] = (),
        vectors: Sequence[Vector] = (),
        *,
        moved: Sequence[LogicUnit] = (),
        gone: Sequence[str] = (),
    ) -> None:
        """Write units that come, rewrite those that moved and remove those that go, at one stroke for other threads."""
        old = {row["id"]: row for row in self._rows()}
        new = {unit.id: (unit, list(vector)) for unit, vector in zip(units, vectors, strict=True)}
        others = {unit.id: (unit, old[unit.id]["vector"]) for unit in moved if unit.id in old}
        rows = {
            unit_id: self._row(unit, vector, old.get(unit_id)) for unit_id, (unit, vector) in (others | new).items()
        }
        outdated = [unit_id for unit_id in dict.fromkeys(gone) if unit_id in old and unit_id not in new]
        marked = {unit_id: {**old[unit_id], "metadata": {layout.MARKER: layout.OUTDATED}} for unit_id in outdated}
        self._vectorstore.store.update(rows | marked)
        self._vectorstore.delete(outdated)

    def sweep(self) -> int:
        """Remove the rows that a write which was cut short has marked as outdated; how many there were."""
        rows = list(self._vectorstore.store.values())
        left = [row["id"] for row in rows if row["metadata"].get(layout.MARKER) == layout.OUTDATED]
        self._vectorstore.delete(left)
        return len(left)

    def _rows(self, where: Where | None = None) -> list[dict[str, Any]]:
        return [row for row in list(self._vectorstore.store.values()) if _is_unit(row["metadata"], where)]

    def _row(self, unit: LogicUnit, vector: list[float], old: dict[str, Any] | None) -> dict[str, Any]:
        document = to_document(unit)
        rest = self._rest.of(document.metadata)
        if rest is None:
            rest = _besides(old["metadata"]) if old else {}
        metadata = {**document.metadata, **rest}
        return {"id": unit.id, "vector": vector, "text": document.page_content, "metadata": metadata}


def _besides(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What a unit does not carry of its document's metadata, or of its row's."""
    own = layout.own_metadata(metadata)
    return {key: value for key, value in metadata.items() if key not in own and not layout.is_ours(key)}


def _is_plain(key: str, value: Any) -> bool:
    if not isinstance(value, list) or len(set(map(type, value))) != 1:
        return False
    return all(storable(key, one) for one in value)


def _marked(row: Any, rest: Rest) -> Any:
    """A row, with a key of its own where it holds something else besides its unit than it should."""
    return {**row, _CHANGED: True} if row and rest.differs_from(row) else row


def _with_rest(row: dict[str, Any], rest: dict[str, Any] | None) -> dict[str, Any]:
    """A row to be written. What would be removed from it stays, where it is not known what its document says."""
    if rest is None:
        return {key: value for key, value in row.items() if value is not None}
    return row | rest


def _is_unit(row: Mapping[str, Any], where: Where | None) -> bool:
    return layout.is_unit(row) and meets(row, where)
