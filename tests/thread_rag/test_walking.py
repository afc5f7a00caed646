from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from thread_core import Document, default_embedding
from thread_core.ingest import ThreadIngest
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.rendering import Turn
from thread_core.walk.session import HowToSession
from thread_core.walk.state import SessionState
from thread_core.walk.states import Status
from thread_rag.walking import HELP, Screen, walk

GUIDE = """# Disk full

## Look at the disk

1. Run `df`. If the disk has room again, the issue is resolved.

## Clean up

1. Empty the bin.

## Extend the disk

1. Ask the storage team.
"""


def a_session() -> HowToSession:
    store = MemoryStore()
    ThreadIngest(store, default_embedding(), words=SqliteLexicalIndex()).run([Document("disk.md", GUIDE)])
    return HowToSession(Library(store, default_embedding()))


def walked(session: Any, *said: str) -> tuple[bool, str]:
    lines: Iterator[str] = iter(said)
    out = StringIO()
    console = Console(file=out, width=200, markup=False, emoji=False, highlight=False)
    first = session.start("Disk full: look at the disk: run df")
    found = walk(session, first, Screen(console), lambda: next(lines, None))
    return found, out.getvalue()


class Scripted:
    """A session that replies as it is told, and refuses surprises."""

    def __init__(self, **replies: Turn) -> None:
        self._replies = replies
        self.state = SessionState()

    def start(self, question: str) -> Turn:
        return self._replies["start"]

    def respond(self, text: str) -> Turn:
        return self._replies[text]


UNKNOWN = Turn(text="Nothing fits.", status=Status.UNKNOWN)
STEP = Turn(text="Header\nBody.", status=Status.AWAITING, unit_ids=("a",))


@pytest.mark.parametrize("leaving", ["quit", "q", "Exit", "abbrechen", "終了"])
def test_a_walk_shows_steps_with_their_lines_until_it_is_left(leaving: str) -> None:
    found, printed = walked(a_session(), "next", "next", leaving, "never read")
    assert found
    assert "Run `df`" in printed and "disk.md:5" in printed and "1  the disk has room again" in printed
    assert "Empty the bin" in printed and "Ask the storage team" not in printed
    assert printed.count(HELP) == 1


def test_a_number_chooses_and_an_end_ends() -> None:
    found, printed = walked(a_session(), "1", "never read")
    assert found and "resolved" in printed
    assert "Empty the bin" not in printed


def test_back_why_and_what_does_not_fit() -> None:
    found, printed = walked(a_session(), "back", "next", "back", "why", "9")
    assert found
    assert "There is nothing to go back to." in printed
    assert printed.count("Run `df`") == 4
    assert "it fits the question best" in printed
    assert "There is no option 9" in printed


def test_other_words_may_find_something() -> None:
    found, printed = walked(Scripted(start=UNKNOWN, disk=STEP), "disk")
    assert found and printed.endswith("\nHeader\nBody.\n")
    assert walked(Scripted(start=UNKNOWN, tree=UNKNOWN), "tree")[0] is False


def test_a_walk_that_has_ended_is_reopened_where_it_is_resumed() -> None:
    session, out = a_session(), StringIO()
    session.start("Disk full: look at the disk: run df")
    assert session.respond("1").status is Status.RESOLVED
    lines = iter(["back"])
    walk(session, session.show(), Screen(Console(file=out, width=200)), lambda: next(lines, None), is_resumed=True)
    assert "Run `df`" in out.getvalue()
    assert session.state.status is Status.AWAITING
