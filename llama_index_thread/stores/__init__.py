"""LlamaIndex's vector stores as the core's `UnitStore`: a file for each, imported when such a store is met."""

from __future__ import annotations

from importlib import import_module

from llama_index.core import VectorStoreIndex
from llama_index.core.vector_stores.simple import SimpleVectorStore
from llama_index.core.vector_stores.types import BasePydanticVectorStore

from llama_index_thread.stores import simple
from llama_index_thread.stores.form import Opened
from thread_core.ports import UnitStore

_STORES = {"ChromaVectorStore": "chroma", "PGVectorStore": "postgres", "QdrantVectorStore": "qdrant"}
"""A class below `llama_index.vector_stores` -> the file here that opens it."""


def opened(
    index: VectorStoreIndex | None, vector_store: BasePydanticVectorStore | UnitStore | None, *, writing: bool = False
) -> Opened:
    """The units of an index or of its vector store, or a `UnitStore` as it is.

    Raises:
        ValueError: not one of the two is given.
        TypeError: units are not kept in such a store.
        BadStore: they cannot be kept in it as it was made.
    """
    if (index is None) == (vector_store is None):
        raise ValueError("pass either index= or vector_store=")
    if isinstance(index, BasePydanticVectorStore | UnitStore):
        raise TypeError(
            f"found a {type(index).__name__}, expected an index; pass vector_store=, or for a SimpleVectorStore the"
            " index over it"
        )
    if isinstance(vector_store, UnitStore):
        return Opened(vector_store, lambda ids: ())
    store = vector_store if index is None else getattr(index, "vector_store", None)
    if isinstance(store, SimpleVectorStore) and index is not None:
        return simple.opened(index, store)
    for kind in type(store).__mro__:
        if kind.__module__.startswith("llama_index.vector_stores.") and (file := _STORES.get(kind.__name__)):
            made: Opened = import_module(f"{__name__}.{file}").opened(store, writing)
            return made
    raise TypeError(
        f"found a {type(store or index).__name__}, expected a {', a '.join(_STORES)}, or an index over a"
        " SimpleVectorStore; pass one as index= or vector_store=, or your own UnitStore as vector_store="
        " (docs/stores.md)"
    )
