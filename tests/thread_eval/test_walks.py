from __future__ import annotations

import pytest

from tests.thread_eval.kettle import FIRST, KETTLE, SECOND, STEPS, THIRD, Scripted, quote
from thread_eval.aggregates import column, micro
from thread_eval.datasets.gold import Task
from thread_eval.metrics.retrieval import retrieved_tokens, score_retrieval, step_recall
from thread_eval.metrics.walks import score_walk
from thread_eval.scores import Score
from thread_eval.shown import clip, shows
from thread_eval.system import Reply
from thread_eval.walking import AGREED, DONE, explore, walk


def test_units_are_cut_where_the_tokens_run_out() -> None:
    assert clip(["one two", "three, four"], 4) == ["one two", "three,"]
    assert clip(["one two", "three"], 2) == ["one two"]
    assert clip(["one two"], 9) == ["one two"]
    assert clip(["one"], 0) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1. Push the  plug\n   into the WALL.", True),
        ("- Push\n> the plug into the wall", True),
        ("Push the plug into a wall", False),
        ("Push it. The plug is white. Many a house has such a plug, and into each wall the builders put two.", False),
    ],
)
def test_a_step_is_shown_verbatim(text: str, shown: bool) -> None:
    assert shows(text, SECOND) is shown


def test_a_step_is_shown_when_nearly_all_of_its_words_stand_together() -> None:
    wanted = "Write down the fullest filesystem and go to the search for the cause"
    assert shows("Write down the fullest filesystem, and go to the search for a cause", wanted)
    assert not shows("Write down the fullest filesystem", wanted)
    assert not shows(f"Write down the fullest {'word ' * 40} filesystem and go to the search for the", wanted)


def test_recall_counts_the_steps_within_the_budget() -> None:
    scores = score_retrieval([f"{FIRST}.", "word " * 300, f"{SECOND}."], [FIRST, SECOND, THIRD])
    assert {name: score.value for name, score in scores.items()} == {
        "recall@250": pytest.approx(1 / 3),
        "recall@500": pytest.approx(2 / 3),
        "recall@1000": pytest.approx(2 / 3),
        "recall@2000": pytest.approx(2 / 3),
        "complete@2000": 0,
        "unit_tokens": pytest.approx((5 + 300 + 7) / 3),
        "retrieved_tokens": 5 + 300 + 7,
    }
    assert scores["recall@500"].reason == "2 of 3 steps"


def test_nothing_retrieved_is_zero_of_the_steps_and_has_no_unit_size() -> None:
    scores = score_retrieval([], [FIRST])
    assert scores["recall@250"].value == scores["complete@2000"].value == retrieved_tokens([]).value == 0
    assert scores["unit_tokens"].value is None
    assert step_recall(["text"], []) == Score(value=None, reason="there are no steps", of=0)


def test_a_walk_says_done_and_answers_a_question_with_yes() -> None:
    system = Scripted([STEPS[0], Reply("Is it yours?", "asking"), STEPS[1], Reply("Good.", "resolved"), STEPS[2]])
    turns = list(walk(system, "Why?"))
    assert [turn.text for turn in turns][-1] == "Good."
    assert system.heard == ["", DONE, AGREED, DONE]


def test_a_walk_ends_when_patience_does() -> None:
    assert len(list(walk(Scripted([Reply("word " * 1000)] * 9), "Why?"))) == 3


def scored(system: Scripted, task: Task = KETTLE) -> dict[str, Score]:
    return score_walk(explore(system, task), task)


FAR = Reply(f"{'word ' * 300}{SECOND}.", first="Something else.")
OVER = Reply(f"{SECOND}.", "escalate")


@pytest.mark.parametrize(
    ("steps", "out", "shines", "values"),
    [
        (STEPS, [STEPS[1]], [Reply("Good.", "resolved")], (1, 1, 1, 1, 1)),
        (STEPS, [FAR], [FAR], (1, 1, 0, 0, 0)),
        (STEPS, [OVER], [OVER], (1, 0, 0, 0, 0)),
        (STEPS, [Reply("Which one?", "asking"), STEPS[1]], [STEPS[0]], (1, 1, 1, 1, 0)),
        (STEPS[1:2], [STEPS[1]], [], (1 / 3, 0, 0, 0, 0)),
    ],
    ids=["right", "only in the wide score", "ends the walk", "asks first", "its step is never shown"],
)
def test_right_branches_and_endings_count(
    steps: list[Reply], out: list[Reply], shines: list[Reply], values: tuple[float, ...]
) -> None:
    scores = scored(Scripted(steps, {"it is out": out, "it shines": shines}))
    names = ("walk_recall", "branch", "branch_strict", "branch_first", "endings")
    assert tuple(scores[name].value for name in names) == values


MENU = Reply("Which one?", "asking", options=("It is out", "It is in"), place="kettle.md:1")


@pytest.mark.parametrize(
    ("told", "end"),
    [
        (STEPS[1], "right"),
        (MENU, "menu"),
        (Reply("Pardon?", "unknown"), "stuck"),
        (Reply("Tea is nice.", place="tea.md:1"), "wrong"),
    ],
)
def test_what_became_of_an_outcome(told: Reply, end: str) -> None:
    steps = [Reply(f"{FIRST}.", place="kettle.md:1"), *STEPS[1:]]
    outcomes = {"it is out": [told, told], "it shines": [STEPS[0], STEPS[0]], "1": [STEPS[0]] * 9, "2": [STEPS[1]] * 9}
    scores = scored(Scripted(steps, outcomes))
    assert {name: scores[name].value for name in ("right", "menu", "stuck", "wrong")} == {
        **dict.fromkeys(("right", "menu", "stuck", "wrong"), 0),
        end: 1,
    }


@pytest.mark.parametrize(
    ("first", "entry"),
    [
        (Reply(FIRST, place="kettle.md:1"), "right"),
        (Reply("Which guide?", "asking", options=("Tea", "Kettle")), "menu"),
        (Reply("No guide fits.", "unknown"), "none"),
        (Reply("Tea is nice.", place="tea.md:1"), "wrong"),
        (Reply("Some chunk."), None),
    ],
)
def test_where_a_question_leads(first: Reply, entry: str | None) -> None:
    outcomes = {"it is out": STEPS[1:2] * 2, "it shines": STEPS[1:2], "1": [Reply("Tea", place="tea.md:1")] * 9}
    scores = scored(Scripted([first], outcomes | {"2": [Reply("Kettle", place="kettle.md:1")] * 9}))
    found = {name: scores[f"entry_{name}"].value for name in ("right", "menu", "none", "wrong")}
    assert found == {name: None if entry is None else float(name == entry) for name in found}


def test_a_prerequisite_counts_when_a_turn_of_the_walk_shows_it() -> None:
    needy = KETTLE.model_copy(update={"prerequisites": (quote(SECOND), quote("call the electrician"))})
    assert micro(column([scored(Scripted(STEPS), needy), scored(Scripted(STEPS))], "prerequisites")) == 0.5
    assert scored(Scripted(STEPS))["prerequisites"].value is None
