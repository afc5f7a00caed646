"""Writers as Ray's actors: one a shard, begun again where it dies, with the same piece given again.

What Ray does here is to have processes on machines and to notice when one has died. What is right to do then, the
ledger knows (`thread_core.ingest.shards`), so nothing depends on how soon or how often Ray acts.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import reduce
from typing import Any

from thread_core.errors import BadDocument, BadWorkers, ThreadError, missing
from thread_core.ingest import Extractor, Failure, Ingest, IngestReport
from thread_core.ingest.shards import AHEAD, Done, Piece, Shard
from thread_core.ports import Embedder
from thread_ray.pools import AskedElsewhere, EmbeddedElsewhere

try:
    import ray
    from ray.exceptions import ActorDiedError, GetTimeoutError, ObjectLostError, RayActorError, RayError
except ModuleNotFoundError as error:
    raise missing(error, "ray") from error

LOCAL = "local"
"""In the place of a cluster's address: a cluster of this machine alone, for this program."""
TRIES = 2
"""How often a piece is given again, with no other one beside it, where its writer was lost; then its documents are
given one by one, as often."""
START = 120.0
"""Seconds within which the writers have to begin, also again; a cluster may have to grow for them."""
_PAUSE = 1.0
"""Seconds between two attempts to reach a writer."""
_KILLED = (
    "the process that ingested it was killed each time, perhaps because memory ran out; run it again with fewer shards"
    " per machine, or report the document"
)


class RayRunner:
    """Has the actors of a Ray cluster take documents in.

    Example:
        def open_ingest():  # in each process, over connections of its own
            return ThreadIngest(open_server(SERVER), default_embedding(), words=words(), ledger=open_ledger(POSTGRES))

        ingest = ThreadIngest(..., ledger=open_ledger(POSTGRES), runner=RayRunner(open_ingest, shards=8))
        report = ingest.run(files("s3://guides"), source="s3://guides")
    """

    def __init__(
        self,
        open_ingest: Callable[[], Ingest[Any]],
        *,
        shards: int,
        address: str | None = None,
        options: Mapping[str, Any] | None = None,
        open_extractor: Callable[[], Extractor] | None = None,
        open_embedder: Callable[[], Embedder] | None = None,
        embedders: int = 1,
        embedder_options: Mapping[str, Any] | None = None,
    ) -> None:
        """Say how many writers there are, and how each opens what it writes to.

        Args:
            open_ingest: Called in each writer's process. What it gives has the options of the ingest that has this
                runner, and is over the same store, words and ledger, all of a kind that several processes may use.
            shards: Writers at once. Another number the next time is fine.
            address: Of the cluster, or `local`; where None, the one that the program is connected to, or else the one
                that Ray finds.
            options: Ray's options of a writer, such as `{"num_cpus": 2}`; a processor each by default.
            open_extractor: Called in one process, which takes the documents of all writers apart: so a model has one
                budget, one set of limits and one place for its replies. Each writer does it by itself where None.
            open_embedder: Called in `embedders` processes that embed for all writers.
            embedders: How many these are.
            embedder_options: Ray's options of one of these, such as `{"num_gpus": 1}`.

        Raises:
            ValueError: there is no shard, or no embedder.
        """
        if shards < 1 or embedders < 1:
            raise ValueError(f"found {shards=} and {embedders=}, expected at least one of each")
        self.shards = shards
        self._open = open_ingest
        self._address = address
        self._options = {"num_cpus": 1, **(options or {})}
        self._open_extractor = open_extractor
        self._open_embedder = open_embedder
        self._embedders = embedders
        self._embedder_options = dict(embedder_options or {})

    @contextmanager
    def crew(self, token: str) -> Iterator[RayCrew]:
        """The writers of a run. Where it fails or is stopped, they are killed: the next run does what they had begun.

        Raises:
            BadWorkers: there is no such cluster.
        """
        with _connected(self._address):
            extractor = AskedElsewhere(self._open_extractor) if self._open_extractor else None
            embedder = None
            if self._open_embedder:
                embedder = EmbeddedElsewhere(self._open_embedder, self._embedders, self._embedder_options)
            writer = ray.remote(_Writer).options(max_restarts=-1, **self._options)
            crew = RayCrew(
                [
                    writer.remote(self._open, number, self.shards, token, extractor, embedder)
                    for number in range(self.shards)
                ]
            )
            try:
                crew.begun()
                yield crew
                crew.close()
            finally:
                crew.kill()
                for pool in (extractor, embedder):
                    if pool is not None:
                        pool.kill()


