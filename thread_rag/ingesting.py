"""What `thread-rag ingest` does around the run itself: whose turn it is, where documents come from, which have gone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from thread_core.errors import BadDocument, StoreBusy
from thread_core.ingest import IngestReport, Ledger, ThreadIngest
from thread_core.ingest.ledger import PAGE
from thread_core.models import Document
from thread_core.store.batches import batches
from thread_rag.sources import Root, has_left


class NothingRead(Exception):
    """Not one document could be read; `failed` says why."""

    def __init__(self, failed: Sequence[BadDocument]) -> None:
        super().__init__(f"{len(failed)} documents cannot be read")
        self.failed = tuple(failed)


def at_least_one(given: Iterator[Document | BadDocument]) -> Iterator[Document | BadDocument]:
    """The same, read up to the first document that has text.

    Raises:
        NothingRead: there is none.
    """
    before: list[Document | BadDocument] = []
    for one in given:
        before.append(one)
        if isinstance(one, Document) and one.text.strip():
            return chain(before, given)
    raise NothingRead([one if isinstance(one, BadDocument) else BadDocument(one.id, "is empty") for one in before])


def source_of(roots: Sequence[Root]) -> Callable[[str], str]:
    """Which root a document comes from."""
    names = {file.document_id: root.name for root in reversed(roots) for file in root.files}
    return lambda document_id: names.get(document_id, "")


def follow(roots: Iterable[Root], ledger: Ledger) -> None:
    """Have the ledger know which documents have come to these roots from others, where their files are gone now."""
    for root in roots:
        files = {file.document_id: file for file in root.files if not file.trouble}
        for some in batches(list(files), PAGE):
            others = [one for one in ledger.entries(some).values() if one.source not in ("", root.name)]
            ledger.move([one.document_id for one in others if has_left(files[one.document_id], one.source)], root.name)


def vanished(roots: Iterable[Root], ledger: Ledger) -> tuple[str, ...]:
    """The documents that the roots brought once and do not hold any more, as far as can be seen.

    It is asked after a run over all of the roots.
    """
    return tuple(
        document_id
        for root in roots
        for document_id in ledger.vanished(root.name)
        if not any(one.may_hold(document_id) for one in roots)
    )


def pruned(ingest: ThreadIngest, report: IngestReport, document_ids: Sequence[str]) -> IngestReport:
    """Remove documents after a run; its report, with that."""
    removal = ingest.remove(document_ids)
    seconds = {
        stage: report.seconds.get(stage, 0.0) + removal.seconds.get(stage, 0.0)
        for stage in {**report.seconds, **removal.seconds}
    }
    return report.model_copy(
        update={
            "pruned": removal.pruned,
            "removed": report.removed + removal.removed,
            "links": removal.links,
            "broken": removal.broken,
            "newly_dangling": report.newly_dangling + removal.newly_dangling,
            "recovered": report.recovered + removal.recovered,
            "seconds": seconds,
        }
    )


def wait_for(ledger: Ledger, seconds: float, say: Callable[[str], None]) -> None:
    """Wait until no other ingest is at work on a store, and say for whom.

    Raises:
        StoreBusy: it takes longer.
    """
    turn = object()
    try:
        with ledger.alone_with(turn, 0):
            return
    except StoreBusy as busy:
        if not seconds:
            raise StoreBusy(f"{busy} (--wait SECONDS)") from None
        say(f"waiting up to {seconds:g} s: {busy}")
    with ledger.alone_with(turn, seconds):
        pass
