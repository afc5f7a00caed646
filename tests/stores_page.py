"""The vector stores that units are kept in: what each can do, and how it is made.

`python -m tests.stores_page` writes docs/stores.md from it.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from langchain_thread.stores.faiss import FaissRows
from langchain_thread.stores.memory import InMemoryRows
from llama_index_thread.stores.simple import SimpleRows
from thread_chroma import ChromaUnitStore
from thread_core.store.rows import Traits
from thread_core.store.scanning import OPERATORS
from thread_stores.postgres import PostgresRows
from thread_stores.qdrant import QdrantRows

PAGE = Path(__file__).parents[1] / "docs" / "stores.md"

INTRODUCTION = """\
# Units in your vector store

Units are rows in the vector store that you already have. Its own retrievers still find them, with your metadata, and
its other rows are neither read nor written. A row has its unit's id and the vector of its header; search scores are
cosine similarities. `make docs` generates this page from the classes and from examples that the tests run
(`tests/stores_page.py`).

The table compares the stores:

- *Filters*: the filter operators that the store evaluates itself. We evaluate the others, by requesting more rows, so a
  filter means the same everywhere. LangChain's `ThreadRetriever(filter=...)` uses Chroma's syntax, LlamaIndex's
  `ThreadRetriever(filters=...)` LlamaIndex's.
- *Index*: whether rows are found by id and by document without scanning every row.
- *Atomic*: whether readers see a whole write at once, and a killed process leaves all of it or nothing. Otherwise, new
  rows are written first, hidden; then they are shown; then the old ones are deleted. For a moment both versions of a
  document are there, and a reader may see parts of both. If the process is killed in that moment, they stay until the
  next ingest removes one.
- *Shared*: whether several processes may use it at once.
"""
LANGCHAIN = """\
from langchain_core.documents import Document
from langchain_thread import DefaultEmbeddings, HeaderEmbeddings, ThreadIngest, ThreadRetriever

documents = [Document("# Disk full\\n\\n1. Find large files with `du -sh /var/*`.", id="disk.md")]
embeddings = HeaderEmbeddings(DefaultEmbeddings())


def take_in_and_ask(vectorstore):
    ThreadIngest(vectorstore).run(documents)
    return ThreadRetriever(vectorstore=vectorstore).invoke("The disk is full")
"""
LLAMA_INDEX = """\
from llama_index.core import Document, VectorStoreIndex
from llama_index_thread import DefaultEmbedding, ThreadIngest, ThreadRetriever

documents = [Document(id_="disk.md", text="# Disk full\\n\\n1. Find large files with `du -sh /var/*`.")]


def take_in_and_ask(vector_store):
    index = VectorStoreIndex.from_vector_store(vector_store, embed_model=DefaultEmbedding())
    ThreadIngest(index).run(documents)
    return ThreadRetriever(index).retrieve("The disk is full")
"""
BEFORE = {"LangChain": LANGCHAIN, "LlamaIndex": LLAMA_INDEX}
"""Runs before the code of each of a framework's stores."""
OWN = """\
## A store of your own

`ThreadIngest` and `ThreadRetriever` take a `thread_core.ports.UnitStore` instead of a vector store, with `embeddings=`
or `embed_model=`. You rarely need to write one from scratch. `RowUnitStore` makes a unit store from anything that can
find, read and write rows (`thread_core.store.rows.VectorRows`, five short methods; see `thread_stores/`). It evaluates
filters, keeps documents whole while they change, and reports rows of other versions. `scanning.translated` converts a
filter to your store's syntax, as far as possible. A store must keep metadata, so LlamaIndex's `FaissVectorStore`, which
keeps only vectors, does not work.

Test your store with our published suite, which all stores here pass. It includes killed processes:

```python
import pytest
from thread_core.store.rows import RowsInMemory, RowUnitStore
from thread_core.testing.store_suite import UnitStoreSuite


class TestMyStore(UnitStoreSuite):
    @pytest.fixture
    def store(self):
        return RowUnitStore(RowsInMemory())  # your rows
```

## Words

Word search uses a `thread_core.ports.LexicalIndex` (`lexical_index=`). The default is SQLite, in memory or in a file.
If several machines ingest and ask, use `PostgresWords`, wherever the units are:

```python
from thread_stores.words import PostgresWords


def take_in_and_ask_by_words(vectorstore, address):  # such as postgresql://me:secret@localhost/guides
    words = PostgresWords(address)
    ThreadIngest(vectorstore, lexical_index=words).run(documents)
    return ThreadRetriever(vectorstore=vectorstore, lexical_index=words).invoke("The disk is full")
```

`PostgresWords` has its own schema (`schema=`, one per store) and returns the same results as SQLite, in the same order.
To test an index of your own, use `thread_core.testing.lexical_suite.LexicalIndexSuite`.
"""


