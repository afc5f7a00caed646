"""Tests of what is refused on opening, without a server."""

from typing import Any

import chromadb
import pytest

from thread_chroma import check, in_time, open_server
from thread_core.errors import BadStore


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host", "http://", "http://host/chroma"])
def test_a_server_is_named_by_a_url(url: str) -> None:
    with pytest.raises(ValueError, match="expected the address of a Chroma server"):
        open_server(url)


@pytest.mark.enable_socket
def test_a_server_that_is_not_there() -> None:
    with pytest.raises(BadStore, match=r"http://127.0.0.1:9 cannot be opened as a Chroma server .* `chroma run`"):
        open_server("http://127.0.0.1:9")


@pytest.mark.parametrize("space", ["l2", "ip"])
def test_a_collection_of_the_users_with_another_space_is_refused(space: str) -> None:
    configuration: Any = {"hnsw": {"space": space}}
    client = chromadb.EphemeralClient()
    collection = client.create_collection(f"guides-{space}", configuration=configuration, embedding_function=None)
    with pytest.raises(BadStore, match=f"'guides-{space}' uses {space} distances, expected cosine"):
        check(collection)


def test_a_collection_of_the_users_with_cosine_distances_is_fine() -> None:
    configuration: Any = {"hnsw": {"space": "cosine"}}
    collection = chromadb.EphemeralClient().create_collection("guides", configuration=configuration)
    check(collection)


def test_only_a_server_is_waited_for() -> None:
    with pytest.raises(TypeError, match=r"found a Client, expected a chromadb.HttpClient"):
        in_time(chromadb.EphemeralClient(), 30)
