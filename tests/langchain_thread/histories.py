"""Histories of edits, played through LangChain's `index()` and through our ingest, and what the stores hold then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.indexing import RecordManager, index

from langchain_thread import LogicUnitTextSplitter, ThreadIngest, unit_key
from langchain_thread.convert import to_unit
from langchain_thread.stores import to_unit_store
from thread_core import LogicUnit
from thread_core.store.rows import RowUnitStore

Folder = Mapping[str, str]
"""Document -> its text, as it is after an edit."""


def by_index(history: Sequence[Folder], store: Any, records: RecordManager) -> None:
    """LangChain's own way. What is no longer there is deleted by its source; what has no text now stays."""
    before: Folder = {}
    for folder in history:
        units = LogicUnitTextSplitter().split_documents(documents(folder))
        index(units, records, store, cleanup="scoped_full", source_id_key="source", key_encoder=unit_key)
        indexed = {unit.metadata["source"] for unit in units}
        for source in before.keys() - indexed - {source for source, text in folder.items() if not text.strip()}:
            if outdated := records.list_keys(group_ids=[source]):
                store.delete(outdated)
                records.delete_keys(outdated)
        before = folder


def by_ingest(history: Sequence[Folder], store: Any) -> list[Any]:
    """Our own way; the reports."""
    ingest = ThreadIngest(store)
    return [ingest.run(documents(folder), source="guides", prune=True) for folder in history]


def at_the_end(history: Sequence[Folder]) -> Folder:
    """The documents that a store holds then: one that has no text any more changes nothing."""
    held: Folder = {}
    for folder in history:
        texts = {source: text if text.strip() else held.get(source, "") for source, text in folder.items()}
        held = {source: text for source, text in texts.items() if text}
    return held


def documents(folder: Folder) -> list[Document]:
    return [
        Document(text, metadata={"source": source, "team": "storage", "tags": ["disk", source]})
        for source, text in folder.items()
    ]


class Row(NamedTuple):
    """What a store holds in a row, without the row's own id."""

    unit: LogicUnit
    text: str
    metadata: Mapping[str, Any]
    vector: Any
    """Near enough is equal: Chroma brings vectors to length 1, now or later."""


def rows(store: Any) -> list[Row]:
    """What a store holds, in reading order."""
    if isinstance(store, Chroma):
        found = store.get(include=["documents", "metadatas", "embeddings"])
        held = list(zip(found["ids"], found["documents"], found["metadatas"], found["embeddings"], strict=True))
    else:
        held = list(cast(RowUnitStore, to_unit_store(store)).rows.find({}, vectors=True))
    units = [
        Row(to_unit(Document(text, id="", metadata=metadata)), text, metadata, Near(vector))
        for _, text, metadata, vector in held
    ]
    return sorted(units, key=lambda row: (row.unit.document_id, row.unit.position))


class Near:
    """A vector that equals those that are nearly the same."""

    def __init__(self, vector: Sequence[float]) -> None:
        self._vector = np.asarray(vector)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Near) and bool(np.allclose(self._vector, other._vector, atol=1e-6))
