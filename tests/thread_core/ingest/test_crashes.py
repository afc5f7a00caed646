"""A process that dies anywhere leaves each document whole, and the next run comes to the same end."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.thread_core.ingest.given import Killed, Place, content, edited, fresh, guide
from thread_core import Document
from thread_core.ingest import Ledger
from thread_core.models import LogicUnit
from thread_core.ports import rows_of
from thread_core.store.lexical import SqliteLexicalIndex

BEFORE = [guide(1, links=["pump-2.md#step-2", "pump-9.md"]), guide(2), guide(3)]
AFTER = [
    edited(BEFORE[0], "wheel 2", "lever 2"),
    edited(edited(BEFORE[1], "## Step 2", "## Second step"), "# Pump 2\n", "# Pump 2\n\n\n"),
    guide(4),
]


def units_of(place: Place, document_id: str) -> list[LogicUnit]:
    return [row.unit for row in rows_of(place.store, document_id)]


def dying_in(place: Place, owner: object, method: str, when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run whose process dies where something is called for the first time."""
    do = getattr(owner, method)

    def killed(*values: Any, **named: Any) -> Any:
        if when == "after":
            do(*values, **named)
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(owner, method, killed)
        place.run(*AFTER, source="pumps", prune=True)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", ["intend", "words", "write", "settle", "vanished", "remove", "forget", "judge"])
def test_whichever_step_is_the_last_the_next_run_completes_it(
    step: str, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = fresh(*BEFORE, source="pumps")
    if step == "words":
        dying_in(place, place.words, "update", when, monkeypatch)
    elif step == "write":
        dying_in(place, place.store, "write", when, monkeypatch)
    elif step == "remove":
        place.run(*AFTER, source="pumps")
        dying_in(place, place.store, "write", when, monkeypatch)
    else:
        dying_in(place, place.ledger, step, when, monkeypatch)
    report = place.run(*AFTER, source="pumps", prune=True)
    assert place.everything() == fresh(*AFTER, source="pumps").everything()
    if (step, when) in (("write", "after"), ("settle", "before")):
        finished = "what an interrupted run had started was finished"
        assert report.recovered == tuple(f"pump-{number}.md: {finished}" for number in (1, 2, 4))
        assert report.added == report.removed == 0 or report.pruned, "what was written is not written again"
        assert ["#step-2" in str(link.link) or link.link.target.anchor for link in report.newly_dangling] == ["step-2"]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_recovery_that_is_killed_is_done_again(when: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run dies at the words, and the next one where it mends them."""
    place = fresh(*BEFORE, source="pumps")
    dying_in(place, place.words, "update", "after", monkeypatch)
    dying_in(place, place.words, "update", when, monkeypatch)
    place.run(*BEFORE, source="pumps")
    assert place.is_in_step()
    assert place.everything() == fresh(*BEFORE, source="pumps").everything()


@pytest.mark.parametrize("steps", range(10))
def test_a_large_document_that_was_written_in_part_is_as_it_was_or_as_it_is(steps: int) -> None:
    """As the recovery leaves it, before the document is given again."""
    old, new = guide(1, steps=4), edited(edited(guide(1, steps=4), "wheel", "lever"), "Pump 1", "Pump one")
    place = fresh(old)
    with place.store.dying_after(steps):
        place.run(new)
    report = place.run()
    assert place.store.calls[-1] != "documents"
    assert content(place.store) in (content(fresh(old).store), content(fresh(new).store))
    assert place.is_in_step()
    assert len(report.recovered) == (steps < 9)
    place.run(new)
    assert place.everything() == fresh(new).everything()
    assert place.run(new).recovered == ()


def test_what_a_killed_run_has_brought_is_known_to_the_next_although_its_document_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(place.ledger, "settle", lambda *_, **__: (_ for _ in ()).throw(Killed))
        place.run(guide(1), guide(2), source="pumps")
    report = place.run(guide(1), source="pumps", prune=True)
    assert report.pruned == ("pump-2.md",)
    assert place.everything() == fresh(guide(1), source="pumps").everything()


TEXTS = [f"Turn wheel {number} and wait until it stands still." for number in range(4)]
names = st.integers(1, 4)
documents = st.builds(
    lambda number, title, gap, parts, link: Document(
        f"pump-{number}.md",
        f"# Pump {title}\n{gap}\n" + "\n".join(f"## {part}\n\n1. {TEXTS[part]}\n" for part in parts) + link,
    ),
    names,
    st.integers(1, 2),
    st.sampled_from(["", "\n\n"]),
    st.lists(st.integers(0, 3), min_size=1, max_size=4),
    st.sampled_from(["", "\n## More\n\nSee [it](pump-1.md#2).\n", "\n## More\n\nSee [it](pump-3.md).\n"]),
)
folders = st.lists(documents, max_size=4, unique_by=lambda document: document.id)
moments = st.one_of(st.none(), st.integers(0, 25))


@settings(max_examples=40)
@given(st.lists(st.tuples(folders, moments, st.booleans()), max_size=5), folders)
def test_whatever_was_edited_and_wherever_it_died_the_end_is_that_of_a_fresh_ingest(
    history: list[tuple[list[Document], int | None, bool]], last: list[Document]
) -> None:
    place = Place()
    for folder, moment, without_words in history:
        if without_words:
            place.words = SqliteLexicalIndex()
        with place.store.dying_after(10_000 if moment is None else moment):
            place.run(*folder, source="pumps", prune=True)
    place.run(*last, source="pumps", prune=True)
    assert place.everything() == fresh(*last, source="pumps").everything()
    assert place.ledger.intents() == []
    assert place.run(*last, source="pumps", prune=True).unchanged == len(last)


def test_a_ledger_that_is_gone_costs_a_comparison_and_nothing_else() -> None:
    place = fresh(*BEFORE, source="pumps")
    place.ledger = Ledger()
    place.embedder.texts.clear()
    report = place.run(*BEFORE, source="pumps")
    assert (report.changed, report.unchanged, len(report.reports)) == (False, 0, 3)
    assert len(place.embedder.texts) == 11, "stored headers are embedded again to see that the embedding is the store's"
    assert place.everything() == fresh(*BEFORE, source="pumps").everything()
