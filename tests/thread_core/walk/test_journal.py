"""Who answered first and what was done, in memory and in a file, across crashes and processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.thread_core.actions import action
from thread_core.errors import AnsweredAlready, BadJournal
from thread_core.walk.execution import Outcome, OutcomeKind
from thread_core.walk.journal import Journal

SEEN = Outcome(kind=OutcomeKind.OBSERVED, text="the lamp is green")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "incident.jsonl"


@pytest.fixture(params=["memory", "file"])
def journal(request: pytest.FixtureRequest, path: Path) -> Journal:
    return Journal(path if request.param == "file" else None)


def test_the_first_answer_to_a_turn_counts(journal: Journal) -> None:
    journal.answered("a", 3, "Run it")
    journal.answered("a", 3, "Run it")
    journal.answered("a", 4, "I do it myself")
    journal.answered("b", 3, "I do it myself")
    with pytest.raises(AnsweredAlready) as caught:
        journal.answered("a", 3, "I do it myself")
    assert (caught.value.session, caught.value.turn, caught.value.answer) == ("a", 3, "Run it")
    assert "turn 3 of session a has been answered already, with 'Run it'" in str(caught.value)


@pytest.mark.parametrize("kind", [OutcomeKind.OBSERVED, OutcomeKind.FAILED, OutcomeKind.UNCERTAIN])
def test_what_was_done_is_not_begun_again(journal: Journal, kind: OutcomeKind) -> None:
    outcome = Outcome(kind=kind, text="the lamp is green")
    assert journal.begin(action()) is None
    journal.finish(action(), outcome)
    assert journal.begin(action()) == outcome
    assert journal.begin(action(key="another")) is None


@pytest.mark.parametrize("finished", [False, True], ids=["cut short", "finished"])
def test_a_command_that_its_walk_has_lost_is_for_a_person(journal: Journal, finished: bool) -> None:
    journal.begin(action("pumpctl start", "pumpctl status", turn=4))
    if finished:
        journal.finish(action(), SEEN)
    for other in (action("pumpctl stop", key="b"), action("pumpctl start", key="c", session="other")):
        assert journal.begin(other) is None
    lost = action("pumpctl start", key="d", turn=6)
    assert journal.has_begun(lost)
    told = journal.begin(lost)
    assert told is not None
    assert told.kind is OutcomeKind.UNCERTAIN
    assert "Check what it has changed" in told.text
    assert (SEEN.text in told.text) is finished
    assert (journal.entries()[-1]["event"], journal.entries()[-1]["kind"]) == ("repeated", "uncertain")
    known = {"repeats": lost.digests}
    for again in (action("pumpctl start", key="d", turn=6, **known), action("pumpctl start", key="e", began=7, turn=8)):
        assert journal.begin(again) is None


def test_a_command_that_was_handed_over_is_not_lost(journal: Journal) -> None:
    journal.begin(action("pumpctl start"))
    journal.finish(action("pumpctl start"), Outcome(kind=OutcomeKind.HANDED))
    assert journal.begin(action("pumpctl start", key="b")) is None


@pytest.mark.parametrize("kind", [OutcomeKind.APPROVAL, OutcomeKind.HANDED])
def test_what_was_not_carried_out_may_be_begun_again(journal: Journal, kind: OutcomeKind) -> None:
    assert journal.begin(action()) is None
    journal.finish(action(), Outcome(kind=kind, text="asked"))
    assert journal.begin(action()) is None
    assert [entry["event"] for entry in journal.entries()] == ["begun", "finished", "begun"]


def test_what_was_begun_and_never_finished_is_uncertain(journal: Journal) -> None:
    assert journal.begin(action()) is None
    again = journal.begin(action())
    assert again is not None
    assert again.kind is OutcomeKind.UNCERTAIN
    begun, repeated = journal.entries()
    assert f"started at {begun['at']} by process {begun['process']}" in again.text
    assert "Check what it has changed" in again.text
    assert (repeated["event"], repeated["kind"]) == ("repeated", "uncertain")


def test_entries_say_what_was_to_be_done(journal: Journal) -> None:
    journal.begin(action("pumpctl start", "pumpctl status", approved="a digest"))
    journal.note("refused", key="key", reason="no rule allows rm")
    begun, noted = journal.entries()
    assert (begun["key"], begun["session"], begun["unit"]) == ("key", "session", "unit")
    assert (begun["commands"], begun["approved"]) == (["pumpctl start", "pumpctl status"], "a digest")
    assert (noted["event"], noted["reason"]) == ("refused", "no rule allows rm")
    assert noted["at"].endswith("Z")


def test_a_journal_notes_by_whom_and_about_what(journal: Journal) -> None:
    noting = journal.noting(by="ann", about={"incident": 17})
    noting.answered("a", 3, "Run it")
    noting.begin(action())
    noting.noting(by="bob").note("looked")
    told = [(entry.get("by"), entry.get("about")) for entry in journal.entries()]
    assert told == [("ann", {"incident": 17})] * 2 + [("bob", {"incident": 17})]
    assert journal.has_begun(action())
    with pytest.raises(AnsweredAlready):
        journal.answered("a", 3, "no")


def test_a_pause_of_a_session_is_named_beside_it(path: Path) -> None:
    path.write_text('{"at": "", "event": "answered", "session": "a/ask:1", "turn": 3, "answer": "yes"}\n')
    Journal(path).answered("a/ask:2", 3, "no")
    entry = Journal(path).entries()[-1]
    assert (entry["session"], entry["pause"]) == ("a", "ask:2")
    journal = Journal(path)
    assert [journal.answer_to(pause, 3) for pause in ("a/ask:1", "a/ask:2", "a")] == ["yes", "no", None]


def test_another_journal_of_the_same_file_knows_it_all(path: Path) -> None:
    first, second = Journal(path), Journal(path)
    first.begin(action())
    first.finish(action(), SEEN)
    first.answered("ü\ud800\n", 1, "the lamp\nis \u2028 green")
    assert second.begin(action()) == SEEN
    for journal in (second, Journal(path)):
        with pytest.raises(AnsweredAlready):
            journal.answered("ü\ud800\n", 1, "no")
    assert first.entries() == second.entries()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 or sys.platform == "win32"


@pytest.mark.parametrize("left", [1, 5, 12, 60])
def test_what_a_crash_left_of_a_line_is_passed_over(path: Path, left: int) -> None:
    journal = Journal(path)
    journal.begin(action())
    whole = path.read_bytes()
    journal.finish(action(), SEEN)
    path.write_bytes(path.read_bytes()[: len(whole) + left])
    again = Journal(path).begin(action())
    assert again is not None
    assert again.kind is OutcomeKind.UNCERTAIN
    assert [json.loads(line)["event"] for line in path.read_text().splitlines()] == ["begun", "repeated"]


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"[1]",
        b"[" * 100_000,
        b'{"at": "now"}',
        b"\xff\xfe",
        b"",
        b'{"at": "now", "event": "finished", "key": "key"}',
    ],
)
def test_a_line_that_is_no_entry_is_one_clear_error(path: Path, line: bytes) -> None:
    journal = Journal(path)
    journal.begin(action())
    path.write_bytes(path.read_bytes() + line + b"\n")
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(BadJournal, match=r"incident\.jsonl: line 2: .*restore the file from a copy"):
            journal.finish(action(), SEEN)
    with pytest.raises(BadJournal, match="line 2"):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["my notes", '{"at": 3}', '{"event": "begun", "at": "now"}', "note 1\nnote 2"])
def test_a_file_of_something_else_is_left_alone(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(BadJournal, match="line 1"):
        Journal(path)
    assert path.read_text() == text


def test_a_file_that_lost_lines_is_named(path: Path) -> None:
    journal = Journal(path)
    journal.begin(action())
    path.write_bytes(b"")
    with pytest.raises(BadJournal, match=r"is shorter than before \(0 bytes, \d+ were read\)"):
        journal.begin(action())


def test_a_file_that_is_renamed_is_followed_by_a_new_one(path: Path) -> None:
    first, second = Journal(path), Journal(path)
    assert first.begin(action()) is None
    first.answered("a", 1, "yes")
    path.rename(path.with_suffix(".1"))
    first.answered("a", 2, "yes")
    for journal in (first, second):  # the second one had read nothing of the old file
        for turn in (1, 2):
            with pytest.raises(AnsweredAlready):
                journal.answered("a", turn, "no")
        assert journal.has_begun(action())
    assert [entry["turn"] for entry in Journal(path).entries()] == [2]


def test_the_answers_of_the_file_before_the_last_are_forgotten_and_what_was_run_is_not(path: Path) -> None:
    journal = Journal(path)
    journal.begin(action())
    for turn in range(3):
        journal.answered("a", turn, "yes")
        path.rename(path.with_suffix(f".{turn}"))
    assert [journal.answer_to("a", turn) for turn in range(3)] == [None, None, "yes"]
    assert journal.has_begun(action())


def test_a_file_that_is_renamed_and_moved_away_is_followed_by_a_new_one(path: Path, tmp_path: Path) -> None:
    journal = Journal(path)
    journal.answered("a", 1, "yes")
    (tmp_path / "archive").mkdir()
    path.rename(tmp_path / "archive" / "1")
    journal.answered("a", 2, "yes")
    assert journal.answer_to("a", 1) == "yes"
    assert len(Journal(path).entries()) == 1


FULL = """
import resource, sys
from thread_core.errors import BadJournal
from thread_core.walk.journal import Journal

