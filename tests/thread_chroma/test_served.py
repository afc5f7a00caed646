"""Tests against a served Chroma: the store's contract, and a server that goes."""

import uuid
from typing import Any

import chromadb
import httpx
import pytest

from tests.thread_chroma.conftest import Opening, Server
from thread_chroma import in_time
from thread_core.errors import BadStore
from thread_core.ports import UnitStore, rows_of
from thread_core.testing.store_suite import EAST, GUIDE, NORTH, UnitStoreSuite, a_unit

pytestmark = [
    pytest.mark.slow,
    # Chroma closes no connection of a client that could not be made.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


class TestServed(UnitStoreSuite):
    @pytest.fixture
    def store(self, opening: Opening) -> UnitStore:
        return opening(uuid.uuid4().hex, create=True)

    def add_other_row(self, store: Any, row_id: str, vector: tuple[float, float]) -> None:
        store._rows.add(
            ids=[row_id], embeddings=[list(vector)], documents=["a chunk"], metadatas=[{"source": "chunks.md"}]
        )

    def other_rows(self, store: Any) -> Any:
        return store._rows.get(where={"source": "chunks.md"})


def test_a_collection_is_made_when_told(opening: Opening) -> None:
    with pytest.raises(BadStore, match="has no collection 'guides'; ingest first, open it with create=True"):
        opening("guides")
    unit = a_unit("Look")
    opening("guides", create=True).write([unit], [NORTH])
    assert opening("guides").ids() == [unit.id]
    with pytest.raises(BadStore, match="nobody"):
        opening("guides", tenant="nobody")


def test_more_bytes_than_a_request_takes(opening: Opening) -> None:
    """That is 40 MB."""
    store = opening("large", create=True)
    units = [a_unit(f"Step {line}", line, body="x" * 90_000) for line in range(1, 501)]
    store.write(units, [NORTH] * 500)
    assert len(rows_of(store, GUIDE)) == 500


def test_a_first_write_that_came_to_nothing(chroma: Server, opening: Opening) -> None:
    """It is refused, after the server has noted the length of its vectors; cut off there, it ends as this one does."""
    store = opening("cut", create=True)
    assert store.ids() == []
    rows = f"{chroma.url}/api/v2/tenants/default_tenant/databases/default_database/collections/{store._rows.id}"  # type: ignore[attr-defined]
    assert httpx.post(f"{rows}/upsert", json={"ids": ["a", "b"], "embeddings": [NORTH]}).status_code == 400
    assert (rows_of(store, GUIDE), store.search(NORTH, 1)) == ([], [])
    unit = a_unit("Look")
    store.write([unit], [NORTH])
    assert [hit.unit_id for hit in store.search(NORTH, 1)] == [unit.id]


def test_a_server_that_went_is_named_and_a_second_write_repairs(chroma: Server, opening: Opening) -> None:
    store = opening("crash", create=True)
    old, new = a_unit("Look"), a_unit("Look twice")
    store.write([old], [NORTH])
    chroma.kill()
    for call in (lambda: store.write([new], [EAST], gone=[old.id]), lambda: store.search(NORTH, 1), store.ids):
        with pytest.raises(BadStore, match=r"server cannot be reached .*; check that it runs, and try again"):
            call()
    chroma.start()
    assert store.ids() == [old.id]
    store.write([new], [EAST], gone=[old.id])
    assert [stored.unit for stored in rows_of(store, GUIDE)] == [new]


def test_a_server_that_does_not_answer(chroma: Server, opening: Opening) -> None:
    store = opening("mute", create=True, timeout=0.1)
    with chroma.held(), pytest.raises(BadStore, match="did not answer in time, and may have written; run it again"):
        store.ids()


def test_a_client_of_the_users_that_waits_for_a_while(chroma: Server, socket_enabled: None) -> None:
    parts = httpx.URL(chroma.url)
    client = in_time(chromadb.HttpClient(parts.host, parts.port or 0), 0.1)
    with chroma.held(), pytest.raises(httpx.ReadTimeout):
        client.list_collections()
    client._server._session.close()  # type: ignore[attr-defined]
