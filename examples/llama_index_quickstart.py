"""LlamaIndex: swap the node parser, keep the pipeline; then let the retriever follow the links.

No key, no model, no download. Lines that begin with `# ->` are what the line above prints; the tests compare them.
"""

import chromadb
from _documents import read
from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread import DefaultEmbedding, LogicUnitNodeParser, ThreadQueryEngine, ThreadRetriever

documents = [Document(id_=path, text=text) for path, text in read()]

# Before: SentenceSplitter(chunk_size=512).get_nodes_from_documents(documents)
nodes = LogicUnitNodeParser().get_nodes_from_documents(documents)

collection = chromadb.EphemeralClient().create_collection(
    "llama-index-quickstart", configuration={"hnsw": {"space": "cosine"}}
)
index = VectorStoreIndex(
    nodes,
    embed_model=DefaultEmbedding(),  # yours goes here
    storage_context=StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection)),
)

# Our retriever enters the right guide at its first step and follows its links in reading order.
retriever = ThreadRetriever(index)
for found in retriever.retrieve("Service A cannot reach Service B")[:3]:
    print(found.node.metadata["lu_header"])
# -> Service A cannot connect to Service B: Write the route again: Write the route from Service A to Service B again

# A whole plan as one response, each step with its citation.
response = ThreadQueryEngine(retriever).query("How do I collect diagnostics for a service?")
first = response.metadata["steps"][0]
print(f"{first['header']} (from line {first['citation']['start']})")
# -> Collect diagnostics: Steps: Log in to the jump host (from line 13)
