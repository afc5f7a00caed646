"""Many scores as one: means, their uncertainty, and whether two systems differ. Scores without a value are left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from thread_core.models import Model
from thread_eval.scores import Score

ROUNDS = 2000
"""Samples of a bootstrap."""
INSIDE = 0.95
"""Share of the samples that an interval holds."""

Numbers = npt.NDArray[np.float64]


class Summary(Model):
    """One metric over many cases."""

    value: float | None
    """None where no case has one."""
    low: float | None
    high: float | None
    """The interval, by percentiles of a bootstrap over cases."""
    counted: int
    not_applicable: int
    failed: int


class Comparison(Model):
    """Two systems on the same cases."""

    difference: float | None
    """Ours less the baseline's; None where there is no pair."""
    low: float | None
    high: float | None
    """Its interval, by a bootstrap over pairs."""
    wins: int
    losses: int
    ties: int
    p: float
    """Of the two-sided exact sign test over wins and losses; of values that are 0 or 1, McNemar's exact test."""
    left_out: int
    """Pairs in which one has no value."""


def column(cases: Sequence[Mapping[str, Score]], name: str) -> list[Score]:
    """One metric of some cases."""
    return [case[name] for case in cases]


def macro(scores: Sequence[Score]) -> float | None:
    """Each case counts alike."""
    return _mean(*_arrays(scores, pool=False))


def micro(scores: Sequence[Score]) -> float | None:
    """Each thing that a case is the mean of counts alike; see `Score.of`."""
    return _mean(*_arrays(scores, pool=True))


def summarise(scores: Sequence[Score], *, pool: bool = False, seed: int = 0) -> Summary:
    """A mean with its interval, the same in every run with the same seed.

    Args:
        scores: One metric, a case each.
        pool: Whether the mean is `micro` and not `macro`.
        seed: Of the bootstrap.
    """
    values, weights = _arrays(scores, pool=pool)
    low, high = _interval(len(values), lambda drawn: _mean(values[drawn], weights[drawn]), seed)
    failed = sum(score.failed for score in scores)
    return Summary(
        value=_mean(values, weights),
        low=low,
        high=high,
        counted=len(values),
        not_applicable=len(scores) - len(values) - failed,
        failed=failed,
    )


def compare(ours: Sequence[Score], baseline: Sequence[Score], *, pool: bool = False, seed: int = 0) -> Comparison:
    """What one system gains over another, pair by pair.

    Raises:
        ValueError: they are not of equally many cases.
    """
    if len(ours) != len(baseline):
        raise ValueError(
            f"found {len(ours)} and {len(baseline)} scores, expected scores of the same cases in the same order"
        )
    pairs = [
        (one, other)
        for one, other in zip(ours, baseline, strict=True)
        if one.value is not None and other.value is not None
    ]
    mine, weights = _arrays([one for one, _ in pairs], pool=pool)
    theirs, others = _arrays([other for _, other in pairs], pool=pool)

    def difference(drawn: npt.NDArray[np.intp]) -> float | None:
        one, other = _mean(mine[drawn], weights[drawn]), _mean(theirs[drawn], others[drawn])
        return None if one is None or other is None else one - other

    low, high = _interval(len(pairs), difference, seed)
    wins, losses = int((mine > theirs).sum()), int((mine < theirs).sum())
    return Comparison(
        difference=difference(np.arange(len(pairs))),
        low=low,
        high=high,
        wins=wins,
        losses=losses,
        ties=len(pairs) - wins - losses,
        p=sign_test(wins, losses),
        left_out=len(ours) - len(pairs),
    )


def sign_test(wins: int, losses: int) -> float:
    """How likely wins and losses are so far apart, or farther, where each is as likely as the other."""
    count = wins + losses
    tail = sum(_choices(count, min(wins, losses)))
    return float(min(1.0, 2 * tail / 2**count))


def _choices(count: int, most: int) -> Iterator[int]:
    """Binomial coefficients from none to `most`, each from the one before."""
    ways = 1
    for taken in range(most + 1):
        yield ways
        ways = ways * (count - taken) // (taken + 1)


def _arrays(scores: Sequence[Score], *, pool: bool) -> tuple[Numbers, Numbers]:
    """Values and weights of the scores that have a value."""
    there = [(score.value, score.of if pool else 1) for score in scores if score.value is not None]
    pairs = np.array(there, dtype=np.float64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _mean(values: Numbers, weights: Numbers) -> float | None:
    total = weights.sum()
    return float(math.fsum(values * weights) / total) if total else None


def _interval(
    count: int, statistic: Callable[[npt.NDArray[np.intp]], float | None], seed: int
) -> tuple[float | None, float | None]:
    random = np.random.default_rng(seed)
    drawn = (statistic(random.integers(0, count, count)) for _ in range(ROUNDS if count else 0))
    found = [value for value in drawn if value is not None]
    if not found:
        return None, None
    low, high = np.quantile(found, [(1 - INSIDE) / 2, (1 + INSIDE) / 2])
    return float(low), float(high)
