"""Where documents come from, and which are there no longer."""

import pytest

from tests.thread_core.ingest.given import Small
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
    with pytest.raises(ValueError, match="name the source, a single one"):
        ingest.run([], source=here.__getitem__, prune=True)
