"""Where the command keeps things: the units in a directory or on a server, all else in the directory."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from thread_core.errors import BadStore

if TYPE_CHECKING:
    from thread_chroma import ChromaUnitStore
    from thread_core.ingest import Ledger
    from thread_core.store.lexical import SqliteLexicalIndex

_LEDGER = "ledger.sqlite3"


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
            raise BadStore(f"{self.directory} is a file, and a store is a directory; name another one")
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadStore(f"{self.directory} cannot be made ({error.strerror}); name another directory") from error

    def units(self, *, create: bool = False) -> ChromaUnitStore:
        """The units; with `create`, a store is made where there is none.

        Raises:
            BadStore: there is no store, it cannot be used, or the server's address is none.
        """
        from thread_chroma import open_store

        return self._served(create=create) if self.server else open_store(self.directory, create=create)

    def followed(self, patience: float) -> ChromaUnitStore:
        """The units, of which what other processes ingest is found too.

        Args:
            patience: Seconds to wait for an ingest that is under way.

        Raises:
            BadStore: as of `units`; StoreBusy where an ingest is under way.
        """
        from thread_chroma import follow_store

        if self.server:
            return self._served()
        return follow_store(self.directory, self.directory / f"{_LEDGER}.lock", patience=patience)

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

    def words(self) -> SqliteLexicalIndex:
        """The words, and the documents' names.

        Raises:
            BadIndex: the file cannot be used.
        """
        from thread_core.store.lexical import SqliteLexicalIndex

        return SqliteLexicalIndex(self.directory / "words.sqlite3")

    def ledger(self) -> Ledger:
        """What the ingests remember.

        Raises:
            BadLedger: the file cannot be used.
        """
        from thread_core.ingest import Ledger

        return Ledger(self.directory / _LEDGER)
