"""Where a reply finds a guide wanting is noted with the turn, collected over walks, and drafted for a writer."""

import subprocess
from pathlib import Path

import pytest

from thread_core import Document, RuleExtractor, default_embedding
from thread_core.errors import BadJournal
from thread_core.ingest import ThreadIngest
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.additions import TODO, draft
from thread_core.walk.gap import GapKind
from thread_core.walk.gaps import Wanting, collect, entries_of
from thread_core.walk.journal import Journal
from thread_core.walk.session import HowToSession

PUMP = """\
# The pump stands still

## Look at the gauge

1. Read the gauge.

   - If it shows red, go to [Stop the pump](#stop-the-pump).
   - If it shows green, the pump is well: resolved.

## Stop the pump

1. Press the stop button.
2. Wait for a minute.
"""
TABLE = """\
# The valve leaks

| What you see | What to do |
|---|---|
| water | Close the tap. |
| oil | Call the workshop. |
"""
QUESTION = "The pump stands still, how do I look at the gauge?"
STRANGE = "a pigeon sits on the motor"


def walked(journal: Journal, *said: str, question: str = QUESTION, text: str = PUMP) -> HowToSession:
    """A walk through a guide, to the end of what is said."""
    store = MemoryStore()
    ThreadIngest(store, default_embedding()).run([Document("pump.md", text)])
    session = HowToSession(Library(store, default_embedding()), journal=journal)
    session.start(question)
    for line in said:
        session.respond(line)
    return session


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        ([STRANGE], GapKind.NOT_COVERED, STRANGE),
        (["3"], GapKind.NONE, ""),
        (["next"], GapKind.NONE, ""),
        (["skip"], GapKind.SKIPPED, ""),
        (["I give up"], GapKind.HANDED_OVER, ""),
        ([STRANGE, "I give up"], GapKind.HANDED_OVER, STRANGE),
        (["why do pears grow on trees?"], GapKind.NOT_ANSWERED, "why do pears grow on trees?"),
        (["how long do I wait after the stop button?"], GapKind.ASKED, "how long do I wait after the stop button?"),
    ],
)
def test_a_reply_that_finds_the_guide_wanting_says_where(said: list[str], kind: GapKind, words: str) -> None:
    gap = walked(Journal(), *said).state.gap
    assert gap is not None
    assert (gap.kind, gap.said, gap.document_id, gap.start, gap.end) == (kind, words, "pump.md", 5, 8)
    assert gap.known == ("it shows red", "it shows green")


def test_what_is_covered_leaves_no_gap_and_reading_keeps_one() -> None:
    assert walked(Journal(), "it shows red").state.gap is None
    session = walked(Journal(), STRANGE)
    noted = session.state.gap
    session.show()
    assert session.state.gap == noted
    session.respond("1")
    assert session.state.gap is None


def test_what_comes_of_one_report_counts_once() -> None:
    journal = Journal()
    walked(journal, STRANGE, "Continue with the next part of this guide")
    assert [one.gap.kind for one in collect(journal.entries())] == [GapKind.NOT_COVERED]


def test_a_question_that_nothing_fits_is_of_no_guide() -> None:
    gap = walked(Journal(), question="bake a chocolate cake").state.gap
    assert gap is not None and (gap.kind, gap.said, gap.document_id) == (GapKind.NO_GUIDE, "bake a chocolate cake", "")


def test_a_question_that_none_of_the_guides_offered_is_about_is_of_no_guide() -> None:
    question = "the heart of a patient stands still"
    gap = walked(Journal(), "none of these", question=question).state.gap
    assert gap is not None and (gap.kind, gap.said, gap.document_id) == (GapKind.NO_GUIDE, question, "")


def test_walks_are_counted_together_and_by_guide() -> None:
    journal = Journal()
    for said in ([STRANGE], [STRANGE.upper(), "skip"], ["token=abc123def"]):
        walked(journal, *said)
    found = [
        (one.count, one.sessions, one.gap.kind, one.gap.said.lower(), one.citation)
        for one in collect(journal.entries())
    ]
    assert found == [
        (2, 2, "not covered", STRANGE, "pump.md:5-8"),
        (1, 1, "not covered", "token=[redacted]", "pump.md:5-8"),
        (1, 1, "skipped", STRANGE, "pump.md:5-8"),
    ]


