"""What a question is about, and whether any document speaks of it."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import units_of
from tests.thread_core.retrieval.test_retrieve import library
from tests.thread_core.walk.test_session import walk
from thread_core.retrieval.subject import subject, unspoken
from thread_core.store.library import Library
from thread_core.walk.states import Status

RADIO = """\
# The radio has no sound

## Turn it up

Turn the knob to the right. If it is broken, call us.

## Charge it

Plug the charger in. The lamp gets warm when it charges.
"""
LADDER = "# The ladder wobbles\n\nTurn the screws of the ladder until it is tight.\n"


@pytest.fixture(scope="module")
def guides() -> Library:
    return library(radio=RADIO, ladder=LADDER)


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("my desk lamp is dark", "lamp"),
        ("hi, I think the lamp doesnt shine", "lamp"),
        ("an order of cups has been lost", "ord"),
        ("lamp not shining", "lamp"),
        ("cant turn the radio on", None),
        ("lamp broken", None),
        ("how do I paint the old lamp green", None),
        ("", None),
    ],
)
def test_the_thing_stands_before_the_verb(question: str, thing: str | None) -> None:
    assert subject(question) == thing


@pytest.mark.parametrize("question", ["my piano has no sound", "the piano is broken"])
def test_a_thing_that_no_guide_speaks_of_is_said_to_be_unknown_and_the_nearest_are_offered(
    question: str, guides: Library
) -> None:
    _, turn = walk(guides, question)
    assert (turn.status, len(turn.options)) == (Status.UNKNOWN, 3)


@pytest.mark.parametrize(
    "question", ["my radio has no sound", "the loudspeaker has no sound when I turn the knob", "no sound"]
)
def test_the_same_is_found_in_other_words_and_where_no_thing_is_named(question: str, guides: Library) -> None:
    _, turn = walk(guides, question)
    assert (turn.status, turn.citations[0].document_id) == (Status.AWAITING, "radio.md")


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How do I free the rotor of a Lumen pump?", ("Lumen",)),
        ("My pump shows E17. What now?", ()),
        ("I can't get the Display to light up, and I'm lost", ()),
        ("How do I stop the PumpStalled alert?", ("PumpStalled",)),
        ("How Do I Paint My Fence Green", ()),
        ("Wie schalte ich im Keller das Licht der Anlage ein?", ()),
    ],
)
def test_names_that_nothing_says_are_found(question: str, names: tuple[str, ...]) -> None:
    assert unspoken(question, units_of()) == names
