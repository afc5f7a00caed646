"""Guides with a section for each trouble: none leads on into the next, and it is asked whether it is solved."""

from __future__ import annotations

import pytest

from tests.thread_core.walking.test_session import library, walk
from thread_core.text.troubles import troubles_in
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status

TOASTER = """# Toaster

Pull the plug.

## Lever does not stay down

Empty the crumb tray. If it still pops up, bring it to the shop.

## Crumbs fall out

Close the flap.

## Toast is burnt

Turn the knob to 2.

## Crumb tray

Pull it out at the back.
"""
POPS_UP = "lever of the toaster does not stay down"
BURNT = "toast is burnt"


@pytest.mark.parametrize("done", ["done", "ok thanks", "next", "skip"])
@pytest.mark.parametrize("question", [POPS_UP, BURNT, "crumbs fall out of the toaster"])
def test_behind_a_trouble_it_is_asked_whether_it_is_solved(question: str, done: str) -> None:
    session, turn = walk(library(toaster=TOASTER), question, done)
    assert turn.status is Status.AWAITING
    assert turn.text.startswith("That was the last step here. Is it solved?")
    assert session.respond("ok thanks").status is Status.RESOLVED


def test_who_says_no_reads_what_the_guide_says_for_that() -> None:
    session, turn = walk(library(toaster=TOASTER), POPS_UP, "done")
    assert turn.options == ("It is solved", "it still pops up", "Hand it to somebody who knows more")
    assert "bring it to the shop" in session.respond("no").text
    assert walk(library(toaster=TOASTER), BURNT, "done", "no")[1].status is Status.ESCALATED


def test_before_the_troubles_it_is_asked_which_of_them_it_is() -> None:
    session, turn = walk(library(toaster=TOASTER), "toaster")
    assert turn.options[:3] == ("Lever does not stay down", "Crumbs fall out", "Toast is burnt")
    asked = session.respond("done")
    assert (asked.status, asked.options) == (Status.ASKING, turn.options)
    assert "knob" in session.respond("3").text


def test_with_another_guide_at_hand_thanks_still_end_it() -> None:
    guides = library(toaster=TOASTER, grill=TOASTER.replace("Toast", "Grill"))
    session, turn = walk(guides, "toast is burnt on the toaster or the grill", "done")
    assert turn.options[-1].startswith("Go on with")
    assert session.respond("thanks").status is Status.RESOLVED


BLENDER = """# Blender

## Setting up

Put the jug on.

## Troubleshooting

### Jug leaks

Press the ring into the lid.

### Blades do not turn

Close the lid.

### Motor is hot

Wait for ten minutes.

## Cleaning

Rinse the jug.
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("the jug of my blender is leaking", "ring"),
        ("blender gets very hot", "ten minutes"),
        ("the blades of the blender stand still", "Close the lid"),
        ("setting up the blender", "Put the jug on"),
    ],
)
def test_a_question_in_other_words_enters_the_trouble_that_it_is_about(question: str, told: str) -> None:
    assert told in walk(library(blender=BLENDER), question)[1].text


def test_where_it_is_not_clear_it_is_asked_which_trouble_it_is() -> None:
    session, turn = walk(library(blender=BLENDER), "troubleshooting the blender")
    assert (turn.status, turn.text) == (Status.ASKING, "Which of these is the case?")
    assert turn.options == ("Jug leaks", "Blades do not turn", "Motor is hot")
    resumed = HowToSession(library(blender=BLENDER)).resumed(session.state.model_dump_json())
    assert "ten minutes" in resumed.respond("the third one").text
    assert resumed.back().options == turn.options
    assert "ring" in session.respond("it leaks").text


@pytest.mark.parametrize("said", ["ok", "yes", "next", "done"])
def test_who_names_none_of_the_troubles_is_led_to_the_likeliest_as_a_guess(said: str) -> None:
    session = HowToSession(library(blender=BLENDER))
    session.start("troubleshooting the blender")
    pending = session.state.pending
    assert pending is not None and pending.at is not None
    assert session.respond(said).status is Status.AWAITING
    step = session.state.trail[-1]
    assert (step.header, step.is_guess) == (pending.at.header, True)


def test_who_asks_on_behind_a_trouble_is_shown_the_others_and_then_what_is_left() -> None:
    asked, turn = walk(library(blender=BLENDER), "the blades of the blender stand still", "done")
    assert turn.text == "That was the last step here. Is it solved?"
    told = []
    while len(told) < 9 and turn.status is Status.AWAITING:
        turn = asked.respond("done, what next?")
        told.append(turn.text.rsplit("\n", 1)[-1])
    shown = [one for one in told if not one.startswith(("That was", "Good"))]
    assert shown == ["Wait for ten minutes.", "Press the ring into the lid.", "Rinse the jug."]


CHECKED = """# Pump alarm

