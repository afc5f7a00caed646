"""The server over HTTP: who may ask, from where, how much and how often. No socket is opened here."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.thread_mcp.conftest import QUESTION
from thread_core.errors import BadFile, BadStore
from thread_core.store.library import Library
from thread_mcp import Clients, create_app, create_server
from thread_mcp.serving import BadAddress, is_loopback, serve_http, serve_socket

ANN, BOB = "ann-has-a-token-of-her-own", "bob-has-a-token-of-his-own"
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@asynccontextmanager
async def reached(
    library: Library, folder: Path, clients: Clients | None = None, rate: str = "1000/minute"
) -> AsyncIterator[httpx.AsyncClient]:
    server = create_server(library, folder / "sessions")
    app = create_app(server, ["guides.example.org"], clients, library=library, rate=rate)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://guides.example.org", headers=HEADERS
        ) as client,
    ):
        yield client


def message(tool: str = "search", **given: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": given or {"question": QUESTION}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def by(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def lives(client: httpx.AsyncClient, headers: dict[str, str] | None = None) -> bool:
    answer = await client.post("/mcp", json=message(), headers=headers)
    return answer.status_code == 200 and not answer.json()["result"]["isError"]


@pytest.fixture
def clients() -> Clients:
    return Clients({"ann": ANN, "bob": BOB})


async def test_each_client_has_walks_of_its_own(library: Library, tmp_path: Path, clients: Clients) -> None:
    async with reached(library, tmp_path, clients) as client:
        started = await client.post("/mcp", json=message("start", question=QUESTION), headers=by(ANN))
        session = started.json()["result"]["structuredContent"]["session"]
        for token, is_hers in ((ANN, True), (BOB, False)):
            found = await client.post("/mcp", json=message("where", session=session), headers=by(token))
            assert found.json()["result"]["isError"] is not is_hers
    assert [path.parent.name for path in (tmp_path / "sessions").glob("*/*.json")] == ["ann"]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        by(""),
        by("wrong"),
        by(ANN[:-1]),
        by(f"{ANN}x"),
        by(f" {ANN}"),
        by(ANN.upper()),
        by("x" * 60_000),
        {"authorization": ANN},
        {"authorization": f"Basic {ANN}"},
        {"authorization": "Bearer"},
        {"x-token": ANN},
    ],
)
async def test_who_has_no_token_is_refused(
    library: Library, tmp_path: Path, clients: Clients, headers: dict[str, str]
) -> None:
    async with reached(library, tmp_path, clients) as client:
        answer = await client.post("/mcp", json=message(), headers=headers)
        assert answer.status_code == 401 and answer.json()["error"] == "invalid_token"
        assert [(await client.request(verb, "/mcp")).status_code for verb in ("GET", "DELETE", "PUT")] == [405] * 3
        assert await lives(client, by(ANN))


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"host": "evil.example"}, None, 421),
        ({"host": "guides.example.org.evil.example"}, None, 421),
        ({"host": "127.0.0.1"}, None, 421),
        ({"host": ""}, None, 421),
        ({"origin": "https://evil.example"}, None, 403),
        ({"origin": "null"}, None, 403),
        ({"content-type": "text/plain"}, None, 400),
        ({"accept": "text/html"}, None, 406),
        ({"mcp-protocol-version": "1066"}, None, 400),
        ({}, b"", 400),
        ({}, b"{", 400),
        ({}, b"\xff\xfe", 400),
        ({}, b"null", 400),
        ({}, b"[]", 400),
        ({}, b'"search"', 400),
        ({}, b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 400),
        ({}, b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}', 400),
        ({}, b"[" * 100_000, 500),
        ({}, b'{"a":' * 30_000, 500),
        ({}, json.dumps(message(question="x" * 300_000)).encode(), 413),
        ({"content-length": "999999999"}, b"{}", 413),
    ],
)
async def test_a_request_that_is_none_is_refused(
    library: Library, tmp_path: Path, headers: dict[str, str], body: bytes | None, status: int
) -> None:
    async with reached(library, tmp_path) as client:
        content = json.dumps(message()).encode() if body is None else body
        answer = await client.post("/mcp", content=content, headers=headers)
        assert answer.status_code == status, answer.text
        assert await lives(client)


async def test_what_watches_it_asks_without_a_token_and_hears_a_word(
    library: Library,
    tmp_path: Path,
    clients: Clients,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def heard(path: str) -> tuple[int, str]:
        answer = await client.get(path, headers={"host": "10.0.0.7"} | by("wrong"))
        return answer.status_code, answer.text

    async with reached(library, tmp_path, clients) as client:
        assert [await heard("/health"), await heard("/ready")] == [(200, "alive"), (200, "ready")]
        with monkeypatch.context() as away:
            away.setattr(type(library.store), "version", fails)
            assert [await heard("/health"), await heard("/ready")] == [(200, "alive"), (503, "not ready")]
            await heard("/ready")
        assert caplog.text.count("it went away") == 1, "each trouble is told once"
        assert await heard("/ready") == (200, "ready")
        assert "can be read again" in caplog.text
        assert 429 in [(await heard("/ready"))[0] for _ in range(60)]
        assert await heard("/health") == (200, "alive")


def fails(store: object) -> str:
    raise BadStore("it went away")


async def test_what_comes_too_often_is_refused(library: Library, tmp_path: Path, clients: Clients) -> None:
    async with reached(library, tmp_path, clients, rate="3/minute") as client:
        codes = [(await client.post("/mcp", json=message(), headers=by(ANN))).status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
        assert await lives(client, by(BOB))
        codes = [(await client.post("/mcp", json=message(), headers=by("guess"))).status_code for _ in range(4)]
        assert codes == [401, 401, 401, 429]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no tokens"),
        ("# nobody\n", "has no tokens"),
        (ANN, "line 1 has no token"),
        (f"ann {ANN} more", "line 1 has no token"),
        (f"ann {ANN}\nann {BOB}", "line 2 has no token"),
        (f"ann {ANN}\nbob {ANN}", "two clients have the same token"),
        (f"../ann {ANN}", "expected at most 40 letters"),
        (f"local {ANN}", "local is the name of the client without a token"),
        ("ann short", "could be guessed"),
    ],
)
def test_a_file_of_tokens_that_is_none_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "tokens"
    path.touch(0o600)
    path.write_text(text)
    with pytest.raises(BadFile, match=said) as error:
        Clients.read(path)
    assert ANN not in str(error.value)


def test_a_file_of_tokens_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"ann {ANN}\n")
    path.chmod(0o644)
    with pytest.raises(BadFile, match="can be read by others"):
        Clients.read(path)
    with pytest.raises(BadFile, match="cannot be read"):
        Clients.read(tmp_path / "none")


def test_only_this_machine_is_served_without_tokens(library: Library, tmp_path: Path) -> None:
    assert [is_loopback(host) for host in ("localhost", "127.0.0.1", "127.9.9.9", "::1")] == [True] * 4
    server = create_server(library, tmp_path / "sessions")
    for host in ("0.0.0.0", "::", "192.0.2.1", "localhost.evil.example", "127.0.0.1.evil.example", ""):
        with pytest.raises(BadAddress, match="can be reached from other machines"):
            serve_http(server, host, 0, None)


def test_a_socket_replaces_no_file(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "notes"
    file.write_text("mine")
    with pytest.raises(BadAddress, match="cannot create a socket"):
        serve_socket(create_server(library, tmp_path / "sessions"), file)
    assert file.read_text() == "mine"
