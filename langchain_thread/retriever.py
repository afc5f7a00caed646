"""Question -> the units that answer it, read from a vector store."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, Self, cast
from weakref import WeakValueDictionary

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.messages import MessageLikeRepresentation
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableBinding, RunnableSequence, RunnableWithFallbacks
from langchain_core.runnables.base import RunnableBindingBase
from langchain_core.runnables.configurable import RunnableConfigurableAlternatives, RunnableConfigurableFields
from langchain_core.vectorstores import VectorStore
from pydantic import ConfigDict, Field, PrivateAttr, SkipValidation, model_validator

from langchain_thread.convert import said_by_person, to_retrieved
from langchain_thread.embeddings import CoreEmbedder
from langchain_thread.models import Models, to_access
from langchain_thread.stores import to_unit_store
from thread_core.plan import Plan
from thread_core.ports import LexicalIndex, UnitStore
from thread_core.retrieval.prerequisites import Known
from thread_core.retrieval.retrieve import BUDGET, ENTRIES, NO_SUCH, UNITS, Found, retrieve
from thread_core.sending import check_sendable
from thread_core.store.library import Library

Retriever = Runnable[str, list[Document]]
_LIBRARIES: WeakValueDictionary[tuple[int, int], Library] = WeakValueDictionary()
"""Of the retrievers that are there: by their vector store and embedding, which a library holds."""
_SHARING = threading.Lock()


class ThreadRetriever(BaseRetriever):
    """Finds the units that a question enters, and those that their links lead to, in reading order.

    `k` limits the units, `budget` the tokens, and `entries` the documents that the question enters. Other chunks in the
    same collection are ignored. `invoke` and similar methods take `k` and `chat_history` for one call:

        retriever.invoke("The agent is silent", k=2, chat_history=[("user", "We run agent 2.1")])

    `filter` is a Chroma filter over the documents' metadata. Nothing else is read, at the entries or along links, by
    this retriever and its sessions. A filter for one call narrows the retriever's own:

        retriever = ThreadRetriever(store, filter={"team": "storage"})
        retriever.invoke("The disk is full", filter={"year": {"$gte": 2024}})

    Prerequisites are judged by the question and what the person said before. The lexical index and the catalog are read
    from the collection at the first question and after a change, so keep the retriever. Retrievers over the same vector
    store (from LangChain's `configurable_fields`, or made for one request) share what was read.
    """

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True)

    vectorstore: VectorStore | UnitStore = Field(frozen=True)
    """Any that docs/stores.md names, or a `UnitStore` of your own, with `embeddings`."""
    k: int = Field(default=UNITS, ge=1)
    """Units at most, each a document of LangChain's."""
    entries: int = Field(default=ENTRIES, ge=1)
    """How many of the documents that were taken in the question enters; each is read on from there."""
    budget: int = Field(default=BUDGET, ge=1)
    """Tokens at most. A first unit that is longer comes as far as it fits, and its body ends with "..."."""
    filter: dict[str, Any] | None = Field(default=None, frozen=True)
    """What the metadata of a unit must be, in Chroma's words; all units where absent. Walks that were begun keep to
    it, so it cannot be exchanged: make another retriever, or `model_copy(update={"filter": ...})`."""
    embeddings: Embeddings | None = Field(default=None, frozen=True)
    """The vector store's own where absent."""
    lexical_index: SkipValidation[LexicalIndex | None] = Field(default=None, frozen=True)
    """Made in memory where absent. `thread_core.store.lexical` has `SqliteLexicalIndex(path)`, which keeps the words
    between processes, and `NoWords()`, with which header vectors alone count."""

    _library: Library = PrivateAttr()

    def __init__(
        self,
        vectorstore: VectorStore | UnitStore,
        *,
        k: int = UNITS,
        entries: int = ENTRIES,
        budget: int = BUDGET,
        filter: dict[str, Any] | None = None,
        embeddings: Embeddings | None = None,
        lexical_index: LexicalIndex | None = None,
        **others: Any,
    ) -> None:
        """Take the fields; the others are those that any retriever has, such as `tags`.

        Raises:
            TypeError: there is no such field.
            ValueError: a number below 1, or no embedding; of fields of a wrong type pydantic's `ValidationError`.
        """
        if unknown := others.keys() - type(self).model_fields.keys():
            raise TypeError(NO_SUCH.format(unknown=", ".join(sorted(unknown)), filter="filter"))
        super().__init__(
            vectorstore=vectorstore,
            k=k,
            entries=entries,
            budget=budget,
            filter=filter,
            embeddings=embeddings,
            lexical_index=lexical_index,
            **others,
        )

    @model_validator(mode="after")
    def _open(self) -> Self:
        self._library = _library_over(self.vectorstore, self.embeddings, self.lexical_index)
        return self

    def __getstate__(self) -> dict[Any, Any]:
        """Whatever was read is read again by a copy, in its own process: threads share it by locks.

        Raises:
            TypeError: the vector store cannot go there, as Chroma cannot.
        """
        check_sendable(self.vectorstore, "the retriever's vector store", "open it there, and make a retriever for it")
        state = super().__getstate__()
        private = {name: value for name, value in state["__pydantic_private__"].items() if name != "_library"}
        return {**state, "__pydantic_private__": private}

    def __setstate__(self, state: dict[Any, Any]) -> None:
        super().__setstate__(state)
        self._library = _library_over(self.vectorstore, self.embeddings, self.lexical_index)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        copied = type(self).__new__(type(self))
        copied.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return copied

    @property
    def library(self) -> Library:
        """What answers the requests of plans, within the filter; sessions over this retriever share it.

        They read nothing else: a subclass that narrows what is found narrows it here.
        """
        return self._library.within(self.filter) if self.filter else self._library

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        chat_history: Sequence[MessageLikeRepresentation] | None = None,
        filter: dict[str, Any] | None = None,
    ) -> list[Document]:
        return _documents(self.library.within(filter).run(self._plan(query, k, chat_history)))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        chat_history: Sequence[MessageLikeRepresentation] | None = None,
        filter: dict[str, Any] | None = None,
    ) -> list[Document]:
        return _documents(await self.library.within(filter).arun(self._plan(query, k, chat_history)))

    def _plan(
        self, query: str, k: int | None, chat_history: Sequence[MessageLikeRepresentation] | None
    ) -> Plan[list[Found]]:
        if not isinstance(query, str):
            raise TypeError(
                f"found {type(query).__name__} as question, expected a text; in a chain, first take it out of the"
                ' inputs, as itemgetter("question") | retriever'
            )
        most = self.k if k is None else k
        if not isinstance(most, Integral) or most < 1:
            raise ValueError(f"found k={most!r}, expected the maximal number of units, 1 or more")
        known = Known(said=(*said_by_person(chat_history or ()), query))
        return retrieve(query, k=int(most), entries=self.entries, budget=self.budget, known=known)


