"""How allowed commands are run: with what, for how long, and what is said and recorded of them."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.thread_core.actions import action
from tests.thread_core.executors.programs import Programs
from thread_core.executors import Allow, Among, CommandExecutor, Matching
from thread_core.walk.execution import Outcome, OutcomeKind, perform
from thread_core.walk.journal import Journal

ANY = Matching(".*")


def free(name: str) -> Allow:
    """Anything goes, unasked."""
    return Allow(name, rest=ANY, ask=False)


def observed(text: str) -> Outcome:
    return Outcome(kind=OutcomeKind.OBSERVED, text=text)


def test_words_reach_the_program_as_they_are(programs: Programs) -> None:
    programs.add("pumpctl", 'for word in "$@"; do echo "<$word>"; done')
    executor = CommandExecutor([free("pumpctl")])
    assert executor.run(action("pumpctl free 'a  b' '*' \"c;d\" '$HOME'")) == observed(
        "<free>\n<a  b>\n<*>\n<c;d>\n<$HOME>"
    )
    assert programs.started == ["pumpctl free a  b * c;d $HOME"]


def test_a_program_gets_an_environment_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "s3cret")
    monkeypatch.setenv("REGION", "north")
    executor = CommandExecutor([free("env")], environment=["REGION", "NOT_SET"])
    lines = executor.run(action("env")).text.splitlines()
    assert sorted(line.split("=")[0] for line in lines) == ["LC_ALL", "PATH", "REGION"]


@pytest.fixture
def typed() -> Iterator[None]:
    """Has something to be read where this process reads."""
    ours, (reading, writing) = os.dup(0), os.pipe()
    os.write(writing, b"yes\n")
    os.close(writing)
    os.dup2(reading, 0)
    yield
    os.dup2(ours, 0)
    os.close(ours)
    os.close(reading)


@pytest.mark.usefixtures("typed")
def test_it_runs_in_a_folder_and_reads_nothing(tmp_path: Path) -> None:
    executor = CommandExecutor([free("pwd"), free("cat")], folder=tmp_path)
    assert executor.run(action("pwd")).text == str(tmp_path.resolve())
    assert executor.run(action("cat")) == observed("`cat` ended with exit code 0.")


def test_a_failure_is_told_with_what_was_printed(programs: Programs) -> None:
    programs.add("pumpctl", "echo stuck; echo really >&2; exit 3")
    failed = Outcome(kind=OutcomeKind.FAILED, text="`pumpctl` ended with exit code 3.\nstuck\nreally")
    assert CommandExecutor([free("pumpctl")]).run(action("pumpctl")) == failed


def test_commands_are_run_up_to_the_first_that_fails(programs: Programs) -> None:
    for name in ("first", "third"):
        programs.add(name, f"echo {name} ran")
    programs.add("second", "exit 1")
    executor = CommandExecutor([free("first"), free("second"), free("third")])
    assert executor.run(action("first", "second", "third")) == Outcome(
        kind=OutcomeKind.FAILED,
        text="`first` ended with exit code 0.\nfirst ran\n\n`second` ended with exit code 1.\n\n"
        "`third` was not started.",
    )
    assert programs.started == ["first ", "second "]
    assert executor.run(action("first", "third")).text == (
        "`first` ended with exit code 0.\nfirst ran\n\n`third` ended with exit code 0.\nthird ran"
    )


def test_where_one_command_is_refused_none_is_run(programs: Programs) -> None:
    programs.add("pumpctl")
    executor = CommandExecutor([free("pumpctl")])
    assert executor.run(action("pumpctl start", "reboot")) == Outcome(
        kind=OutcomeKind.HANDED, text="Not run: `reboot`: no rule allows the program 'reboot'."
    )
    assert executor.run(action()) == Outcome(kind=OutcomeKind.HANDED)
    assert programs.started == []


def test_without_the_value_of_a_parameter_nothing_is_run(programs: Programs) -> None:
    programs.add("pumpctl")
    outcome = CommandExecutor([free("pumpctl")]).run(action("pumpctl free ROTOR", missing=("ROTOR",)))
    assert outcome == Outcome(
        kind=OutcomeKind.HANDED, text="Not run: `pumpctl free ROTOR`: the value of ROTOR is not known."
    )
    assert programs.started == []


def test_the_reasons_of_all_rules_for_a_program_are_told(programs: Programs) -> None:
    programs.add("pumpctl")
    executor = CommandExecutor([Allow("pumpctl", ("start",)), Allow("pumpctl", ("free", Among("a")))])
    assert executor.run(action("pumpctl stop")).text == (
        "Not run: `pumpctl stop`: found 'stop', expected 'start'; or found 'stop', expected 'free'."
    )


def test_a_person_is_asked_and_approves_these_words_alone(programs: Programs) -> None:
    programs.add("pumpctl", "echo ok")
    executor = CommandExecutor([Allow("pumpctl", rest=ANY)], folder=programs.folder)
    asked = executor.run(action("pumpctl  free  'a b'", "pumpctl start"))
    assert asked == Outcome(
        kind=OutcomeKind.APPROVAL,
        text=f"Run this in {programs.folder}?\n\n    pumpctl free 'a b'\n    pumpctl start",
    )
    approved = action("pumpctl start").digest
    for other in (
        action("pumpctl stop", approved=approved),
        action("pumpctl start", "pumpctl start", approved=approved),
        action("pumpctl start", approved=approved, unit_id="another"),
        action("pumpctl start", approved=approved, parameters={"<rotor>": "3"}),
        action("pumpctl start", approved=approved[:-1]),
    ):
        assert executor.run(other).kind is OutcomeKind.APPROVAL
    assert programs.started == []
    assert executor.run(action("pumpctl start", approved=approved)) == observed("ok")
    assert programs.started == ["pumpctl start"]


def test_one_command_that_is_asked_about_holds_back_all(programs: Programs) -> None:
    programs.add("pumpctl")
    executor = CommandExecutor([Allow("pumpctl", ("status",), ask=False), Allow("pumpctl", ("start",))])
    assert executor.run(action("pumpctl status", "pumpctl start")).kind is OutcomeKind.APPROVAL
    assert programs.started == []


def test_a_dry_run_says_what_would_be_run(programs: Programs) -> None:
    programs.add("pumpctl")
    journal = Journal()
    executor = CommandExecutor([free("pumpctl")], dry_run=True, journal=journal)
    assert executor.run(action("pumpctl start")) == Outcome(
        kind=OutcomeKind.HANDED, text="Not run: this is a dry run:\n\n    pumpctl start"
    )
    assert [(entry["event"], entry["commands"]) for entry in journal.entries()] == [("not run", [["pumpctl", "start"]])]
    assert programs.started == []


def test_output_is_kept_up_to_a_limit_and_without_what_a_terminal_acts_upon(programs: Programs) -> None:
    programs.add("pumpctl", "head -c 1000000 /dev/zero | tr '\\0' x; printf '\\033[31mred\\033[0m\\a\\tend'")
    text = CommandExecutor([free("pumpctl")], output=30).run(action("pumpctl")).text
    assert text == "(999,987 bytes before this are omitted)\n...xxxxxxxxxxxxxxxxxxxxxxxred\tend"


@pytest.fixture
def held(programs: Programs) -> Iterator[Callable[[float], bool]]:
    """Whether a program that opened `fifo` for writing, or one that it started, still runs after some seconds."""
    fifo = programs.folder / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    watch = select.poll()
    watch.register(reader)
    yield lambda seconds: not watch.poll(1000 * seconds)
    os.close(reader)


@pytest.mark.slow
def test_what_takes_too_long_is_killed_with_all_that_it_started(
    programs: Programs, held: Callable[[float], bool]
) -> None:
    programs.add("pumpctl", f"exec 3> {programs.folder}/fifo; echo stuck; sleep 600 & wait")
    outcome = CommandExecutor([free("pumpctl")], timeout=1).run(action("pumpctl"))
    assert outcome == Outcome(
        kind=OutcomeKind.UNCERTAIN,
        text="`pumpctl` was stopped after 1 s before it ended; it may have done a part.\nstuck",
    )
    assert not held(30)


def test_nothing_is_left_running_when_somebody_interrupts(programs: Programs, held: Callable[[float], bool]) -> None:
    programs.add("pumpctl", f"exec 3> {programs.folder}/fifo; sleep 0.5; kill -INT $PPID; sleep 600")
    with pytest.raises(KeyboardInterrupt):
        CommandExecutor([free("pumpctl")]).run(action("pumpctl"))
    assert not held(30)


@pytest.mark.slow
def test_what_a_program_leaves_running_on_purpose_is_left(programs: Programs, held: Callable[[float], bool]) -> None:
    programs.add("pumpctl", f"exec 3> {programs.folder}/fifo; sleep 600 & echo $!")
    left = CommandExecutor([free("pumpctl")]).run(action("pumpctl"))
    assert left.kind is OutcomeKind.OBSERVED
    assert held(0)
    os.kill(int(left.text), signal.SIGKILL)
    assert not held(30)


def test_a_program_that_cannot_be_started_is_a_failure(programs: Programs) -> None:
    programs.add("pumpctl")
    executor = CommandExecutor([free("pumpctl")])
    (programs.folder / "bin" / "pumpctl").write_text("#!/not/there\n")
    outcome = executor.run(action("pumpctl"))
    assert outcome.kind is OutcomeKind.FAILED
    assert outcome.text.startswith("`pumpctl` could not be started (")


def test_what_is_tried_is_recorded(programs: Programs) -> None:
    programs.add("pumpctl", "exit 2")
    journal = Journal(programs.folder / "incident.jsonl")
    executor = CommandExecutor([Allow("pumpctl", ("start",))], folder=programs.folder, journal=journal)
    asked = action("pumpctl start")
    perform(executor, action("pumpctl stop"), journal)
    perform(executor, asked, journal)
    perform(executor, action("pumpctl start", approved=asked.digest), journal)
    entries = journal.entries()
    assert [entry["event"] for entry in entries] == [
        *("begun", "refused", "finished"),
        *("begun", "asked", "finished"),
        *("begun", "started", "ended", "finished"),
    ]
    assert {entry["key"] for entry in entries} == {"key"}
    assert entries[1]["command"] == "pumpctl stop"
    assert entries[1]["reason"] == "found 'stop', expected 'start'"
    assert (entries[4]["commands"], entries[4]["digest"]) == ([["pumpctl", "start"]], asked.digest)
    assert entries[7]["words"] == ["pumpctl", "start"]
    assert entries[7]["program"] == str(programs.folder / "bin" / "pumpctl")
    assert (entries[8]["how"], entries[8]["seconds"] >= 0) == ("ended with exit code 2", True)


def test_programs_are_looked_up_once_and_not_where_they_are_run(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.add("pumpctl", "echo first")
    executor = CommandExecutor([free("pumpctl")])
    programs.add("onlyhere")
    (programs.folder / "bin" / "tool.bat").touch(mode=0o755)
    monkeypatch.setenv("PATH", ":.:relative:/usr/bin:/bin")
    monkeypatch.chdir(programs.folder / "bin")
    assert executor.run(action("pumpctl")).text == "first"
    for name in ("onlyhere", "./onlyhere", "bin/onlyhere", "../onlyhere", "not-there-at-all", ""):
        with pytest.raises(ValueError, match="no program"):
            CommandExecutor([free(name)])
    with pytest.raises(ValueError, match="is run by a shell"):
        CommandExecutor([free(str(programs.folder / "bin" / "tool.bat"))])


def test_wrong_limits_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected a folder"):
        CommandExecutor([], folder=tmp_path / "missing")
    with pytest.raises(ValueError, match="found 0 seconds and 1 bytes"):
        CommandExecutor([], timeout=0, output=1)


KILLED = """
import sys
from tests.thread_core.actions import action
from thread_core.walk.execution import perform
from thread_core.executors import Allow, CommandExecutor
from thread_core.walk.journal import Journal
journal = Journal(sys.argv[1])
perform(CommandExecutor([Allow("fatal", ask=False)], journal=journal), action("fatal"), journal)
"""


@pytest.mark.slow
def test_a_command_whose_process_was_killed_is_not_run_again(programs: Programs) -> None:
    programs.add("fatal", "kill -9 $PPID")
    path = programs.folder / "incident.jsonl"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -9
    journal = Journal(path)
    executor = CommandExecutor([Allow("fatal", ask=False)], journal=journal)
    assert perform(executor, action("fatal"), journal).kind is OutcomeKind.UNCERTAIN
    assert programs.started == ["fatal "]
    assert [entry["event"] for entry in journal.entries()] == ["begun", "started", "repeated"]
