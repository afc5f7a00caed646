"""`thread-rag ingest` again and again: what is gone, who is first, what a report says, and being told to stop."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree, rmtree

import pytest
from rich.console import Console

from tests.programs import Programs
from tests.thread_chroma.conftest import Server
from tests.thread_rag.test_cli import call, held, line_of
from thread_core.ingest import IngestReport, Ledger, Progress
from thread_core.linking import LinkState
from thread_core.ports import Usage
from thread_rag.summary import a_bar
from thread_rag.walking import stdin_is_terminal

ROOT = Path(__file__).parents[2]
RUN = [sys.executable, "-m", "thread_rag"]


@pytest.fixture
def taken(guides: Path, store: Path) -> Path:
    """A store of the guides, of which one file is gone since."""
    assert call("ingest", guides, "--store", store).exit_code == 0
    (guides / "volume.md").unlink()
    return store


def test_documents_that_are_not_english_are_counted_in_one_line(guides: Path, store: Path) -> None:
    for name in ("pumpe", "pompe"):
        (guides / f"{name}.md").write_text("# Pumpe\n\nÖffnen Sie das Ventil und warten Sie, bis die Lampe leuchtet.\n")
    said = call("ingest", guides, "--store", store).stdout
    assert "note: 2 documents (pompe.md, pumpe.md) not in English: only the structure was read" in said
    assert said.count("English") == 1


def test_what_is_gone_stays_and_is_told(guides: Path, taken: Path) -> None:
    result = call("ingest", guides, "--store", taken)
    assert result.exit_code == 0
    assert (
        "note: the files of 1 document (volume.md) are gone; --prune removes the documents from the store"
        in result.stdout
    )
    assert set(held(taken)) == {"disk.md", "volume.md"}


def test_prune_removes_what_is_gone_and_says_how_many_first(guides: Path, taken: Path) -> None:
    result = call("ingest", guides, "--store", taken, "--prune")
    assert result.exit_code == 0
    assert result.stdout.startswith("The files of 1 document (volume.md) are gone.\n")
    assert line_of(result, "Documents") == "0 ingested, 1 unchanged, 1 removed"
    assert "newly dangling: disk.md:" in result.stdout
    assert set(held(taken)) == {"disk.md"}
    assert "gone" not in call("ingest", guides, "--store", taken, "--prune").stdout


@pytest.mark.parametrize(
    ("options", "said", "left"),
    [((), "n\n", {"disk.md", "volume.md"}), ((), "y\n", {"disk.md"}), (("--yes",), "", {"disk.md"})],
)
def test_in_a_terminal_it_asks_first(
    options: tuple[str, ...],
    said: str,
    left: set[str],
    guides: Path,
    taken: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("thread_rag.walking.stdin_is_terminal", lambda: True)
    result = call("ingest", guides, "--store", taken, "--prune", *options, said=said)
    assert ("Remove them from the store? [y/N]" in result.stdout) == (not options)
    assert set(held(taken)) == left
    assert ("--prune removes the documents" in result.stdout) == (said == "n\n")


def test_what_has_come_back_while_it_asked_stays(guides: Path, taken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def confirm(*asked: object, **options: object) -> bool:
        (guides / "volume.md").write_text("# Volume\n\n1. Grow it.\n")
        return True

    monkeypatch.setattr("thread_rag.walking.stdin_is_terminal", lambda: True)
    monkeypatch.setattr("typer.confirm", confirm)
    assert line_of(call("ingest", guides, "--store", taken, "--prune"), "Documents") == "0 ingested, 1 unchanged"
    assert set(held(taken)) == {"disk.md", "volume.md"}


def test_each_folder_knows_what_it_brought(guides: Path, tmp_path: Path, store: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "wheel.md").write_text("# Wheel\n\n1. Look at [the disk](disk.md).\n")
    (more / "oil.md").write_text("# Oil\n\n1. Buy oil.\n")
    both = call("ingest", guides, more, "--store", store)
    assert line_of(both, "Links") == "2 resolved, 0 moved, 1 dangling, 0 ambiguous, 0 outside"
    (more / "oil.md").unlink()
    (guides / "volume.md").unlink()
    call("ingest", guides, "--store", store, "--prune")
    assert set(held(store)) == {"disk.md", "wheel.md", "oil.md"}
    call("ingest", more, guides, "--store", store, "--prune")
    assert set(held(store)) == {"disk.md", "wheel.md"}


def test_a_file_that_went_to_another_folder_is_not_gone(guides: Path, tmp_path: Path, store: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    (more / "wheel.md").write_text("# Wheel\n\n1. Turn it.\n")
    call("ingest", guides, more, "--store", store)
    (guides / "volume.md").rename(more / "volume.md")
    result = call("ingest", guides, more, "--store", store, "--prune")
    assert line_of(result, "Documents") == "0 ingested, 3 unchanged"


def test_a_file_does_not_take_the_place_of_another_folders(guides: Path, tmp_path: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    before = held(store)
    more = tmp_path / "more"
    more.mkdir()
    (more / "volume.md").write_text("# Volume\n\n1. Turn it down.\n")
    (more / "wheel.md").write_text("# Wheel\n\n1. Turn it.\n")
    result = call("ingest", more, "--store", store)
    assert (result.exit_code, line_of(result, "Documents")) == (3, "1 ingested, 1 failed")
    assert "volume.md: the store already has a different document with this id" in result.stdout
    assert held(store) == [*before, "wheel.md"]
    (guides / "volume.md").unlink()
    assert line_of(call("ingest", more, "--store", store), "Documents") == "1 ingested, 1 unchanged"


def test_a_renamed_folder_goes_on_where_it_was(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    before = held(store)
    renamed = guides.rename(guides.with_name("manuals"))
    (renamed / "volume.md").write_text("# Volume\n\n1. Turn it down.\n")
    result = call("ingest", renamed, "--store", store)
    assert (result.exit_code, line_of(result, "Documents")) == (0, "1 ingested, 1 unchanged")
    assert set(held(store)) == set(before)


def test_a_copy_of_a_folder_may_differ_once_the_folder_is_gone(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    copied = copytree(guides, guides.with_name("copied"))
    (copied / "volume.md").write_text("# Volume\n\n1. Turn it down.\n")
    result = call("ingest", copied, "--store", store)
    assert (result.exit_code, line_of(result, "Documents")) == (3, "0 ingested, 1 unchanged, 1 failed")
    assert "Nothing changed: the store already has 1 of these documents." in result.stdout
    rmtree(guides)
    assert line_of(call("ingest", copied, "--store", store), "Documents") == "1 ingested, 1 unchanged"


@pytest.mark.parametrize(
    ("before", "named"), [("guides", "guides/volume.md"), ("guides/volume.md", "guides"), ("guides/*.md", "guides")]
)
def test_an_edited_file_is_taken_in_however_it_is_named(before: str, named: str, guides: Path, store: Path) -> None:
    call("ingest", guides.parent / before, "--store", store)
    (guides / "volume.md").write_text("# Volume\n\n1. Turn it down.\n")
    assert call("ingest", guides.parent / named, "--store", store).exit_code == 0


def test_a_file_that_cannot_be_read_is_not_gone(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    (guides / "volume.md").write_bytes(b"\0")
    result = call("ingest", guides, "--store", store, "--prune")
    assert (result.exit_code, line_of(result, "Documents")) == (3, "0 ingested, 1 unchanged, 1 failed")
    assert set(held(store)) == {"disk.md", "volume.md"}


def test_a_folder_that_cannot_be_listed_is_not_gone(guides: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (guides / "deep").mkdir()
    (guides / "deep" / "wheel.md").write_text("# Wheel\n\n1. Turn it.\n")
    call("ingest", guides, "--store", store)

    def scandir(path: Path) -> object:
        if Path(path).name == "deep":
            raise PermissionError(13, "Permission denied")
        return listing(path)

    listing = os.scandir
    monkeypatch.setattr("os.scandir", scandir)
    result = call("ingest", guides, "--store", store, "--prune")
    assert (result.exit_code, "failed: deep/: cannot be listed" in result.stdout) == (3, True)
    assert "deep/wheel.md" in held(store)


def test_a_name_that_is_not_utf_8_or_too_long_fails_alone_and_one_with_control_characters_is_taken_in(
    guides: Path, store: Path, tmp_path: Path
) -> None:
    for name in (b"caf\xe9.md", b"caf\xe8.md", b"d\xe9/a.md", b"new\nline.md", b"esc\x1b[31m.md", b"other.m\xe9"):
        path = Path(os.fsdecode(os.fsencode(guides) + b"/" + name))
        path.parent.mkdir(exist_ok=True)
        path.write_text("# Lamp\n\n1. Turn it.\n")
    result = call("ingest", guides, "--store", store, "--report", tmp_path / "report.json")
    report = IngestReport.model_validate_json((tmp_path / "report.json").read_text())
    assert (result.exit_code, result.stdout.count("\x1b")) == (3, 0)
    assert [one.document_id for one in report.failures] == [r"caf\xe8.md", r"caf\xe9.md", r"d\xe9/a.md"]
    assert {one.reason for one in report.failures} == {
        "has a name that is not UTF-8; rename it, or use a UTF-8 locale (LC_ALL=C.UTF-8)"
    }
    assert set(held(store)) == {"disk.md", "volume.md", "new\nline.md", "esc\x1b[31m.md"}
    assert call("text", os.fsdecode(os.fsencode(guides) + b"/caf\xe9.md")).stdout.startswith("1  # Lamp")


def test_an_empty_file_is_no_failure_until_the_store_holds_what_it_was(
    guides: Path, store: Path, tmp_path: Path
) -> None:
    def run(*options: str) -> tuple[int, IngestReport]:
        result = call("ingest", guides, "--store", store, "--report", tmp_path / "report.json", *options)
        return result.exit_code, IngestReport.model_validate_json((tmp_path / "report.json").read_text())

    (guides / "later.md").write_bytes(b"\xef\xbb\xbf\n")
    code, report = run()
    assert (code, report.ok, report.empty, report.vanished) == (0, True, ("later.md",), ())
    (guides / "volume.md").write_text("\n")
    code, report = run("--prune")
    assert (code, report.ok, report.unchanged, report.empty) == (3, False, 1, ("later.md",))
    assert str(report.failures[0]).startswith("volume.md: is empty now; its old units stay")
    assert set(held(store)) == {"disk.md", "volume.md"}
    (guides / "volume.md").unlink()
    code, report = run("--prune")
    assert (code, report.ok, set(held(store))) == (0, True, {"disk.md"})


# -- the report ----------------------------------------------------------------------------------------------------


def test_the_report_is_written_as_json_and_says_when_and_where_and_whether_all_is_well(
    guides: Path, store: Path, tmp_path: Path
) -> None:
    file = tmp_path / "report.json"
    call("ingest", guides, "--store", store, "--report", file)
    report = IngestReport.model_validate_json(file.read_text())
    assert (report.ok, report.store, datetime.fromisoformat(report.at).tzinfo) == (True, str(store), UTC)
    (guides / "volume.md").unlink()
    (guides / "bad.md").write_bytes(b"\0")
    assert call("ingest", guides, "--store", store, "--prune", "--report", file).exit_code == 3
    report = IngestReport.model_validate_json(file.read_text())
    assert (report.ok, report.unchanged, report.pruned, report.vanished) == (False, 1, ("volume.md",), ())
    assert [failure.document_id for failure in report.failures] == ["bad.md"]
    assert [broken.unit.document_id for broken in report.newly_dangling] == ["disk.md"]
    assert (report.links, list(report.broken)) == ({LinkState.DANGLING: 1}, list(report.newly_dangling))
    assert [file.name for file in tmp_path.glob("report*")] == ["report.json"]


def test_a_failure_leaves_no_report_of_an_earlier_success(guides: Path, store: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    call("ingest", guides, "--store", store, "--report", file)
    (store / "words.sqlite3").write_bytes(b"broken" * 1000)
    for path, why in ((guides, "cannot be used"), (tmp_path / "nowhere", "nowhere")):
        file.write_text(IngestReport(ok=True).model_dump_json())
        assert call("ingest", path, "--store", store, "--report", file).exit_code == 1
        report = IngestReport.model_validate_json(file.read_text())
        assert (report.ok, report.store, why in report.stopped) == (False, str(store), True)


def test_links_that_lead_nowhere_fail_a_strict_run(guides: Path, store: Path) -> None:
    run = ("ingest", guides, "--store", store)
    assert [call(*run).exit_code, call(*run, "--strict").exit_code] == [0, 3]
    (guides / "volume.md").write_text("# Extend the volume\n\nAsk the storage team for 10 GB.\n")
    assert call(*run, "--strict").exit_code == 0


def test_the_report_alone_goes_to_a_pipe(guides: Path, store: Path) -> None:
    result = call("ingest", guides, "--store", store, "--report", "-")
    assert json.loads(result.stdout)["added"] > 0
    assert "Documents" in result.stderr


def test_the_report_of_nothing_says_why(tmp_path: Path, store: Path) -> None:
    (tmp_path / "→.md").write_bytes(b"\0")
    result = call("ingest", tmp_path / "→.md", "--store", store, "--report", "-")
    assert (result.exit_code, json.loads(result.stdout)["failures"][0]["document_id"]) == (1, "→.md")
    assert "→.md" in result.stdout


def test_a_report_that_cannot_be_written_is_told(guides: Path, store: Path, tmp_path: Path) -> None:
    result = call("ingest", guides, "--store", store, "--report", tmp_path / "missing" / "report.json")
    assert result.exit_code == 1
    assert "report.json cannot be written (No such file or directory)" in result.stderr
    assert set(held(store)) == {"disk.md", "volume.md"}


# -- the bar -------------------------------------------------------------------------------------------------------


def test_the_bar_counts_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from thread_core.llm.costs import Price

    console = Console(force_terminal=True, width=110, _environ={})
    with a_bar(console, 1200, Price(1, 10)) as shown:
        shown(Progress(documents=300, units=4000, written=3900, usage=Usage(calls=3, prompt_tokens=900)))
    printed = capsys.readouterr().out
    assert "300/1,200 documents, 4,000 units, 3,900 written, 900 tokens, cost 0.0009" in printed


def test_no_bar_is_shown_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    with a_bar(Console(), 5) as shown:
        shown(Progress(documents=5))
    assert capsys.readouterr().out == ""
    assert not stdin_is_terminal()


# -- others, and being told to stop ----------------------------------------------------------------------------------


def test_of_two_ingests_the_second_says_who_is_first(guides: Path, taken: Path) -> None:
    version = (taken / "chroma.sqlite3").stat().st_mtime_ns
    with Ledger(taken / "ledger.sqlite3").alone_with(object(), 0):
        result = call("ingest", guides, "--store", taken)
        waited = call("ingest", guides, "--store", taken, "--wait", "0.2")
    assert (result.exit_code, result.stdout, waited.exit_code) == (1, "", 1)
    assert f"error: another ingest is writing to this store (process {os.getpid()} on " in result.stderr
    assert "(--wait SECONDS)" in result.stderr
    assert waited.stdout.startswith("waiting up to 0.2 s: another ingest is writing to this store (process ")
    assert (taken / "chroma.sqlite3").stat().st_mtime_ns == version


HOLD = """
import sys
from thread_core.ingest import Ledger
with Ledger(sys.argv[1]).alone_with(object(), 0):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.slow
def test_an_ingest_waits_for_another_process(guides: Path, taken: Path) -> None:
    first = [sys.executable, "-c", HOLD, str(taken / "ledger.sqlite3")]
    second = [*RUN, "ingest", str(guides), "--store", str(taken), "--wait", "60"]
    with (
        subprocess.Popen(first, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as holder,
        subprocess.Popen(second, stdout=subprocess.PIPE, text=True, cwd=ROOT) as waiting,
    ):
        assert holder.stdout and holder.stdin and waiting.stdout
        # Whichever comes first; the ingest takes its time to start.
        assert holder.stdout.readline() == "held\n"
        assert f"process {holder.pid} on" in waiting.stdout.readline()
        holder.stdin.write("\n")
        holder.stdin.flush()
        assert "1 unchanged" in waiting.stdout.read()
    assert waiting.returncode == 0


INGEST = """
import sys
from thread_core.ingest import ledger
from thread_rag.cli import main

def settle(self, *words, **named):
    print("writing", flush=True)
    sys.stdin.readline()
    return settled(self, *words, **named)

settled = ledger.Ledger.settle
ledger.Ledger.settle = settle
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_told_to_stop_it_says_how_to_go_on(number: signal.Signals, code: int, guides: Path, store: Path) -> None:
    command = [sys.executable, "-c", INGEST, "ingest", str(guides), "--store", str(store)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, cwd=ROOT, **pipes) as process:  # type: ignore[call-overload]
        assert process.stdout.readline() == "writing\n"
        process.send_signal(number)
        assert process.stderr.read() == "stopped; run the same command again to continue\n"
    assert process.returncode == code
    again = call("ingest", guides, "--store", store)
    assert again.exit_code == 0
    assert again.stdout.count("recovered: ") == 2
    assert "Nothing changed" in again.stdout
    assert line_of(call("ingest", guides, "--store", store), "Documents") == "0 ingested, 2 unchanged"


@pytest.mark.slow
def test_several_processes_make_the_same_store(guides: Path, store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for place, workers in ((store, "1"), (other, "2")):
        command = [*RUN, "ingest", str(guides), "--store", str(place), "--workers", workers]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    assert call("export", "-", "--store", store).stdout == call("export", "-", "--store", other).stdout


# -- what may be broken ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "said", "done"),
    [
        ("ledger.sqlite3", "delete it: only the memory of what is unchanged", "Nothing changed"),
        ("words.sqlite3", "delete it: it is rebuilt from the store", "Nothing changed"),
        ("chroma.sqlite3", "delete chroma.sqlite3 and the folders beside it", "Units: 2 added, 0 moved, 0 rem"),
    ],
)
def test_a_damaged_file_is_told_in_one_line_and_the_next_run_repairs(
    file: str, said: str, done: str, guides: Path, taken: Path, programs: Programs
) -> None:
    (taken / file).write_bytes(b"broken" * 1000)
    for ending in ("-wal", "-shm"):
        (taken / f"{file}{ending}").unlink(missing_ok=True)
    command = ["-m", "thread_rag", "ingest", str(guides), "--store", str(taken)]
    refused = programs.run(*command)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    assert refused.stderr.startswith("error: ") and said in refused.stderr
    (taken / file).unlink()
    if file == "chroma.sqlite3":
        for folder in (path for path in taken.iterdir() if path.is_dir()):
            rmtree(folder)
    repaired = programs.run(*command)
    assert (repaired.returncode, repaired.stderr, done in repaired.stdout) == (0, "", True)


FULL = """
import resource, sys
limit = int(sys.argv.pop(1))
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
from thread_rag.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("room", [50_000, 500_000])
def test_a_full_disk_is_told_in_one_line_and_the_next_run_goes_on(
    room: int, guides: Path, taken: Path, programs: Programs
) -> None:
    parts = (f"## Turn wheel {number}\n\nTurn wheel {number} {'slowly ' * 300}.\n" for number in range(200))
    (guides / "wheels.md").write_text("# Wheels\n\n" + "\n".join(parts))
    words = ["ingest", str(guides), "--store", str(taken)]
    full = programs.run("-c", FULL, str((taken / "chroma.sqlite3").stat().st_size + room), *words)
    assert (full.returncode, full.stdout, full.stderr.count("\n")) == (1, "", 1)
    assert full.stderr.startswith("error: ") and "disk" in full.stderr
    before = held(taken)
    assert "Units: 200 added, 0 moved, 0 removed." in call(*words).stdout
    assert Counter(held(taken)) == Counter([*before, *["wheels.md"] * 200])


def test_a_store_that_cannot_be_made_is_told(guides: Path) -> None:
    result = call("ingest", guides, "--store", "/proc/guides")
    assert (result.exit_code, result.stdout) == (1, "")
    assert (
        result.stderr == "error: /proc/guides cannot be created (No such file or directory); choose another directory\n"
    )


def test_a_server_is_named_by_its_address(guides: Path, store: Path) -> None:
    result = call("ingest", guides, "--store", store, "--server", "localhost")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "found 'localhost', expected the address of a Chroma server" in result.stderr


@pytest.mark.slow
@pytest.mark.enable_socket
def test_a_server_keeps_the_units_and_is_told_when_it_is_gone(
    guides: Path, store: Path, tmp_path: Path, programs: Programs
) -> None:
    server = Server(tmp_path / "served")

    def run(*words: str, store: Path = store) -> subprocess.CompletedProcess[str]:
        return programs.run("-m", "thread_rag", *words, "--store", str(store), "--server", server.url, said="quit\n")

    server.start()
    try:
        assert "2 ingested" in run("ingest", str(guides)).stdout
        assert "Nothing changed" in run("ingest", str(guides)).stdout
        assert not (store / "chroma.sqlite3").exists()
        assert "disk.md:" in run("ask", "the disk is full").stdout
        assert run("show", "disk.md").stdout.startswith("Disk full: disk.md, ")
        assert '"document_id": "disk.md"' in run("export", "-").stdout
        nowhere = run("ask", "the disk is full", store=guides / "disk.md" / "store")
        assert ("disk.md:" in nowhere.stdout, nowhere.stderr.count("note: ")) == (True, 1)
    finally:
        server.kill()
    for words in (("ingest", str(guides)), ("ask", "the disk is full"), ("export", "-")):
        gone = run(*words)
        assert (gone.returncode, gone.stdout, gone.stderr.count("\n")) == (1, "", 1)
        assert gone.stderr.startswith("error: ") and "chroma run" in gone.stderr