def test_lines_of_others_are_passed_over_and_a_line_twice_counts_once() -> None:
    journal = Journal()
    walked(journal, STRANGE)
    entries = [{"at": "", "event": "reached", "gap": {"kind": "no such"}}, *journal.entries(), *journal.entries()]
    assert [one.count for one in collect(entries)] == [1]


def test_a_journal_is_read_without_a_change(tmp_path: Path) -> None:
    path = tmp_path / "walks.jsonl"
    walked(Journal(path), STRANGE)
    with path.open("a") as file:
        file.write('{"at": "2026')  # being written
    before = path.read_bytes()
    assert [one.gap.kind for one in collect(entries_of(path))] == [GapKind.NOT_COVERED]
    assert path.read_bytes() == before
    path.write_text("[]\n")
    with pytest.raises(BadJournal, match=r"line 1: '.*' is not an entry of a journal"):
        list(entries_of(path))
    path.write_text('{"at": "", "event": "reached", "form": 99}\n')
    with pytest.raises(BadJournal, match="format 99"):
        list(entries_of(path))


# -- drafts --------------------------------------------------------------------------------------------------------


def missed(text: str, *said: str, question: str = QUESTION) -> list[Wanting]:
    journal = Journal()
    for line in said:
        walked(journal, line, text=text, question=question)
    return collect(journal.entries())


def applied(diff: str, text: str, folder: Path) -> str:
    (folder / "pump.md").write_bytes(text.encode())
    subprocess.run(["git", "apply", "-"], cwd=folder, input=diff.encode(), check=True)
    return (folder / "pump.md").read_bytes().decode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_missing_outcome_is_drafted_behind_the_others(tmp_path: Path, end: str) -> None:
    text = PUMP.replace("\n", end)
    drafted = draft(missed(text, STRANGE), [Document("pump.md", text)])
    after = applied(drafted.diff, text, tmp_path)
    added = f"   - If {STRANGE}, {TODO}.{end}"
    assert after == text.replace("resolved." + end, f"resolved.{end}{added}") and drafted.left == ()
    conditions = {
        link.condition for unit in RuleExtractor().extract(Document("pump.md", after)).units for link in unit.links
    }
    assert STRANGE in conditions


@pytest.mark.parametrize(
    ("text", "question", "added"),
    [
        (TABLE.rstrip("\n"), "The valve leaks", f"| sand | {TODO} |\n"),
        ("# The valve leaks\n\n1. Look at it.\n2. Turn it.", "The valve leaks", f"\n   If sand, {TODO}.\n"),
    ],
)
def test_it_is_written_in_the_form_of_its_place(tmp_path: Path, text: str, question: str, added: str) -> None:
    drafted = draft(missed(text, "sand.", question=question), [Document("pump.md", text)])
    assert applied(drafted.diff, text, tmp_path) == f"{text}\n{added}"


def test_words_of_people_are_no_marks_in_a_draft() -> None:
    drafted = draft(missed(PUMP, "<img src=x>\n- [pigeon](evil)\u202e"), [Document("pump.md", PUMP)])
    [line] = [line for line in drafted.diff.splitlines() if line.startswith("+ ")]
    assert r"\<img src=x\> - \[pigeon\](evil)" in line and "\u202e" not in line


def test_a_step_that_was_edited_gets_no_draft() -> None:
    found = missed(PUMP, STRANGE)
    drafted = draft(found, [Document("pump.md", PUMP.replace("Read the gauge", "Read the new gauge"))])
    assert drafted.diff == "" and list(drafted.left) == found
    moved = draft(found, [Document("pump.md", PUMP.replace("## Look", "Some words before.\n\n## Look"))])
    assert moved.left == () and STRANGE in moved.diff
