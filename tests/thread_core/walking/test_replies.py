"""What a person's line means, in the words that people write."""

from __future__ import annotations

import pytest

from thread_core.retrieval.prerequisites import Verdict
from thread_core.walking import replies
from thread_core.walking.states import Event


@pytest.mark.parametrize("apostrophe", ["'", "\N{RIGHT SINGLE QUOTATION MARK}"])
@pytest.mark.parametrize(
    "text",
    [
        "it does not",
        "It doesn't.",
        "I do not",
        "I don't",
        "I am not",
        "I'm not",
        "I haven't",
        "I have no access",
        "no",
        "n",
    ],
)
def test_what_begins_with_a_denial_is_a_no(text: str, apostrophe: str) -> None:
    said = text.replace("'", apostrophe)
    assert not replies.is_yes(said)
    assert replies.verdict_on("The lamp is lit", said) is Verdict.NOT_MET


@pytest.mark.parametrize("text", ["yes", "Yes, I do", "I do", "it does", "I have", "sure", "right", "ok"])
def test_a_yes(text: str) -> None:
    assert replies.is_yes(text)
    assert replies.verdict_on("The lamp is lit", text) is Verdict.MET


@pytest.mark.parametrize(
    ("text", "unsure"),
    [
        ("no idea", True),
        ("I don't know", True),
        ("I can't tell which of them it is.", True),
        ("Not sure if it worked", True),
        ("help", True),
        ("sorry, I did not understand that", True),
        ("None of these", True),
        ("I don't know, it says 503", False),
        ("help, it burns", False),
        ("I did not get any mail", False),
        ("none of the pods is running", False),
        ("the lamp is red", False),
    ],
)
def test_who_does_not_know_says_nothing_else(text: str, unsure: bool) -> None:
    assert replies.is_unsure(text) is unsure


@pytest.mark.parametrize(
    ("text", "passes"), [("", True), ("next", True), ("I don't know", True), ("yes", False), ("the lamp is red", False)]
)
def test_who_says_nothing_or_does_not_know_leaves_a_question_open(text: str, passes: bool) -> None:
    assert replies.passes_on(text) is passes


@pytest.mark.parametrize("text", ["wait", "One moment, please.", "could you say that again?", "repeat please"])
def test_who_wants_to_see_it_again_is_shown_it(text: str) -> None:
    assert replies.heard(text)[0] is Event.SHOW


@pytest.mark.parametrize(
    "text", ["right now I cannot see it", "the lamp", "I don't know", "I\N{RIGHT SINGLE QUOTATION MARK}m not sure"]
)
def test_neither_a_yes_nor_a_no(text: str) -> None:
    assert not replies.is_yes(text)
    assert replies.verdict_on("The lamp is lit", text) is Verdict.ASK


@pytest.mark.parametrize(
    "text",
    [
        "solved",
        "Solved, thanks",
        "problem solved",
        "all solved, no errors any more",
        "the issue is fixed now",
        "it's gone",
        "it\N{RIGHT SINGLE QUOTATION MARK}s gone",
        "that fixed it",
        "It works again",
        "solved after a restart",
        "It works now, thanks! What was it?",
    ],
)
def test_the_problem_is_gone(text: str) -> None:
    assert replies.came_of(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "it doesn\N{RIGHT SINGLE QUOTATION MARK}t work now",
        "I want this solved today",
        "Nothing is solved",
        "nobody has solved it",
        "is it solved?",
        "resolved to the wrong address",
        "it resolved to 10.0.0.1",
        "The fixed IP is wrong",
        "It works now, doesn't it?",
        "The alert was cleared by somebody and fired again",
        "it is fixed but crashes again",
        "it's gone for an hour or so",
        "it\N{RIGHT SINGLE QUOTATION MARK}s gone for an hour or so",
    ],
)
def test_the_problem_is_not_said_to_be_gone(text: str) -> None:
    assert replies.came_of(text) < 1
