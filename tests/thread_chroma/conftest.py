"""A Chroma server as a real process, started once a module."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import httpx
import pytest
import pytest_socket

from thread_chroma import ChromaUnitStore, open_server


class Server:
    """`chroma run` on a free port, over a directory; it can be killed and started again."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        command = [str(Path(sys.executable).parent / "chroma"), "run", "--path", str(self._directory)]
        self._process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", str(self._port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while self._process.poll() is None:
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/api/v2/heartbeat").is_success:
                    return
        raise RuntimeError(f"chroma run ended with {self._process.returncode}")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Have it take requests and answer none."""
        self._process.send_signal(signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)  # On another core it goes on for a moment.
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


class Opening(Protocol):
    """`open_server` at the server's URL."""

    def __call__(
        self, collection: str, *, create: bool = False, tenant: str = "default_tenant", timeout: float = 30
    ) -> ChromaUnitStore: ...


@pytest.fixture
def opening(chroma: Server, socket_enabled: None) -> Iterator[Opening]:
    """Opens stores at the server and closes their connections at the end, which Chroma leaves to the process's end."""
    opened: list[Any] = []

    def open_at_server(collection: str, **named: Any) -> ChromaUnitStore:
        opened.append(open_server(chroma.url, collection=collection, **named))
        return opened[-1]

    yield open_at_server
    for store in opened:
        store._rows._client._session.close()


@pytest.fixture(scope="module")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    pytest_socket.enable_socket()
    server = Server(tmp_path_factory.mktemp("served"))
    server.start()
    yield server
    server.kill()
