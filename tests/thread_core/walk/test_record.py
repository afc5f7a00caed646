"""The record of a walk says how it went, and nothing that was said does anything in it."""

from tests.thread_core.walk.test_gaps import QUESTION, STRANGE, walked
from thread_core import Document, default_embedding
from thread_core.executors import CallableExecutor
from thread_core.ingest import ThreadIngest
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk import record
from thread_core.walk.journal import Journal
from thread_core.walk.session import HowToSession

LAMP = """\
# The lamp is dark

## Reset the relay

```sh
relayctl reset
```

- If it prints "stuck", replace the relay.
- If it prints "works", the lamp is fixed.
"""


def test_it_tells_what_was_asked_shown_said_and_left_open() -> None:
    journal = Journal()
    told = walked(
        journal.noting(by="ann", about={"incident": 17}), STRANGE, "it shows red", "skip", "I give up"
    ).record()
    times = [entry["at"] for entry in journal.entries()]
    assert told.startswith(f"# Record of a walk\n\n- Question: `{QUESTION}`\n- How it ended: handed over\n")
    assert f'- From {times[0]} to {times[-1]}\n- By: `ann`\n- About: `{{"incident": 17}}`\n' in told
    assert "(`pump.md:5-8`): `it shows red`\n" in told and "(`pump.md:12-13`): " in told
    assert f"- {times[2]} `ann` said: `{STRANGE}`\n" in told
    assert f"- Not covered at `pump.md:5-8`: `{STRANGE}`\n- Skipped at `pump.md:12-13`\n" in told


def test_it_tells_what_was_run_and_who_allowed_it() -> None:
    store = MemoryStore()
    ThreadIngest(store, default_embedding()).run([Document("lamp.md", LAMP)])
    ask = CallableExecutor({"relayctl": lambda what: "password=hunter2 ``` <b>"}, ask=["relayctl"])
    session = HowToSession(Library(store, default_embedding()), executor=ask, journal=Journal().noting(by="bob"))
    session.start("The lamp is dark, how do I reset the relay?")
    assert "What was run" not in session.record() and "how it ended: it is open" in session.record().lower()
    session.respond("Run it")
    _, _, told = session.record().partition("## What was run\n\n")
    assert ", approved by `bob`:\n\n```text\nrelayctl reset\n```\n\nIt was run.\n\n" in told
    assert "````text\npassword=[redacted] ``` <b>\n````" in told


def test_another_walk_in_the_journal_is_left_out() -> None:
    journal = Journal()
    walked(journal, "green light of another walk")
    assert "another walk" not in walked(journal, "it shows red").record()


def test_nothing_that_was_said_does_anything() -> None:
    evil = "x` <script>a</script> ![p](http://e.org) @all\n# H \x1b[31m\u202e secret=abcdefgh"
    told = walked(Journal(), evil).record()
    outside = [part for line in told.splitlines() for part in line.split("`` ")[::2]]
    assert "`` x` <script>a</script> ![p](http://e.org) @all # H \N{REPLACEMENT CHARACTER}[31m" in told
    assert not any(sign in part for part in outside for sign in ("<", "![", "@all", "\x1b", "\u202e"))
    assert "abcdefgh" not in told and "\n# H" not in told


def test_without_a_journal_it_says_that_times_are_missing() -> None:
    session = walked(Journal(), STRANGE)
    told = record.write(session.state, ())
    assert "There is no journal of this walk" in told and f"- Not covered at `pump.md:5-8`: `{STRANGE}`" in told
