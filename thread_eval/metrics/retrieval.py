"""What one question gives, before anything is said: how many of the steps, in how much text."""

from __future__ import annotations

from collections.abc import Sequence

from thread_core.text.words import count_tokens
from thread_eval.scores import Score, mean_of
from thread_eval.shown import clip, shows

BUDGETS = (250, 500, 1000, 2000)
"""Tokens of a retrieval that are looked at."""


def score_retrieval(units: Sequence[str], steps: Sequence[str], budgets: Sequence[int] = BUDGETS) -> dict[str, Score]:
    """Of one question.

    Args:
        units: What was retrieved, best first.
        steps: Quotes of what a good answer shows.
        budgets: Tokens that are looked at, the most last.
    """
    recalls = {budget: step_recall(clip(units, budget), steps) for budget in budgets}
    most = recalls[budgets[-1]]
    whole = Score(value=float(most.value == 1), reason=most.reason) if steps else most
    return {
        **{f"recall@{budget}": recall for budget, recall in recalls.items()},
        f"complete@{budgets[-1]}": whole,
        "unit_tokens": mean_of([count_tokens(unit) for unit in units], "tokens, a unit"),
        "retrieved_tokens": retrieved_tokens(units),
    }


def step_recall(texts: Sequence[str], steps: Sequence[str]) -> Score:
    """Share of the steps that stand in one of some texts."""
    return mean_of([any(shows(text, step) for text in texts) for step in steps], "steps")


def retrieved_tokens(units: Sequence[str]) -> Score:
    """Tokens of the units that reach the generator in one step; zero where nothing was retrieved."""
    return Score(value=sum(map(count_tokens, units)), reason=f"in {len(units)} units")
