"""Sessions on disk: each its owner's, moved by one call at a time, and pruned by a rule."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.thread_mcp.conftest import QUESTION
from thread_core.errors import BadSession
from thread_core.store.library import Library
from thread_core.walk.session import HowToSession
from thread_mcp import kept
from thread_mcp.answers import Step
from thread_mcp.kept import ENDED, LOCAL, OPEN, NoSession, SessionFolder
from thread_mcp.walks import NotThatTurn, Walks

DAY = 86_400


@pytest.fixture
def walks(library: Library, tmp_path: Path) -> Walks:
    return Walks(library, SessionFolder(tmp_path))


def test_a_client_reaches_no_session_of_another(walks: Walks) -> None:
    mine = walks.start("ann", QUESTION)
    assert walks.where("ann", mine.session) == mine
    for call in (
        lambda: walks.where("bob", mine.session),
        lambda: walks.respond("bob", mine.session, mine.turn, "1"),
        lambda: walks.where("bob", f"../ann/{mine.session}"),
    ):
        with pytest.raises(NoSession, match="found no session"):
            call()
    assert walks.where("ann", mine.session) == mine


def test_the_journal_says_who_has_answered(walks: Walks, tmp_path: Path) -> None:
    step = walks.start("ann", QUESTION)
    walks.respond("ann", step.session, step.turn, "2")
    with SessionFolder(tmp_path).opened("ann", step.session) as (_, file):
        entries = [(one["event"], one["by"]) for one in file.journal().entries()]
    assert entries == [(event, "ann") for event in ("answered", "reached", "answered", "reached")]


@pytest.mark.parametrize("client", ["", "..", "a/b", "-a", "a" * 41, "a\x00", "ä"])
def test_a_client_whose_name_is_no_folder_is_refused(walks: Walks, client: str) -> None:
    with pytest.raises(ValueError, match="expected at most 40 letters"):
        walks.start(client, QUESTION)


def test_of_calls_at_once_one_answer_counts(walks: Walks) -> None:
    first = walks.start(LOCAL, QUESTION)

    def answered(nth: int) -> Step | Exception:
        try:
            return walks.respond(LOCAL, first.session, first.turn, str(nth % 2 + 1))
        except NotThatTurn as error:
            return error

    with ThreadPoolExecutor(8) as pool:
        came = list(pool.map(answered, range(16)))
    steps = [one for one in came if isinstance(one, Step)]
    assert len(steps) == 8 and {one.turn for one in steps} == {2}
    assert len({one.text for one in steps}) == 1


def test_an_answer_that_was_cut_off_is_gone_on_with(library: Library, walks: Walks, tmp_path: Path) -> None:
    first = walks.start(LOCAL, QUESTION)
    with SessionFolder(tmp_path).opened(LOCAL, first.session) as (state, file):  # killed before the state was written
        HowToSession(library, journal=file.journal()).resumed(state).respond("2")
    step = walks.respond(LOCAL, first.session, first.turn, "1")
    assert 'already answered with "2"' in step.notes[0] and "fuse --read pump" in step.text


def test_what_is_kept_is_its_owners_alone(walks: Walks, tmp_path: Path) -> None:
    walks.start("ann", QUESTION)
    files = [path for path in (tmp_path / "ann").iterdir() if path.suffix != ".lock"]
    assert len(files) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    assert stat.S_IMODE((tmp_path / "ann").stat().st_mode) == 0o700


def test_sessions_are_pruned_that_nobody_goes_on_with(library: Library, tmp_path: Path) -> None:
    now = 1_000_000_000.0
    folder = SessionFolder(tmp_path, clock=lambda: now)
    walks = Walks(library, folder)
    ages = {}
    for is_ended, days in ((False, ENDED + 1), (False, OPEN + 1), (True, ENDED - 1), (True, ENDED + 1)):
        step = walks.start(LOCAL, QUESTION)
        if is_ended:
            walks.respond(LOCAL, step.session, step.turn, "I give up")
        ages[step.session] = (is_ended, days)
        os.utime(tmp_path / LOCAL / f"{step.session}.json", (now - days * DAY,) * 2)
    busy = walks.start(LOCAL, QUESTION).session
    os.utime(tmp_path / LOCAL / f"{busy}.json", (0, 0))
    with folder.opened(LOCAL, busy):
        now += 3601
        folder.prune()
    left = {path.stem for path in (tmp_path / LOCAL).glob("*.json")}
    assert [ages[one] for one in ages if one in left] == [(False, ENDED + 1), (True, ENDED - 1)]
    assert busy in left
    assert {path.name.partition(".")[0] for path in (tmp_path / LOCAL).iterdir()} == left


def test_a_session_that_another_call_is_at_is_not_moved(
    walks: Walks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "PATIENCE", 0.1)
    step = walks.start(LOCAL, QUESTION)
    with (
        SessionFolder(tmp_path).opened(LOCAL, step.session),
        pytest.raises(BadSession, match="another call is working on session"),
    ):
        walks.respond(LOCAL, step.session, step.turn, "1")
    assert walks.where(LOCAL, step.session) == step
