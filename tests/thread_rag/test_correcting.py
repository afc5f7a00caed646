"""What is said about links in a file beside a document is applied by `thread-rag ingest`, and kept there by `view`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.thread_rag.test_cli import call
from thread_core.extraction.corrections import parsed
from thread_core.shelf import Shelf
from thread_rag.correcting import BesideDocuments
from thread_rag.place import Place
from thread_view.desk import CannotCorrect, Sheet
from thread_view.guide import guide_of

SAID = """\
# Asked the team on Monday.
version = 1

[[link]]
text = "If the journal is large, go to step 2. If nothing is large, see [the volume guide](volume.md)."
condition = "nothing is large"
leads = "escalate"
verdict = "corrected"
by = "Mara"
at = 2026-03-01T09:00:00Z
"""


@pytest.fixture
def said(guides: Path) -> Path:
    """The file of corrections of a guide, which is not there yet."""
    return guides / "disk.md.thread.toml"


def shown(store: Path) -> str:
    return call("show", "disk.md", "--store", store).stdout


def a_sheet(store: Path, desk: BesideDocuments) -> Sheet:
    place = Place(store)
    return Sheet.of(desk, guide_of(Shelf.of_store(place.units(), place.words()), "disk.md"))


def a_desk(store: Path) -> BesideDocuments:
    return BesideDocuments(Place(store), Place(store).units())


def option(sheet: Sheet, condition: str) -> str:
    return next(one.name for step in sheet.guide.steps for one in step.options if one.condition == condition)


def test_an_ingest_applies_what_is_said_though_the_document_is_unchanged(guides: Path, store: Path, said: Path) -> None:
    call("ingest", guides, "--store", store)
    assert "escalate" not in shown(store)
    said.write_text(SAID)
    done = call("ingest", guides, "--store", store)
    assert "if nothing is large: escalate" in shown(store)
    assert "other kinds" not in done.output
    said.unlink()
    call("ingest", guides, "--store", store)
    assert "escalate" not in shown(store)


def test_what_is_stale_is_noted(guides: Path, store: Path, said: Path) -> None:
    said.write_text(SAID.replace("If nothing", "If little"))
    done = call("ingest", guides, "--store", store)
    assert "disk.md: the link that Mara corrected on 2026-03-01 ('nothing is large') is stale" in done.output


def test_a_bad_file_fails_its_document_alone(guides: Path, store: Path, said: Path) -> None:
    said.write_text(SAID + "\n[[link]]\n")
    done = call("ingest", guides, "--store", store)
    assert done.exit_code == 3
    assert "failed: disk.md: disk.md.thread.toml has a mistake: link.1.text: Field required" in done.output
    assert call("show", "--store", store).stdout.split() == ["volume.md"]


def test_what_somebody_says_is_kept_beside_the_document_and_applied(guides: Path, store: Path, said: Path) -> None:
    call("ingest", guides, "--store", store)
    said.write_text("# Asked the team on Monday.\nversion = 1\n")
    desk = a_desk(store)
    sheet = a_sheet(store, desk)
    large, nothing = option(sheet, "the journal is large"), option(sheet, "nothing is large")
    approved, corrected = sheet.correction(large, None, "Mara"), sheet.correction(nothing, "resolved", " Jo\nLind ")
    told = desk.keep("disk.md", {approved.key: approved, corrected.key: corrected})
    assert told == "Saved in disk.md.thread.toml and applied."
    assert said.read_text().startswith("# Asked the team on Monday.\n")
    assert parsed(said.read_text()) == (approved, corrected)
    assert "if nothing is large: resolved" in shown(store)
    seen = a_sheet(store, desk).verdicts
    assert {name: one.by for name, one in seen.items()} == {large: "Mara", nothing: "Jo Lind"}
    desk.keep("disk.md", {corrected.key: None})
    assert "if nothing is large: resolved" not in shown(store)
    assert parsed(said.read_text()) == (approved,)


def test_units_that_a_model_may_have_made_are_left_to_the_ingest_that_made_them(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store, "--merge-chains", 400)
    desk = a_desk(store)
    sheet = a_sheet(store, desk)
    one = sheet.correction(option(sheet, "nothing is large"), "escalate", "Mara")
    before = shown(store)
    assert "Run thread-rag ingest as you did before" in desk.keep("disk.md", {one.key: one})
    assert shown(store) == before
    call("ingest", guides, "--store", store, "--merge-chains", 400)
    assert "if nothing is large: escalate" in shown(store)


def test_a_document_that_says_something_else_than_the_store_is_ingested_first(guides: Path, store: Path) -> None:
    call("ingest", guides, "--store", store)
    desk = a_desk(store)
    (guides / "disk.md").write_text("# Disk full\n\n1. Ask.\n")
    with pytest.raises(CannotCorrect, match="has changed since it was ingested; run thread-rag ingest"):
        a_sheet(store, desk)
    (guides / "disk.md").unlink()
    with pytest.raises(CannotCorrect, match=r"The file of disk\.md is not where"):
        a_sheet(store, desk)
