"""A plain answer and a list of instructions beside the right ones (InsCoQA)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thread_core.errors import missing
from thread_eval.scores import Score, not_applicable

try:
    from rapidfuzz.distance import LCSseq
except ModuleNotFoundError as error:
    raise missing(error, "eval") from error

BEST = 10
"""The best that a judge can rate an answer; the worst is 1."""

_WORD = re.compile(r"\w+")


def word_rouge_l(answer: str, reference: str) -> Score:
    """ROUGE-L over words, without regard to case and punctuation.

    Example:
        word_rouge_l("Turn the valve.", "Turn the red valve").value  # 2 * 3 / (3 + 4)
    """
    return _rouge_l(*(_WORD.findall(text.casefold()) for text in (answer, reference)))


def character_rouge_l(answer: str, reference: str) -> Score:
    """ROUGE-L over characters, without regard to case; white space is one space."""
    return _rouge_l(*(" ".join(text.casefold().split()) for text in (answer, reference)))


def task_completion(covered: int, steps: int) -> Score:
    """Share of the true steps that are in a system's list, as a judge counts them.

    Raises:
        ValueError: more are covered than there are.
    """
    if not 0 <= covered <= steps:
        raise ValueError(f"{covered} of {steps} steps cannot be covered")
    if not steps:
        return not_applicable("there are no true steps")
    return Score(value=covered / steps, reason=f"{covered} of {steps} steps", of=steps)


def _rouge_l(answer: Sequence[str], reference: Sequence[str]) -> Score:
    """F of the longest common subsequence with beta 1: R = LCS/m, P = LCS/n, F = 2RP/(R+P) = 2 LCS/(m+n)."""
    if not reference:
        return not_applicable("the reference is empty")
    # Compiled, and of words as well as characters; rouge-score rests since 2022 and passes over all but ASCII.
    common = LCSseq.similarity(answer, reference)
    return Score(value=2 * common / (len(answer) + len(reference)), reason=f"{common} in common")
