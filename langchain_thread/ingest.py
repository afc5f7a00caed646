"""LangChain's documents -> a vector store, again and again; and the key that lets LangChain's own `index()` do it."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from langchain_thread.convert import AS_IT_STANDS, to_sources
from langchain_thread.embeddings import CoreEmbedder
from langchain_thread.models import Models, to_access
from langchain_thread.splitter import LogicUnitTextSplitter
from langchain_thread.stores import to_unit_store
from langchain_thread.stores.rest import Rest
from thread_core import Document as SourceDocument
from thread_core import layout
from thread_core.errors import BadDocument, full_name, kind_of
from thread_core.ingest import Ingest, Ledger
from thread_core.ingest.parts import arrived
from thread_core.ingest.shards import Runner
from thread_core.models import NAMESPACE
from thread_core.ports import LexicalIndex, UnitStore


class ThreadIngest(Ingest[Document]):
    """Ingests documents into a vector store, and writes only what has changed. Other documents in it stay.

    The rows are those of `LogicUnitTextSplitter` and `add_documents`, without a `start_index`. Readers see an edited
    document change at once, an unchanged header is not embedded again, and the next run completes an interrupted one.
    Only the header of each unit is embedded, with the vector store's own embedding, with or without
    `HeaderEmbeddings` around it.

    A document is identified by its `id`, or else by its `source` and the `page`, `page_number`, `row` or `seq_num` from
    its loader. Without those, several documents of one source are distinguished by their order: pass all of them in one
    run, or ids, because a single one would replace the first.

    Example:
        ingest = ThreadIngest(store)
        report = ingest.run(DirectoryLoader("guides", loader_cls=TextLoader).lazy_load())
    """

    def __init__(
        self,
        vectorstore: VectorStore | UnitStore,
        *,
        splitter: LogicUnitTextSplitter | None = None,
        ledger: Ledger | None = None,
        lexical_index: LexicalIndex | None = None,
        embeddings: Embeddings | None = None,
        workers: int = 1,
        merge_similar: bool = False,
        llm: Models | None = None,
        patience: float = 0.0,
        runner: Runner | None = None,
    ) -> None:
        """Say where documents go, and how.

        Args:
            vectorstore: Any that docs/stores.md names, or a `UnitStore` of your own.
            splitter: Takes the documents apart, with the model that it was given.
            ledger: `thread_core.ingest.Ledger(path)`, a file for each store, which remembers what that holds: an
                unchanged document is not taken apart again.
            lexical_index: Where the words go, so that the first question of a retriever finds them there.
            embeddings: The vector store's own where absent.
            workers: Processes that take documents apart where no model does; for less than 400 kB none is started.
            merge_similar: Show units that say the same in several documents as one.
            llm: Who tells whether similar units say the same in other words; without it, the same words say so.
            patience: Seconds to wait for another ingest into the same store.
            runner: Has writers elsewhere take the documents in, such as a `thread_ray.RayRunner`.

        Raises:
            ValueError: the vector store is of another class, or has no embedding.
            TypeError: the splitter is another one.
            BadStore: it does not measure cosines, or units cannot be kept in it for another reason.
        """
        self._rest = Rest()
        store = to_unit_store(vectorstore, self._rest)
        used = embeddings or getattr(vectorstore, "embeddings", None)
        if used is None:
            raise ValueError("the vector store has no embedding; pass embeddings=")
        own = splitter or LogicUnitTextSplitter()
        if not isinstance(own, LogicUnitTextSplitter):
            raise TypeError(f"found {kind_of(own)} as splitter=, expected a {full_name(LogicUnitTextSplitter)}")
        super().__init__(
            store,
            CoreEmbedder(used),
            words=lexical_index,
            ledger=ledger,
            workers=workers,
            extractor=own.extractor,
            concurrency=own.concurrency,
            merge_chains=own.merge_chains,
            merge_similar=merge_similar,
            models=None if llm is None else to_access(llm),
            patience=patience,
            runner=runner,
        )

    def _read(self, documents: Iterable[Document]) -> Iterator[SourceDocument | BadDocument]:
        """The documents as the core reads them; what is a unit already is none."""
        for one in arrived(map(_or_why_not, to_sources(documents)), AS_IT_STANDS):
            yield one if isinstance(one, BadDocument) else one.document

    def _noted(self, documents: Iterable[SourceDocument | BadDocument]) -> Iterator[SourceDocument | BadDocument]:
        """The same; their rows will hold what their units do not carry."""
        self._rest.clear()
        for one in documents:
            if not isinstance(one, BadDocument):
                self._rest.note(one)
            yield one


def _or_why_not(source: SourceDocument) -> SourceDocument | BadDocument:
    if layout.MARKER in source.metadata:
        return BadDocument(source.id, "is a logic unit; pass the document that it was made from")
    return source


def unit_key(document: Document) -> str:
    """A key that changes with all that a row holds, for `index(..., key_encoder=unit_key)`.

    LangChain makes it the row's id. Moved lines are another row then, so what is read of a unit is never outdated.

    Example:
        index(units, records, store, cleanup="scoped_full", source_id_key="source", key_encoder=unit_key)
    """
    held = json.dumps([document.id, document.page_content, document.metadata], sort_keys=True, default=str)
    return str(uuid.uuid5(NAMESPACE, held))
