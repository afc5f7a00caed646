import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from thread_chroma import ChromaUnitStore, open_store
from thread_core import LogicUnit
from thread_core.ports import Where, rows_of
from thread_core.retrieval.terminology import CANDIDATES
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.testing.store_suite import a_unit
from thread_core.walk.rendering import Turn
from thread_core.walk.state import SessionState
from thread_core.walk.states import Status
from thread_rag.cli import app, main
from thread_rag.walking import HELP

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
NO_NAME = "x" * 300


def call(*words: str | Path | int, said: str = "") -> Result:
    result = CliRunner().invoke(app, [str(word) for word in words], input=said)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def held(store: Path) -> list[str]:
    opened = open_store(store)
    return sorted(unit.document_id for unit in opened.get(opened.ids()))


def line_of(result: Result, name: str) -> str:
    return next(line for line in result.stdout.splitlines() if line.startswith(name)).split(maxsplit=1)[1].strip()


# -- ingest --------------------------------------------------------------------------------------------------------


def test_ingest_tells_what_it_took_in(guides: Path, store: Path) -> None:
    result = call("ingest", guides, "--store", store)
    assert (result.exit_code, result.stderr) == (0, "")
    assert line_of(result, "Documents") == "2 ingested"
    assert line_of(result, "Lines covered").endswith("100.0% of 16")
    assert line_of(result, "Code blocks").endswith("2 of 2 whole")
    assert line_of(result, "Links") == "1 resolved, 0 moved, 1 dangling, 0 ambiguous, 0 outside"
    assert "dangling: volume.md:3: forms/storage.md leads to a document that is not in this store" in result.stdout
    assert " added, 0 moved, 0 removed." in result.stdout


def test_ingest_tells_what_was_more_than_a_unit_holds(tmp_path: Path, store: Path) -> None:
    (tmp_path / "mill.md").write_text("\n".join(f"Oil wheel {at}." for at in range(900)) + f"\n{'Turn. ' * 900}\n")
    report = tmp_path / "report.json"
    result = call("ingest", tmp_path / "mill.md", "--store", store, "--report", report)
    assert line_of(result, "Oversized") == "1 split into several units, 1 of one line kept whole"
    spans = json.loads(report.read_text())["reports"][0]["too_large"]
    assert [(span["start"], span["end"]) for span in spans] == [(1, 901), (901, 901)]


def test_ingest_merges_on_demand_and_says_so(tmp_path: Path, store: Path) -> None:
    alike = "Open the console of the depot and sign in with your badge and the pin that the foreman gave you. " * 2
    long = "Turn the wheel and wait until the needle of its gauge stands still. " * 9
    (tmp_path / "send.md").write_text(f"# Send\n\n## Sign in\n\n{alike}\n\n## Start\n\n1. {long}\n\n2. {long}\n")
    (tmp_path / "back.md").write_text(f"# Take back\n\n## Sign in\n\n{alike}\n")
    paths = (tmp_path / "send.md", tmp_path / "back.md")
    plain = call("ingest", *paths, "--store", store)
    assert (line_of(plain, "Units"), "Merged" in plain.stdout) == ("4 (step 4)", False)
    merged = call("ingest", *paths, "--store", store, "--merge-chains", 400, "--merge-similar")
    assert (line_of(merged, "Units"), line_of(merged, "Merged")) == ("3 (step 3)", "4 units shown as 2")


