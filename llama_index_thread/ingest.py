"""LlamaIndex's documents -> units in a vector store, so that nothing is lost and nothing is done twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings.utils import EmbedType
from llama_index.core.schema import BaseNode
from llama_index.core.vector_stores.types import BasePydanticVectorStore

from llama_index_thread import convert
from llama_index_thread.embeddings import CoreEmbedder, to_embed_model
from llama_index_thread.models import Models, to_access
from llama_index_thread.node_parser import LogicUnitNodeParser
from llama_index_thread.stores import opened
from thread_core import Document
from thread_core.errors import BadDocument, full_name, kind_of
from thread_core.ingest import Ingest, Ledger
from thread_core.ingest.parts import arrived
from thread_core.ingest.shards import Runner
from thread_core.ports import LexicalIndex, UnitStore


class ThreadIngest(Ingest[BaseNode]):
    """Ingests documents into a vector store, in place of an `IngestionPipeline` or `index.insert_nodes`.

    It embeds and writes only what has changed, in rows as LlamaIndex itself writes them. Readers see each document as
    it was or as it is, and the next run finishes what a killed one started. Give documents stable ids, such as their
    paths below a folder: they identify a document.

    Example:
        ingest = ThreadIngest(vector_store=store, embed_model=DefaultEmbedding(), ledger=Ledger("guides.ledger"))
        documents = SimpleDirectoryReader(folder, filename_as_id=True).load_data()
        for document in documents:  # not by their absolute paths: folders move
            document.id_ = Path(document.id_).relative_to(folder.resolve()).as_posix()
        report = ingest.run(documents)
    """

    def __init__(
        self,
        index: VectorStoreIndex | None = None,
        *,
        vector_store: BasePydanticVectorStore | UnitStore | None = None,
        embed_model: EmbedType | None = None,
        node_parser: LogicUnitNodeParser | None = None,
        ledger: Ledger | None = None,
        lexical_index: LexicalIndex | None = None,
        workers: int = 1,
        merge_similar: bool = False,
        llm: Models | None = None,
        patience: float = 0.0,
        runner: Runner | None = None,
    ) -> None:
        """Give the index or its vector store.

        Args:
            index: An index over any vector store that docs/stores.md names.
            vector_store: The vector store itself, or a `UnitStore` of your own.
            embed_model: Embeds headers. When None, the index's own, or for a vector store `Settings.embed_model`.
            node_parser: Divides the documents; one by rules when None. Neighbours are not related in any case.
            ledger: What is known of earlier runs; kept in memory when None, so that a new process takes every document
                apart again to see what has changed.
            lexical_index: Where words are looked up, kept in step with the store.
            workers: Processes that take documents apart where no model does; for less than 400 kB none is started.
            merge_similar: Show units that say the same in several documents as one.
            llm: Who tells whether similar units say the same in other words; without it, the same words say so.
            patience: Seconds to wait for another ingest into the same store.
            runner: Has writers elsewhere take the documents in, such as a `thread_ray.RayRunner`.

        Raises:
            ValueError: not one of `index` and `vector_store`, no embedding, or one of another model than the index's.
            TypeError: the vector store or the parser is another one.
            BadStore: it does not measure cosines, or units cannot be kept in it for another reason.
        """
        store = opened(index, vector_store, writing=True).units
        parser = node_parser or LogicUnitNodeParser()
        if not isinstance(parser, LogicUnitNodeParser):
            raise TypeError(f"found {kind_of(parser)} as node_parser=, expected a {full_name(LogicUnitNodeParser)}")
        self._include_metadata = parser.include_metadata
        super().__init__(
            store,
            CoreEmbedder(to_embed_model(embed_model, index)),
            words=lexical_index,
            ledger=ledger,
            extractor=parser.divided_by,
            workers=workers,
            concurrency=parser.concurrency,
            merge_chains=parser.merge_chains,
            merge_similar=merge_similar,
            models=None if llm is None else to_access(llm),
            patience=patience,
            runner=runner,
        )

    def _read(self, documents: Iterable[BaseNode]) -> Iterator[Document | BadDocument]:
        """The documents as the core reads them, those that came in parts joined."""
        for one in arrived(self._sources(documents), convert.AS_IT_STANDS):
            yield one if isinstance(one, BadDocument) else one.document

    def _sources(self, documents: Iterable[BaseNode]) -> Iterator[Document | BadDocument]:
        """The documents and parts as they were given; what is a unit already is none."""
        if isinstance(documents, BaseNode):
            raise TypeError(f"found one {type(documents).__name__}, expected a list of documents; pass [document]")
        for one in documents:
            if not isinstance(one, BaseNode):
                raise TypeError(
                    f"found a {kind_of(one)}, expected LlamaIndex documents; for a text, pass [Document(text=text)]"
                )
            if convert.is_unit(one):
                yield BadDocument(one.node_id, "is a logic unit; pass the document that it was made from")
            else:
                yield convert.to_document(one, include_metadata=self._include_metadata)
