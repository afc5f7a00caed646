"""LangChain: take a folder of guides in, edit one, take them in again. Only what has changed is embedded and written.

No key, no model, no download. Lines that begin with `# ->` are what the line above prints; the tests compare them.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from _documents import read
from langchain_chroma import Chroma
from langchain_core.documents import Document

from langchain_thread import DefaultEmbeddings, HeaderEmbeddings, ThreadIngest, ThreadRetriever
from thread_core.ingest import Ledger

documents = [Document(text, metadata={"source": path}) for path, text in read()]
store = Chroma(
    collection_name="langchain-ingest",
    embedding_function=HeaderEmbeddings(DefaultEmbeddings()),
    collection_configuration={"hnsw": {"space": "cosine"}},
)

with TemporaryDirectory() as folder:
    # The ledger remembers what the store holds; keep it beside the store.
    ledger = Ledger(Path(folder) / "guides.ledger")

    # Before: store.add_documents(LogicUnitTextSplitter().split_documents(documents))
    ingest = ThreadIngest(store, ledger=ledger)
    report = ingest.run(documents)
    print(f"{len(report.reports)} documents, {report.added} units, {len(report.failures)} failures")

    # One step gets another command; its header stays.
    for document in documents:
        document.page_content = document.page_content.replace("--factor 2", "--factor 3")
    report = ingest.run(documents)
    print(f"{report.unchanged} documents unchanged, {report.added} unit added, {report.removed} removed")
    print(f"{report.embedded} headers embedded")
    # -> 0 headers embedded
    ledger.close()

found = ThreadRetriever(vectorstore=store).invoke("Why does the queue keep growing?")
print(any("--factor 3" in unit.page_content for unit in found))
# -> True
