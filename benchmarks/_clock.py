"""What calls take by the clock on the wall."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes by the clock on the wall."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def quantile(ranked: Sequence[float], part: float) -> float:
    """The value below which a part of some values lies, given in rising order."""
    return ranked[min(len(ranked) - 1, int(part * len(ranked)))]
