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
    "entry_right": "the question leads into the right guide at once",
    "entry_menu": "it leads there by one of the options shown",
    "entry_none": "the system says that nothing fits",
    "entry_wrong": "it leads into another guide",
    "right": "an outcome that is reported leads to the right next step at once",
    "menu": "it leads there by one of the options shown",
    "stuck": "it leads nowhere",
    "wrong": "it leads to another step",
    "branch": "the right next step is shown for an outcome, of all outcomes",
    "endings": "the end is announced where there is one, and only there",
    "walk_recall": "steps that somebody sees who says “done” again and again",
    "prerequisites": "prerequisites that are seen in it",
    **{f"recall@{n}": f"steps or facts in the first {n:,} tokens retrieved" for n in (*retrievals.BUDGETS, *BUDGETS)},
    **{f"complete@{n}": f"questions of which all are in the first {n:,}" for n in (400, 2000)},
    "element_accuracy": "the chosen element is a right one",
    "operation_f1": "tokens of the operation and its value",
    "step_success": "actions with the right element and operation",
    "task_success": "tasks of which all actions are right",
    "turn_success": "turns of which all actions are right, a conversation",
    "micro_element_accuracy": "elements, each action alike",
    "micro_operation_f1": "operations, each action alike",
    "micro_step_success": "actions, each alike",
    "micro_turn_success": "turns, each alike",
    "guide_tokens": "tokens of guides, an action",
    "solved": "a judge says that the answer solves the task",
    "f1": "what is to be done, item by item, beside the true steps",
    "precision": "items of the answer that are true ones",
    "recall": "true items that are in the answer",
    "task_completion": "true steps that are in the answer's list",
    "rating": "a judge's rating beside the true answer, 1 to 10",
    "word_rouge_l": "longest common subsequence of words with the true answer",
    "character_rouge_l": "the same of characters",
    "unit_tokens": "tokens of one unit or chunk",
    "retrieved_tokens": "tokens of all that is retrieved",
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