def _library_over(
    vectorstore: VectorStore | UnitStore, given: Embeddings | None, lexical_index: LexicalIndex | None
) -> Library:
    """What reads a vector store: one for all retrievers with the same embedding and no words of their own."""
    store, embeddings = to_unit_store(vectorstore), given or getattr(vectorstore, "embeddings", None)
    if embeddings is None:
        raise ValueError("the vector store has no embedding; pass the embeddings= that it was written with")
    mine = Library(store, CoreEmbedder(embeddings), lexical_index)
    if lexical_index is not None:
        return mine
    with _SHARING:
        return _LIBRARIES.setdefault((id(vectorstore), id(embeddings)), mine)


def library_of(retriever: ThreadRetriever, llm: Models | None = None) -> Library:
    """What walks over a retriever read, with models where some are given.

    A config around the retriever is left out, and a filter that is bound to it holds. Whatever else LangChain puts
    around a retriever is refused: it may choose at each call what is found, and a walk does not call the retriever.

    Raises:
        TypeError: it is another retriever, which knows no way from one unit to the next.
    """
    library = _below(retriever)
    return library if llm is None else library.with_models(to_access(llm))


def hearing(retriever: Retriever, history: Sequence[MessageLikeRepresentation]) -> Retriever:
    """A retriever whose every `ThreadRetriever`, whatever LangChain has put around it, knows a conversation.

    Others are asked as before: they do not know what that is, and some refuse what they do not know.
    """
    return _changed(retriever, lambda one: one.bind(chat_history=history))


def thread_retriever_in(retriever: Retriever) -> ThreadRetriever | None:
    """The first that is there, whatever LangChain has put around it."""
    found: list[ThreadRetriever] = []

    def note(one: Retriever) -> Retriever:
        found.append(one if isinstance(one, ThreadRetriever) else cast(Any, one).default)
        return one

    _changed(retriever, note)
    return next(iter(found), None)


def _changed(retriever: Retriever, change: Callable[[Retriever], Retriever]) -> Retriever:
    """The same with every `ThreadRetriever` in it changed, or that of which LangChain makes one at each call."""

    def within(one: Any) -> Any:
        return _changed(one, change) if isinstance(one, Runnable) else lambda: _changed(one(), change)

    match retriever:
        case ThreadRetriever() | RunnableConfigurableFields(default=ThreadRetriever()):
            return change(retriever)
        case RunnableBindingBase(bound=bound):
            return retriever.model_copy(update={"bound": within(bound)})
        case RunnableSequence(first=first):
            return retriever.model_copy(update={"first": within(first)})
        case RunnableWithFallbacks(runnable=first, fallbacks=others):
            return retriever.model_copy(update={"runnable": within(first), "fallbacks": list(map(within, others))})
        case RunnableConfigurableAlternatives(default=first, alternatives=others):
            named = {name: within(other) for name, other in others.items()}
            return retriever.model_copy(update={"default": within(first), "alternatives": named})
    return retriever


def _below(retriever: object) -> Library:
    if not isinstance(retriever, RunnableBinding):
        return Library.of(retriever, ThreadRetriever, "ThreadRetriever(vectorstore=..., filter=...)")
    if others := sorted(retriever.kwargs.keys() - {"filter"}):
        raise TypeError(
            f"found a bound {', '.join(others)}, but a walk can only use a bound filter; bind only the filter"
        )
    return _below(retriever.bound).within(retriever.kwargs.get("filter"))


def _documents(found: Sequence[Found]) -> list[Document]:
    return [to_retrieved(one.unit) for one in found]
