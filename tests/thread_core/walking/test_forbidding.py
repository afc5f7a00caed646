"""What a person says to do that the guide forbids is answered by that, and moves nothing."""

import pytest

from tests.thread_core.guides import library_of
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status
from thread_core.walking.turns import Turn

BOILER = """\
# Boiler stays cold

You need one bag of softener (never bleach, it eats the seals).

## Look

1. Read the lamp.
   - If the lamp is red, call a technician. Do not refill the tank.
   - If the lamp is off, press Start. Don't hold the lever until it ticks.
2. Open the tap.

## Sweep

Sweep the pipe. Do not lift the grate.
"""


def walk(*said: str) -> Turn:
    """The last turn of a walk that begins with the lamp."""
    session = HowToSession(library_of(None, boiler=BOILER))
    turn = session.start("boiler stays cold, look at the lamp")
    assert "Read the lamp." in turn.text
    for text in said:
        turn = session.respond(text)
    return turn


@pytest.mark.parametrize(
    ("said", "forbids"),
    [
        ("i put bleach in", "never bleach"),
        ("I'll use bleach", "never bleach"),
        ("we are lifting the grate", "Do not lift the grate."),
        ("so i will refill the tank", "Do not refill the tank."),
        ("i refilled the tank anyway", "Do not refill the tank."),
    ],
)
def test_what_is_announced_or_done_is_held_against_what_is_forbidden(said: str, forbids: str) -> None:
    turn = walk(said)
    assert forbids in turn.text.partition("\n[boiler.md:")[0]
    assert turn.text.endswith(walk().text)
    assert turn.citations[-1].document_id == "boiler.md"


def test_at_the_end_too() -> None:
    turn = walk("the lamp is red", "i refill the tank")
    assert turn.status is Status.ESCALATED
    assert turn.text.startswith("Do not refill the tank.\n[boiler.md:")


@pytest.mark.parametrize(
    "said",
    ["i did not use bleach", "the bleach is gone", "i held the lever", "i read the lamp", "the tank refills", "done"],
)
def test_what_is_denied_seen_allowed_by_now_or_told_to_do_is_not(said: str) -> None:
    text = walk(said).text
    assert "[boiler.md:" not in text


def test_who_says_it_again_is_taken_to_mean_something_else() -> None:
    assert "[boiler.md:" not in walk("i put bleach in", "i put bleach in").text