def test_ingest_again_changes_nothing_and_says_so(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    before = [stored.unit for stored in rows_of(open_store(store), "disk.md")]
    version = open_store(store).version()
    again = call("ingest", guides, "--store", store)
    assert again.exit_code == 0
    assert "Nothing changed" in again.stdout
    assert line_of(again, "Documents") == "0 ingested, 2 unchanged"
    assert [stored.unit for stored in rows_of(open_store(store), "disk.md")] == before
    assert open_store(store).version() == version


def test_the_store_is_in_the_working_directory_by_default(guides: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(guides)
    assert call("ingest", ".").exit_code == 0
    assert set(held(guides / ".thread")) == {"disk.md", "volume.md"}
    assert "Nothing changed" in call("ingest", ".").stdout


def test_one_binary_file_does_not_keep_the_others_out(guides: Path, store: Path) -> None:
    (guides / "image.md").write_bytes(b"\x89PNG\0")
    result = call("ingest", guides, "--store", store)
    assert result.exit_code == 3
    assert "failed: image.md: is binary" in result.stdout
    assert set(held(store)) == {"disk.md", "volume.md"}


@pytest.mark.parametrize("data", [b"\x89PNG\0", b"", "# Größe".encode("latin-1")])
def test_nothing_is_made_when_nothing_can_be_read(tmp_path: Path, store: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    result = call("ingest", tmp_path / "a.md", "--store", store)
    assert result.exit_code == 1
    assert result.stdout.startswith("failed: a.md: is ")
    assert not store.exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("ingest FOLDER FOLDER/missing --store STORE", "FOLDER/missing does not exist; name a document or a folder of"),
        ("ingest FOLDER --store FOLDER/disk.md", "disk.md is a file"),
        (
            "ask disk --store STORE",
            "STORE does not exist; run `thread-rag ingest PATH --store STORE`, or choose another",
        ),
        (
            "show disk --store STORE",
            "STORE does not exist; run `thread-rag ingest PATH --store STORE`, or choose another",
        ),
        ("ask disk --session FOLDER", "FOLDER is a folder, expected a file"),
        ("text FOLDER", "guides: is a folder; name one of its files"),
        *(
            (f"{words} NO_NAME", "too long")
            for words in ("ingest", "ask disk --store", "show --store", "resume", "text")
        ),
        ("ingest FOLDER --store NO_NAME", "too long"),
    ],
)
def test_what_is_not_there_or_another_thing_is_told_in_one_line(
    command: str, said: str, guides: Path, store: Path
) -> None:
    def named(words: str) -> str:
        for name, path in (("FOLDER", guides), ("STORE", store), ("NO_NAME", NO_NAME)):
            words = words.replace(name, str(path))
        return words

    result = call(*map(named, command.split()))
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert result.stderr.startswith("error: ") and named(said) in result.stderr
    assert not store.exists()


def test_at_most_ten_broken_links_are_listed(tmp_path: Path, store: Path) -> None:
    steps = "".join(f"{number}. See [page {number}](gone-{number}.md).\n" for number in range(1, 14))
    (tmp_path / "a.md").write_text(f"# Many\n\n## Steps\n\n{steps}")
    result = call("ingest", tmp_path / "a.md", "--store", store)
    assert result.stdout.count("dangling: a.md:") == 10
    assert "and 3 more links" in result.stdout


def test_a_store_of_another_embedding_is_refused(guides: Path, store: Path) -> None:
    open_store(store, create=True).write([a_unit("Look")], [(0.0, 1.0)])
    version = open_store(store).version()
    for words in (("ingest", guides), ("ask", "disk full")):
        result = call(*words, "--store", store)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("error: the collection's vectors have 2 dimensions")
        assert result.stderr.count("\n") == 1
    assert open_store(store).version() == version


def test_ingest_keeps_the_words_beside_the_units(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    for _ in range(2):
        words = SqliteLexicalIndex(store / "words.sqlite3")
        assert (words.version(), [names.document_id for names in words.names()]) == (
            open_store(store).version(),
            ["disk.md", "volume.md"],
        )
        (guides / "disk.md").write_text("# Disk full\n\n1. Buy a larger one.\n")
        call("ingest", guides, "--store", store)
    assert [hit.document_id for hit in words.search("larger", 5)] == ["disk.md"]


def test_words_that_cannot_be_used_are_told_in_one_line(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    asked, shown = call("ask", "disk full", "--store", store), call("show", "disk.md", "--store", store)
    (store / "words.sqlite3").write_bytes(b"broken" * 1000)
    for words, without in ((("ask", "disk full"), asked), (("show", "disk.md"), shown)):
        result = call(*words, "--store", store)
        assert (result.exit_code, result.stdout) == (0, without.stdout), "they are made again"
        assert result.stderr.startswith("note: ") and result.stderr.count("\n") == 1
        assert "delete it: it is rebuilt from the store" in result.stderr
    refused = call("ingest", guides, "--store", store)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (1, "", 1)
    (store / "words.sqlite3").unlink()
    assert call("ask", "disk full", "--store", store).stderr == ""


# -- ask -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    store = tmp_path_factory.mktemp("examples") / "store"
    assert call("ingest", EXAMPLES, "--store", store).exit_code == 0
    return store


def test_ask_walks_by_lines_from_a_pipe(examples: Path) -> None:
    result = call("ask", "the disk of a node is full", "--store", examples, said="\nwhy\nback\nquit\nnever read\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "node-disk-pressure.md:" in result.stdout
    assert "> why" in result.stdout and "never read" not in result.stdout


@pytest.mark.parametrize("command", [("ask", "the disk of a node is full"), ("show", "node-disk-pressure.md")])
def test_no_command_reads_all_units_of_a_store_in_step(
    command: tuple[str, str], examples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(self: ChromaUnitStore, ids: Sequence[str], where: Where | None = None) -> list[LogicUnit]:
        assert len(ids) <= CANDIDATES  # what a glossary may hold
        return get(self, ids, where)

    get = ChromaUnitStore.get
    monkeypatch.setattr(ChromaUnitStore, "get", read)
    assert call(*command, "--store", examples).exit_code == 0


def test_a_program_reads_turns_one_a_line(examples: Path) -> None:
    result = call("ask", "the disk of a node is full", "--store", examples, "--json", said="I give up\nnever read\n")
    turns = [Turn.model_validate_json(line) for line in result.stdout.splitlines()]
    assert (result.exit_code, result.stderr) == (0, "")
    assert [turn.status for turn in turns] == [Status.AWAITING, Status.ESCALATED]


class NothingFits:
    state = SessionState()

    def __init__(self, library: Any, journal: Any) -> None: ...

    def start(self, question: str) -> Turn:
        return Turn(text="Nothing in this store fits.", status=Status.UNKNOWN)


def test_exit_codes_tell_that_nothing_fits_from_a_wrong_option(examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thread_core.walk.session.HowToSession", NothingFits)
    result = call("ask", "how do I bake bread", "--store", examples)
    assert result.exit_code == 4
    assert "Nothing in this store fits." in result.stdout
    assert call("ask", "bread", "--stoer", examples).exit_code == 2


def test_a_walk_that_is_kept_goes_on_in_another_process(examples: Path, tmp_path: Path) -> None:
    kept = tmp_path / "incident.json"
    asked = call("ask", "the disk of a node is full", "--store", examples, "--session", kept, said="next\nquit\n")
    resumed = call("resume", kept, "--store", examples, said="back\nquit\n")
    assert (asked.exit_code, resumed.exit_code) == (0, 0)
    first, second = asked.stdout.split(f"\n{HELP}\n")
    again, back = resumed.stdout.split(f"\n{HELP}\n")
    assert again.strip() == second.removeprefix("\n> next\n").removesuffix("\n> quit\n").strip()
    assert back.removeprefix("\n> back\n").removesuffix("\n> quit\n").strip() == first.strip()


def test_a_session_is_not_written_over(examples: Path, tmp_path: Path) -> None:
    kept = tmp_path / "incident.json"
    assert call("ask", "the disk of a node is full", "--store", examples, "--session", kept).exit_code == 0
    before = kept.read_bytes()
    result = call("ask", "bake a cake", "--store", examples, "--session", kept)
    assert (result.exit_code, kept.read_bytes()) == (1, before)
    assert f"{kept} holds a session; go on with `thread-rag resume {kept}`" in result.stderr


@pytest.mark.slow
def test_of_two_who_resume_one_session_the_second_is_told(examples: Path, tmp_path: Path) -> None:
    kept = tmp_path / "incident.json"
    call("ask", "the disk of a node is full", "--store", examples, "--session", kept)
    before = kept.read_text()
    assert call("resume", kept, "--store", examples, said="next\nquit\n").exit_code == 0
    after = kept.read_text()
    kept.write_text(before)
    result = call("resume", kept, "--store", examples, said="it is solved\nquit\n")
    assert result.exit_code == 1
    assert "has been answered already" in result.stderr
    assert (kept.read_text(), after) == (before, after)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "this is not a session"),
        ('{"version": 1}', "a session of version 1 cannot be resumed"),
        (None, "cannot be read (No such file or directory); expected a file written by `thread-rag ask --session`"),
    ],
)
def test_what_is_no_session_is_not_resumed(text: str | None, complaint: str, examples: Path, tmp_path: Path) -> None:
    kept = tmp_path / "incident.json"
    if text is not None:
        kept.write_text(text)
    result = call("resume", kept, "--store", examples)
    assert (result.exit_code, result.stdout, complaint in result.stderr) == (1, "", True)


@pytest.mark.parametrize("command", ["ask", "show"])
def test_an_empty_store_is_an_error(store: Path, command: str) -> None:
    open_store(store, create=True)
    result = call(command, "disk", "--store", store)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no logic units" in result.stderr


# -- show ----------------------------------------------------------------------------------------------------------


def test_show_lists_units_with_lines_and_links(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    result = call("show", "volume.md", "--store", store)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("Extend the volume: volume.md, ")
    assert "dangling: forms/storage.md is not a document in this store" in result.stdout
    assert "volume.md:3-4 Extend the volume" in call("show", "disk.md", "--store", store).stdout


def test_show_tells_what_would_be_run_and_why_no_more(tmp_path: Path) -> None:
    text = """\
# Disk full

## Look

1. Look at it:

   ```sh
   df -h
   ```

   - If it is full, go to step 2.
   - If it is not, close the alert.

2. Look for what fills it:

   ```sh
   du -s
   ```

## Free it

Run `rm -r /var/tmp/*` on the server.
"""
    (tmp_path / "disk.md").write_text(text)
    call("ingest", tmp_path / "disk.md", "--store", tmp_path / "store")
    result = call("show", "disk.md", "--commands", "--store", tmp_path / "store")
    assert [line for line in result.stdout.splitlines() if " to " in line] == [
        "  to run: df -h",
        "  to run: du -s",
        "  left to the person: it has no fenced block of shell code",
    ]


def test_conditions_that_no_link_has_are_seen(tmp_path: Path, store: Path) -> None:
    (tmp_path / "saw.md").write_text("# Saw\n\n1. Find out if the belt is torn.\n2. If it is red, go to step 1.\n")
    report = tmp_path / "report.json"
    result = call("ingest", tmp_path / "saw.md", "--store", store, "--report", report)
    assert line_of(result, "Conditions") == "1 of 2 linked; fewest in saw.md (1 of 2)"
    assert json.loads(report.read_text())["reports"][0]["unlinked"] == [3]
    shown = call("show", "saw.md", "--store", store).stdout
    assert "line 3, not linked: 1. Find out if the belt is torn.\n" in shown
    assert shown.count("not linked") == 1


def test_drawings_that_lead_nobody_are_seen(tmp_path: Path, store: Path) -> None:
    (tmp_path / "saw.md").write_text("# Saw\n\n1. Stop it.\n\n```mermaid\nsequenceDiagram\nA->>B: Hi\n```\n")
    report = tmp_path / "report.json"
    result = call("ingest", tmp_path / "saw.md", "--store", store, "--report", report)
    assert line_of(result, "Drawings") == "1 not read as a procedure: saw.md:5-8"
    unread = json.loads(report.read_text())["reports"][0]["unread"]
    assert unread == [{"document_id": "saw.md", "start": 5, "end": 8}]


def test_files_of_other_kinds_are_counted(guides: Path, store: Path) -> None:
    for name in ("a.odt", "b.ODT", "c.png", "d.adoc", "README", ".hidden"):
        (guides / name).write_text("x")
    (guides / ".gitignore").write_text("*.png\n")
    report = guides.parent / "report.json"
    result = call("ingest", guides, "--store", store, "--report", report)
    assert "note: skipped files of other kinds: .odt 2, no ending 1, .adoc 1\n" in result.stdout
    assert (
        "note: convert AsciiDoc to Markdown, with `pandoc -f asciidoc -t gfm` (version 3.9 or later)\n" in result.stdout
    )
    assert json.loads(report.read_text())["other_files"] == {".odt": 2, "": 1, ".adoc": 1}
    assert "other kinds" not in call("ingest", guides / "*.md", "--store", store).stdout


def test_show_without_a_document_lists_them(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    result = call("show", "--store", store)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "disk.md\nvolume.md\n", "")
    refused = call("show", "--json", "--store", store)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "thread-rag export -" in refused.stderr


def test_show_prints_json_lines(guides: Path, store: Path) -> None:
    (guides / "evil.md").write_text("# Evil\n\n1. Run \x1b[31m and \x9b2J and \x7f, Größe.\n")
    call("ingest", guides, "--store", store)
    result = call("show", "evil.md", "--json", "--store", store)
    units = [stored.unit for stored in rows_of(open_store(store), "evil.md")]
    assert [json.loads(line) for line in result.stdout.splitlines()] == [unit.model_dump(mode="json") for unit in units]
    assert "Größe" in result.stdout
    assert not {"\x1b", "\x9b", "\x7f"}.intersection(result.stdout)


def test_show_takes_the_end_of_an_id_and_names_close_ones(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    assert call("show", "isk.md", "--store", store).stdout == call("show", "disk.md", "--store", store).stdout
    result = call("show", "dsk.md", "--store", store)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: the store has no document dsk.md; did you mean disk.md?\n"


# -- the terminal --------------------------------------------------------------------------------------------------


def test_no_command_passes_escape_sequences_on(tmp_path: Path, store: Path) -> None:
    folder = tmp_path / "guides"
    folder.mkdir()
    evil = "\x1b]0;owned\x07\x1b[2J"
    steps = f"1. Run `x{evil}`, see [it](gone{evil}.md). If it {evil} fails, go on.\n2. End.\n"
    (folder / f"evil{evil}.md").write_text(f"# Evil {evil}\n\n## Do {evil}\n\n{steps}")
    (folder / f"bad{evil}.md").write_bytes(b"\0")
    outputs = [
        call("ingest", folder, "--store", store),
        call("ask", f"evil {evil}", "--store", store, said=f"{evil}\nwhy\n\n"),
        call("show", ".md", "--store", store),
        call("show", f"nothing{evil}", "--store", store),
        call("ingest", f"missing{evil}", "--store", store),
    ]
    for result in outputs:
        assert "�]0;owned" in result.output
        assert "\x1b" not in result.output and "\x07" not in result.output


@pytest.mark.parametrize(
    "command", [(), ("ingest",), ("ask",), ("resume",), ("show",), ("text",), ("export",), ("import",), ("view",)]
)
def test_help_teaches_by_example(command: tuple[str, ...]) -> None:
    result = call(*command, "--help")
    assert call(*command, "-h").stdout == result.stdout
    assert result.exit_code == 0
    usage, _, told = result.stdout.partition("\n\n")
    assert not set("{}") & set(usage)
    assert re.search(r"Examples:\n +thread-rag ", told) and "..." not in told  # which is how a sentence is cut
    assert max(map(len, told.splitlines())) <= 80


def test_the_version_is_the_distributions() -> None:
    result = call("--version")
    assert (result.exit_code, result.stdout) == (0, f"thread-rag {version('thread-rag')}\n")


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    whole = os.environ | environment
    return subprocess.run([sys.executable, "-c", code], env=whole, capture_output=True, text=True, check=False)


@pytest.fixture
def in_ascii(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs the command where the output can hold no more than ASCII -> what it wrote."""

    def run(*words: str | Path) -> str:
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
        monkeypatch.setattr(sys, "argv", ["thread-rag", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        sys.stdout.flush()
        assert ended.value.code == 0
        return written.getvalue().decode("ascii")

    return run


def test_what_the_outputs_encoding_lacks_is_a_question_mark(tmp_path: Path, in_ascii: Callable[..., str]) -> None:
    (tmp_path / "a.md").write_text("# Größe → 5 GB\n", encoding="utf-8")
    assert in_ascii("text", tmp_path / "a.md") == "1  # Gr??e ? 5 GB\n"


def test_json_loses_nothing_where_the_output_s_encoding_lacks_it(
    guides: Path, store: Path, in_ascii: Callable[..., str]
) -> None:
    (guides / "größe.md").write_text("# Größe → 5 GB\n", encoding="utf-8")
    call("ingest", guides, "--store", store)
    for arguments in (["show", "größe.md", "--json"], ["export", "-"]):
        said = in_ascii(*arguments, "--store", store)
        assert "Größe → 5 GB" in {json.loads(line).get("title") for line in said.splitlines()}


def test_help_loads_nothing_heavy() -> None:
    code = "import sys, thread_rag.cli; print({'numpy', 'pydantic', 'chromadb', 'thread_core'} & set(sys.modules))"
    assert run_python(code).stdout == "set()\n"


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["typer", "rich", "chromadb"])
def test_a_missing_extra_is_named(missing: str, guides: Path) -> None:
    hidden = f"import sys; sys.modules[{missing!r}] = None; sys.argv[1:] = ['ingest', {str(guides)!r}]"
    code = f"{hidden}; import thread_rag.cli; thread_rag.cli.main()"
    result = run_python(code)
    assert result.returncode == 1
    assert result.stderr == f'error: {missing} is missing; install the command with: pip install "thread-rag[cli]"\n'
    assert not (Path.cwd() / ".thread").exists()
