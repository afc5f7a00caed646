"""LlamaIndex's `ChromaVectorStore`."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.schema import BaseNode
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread.convert import to_row
from llama_index_thread.stores.form import Opened
from thread_chroma import ChromaUnitStore, check
from thread_chroma.telling import in_our_words


def opened(store: ChromaVectorStore, writing: bool) -> Opened:
    """The units of a collection.

    Raises:
        BadStore: it is to be written, and does not measure cosines.
    """
    if writing:
        check(store.client)

    def nodes(ids: Sequence[str]) -> list[BaseNode]:
        with in_our_words():
            return store.get_nodes(list(ids))

    return Opened(ChromaUnitStore(store.client, form=to_row), nodes)
