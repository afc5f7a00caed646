"""LangChain's vector stores as the core's `UnitStore`: a file for each, imported when such a store is met."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from langchain_core.vectorstores import VectorStore

from langchain_thread.stores.rest import Rest
from thread_core.ports import UnitStore

_STORES = {
    ("langchain_chroma", "Chroma"): "chroma",
    ("langchain_core", "InMemoryVectorStore"): "memory",
    ("langchain_qdrant", "QdrantVectorStore"): "qdrant",
    ("langchain_postgres", "PGVector"): "postgres",
    ("langchain_postgres", "PGVectorStore"): "postgres",
    ("langchain_community", "FAISS"): "faiss",
}
"""A class's package and name -> the file here that opens it, and what is made of it."""


def to_unit_store(vectorstore: VectorStore | UnitStore, rest: Rest | None = None) -> UnitStore:
    """A vector store that LangChain's users have, as the core reads it; with `rest`, it can be written.

    Raises:
        ValueError: it is of a class that is not supported.
        BadStore: units cannot be kept in it as it was made.
    """
    if isinstance(vectorstore, UnitStore):
        return vectorstore
    for kind in type(vectorstore).__mro__:
        if file := _STORES.get((kind.__module__.partition(".")[0], kind.__name__)):
            return cast(UnitStore, import_module(f"{__name__}.{file}").opened(vectorstore, rest))
    known = ", ".join(name if package != "langchain_core" else f"LangChain's {name}" for package, name in _STORES)
    raise ValueError(
        f"found a {type(vectorstore).__name__}, expected {known}; for another store, pass your own UnitStore"
        " and embeddings= (docs/stores.md)"
    )
