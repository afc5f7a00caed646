"""Web navigation in conversations: the same steps in turns, from ranked candidates (MT-Mind2Web)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from statistics import fmean

from thread_eval.metrics.mind2web import StepScore, score_step
from thread_eval.scores import Score, mean_of

CANDIDATES = 50
"""How many ranked elements a system chooses from."""


def score_ranked_step(
    element: str | None,
    operation: str,
    accepted: Collection[str],
    wanted: str,
    *,
    ranked: Sequence[str],
    drop_punctuation: bool = False,
) -> StepScore:
    """`score_step` that counts nothing where no right element is among the first candidates.

    Right elements behind them are not accepted either.
    """
    within = {*accepted}.intersection(ranked[:CANDIDATES])
    if not within:
        return StepScore(False, 0.0)
    return score_step(element, operation, within, wanted, drop_punctuation=drop_punctuation)


def score_conversation(turns: Sequence[Sequence[StepScore]]) -> dict[str, Score]:
    """Of one conversation; a turn without a step is none.

    The papers' mean of `step_success` and `turn_success` is over conversations (`macro`), of the others over turns or
    steps, which are what they count (`micro`).
    """
    filled = [steps for steps in turns if steps]
    steps = [step for turn in filled for step in turn]
    success = mean_of([step.success for step in steps], "steps")
    turn_success = mean_of([all(step.success for step in turn) for turn in filled], "turns")
    return {
        "element_accuracy": mean_of([fmean(step.element for step in turn) for turn in filled], "turns"),
        "operation_f1": mean_of([fmean(step.operation for step in turn) for turn in filled], "turns"),
        "step_success": success,
        "turn_success": turn_success,
        "micro_element_accuracy": mean_of([step.element for step in steps], "steps"),
        "micro_operation_f1": mean_of([step.operation for step in steps], "steps"),
        "micro_step_success": success,
        "micro_turn_success": turn_success,
    }
