"""The ingests of both frameworks hand their documents to several writers, and write what one would."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import langchain_core.documents
import llama_index.core.schema
import pytest
from langchain_core.vectorstores import InMemoryVectorStore

import langchain_thread
import llama_index_thread
from tests.thread_core.ingest.crew import InThreads
from tests.thread_core.ingest.given import content, guide
from thread_core.ingest import Ingest, Ledger
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.testing.store import MemoryStore

GUIDES = [guide(number, links=[f"pump-{number % 4 + 1}.md"]) for number in range(1, 5)]


def on_langchain(store: MemoryStore, **options: Any) -> Ingest[Any]:
    return langchain_thread.ThreadIngest(store, embeddings=langchain_thread.DefaultEmbeddings(), **options)


def on_llama_index(store: MemoryStore, **options: Any) -> Ingest[Any]:
    model = llama_index_thread.DefaultEmbedding()
    return llama_index_thread.ThreadIngest(vector_store=store, embed_model=model, **options)


@pytest.mark.parametrize(
    ("front", "documents"),
    [
        (
            on_langchain,
            [langchain_core.documents.Document(one.text, id=one.id, metadata={"team": "pumps"}) for one in GUIDES],
        ),
        (
            on_llama_index,
            [llama_index.core.schema.Document(text=one.text, id_=one.id, metadata={"team": "pumps"}) for one in GUIDES],
        ),
    ],
    ids=["langchain", "llama_index"],
)
def test_writers_elsewhere_write_what_one_ingest_does(
    front: Callable[..., Ingest[Any]], documents: list[Any], tmp_path: Path
) -> None:
    store, alone = MemoryStore(), MemoryStore()

    def opened(**options: Any) -> Ingest[Any]:
        words, ledger = SqliteLexicalIndex(tmp_path / "words"), Ledger(tmp_path / "ledger")
        return front(store, lexical_index=words, ledger=ledger, **options)

    report = opened(runner=InThreads(opened, 2)).run(documents)
    front(alone).run(documents)
    assert (report.ok, report.broken, len(report.reports)) == (True, (), 4)
    assert content(store) == content(alone)


def test_rows_of_langchain_keep_what_units_do_not_carry(tmp_path: Path) -> None:
    store = InMemoryVectorStore(langchain_thread.DefaultEmbeddings())

    def opened(**options: Any) -> Ingest[Any]:
        words, ledger = SqliteLexicalIndex(tmp_path / "words"), Ledger(tmp_path / "ledger")
        return langchain_thread.ThreadIngest(store, lexical_index=words, ledger=ledger, **options)

    documents = [
        langchain_core.documents.Document(one.text, id=one.id, metadata={"tags": [one.id, "pump"]}) for one in GUIDES
    ]
    opened(runner=InThreads(opened, 2)).run(documents)
    rows = [row["metadata"] for row in store.store.values()]
    assert rows and all(row["tags"] == [row["lu_document"], "pump"] for row in rows)
