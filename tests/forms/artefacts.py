"""Pieces of each form, as a release writes them: `python -m tests.forms.artefacts` writes those that are not kept yet.

One that is kept is never written again: it is what a release has left on the disks of others.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from tests.forms.fields import forms
from tests.thread_core.actions import action
from thread_chroma.rows import rendered
from thread_core import Document, RuleExtractor, default_embedding
from thread_core.executors import CallableExecutor
from thread_core.extraction.unit_lines import to_lines
from thread_core.ingest import Ledger, ThreadIngest
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.execution import Outcome, OutcomeKind
from thread_core.walk.journal import Journal
from thread_core.walk.session import HowToSession

KEPT = Path(__file__).with_name("kept")
LAMP = Document(
    "lamp.md",
    """\
# The lamp is dark

## Reset the relay

```sh
relayctl reset
```

- If it prints "stuck", go to [Replace the relay](#replace-the-relay).
- If it prints "works", the lamp is fixed.

## Replace the relay

> [!WARNING]
> Do not touch the bulb while it is hot.

1. Switch the power off.
2. Replace the relay with a new one.
""",
)
QUESTION = "The lamp is dark, how do I reset the relay?"
COMMAND = "relayctl reset"


def a_store() -> MemoryStore:
    """The lamp's guide in memory."""
    store = MemoryStore()
    ThreadIngest(store, default_embedding()).run([LAMP])
    return store


def a_library() -> Library:
    """The lamp's guide, ready for questions."""
    return Library(a_store(), default_embedding())


def name_of(form: str) -> str:
    """The form of today: its name and its version, as a file's name."""
    (found,) = (one for one in forms() if one.rpartition(" ")[0] == form)
    return found.replace(" ", "-")


def _session() -> str:
    """A walk in which a command was run that was asked about, and that waits for the person."""
    executor = CallableExecutor({"relayctl": lambda what: "it prints nothing"}, ask=["relayctl"])
    session = HowToSession(a_library(), executor=executor)
    session.start(QUESTION)
    session.respond("Run it")
    assert session.state.ran
    return session.state.model_dump_json(indent=1)


def _journal(folder: Path) -> str:
    """An answer, an action that was finished, and one that was cut short."""
    journal = Journal(folder / "journal.jsonl")
    journal.answered("walk/ask:1", 3, "Run it")
    journal.begin(action("relayctl status", key="done", session="walk", turn=2))
    journal.finish(action(key="done"), Outcome(kind=OutcomeKind.OBSERVED, text="it is stuck"))
    journal.begin(action(COMMAND, key="lost", session="walk", turn=4))
    return (folder / "journal.jsonl").read_text()


def _ledger(folder: Path) -> str:
    """What is known of a store that holds the guide."""
    with closing(Ledger(folder / "ledger.sqlite3")) as ledger:
        ThreadIngest(MemoryStore(), default_embedding(), ledger=ledger).run([LAMP], source="guides")
    return dumped(folder / "ledger.sqlite3")


def _replies(folder: Path) -> str:
    """One reply."""
    with closing(SqliteReplyCache(folder / "replies.sqlite3")) as replies:
        replies.put("key", '{"units": []}')
    return dumped(folder / "replies.sqlite3")


def _rows() -> str:
    """The rows of the guide."""
    units = RuleExtractor().extract(LAMP).units
    rows = [dict(zip(("id", "text", "metadata"), (unit.id, *rendered(unit)), strict=True)) for unit in units]
    return json.dumps(rows, indent=1, ensure_ascii=False)


def dumped(path: Path) -> str:
    """A database as statements that make it again, with what marks it."""
    with closing(sqlite3.connect(path)) as database:
        pragmas = [
            f"PRAGMA {name} = {value};"
            for name in ("application_id", "user_version")
            for (value,) in database.execute(f"PRAGMA {name}")
        ]
        return "\n".join([*database.iterdump(), *pragmas])


def made(statements: Path, path: Path) -> Path:
    """The database that was dumped."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript(statements.read_text(encoding="utf-8"))
    return path


PIECES: dict[str, Callable[[Path], str]] = {
    "session": lambda folder: _session(),
    "journal": _journal,
    "ledger": _ledger,
    "replies": _replies,
    "rows": lambda folder: _rows(),
    "export": lambda folder: "\n".join(to_lines(a_store())),
}
"""How a piece of each form is made."""


if __name__ == "__main__":
    for form, piece in PIECES.items():
        path = KEPT / name_of(form)
        if not path.exists():
            with tempfile.TemporaryDirectory() as folder:
                path.write_text(piece(Path(folder)).rstrip("\n") + "\n", encoding="utf-8")
