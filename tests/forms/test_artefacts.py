"""What releases have left on disks is gone on with; of what is of another form it is said which release does so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.forms.artefacts import COMMAND, KEPT, LAMP, PIECES, a_library, a_store, made, name_of
from tests.thread_core.actions import action
from thread_core import default_embedding, layout
from thread_core.errors import ThreadError
from thread_core.extraction.unit_lines import from_lines
from thread_core.ingest import Ledger, ThreadIngest
from thread_core.llm.reply_cache import SqliteReplyCache
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.journal import Journal
from thread_core.walk.session import HowToSession


def pieces(form: str) -> list[Path]:
    return sorted(KEPT.glob(f"{form}-*"))


@contextmanager
def gone_on_with(path: Path) -> Iterator[None]:
    """A piece of today's form is read; one of another form is, or is refused with what to do."""
    try:
        yield
    except ThreadError as error:
        assert path.name != name_of(path.name.rpartition("-")[0])
        assert "older release" in str(error) or "of form" in str(error)


@pytest.mark.parametrize("form", PIECES)
def test_there_is_a_piece_of_todays_form(form: str) -> None:
    told = "run python -m tests.forms.artefacts, and commit what it has written"
    assert KEPT / name_of(form) in pieces(form), told


@pytest.mark.parametrize("path", pieces("session"), ids=lambda path: path.name)
def test_a_walk_goes_on_and_knows_what_was_run(path: Path) -> None:
    runs: list[str] = []

    class Running:
        def run(self, action: Action) -> Outcome:
            runs.extend(action.commands)
            return Outcome(kind=OutcomeKind.HANDED)

    with gone_on_with(path):
        session = HowToSession(a_library(), executor=Running()).resumed(path.read_text(encoding="utf-8"))
        assert COMMAND in session.show().text
        assert session.state.ran == action(COMMAND).digests
        assert "Replace the relay" in session.respond('it prints "stuck"').text
    assert runs == []


@pytest.mark.parametrize("path", pieces("journal"), ids=lambda path: path.name)
def test_a_journal_knows_who_answered_and_what_was_begun(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "journal.jsonl")
    with gone_on_with(path):
        journal = Journal(tmp_path / "journal.jsonl")
        assert journal.answer_to("walk/ask:1", 3) == "Run it"
        done = journal.begin(action("relayctl status", key="done", session="walk", turn=2))
        lost = journal.begin(action(COMMAND, key="another", session="walk", turn=5))
        assert (done and done.text, lost and lost.kind) == ("it is stuck", OutcomeKind.UNCERTAIN)


@pytest.mark.parametrize("path", pieces("ledger"), ids=lambda path: path.name)
def test_a_ledger_knows_what_has_vanished(path: Path, tmp_path: Path) -> None:
    with gone_on_with(path):
        ledger = Ledger(made(path, tmp_path / "ledger.sqlite3"))
        report = ThreadIngest(a_store(), default_embedding(), ledger=ledger).run([], source="guides")
        assert report.vanished == (LAMP.id,)


@pytest.mark.parametrize("path", pieces("replies"), ids=lambda path: path.name)
def test_what_was_paid_for_is_there(path: Path, tmp_path: Path) -> None:
    with gone_on_with(path):
        assert SqliteReplyCache(made(path, tmp_path / "replies.sqlite3")).get("key") == '{"units": []}'


@pytest.mark.parametrize("path", pieces("rows"), ids=lambda path: path.name)
def test_rows_are_units(path: Path) -> None:
    rows = json.loads(path.read_text(encoding="utf-8"))
    if path.name == name_of("rows"):
        units = [layout.from_metadata(row["id"], row["text"], row["metadata"]) for row in rows]
        assert {unit.document_id for unit in units} == {LAMP.id}
        assert any(COMMAND in unit.body for unit in units)
    assert all(layout.is_of_any_layout(row["metadata"]) for row in rows)


@pytest.mark.parametrize("path", pieces("export"), ids=lambda path: path.name)
def test_an_export_holds_units(path: Path) -> None:
    with gone_on_with(path):
        units = [*from_lines(path.read_text(encoding="utf-8").splitlines())]
        assert any(COMMAND in unit.body for unit in units)
