"""Each metric against values that were worked out by hand, and against another implementation where there is one."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thread_eval.aggregates import column, compare, macro, micro, sign_test, summarise
from thread_eval.metrics.action_items import f1_of, score_items
from thread_eval.metrics.incidents import Outcome, score_incident
from thread_eval.metrics.inscoqa import character_rouge_l, task_completion, word_rouge_l
from thread_eval.metrics.mind2web import StepScore, operation_f1, score_step, score_task
from thread_eval.metrics.mt_mind2web import score_conversation, score_ranked_step
from thread_eval.scores import Score, failure, not_applicable


def values(scores: dict[str, Score]) -> dict[str, float | None]:
    return {name: score.value for name, score in scores.items()}


# -- the web -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "wanted", "f1"),
    [
        ("TYPE laptop", "TYPE laptop", 1),
        ("TYPE red shoes", "TYPE shoes", 0.8),  # P 2/3, R 2/2
        ("CLICK", "TYPE laptop", 0),
        ("TYPE a a a", "TYPE a", 1),  # sets: how often does not count
        ("", "", 1),
        ("", "CLICK", 0),
        ("type laptop", "TYPE laptop", 0.5),
    ],
)
def test_the_f1_of_an_operation(operation: str, wanted: str, f1: float) -> None:
    assert operation_f1(operation, wanted) == pytest.approx(f1)


def test_marks_that_stand_alone_can_be_left_out_of_an_operation() -> None:
    assert operation_f1("TYPE : laptop .", "TYPE laptop") == pytest.approx(2 * 2 / 6)
    assert operation_f1("TYPE : laptop .", "TYPE laptop", drop_punctuation=True) == 1


RIGHT, HALF, OTHER = (
    score_step("1", "CLICK", {"1", "2"}, "CLICK"),
    score_step("2", "TYPE a b", {"2"}, "TYPE a"),
    StepScore(False, 1),
)


def test_a_task_counts_elements_operations_steps_and_itself() -> None:
    assert values(score_task([RIGHT, HALF, OTHER])) == {
        "element_accuracy": pytest.approx(2 / 3),
        "operation_f1": pytest.approx((1 + 0.8 + 1) / 3),
        "step_success": pytest.approx(1 / 3),
        "task_success": 0,
    }
    assert score_task([RIGHT, RIGHT])["task_success"].value == 1
    assert set(values(score_task([])).values()) == {None}


def test_a_step_whose_right_elements_are_ranked_too_low_counts_nothing() -> None:
    ranked = [str(number) for number in range(60)]
    assert score_ranked_step("49", "CLICK", {"49", "50"}, "CLICK", ranked=ranked) == StepScore(True, 1)
    assert score_ranked_step("50", "CLICK", {"49", "50"}, "CLICK", ranked=ranked) == StepScore(False, 1)
    assert score_ranked_step("50", "CLICK", {"50"}, "CLICK", ranked=ranked) == StepScore(False, 0)
    assert score_step(None, "", {"1"}, "CLICK") == StepScore(False, 0)


def test_conversations_count_turns_and_steps_within_them() -> None:
    one, other = [[RIGHT, RIGHT], [RIGHT, HALF, OTHER]], [[OTHER], []]
    talks = [score_conversation(one), score_conversation(other)]
    assert macro(column(talks, "step_success")) == pytest.approx((3 / 5 + 0) / 2)
    assert micro(column(talks, "micro_step_success")) == pytest.approx(3 / 6)
    assert macro(column(talks, "turn_success")) == pytest.approx((1 / 2 + 0) / 2)
    assert micro(column(talks, "micro_turn_success")) == pytest.approx(1 / 3)
    assert micro(column(talks, "element_accuracy")) == pytest.approx((1 + 2 / 3 + 0) / 3)
    assert micro(column(talks, "micro_element_accuracy")) == pytest.approx(4 / 6)
    assert micro(column(talks, "operation_f1")) == pytest.approx((1 + 2.8 / 3 + 1) / 3)
    assert micro(column(talks, "micro_operation_f1")) == pytest.approx(5.8 / 6)
    assert set(values(score_conversation([[]])).values()) == {None}


# -- plans and incidents -------------------------------------------------------------------------------------------


def test_action_items_give_precision_recall_and_f1() -> None:
    scores = score_items(4, 5, [(0, 0), (1, 3), (3, 1)])
    assert values(scores) == {"precision": 0.75, "recall": 0.6, "f1": pytest.approx(2 * 0.75 * 0.6 / 1.35)}
    assert (scores["precision"].of, scores["recall"].of) == (4, 5)
    assert values(score_items(0, 2, [])) == {"precision": None, "recall": 0, "f1": 0}
    assert values(score_items(2, 0, [])) == {"precision": 0, "recall": None, "f1": None}
    assert f1_of(0.75, 0.6) == pytest.approx(2 / 3)
    assert (f1_of(0, 0), f1_of(None, 1)) == (0, None)


@pytest.mark.parametrize("matches", [[(0, 0), (0, 1)], [(0, 0), (1, 0)], [(2, 0)], [(0, -1)]])
def test_an_item_is_matched_once_and_is_there(matches: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="expected each at most once"):
        score_items(2, 2, matches)


def test_an_incident_counts_what_went_well_before_the_first_failure() -> None:
    ok, no, human = Outcome.SUCCESS, Outcome.FAILURE, Outcome.HUMAN
    assert values(score_incident([ok, ok, human, ok, no], mitigated=True, turns=6)) == {
        "success": 0,
        "step_success": 0.6,
        "step_success_before_failure": 0.4,
        "human_intervention": 0.2,
        "turns": 6,
    }
    assert score_incident([ok, no, ok], mitigated=True, turns=3)["success"].value == 1
    assert score_incident([], mitigated=False, turns=0)["step_success"].value is None


# -- texts ---------------------------------------------------------------------------------------------------------


def test_rouge_l_is_the_f_of_the_longest_common_subsequence() -> None:
    assert word_rouge_l("Turn the valve.", "turn the red valve").value == pytest.approx(2 * 3 / (3 + 4))
    assert character_rouge_l("abcd", "ABXD").value == pytest.approx(2 * 3 / 8)
    assert character_rouge_l(" a \n b", "a b").value == 1
    assert word_rouge_l("Ventil öffnen", "Das Ventil öffnen").value == pytest.approx(0.8)
    assert word_rouge_l("", "a").value == 0
    assert word_rouge_l("a", "...").value is None


@given(*[st.lists(st.sampled_from(["turn", "the", "valve", "red", "7"]), min_size=1).map(" ".join)] * 2)
def test_rouge_l_is_what_rouge_score_says(answer: str, reference: str) -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"])
    assert word_rouge_l(answer, reference).value == pytest.approx(scorer.score(reference, answer)["rougeL"].fmeasure)


def test_rouge_l_of_long_texts_takes_no_time() -> None:
    began = time.process_time()
    assert character_rouge_l("ab" * 10_000, "ba" * 10_000).value == pytest.approx(1, abs=0.001)
    assert time.process_time() - began < 2


def test_task_completion_is_the_share_of_the_true_steps() -> None:
    assert task_completion(3, 4) == Score(value=0.75, reason="3 of 4 steps", of=4)
    assert task_completion(0, 0).value is None
    with pytest.raises(ValueError, match="5 of 4"):
        task_completion(5, 4)


# -- many scores ---------------------------------------------------------------------------------------------------

SCORES = [Score(value=1, of=1), Score(value=0.5, of=3), not_applicable("none"), failure("no reply")]


def test_scores_without_a_value_are_counted_and_are_no_zeros() -> None:
    assert macro(SCORES) == 0.75
    assert micro(SCORES) == pytest.approx(2.5 / 4)
    assert macro(SCORES[2:]) is micro([]) is None
    summary = summarise(SCORES)
    assert (summary.value, summary.counted, summary.not_applicable, summary.failed) == (0.75, 2, 1, 1)
    assert (summary.low, summary.high) == (0.5, 1)
    assert summarise(SCORES[2:]).low is None


@pytest.mark.parametrize("wrong", [{"value": math.nan}, {"value": math.inf}, {"value": 0, "failed": True}])
def test_a_score_is_a_number_or_none(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError):
        Score(**wrong)


def test_an_interval_is_the_same_with_the_same_seed_and_near_what_theory_says() -> None:
    scores = [Score(value=index % 2) for index in range(400)]
    one = summarise(scores, seed=1)
    assert one == summarise(scores, seed=1) != summarise(scores, seed=2)
    assert one.low == pytest.approx(0.5 - 1.96 * 0.5 / 20, abs=0.01)
    assert one.high == pytest.approx(0.5 + 1.96 * 0.5 / 20, abs=0.01)


def test_two_systems_are_compared_pair_by_pair() -> None:
    ours = [*(Score(value=1) for _ in range(9)), Score(value=0), failure("no reply")]
    theirs = [Score(value=0), *(Score(value=1) for _ in range(8)), Score(value=1), Score(value=1)]
    found = compare(ours, theirs)
    assert (found.difference, found.wins, found.losses, found.ties, found.left_out) == (0, 1, 1, 8, 1)
    assert found.low is not None and found.high is not None and found.low < 0 < found.high
    assert compare([], []).difference is None
    with pytest.raises(ValueError, match="found 1 and 0 scores"):
        compare(ours[:1], [])


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(5, 5, 1), (0, 0, 1), (9, 1, 22 / 1024), (1, 9, 22 / 1024), (6, 0, 2 / 64), (3, 2, 1)],
)
def test_the_sign_test_is_exact(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p)


def test_the_sign_test_takes_many_pairs() -> None:
    assert sign_test(7000, 6800) == pytest.approx(0.09, abs=0.01)
