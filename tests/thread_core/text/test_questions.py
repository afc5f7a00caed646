"""Which lines ask something."""

from __future__ import annotations

import pytest

from thread_core.text.questions import asks, reported, supposes


@pytest.mark.parametrize(
    "line",
    [
        *("what?", "which one", "where is that", "wheres that", "uhh where do i find it", "how long does it take"),
        *("how many times do I press it", "which cable", "what about the other one", "what if it stays red", "explain"),
        *(
            "why does this happen",
            "Is that safe?",
            "is there a video for this",
            "does this cost anything",
            "am I right",
        ),
        *("cant i just pull the plug", "can you send me an email", "will the light go off", "does the cable matter"),
        *("done, how long do i have to wait", "what do you mean by gateway", "is the light supposed to be red?"),
        *(
            "has it finished?",
            "tell me how",
            "I want to know why",
            "What is it? Where do I look?",
            "and then what is that",
        ),
    ],
)
def test_these_ask(line: str) -> None:
    assert asks(line)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "blinking red?",
            "which one? the red one",
            "is blinking red",
            "is there but greyed out",
            "isnt there",
            "have it",
        ),
        *(
            "is the same as before",
            "does the same thing",
            "does that again",
            "does not start",
            "has no light",
            "did it",
        ),
        *("will not boot", "cant find it", "should be fine", "what i see is E7", "what it says is failed", "are on"),
        *(
            "when i unplug it it works",
            "where the light was its dark",
            "what a relief",
            "what happened is it turned red",
            "What fails is it.",
        ),
        *(
            "whatever i do it stays red",
            "whatsapp works",
            "it is red, is that normal?",
            "it asks what to do",
            "yes",
            "",
        ),
    ],
)
def test_these_report(line: str) -> None:
    assert not asks(line)


def test_a_question_beside_an_outcome_is_no_part_of_it() -> None:
    assert reported("Which one? It is red.  And how long does it take?") == "It is red."
    assert reported("It is red. ") == "It is red. "


@pytest.mark.parametrize("line", ["why is it blinking?", "what does blinking mean", "what do I do if it's blinking"])
def test_what_a_question_takes_for_granted_is_an_outcome(line: str) -> None:
    lamps = ["the lamp is blinking", "the lamp is off"]
    assert supposes(line, lamps)
    assert not supposes(line, ["the lamp is off", "the lamp is red"])
    assert not supposes("why do I have to switch it off?", lamps)
    assert not supposes("is it blinking?", lamps)


@pytest.mark.parametrize("piece", ["uh ", "ok, ", "what a-", "is the ", "why ", "what does x ", "? ", "-"])
def test_no_line_takes_long(piece: str) -> None:
    line = piece * 20_000
    asks(line)
    supposes(line, ["x"])