## Read the gauge

Note the pressure.

## Pressure is missing

Open the valve.

## Pump does not turn

Push the fuse in.
"""


def test_what_is_looked_at_before_all_troubles_comes_first_where_it_is_not_clear_which_it_is() -> None:
    asked, turn = walk(library(pump=CHECKED), "what do I do about a pump alarm")
    assert turn.text.endswith("Note the pressure.")
    assert asked.respond("it does not turn").text.endswith("Push the fuse in.")


def test_one_trouble_in_a_title_gathers_none() -> None:
    assert troubles_in(["Impact on it", "Correction", "Not covered"], ["Troubleshooting: pump does not turn"]) == []
    assert troubles_in(["Leaks", "It does not turn"], ["Troubleshooting"]) == [0, 1]


def test_behind_troubleshooting_nothing_else_of_the_guide_is_read() -> None:
    turn = walk(library(blender=BLENDER), "the jug of my blender is leaking", "done")[1]
    assert turn.text == "That was the last step here. Is it solved?"


KETTLE = """# Kettle

## Lid does not close

Wipe the rim. If the hinge is broken, send it back.

## Water is not hot

Turn the knob to the right. If it still stays cold, call the shop.

## Noise while boiling

Descale it with vinegar.
"""


@pytest.mark.parametrize("said", ["it clicks shut now", "it fits finally", "all snug now"])
def test_what_is_so_now_and_is_no_case_of_the_guide_is_asked_about(said: str) -> None:
    session, turn = walk(library(kettle=KETTLE), "lid of the kettle does not close", said)
    assert (turn.status, turn.text, turn.options) == (Status.ASKING, "Is it solved?", ("Yes", "No"))
    assert session.respond("yes").status is Status.RESOLVED


def test_who_says_that_it_is_not_solved_reads_what_the_guide_says_for_that() -> None:
    session, turn = walk(library(kettle=KETTLE), "water of the kettle is not hot", "it glows now")
    assert turn.text == "Is it solved?"
    assert "call the shop" in session.respond("no").text


@pytest.mark.parametrize("said", ["it is crooked now and leaks", "it is not tight", "the hinge is broken now"])
def test_what_is_bad_or_a_case_of_the_guide_is_no_end(said: str) -> None:
    turn = walk(library(kettle=KETTLE), "lid of the kettle does not close", said)[1]
    assert turn.status in (Status.AWAITING, Status.ASKING)
    assert turn.text != "Is it solved?"


def test_no_more_of_what_is_complained_of_is_the_end() -> None:
    assert (
        walk(library(kettle=KETTLE), "noise while the kettle is boiling", "no more noise")[1].status is Status.RESOLVED
    )


def test_a_report_leads_into_no_other_trouble_that_it_is_hardly_like() -> None:
    turn = walk(library(kettle=KETTLE), "lid of the kettle does not close", "the water is wet")[1]
    assert "knob" not in turn.text


def test_none_of_the_troubles_leads_into_none() -> None:
    assert walk(library(kettle=KETTLE), "kettle", "none of these")[1].status is Status.UNKNOWN


def test_what_is_done_in_order_is_read_in_order() -> None:
    guide = TOASTER.replace("Lever does not stay down", "Check the plug").replace("Toast is burnt", "Check the fuse")
    assert "flap" in walk(library(toaster=guide), "toaster", "done")[1].text
    assert "knob" in walk(library(toaster=guide), "toaster", "done", "done")[1].text


def test_who_is_asked_whether_it_is_solved_and_says_the_same_again_means_yes() -> None:
    news = "my bread is golden now"
    session, turn = walk(library(toaster=TOASTER), BURNT, news)
    assert (turn.status, turn.text) == (Status.ASKING, "Is it solved?")
    assert session.respond(news).status is Status.RESOLVED
