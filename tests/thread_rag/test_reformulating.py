"""Documents written anew by the command: real HTTP, the real client, a real store."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from tests.scripted import ScriptedServer
from thread_chroma import open_store
from thread_core import LogicUnit
from thread_core.ports import rows_of
from thread_rag.cli import app

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
REPLIES = Path(__file__).parents[1] / "replies" / "paper"
QUEUE, BUNDLE = "queue-backlog", "collect-diagnostics"
WRITE, REFINE = "You write a how-to document anew", "You compare a document with a draft"

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("error")]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.fixture
def guides(tmp_path: Path) -> Path:
    folder = tmp_path / "guides"
    folder.mkdir()
    for name in (QUEUE, BUNDLE):
        (folder / f"{name}.md").write_text((EXAMPLES / f"{name}.md").read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def call(*words: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def ingest(server: ScriptedServer, folder: Path, store: Path) -> Result:
    words = ("--model", "scripted", "--base-url", server.url, "--reformulate", "--concurrency", "1")
    return call("ingest", folder, "--store", store, *words)


def reply(server: ScriptedServer, name: str, stage: str, to: str) -> None:
    server.reply((REPLIES / f"{name}.{stage}.md").read_text(encoding="utf-8"), to=to)


def units_of(store: Path, name: str) -> list[LogicUnit]:
    return [stored.unit for stored in rows_of(open_store(store), f"{name}.md")]


def test_documents_are_written_anew_kept_and_shown(server: ScriptedServer, guides: Path, store: Path) -> None:
    for name in (BUNDLE, QUEUE):
        reply(server, name, "reformulate", WRITE)
        reply(server, name, "refine", REFINE)
    result = ingest(server, guides, store)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "2 taken in (2 by the model)" in result.stdout
    assert all(unit.rewritten for name in (QUEUE, BUNDLE) for unit in units_of(store, name))
    shown = call("show", f"{QUEUE}.md", "--store", store)
    assert "lines 15, 17-21, 23" in shown.stdout and "Look at the number of consumers" in shown.stdout
    walked = CliRunner().invoke(app, ["ask", "The queue has a backlog", "--store", str(store)], input="2\nquit\n")
    assert "Look at the number of consumers first. When it is zero" in walked.stdout
    server.finished()

    again = ingest(server, guides, store)
    assert "Nothing changed" in again.stdout
    assert "2 unchanged" in again.stdout


def test_a_document_in_which_the_model_keeps_inventing_keeps_its_old_units(
    server: ScriptedServer, guides: Path, store: Path
) -> None:
    call("ingest", guides, "--store", store)
    before = units_of(store, QUEUE)
    reply(server, BUNDLE, "reformulate", WRITE)
    reply(server, BUNDLE, "refine", REFINE)
    for to in (WRITE, REFINE, REFINE):
        reply(server, QUEUE, "reformulate", to)
    result = ingest(server, guides, store)
    assert result.exit_code == 3
    [failed] = [line for line in result.stdout.splitlines() if line.startswith("failed: ")]
    assert failed.startswith(
        f"failed: {QUEUE}.md: what the model wrote is not used, for it says what the document does"
    )
    assert units_of(store, QUEUE) == before
    assert [unit.rewritten for unit in units_of(store, BUNDLE)] == [True] * 7
