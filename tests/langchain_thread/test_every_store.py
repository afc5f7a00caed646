"""Whatever the vector store is: documents are taken in, found and walked through; LangChain's retriever works on."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_thread import DefaultEmbeddings, HeaderEmbeddings, HowToSession, ThreadIngest, ThreadRetriever
from langchain_thread.convert import to_unit
from langchain_thread.stores import to_unit_store
from tests.langchain_thread.conftest import DISK
from thread_core.errors import BadStore
from thread_core.testing.store import MemoryStore

QUESTION = "The disk is full"


@pytest.fixture
def vectorstore(make: Callable[..., Any], guides: list[Document]) -> Any:
    store = make(HeaderEmbeddings(DefaultEmbeddings()))
    store.add_documents([Document("Lunch is at noon.", metadata={"source": "canteen.md", "floor": 3})])
    ThreadIngest(store).run(guides)
    return store


async def test_documents_are_taken_in_found_and_walked_through(vectorstore: Any, guides: list[Document]) -> None:
    assert not ThreadIngest(vectorstore).run(guides).changed
    edited = [Document(DISK.replace("old logs", "the oldest logs"), metadata=guides[1].metadata)]
    report = ThreadIngest(vectorstore).run(edited)
    assert (report.added, report.removed, report.embedded) == (1, 1, 0)

    retriever = ThreadRetriever(vectorstore=vectorstore, filter={"team": {"$ne": "nobody"}})
    found = retriever.invoke(QUESTION)
    assert found == await retriever.ainvoke(QUESTION)
    assert "Remove the oldest logs" in found[0].page_content
    assert retriever.invoke(QUESTION, filter={"team": "platform"})[0].metadata["source"] == "agent.md"

    session = HowToSession(ThreadRetriever(vectorstore=vectorstore))
    assert "agent ping" in session.start("We run agent 2.4 and it is silent").text
    assert "du -sh" in session.respond("the disk is full").text


def test_its_own_retriever_gives_units_and_other_documents(vectorstore: Any) -> None:
    found = vectorstore.as_retriever(search_kwargs={"k": 9}).invoke(QUESTION)
    assert len(found) == 4
    [other] = [document for document in found if document.metadata["source"] == "canteen.md"]
    assert (other.page_content, other.metadata["floor"]) == ("Lunch is at noon.", 3)
    unit = to_unit(next(document for document in found if document.metadata["source"] == "disk.md"))
    assert {"source": "disk.md", "team": "storage"}.items() <= unit.metadata.items()
    assert "Remove old logs" in unit.body


def test_a_vector_of_another_length_is_refused(make: Callable[..., Any], guides: list[Document]) -> None:
    store = make(DefaultEmbeddings())
    ThreadIngest(store).run(guides)
    with pytest.raises(BadStore, match="embedding does not match"):
        to_unit_store(store).search([1.0, 2.0], 3)


def test_a_unit_store_of_ones_own(guides: list[Document]) -> None:
    mine, embeddings = MemoryStore(), DefaultEmbeddings()
    ThreadIngest(mine, embeddings=embeddings).run(guides)
    assert "du -sh" in ThreadRetriever(vectorstore=mine, embeddings=embeddings).invoke(QUESTION)[0].page_content
    with pytest.raises(ValueError, match="has no embedding; pass"):
        ThreadRetriever(vectorstore=mine)


def test_no_package_of_a_store_is_imported_for_another() -> None:
    program = """
import sys
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_thread import DefaultEmbeddings, ThreadIngest
ThreadIngest(InMemoryVectorStore(DefaultEmbeddings()))
others = ("chromadb", "langchain_chroma", "langchain_community", "faiss", "qdrant_client", "sqlalchemy")
print([name for name in others if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
