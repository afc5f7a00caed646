"""Extraction with a model by the command: real HTTP, the real client, a real store."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import Result

from tests.programs import Programs
from tests.scripted import Fault, Request, ScriptedServer, Usage
from tests.scripted.faults import FAULTS, UNAUTHORIZED
from tests.thread_rag.test_cli import call as called
from tests.thread_rag.test_cli import line_of
from thread_chroma import open_store
from thread_core import default_embedding
from thread_core.errors import BadCache
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.models import LogicUnit
from thread_core.ports import rows_of

KEY = "sk-test-0123456789abcdef"
COUNTED = Usage(prompt=100, completion=20)

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("error")]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def pumps(tmp_path: Path) -> Path:
    """Five guides of one step each."""
    folder = tmp_path / "pumps"
    folder.mkdir()
    for number in range(1, 6):
        write(folder, number)
    return folder


def write(folder: Path, number: int, action: str = "fill it") -> None:
    (folder / f"pump-{number}.md").write_text(f"# Pump {number}\n\nLook at pump {number}.\nIf it is dry, {action}.\n")


def division(request: Request) -> str:
    """The good reply to a guide: its two lines are one step."""
    [number] = set(re.findall(r"Look at pump (\d)", request.text))
    unit = {"type": "step", "header": f"Fill pump {number} when dry", "lines": "3-4", "prerequisites": []}
    return json.dumps({"units": [unit | {"links": [], "parameters": []}]})


def call(*words: str | Path) -> Result:
    result = called(*words)
    assert KEY not in result.output
    return result


def ingest(server: ScriptedServer, folder: Path, store: Path, *words: str) -> Result:
    return call("ingest", folder, "--store", store, "--model", "scripted", "--base-url", server.url, *words)


def units_of(store: Path, number: int) -> list[LogicUnit]:
    return [stored.unit for stored in rows_of(open_store(store), f"pump-{number}.md")]


def headers(store: Path) -> list[str]:
    opened = open_store(store)
    return [stored.unit.header for number in range(1, 6) for stored in rows_of(opened, f"pump-{number}.md")]


def filled(*numbers: int) -> list[str]:
    return [f"Pump {number}: Fill pump {number} when dry" for number in numbers]


# -- a run that goes well ------------------------------------------------------------------------------------------


def test_a_model_divides_documents_and_the_run_says_what_it_cost(
    server: ScriptedServer, pumps: Path, store: Path
) -> None:
    server.reply(division, usage=COUNTED, times=5)
    result = ingest(server, pumps, store, "--price", "1,10")
    assert (result.exit_code, result.stderr) == (0, "")
    assert headers(store) == filled(1, 2, 3, 4, 5)
    assert [unit.body for unit in units_of(store, 1)] == ["Look at pump 1.\nIf it is dry, fill it."]
    assert line_of(result, "Documents") == "5 ingested (5 by the model)"
    assert line_of(result, "Calls") == "5, and 0 replies from the cache"
    assert line_of(result, "Tokens") == "500 in, 100 out"
    assert line_of(result, "Cost") == "0.0015"
    assert {request.body["model"] for request in server.requests} == {"scripted"}


def test_the_same_again_is_no_call_and_one_of_five_edited_is_one_and_no_embedding(
    server: ScriptedServer, pumps: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.reply(division, times=6)
    ingest(server, pumps, store)
    version = open_store(store).version()
    again = ingest(server, pumps, store)
    assert line_of(again, "Documents") == "0 ingested, 5 unchanged"
    assert line_of(again, "Calls") == "0, and 0 replies from the cache"
    assert (len(server.requests), open_store(store).version()) == (5, version)
    write(pumps, 3, "fill it to the brim")
    embedded: list[str] = []

    class Counting:
        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            embedded.extend(texts)
            return default_embedding().embed(texts)

    monkeypatch.setattr("thread_core.default_embedding", Counting)
    result = ingest(server, pumps, store)
    assert "Units: 1 added, 0 moved, 1 removed." in result.stdout
    assert line_of(result, "Calls") == "1, and 0 replies from the cache"
    assert "to the brim" in server.requests[-1].text and len(server.requests) == 6
    assert embedded == []
    monkeypatch.undo()
    assert units_of(store, 3)[0].body.endswith("fill it to the brim.")
    assert headers(store) == filled(1, 2, 3, 4, 5)
    [edited] = [stored.vector for stored in rows_of(open_store(store), "pump-3.md")]
    assert edited is not None
    assert list(edited) == pytest.approx(default_embedding().embed(filled(3))[0], abs=1e-5)


def test_documents_are_asked_about_at_once(server: ScriptedServer, pumps: Path, store: Path) -> None:
    """The first is answered only when three others have been asked about too."""
    others = threading.Semaphore(0)

    def first(request: Request) -> str:
        assert all(others.acquire(timeout=30) for _ in range(3))
        return division(request)

    def other(request: Request) -> str:
        others.release()
        return division(request)

    server.reply(first, to="Look at pump 1.")
    server.reply(other, times=4)
    result = ingest(server, pumps, store, "--concurrency", "4")
    assert (result.exit_code, headers(store)) == (0, filled(1, 2, 3, 4, 5))


# -- documents that fail -------------------------------------------------------------------------------------------


def test_k_of_n_fail_and_a_rerun_does_only_those(server: ScriptedServer, pumps: Path, store: Path) -> None:
    call("ingest", pumps, "--store", store)
    before = {number: units_of(store, number) for number in (2, 4)}
    server.reply(to="Look at pump 2.", fault=UNAUTHORIZED)
    server.reply(to="Look at pump 4.", fault=UNAUTHORIZED)
    server.reply(division, times=3)
    result = ingest(server, pumps, store)
    assert result.exit_code == 3
    assert [line for line in result.stdout.splitlines() if line.startswith("failed: ")] == [
        f"failed: pump-{number}.md: the model gave no reply: the service refused the key (HTTP 401); check the key"
        " and its permissions"
        for number in (2, 4)
    ]
    assert line_of(result, "Documents") == "3 ingested (3 by the model), 2 failed"
    assert {number: units_of(store, number) for number in (2, 4)} == before, "they keep their old units"
    server.finished()

    server.reply(division, times=2)
    again = ingest(server, pumps, store)
    assert (again.exit_code, headers(store)) == (0, filled(1, 2, 3, 4, 5))
    assert line_of(again, "Calls") == "2, and 0 replies from the cache"
    assert len(server.requests) == 7


TAKEN = ("fenced", "prose around", "no usage")
"""Faults that a reply may have."""
UNUSABLE = ("not JSON", "empty", "truncated", "null", "refused", "filtered", "unended")
"""Faults with which it is none that can be used; with the others there is none at all."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_whatever_goes_wrong_with_one_document_it_loses_nothing_and_is_done_by_the_next_run(
    fault: Fault, server: ScriptedServer, pumps: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thread_core.llm.calls.time.sleep", lambda seconds: None)
    monkeypatch.setattr("thread_rag.models.TIMEOUT", 0.5)
    for number in (1, 4, 5):
        (pumps / f"pump-{number}.md").unlink()
    call("ingest", pumps, "--store", store)
    before = units_of(store, 3)
    server.reply(division, to="Look at pump 3.", fault=fault, times=None)
    server.reply(division)
    result = ingest(server, pumps, store, "--concurrency", "1")
    server.finished()
    server.forget()
    kept = 2 if fault.name in TAKEN else 1
    assert headers(store)[0] == filled(2)[0]
    if fault.name in TAKEN:
        assert (result.exit_code, headers(store)) == (0, filled(2, 3))
    elif fault.name in UNUSABLE:
        assert (result.exit_code, units_of(store, 3)) == (0, before), "the rules read it, as before"
        assert "note: pump-3.md: read by the rules, because the model's reply could not be used: " in result.stdout
    else:
        assert (result.exit_code, units_of(store, 3)) == (3, before)
        assert "failed: pump-3.md: the model gave no reply: " in result.stdout

    server.reply(division, times=2 - kept)
    again = ingest(server, pumps, store)
    assert (again.exit_code, headers(store)) == (0, filled(2, 3))
    assert line_of(again, "Calls") == f"{2 - kept}, and 0 replies from the cache"


