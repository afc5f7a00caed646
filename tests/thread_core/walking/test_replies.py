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


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("All steps shown have been completed successfully.", Event.NEXT),
        ("The user says they have done this.", Event.NEXT),
        ("Done with all of the above.", Event.NEXT),
        ("Please continue with the procedure.", Event.NEXT),
        ("Waiting for the user.", Event.SHOW),
        ("The user has not responded yet.", Event.SHOW),
        ("the drain is done", Event.REPORT),
        ("is it done", Event.REPORT),
        ("not done", Event.REPORT),
        ("not yet", Event.REPORT),
        ("no answer", Event.REPORT),
        ("[1]", Event.CHOOSE),
        ("**1**", Event.CHOOSE),
    ],
)
def test_what_says_nothing_of_what_was_seen_is_no_report(text: str, event: Event) -> None:
    assert replies.heard(text)[0] is event


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


@pytest.mark.parametrize("text", ["yes, I think so", "yes, it will be lit tomorrow", "yes, it was lit last week"])
def test_a_yes_that_is_not_of_now_confirms_nothing(text: str) -> None:
    assert replies.verdict_on("The lamp is lit", text) is Verdict.ASK


def test_leave_is_given_by_a_yes_alone() -> None:
    assert all(map(replies.approves, ("yes pls", "k", "👍", "ye")))
    assert all(map(replies.approves, ("approved", "Approve.", "I approve this", "confirmed", "LGTM!", "go", "yes, go")))
    assert not any(
        map(
            replies.approves,
            ("not approved", "approved by Ann", "approved?", "no go", "go on m2", "I confirm it is red"),
        )
    )
    assert not any(map(replies.approves, ("lol yes", "got it", "cool", "fine", "done", "✅", "yes?", "yes but once")))


@pytest.mark.parametrize(
    ("said", "left"),
    [
        *((f"{lead} 45 days", "45 days") for lead in ("no sorry", "no wait,", "correction:", "oops", "I meant")),
        ("wrong, it's 45 days", "it's 45 days"),
        ("45 days, not 20", "45 days"),
        ("it's E02, not E04", "it's E02"),
        *((said, said) for said in ("no, it is red", "not E02", "no", "sorry", "the red one, not the green one")),
    ],
)
def test_what_is_taken_back_is_no_outcome(said: str, left: str) -> None:
    assert replies.as_corrected(said) == left


@pytest.mark.parametrize(
    "said",
    [
        *("let me check", "I'll try that this evening", "will do it tomorrow", "still working on it", "not yet"),
        *("I haven't done that yet", "my wife is doing it", "I'm not at home right now", "give me 5 minutes"),
        *("I need to find a screwdriver first", "I'm going to look", "sorry, I will do that later"),
    ],
)
def test_what_is_still_to_be_done_was_not_seen(said: str) -> None:
    assert replies.puts_off(said)


@pytest.mark.parametrize(
    "said",
    [
        *(
            "did that",
            "I have done it",
            "I have to enter a code",
            "I haven't received the mail yet",
            "it is not on yet",
        ),
        *("it will not start", "they are busy lines", "I did it, still dark", "it is doing that again", "in 5 minutes"),
        *("I will not do it", "the nodes are not in the list", "I checked the fuse"),
    ],
)
def test_what_was_done_or_seen_is_not_put_off(said: str) -> None:
    assert not replies.puts_off(said)
