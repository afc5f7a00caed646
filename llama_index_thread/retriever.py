"""A question -> the units that answer it and what their linkers lead to, in reading order."""

from __future__ import annotations

import threading
from typing import Any, Never

from llama_index.core import VectorStoreIndex
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager
from llama_index.core.embeddings.utils import EmbedType
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.vector_stores.types import BasePydanticVectorStore, MetadataFilters

from llama_index_thread.convert import to_retrieved, to_where
from llama_index_thread.embeddings import CoreEmbedder, to_embed_model
from llama_index_thread.models import Models, to_access
from llama_index_thread.prerequisites import said_in
from llama_index_thread.stores import opened
from thread_core.plan import Plan, in_a_thread
from thread_core.ports import LexicalIndex, UnitStore
from thread_core.retrieval.prerequisites import Known
from thread_core.retrieval.retrieve import BUDGET, ENTRIES, NO_SUCH, UNITS, Found, retrieve
from thread_core.sending import check_sendable
from thread_core.store.library import Library


class ThreadRetriever(BaseRetriever):
    """Finds the units that a question enters, by header and words, and those that their links lead to.

    It queries the vector store itself, so `k` and `budget` limit the result, and a node's text is the rendered unit.
    Other nodes in the same collection are ignored. Use a `ThreadQuery` to judge prerequisites by the conversation too.
    If a query has an `embedding` or `custom_embedding_strs` (as from LlamaIndex's `HyDEQueryTransform`), these are used
    for the headers, and the question for the words.

    The result is in reading order. A score, 0 to 1, is that of a whole document with what its links lead to, so a
    cutoff (`SimilarityPostprocessor`) keeps or drops whole documents. If nothing fits, the result is empty.

    Example:
        index = VectorStoreIndex.from_vector_store(store, embed_model=DefaultEmbedding())
        retriever = ThreadRetriever(index)
    """

    def __init__(
        self,
        index: VectorStoreIndex | None = None,
        *,
        vector_store: BasePydanticVectorStore | UnitStore | None = None,
        embed_model: EmbedType | None = None,
        k: int = UNITS,
        entries: int = ENTRIES,
        budget: int = BUDGET,
        filters: MetadataFilters | None = None,
        lexical_index: LexicalIndex | None = None,
        callback_manager: CallbackManager | None = None,
        **unknown: Never,
    ) -> None:
        """Give the index or its vector store.

        Args:
            index: An index over any vector store that docs/stores.md names.
            vector_store: The vector store itself, or a `UnitStore` of your own.
            embed_model: What the collection was written with. When None, the index's own; for a vector store,
                `Settings.embed_model` at the first question.
            k: Nodes that come back at most.
            entries: How many documents the question enters; each is read on from there.
            budget: Tokens that come back at most. A first unit that is longer comes as far as it fits, and its body
                ends with "...".
            filters: What the metadata of a unit must be; nothing else is read, neither at the entries nor behind a
                link, by this retriever and by the engines and sessions over it.
            lexical_index: Where words are looked up; made in memory when None. `thread_core.store.lexical` has
                `SqliteLexicalIndex(path)`, which keeps the words between processes, and `NoWords()`, with which header
                vectors alone count.
            callback_manager: As in any retriever.
            unknown: None; who tries another retriever's is told of these.

        Raises:
            ValueError: not one of `index` and `vector_store`, a number below 1, a filter that Chroma does not know, or
                an embedding of another model than the index's.
            TypeError: the vector store is another one, or an argument is one of LlamaIndex's own retrievers.
        """
        if unknown:
            raise TypeError(NO_SUCH.format(unknown=", ".join(sorted(unknown)), filter="filters"))
        super().__init__(callback_manager=callback_manager)
        if min(k, entries, budget) < 1:
            raise ValueError(f"found k={k}, entries={entries} and budget={budget}, expected at least 1 each")
        self._k, self._entries, self._budget = k, entries, budget
        self._where = None if filters is None else to_where(filters)
        self._store, self._held = opened(index, vector_store)
        none_named = embed_model is None and index is None
        self._embed_model = None if none_named else to_embed_model(embed_model, index)
        self._lexical_index = lexical_index
        self._library: Library | None = None
        self._opening = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        """As a copy has it, in its own process: whatever was read is read again.

        Raises:
            TypeError: the index or its vector store cannot go there, as Chroma cannot.
        """
        check_sendable(self._store, "what the retriever reads", "open the index there, and make a retriever for it")
        return self.__dict__ | {"_library": None, "_opening": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state | {"_opening": threading.Lock()}

    @property
    def library(self) -> Library:
        """What answers the plans of the core, made when it is first asked for; nothing is read yet.

        Raises:
            ValueError: there is no embedding.
        """
        with self._opening:
            if self._library is None:
                embedder = CoreEmbedder(to_embed_model(self._embed_model))
                whole = Library(self._store, embedder, self._lexical_index)
                self._library = whole.within(self._where)
            return self._library

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return self._nodes(self._library_for(query_bundle).run(self._plan(query_bundle)))

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        library = await in_a_thread(self._library_for, query_bundle)
        return await in_a_thread(self._nodes, await library.arun(self._plan(query_bundle)))

    def _library_for(self, query: QueryBundle) -> Library:
        """The library, which knows the question's vector where the query brings it, or what to embed instead of it."""
        vector = query.embedding
        if vector is None and query.custom_embedding_strs:
            embed_model = to_embed_model(self._embed_model)
            vector = embed_model.get_agg_embedding_from_queries(query.custom_embedding_strs)
        return self.library if vector is None else self.library.knowing(query.query_str, vector)

    def _nodes(self, found: list[Found]) -> list[NodeWithScore]:
        held = self._held([one.unit.id for one in found]) if found else ()
        related = {node.node_id: node.relationships for node in held}
        return [NodeWithScore(node=to_retrieved(one.unit, related.get(one.unit.id)), score=one.score) for one in found]

    def _plan(self, query: QueryBundle) -> Plan[list[Found]]:
        known = Known(said=said_in(query))
        return retrieve(query.query_str, k=self._k, entries=self._entries, budget=self._budget, known=known)


def library_of(retriever: ThreadRetriever, llm: Models | None = None) -> Library:
    """What walks over a retriever read, with models where some are given.

    Raises:
        TypeError: it is another retriever, which knows no way from one unit to the next.
    """
    library = Library.of(retriever, ThreadRetriever, "ThreadRetriever(index)")
    return library if llm is None else library.with_models(to_access(llm))
