"""What must hold for a step, and which of it a person's words answer."""

from __future__ import annotations

import pytest

from tests.thread_core.walking.test_session import library, walk
from thread_core.retrieval.prerequisites import Verdict
from thread_core.walking.needs import answered

OUTAGE, NUMBER = "Make sure that there is no outage. Look at the board.", "Have your customer number at hand."
ADMIN = "You need an administrator to sign."
NEEDED = [OUTAGE, NUMBER, ADMIN, "Warning: the lamp is hot."]


@pytest.mark.parametrize(
    ("said", "asked", "verdict"),
    [
        ("no outage", OUTAGE, Verdict.MET),
        ("checked, no outage", OUTAGE, Verdict.MET),
        ("there is an outage", OUTAGE, Verdict.NOT_MET),
        ("I have the customer number", NUMBER, Verdict.MET),
        ("no customer number", NUMBER, Verdict.NOT_MET),
        ("im not admin", ADMIN, Verdict.NOT_MET),
        ("I am the administrator", ADMIN, Verdict.MET),
    ],
)
def test_words_of_a_prerequisite_alone_answer_it(said: str, asked: str, verdict: Verdict) -> None:
    assert answered(said, NEEDED, ["the lamp is red"]) == (asked, verdict)


@pytest.mark.parametrize(
    "said",
    [
        "the lamp is hot",
        "no outage and the lamp is red",
        "yes",
        "done",
        "",
        "I will have the customer number",
        "no outage?",
    ],
)
def test_what_says_more_or_is_a_warning_answers_none(said: str) -> None:
    assert answered(said, NEEDED, []) is None


def test_an_outcome_of_the_step_is_none() -> None:
    assert answered("no number", NEEDED, ["there is no number on the display"]) is None


PUMP = """# The pump hums

**Before you begin**

- Make sure that there is no outage.
- Have your customer number at hand.

## Look at the lamp

Look at the lamp. If the lamp is red, replace the fuse. If the lamp is green, wait.

## Wait

Wait for an hour.
"""


def test_what_answers_a_prerequisite_on_the_screen_counts_for_it_and_the_step_stays() -> None:
    session, step = walk(library(pump=PUMP), "The pump hums")
    held = session.respond("there is no outage")
    assert held.text == f'Noted, this holds: "Make sure that there is no outage."\n\n{step.text}'
    assert (session.state.confirmed, session.state.trail[-1].outcome) == (("Make sure that there is no outage.",), "")
    needed = session.respond("I have no customer number")
    assert needed.text == f'This is needed first: "Have your customer number at hand."\n\n{step.text}'
    assert session.state.denied == ("Have your customer number at hand.",)
    assert "replace the fuse" in session.respond("the lamp is red").text.lower()


def test_who_has_it_after_all_is_believed() -> None:
    session, _ = walk(library(pump=PUMP), "The pump hums", "there is an outage", "there is no outage")
    assert (session.state.confirmed, session.state.denied) == (("Make sure that there is no outage.",), ())


def test_who_says_at_a_gate_that_it_is_not_for_them_is_led_past_it() -> None:
    guide = "# Lock\n\n## For administrators\n\nReset the lock.\n\n## Ask\n\nAsk the porter.\n"
    session, step = walk(library(lock=guide), "I am an administrator: the lock", "sorry, I am not an administrator")
    assert step.text.endswith("Ask the porter.")
    assert session.why() == "this does not hold: For administrators"


VALVE = """# The valve leaks

## Windows

Open the panel.

- If the lamp is red, replace the fuse.
- If the lamp is green, wait for an hour.

## Close it

Close the panel.
"""


@pytest.mark.parametrize("said", [("the lamp is red", "yes"), ("hm", "the lamp is red"), ("the lamp is red",) * 2])
def test_what_is_reported_while_a_prerequisite_is_asked_is_used_at_the_step(said: tuple[str, ...]) -> None:
    session, _ = walk(library(valve=VALVE), "The valve leaks", *said)
    assert session.why() == '"the lamp is red", as you said before, fits: the lamp is red'
    assert session.state.trail[-1].outcome == ""


def test_what_is_not_clear_there_shows_the_step() -> None:
    session, step = walk(library(valve=VALVE), "The valve leaks", "the lamp is odd", "yes")
    assert "Open the panel." in step.text
    assert session.state.confirmed == ("Windows",)


def test_it_is_kept_from_one_question_to_the_next_and_forgotten_by_who_goes_back() -> None:
    among = library(
        valve=VALVE.replace("## Close it", "## macOS\n\nIf the lamp is red, call the smith.\n\n## Close it")
    )
    session, _ = walk(among, "The valve leaks", "the lamp is red", "no", "yes")
    assert session.why() == '"the lamp is red", as you said before, fits: the lamp is red'
    session.back()
    assert session.back().text == walk(among, "The valve leaks")[1].text
    assert session.state.pending is not None
    assert session.state.pending.reported == ""
