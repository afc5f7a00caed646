"""`langchain_community.vectorstores.FAISS`: documents lie in its docstore, vectors in its index.

`index_to_docstore_id` says which of them belong together: by a vector's place in the index. None of the three is
changed where it lies, for other threads may be reading it. A write makes them anew and exchanges all three at one
stroke, and every read here begins by taking all three at one stroke.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import faiss
import numpy as np
import numpy.typing as npt
from langchain_community.docstore.in_memory import InMemoryDocstore
from langchain_community.vectorstores.faiss import FAISS
from langchain_core.documents import Document

from langchain_thread.stores.rest import DocumentRows, Rest
from thread_core.errors import BadStore
from thread_core.ports import Vector, Where
from thread_core.store.rows import Near, Row, RowUnitStore, Traits, other_length
from thread_core.store.scanning import cosines, meets

_FLAT = {faiss.METRIC_L2: faiss.IndexFlatL2, faiss.METRIC_INNER_PRODUCT: faiss.IndexFlatIP}
"""What an index measures -> the one that measures it and keeps vectors whole, in the order in which they came."""
_WRITING = threading.Lock()
"""Held from the reading of what is there to its exchange, of whichever FAISS: that takes no longer than a copy."""


def opened(vectorstore: FAISS, rest: Rest | None) -> RowUnitStore:
    """The units of a FAISS; cosines are measured here, whatever its index measures.

    Raises:
        BadStore: its index is not flat, or its documents do not lie in memory.
    """
    index, docstore = vectorstore.index, vectorstore.docstore
    if type(index) not in (faiss.IndexFlat, *_FLAT.values()) or index.metric_type not in _FLAT:
        raise BadStore(
            f"the index of the FAISS is a {type(index).__name__} of metric {index.metric_type}, and units need vectors"
            " that are kept whole and in order; make it with faiss.IndexFlatL2 or faiss.IndexFlatIP"
        )
    if type(docstore) is not InMemoryDocstore:
        raise BadStore(
            f"the docstore of the FAISS is a {type(docstore).__name__}, of which rows cannot be listed; make the FAISS"
            " with LangChain's InMemoryDocstore"
        )
    return RowUnitStore(FaissRows(vectorstore), DocumentRows(rest))


class Held(NamedTuple):
    """What a FAISS holds at one moment; the ids by the places of their vectors."""

    index: Any
    ids: list[str]
    documents: Mapping[str, Document]

    def vectors(self) -> npt.NDArray[np.float32]:
        """A copy of all vectors, a line each.

        Raises:
            BadStore: they are more or fewer than the ids.
        """
        if self.index.ntotal != len(self.ids):
            raise BadStore(
                f"the FAISS has {self.index.ntotal} vectors in its index and {len(self.ids)} in index_to_docstore_id: a"
                " write of its own is under way, or has failed halfway; in that case make it anew"
            )
        return np.asarray(self.index.reconstruct_n(0, len(self.ids)), dtype=np.float32)

    def rows(self, wanted: Callable[[str, Document], bool], vectors: bool) -> list[Row]:
        """Some rows, with their vectors where these are asked for."""
        held = self.vectors() if vectors else None
        return [
            Row(row_id, document.page_content, document.metadata, None if held is None else held[place].tolist())
            for place, row_id in enumerate(self.ids)
            if (document := self.documents.get(row_id)) and wanted(row_id, document)
        ]

    def with_length(self, vectors: Sequence[Vector]) -> npt.NDArray[np.float32]:
        """Other vectors, a line each.

        Raises:
            BadStore: one is of another length than those of the index.
        """
        if others := {len(vector) for vector in vectors} - {self.index.d}:
            raise BadStore(other_length(min(others), self.index.d))
        return np.array(vectors, dtype=np.float32).reshape(len(vectors), self.index.d)


class FaissRows:
    """The rows of a FAISS; each read looks at all of them."""

    traits = Traits(filters=(), indexed=False, atomic=True, shared=False, call=10_000)

    def __init__(self, vectorstore: FAISS) -> None:
        self._vectorstore = vectorstore

    def near(self, vector: Vector, k: int, where: Where) -> list[Near]:
        """The k rows nearest to a vector that meet a filter, best first."""
        held = self._held()
        scores = cosines(held.with_length([vector])[0], held.vectors())
        best = ((held.ids[place], float(scores[place])) for place in np.argsort(-scores, kind="stable"))
        found = ((row_id, document, score) for row_id, score in best if (document := held.documents.get(row_id)))
        met = (Near(row_id, one.metadata, score) for row_id, one, score in found if meets(one.metadata, where))
        return list(islice(met, k))

    def get(self, ids: Sequence[str], *, vectors: bool = False) -> list[Row]:
        """Rows by id."""
        some = set(ids)
        return self._held().rows(lambda row_id, _: row_id in some, vectors)

    def find(self, where: Where, *, vectors: bool = False) -> list[Row]:
        """The rows that meet a filter."""
        return self._held().rows(lambda _, document: meets(document.metadata, where), vectors)

    def ids(self, where: Where) -> list[str]:
        """The ids of the rows that meet a filter."""
        return [row.id for row in self.find(where)]

    def write(self, rows: Sequence[Row], gone: Sequence[str] = ()) -> None:
        """Write some rows and delete others. A row that stays keeps its place, unless one before it goes."""
        with _WRITING:
            held = self._held()
            new = held.with_length([row.vector or () for row in rows])
            if self._vectorstore._normalize_L2:
                faiss.normalize_L2(new)
            known, going = set(held.ids), set(gone)
            ids = [*held.ids, *(row.id for row in rows if row.id not in known)]
            places = {row_id: place for place, row_id in enumerate(ids)}
            vectors = np.concatenate([held.vectors(), np.empty((len(ids) - len(held.ids), held.index.d), np.float32)])
            vectors[[places[row.id] for row in rows]] = new
            stay = [place for place, row_id in enumerate(ids) if row_id not in going]
            index = _FLAT[held.index.metric_type](held.index.d)
            index.add(vectors[stay])
            written = {row.id: Document(row.text, id=row.id, metadata=dict(row.metadata)) for row in rows}
            after = {row_id: one for row_id, one in {**held.documents, **written}.items() if row_id not in going}
            order = dict(enumerate(ids[place] for place in stay))
            # `held` keeps the old index until then: with its end, amid the exchange, other threads would have a turn.
            vars(self._vectorstore).update(index=index, docstore=InMemoryDocstore(after), index_to_docstore_id=order)

    def _held(self) -> Held:
        now = vars(self._vectorstore).copy()
        ids = [row_id for _, row_id in sorted(now["index_to_docstore_id"].items())]
        return Held(now["index"], ids, now["docstore"]._dict)
