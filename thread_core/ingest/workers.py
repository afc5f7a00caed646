"""Documents -> units by rules, in this process or in several.

Documents go to the workers in pieces of some size and come back in order. No more pieces are under way than keep the
workers busy, so what waits is bounded however many documents there are. A piece keeps a worker busy for about as long
as Chroma takes to write a batch: no other thread of this process runs meanwhile, so nothing is sent nor received.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from thread_core.errors import BadDocument, BadWorkers
from thread_core.extraction.fidelity import Extraction
from thread_core.extraction.rules import RuleExtractor
from thread_core.ingest import ctrl_c
from thread_core.models import Document

if TYPE_CHECKING:
    from loky import ProcessPoolExecutor

PIECE = 400_000
"""Characters of the documents that a worker takes at once, at least. Fewer in all are no work for another process."""
AHEAD = 2
"""Pieces for each worker that are under way."""

_T = TypeVar("_T")
_Extracted = Extraction | BadDocument
_Begun = tuple[list[Document], Future[list[_Extracted]]]


class ByRules:
    """Takes documents apart without a model."""

    def __init__(self, workers: int = 1, rules: RuleExtractor | None = None) -> None:
        """Say how many processes do it, with 1 it is this one, and by which rules.

        Raises:
            ValueError: there are none.
        """
        if workers < 1:
            raise ValueError(f"found workers={workers}, expected at least 1")
        self._rules = rules or RuleExtractor()
        self._workers = workers
        self.name = self._rules.name

    def attempt_all(self, documents: Iterable[Document], concurrency: int = 1) -> Iterator[_Extracted]:
        """What became of each document, in order; one document's trouble does not stop the others.

        Raises:
            BadWorkers: processes cannot be started.
        """
        if self._workers == 1:
            return map(self._take_apart, documents)
        return self._in_processes(_pieces(documents))

    def _in_processes(self, pieces: Iterator[list[Document]]) -> Iterator[_Extracted]:
        first, second = next(pieces, []), next(pieces, [])
        pieces = chain([second], pieces)
        if not second or (pool := _pool(self._workers)) is None:
            yield from map(self._take_apart, chain(first, chain.from_iterable(pieces)))
            return
        with closing(_Workers(pool, self._workers, self._rules)) as workers:
            workers.send(pieces)
            yield from map(self._take_apart, first)  # while the workers start
            while workers.busy:
                yield from workers.receive()
                workers.send(pieces)

    def _take_apart(self, document: Document) -> _Extracted:
        return _taken_apart(self._rules, document)


class _Workers:
    """Processes that take pieces apart. Where one of them is killed, all are replaced."""

    def __init__(self, pool: ProcessPoolExecutor, number: int, rules: RuleExtractor) -> None:
        self._pool = pool
        self._rules = rules
        self._number = number
        self._begun: deque[_Begun] = deque()

    @property
    def busy(self) -> bool:
        """Whether any piece is under way."""
        return bool(self._begun)

    def send(self, pieces: Iterator[list[Document]]) -> None:
        """Begin as many more pieces as may be under way."""
        for piece in islice(pieces, AHEAD * self._number - len(self._begun)):
            self._begun.append((piece, _begin(self._pool, self._rules, piece)))

    def receive(self) -> list[_Extracted]:
        """What became of the piece that was sent first; where a process was killed, of all that were under way."""
        piece, future = self._begun.popleft()
        try:
            return future.result()
        except BrokenExecutor:
            lost = [*piece, *(document for other, _ in self._begun for document in other)]
            self._begun.clear()
            self._pool.shutdown()
            self._pool = _working(_pool(self._number))
            return [BadDocument(document.id, _KILLED) for document in lost]

    def close(self) -> None:
        """End them at once."""
        self._pool.shutdown(kill_workers=True)


_KILLED = (
    "the process that split it, or another one, was killed, perhaps because memory ran out; run it again with fewer"
    " workers"
)
_NO_START = "worker processes cannot be started here (see what they printed); use workers=1"


def _taken_apart(rules: RuleExtractor, document: Document) -> _Extracted:
    try:
        return rules.extract(document)
    except Exception as error:
        reason = f"could not be split ({type(error).__name__}: {error}); please report this"
        return BadDocument(document.id, reason)


def _take_apart_all(rules: RuleExtractor, documents: list[Document]) -> list[_Extracted]:
    return [_taken_apart(rules, document) for document in documents]


def _pool(workers: int) -> ProcessPoolExecutor | None:
    """Processes that do not import the caller's main module again, as those of the standard library do.

    None where the system has no means for processes to wait for one another, as some sandboxes have not.
    """
    from loky import ProcessPoolExecutor

    try:
        ctrl_c.prepare()
        return ProcessPoolExecutor(workers, initializer=_prepare, initargs=(os.getpid(),))
    except (ImportError, NotImplementedError, OSError):
        return None


def _begin(pool: ProcessPoolExecutor, rules: RuleExtractor, piece: list[Document]) -> Future[list[_Extracted]]:
    """Send documents to a worker, with what of their metadata units carry: other values may not travel."""
    bare = [document.model_copy(update={"metadata": document.scalars}) for document in piece]
    try:
        return _submit(pool, _take_apart_all, rules, bare)
    except BrokenExecutor as error:
        lost: Future[list[_Extracted]] = Future()
        lost.set_exception(error)
        return lost


def _submit(pool: ProcessPoolExecutor, work: Callable[..., _T], *given: object) -> Future[_T]:
    """Ctrl-C comes afterwards: in between it would leave the pool's queue locked for ever.

    Nor does it come to a worker that is starting: before it could ignore it, it would die of it.
    """
    with ctrl_c.held():
        future: Future[_T] = pool.submit(work, *given)
        return future


def _working(pool: ProcessPoolExecutor | None) -> ProcessPoolExecutor:
    """The pool, if its workers start."""
    try:
        if pool is not None:
            _submit(pool, os.getpid).result()
            return pool
    except BrokenExecutor:
        pass
    raise BadWorkers(_NO_START)


def _pieces(documents: Iterable[Document]) -> Iterator[list[Document]]:
    piece: list[Document] = []
    size = 0
    for document in documents:
        piece.append(document)
        size += len(document.text)
        if size >= PIECE:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def _prepare(parent: int) -> None:
    """A worker ends with its parent, however that ends, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
