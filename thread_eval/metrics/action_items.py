"""How much of a true plan a generated one says, item by item (Thread's on WikiHow). A judge says which items match."""

from __future__ import annotations

from collections.abc import Collection

from thread_eval.scores import Score, mean_of, not_applicable

Match = tuple[int, int]
"""Positions, from 0, of a generated item and of the true one that it says."""


def score_items(generated: int, true: int, matches: Collection[Match]) -> dict[str, Score]:
    """Precision, recall and F1 of one plan.

    The F1 of many plans is `f1_of` their mean precision and recall, as in the paper.

    Args:
        generated: How many items the system's plan has.
        true: How many the right plan has.
        matches: Which are the same.

    Raises:
        ValueError: an item is matched twice, or there is no such item.
    """
    for side, count in enumerate((generated, true)):
        named = [match[side] for match in matches]
        if len({*named}) < len(named) or not {*named} <= {*range(count)}:
            raise ValueError(f"matches name {sorted(named)} of {count} items; expected each at most once, from 0")
    hits = len(matches)
    both = f"{hits} matched, {generated} generated, {true} true"
    f1 = Score(value=2 * hits / (generated + true), reason=both) if true else not_applicable("there are no true items")
    return {
        "precision": mean_of([index < hits for index in range(generated)], "generated items"),
        "recall": mean_of([index < hits for index in range(true)], "true items"),
        "f1": f1,
    }


def f1_of(precision: float | None, recall: float | None) -> float | None:
    """The harmonic mean; None where one of both is."""
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