path, size = sys.argv[1], int(sys.argv[2])
journal = Journal(path)
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, most))
try:
    journal.answered("a1", 2, "no")
except BadJournal as error:
    print(error)
print(journal.answer_to("a1", 2), open(path, "rb").read().count(b"\\n"))
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
journal.answered("a1", 2, "yes")
"""


def test_a_line_for_which_there_is_no_room_was_not_written(path: Path) -> None:
    Journal(path).answered("a1", 1, "yes")
    command = [sys.executable, "-c", FULL, str(path), str(path.stat().st_size)]
    told, state = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert told.startswith(f"the journal {path} cannot be used ([Errno 28] only 20 of")
    assert state == "None 1"
    assert [entry["answer"] for entry in Journal(path).entries()] == ["yes", "yes"]


def test_a_line_that_the_disk_did_not_take_was_not_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(descriptor: int) -> None:
        raise OSError("the disk is broken")

    journal = Journal(path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", broken)
        with pytest.raises(BadJournal, match="the disk is broken"):
            journal.begin(action("a"))
    assert Journal(path).entries() == []
    assert journal.begin(action("a")) is None


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadJournal, match="choose another file"):
        Journal(tmp_path / "missing" / "incident.jsonl")


def test_threads_share_it(journal: Journal) -> None:
    with ThreadPoolExecutor(8) as pool:
        begun = list(pool.map(lambda number: journal.begin(action(key=str(number % 10))), range(100)))
    assert begun.count(None) == 10
    assert len(journal.entries()) == 100


def _race(path: str, name: str, start: object, won: object) -> None:
    journal = Journal(path)
    start.wait()  # type: ignore[attr-defined]
    for turn in range(20):
        try:
            journal.answered("a", turn, name)
            won.put((name, "answer", turn))  # type: ignore[attr-defined]
        except AnsweredAlready:
            pass
        if journal.begin(action(key=str(turn))) is None:
            won.put((name, "key", turn))  # type: ignore[attr-defined]
    won.put(None)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_of_processes_at_once_one_wins_each_answer_and_each_key(path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    start, won = spawn.Barrier(2), spawn.Queue()
    racers = [spawn.Process(target=_race, args=(str(path), name, start, won)) for name in ("x", "y")]
    for racer in racers:
        racer.start()
    wins, ended = [], 0
    while ended < 2:
        found = won.get(timeout=60)
        ended += found is None
        wins += [found[1:]] if found else []
    for racer in racers:
        racer.join()
    assert sorted(wins) == sorted((what, turn) for what in ("answer", "key") for turn in range(20))
    events = [entry["event"] for entry in Journal(path).entries()]
    assert (events.count("answered"), events.count("begun"), events.count("repeated")) == (20, 20, 20)


def test_a_line_of_a_later_form_is_refused_and_left(path: Path) -> None:
    Journal(path).begin(action())
    path.write_bytes(path.read_bytes() + b'{"at": "now", "event": "paid", "form": 2}\n')
    before = path.read_bytes()
    with pytest.raises(
        BadJournal, match=r"line 2 has format 2, but this release reads format 1; continue with the release"
    ):
        Journal(path)
    assert path.read_bytes() == before