# -- the budget ----------------------------------------------------------------------------------------------------


def test_a_budget_ends_the_run_before_the_call_that_could_exceed_it(
    server: ScriptedServer, pumps: Path, store: Path
) -> None:
    each = one_call(pumps, store)
    server.reply(division, usage=Usage(prompt=each - 10, completion=10), times=2)
    result = ingest(server, pumps, store, "--max-tokens", str(2 * each + 9), "--concurrency", "1")
    assert result.exit_code == 3
    assert headers(store) == filled(1, 2), "what was done is written"
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("not reached: ")] == [
        f"not reached: pump-{number}.md" for number in (3, 4, 5)
    ]
    [stopped] = [line for line in lines if line.startswith("stopped: ")]
    assert re.fullmatch(
        rf"stopped: the budget is spent: the next call may need \d+ tokens, and 9 of {2 * each + 9} are left;"
        " raise it; cached replies cost nothing",
        stopped,
    )
    server.finished()

    server.reply(division, times=3)
    again = ingest(server, pumps, store)
    assert (again.exit_code, headers(store)) == (0, filled(1, 2, 3, 4, 5))
    assert line_of(again, "Calls") == "3, and 0 replies from the cache"


def test_a_budget_in_money_that_is_too_small_asks_nothing(server: ScriptedServer, pumps: Path, store: Path) -> None:
    result = ingest(server, pumps, store, "--max-cost", "0.0001", "--price", "1,1")
    assert result.exit_code == 1
    assert "stopped: the budget is spent: the next call may cost 0." in result.stdout
    assert result.stdout.count("not reached: ") == 5
    assert server.requests == []


