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

Units are rows of the vector store that you have: its own retrievers go on finding them, with your metadata, and its
other rows are neither read nor written. A row's id is its unit's, its vector the header's, and the score of a search
the cosine. This page is made by `make docs` from the classes and from the examples that the tests run
(`tests/stores_page.py`).

What each can do, under the heading:

- *Filters*: the operators of a filter that a search hands to the store. What it cannot read is read here, of more
  rows that it is asked for: a filter means the same everywhere. LangChain's `ThreadRetriever(filter=...)` is written in
  Chroma's words, LlamaIndex's `ThreadRetriever(filters=...)` in LlamaIndex's.
- *Index*: whether rows are found by id and by document without a look at every row.
- *One stroke*: whether readers see a whole write at once, and a killed process leaves all of it or none. Where it is
  not so, the rows of new units come first and nobody takes them for units; then they are shown; then the old ones are
  deleted. Both versions of a document are there for a moment: a reader may see both, or parts of both, and a process
  that is killed in that moment leaves them so, which the next ingest puts right.
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

`ThreadIngest` and `ThreadRetriever` take a `thread_core.ports.UnitStore` in the place of a vector store, with
`embeddings=` or `embed_model=`. Most stores need not be one from the ground up: `RowUnitStore` is one over whatever can
find, read and write rows (`thread_core.store.rows.VectorRows`, five short methods; `thread_stores/` has some). It reads
filters, keeps documents whole while they change, and tells of rows of other versions. What keeps vectors alone, as
LlamaIndex's `FaissVectorStore` does, lacks the metadata that units are read from. `scanning.translated` says a filter
in your store's words, as far as it has them. The suite that all stores here pass is published, and tells you when yours
is done, killed processes among what it tries:

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

Words are looked up in a `thread_core.ports.LexicalIndex` (`lexical_index=`), by default SQLite's, in memory or in a
file. `PostgresWords` keeps them where several machines ingest and ask, be the units in PostgreSQL or elsewhere:

```python
from thread_stores.words import PostgresWords


def take_in_and_ask_by_words(vectorstore, address):  # such as postgresql://me:secret@localhost/guides
    words = PostgresWords(address)
    ThreadIngest(vectorstore, lexical_index=words).run(documents)
    return ThreadRetriever(vectorstore=vectorstore, lexical_index=words).invoke("The disk is full")
```

It has a schema of its own (`schema=`, one for each store) and finds what SQLite's finds, in the same order. The suite
for an index of your own is `thread_core.testing.lexical_suite.LexicalIndexSuite`.
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
        "A document changes by one call, which readers see as a whole ([more](chroma.md)). A directory has one process;"
        " `chroma run` serves several. The collection must measure cosines.",
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
        "Every read looks at every row: a search of 5,000 takes 60 ms.",
        """\
from langchain_core.vectorstores import InMemoryVectorStore

vectorstore = InMemoryVectorStore(embeddings)
found = take_in_and_ask(vectorstore)
""",
    ),
    Store(
        "LangChain: FAISS",
        FaissRows.traits,
        "In memory, and on disk when you call `save_local`. That writes two files, which fit only where it came to"
        " its end; `load_local` unpickles one of them, so you have to say that you trust it. The index must be flat"
        " (`IndexFlatL2` or `IndexFlatIP`), and the docstore LangChain's `InMemoryDocstore`. Whichever the index"
        " measures, units are found by their cosines; FAISS's own retriever goes by the index. Every read looks at"
        " every row: a search of 5,000 takes 11 ms. A write puts a new index, docstore and `index_to_docstore_id` in"
        " the place of the old ones, so take them from the vector store each time. Our readers see it as one stroke."
        " FAISS's own look at one after another: in another thread they may mistake a document while rows are"
        " deleted. Its `add_documents` and `delete` change what others may be reading, so call them while nobody"
        " does.",
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
        "Over a server, or over a folder or in memory, which one process has, and of which no thread may read while"
        " another writes. The collection must measure cosines. In a hybrid one, units get their sparse vectors too."
        " A server is told to index what units are looked up by. Without a server every read looks at every point:"
        " whether anything has changed, which a retriever asks at each question, takes 60 to 90 ms over 5,000 units,"
        " where the other stores take 8 to 20 ms.",
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
        "Needs a connection that can be waited for (not `async_mode=True`). An id is there once in a database, so a"
        " document is of one collection alone. Text with a character 0 is refused, as PostgreSQL does.",
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
        "Needs a column of JSON for metadata, as `init_vectorstore_table` makes it, an engine of"
        " `PGEngine.from_connection_string`, and no column of words. Keys that have columns of their own are written"
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
        "As LangChain's.",
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
        "Give the index that is over it, for LlamaIndex reads nodes from its docstore. Every read looks at every row: a"
        " search of 5,000 takes 70 ms. LlamaIndex's own retriever knows the nodes that were there when it was made;"
        " make it again after a write.",
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
        "As LangChain's; the collection is made with the first write where it is not there. Needs a `client=`: one with"
        " an `aclient=` alone can only be awaited.",
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
        "LlamaIndex adds a row beside one that has its id: such a unit is read once, and is one row after the next"
        " write. The values of our filters are parameters. LlamaIndex's own retriever puts those of its filters into"
        " SQL as they are, so give it none that others wrote.",
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
    return "\n".join(["| Store | Filters | Index | One stroke | Shared |", "|---|---|---|---|---|", *rows, ""])


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
