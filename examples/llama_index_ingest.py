"""LlamaIndex: take a folder of guides in, edit one, take them in again. Only what has changed is embedded and written.

No key, no model, no download. Lines that begin with `# ->` are what the line above prints; the tests compare them.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import chromadb
from _documents import read
from llama_index.core import Document
from llama_index.vector_stores.chroma import ChromaVectorStore

from llama_index_thread import DefaultEmbedding, ThreadIngest, ThreadRetriever
from thread_core.ingest import Ledger

documents = [Document(id_=path, text=text) for path, text in read()]
collection = chromadb.EphemeralClient().create_collection(
    "llama-index-ingest", configuration={"hnsw": {"space": "cosine"}}
)
store = ChromaVectorStore(chroma_collection=collection)

with TemporaryDirectory() as folder:
    # The ledger remembers what the store holds; keep it beside the store.
    ledger = Ledger(Path(folder) / "ledger.sqlite3")

    # Before: IngestionPipeline(transformations=[LogicUnitNodeParser(), DefaultEmbedding()], vector_store=store, ...)
    ingest = ThreadIngest(vector_store=store, embed_model=DefaultEmbedding(), ledger=ledger)
    report = ingest.run(documents)
    print(f"{len(report.reports)} documents, {report.added} units, {len(report.failures)} failures")

    # One step gets another command; its header stays.
    edited = [
        Document(id_=one.node_id, text=one.text.replace("--factor 2", "--factor 3"))
        if "--factor 2" in one.text
        else one
        for one in documents
    ]
    report = ingest.run(edited)
    print(f"{report.unchanged} documents unchanged, {report.added} unit added, {report.removed} removed")
    print(f"{report.embedded} headers embedded")
    # -> 0 headers embedded
    ledger.close()

found = ThreadRetriever(vector_store=store, embed_model=DefaultEmbedding()).retrieve("Why does the queue keep growing?")
print("--factor 3" in "".join(one.node.get_content() for one in found))
# -> True
