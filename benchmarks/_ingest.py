"""A store in a directory as the command keeps it, and what takes documents into it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from thread_core import default_embedding
from thread_core.ingest import Ledger, ThreadIngest
from thread_core.ports import UnitStore
from thread_core.store.lexical import SqliteLexicalIndex

WORDS = "words.sqlite3"
LEDGER = "ledger.sqlite3"


def into(store: UnitStore, directory: Path, **options: Any) -> ThreadIngest:
    """An ingest whose words and ledger are files of a directory."""
    words, ledger = SqliteLexicalIndex(directory / WORDS), Ledger(directory / LEDGER)
    return ThreadIngest(store, default_embedding(), words=words, ledger=ledger, **options)


def size(*paths: Path) -> int:
    """Bytes of files, and of all files in folders."""
    files = [file for path in paths for file in (path.rglob("*") if path.is_dir() else (path,))]
    return sum(file.stat().st_size for file in files if file.is_file())