class RayCrew:
    """The writers of a run."""

    def __init__(self, writers: Sequence[Any]) -> None:
        self.writers = writers
        """Actors, by the number of their shard."""
        self.shards = len(writers)
        self._alone = [threading.Lock() for _ in writers]
        # A thread for each call that may be under way: it only waits.
        self._waiting = ThreadPoolExecutor(self.shards * (AHEAD + 1), thread_name_prefix="thread-ray")

    def take(self, shard: int, piece: Piece) -> Future[Done]:
        """Have the writer of a shard take documents in."""
        return self._waiting.submit(self._take, shard, piece)

    def judge(self, shard: int, document_ids: Sequence[str]) -> Future[Done]:
        """Have a writer resolve the links of some documents."""
        return self._waiting.submit(self._judge, shard, document_ids)

    def begun(self) -> None:
        """Wait until all writers have begun.

        Raises:
            BadWorkers: there is no room for all of them.
        """
        asked = [writer.begun.remote() for writer in self.writers]
        ready, late = ray.wait(asked, num_returns=len(asked), timeout=START)
        if late:
            raise BadWorkers(
                f"only {len(ready)} of {len(asked)} writers have started within {START:.0f} s, and the cluster has"
                f" {ray.cluster_resources().get('CPU', 0):g} processors; use fewer shards, or"
                ' pass options= that need less, such as {"num_cpus": 0.5}'
            )

    def close(self) -> None:
        """Have the writers let go of their shards."""
        with suppress(RayActorError):
            ray.get([writer.close.remote() for writer in self.writers])

    def kill(self) -> None:
        """End their processes."""
        self._waiting.shutdown(wait=False, cancel_futures=True)
        for writer in self.writers:
            ray.kill(writer)

    def _judge(self, shard: int, document_ids: Sequence[str]) -> Done:
        for _ in range(1 + TRIES):
            if (done := self._answer(shard, "judge", document_ids)) is not None:
                return done
        raise BadWorkers("a writer was killed repeatedly; use fewer shards, and run it again")

    def _take(self, shard: int, piece: Piece) -> Done:
        done = self._answer(shard, "take", piece)
        if done is None:
            with self._alone[shard]:
                return self._take_alone(shard, piece)
        return done

    def _take_alone(self, shard: int, piece: Piece) -> Done:
        for _ in range(TRIES):
            if (done := self._answer(shard, "take", piece)) is not None:
                return done
        if len(piece.documents) == 1:
            failure = Failure.of(BadDocument(piece.documents[0].id, _KILLED))
            return Done(IngestReport(failures=(failure,)), ())
        alone = (self._take_alone(shard, piece._replace(documents=(one,))) for one in piece.documents)
        return reduce(Done.and_then, alone)

    def _answer(self, shard: int, method: str, given: Any) -> Done | None:
        """What a writer answers; None where it or its machine was lost meanwhile, and the writer is there again.

        Raises:
            BadWorkers: Ray itself failed, or what opens the ingest did, or the writer cannot be begun again.
        """
        try:
            done: Done = ray.get(getattr(self.writers[shard], method).remote(given))
            return done
        except (RayActorError, ObjectLostError):
            self._begun_again(shard)
            return None
        except RayError as error:
            raise BadWorkers(
                f"a writer on Ray failed ({_said(error)}); fix this, and run it again to continue"
            ) from error

    def _begun_again(self, shard: int) -> None:
        """Wait for a writer: until Ray takes a machine for dead that is silent, calls to it fail at once."""
        end = time.monotonic() + START
        while True:
            try:
                ray.get(self.writers[shard].begun.remote(), timeout=START)
                return
            except GetTimeoutError:  # it is at work, or waits for room
                return
            except RayActorError as error:
                if isinstance(error, ActorDiedError) or time.monotonic() > end:
                    raise BadWorkers(
                        f"a writer was lost and not restarted within {START:.0f} s ({_said(error)}); check the"
                        " cluster, and run it again to continue"
                    ) from error
                time.sleep(_PAUSE)


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[-600:]


class _Writer:
    """The writer of a shard, in a process of its own. It opens what it needs at the first call, to say what fails."""

    def __init__(
        self,
        open_ingest: Callable[[], Ingest[Any]],
        number: int,
        shards: int,
        token: str,
        extractor: Extractor | None,
        embedder: Embedder | None,
    ) -> None:
        self._open = open_ingest
        self._number, self._shards, self._token = number, shards, token
        self._extractor, self._embedder = extractor, embedder
        self._shard: Shard | None = None

    def begun(self) -> int:
        return os.getpid()

    def take(self, piece: Piece) -> Done:
        return self._do(lambda shard: shard.take(piece))

    def judge(self, document_ids: Sequence[str]) -> Done:
        return self._do(lambda shard: shard.judge(document_ids))

    def close(self) -> None:
        if self._shard is not None:
            self._shard.close()

    def _do(self, work: Callable[[Shard], Done]) -> Done:
        try:
            if self._shard is None:
                ingest = self._open()
                ingest.use(extractor=self._extractor, embedder=self._embedder)
                self._shard = Shard(ingest, self._number, shards=self._shards, token=self._token)
            return work(self._shard)
        except ThreadError as error:
            return Done(IngestReport(), (), error)


@contextmanager
def _connected(address: str | None) -> Iterator[None]:
    """Be connected to a cluster: the program's own connection, or one for this run."""
    if ray.is_initialized():
        yield
        return
    named: dict[str, Any] = {} if address is None else {"address": address}
    if address == LOCAL:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
        named["include_dashboard"] = False
    try:
        ray.init(log_to_driver=False, **named)
    except (RayError, ConnectionError, ValueError, RuntimeError) as error:
        said = " ".join(str(error).split())[:300]
        raise BadWorkers(f"no Ray cluster can be reached at {address or 'the default address'} ({said})") from error
    try:
        yield
    finally:
        ray.shutdown()
