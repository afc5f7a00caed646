"""Scores as figures that a person reads: each metric in words, each value with its interval and what it gains."""

from __future__ import annotations

from dataclasses import dataclass

from thread_eval.aggregates import Comparison, Summary
from thread_eval.kinds import retrievals
from thread_eval.metrics.retrieval import BUDGETS
from thread_eval.runs import Scores
from thread_eval.systems import SYSTEMS

CHANCE = 0.05
"""Above this `p` a difference may be chance."""

MEANINGS = {
    "entry_right": "the question leads to the right guide directly",
    "entry_menu": "it leads there by one of the options shown",
    "entry_none": "the system says that nothing fits",
    "entry_wrong": "it leads to another guide",
    "right": "a reported outcome leads to the right next step directly",
    "menu": "it leads there by one of the options shown",
    "stuck": "it leads nowhere",
    "wrong": "it leads to another step",
    "branch": "share of all outcomes for which the right next step is shown",
    "endings": "the end is announced where there is one, and nowhere else",
    "walk_recall": "steps that a person sees who always says “done”",
    "prerequisites": "prerequisites that are shown there",
    **{f"recall@{n}": f"steps or facts in the first {n:,} tokens retrieved" for n in (*retrievals.BUDGETS, *BUDGETS)},
    **{f"complete@{n}": f"questions with all of them in the first {n:,}" for n in (400, 2000)},
    "element_accuracy": "the chosen element is a right one",
    "operation_f1": "tokens of the operation and its value",
    "step_success": "actions with the right element and operation",
    "task_success": "tasks with only right actions",
    "turn_success": "turns with only right actions, averaged over conversations",
    "micro_element_accuracy": "elements, every action with the same weight",
    "micro_operation_f1": "operations, every action with the same weight",
    "micro_step_success": "actions, every action with the same weight",
    "micro_turn_success": "turns, every turn with the same weight",
    "guide_tokens": "tokens of guides per action",
    "solved": "a judge says that the answer solves the task",
    "f1": "action items, compared with the true steps",
    "precision": "share of the answer's items that are true",
    "recall": "share of the true items that are in the answer",
    "task_completion": "share of the true steps that are in the answer",
    "rating": "a judge's rating compared with the true answer, 1 to 10",
    "word_rouge_l": "longest common subsequence of words with the true answer",
    "character_rouge_l": "the same with characters",
    "unit_tokens": "tokens per unit or chunk",
    "retrieved_tokens": "tokens of everything retrieved",
    "walk_tokens": "tokens of a whole walk",
}
"""The metrics that are shown, in words; docs/evaluation.md defines them."""


@dataclass(frozen=True, slots=True)
class Row:
    """One system in one metric."""

    system: str
    summary: Summary
    against: Comparison | None

    @property
    def figure(self) -> str:
        """The value with its interval."""
        one = self.summary
        if one.value is None or one.low is None or one.high is None:
            return "–"
        return f"{number(one.value)} [{number(one.low)}, {number(one.high)}]"

    @property
    def lacking(self) -> str:
        """How many cases it could not be taken in."""
        return f"{self.summary.failed:,} failed" if self.summary.failed else ""

    @property
    def beside(self) -> str:
        """What it gains over the baseline, with `p`."""
        if self.against is None or self.against.difference is None:
            return ""
        gain = number(self.against.difference)
        sign = "" if gain.startswith("-") else "+"
        p = "< 0.001" if self.against.p < 0.001 else f"{self.against.p:.3f}"
        return f"{sign}{gain}, p {p}"

    @property
    def is_sure(self) -> bool:
        """Whether that is hardly chance."""
        return self.against is not None and self.against.p < CHANCE

    @property
    def is_ours(self) -> bool:
        """Whether it is one of this project's."""
        return SYSTEMS[self.system].is_ours


def rows_of(scores: Scores, metric: str) -> list[Row]:
    """All systems in one metric; none where it applies to nothing."""
    rows = [
        Row(name, one.summaries[metric], one.against.get(metric))
        for name, one in scores.systems.items()
        if metric in one.summaries
    ]
    return rows if any(row.summary.counted or row.summary.failed for row in rows) else []


def number(value: float) -> str:
    """A share with two digits, tokens with none."""
    return f"{value:.2f}" if abs(value) <= 10 else f"{value:,.0f}"
