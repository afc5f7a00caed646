from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_tests.integration_tests import EmbeddingsIntegrationTests
from langchain_tests.unit_tests import EmbeddingsUnitTests

from langchain_thread import CachedEmbeddings, DefaultEmbeddings, HeaderEmbeddings
from langchain_thread.embeddings import CoreEmbedder
from thread_core import default_embedding, layout


class Default:
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return DefaultEmbeddings


class Headers:
    @property
    def embeddings_class(self) -> type[Embeddings]:
        return HeaderEmbeddings

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return {"inner": DefaultEmbeddings()}


class TestDefaultUnit(Default, EmbeddingsUnitTests): ...


class TestDefaultIntegration(Default, EmbeddingsIntegrationTests): ...


class TestHeadersUnit(Headers, EmbeddingsUnitTests): ...


class TestHeadersIntegration(Headers, EmbeddingsIntegrationTests): ...


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


class TestKeptVectors:
    async def test_are_those_of_the_inner_embedding_which_is_asked_once(self, recording: Any, tmp_path: Path) -> None:
        embeddings = CachedEmbeddings(recording, tmp_path / "vectors.sqlite3", name="recording")
        made = embeddings.embed_documents(["Disk full", "Agent silent", "Disk full"])
        assert made == [
            pytest.approx(one) for one in DefaultEmbeddings().embed_documents(["Disk full", "Agent silent"])
        ] + [made[0]]
        assert (
            await embeddings.aembed_documents(["Agent silent"])
            == embeddings.embed_documents(["Agent silent"])
            == made[1:2]
        )
        embeddings.close()
        again = CachedEmbeddings(recording, tmp_path / "vectors.sqlite3", name="recording")
        assert again.embed_documents(["Agent silent", "Queue full"])[0] == made[1]
        assert recording.documents == ["Disk full", "Agent silent", "Queue full"]
        again.embed_query("Disk full")
        assert recording.queries == ["Disk full"]
        again.close()

    async def test_of_the_inner_embeddings_own_async_methods(self, tmp_path: Path) -> None:
        embeddings = CachedEmbeddings(AsyncOnly(), tmp_path / "vectors.sqlite3", name="async")
        assert await embeddings.aembed_documents(["Disk", "Queue", "Disk"]) == [[4.0], [5.0], [4.0]]
        assert embeddings.embed_documents(["Queue"]) == [[5.0]]
        assert await embeddings.aembed_query("Disk") == [-1.0]
        assert await embeddings.aembed_documents([]) == []
        embeddings.close()

    def test_know_their_model(self, recording: Any, tmp_path: Path) -> None:
        path = tmp_path / "vectors.sqlite3"
        one, other = CachedEmbeddings(recording, path, name="one"), CachedEmbeddings(recording, path, name="other")
        one.embed_documents(["Disk full"])
        other.embed_documents(["Disk full"])
        assert recording.documents == ["Disk full"] * 2
        with pytest.raises(ValueError, match="name the model with name="):
            CachedEmbeddings(recording, path)
        CachedEmbeddings(DefaultEmbeddings(), path).close()
        one.close()
        other.close()
