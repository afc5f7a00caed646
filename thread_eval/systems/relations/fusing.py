"""Units beside the chunks of a collection that is there already: one list, each piece with where it is from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from thread_core.models import LogicUnit
from thread_eval.shown import normalised

RANK = 60
"""Added to each rank: how little the first places count more than those after them (reciprocal rank fusion)."""


class Cited(NamedTuple):
    """A piece of text with where it is from."""

    text: str
    source: str
    """Of a unit its document and lines, as `disk.md:4-9`; of a chunk what its collection says."""


def cited(unit: LogicUnit) -> Cited:
    """A unit as it is read beside chunks: what it is about, and its lines."""
    about = ": ".join(filter(None, (unit.title, *unit.section)))
    return Cited(f"{about}\n{unit.body}", str(unit.body_spans[-1]))


def fused(units: Iterable[LogicUnit], chunks: Sequence[Cited]) -> list[Cited]:
    """Both lists as one, each piece by its rank in its own; what a piece before it says is not said again.

    Args:
        units: What was retrieved as units, best first.
        chunks: What the other collection gave for the same question, best first.
    """
    scores: dict[Cited, float] = defaultdict(float)
    said: dict[Cited, str] = {}
    for ranked in ([(cited(unit), unit.body) for unit in units], [(chunk, chunk.text) for chunk in chunks]):
        for rank, (piece, text) in enumerate(ranked):
            scores[piece] += 1 / (RANK + rank)
            said[piece] = normalised(text)
    shown: list[Cited] = []
    for piece in sorted(scores, key=lambda one: -scores[one]):
        if not any(said[piece] in said[before] for before in shown):
            shown.append(piece)
    return shown