def test_kept_replies_that_fail_on_the_way_end_the_run_and_lose_nothing(
    server: ScriptedServer, pumps: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def get(self: SqliteReplyCache, key: str) -> str | None:
        if len(server.requests) == 2:
            raise BadCache("the disk is gone")
        return reading(self, key)

    reading = SqliteReplyCache.get
    monkeypatch.setattr(SqliteReplyCache, "get", get)
    server.reply(division, times=2)
    result = ingest(server, pumps, store, "--concurrency", "1")
    assert (result.exit_code, headers(store)) == (3, filled(1, 2))
    assert "stopped: the disk is gone" in result.stdout
    assert result.stdout.count("not reached: ") == 3


# -- the dry run ---------------------------------------------------------------------------------------------------


def one_call(pumps: Path, store: Path) -> int:
    """Tokens that a call may need, as a dry run tells it for one of these guides."""
    result = call("ingest", pumps / "pump-1.md", "--store", store, "--model", "scripted", "--dry-run")
    prompt, completion = map(int, re.findall(r"\d+", line_of(result, "Tokens")))
    return prompt + completion


def test_a_dry_run_asks_nothing_and_touches_nothing(
    server: ScriptedServer, pumps: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    result = ingest(server, pumps, store, "--dry-run", "--price", "1,1")
    assert (result.exit_code, result.stderr) == (0, "")
    assert line_of(result, "Documents") == "5, 0 of them without a call"
    assert line_of(result, "Calls") == "5"
    tokens = 5 * one_call(pumps, store)
    assert sum(map(int, re.findall(r"\d+", line_of(result, "Tokens").replace(",", "")))) == tokens
    assert line_of(result, "Cost") == f"at most about {tokens / 1e6:.4f}"
    assert result.stdout.endswith("Nothing was asked and nothing was written.\n")
    assert server.requests == [] and not store.exists()


def test_a_model_is_asked_only_where_the_rules_leave_a_condition_open(
    server: ScriptedServer, pumps: Path, store: Path
) -> None:
    write(pumps, 4, "the seal is worn")
    assert line_of(ingest(server, pumps, store, "--dry-run", "--llm-for", "auto"), "Calls") == "1"
    server.reply(division)
    result = ingest(server, pumps, store, "--llm-for", "auto")
    assert line_of(result, "Documents") == "5 ingested (1 by the model)"
    assert line_of(result, "Conditions") == "4 of 5 linked; fewest in pump-4.md (0 of 1)"
    assert [header for header in headers(store) if header in filled(4)] == filled(4)


def test_a_dry_run_knows_what_is_kept(server: ScriptedServer, pumps: Path, store: Path) -> None:
    server.reply(division, times=5)
    ingest(server, pumps, store)
    write(pumps, 2, "fill it to the brim")
    (pumps / "empty.md").write_text("# Nothing\n")
    files = {file: file.read_bytes() for file in sorted(store.rglob("*")) if file.is_file()}
    result = ingest(server, pumps, store, "--dry-run")
    assert line_of(result, "Documents") == "6, 5 of them without a call"
    assert line_of(result, "Calls") == "1"
    assert {file: file.read_bytes() for file in sorted(store.rglob("*")) if file.is_file()} == files
    assert len(server.requests) == 5


# -- a run that is killed ------------------------------------------------------------------------------------------

KILLED = """
import os, signal, sys
from thread_core.llm.reply_cache import SqliteReplyCache
put, kept = SqliteReplyCache.put, []
def killing(self, key, text):
    put(self, key, text)
    kept.append(key)
    if len(kept) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
SqliteReplyCache.put = killing
from thread_rag.cli import main
main()
"""


@pytest.mark.slow
def test_a_run_that_was_killed_pays_for_nothing_twice(
    server: ScriptedServer, programs: Programs, pumps: Path, store: Path
) -> None:
    server.reply(division, times=5)
    words = ["ingest", pumps, "--store", store, "--model", "scripted", "--base-url", server.url, "--concurrency", "1"]
    assert programs.run("-c", KILLED, *map(str, words)).returncode == -signal.SIGKILL
    assert len(server.requests) == 2
    result = ingest(server, pumps, store)
    assert (result.exit_code, headers(store)) == (0, filled(1, 2, 3, 4, 5))
    assert line_of(result, "Calls") == "3, and 2 replies from the cache"


# -- what is missing -----------------------------------------------------------------------------------------------


def test_a_missing_key_is_told_in_one_line(pumps: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", " ")
    result = call("ingest", pumps, "--store", store, "--model", "gpt")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "error: found no key for gpt; set OPENAI_API_KEY (to any word if the service needs none)\n"
    )
    assert not store.exists()


@pytest.mark.slow
@pytest.mark.parametrize("missing", ["langchain_openai", "langchain_core"])
def test_a_missing_package_is_told_in_one_line(missing: str, pumps: Path, store: Path) -> None:
    words = ["ingest", str(pumps), "--store", str(store), "--model", "gpt"]
    code = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv[1:] = {words!r}; import thread_rag.cli as c; c.main()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    advice = 'install the command with: pip install "thread-rag[cli,langchain,openai]"'
    assert (result.returncode, result.stderr) == (1, f"error: {missing} is missing; {advice}\n")
    assert not store.exists()


def test_kept_replies_that_cannot_be_used_are_told_in_one_line(
    server: ScriptedServer, pumps: Path, store: Path
) -> None:
    server.reply(division, times=5)
    ingest(server, pumps, store)
    (store / "replies.sqlite3").write_bytes(b"broken" * 1000)
    for words in ((), ("--dry-run",)):
        result = ingest(server, pumps, store, *words)
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
        assert "delete it: the store stays" in result.stderr
    assert headers(store) == filled(1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--dry-run"], "without one"),
        (["--reformulate"], "without one"),
        (["--llm-for", "auto"], "without one"),
        (["--max-tokens", "5"], "without one"),
        (["--model", "m", "--max-cost", "1"], "without a price"),
        (["--model", "m", "--price", "1"], "two prices with a comma between them"),
        (["--model", "m", "--price", "a,b"], "two prices with a comma between them"),
        (["--model", "m", "--price=-1,2"], "two prices with a comma between them"),
        (["--model", "m", "--price", "nan,2"], "two prices with a comma between them"),
        (["--model", "m", "--concurrency", "0"], "Invalid value for '--concurrency'"),
        (["--model", "m", "--max-tokens", "-1"], "Invalid value for '--max-tokens'"),
    ],
)
def test_options_that_make_no_sense_are_refused(words: list[str], said: str, pumps: Path, store: Path) -> None:
    result = call("ingest", pumps, "--store", store, *words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not store.exists()


# -- documents that are written anew -------------------------------------------------------------------------------


def drafting(more: str = "") -> Callable[[Request], str]:
    """Replies with a faithful draft of a guide and has nothing to mend in it; or with a draft that says more."""

    def reply(request: Request) -> str:
        if not more and "UNCHANGED" in request.messages[0].text:
            return "UNCHANGED"
        [number] = set(re.findall(r"Look at pump (\d)", request.text))
        body = f"Look at pump {number}. If it is dry, fill it.{more}"
        return f"## Step (lines 3-4)\n### Header\nLook at pump {number}\n### Body\n{body}\n"

    return reply


def test_a_document_in_which_a_model_invents_is_left_as_it_was(
    server: ScriptedServer, pumps: Path, store: Path
) -> None:
    call("ingest", pumps, "--store", store)
    before = units_of(store, 2)
    server.reply(drafting(" Then run `pumpctl erase --all 7`."), to="Look at pump 2.", times=3)
    server.reply(drafting(), times=8)
    result = ingest(server, pumps, store, "--reformulate")
    assert result.exit_code == 3
    assert line_of(result, "Documents") == "4 ingested (4 by the model), 1 failed"
    [failed] = [line for line in result.stdout.splitlines() if line.startswith("failed: ")]
    assert failed.startswith("failed: pump-2.md: the model's text is not used, because it says what the document does")
    assert "pumpctl" in failed
    assert units_of(store, 2) == before
    assert [unit.body for unit in units_of(store, 1)] == ["Look at pump 1. If it is dry, fill it."]
    server.finished()

    server.reply(drafting(), times=2)
    again = ingest(server, pumps, store, "--reformulate")
    assert (again.exit_code, headers(store)) == (0, [f"Pump {number}: Look at pump {number}" for number in range(1, 6)])
    assert line_of(again, "Calls") == "2, and 0 replies from the cache"


def test_a_dry_run_knows_that_writing_anew_takes_two_calls(pumps: Path, store: Path) -> None:
    result = call("ingest", pumps, "--store", store, "--model", "scripted", "--reformulate", "--dry-run")
    assert line_of(result, "Calls") == "10"