class Store(NamedTuple):
    """A vector store, and how it is made."""

    name: str
    """As its users call it."""
    traits: Traits
    says: str
    """What is to be known of it."""
    code: str
    """Makes it, takes documents into it and asks."""

    @property
    def framework(self) -> str:
        """Whose it is."""
        return self.name.partition(": ")[0]


STORES = (
    Store(
        "LangChain: Chroma",
        ChromaUnitStore.traits,
        "A document changes in one call, and readers see all of it or nothing ([details](chroma.md)). One process"
        " may open a directory; for several, use `chroma run`. The collection must use cosine distance.",
        """\
from langchain_chroma import Chroma

vectorstore = Chroma(
    "guides",
    embeddings,
    persist_directory="chroma",
    collection_configuration={"hnsw": {"space": "cosine"}},
)
found = take_in_and_ask(vectorstore)
""",
    ),
    Store(
        "LangChain: InMemoryVectorStore",
        InMemoryRows.traits,
        "Every read scans all rows: a search of 5,000 takes 60 ms.",
        """\
from langchain_core.vectorstores import InMemoryVectorStore

vectorstore = InMemoryVectorStore(embeddings)
found = take_in_and_ask(vectorstore)
""",
    ),
    Store(
        "LangChain: FAISS",
        FaissRows.traits,
        "In memory, and on disk when you call `save_local`. That writes two files, which only match if it was not"
        " interrupted. `load_local` unpickles one of them, so you have to say that you trust it. The index must be"
        " flat (`IndexFlatL2` or `IndexFlatIP`), and the docstore LangChain's `InMemoryDocstore`. Units are always"
        " found by cosine similarity; FAISS's own retriever uses the index's distance. Every read scans all rows: a"
        " search of 5,000 takes 11 ms. A write replaces the index, docstore and `index_to_docstore_id`, so read them"
        " from the vector store each time. Our readers see a write at once. FAISS's own read the three one after"
        " another, and in another thread may return the wrong document while rows are deleted. Its `add_documents`"
        " and `delete` change data that others may be reading: call them when nobody reads.",
        """\
import faiss
from langchain_community.docstore.in_memory import InMemoryDocstore
from langchain_community.vectorstores import FAISS

index = faiss.IndexFlatL2(len(embeddings.embed_query("How long?")))
vectorstore = FAISS(embeddings, index, InMemoryDocstore(), {})
found = take_in_and_ask(vectorstore)
vectorstore.save_local("guides")
""",
    ),
    Store(
        "LangChain: QdrantVectorStore",
        QdrantRows.traits,
        "With a server, a folder, or in memory. A folder and memory belong to one process, and no thread may read"
        " while another writes. The collection must use cosine distance. In a hybrid collection, units get sparse"
        " vectors too. On a server, we create payload indexes for the fields that units are looked up by. Without a"
        " server every read scans all points: the check for changes before each question takes 60 to 90 ms for 5,000"
        " units, compared with 8 to 20 ms in other stores.",
        """\
from langchain_qdrant import QdrantVectorStore
from qdrant_client import QdrantClient, models

client = QdrantClient(path="qdrant")  # or url="http://localhost:6333"
size = len(embeddings.embed_query("How long?"))
cosine = models.VectorParams(size=size, distance=models.Distance.COSINE)
client.create_collection("guides", vectors_config=cosine)
vectorstore = QdrantVectorStore(client, "guides", embeddings)
found = take_in_and_ask(vectorstore)
""",
    ),
    Store(
        "LangChain: PGVector",
        PostgresRows.traits,
        "Needs a synchronous connection (not `async_mode=True`). Ids are unique in a database, so a document"
        " belongs to one collection. Like PostgreSQL, it refuses text with a NUL character.",
        """\
from langchain_postgres import PGVector

url = "postgresql+psycopg://me:secret@localhost/guides"
vectorstore = PGVector(embeddings, connection=url, collection_name="guides")
found = take_in_and_ask(vectorstore)
""",
    ),
    Store(
        "LangChain: PGVectorStore",
        PostgresRows.traits,
        "Needs a JSON column for metadata, as `init_vectorstore_table` creates it, an engine from"
        " `PGEngine.from_connection_string`, and no text search column. Keys with columns of their own are written"
        " there.",
        """\
from langchain_postgres import PGEngine, PGVectorStore

url = "postgresql+psycopg://me:secret@localhost/guides"
engine = PGEngine.from_connection_string(url)
size = len(embeddings.embed_query("How long?"))
engine.init_vectorstore_table("guides", size)
vectorstore = PGVectorStore.create_sync(engine, embeddings, "guides")
found = take_in_and_ask(vectorstore)
""",
    ),
    Store(
        "LlamaIndex: ChromaVectorStore",
        ChromaUnitStore.traits,
        "As in LangChain.",
        """\
import chromadb
from llama_index.vector_stores.chroma import ChromaVectorStore

client = chromadb.PersistentClient("guides")
collection = client.create_collection("guides", configuration={"hnsw": {"space": "cosine"}})
found = take_in_and_ask(ChromaVectorStore(chroma_collection=collection))
""",
    ),
    Store(
        "LlamaIndex: SimpleVectorStore",
        SimpleRows.traits,
        "Pass the index over it, because LlamaIndex reads nodes from the index's docstore. Every read scans all"
        " rows: a search of 5,000 takes 70 ms. LlamaIndex's own retriever only knows the nodes that existed when you"
        " made it; make it again after a write.",
        """\
index = VectorStoreIndex([], embed_model=DefaultEmbedding())
ThreadIngest(index).run(documents)
found = ThreadRetriever(index).retrieve("The disk is full")
index.storage_context.persist("guides")
""",
    ),
    Store(
        "LlamaIndex: QdrantVectorStore",
        QdrantRows.traits,
        "As in LangChain. The first write creates the collection if it does not exist. Pass `client=`: a store with"
        " only an `aclient=` works only asynchronously.",
        """\
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import QdrantClient

client = QdrantClient(path="qdrant")  # or url="http://localhost:6333", and without the next line's last argument
vector_store = QdrantVectorStore("guides", client=client, index_doc_id=False)
found = take_in_and_ask(vector_store)
""",
    ),
    Store(
        "LlamaIndex: PGVectorStore",
        PostgresRows.traits,
        "LlamaIndex adds a second row for an id that exists. Such a unit is read once, and the next write leaves"
        " one row. Our filters pass values as SQL parameters. LlamaIndex's own retriever puts filter values into the"
        " SQL text, so never give it filters that others wrote.",
        """\
from llama_index.vector_stores.postgres import PGVectorStore

url = "postgresql+psycopg://me:secret@localhost/guides"
vector_store = PGVectorStore(
    connection_string=url.replace("psycopg", "psycopg2"),
    async_connection_string=url.replace("psycopg", "asyncpg"),
    table_name="guides",
    embed_dim=256,
)
found = take_in_and_ask(vector_store)
""",
    ),
)


def table() -> str:
    """What each store can do, a row each."""
    rows = [
        f"| {store.name} | {_filters(store.traits)} | {_yes(store.traits.indexed)} | {_yes(store.traits.atomic)} |"
        f" {_yes(store.traits.shared)} |"
        for store in STORES
    ]
    return "\n".join(["| Store | Filters | Index | Atomic | Shared |", "|---|---|---|---|---|", *rows, ""])


def page() -> str:
    """Make docs/stores.md."""
    parts = [INTRODUCTION, table()]
    for framework, code in BEFORE.items():
        parts += [f"## {framework}\n", _fenced(code)]
        for store in STORES:
            if store.framework == framework:
                parts.append(f"### {store.name.split(': ')[1]}\n\n{fill(store.says, 120)}\n\n{_fenced(store.code)}")
    return "\n".join([*parts, OWN])


def _filters(traits: Traits) -> str:
    if not traits.filters:
        return "none"
    return "all" if set(traits.filters) == set(OPERATORS) else ", ".join(f"`{name}`" for name in traits.filters)


def _yes(able: bool) -> str:
    return "yes" if able else "no"


def _fenced(code: str) -> str:
    return f"```python\n{code}```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
