"""What a guide says to a question."""

from __future__ import annotations

import pytest

from tests.thread_core.walking.test_session import library, walk
from thread_core.walking.listening import NOT_SAID
from thread_core.walking.states import Status

LIFT = """# The lift stands still

## Look at the lamp

Open the box with the MRU and look at the lamp.

- If the lamp is red, call the smith.
- If the lamp is dark, replace the fuse.

## What is a governor?

The governor stops the lift where it runs too fast.

## Terms

MRU: the unit that drives the motor.
"""
STANDS_STILL = "The lift stands still"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("what do you mean by governor", "The governor stops the lift where it runs too fast.\n[lift.md:10]"),
        ("whats an mru", "MRU: the unit that drives the motor\n[lift.md:16]"),
        ("whats a bolt", NOT_SAID),
        ("where is that", NOT_SAID),
    ],
)
def test_what_the_guide_says_to_a_question_stands_above_the_step_which_stays(said: str, told: str) -> None:
    session, before = walk(library(lift=LIFT), STANDS_STILL)
    turn = session.respond(said)
    above, _, shown = turn.text.rpartition("\n\nThe lift stands still: Look at the lamp\n")
    assert above.endswith(told)
    assert (turn.status, turn.options, before.text.endswith(shown)) == (Status.AWAITING, before.options, True)
    assert all(str(span) in told for span in turn.citations[len(before.citations) :])
    assert session.state.said == (STANDS_STILL,)
    assert "call the smith" in session.respond("red").text.lower()


HOIST = """# The hoist hums

1. Stop it. Do not stand
   below it meanwhile.
2. Oil the chain. A reset deletes the
   counter of the loads.
"""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("can i walk below it?", "Do not stand below it meanwhile.\n[hoist.md:3-4]"),
        ("will a reset delete my loads", "A reset deletes the counter of the loads.\n[hoist.md:5-6]"),
        ("can i oil it myself?", NOT_SAID),
        ("what is a counter?", NOT_SAID),
    ],
)
def test_what_is_asked_to_be_so_is_quoted_from_where_the_guide_speaks_of_it(said: str, told: str) -> None:
    assert told in walk(library(hoist=HOIST), "The hoist hums", said)[1].text


KETTLE = """# The kettle stays cold

| Code | Do |
|---|---|
| K7 | Clean it, then restart it once |
| K8 | Call us. Do not restart it |
| K9 | Open it with a coin |

## Questions

**Is the filter covered by the guarantee?** A torn filter is not covered. A lost one is.

**Is it loud?** No.

## It does not connect to my phone

1. Restart the phone.

## Contact the maker

Ring 555 0100.
"""


@pytest.mark.parametrize(
    ("code", "said", "told"),
    [
        ("K7", "can i restart it", "| K7 | Clean it, then restart it once |\n[kettle.md:5]"),
        ("K8", "can i restart it", "| K8 | Call us. Do not restart it |\n[kettle.md:6]"),
        ("K9", "can i restart it", NOT_SAID),
        ("K7", "is it covered?", "A torn filter is not covered. A lost one is.\n[kettle.md:11]"),
        ("K7", "so who do i call", "The kettle stays cold: Contact the maker\nRing 555 0100.\n[kettle.md:19]"),
        ("K7", "what do i call it", NOT_SAID),
    ],
)
def test_a_question_is_answered_by_the_row_at_hand_by_a_whole_answer_and_by_whom_to_call(
    code: str, said: str, told: str
) -> None:
    turn = walk(library(kettle=KETTLE), f"my kettle says {code}", said)[1]
    assert told in turn.text[: turn.text.index("The kettle stays cold\n")]


def test_a_glossary_of_its_own_says_it_too() -> None:
    among = library(
        lift="# The lift stands still\n\nOil the sheave.\n", terms="# Glossary\n\nSheave: the upper wheel.\n"
    )
    assert walk(among, STANDS_STILL, "what is a sheave?")[1].text.startswith("Sheave: the upper wheel\n[terms.md:3]")


def test_an_outcome_that_is_put_as_a_question_counts() -> None:
    for said in ("red?", "which one? the red one", "why is it red?"):
        assert walk(library(lift=LIFT), STANDS_STILL, said)[0].why().endswith("fits: the lamp is red")


def test_a_question_beside_an_outcome_is_answered_with_it() -> None:
    turn = walk(library(lift=LIFT), STANDS_STILL, "the lamp is dark. What is a governor?")[1]
    assert turn.text.startswith("The lift stands still: What is a governor?\nThe governor stops")
    assert "replace the fuse" in turn.text.lower()


def test_a_question_at_a_prerequisite_s_question_leaves_it_open() -> None:
    among = library(valve="# Valve\n\n## For operators\n\nOpen it.\n\n## Terms\n\nOperator: who runs the plant.\n")
    session, asked = walk(among, "Valve")
    turn = session.respond("what is an operator?")
    assert (turn.status, turn.options) == (Status.ASKING, asked.options)
    assert turn.text.endswith(asked.text)
    assert session.respond("yes").text.endswith("Open it.")
