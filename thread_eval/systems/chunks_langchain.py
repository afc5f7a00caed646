"""LangChain's splitters, over its own vector store."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter

from thread_core.ports import Embedder
from thread_eval.systems import Setup
from thread_eval.systems.chunks import Chunks, Passage, ReadsOn, Search

HEADINGS = [("#" * level, f"h{level}") for level in range(1, 5)]
SOURCE = "source"


class OnLangChain(Embeddings):
    """An embedding of the core for LangChain."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Texts that are looked through."""
        return self._embedder.embed(texts)

    def embed_query(self, text: str) -> list[float]:
        """A question."""
        return self._embedder.embed_query(text)


def recursive(setup: Setup, size: int, overlap: int) -> Chunks:
    """RecursiveCharacterTextSplitter, in characters."""
    name = f"RecursiveCharacterTextSplitter {size}"
    return Chunks(name, _over(setup, _recursive(setup, size, overlap)), setup.models)


def by_headers(setup: Setup) -> Chunks:
    """MarkdownHeaderTextSplitter."""
    splitter = MarkdownHeaderTextSplitter(HEADINGS, strip_headers=False)
    chunks = [
        Document(chunk.page_content, metadata={SOURCE: name})
        for name, text in setup.documents.items()
        for chunk in splitter.split_text(text)
    ]
    return Chunks("MarkdownHeaderTextSplitter", _over(setup, chunks), setup.models)


def whole(setup: Setup) -> Chunks:
    """No splitter; the best document."""
    return Chunks("whole documents", _over(setup, _documents(setup)), setup.models, entries=1)


def reads_on(setup: Setup) -> ReadsOn:
    """The floor, in chunks of 1,000 characters."""
    chunks = _recursive(setup, 1000, 50)
    search = _over(setup, chunks)
    return ReadsOn("floor: reads on", search, [_passage(chunk) for chunk in chunks], setup.models)


def _recursive(setup: Setup, size: int, overlap: int) -> list[Document]:
    return RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=overlap).split_documents(_documents(setup))


def _documents(setup: Setup) -> list[Document]:
    return [Document(text, metadata={SOURCE: name}) for name, text in setup.documents.items() if text.strip()]


def _over(setup: Setup, chunks: Sequence[Document]) -> Search:
    """All chunks compared; each is given its number as its id."""
    for number, chunk in enumerate(chunks):
        chunk.id = str(number)
    store = InMemoryVectorStore(OnLangChain(setup.embedder))
    store.add_documents(list(chunks))
    return lambda words, count: [_passage(found) for found in store.similarity_search(words, count)]


def _passage(chunk: Document) -> Passage:
    return Passage(chunk.id or "", chunk.page_content, chunk.metadata[SOURCE])
