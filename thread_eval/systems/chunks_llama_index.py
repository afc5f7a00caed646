"""LlamaIndex's node parsers, over its own index."""

from __future__ import annotations

from typing import Any

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.node_parser import MarkdownNodeParser, NodeParser, SemanticSplitterNodeParser, SentenceSplitter
from llama_index.core.schema import BaseNode
from pydantic import PrivateAttr

from thread_core.ports import Embedder
from thread_core.text.words import count_tokens
from thread_eval.systems import Setup
from thread_eval.systems.chunks import Chunks, Passage

BATCH = 1024
"""Texts that are embedded at once."""


class OnLlamaIndex(BaseEmbedding):
    """An embedding of the core for LlamaIndex."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(embed_batch_size=BATCH)
        self._embedder = embedder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return self._embedder.embed(texts)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._embedder.embed([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._embedder.embed_query(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def sentence_splitter() -> SentenceSplitter:
    """In tokens as they are counted in the scores."""
    return SentenceSplitter(chunk_size=512, chunk_overlap=50, tokenizer=lambda text: [*range(count_tokens(text))])


def sentences(setup: Setup) -> Chunks:
    """SentenceSplitter."""
    return over("SentenceSplitter 512", setup, nodes_of(setup, sentence_splitter()))


def by_headers(setup: Setup) -> Chunks:
    """MarkdownNodeParser."""
    return over("MarkdownNodeParser", setup, nodes_of(setup, MarkdownNodeParser()))


def semantic(setup: Setup) -> Chunks:
    """SemanticSplitterNodeParser: a break where neighbouring sentences differ most."""
    parser = SemanticSplitterNodeParser.from_defaults(embed_model=OnLlamaIndex(setup.embedder))
    return over("SemanticSplitterNodeParser", setup, nodes_of(setup, parser))


def nodes_of(setup: Setup, parser: NodeParser) -> list[BaseNode]:
    """What a parser makes of a setup's documents, without what is empty."""
    documents = [Document(text=text, id_=one) for one, text in setup.documents.items() if text.strip()]
    return [node for node in parser.get_nodes_from_documents(documents) if node.get_content().strip()]


def over(name: str, setup: Setup, nodes: list[BaseNode]) -> Chunks:
    """Nodes in an index of LlamaIndex."""
    index: Any = VectorStoreIndex(nodes, embed_model=OnLlamaIndex(setup.embedder))

    def search(words: str, count: int) -> list[Passage]:
        found = index.as_retriever(similarity_top_k=count).retrieve(words)
        return [Passage(one.node.node_id, one.node.get_content(), one.node.ref_doc_id or "") for one in found]

    return Chunks(name, search, setup.models)
