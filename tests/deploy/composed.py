"""The services of deploy/compose.yaml, and the same as processes of this machine."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import yaml

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "compose.yaml"
BIN = Path(sys.executable).parent
TOKEN = "a-token-that-is-long-enough"


@cache
def composed() -> dict[str, Any]:
    """The file, its anchors filled in."""
    return yaml.safe_load(FILE.read_text("utf-8"))  # type: ignore[no-any-return]


class Service:
    """A service's command as a process, which can be killed and started again."""

    def __init__(self, name: str, instead: Mapping[str, str], log: Path) -> None:
        self._instead = instead
        self._log = log
        self._service = composed()["services"][name]
        self.start()

    def start(self) -> None:
        with open(self._log, "ab") as log:
            self._process = subprocess.Popen(
                self._said(self._service["command"]), stdout=log, stderr=log, env=self._environment
            )

    def kill(self, number: int = signal.SIGKILL) -> int:
        self._process.send_signal(number)
        return self._process.wait(timeout=60)

    def is_healthy(self) -> bool:
        """What the file's health check says."""
        test = self._said(self._service["healthcheck"]["test"][1:])
        return subprocess.run(test, capture_output=True, env=self._environment, check=False).returncode == 0

    def wait(self) -> None:
        """Until it is healthy; one that has ended is started again, as `restart` has it."""
        end = time.monotonic() + 120
        while not self.is_healthy():
            assert time.monotonic() < end, self._log.read_text()
            if self._process.poll() is not None:
                self.start()
            time.sleep(0.2)

    def close(self) -> None:
        if self._process.poll() is None:
            self.kill(signal.SIGTERM)

    @property
    def _environment(self) -> dict[str, str]:
        """As in the image: no home to write into."""
        path = os.pathsep.join([str(BIN), str(ROOT / "deploy"), os.environ["PATH"]])
        return os.environ | {"PATH": path, "PYTHONPATH": str(ROOT), "HOME": "/nonexistent"}

    def _said(self, words: list[str]) -> list[str]:
        there = re.compile("|".join(map(re.escape, sorted(self._instead, key=len, reverse=True))))
        said = [there.sub(lambda found: self._instead[found[0]], word) for word in words]  # no port is replaced in part
        if said[0] in ("thread-rag", "python"):  # whichever are installed, these are this tree's
            said[0:1] = [sys.executable, "-m", "thread_rag"] if said[0] == "thread-rag" else [sys.executable]
        elif "thread-rag" in said:
            at = said.index("thread-rag")
            said[at : at + 1] = [sys.executable, "-m", "thread_rag"]
        return said


class Team:
    """All services over folders of this machine."""

    def __init__(self, folder: Path, every: str = "1") -> None:
        chroma, mcp = _free(), _free()
        self.folder = folder
        self.store = f"http://127.0.0.1:{chroma}"
        self.url = f"http://127.0.0.1:{mcp}"
        for name in ("guides", "chroma", "data", "sessions"):
            (folder / name).mkdir(exist_ok=True)
        tokens = folder / "tokens"
        tokens.touch(0o600)
        tokens.write_text(f"ann {TOKEN}\n")
        self._instead = {
            "http://chroma:8000": self.store,
            "127.0.0.1:8000": f"127.0.0.1:{chroma}",
            "127.0.0.1:8080": f"127.0.0.1:{mcp}",
            "0.0.0.0:8080": f"127.0.0.1:{mcp}",
            "${NAME:-localhost:8080}": "guides.example.org",
            "/run/secrets/tokens": str(tokens),
            "/guides": str(folder / "guides"),
            "/data": str(folder / "data"),
            "/sessions": str(folder / "sessions"),
            "/chroma": str(folder / "chroma"),
            "8000": str(chroma),
            "0.0.0.0": "127.0.0.1",
            "900": every,
        }
        self.services: dict[str, Service] = {}

    def start(self, name: str) -> Service:
        log = self.folder / f"{name}.log"
        self.services[name] = Service(name, self._instead, log)
        return self.services[name]

    def call(self, tool: str, **given: Any) -> dict[str, Any]:
        """What a tool answers an agent."""
        params = {"name": tool, "arguments": given}
        answer = httpx.post(
            f"{self.url}/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
            headers={
                "accept": "application/json, text/event-stream",
                "authorization": f"Bearer {TOKEN}",
                "host": "guides.example.org",
            },
            timeout=60,
        )
        result = answer.json()["result"]
        assert not result["isError"], result
        return result["structuredContent"]  # type: ignore[no-any-return]

    def close(self) -> None:
        for service in reversed(self.services.values()):
            service.close()


@contextmanager
def a_team(folder: Path) -> Iterator[Team]:
    team = Team(folder)
    try:
        yield team
    finally:
        team.close()


def until(is_so: Callable[[], bool], seconds: float = 120) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.2)


def _free() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
