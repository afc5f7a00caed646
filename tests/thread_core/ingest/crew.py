"""Writers in threads, each over connections of its own, which die and are begun again as a cluster does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any, Self

from tests.thread_core.ingest.given import Killed
from thread_core.ingest import Ingest
from thread_core.ingest.shards import Done, Piece, Shard


class InThreads:
    """A `Runner`; it is its own `Crew`."""

    def __init__(self, opened: Callable[[], Ingest[Any]], shards: int, *, again: bool = True) -> None:
        self.shards = shards
        self.begun = 0
        """Writers so far."""
        self.died = 0
        self._opened = opened
        self._again = again

    @contextmanager
    def crew(self, token: str) -> Iterator[Self]:
        self._token = token
        self._writers: dict[int, Shard] = {}
        with ExitStack() as opened:
            opened.callback(lambda: [writer.close() for writer in self._writers.values()])
            self._threads = [opened.enter_context(ThreadPoolExecutor(1)) for _ in range(self.shards)]
            yield self

    def take(self, shard: int, piece: Piece) -> Future[Done]:
        return self._threads[shard].submit(self._done, shard, lambda writer: writer.take(piece))

    def judge(self, shard: int, document_ids: Sequence[str]) -> Future[Done]:
        return self._threads[shard].submit(self._done, shard, lambda writer: writer.judge(document_ids))

    def _done(self, shard: int, work: Callable[[Shard], Done]) -> Done:
        while True:
            try:
                if shard not in self._writers:
                    self._writers[shard] = Shard(self._opened(), shard, shards=self.shards, token=self._token)
                    self.begun += 1
                return work(self._writers[shard])
            except Killed:
                self.died += 1
                if shard in self._writers:
                    self._writers.pop(shard).close()
                if not self._again:
                    raise
