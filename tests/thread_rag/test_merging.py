"""The same step in two documents: ingested into Chroma, retrieved as one, and two again when a source changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from thread_chroma import open_store
from thread_core import Document, LinkAction, LogicUnit, default_embedding
from thread_core.ingest import IngestReport, ThreadIngest
from thread_core.llm.access import ModelAccess
from thread_core.ports import rows_of
from thread_core.retrieval.retrieve import retrieve
from thread_core.store.lexical import SqliteLexicalIndex
from thread_core.store.library import Library
from thread_core.store.requests import Resolve
from thread_core.testing.model import ScriptedModel
from thread_core.walk.session import HowToSession

SIGN_IN = """\
## Sign in

Open the console of the depot in a browser and sign in with your badge and the pin that the foreman gave you. The page
with the waiting parcels comes up after a short while; leave it open while you work.
"""
RETURN = Document(
    "desk/return.md",
    f"# Take a parcel back\n\n{SIGN_IN}\n## Book it\n\nBook the parcel as returned and print its label.\n",
)
SEND = Document(
    "yard/send.md",
    f"# Send a parcel\n\n## Before you begin\n\nYou have a scale at hand.\n\n{SIGN_IN}\n"
    "## Weigh it\n\nPut the parcel on the scale and type in its weight.\n",
)
QUESTION = "How do I take a parcel back or send a parcel?"


class Depot:
    """Documents in a store of their own."""

    def __init__(self, directory: Path) -> None:
        self.store = open_store(directory, create=True)
        self.words = SqliteLexicalIndex()

    def take_in(
        self, *documents: Document, merge_similar: bool = True, models: ModelAccess | None = None
    ) -> IngestReport:
        return ThreadIngest(
            self.store, default_embedding(), words=self.words, merge_similar=merge_similar, models=models
        ).run(documents)

    @property
    def library(self) -> Library:
        return Library(self.store, default_embedding(), self.words)

    def retrieved(self) -> list[LogicUnit]:
        return [found.unit for found in self.library.run(retrieve(QUESTION))]

    def remove(self, document: Document) -> None:
        self.store.write(gone=[stored.unit.id for stored in rows_of(self.store, document.id)])

    def sign_in(self, document: Document) -> LogicUnit:
        (unit,) = [row.unit for row in rows_of(self.store, document.id) if row.unit.section == ("Sign in",)]
        return unit


@pytest.fixture
def empty(tmp_path: Path, new_chroma: Callable[[Path], Path]) -> Depot:
    return Depot(new_chroma(tmp_path))


@pytest.fixture
def depot(empty: Depot) -> Depot:
    """Both documents, their shared step merged."""
    empty.take_in(RETURN, SEND)
    return empty


def sources(units: Sequence[LogicUnit]) -> list[list[str]]:
    """Of each unit that shows how to sign in, the documents that it is cited from."""
    return [
        list(dict.fromkeys(span.document_id for span in unit.spans)) for unit in units if unit.section == ("Sign in",)
    ]


def test_without_the_option_both_are_shown(empty: Depot) -> None:
    assert empty.take_in(RETURN, SEND, merge_similar=False).merges == ()
    assert sorted(sources(empty.retrieved())) == [["desk/return.md"], ["yard/send.md"]]


def test_one_of_the_twins_is_shown_with_the_lines_and_the_prerequisites_of_both_and_the_store_keeps_both(
    empty: Depot,
) -> None:
    (merge,) = empty.take_in(RETURN, SEND).merges
    where, _, what = str(merge).partition(": ")
    assert where == "desk/return.md:1, desk/return.md:3, desk/return.md:5-6, yard/send.md:7, yard/send.md:9-10"
    assert what.startswith("2 units, ")
    assert what.endswith(" tokens: they say the same in several documents")
    shown = empty.retrieved()
    assert sorted(unit.section for unit in shown) == [("Before you begin",), ("Book it",), ("Sign in",), ("Weigh it",)]
    (one,) = [unit for unit in shown if unit.section == ("Sign in",)]
    mine, theirs = empty.sign_in(RETURN), empty.sign_in(SEND)
    assert ([twin.unit_id for twin in mine.twins], [twin.unit_id for twin in theirs.twins]) == ([theirs.id], [mine.id])
    assert set(one.spans) == {*mine.spans, *theirs.spans}
    assert (mine.prerequisites, one.prerequisites) == ((), ("You have a scale at hand.",))
    assert one.body == mine.body
    for merge_similar in (True, False):
        again = empty.take_in(RETURN, SEND, merge_similar=merge_similar)
        assert (again.changed, again.merges, empty.retrieved()) == (False, (), shown)


@pytest.mark.parametrize("merge_similar", [True, False])
def test_an_update_of_one_source_undoes_it(depot: Depot, merge_similar: bool) -> None:
    changed = SEND.model_copy(update={"text": SEND.text.replace("in a browser", "in a terminal")})
    depot.take_in(changed, merge_similar=merge_similar)
    assert sorted(sources(depot.retrieved())) == [["desk/return.md"], ["yard/send.md"]]
    shown = {unit.document_id: unit for unit in depot.retrieved() if unit.section == ("Sign in",)}
    assert shown["desk/return.md"].prerequisites == ()
    assert shown["desk/return.md"].spans == depot.sign_in(RETURN).spans


def test_an_update_elsewhere_in_a_source_does_not_undo_it(depot: Depot) -> None:
    changed = SEND.model_copy(update={"text": "A word first.\n\n" + SEND.text.replace("type in", "write down")})
    depot.take_in(changed, merge_similar=False)
    (one,) = [unit for unit in depot.retrieved() if unit.section == ("Sign in",)]
    assert set(one.spans) == {*depot.sign_in(RETURN).spans, *depot.sign_in(changed).spans}


@pytest.mark.parametrize(("gone", "left"), [(RETURN, SEND), (SEND, RETURN)])
def test_the_removal_of_one_source_leaves_the_other_alone_until_it_comes_back(
    depot: Depot, gone: Document, left: Document
) -> None:
    depot.remove(gone)
    assert sources(depot.retrieved()) == [[left.id]]
    depot.take_in(gone)
    assert [len(names) for names in sources(depot.retrieved())] == [2]


@pytest.mark.parametrize(
    ("question", "document", "next_line"),
    [
        ("Sign in to the console to take a parcel back", "desk/return.md", "Book the parcel as returned"),
        ("Sign in to the console to send a parcel", "yard/send.md", "Put the parcel on the scale"),
    ],
)
def test_a_walk_stays_in_its_document(depot: Depot, question: str, document: str, next_line: str) -> None:
    session = HowToSession(depot.library)
    first = session.start(question)
    assert {span.document_id for span in first.citations} == {document}
    assert "sign in with your badge" in first.text
    session.respond("done")
    second = session.respond("next")
    assert next_line in second.text
    assert second.citations[0].document_id == document


def linking_to(name: str) -> list[Document]:
    """The two documents, whose shared step sends the reader to another one in the same words."""
    sentence = f"\nIf the badge is refused, see [the office]({name}).\n"
    return [
        document.model_copy(update={"text": document.text.replace("work.\n", f"work.\n{sentence}")})
        for document in (RETURN, SEND)
    ]


def targets(depot: Depot) -> list[str]:
    """Which documents the shown step's links lead to."""
    (one,) = [unit for unit in depot.retrieved() if unit.section == ("Sign in",)]
    return sorted(
        depot.library.answer(Resolve(link.target.document, one.document_id)).document_id
        for link in one.links
        if link.action is LinkAction.CROSS and link.target is not None
    )


def test_links_of_both_lead_where_they_led_and_one_that_both_have_is_there_once(empty: Depot, tmp_path: Path) -> None:
    offices = [Document(f"{place}/office.md", f"# Office of the {place}\n\nAsk there.\n") for place in ("desk", "yard")]
    empty.take_in(*linking_to("office.md"), *offices)
    assert targets(empty) == ["desk/office.md", "yard/office.md"]
    other = Depot(tmp_path / "other")
    other.take_in(*linking_to("/office.md"), Document("office.md", "# Office\n\nAsk there.\n"))
    assert targets(other) == ["office.md"]


@pytest.mark.parametrize("same", [True, False])
def test_a_model_tells_whether_other_words_say_the_same(same: bool, tmp_path: Path) -> None:
    reworded = SEND.text.replace("after a short while", "after a short time")
    model = ScriptedModel(("after a short while", f'{{"same": {str(same).lower()}}}'))
    depot = Depot(tmp_path)
    summary = depot.take_in(RETURN, Document(SEND.id, reworded), models=ModelAccess(model))
    model.finished()
    assert len(summary.merges) == same
    assert len([unit for unit in depot.retrieved() if unit.section == ("Sign in",)]) == 2 - same
