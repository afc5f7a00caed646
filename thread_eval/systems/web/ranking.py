"""Which elements of a page a step is likely about: a score each, by our embedding or whatever else is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from thread_core.plan import Plan
from thread_core.ports import Embedder
from thread_core.store.requests import Embed

Ranker = Callable[[str, Sequence[str], int], Plan[list[int]]]
"""A query, texts, and how many are wanted -> the positions of the best, from 0, the best first.

`thread_core.walk.memory.nearest` is one, by an embedding. One that needs no plan ends with `plan.given(positions)`.
"""


def best(ranker: Ranker, query: str, lines: Mapping[str, str], k: int) -> Plan[tuple[str, ...]]:
    """The ids of the k best elements, the best first."""
    ids = list(lines)
    positions: list[int] = yield from ranker(query, list(lines.values()), k)
    return tuple(ids[at] for at in positions)


def embedding_with(embedder: Embedder) -> Callable[[Any], Any]:
    """What answers the questions of a planner that are no model's.

    Example:
        access.run(task_scores(planner, task), embedding_with(default_embedding()))
    """

    def answer(request: Any) -> Any:
        if not isinstance(request, Embed):
            raise TypeError(f"nobody answers this request of a plan: {request!r}")
        vectors = np.asarray(embedder.embed(request.texts), dtype=np.float32).reshape(len(request.texts), -1)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1)

    return answer
