"""What evaluators of either framework measure of one answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.plan import Plan
from thread_eval import judges
from thread_eval.metrics.inscoqa import BEST, character_rouge_l, word_rouge_l
from thread_eval.metrics.retrieval import BUDGETS, step_recall
from thread_eval.scores import Score
from thread_eval.shown import clip


@dataclass(frozen=True, slots=True)
class Case:
    """One question, what a system gave, and what is right."""

    question: str
    answer: str
    contexts: tuple[str, ...] = ()
    """What was retrieved, best first."""
    reference: str = ""
    """The true answer."""
    steps: tuple[str, ...] = ()
    """The true steps; for `step_recall`, as quotes of the documents."""


class Measure(NamedTuple):
    """One metric."""

    score: Callable[[Case], Plan[Score]]
    asks: bool = False
    """Whether a model judges."""
    best: float = 1.0


def _without_model(score: Callable[[Case], Score]) -> Measure:
    def plan(case: Case) -> Plan[Score]:
        yield from ()
        return score(case)

    return Measure(plan)


def _item_f1(case: Case) -> Plan[Score]:
    return (yield from judges.plan_scores(case.answer, case.steps))["f1"]


def _task_completion(case: Case) -> Plan[Score]:
    """The lines of an answer are its list."""
    lines = [line.strip() for line in case.answer.splitlines() if line.strip()]
    return (yield from judges.steps_covered(lines, case.steps))


MEASURES: Mapping[str, Measure] = {
    "step_recall": _without_model(lambda case: step_recall(clip(case.contexts, BUDGETS[-1]), case.steps)),
    "word_rouge_l": _without_model(lambda case: word_rouge_l(case.answer, case.reference)),
    "character_rouge_l": _without_model(lambda case: character_rouge_l(case.answer, case.reference)),
    "solved": Measure(lambda case: judges.solved(case.question, case.answer, case.steps), asks=True),
    "rating": Measure(lambda case: judges.rating(case.question, case.answer, case.reference), asks=True, best=BEST),
    "item_f1": Measure(_item_f1, asks=True),
    "task_completion": Measure(_task_completion, asks=True),
}
"""By name; docs/evaluation.md defines each."""


def measure_named(name: str, access: ModelAccess) -> Measure:
    """One of them.

    Raises:
        ValueError: there is none of that name, or it needs a model and has none.
    """
    if name not in MEASURES:
        raise ValueError(f"found {name!r}, expected one of {', '.join(MEASURES)}")
    if MEASURES[name].asks and access.name(Role.JUDGE) is None:
        raise ValueError(f"{name} needs a model that judges, and there is none for the role {Role.JUDGE}; pass one")
    return MEASURES[name]
