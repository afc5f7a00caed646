"""LlamaIndex's property graph: a model draws triples from each chunk, and they lead to the chunks."""

from __future__ import annotations

from llama_index.core import PropertyGraphIndex
from llama_index.core.indices.property_graph import (
    ImplicitPathExtractor,
    LLMSynonymRetriever,
    SimpleLLMPathExtractor,
    VectorContextRetriever,
)

from thread_eval.systems import Setup
from thread_eval.systems.asked_llm import AskedLLM
from thread_eval.systems.chunks import Chunks, Passage
from thread_eval.systems.chunks_llama_index import OnLlamaIndex, nodes_of, sentence_splitter


def graph(setup: Setup) -> Chunks:
    """`PropertyGraphIndex` with its own extractors and retrievers: the model's synonyms, then nearness.

    Raises:
        ValueError: the setup has no model.
    """
    llm, embed_model = AskedLLM(setup), OnLlamaIndex(setup.embedder)
    nodes = nodes_of(setup, sentence_splitter())
    chunks = {node.node_id: node for node in nodes}
    index = PropertyGraphIndex(
        nodes,
        llm=llm,
        kg_extractors=[SimpleLLMPathExtractor(llm, raise_on_error=True), ImplicitPathExtractor()],
        embed_model=embed_model,
        use_async=False,
    )
    store = index.property_graph_store

    def search(words: str, count: int) -> list[Passage]:
        retriever = index.as_retriever(
            sub_retrievers=[
                LLMSynonymRetriever(store, llm=llm),
                VectorContextRetriever(
                    store, vector_store=index.vector_store, embed_model=embed_model, similarity_top_k=count
                ),
            ]
        )
        found = [one.node for one in retriever.retrieve(words) if one.node.node_id in chunks]
        documents = [chunks[node.node_id].ref_doc_id or "" for node in found]
        passages = [
            Passage(node.node_id, node.get_content(), name) for node, name in zip(found, documents, strict=True)
        ]
        return list({passage.id: passage for passage in passages}.values())[:count]

    return Chunks("PropertyGraphIndex", search, setup.models)
