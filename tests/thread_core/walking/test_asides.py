"""Two things in one message: which is reported, and what becomes of the other."""

from __future__ import annotations

import pytest

from tests.thread_core.walking.test_session import library, walk
from thread_core.walking.asides import AND_MY, remaining, several
from thread_core.walking.states import Status


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("fixed the printer but the wifi is still slow", "the wifi is still slow"),
        ("The lamp works now, but the pump does not turn.", "the pump does not turn."),
        ("the wifi is still slow, but the printer works", "the wifi is still slow"),
        ("the lamp is red but dim", "the lamp is red but dim"),
        ("one works but the other does not", "the other does not"),
        ("it is still slow but it is red", "it is still slow but it is red"),
        ("it works, but slowly", "it works, but slowly"),
        ("it does not work but the lamp is still on", "it does not work but the lamp is still on"),
    ],
)
def test_what_is_mended_is_no_part_of_what_remains(said: str, rest: str) -> None:
    assert remaining(said) == rest


def test_things_that_are_added_are_several() -> None:
    assert several("the lamp is off and also my printer hums") == ["the lamp is off", "my printer hums"]
    assert several("the lamp is off, and my printer hums") == ["the lamp is off, and my printer hums"]
    assert several("the lamp is off, and my printer hums", AND_MY) == ["the lamp is off", "my printer hums"]
    assert several("the lamp and the pump are off") == ["the lamp and the pump are off"]


PRINTER = """# The printer is offline

Look at the display. If the display is dark, press the button. If the display shows an error, call the smith.

## Print again

Print a page. If the printer prints, the issue is resolved.
"""
NETWORK = """# The network is slow

## Move

Move closer to the mast. If it is fast there, stay.

## Change

Change the channel.
"""


@pytest.mark.parametrize(
    "said", ["fixed the printer but the network is still slow", "the printer works; my network does not"]
)
def test_what_is_left_leads_to_its_guide_and_what_is_mended_ends_nothing(said: str) -> None:
    turn = walk(library(printer=PRINTER, network=NETWORK), "The printer is offline", said)[1]
    assert turn.text.startswith('Of what you say, this is what is left: "')
    assert "Move closer to the mast." in turn.text
    assert turn.status is Status.AWAITING


def test_what_is_left_of_the_step_at_hand_is_reported_of_it() -> None:
    said = "the button works but the display is still dark"
    session, turn = walk(library(printer=PRINTER), "The printer is offline", said)
    assert turn.text.startswith('Of what you say, this is what is left: "the display is still dark"\n\n')
    assert session.why().endswith("fits: the display is dark")


def test_what_another_guide_is_about_is_said_and_offered_first_when_this_one_has_ended() -> None:
    among = library(printer=PRINTER, network=NETWORK, mast=NETWORK.replace("network", "mast"))
    said = "the display is dark and also my network is slow"
    session, turn = walk(among, "The printer is offline", said)
    assert turn.text.startswith(
        '"my network is slow" is left aside: another guide is about it, The network is slow.\n\n'
    )
    assert session.why().endswith("fits: the display is dark")
    end = walk(among, "The printer is offline", said, "next", "next")[1]
    assert end.options == ("It is solved", "Go on with The network is slow")


def test_of_two_questions_at_once_the_second_comes_when_the_first_is_solved() -> None:
    among = library(printer=PRINTER, network=NETWORK)
    session, turn = walk(among, "The network is slow and also the printer is offline")
    assert turn.text.startswith("Several guides are about that. First: The network is slow. After it: The printer is")
    assert "Move closer" in turn.text
    second = session.respond("it is solved")
    assert second.text.startswith("Good: resolved.\n\nThe printer is offline\nLook at the display.")
    assert second.status is Status.AWAITING
    assert session.why() == "it is for what you said besides"
    assert session.respond("it is solved").status is Status.RESOLVED


@pytest.mark.parametrize(
    "said",
    [
        "forget it, my network is slow",
        "something else: the network is slow",
        "the network is slow",
        "how do I fix a slow network?",
    ],
)
def test_who_speaks_of_something_else_is_led_to_its_guide_and_may_come_back(said: str) -> None:
    session, turn = walk(library(printer=PRINTER, network=NETWORK), "The printer is offline", said)
    assert turn.text.startswith("Another guide is about that: The network is slow. Say back for where you were.\n\n")
    assert "Move closer to the mast." in turn.text
    assert turn.status is Status.AWAITING
    assert "Look at the display." in session.back().text


@pytest.mark.parametrize("said", ["the display is dark", "it blinks slowly", "my display is slow", "is it slow?"])
def test_who_says_a_word_of_another_guide_stays_in_the_one_at_hand(said: str) -> None:
    turn = walk(library(printer=PRINTER, network=NETWORK), "The printer is offline", said)[1]
    assert "Another guide" not in turn.text
    assert "The printer is offline" in turn.text or turn.status is Status.ASKING


@pytest.mark.parametrize(
    "said",
    [
        "the bundle of certificates is no longer valid",
        "its certificates have expired and the bundle is no longer valid",
    ],
)
def test_what_the_guide_at_hand_has_a_word_of_leads_to_no_guide_that_is_called_by_one_word(said: str) -> None:
    renewal = (
        "# Network certificates\n\n## Renew\n\n"
        "If the bundle of the authority has expired or is no longer valid, renew the bundle of the authority.\n"
    )
    among = library(printer=f"{PRINTER}\nCheck the bundle.\n", renewal=renewal)
    assert "Another guide" not in walk(among, "The printer is offline", said)[1].text


def test_who_was_led_to_another_guide_by_a_link_is_not_led_back_by_its_name() -> None:
    printer = PRINTER.replace("call the smith", "go to [The network is slow](network.md)")
    among = library(printer=printer, network=NETWORK)
    turn = walk(among, "The printer is offline", "the display shows an error", "the printer was offline")[1]
    assert "Another guide" not in turn.text


def test_a_code_that_only_another_guide_is_called_by_leads_there() -> None:
    ovens = {
        f"e{number}": f"# Error E{number}: {what}\n\nTry these one by one:\n\n* {act}\n* Wait an hour.\n"
        for number, what, act in ((71, "no heat", "Turn the dial."), (84, "no steam", "Fill the tank."))
    }
    session, turn = walk(library(**ovens), "Error E71, no heat", "that number is gone, instead I get E84")
    assert "Another guide is about that: Error E84: no steam." in turn.text and "Fill the tank" in turn.text
    assert "Turn the dial" in session.respond("back").text
