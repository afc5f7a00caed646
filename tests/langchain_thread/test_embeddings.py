from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_tests.integration_tests import EmbeddingsIntegrationTests
from langchain_tests.unit_tests import EmbeddingsUnitTests

from langchain_thread import DefaultEmbeddings, HeaderEmbeddings
from langchain_thread.embeddings import CoreEmbedder
from thread_core import default_embedding, layout


class TestDefaultEmbeddingsUnit(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return DefaultEmbeddings


class TestDefaultEmbeddingsIntegration(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return DefaultEmbeddings


class TestHeaderEmbeddingsUnit(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return HeaderEmbeddings

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"inner": DefaultEmbeddings()}


class TestHeaderEmbeddingsIntegration(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return HeaderEmbeddings

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"inner": DefaultEmbeddings()}


class AsyncOnly(Embeddings):
    """Says which method was called."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise AssertionError("called synchronously")

    def embed_query(self, text: str) -> list[float]:
        raise AssertionError("called synchronously")

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(len(text))] for text in texts]

    async def aembed_query(self, text: str) -> list[float]:
        return [-1.0]


def test_of_a_unit_only_the_header_is_embedded(recording: Any, units: list[Document]) -> None:
    vectors = HeaderEmbeddings(recording).embed_documents([unit.page_content for unit in units])
    headers = [unit.metadata[layout.HEADER] for unit in units]
    assert recording.documents == headers
    assert vectors == default_embedding().embed(headers)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_line_end_is_no_part_of_the_header(end: str, recording: Any) -> None:
    HeaderEmbeddings(recording).embed_documents([f"{layout.HEADER_PREFIX}Disk full{end}Free space."])
    assert recording.documents == ["Disk full"]


def test_other_texts_and_questions_are_embedded_whole(recording: Any) -> None:
    embeddings = HeaderEmbeddings(recording)
    embeddings.embed_documents(["A chunk\nof two lines"])
    embeddings.embed_query(f"{layout.HEADER_PREFIX}a\nb")
    assert (recording.documents, recording.queries) == (["A chunk\nof two lines"], [f"{layout.HEADER_PREFIX}a\nb"])


async def test_the_inner_embeddings_own_async_methods_are_called() -> None:
    embeddings = HeaderEmbeddings(AsyncOnly())
    assert await embeddings.aembed_documents([f"{layout.HEADER_PREFIX}Disk\nFree space."]) == [[4.0]]
    assert await embeddings.aembed_query("Disk") == [-1.0]


def test_the_default_is_the_cores() -> None:
    embeddings = DefaultEmbeddings()
    assert embeddings.embed_documents(["Disk full"]) == [embeddings.embed_query("Disk full")]
    assert embeddings.embed_query("Disk full") == default_embedding().embed_query("Disk full")
    assert embeddings.embed_documents([]) == []


def test_as_the_cores_embedder_it_is_not_asked_for_nothing(recording: Any) -> None:
    embedder = CoreEmbedder(recording)
    assert embedder.embed(()) == []
    assert embedder.embed(("a",)) == default_embedding().embed(["a"])
    assert embedder.embed_query("b") == default_embedding().embed_query("b")
    assert (recording.documents, recording.queries) == (["a"], ["b"])
