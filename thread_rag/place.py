"""Where the command keeps things: the units in a directory or on a server, all else in the directory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from thread_core.errors import BadStore, StoreBusy
from thread_core.store.locking import unheld
from thread_core.text.safe import one_line

if TYPE_CHECKING:
    from thread_chroma import ChromaUnitStore
    from thread_core.ingest import Ledger
    from thread_core.store.lexical import SqliteLexicalIndex

PATIENCE = 60.0
"""Seconds that a command which only reads waits for an ingest."""


@dataclass(frozen=True, slots=True)
class Place:
    """What `--store` and `--server` name."""

    directory: Path
    server: str = ""
    """The address of a Chroma server that keeps the units; empty where the directory keeps them."""

    def make(self) -> None:
        """Make the directory, if it is missing.

        Raises:
            BadStore: it cannot be made.
        """
        import chromadb  # noqa: F401  (where it is missing, nothing is made)

        if self.directory.exists() and not self.directory.is_dir():
            raise BadStore(f"{self.directory} is a file, expected a directory; choose another one")
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadStore(
                f"{self.directory} cannot be created ({error.strerror}); choose another directory"
            ) from error

    def writable(self) -> ChromaUnitStore:
        """The units, for an ingest; a store is made where there is none.

        Raises:
            BadStore: it cannot be used, or the server's address is none.
        """
        from thread_chroma import open_store

        return self._served(create=True) if self.server else open_store(self.directory, create=True)

    @contextmanager
    def writing(self) -> Iterator[ChromaUnitStore]:
        """The units, for one ingest of a process that reads them as well, by `units`.

        Raises:
            BadStore: there is no store, it cannot be used, or the server's address is none.
        """
        from thread_chroma.opening import writing_store

        if self.server:
            yield self._served()
        else:
            with writing_store(self.directory) as units:
                yield units

    def units(self, patience: float = PATIENCE) -> ChromaUnitStore:
        """The units, for whoever reads them; what other processes ingest meanwhile is found too.

        Args:
            patience: Seconds to wait for an ingest that is under way in the directory, which is said.

        Raises:
            BadStore: there is no store, it cannot be used, or the server's address is none.
            StoreBusy: the ingest takes longer.
        """
        from thread_chroma import follow_store

        if self.server:
            return self._served()
        follow = partial(follow_store, self.directory, self._lock)
        try:
            return follow()
        except StoreBusy as busy:
            if not patience:
                raise
            typer.secho(f"waiting up to {patience:g} s: {one_line(str(busy))}", fg=typer.colors.YELLOW, err=True)
        return follow(patience=patience)

    def _served(self, *, create: bool = False) -> ChromaUnitStore:
        from thread_chroma import open_server

        try:
            store = open_server(self.server, create=create)
        except ValueError as error:
            raise BadStore(str(error)) from error
        with suppress(BadStore):  # whoever only asks may do without the directory
            self.make()
        return store

    def written(self) -> list[int]:
        """When the ingests' memory was written, in nanoseconds: then lines may have moved, which no version tells."""
        files = sorted(self.directory.glob("ledger.sqlite3*"))
        return [file.stat().st_mtime_ns for file in files if file.exists()]

    def is_written(self) -> bool:
        """Whether an ingest is under way, of which this directory knows."""
        if not self._lock.exists():
            return False
        with unheld(self._lock) as is_calm:
            return not is_calm

    def has_words(self) -> bool:
        """Whether there are words, which `words` makes otherwise."""
        return self._words.exists()

    def has_ledger(self) -> bool:
        """Whether there is a ledger, which `ledger` makes otherwise."""
        return self._ledger.exists()

    @property
    def _words(self) -> Path:
        return self.directory / "words.sqlite3"

    @property
    def _ledger(self) -> Path:
        return self.directory / "ledger.sqlite3"

    @property
    def _lock(self) -> Path:
        """What an ingest holds while it writes."""
        return self.directory / "ledger.sqlite3.lock"

    def words(self) -> SqliteLexicalIndex:
        """The words, and the documents' names.

        Raises:
            BadIndex: the file cannot be used.
        """
        from thread_core.store.lexical import SqliteLexicalIndex

        return SqliteLexicalIndex(self._words)

    def ledger(self) -> Ledger:
        """What the ingests remember.

        Raises:
            BadLedger: the file cannot be used.
        """
        from thread_core.ingest import Ledger

        return Ledger(self._ledger)
