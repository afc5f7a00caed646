"""A call that is cancelled, killed or fails at any point: its answer counts once, or may be given again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.thread_core.walk.test_session import FAIL_OVER, Asking, Hands, library, outcome
from thread_core.errors import AnsweredAlready, BadJournal
from thread_core.store.library import Library
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.journal import Journal
from thread_core.walk.session import HowToSession
from thread_core.walk.states import Status

PING, LAG, SWITCH = ("Database failover: " + name for name in ("Ping", "Measure", "Switch"))
GUIDE = """\
# Database failover

## Step 1: Ping

Ping the primary:

```sh
db ping
```

- If it prints "silent", go to step 3.

## Step 2: Measure

Measure the lag:

```sh
db lag
```

## Step 3: Switch

Switch the roles:

```sh
db switchover
```
"""
SILENT = Outcome(kind=OutcomeKind.OBSERVED, text="silent")


@pytest.fixture(scope="module")
def guides() -> Library:
    return library(failover=GUIDE)


class CuttingOff(Journal):
    """Does something once an answer is recorded, and before anybody knows."""

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path)
        self.then: Callable[[], object] | None = None

    def answered(self, session: str, turn: int, answer: str) -> None:
        super().answered(session, turn, answer)
        if self.then is not None:
            then, self.then = self.then, None
            then()


def cut_off(session: HowToSession, journal: CuttingOff, said: str) -> None:
    """Have a turn cancelled when its answer counts and nothing has come of it."""

    async def cancelled() -> None:
        call = asyncio.create_task(session.arespond(said))
        loop = asyncio.get_running_loop()
        journal.then = lambda: loop.call_soon_threadsafe(call.cancel)
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(cancelled())


@pytest.mark.parametrize("said", ['it prints "silent"', "I give up", "back", "2", "where am I?"])
def test_the_call_after_one_that_was_cut_off_shows_what_came_of_it(said: str, guides: Library) -> None:
    journal = CuttingOff()
    session = HowToSession(guides, journal=journal)
    session.start(FAIL_OVER)
    cut_off(session, journal, "next")
    assert session.state.turn == 2
    shown = session.respond(said)
    assert shown.text.startswith('The result of "next" was interrupted.')
    assert (LAG in shown.text, session.state.turn) == (True, 2)
    assert SWITCH in session.respond("next").text


@pytest.mark.parametrize("anew", [lambda walk: walk.start(FAIL_OVER), HowToSession.restart], ids=["start", "restart"])
def test_whoever_begins_anew_needs_nothing_of_a_turn_that_was_cut_off(
    anew: Callable[[HowToSession], object], guides: Library
) -> None:
    journal = CuttingOff()
    session = HowToSession(guides, journal=journal)
    session.start(FAIL_OVER)
    cut_off(session, journal, "next")
    anew(session)
    assert PING in session.show().text
    assert LAG in session.respond("next").text


def test_a_turn_that_is_cancelled_anywhere_counts_once_or_not_at_all(guides: Library) -> None:
    async def walked(pauses: int) -> int:
        session = HowToSession(guides)
        await session.astart(FAIL_OVER)
        call = asyncio.create_task(session.arespond("next"))
        for _ in range(pauses):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
        while session.state.turn < 2:  # a thread may be at it still
            assert PING in (await session.ashow()).text
            try:
                await session.arespond("next")
            except AnsweredAlready:
                await asyncio.sleep(0)
        assert LAG in (await session.ashow()).text
        assert SWITCH in (await session.arespond("next")).text
        return session.state.turn

    assert {asyncio.run(walked(pauses)) for pauses in range(0, 60, 3)} == {3}


def test_what_was_approved_is_not_run_after_its_turn_was_cut_off(guides: Library) -> None:
    for said in ("I do it myself", "2", "99", "no", "Run it"):
        journal, asking = CuttingOff(), Asking()
        session = HowToSession(guides, executor=asking, journal=journal)
        session.start(FAIL_OVER)
        cut_off(session, journal, "Run it")
        saved = session.state
        assert PING in session.respond(said).text
        for walk in (session, HowToSession(guides, executor=Asking(), journal=journal).resumed(saved)):
            assert PING in walk.respond("99").text
            assert walk.state.status is Status.AWAITING
        assert asking.ran == []


class Interrupted(Hands):
    """Is cancelled while it does the first step."""

    async def arun(self, action: Action) -> Outcome:
        if len(self.given) == 0:
            self.run(action)
            raise asyncio.CancelledError
        return self.run(action)


@pytest.mark.parametrize("said", ['it prints "silent"', "show", "next"])
def test_what_an_executor_had_begun_is_told_and_not_begun_again(said: str, guides: Library) -> None:
    hands = Interrupted(Ping=SILENT)
    session = HowToSession(guides, executor=hands)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(session.astart(FAIL_OVER))
    shown = session.respond(said)
    assert [ran.outcome.kind for ran in shown.ran] == [OutcomeKind.UNCERTAIN]
    assert PING in shown.text
    assert len(hands.given) == 1
    assert SWITCH in session.respond('it prints "silent"').text


async def test_what_an_executor_in_a_thread_has_seen_is_known_after_a_cancellation(guides: Library) -> None:
    class Slow(Hands):
        def run(self, action: Action) -> Outcome:
            loop.call_soon_threadsafe(call.cancel)
            return super().run(action)

    loop, journal, hands = asyncio.get_running_loop(), Journal(), Slow(Ping=SILENT)
    session = HowToSession(guides, executor=hands, journal=journal)
    call = asyncio.create_task(session.astart(FAIL_OVER))
    with pytest.raises(asyncio.CancelledError):
        await call
    while "finished" not in [entry["event"] for entry in journal.entries()]:
        await asyncio.sleep(0)
    shown = await session.ashow()
    assert [ran.outcome for ran in shown.ran] == [SILENT]
    assert SWITCH in shown.text
    assert len(hands.given) == 1


def test_what_fails_after_an_answer_counts_is_gone_on_with(guides: Library) -> None:
    class Full(Journal):
        full = False

        def begin(self, action: Action) -> Outcome | None:
            if self.full:
                raise BadJournal("no room")
            return super().begin(action)

    journal = Full()
    session = HowToSession(guides, executor=Hands(Measure=outcome(OutcomeKind.FAILED)), journal=journal)
    session.start(FAIL_OVER)
    journal.full = True
    with pytest.raises(BadJournal):
        session.respond("next")
    journal.full = False
    assert LAG in session.respond('it prints "silent"').text
    assert SWITCH in session.respond("next").text


def test_a_walk_whose_state_was_not_saved_goes_on_with_the_answer_that_counts(guides: Library, tmp_path: Path) -> None:
    hands = Hands(Ping=SILENT)
    path = tmp_path / "journal.jsonl"
    first = HowToSession(guides, journal=Journal(path))
    first.start(FAIL_OVER)
    saved = first.state
    lost = HowToSession(guides, executor=hands, journal=Journal(path)).resumed(saved).restart()
    assert SWITCH in lost.text
    again = HowToSession(guides, executor=hands, journal=Journal(path)).resumed(saved)
    for answer in (lambda: again.respond("next"), lambda: again.start("What else?"), again.skip):
        with pytest.raises(AnsweredAlready, match="give the same answer again") as refused:
            answer()
    assert refused.value.answer == "restart"
    assert again.respond(refused.value.answer) == lost
    assert [action.commands for action in hands.given].count(("db ping",)) == 1


class Killed(BaseException):
    """What nobody catches, as a kill."""


class Killing(Hands):
    """Is killed while it does its first step, or once its outcome is in the journal."""

    def run(self, action: Action) -> Outcome:
        super().run(action)
        raise Killed


EDITS = {
    "no word": ("", ""),
    "an outcome": ("go to step 3", "continue with step 3"),
    "a step before it": ("## Step 1", "Begin.\n\n## Step 1"),
    "the title": ("# Database failover", "# Failover of the database"),
    "around the command": ("Measure the lag", "Now measure the lag"),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("finished", [False, True], ids=["killed", "finished and not saved"])
def test_what_was_begun_is_not_begun_again_whatever_was_edited_meanwhile(
    edit: str, finished: bool, guides: Library, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    first = HowToSession(guides, journal=journal)
    first.start(FAIL_OVER)
    saved = first.state
    killing = Killing()
    with pytest.raises(Killed):
        HowToSession(guides, executor=killing, journal=journal).resumed(saved).respond("next")
    if finished:
        journal.finish(killing.given[0], outcome(OutcomeKind.OBSERVED, "lag: 3 s"))
    assert [action.commands for action in killing.given] == [("db lag",)]
    hands = Hands(lag=outcome(OutcomeKind.OBSERVED, "lag: 0 s"))
    edited = library(failover=GUIDE.replace(*EDITS[edit]))
    again = HowToSession(edited, executor=hands, journal=Journal(tmp_path / "journal.jsonl")).resumed(saved)
    shown = again.respond("next")
    if not shown.ran:  # the step before was edited as well: it is shown as it is now, and answered once more
        shown = again.respond("next")
    assert ("db lag",) not in [action.commands for action in hands.given]
    assert shown.ran[0].commands == ("db lag",)
    assert ("Check what it has changed" in shown.text) or "lag: 3 s" in shown.text


def test_a_command_of_a_walk_that_it_has_not_lost_is_run_at_each_step_that_says_so(tmp_path: Path) -> None:
    twice = library(failover=GUIDE.replace("db switchover", "db ping").replace("go to step 3", "go to step 2"))
    hands = Hands(Ping=SILENT)
    session = HowToSession(twice, executor=hands, journal=Journal(tmp_path / "journal.jsonl"))
    session.start(FAIL_OVER)
    session.respond("next")
    assert [(action.commands, len(action.repeats)) for action in hands.given] == [
        (("db ping",), 0),
        (("db lag",), 0),
        (("db ping",), 1),
    ]
    session.start(FAIL_OVER)  # another question: what it says to run is run
    assert (hands.given[3].commands, hands.given[3].repeats) == (("db ping",), ())
    assert hands.given[3].began == hands.given[3].turn - 1
