"""A walk with an executor: what is allowed is run, what is not is asked or left, and the outcome selects the branch."""

from __future__ import annotations

from pathlib import Path

from tests.thread_core.executors.programs import Programs
from tests.thread_core.guides import library_of
from thread_core.executors import Allow, CommandExecutor, Matching
from thread_core.walking.journal import Journal
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status

SLOW = """\
# Database is slow

## Ping

Ping it with `dbctl ping <node>`. If it says silent, go to [Restart](#restart). If it says pong, call the engineer.

## Restart

Restart it with `dbctl restart <node>`. If it says started, the issue is resolved.
"""


def walk(programs: Programs, journal: Journal) -> HowToSession:
    programs.add("dbctl", "case $1 in ping) echo silent;; *) echo started;; esac")
    node = Matching(r"db-\d")
    executor = CommandExecutor([Allow("dbctl", ("ping", node), ask=False), Allow("dbctl", ("restart", node))])
    return HowToSession(library_of(None, slow=SLOW), executor=executor, journal=journal)


def test_a_walk_runs_what_is_allowed_and_asks_for_the_rest(programs: Programs, tmp_path: Path) -> None:
    session = walk(programs, Journal(tmp_path / "walk.jsonl"))
    asked = session.start("The database is slow, the node is called db-2. How do I ping it?")
    assert asked.status is Status.ASKING
    assert [(ran.commands, ran.outcome.text) for ran in asked.ran] == [
        (("dbctl ping db-2",), "silent"),
        (("dbctl restart db-2",), f"Run this in {Path.cwd()}?\n\n    dbctl restart db-2"),
    ]
    assert programs.started == ["dbctl ping db-2"]
    assert session.respond("Run it").status is Status.RESOLVED
    assert programs.started == ["dbctl ping db-2", "dbctl restart db-2"]


def test_a_node_that_no_rule_names_is_left_to_the_person(programs: Programs) -> None:
    session = walk(programs, Journal())
    turn = session.start("The database is slow, the node is called web-2. What do I do?")
    assert (turn.status, programs.started) == (Status.AWAITING, [])
    assert "'web-2' stands where a text like db-\\d is expected" in turn.text
