"""What a metric says of one case: a value, or that there is none, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Self

from pydantic import Field, model_validator

from thread_core.models import Model


class Score(Model):
    """One metric of one case.

    Example:
        Score(value=0.5, of=4, reason="2 of 4 steps")
    """

    value: float | None = Field(allow_inf_nan=False)
    """None where the metric does not apply or could not be taken: that is never a zero."""
    reason: str = ""
    failed: bool = False
    """Whether it could not be taken, such as by a judge that gave no usable reply."""
    of: int = Field(default=1, ge=0)
    """How many things the value is the mean of, such as steps: their weight where cases are pooled."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if self.failed and self.value is not None:
            raise ValueError(f"found the value {self.value}, expected none for a failed score")
        return self


def not_applicable(reason: str) -> Score:
    """There is nothing to measure."""
    return Score(value=None, reason=reason, of=0)


def failure(reason: str) -> Score:
    """It could not be measured."""
    return Score(value=None, reason=reason, failed=True, of=0)


def mean_of(values: Sequence[float], things: str) -> Score:
    """The mean of some things, named for the reason; not applicable where there are none."""
    if not values:
        return not_applicable(f"there are no {things}")
    return Score(value=fmean(values), reason=f"{sum(values):g} of {len(values)} {things}", of=len(values))
