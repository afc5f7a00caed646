"""An action is carried out once, whatever happens in between."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thread_core.actions import action
from thread_core.errors import BadJournal
from thread_core.walk.execution import (
    CARRIED_OUT,
    LONGEST_REASON,
    Action,
    Executor,
    ManualExecutor,
    Outcome,
    OutcomeKind,
    aperform,
    perform,
)
from thread_core.walk.journal import Journal

Performing = Callable[[Executor, Action, Journal], Outcome]


@pytest.fixture(params=["perform", "aperform"])
def performing(request: pytest.FixtureRequest) -> Performing:
    if request.param == "perform":
        return perform
    return lambda executor, action, journal: asyncio.run(aperform(executor, action, journal))


class Scripted:
    """Answers in turn with outcomes, or raises."""

    def __init__(self, *outcomes: Outcome | BaseException) -> None:
        self.outcomes = list(outcomes)
        self.seen: list[Action] = []

    def run(self, action: Action) -> Outcome:
        self.seen.append(action)
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome


def test_by_default_everything_is_handed_to_the_person(performing: Performing) -> None:
    journal = Journal()
    assert performing(ManualExecutor(), action("a"), journal) == Outcome(kind=OutcomeKind.HANDED, text="")
    assert [entry["event"] for entry in journal.entries()] == ["begun", "finished"]


def test_a_rerun_gets_what_is_recorded(performing: Performing) -> None:
    journal, seen = Journal(), Outcome(kind=OutcomeKind.OBSERVED, text="the lamp is green")
    executor = Scripted(seen)
    assert [performing(executor, action("a"), journal) for _ in range(3)] == [seen] * 3
    assert executor.seen == [action("a")]


def test_what_was_asked_first_is_carried_out_once_approved(performing: Performing) -> None:
    journal, asked = Journal(), Outcome(kind=OutcomeKind.APPROVAL, text="Run a?")
    seen = Outcome(kind=OutcomeKind.OBSERVED, text="green")
    executor = Scripted(asked, seen)
    approved = action("a", approved=action("a").digest)
    assert performing(executor, action("a"), journal) == asked
    assert [performing(executor, approved, journal) for _ in range(2)] == [seen, seen]
    assert executor.seen == [action("a"), approved]


def test_an_error_is_a_failure_in_one_line(performing: Performing) -> None:
    journal, executor = Journal(), Scripted(RuntimeError("no pump\n  here"), RuntimeError("x" * 1000))
    failed = Outcome(kind=OutcomeKind.FAILED, text="RuntimeError: no pump here")
    assert [performing(executor, action("a"), journal) for _ in range(2)] == [failed, failed]
    assert len(performing(executor, action("b", key="other"), journal).text) == LONGEST_REASON


def test_what_is_interrupted_is_uncertain(performing: Performing) -> None:
    journal = Journal()
    with pytest.raises(KeyboardInterrupt):
        performing(Scripted(KeyboardInterrupt()), action("a"), journal)
    assert performing(Scripted(), action("a"), journal).kind is OutcomeKind.UNCERTAIN


def test_nothing_is_carried_out_without_a_journal_to_record_it(performing: Performing, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal, executor = Journal(path), Scripted()
    path.write_text("damaged\n")
    with pytest.raises(BadJournal):
        performing(executor, action("a"), journal)
    assert executor.seen == []


async def test_an_executor_of_its_own_kind_is_awaited() -> None:
    class Awaited(Scripted):
        async def arun(self, action: Action) -> Outcome:
            await asyncio.sleep(0)
            return self.run(action)

    journal, seen = Journal(), Outcome(kind=OutcomeKind.OBSERVED, text="green")
    assert [await aperform(Awaited(seen), action("a"), journal) for _ in range(1)] == [seen]
    failed = await aperform(Awaited(ValueError("no")), action("b", key="other"), journal)
    assert failed == Outcome(kind=OutcomeKind.FAILED, text="ValueError: no")


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(OutcomeKind), st.text()), max_size=12))
def test_whatever_comes_of_them_actions_are_done_once(tried: list[tuple[str, OutcomeKind, str]]) -> None:
    journal, done = Journal(), dict[str, Outcome]()
    for key, kind, text in tried:
        outcome = Outcome(kind=kind, text=text)
        assert perform(Scripted(outcome), action(key, key=key), journal) == done.get(key, outcome)
        if kind in CARRIED_OUT:
            done.setdefault(key, outcome)


KILLED = """
import os, signal, sys
from tests.thread_core.actions import action
from thread_core.walk.execution import perform
from thread_core.walk.journal import Journal

class Dying:
    def run(self, action):
        os.kill(os.getpid(), signal.SIGKILL)

perform(Dying(), action("a"), Journal(sys.argv[1]))
"""


def test_what_a_killed_process_had_begun_is_not_done_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    journal, executor = Journal(path), Scripted()
    assert perform(executor, action("a"), journal).kind is OutcomeKind.UNCERTAIN
    assert executor.seen == []
    assert [entry["event"] for entry in journal.entries()] == ["begun", "repeated"]
