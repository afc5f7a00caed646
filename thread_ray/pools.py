"""What writers leave to others: a model asked in one process for all of them, and an embedding in some."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import cycle
from typing import Any

from thread_core.errors import BadDocument, BadWorkers, ThreadError, missing
from thread_core.extraction.fidelity import Extraction
from thread_core.ingest import Extractor
from thread_core.models import Document
from thread_core.ports import Embedder
from thread_core.store.batches import batches

try:
    import ray
    from ray.exceptions import RayActorError
except ModuleNotFoundError as error:
    raise missing(error, "ray") from error

AT_ONCE = 256
"""Documents that the process which asks models has under way at most, of all writers."""
TEXTS = 256
"""Headers that are embedded by one call."""

_Extracted = Extraction | BadDocument


class AskedElsewhere:
    """An `Extractor` in one process of its own: its budget, limits and kept replies are those of all writers.

    Where that process dies, the run stops, and is not begun again by itself: what it had spent is not known any more.
    """

    def __init__(self, opened: Callable[[], Extractor]) -> None:
        """Begin the process."""
        self._actor = ray.remote(_Asking).options(max_concurrency=AT_ONCE, num_cpus=1).remote(opened)
        self.name: str = ray.get(self._actor.name.remote())
        """What decides the units, so that unchanged documents are known."""

    def attempt_all(self, documents: Iterable[Document], concurrency: int) -> Iterator[_Extracted]:
        """What became of each document, in order.

        Raises:
            BudgetSpent: there is nothing left to pay for the rest with. So does `BadCache`, where nothing can be kept.
            BadWorkers: the process has died.
        """
        under_way: deque[Any] = deque()
        for document in documents:
            bare = document.model_copy(update={"metadata": document.scalars})
            under_way.append(self._actor.attempt.remote(bare))
            if len(under_way) >= concurrency:
                yield _received(under_way.popleft())
        while under_way:
            yield _received(under_way.popleft())

    def kill(self) -> None:
        """End the process."""
        ray.kill(self._actor)


class _Asking:
    def __init__(self, opened: Callable[[], Extractor]) -> None:
        self._extractor = opened()

    def name(self) -> str:
        return str(getattr(self._extractor, "name", ""))

    def attempt(self, document: Document) -> _Extracted | ThreadError:
        try:
            (extracted,) = self._extractor.attempt_all([document], 1)
            return extracted
        except ThreadError as error:
            return error


def _received(reference: Any) -> _Extracted:
    try:
        answer: _Extracted | ThreadError = ray.get(reference)
    except RayActorError as error:
        raise BadWorkers(
            "the process that asks the models was killed, and what it spent is unknown; run it again: cached replies"
            " cost nothing"
        ) from error
    if isinstance(answer, ThreadError) and not isinstance(answer, BadDocument):
        raise answer
    return answer


class EmbeddedElsewhere:
    """An `Embedder` in processes of its own, such as one a GPU; one that dies is begun again."""

    def __init__(self, opened: Callable[[], Embedder], number: int, options: Mapping[str, Any]) -> None:
        """Begin the processes."""
        actor = ray.remote(_Embedding).options(max_restarts=-1, max_task_retries=-1, **options)
        self._actors = [actor.remote(opened) for _ in range(number)]

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """The vector of each text, in order."""
        calls = zip(batches(list(texts), TEXTS), cycle(self._actors), strict=False)
        return [vector for some in ray.get([actor.embed.remote(part) for part, actor in calls]) for vector in some]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        vector: list[float] = ray.get(self._actors[0].embed_query.remote(text))
        return vector

    def kill(self) -> None:
        """End the processes."""
        for actor in self._actors:
            ray.kill(actor)


class _Embedding:
    def __init__(self, opened: Callable[[], Embedder]) -> None:
        self._embedder = opened()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return list(self._embedder.embed(texts))

    def embed_query(self, text: str) -> list[float]:
        return self._embedder.embed_query(text)
