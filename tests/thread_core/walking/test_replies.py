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


ABOUT = "the internet light is red, no wifi"


@pytest.mark.parametrize(
    "text",
    [
        *("works", "it works", "its working", "works great now", "yep works now thx!!", "rebooted and works now"),
        *("sorted", "thats fixed", "did the trick", "worked like a charm", "nvm it works", "all good now, thank you!"),
        *("internet is back", "the wifi works again", "back online", "up and running", "ok im in, thanks!!", "got in"),
        *("the red light is gone", "no more errors", "the blinking stopped", "its gone now"),
    ],
)
def test_what_is_wanted_works_or_what_is_bad_is_gone(text: str) -> None:
    assert replies.came_of(text, ABOUT) == 1


@pytest.mark.parametrize(
    "text",
    [
        *(
            "my internet is gone so i cant open that page",
            "the wifi has disappeared",
            "all my files are gone",
            "i lost it",
        ),
        *("its gone now, the icon i mean", "everything is gone now", "it's gone blue", "it's gone from the list"),
        *("the other router works fine", "my phone works fine", "power cable works fine", "the update is working"),
        *("the unit is listed as active and running", "it is running", "i'm in the menu", "works on my phone"),
        *("hope it works", "it would be great if it worked", "used to work", "is it fixed", "when it works i stop"),
        *("it almost worked", "that fixed nothing", "i cleared the cookies", "all good except the tv", "perfect storm"),
        *("good", "all good", "its back"),
    ],
)
def test_what_is_wanted_is_gone_or_something_else_works(text: str) -> None:
    assert replies.came_of(text, ABOUT) == 0


def test_who_misses_something_is_not_told_that_it_is_gone() -> None:
    assert replies.came_of("its gone", "my network has disappeared") == 0


def test_of_a_condition_whatever_works_is_meant() -> None:
    assert [replies.came_of("the pump works", about) for about in (None, ABOUT, "the pump hums")] == [1, 0, 1]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "nothing happened",
            "did nothing",
            "start over did nothing",
            "no diff",
            "no dice",
            "no joy",
            "not rly",
            "worse",
        ),
        *("failed again", "it broke again", "its back again", "the error is back", "doesnt work", "didnt help"),
        *("tried that already", "already tried that twice", "it worked yesterday", "it worked before", "same thing"),
        *("it worked and then stopped", "it's gone for an hour"),
    ],
)
def test_what_was_tried_has_not_helped(text: str) -> None:
    assert replies.came_of(text, ABOUT) == -1


@pytest.mark.parametrize("text", ["failed attempt counter is 0", "i did nothing", "the screen says failed"])
def test_it_is_not_said_whether_it_has_helped(text: str) -> None:
    assert replies.came_of(text, ABOUT) == 0


@pytest.mark.parametrize(
    ("text", "nothing"), [("same", True), ("no luck", True), ("still slow", False), ("red", False)]
)
def test_a_verdict_alone_names_nothing(text: str, nothing: bool) -> None:
    assert replies.is_nothing_new(text) is nothing


@pytest.mark.parametrize(
    ("text", "all_of_it"),
    [
        ("I'm out of ideas", True),
        ("nothing left to try", True),
        ("ive tried everything", True),
        ("I have done everything here and it is still dead", True),
        ("done all the steps and no change", True),
        ("I have done everything", False),
        ("I tried everything and now it works", False),
        ("I tried everything in section 2 and the lamp is red", False),
        ("nothing left in the tray", False),
    ],
)
def test_nothing_is_left_to_try(text: str, all_of_it: bool) -> None:
    assert replies.has_tried_all(text) is all_of_it


@pytest.mark.parametrize(
    "text", ["idk", "i dunno lol", "no idea tbh", "beats me", "??", "im confused", "uhh which one"]
)
def test_who_does_not_know_says_so_as_in_chats(text: str) -> None:
    assert replies.is_unsure(text)
    assert not replies.is_unsure(f"{text} but its red")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        *[(text, Verdict.MET) for text in ("yea", "ofc", "got it", "👍", "win 11", "win11 here")],
        *[(text, Verdict.NOT_MET) for text in ("i dont", "nah lol", "👎", "im on a mac")],
        *[(text, Verdict.ASK) for text in ("idk", "i think so", "cool", "fine")],
    ],
)
def test_a_prerequisite_is_answered_as_in_chats(text: str, verdict: Verdict) -> None:
    assert replies.verdict_on("Windows 11", text) is verdict


def test_leave_is_given_by_a_yes_alone() -> None:
    assert all(map(replies.approves, ("yes pls", "k", "👍", "ye")))
    assert not any(map(replies.approves, ("lol yes", "got it", "cool", "fine", "done", "✅", "yes?", "yes but once")))
