"""Where documents come from, and which are there no longer."""

import pytest

from tests.thread_core.ingest.given import Small, edited, fresh, guide
from thread_core import Document
from thread_core.ingest import Ledger, ThreadIngest
from thread_core.testing.store import MemoryStore


def documents(*ids: str) -> list[Document]:
    return [Document(document_id, f"# {document_id}\n\n1. Turn the wheel.\n") for document_id in ids]


def test_documents_of_several_sources_are_taken_in_by_one_run() -> None:
    ledger, store = Ledger(), MemoryStore()
    ingest = ThreadIngest(store, Small(), ledger=ledger)
    here = {"a.md": "one", "b.md": "one", "c.md": "other"}
    report = ingest.run(documents(*here), source=here.__getitem__)
    assert (len(report.reports), report.vanished) == (3, ())
    here["b.md"] = "other"
    assert ingest.run(documents("b.md"), source=here.__getitem__).unchanged == 1
    assert (ledger.vanished("one"), ledger.vanished("other")) == (["a.md"], ["c.md"])
    with pytest.raises(ValueError, match="name exactly one source"):
        ingest.run([], source=here.__getitem__, prune=True)


OTHER = edited(guide(1), "wheel", "lever")


def test_a_document_takes_the_place_of_no_other_sources() -> None:
    place = fresh(guide(1), source="a")
    report = place.run(OTHER, guide(2), source="b", prune=True)
    [failure] = report.failures
    assert failure.document_id == "pump-1.md" and "a different document with this id, from 'a'" in failure.reason
    assert (report.added, report.removed, report.vanished) == (3, 0, ())
    assert place.run(guide(1), source="a", prune=True).unchanged == 1
    assert place.store.documents(["pump-1.md"]) == fresh(guide(1)).store.documents(["pump-1.md"])


@pytest.mark.parametrize("sources", [("a", "a"), ("", "b"), ("a", "")])
def test_a_document_of_the_same_source_or_of_none_is_edited(sources: tuple[str, str]) -> None:
    place = fresh(guide(1), source=sources[0])
    assert place.run(OTHER, source=sources[1]).failures == ()
    assert place.everything() == fresh(OTHER, source=sources[1]).everything()


def test_a_document_that_has_left_one_source_is_taken_in_from_another() -> None:
    place = fresh(guide(1), source="a")
    assert place.run(OTHER, source="b").failures
    place.run(source="a", prune=True)
    assert place.run(OTHER, source="b").failures == ()
    assert place.everything() == fresh(OTHER, source="b").everything()


def test_what_somebody_has_deleted_from_the_store_is_in_nobodys_way() -> None:
    place = fresh(guide(1), source="a")
    place.store.write(gone=place.store.ids())
    assert place.run(OTHER, source="b").failures == ()
