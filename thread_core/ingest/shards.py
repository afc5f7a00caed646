"""An ingest by several writers side by side, in other processes and on other machines.

Documents are parted by a hash of their ids. Each part, a shard, has one writer at a time, which takes its documents in
as an ingest of one process does: it compares, takes apart, embeds, and writes batch after batch, with intents in the
ledger before and facts after. So what holds for one process holds for each writer, and how many shards there are may
differ from run to run.

What is about all documents is done by the run itself, before its writers begin or while none of them writes: the lock
of the store, finishing what was cut short, which documents were given, removing those that have gone, links. A writer
that dies is begun again by whoever runs it, finishes or undoes what it had begun, and is given the same piece again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from hashlib import blake2b
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, Protocol

from thread_core.errors import BadDocument, BadStore, ThreadError
from thread_core.ingest import links, recovery
from thread_core.ingest.intake import TWICE, WINDOW, Origin, Unread
from thread_core.ingest.report import IngestReport, Tally
from thread_core.ingest.writing import Holdings
from thread_core.models import Document

if TYPE_CHECKING:
    from thread_core.ingest.run import Ingest

PIECE = 1_000_000
"""Characters of the documents that a writer is given at once, at least, if they are not `WINDOW` before: what it has to
do again where it dies."""
AHEAD = 2
"""Pieces for each writer that are under way, so that it need not wait for the next one."""

Given = Document | BadDocument | Unread
LinkName = tuple[str, str, int]


class Piece(NamedTuple):
    """Documents of one shard that are taken in together."""

    documents: tuple[Document | Unread, ...]
    sources: Mapping[str, str]
    """Where each comes from, by its id."""


class Done(NamedTuple):
    """What became of a piece."""

    report: IngestReport
    lost: tuple[LinkName, ...]
    """Links whose places have gone."""
    error: ThreadError | None = None
    """Why it came to no end; it travels as a value, so that it arrives as it was."""

    def and_then(self, other: Done) -> Done:
        """Both as one."""
        tally = Tally()
        tally.add(self.report)
        tally.add(other.report)
        stopped = self.report.stopped or other.report.stopped
        report = tally.report(left=tuple(tally.left), stopped=stopped)
        return Done(report, self.lost + other.lost, self.error or other.error)


class Crew(Protocol):
    """The writers of a run. What they are asked for they do one after the other, each for itself."""

    shards: int
    """How many there are."""

    def take(self, shard: int, piece: Piece) -> Future[Done]:
        """Have the writer of a shard do `Shard.take`, if need be again after it has died."""

    def judge(self, shard: int, document_ids: Sequence[str]) -> Future[Done]:
        """Have a writer, whichever is named, do `Shard.judge`."""


class Runner(Protocol):
    """Begins writers elsewhere, and ends them."""

    def crew(self, token: str) -> AbstractContextManager[Crew]:
        """The writers of the run that this token is of; at the end none of them is at work any more."""


class Shard:
    """The writer of one shard, in whichever process it is.

    Example:
        shard = Shard(open_ingest(), 0, shards=8, token=token)
    """

    def __init__(self, ingest: Ingest[object], number: int, *, shards: int, token: str) -> None:
        """Be the shard's only writer, and finish or undo what the one before has left.

        Args:
            ingest: Over connections of this process.
            number: Which shard it is, from 0.
            shards: How many there are.
            token: Of the run, as its crew was given it.

        Raises:
            StoreBusy: the run is over, or another process writes this shard.
        """
        self._ingest = ingest
        self._tally = Tally()
        with ExitStack() as held:
            held.enter_context(ingest.holdings.ledger.at_shard(number, token))
            mine = partial(_is_in, number, shards)
            self._lost = recovery.recover_some(ingest.holdings, self._tally, mine)
            self._held = held.pop_all()

    def take(self, piece: Piece) -> Done:
        """Take documents in, to the end; those that are taken in already are unchanged."""
        tally, lost = self._tally, self._lost
        self._tally, self._lost = Tally(), []
        try:
            report = self._ingest.take_piece(piece, tally, lost)
        except ThreadError as error:
            return Done(tally.report(), tuple(lost), error)
        return Done(report, tuple(lost))

    def judge(self, document_ids: Sequence[str]) -> Done:
        """Resolve the links of some documents, of any shard."""
        store, _, words, ledger = self._ingest.holdings
        tally = Tally()
        try:
            with tally.clock("compare"):
                links.judge(document_ids, ledger, links.catalog_of(words), store)
        except ThreadError as error:
            return Done(tally.report(), (), error)
        return Done(tally.report(), ())

    def close(self) -> None:
        """Write this shard no more."""
        self._held.close()


def shard_of(document_id: str, shards: int) -> int:
    """In which of some shards a document is, the same in every process.

    Example:
        >>> [shard_of(name, 4) for name in ("disk-full.md", "backlog.md", "certificate.md")]
        [3, 2, 0]
    """
    return int.from_bytes(blake2b(document_id.encode(), digest_size=8).digest()) % shards


def _is_in(number: int, shards: int, document_id: str) -> bool:
    return shard_of(document_id, shards) == number


class Run:
    """A run's side of its writers: hands pieces out, and counts what comes back."""

    def __init__(self, crew: Crew, holdings: Holdings, tally: Tally, lost: list[LinkName]) -> None:
        """Say whose writers they are; links whose places go are added to `lost`."""
        self._crew = crew
        self._holdings = holdings
        self._tally = tally
        self._under_way: dict[Future[Done], int] = {}
        self._stopped = ""
        self._looked = False
        self._lost = lost

    def take_all(self, given: Iterable[Given], source: Origin) -> tuple[str, tuple[str, ...]]:
        """Take in what there is; why it came to its end early, if it did, and the documents that were left then.

        Raises:
            ThreadError: a writer failed; the others have come to the end of their pieces.
        """
        rest = self._admitted(given)
        pieces = _pieces(rest, self._crew.shards)
        left: list[str] = []
        try:
            for shard, documents in pieces:
                if self._stopped:
                    left += [document.id for document in documents]
                    continue
                sources = {document.id: source(document.id) for document in documents}
                self._begin(shard, self._crew.take(shard, Piece(tuple(documents), sources)))
        finally:
            self._finish()
        if self._tally.recovered:  # what a writer had begun that died: nobody sees these rows, and nobody writes now
            self._holdings.store.sweep()
        return self._stopped, (*self._tally.left, *left)

    def judge(self) -> None:
        """Resolve the links of the given documents that may lead elsewhere now."""
        try:
            for number, document_ids in enumerate(self._holdings.ledger.unjudged()):
                shard = number % self._crew.shards
                self._begin(shard, self._crew.judge(shard, document_ids))
        finally:
            self._finish()

    def _admitted(self, documents: Iterable[Given]) -> Iterator[Document | Unread]:
        """What may be taken in: each document once."""
        given = iter(documents)
        while window := list(islice(given, WINDOW)):
            ids = [one.document_id if isinstance(one, BadDocument) else one.id for one in window]
            first = self._holdings.ledger.give(ids)
            for document_id, one in zip(ids, window, strict=True):
                if document_id not in first:
                    self._tally.failed(BadDocument(document_id, TWICE))
                elif isinstance(one, BadDocument):
                    self._tally.failed(one)
                else:
                    yield one
                first.discard(document_id)

    def _begin(self, shard: int, answer: Future[Done]) -> None:
        """Note what is under way; wait where that is enough for its writer."""
        self._under_way[answer] = shard
        while list(self._under_way.values()).count(shard) > AHEAD:
            self._receive()

    def _finish(self) -> None:
        """Have all that is under way come to its end; the first thing that went wrong is raised then."""
        first: BaseException | None = None
        while self._under_way:
            try:
                self._receive()
            except Exception as error:
                first = first or error
        if first is not None:
            raise first

    def _receive(self) -> None:
        come, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
        for answer in come:
            del self._under_way[answer]
        for answer in come:
            done = answer.result()
            self._tally.add(done.report)
            self._lost += done.lost
            self._stopped = self._stopped or done.report.stopped
            if done.error is not None:
                raise done.error
            self._look(done.report)

    def _look(self, report: IngestReport) -> None:
        """See once that the writers write where this run reads."""
        if self._looked or not report.added:
            return
        self._looked = True
        if not self._holdings.store.ids([one.document_id for one in report.reports]):
            raise BadStore(
                "the writers have written documents that are not in this run's store; the ingest that the runner opens"
                " must use the same store, one that several processes can use at once"
            )


def _pieces(documents: Iterable[Document | Unread], shards: int) -> Iterator[tuple[int, list[Document | Unread]]]:
    """The documents of each shard as they come, gathered into pieces."""
    waiting: list[list[Document | Unread]] = [[] for _ in range(shards)]
    sizes = [0] * shards
    for document in documents:
        shard = shard_of(document.id, shards)
        waiting[shard].append(document)
        sizes[shard] += len(document.text) if isinstance(document, Document) else 0
        if len(waiting[shard]) == WINDOW or sizes[shard] >= PIECE:
            yield shard, waiting[shard]
            waiting[shard], sizes[shard] = [], 0
    yield from ((shard, some) for shard, some in enumerate(waiting) if some)


def read(given: Iterable[Given]) -> Iterator[Document | BadDocument]:
    """Documents, those that were not read yet read as they are needed."""
    return (one if isinstance(one, Document | BadDocument) else one.read() for one in given)
