"""Incidents with an engineer in the loop: how far a system gets by itself (Thread's experiments on them)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import takewhile

from thread_eval.scores import Score, mean_of


class Outcome(StrEnum):
    """What became of one step of an incident."""

    SUCCESS = "success"
    FAILURE = "failure"
    HUMAN = "human"
    """A human had to do it: that is no success of the system's."""


def score_incident(steps: Sequence[Outcome], *, mitigated: bool, turns: int) -> dict[str, Score]:
    """Of one incident. The paper's shares of steps are over all steps (`micro`).

    Args:
        steps: What became of each step, in order.
        mitigated: Whether the incident was mitigated in the end.
        turns: How often the system and the human spoke.
    """
    is_success = [step is Outcome.SUCCESS for step in steps]
    before = sum(takewhile(bool, is_success))
    return {
        "success": Score(value=float(mitigated and Outcome.HUMAN not in steps), reason="mitigated without a human"),
        "step_success": mean_of(is_success, "steps"),
        "step_success_before_failure": mean_of([index < before for index in range(len(steps))], "steps"),
        "human_intervention": mean_of([step is Outcome.HUMAN for step in steps], "steps"),
        "turns": Score(value=turns, reason="interactions"),
    }
