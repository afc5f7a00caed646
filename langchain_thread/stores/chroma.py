"""`langchain_chroma.Chroma`: its collection is read and written by `ChromaUnitStore`."""

from __future__ import annotations

from typing import Any

from langchain_chroma import Chroma

from langchain_thread.stores.rest import Rest
from thread_chroma import ChromaUnitStore, check


def opened(vectorstore: Chroma, rest: Rest | None) -> ChromaUnitStore:
    """The units of a Chroma; with `rest`, it can be written.

    Raises:
        BadStore: it is to be written, and does not measure cosines.
    """
    if rest is None:
        return ChromaUnitStore(ChromaRows(vectorstore))
    check(vectorstore._collection)
    return ChromaUnitStore(WritableChromaRows(vectorstore, rest))


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
        return found if rows is None else {**found, "metadatas": [row and self._rest.marked(row) for row in rows]}

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


def _with_rest(row: dict[str, Any], rest: dict[str, Any] | None) -> dict[str, Any]:
    """A row to be written. What would be removed from it stays, where it is not known what its document says."""
    if rest is None:
        return {key: value for key, value in row.items() if value is not None}
    return row | rest
