"""Web navigation step by step: the element, the operation, the step, the task (Thread's experiments on Mind2Web)."""

from __future__ import annotations

import string
from collections.abc import Collection, Sequence
from typing import NamedTuple

from thread_eval.scores import Score, mean_of


class StepScore(NamedTuple):
    """One step of a task."""

    element: bool
    """Whether the chosen element is among the accepted ones."""
    operation: float
    """F1 of the operation's tokens."""

    @property
    def success(self) -> bool:
        """Element and operation are both right."""
        return self.element and self.operation == 1


def score_step(
    element: str | None, operation: str, accepted: Collection[str], wanted: str, *, drop_punctuation: bool = False
) -> StepScore:
    """One step.

    Args:
        element: The id of the chosen element; None where none was chosen.
        operation: What was to be done with it, such as `TYPE laptop`.
        accepted: The ids of the right elements.
        wanted: The right operation.
        drop_punctuation: As in `operation_f1`.

    Example:
        score_step("12", "TYPE red shoes", {"12"}, "TYPE shoes").operation  # 0.8
    """
    return StepScore(element in accepted, operation_f1(operation, wanted, drop_punctuation=drop_punctuation))


def operation_f1(operation: str, wanted: str, *, drop_punctuation: bool = False) -> float:
    """F1 over the sets of tokens between spaces; 1 where both are empty, 0 where one is.

    Args:
        operation: The operation and its value, as a system gave them.
        wanted: The right ones.
        drop_punctuation: Whether tokens that are a mark alone are left out, as where an operation is generated freely.
    """
    dropped = {*string.punctuation} if drop_punctuation else set()
    given, right = ({*text.split()} - dropped for text in (operation, wanted))
    if not given and not right:
        return 1.0
    return 2 * len(given & right) / (len(given) + len(right))


def score_task(steps: Sequence[StepScore]) -> dict[str, Score]:
    """Of one task. The papers' means are over all steps (`micro`), and over tasks for `task_success`."""
    return {
        "element_accuracy": mean_of([step.element for step in steps], "steps"),
        "operation_f1": mean_of([step.operation for step in steps], "steps"),
        "step_success": mean_of([step.success for step in steps], "steps"),
        "task_success": mean_of([all(step.success for step in steps)] if steps else [], "tasks"),
    }
