"""What a person says of the end: the problem is gone, or only the step at hand has worked."""

from __future__ import annotations

import pytest

from tests.thread_core.walking.test_moving import walk
from tests.thread_core.walking.test_session import at_length
from thread_core.walking.states import Status

KETTLE = """\
# The kettle does not heat

## The kettle does not heat

Press Reset. If it still stays cold afterwards, the element is dead: replace it.

Look at the plug:

| Plug | What to do |
|---|---|
| brown | Press it in until the lid starts to click, [works with old sockets](#sockets). |
| white | [Check the socket](#sockets). |

## Sockets

It works when the lamp of the tester is on.
"""
COLD = "the kettle does not heat"


@pytest.mark.parametrize("said", ["it heats!", "that worked", "heats fine again", "it heats now"])
def test_an_end_is_not_taken_for_a_case_that_it_does_not_name(said: str) -> None:
    assert walk(KETTLE, COLD, said).status is Status.RESOLVED


VALVE = """\
# How to install the valve

## 1. Mount it

Turn the valve in by hand. If the thread is dry, grease it.

Tighten it with the key.

## 2. Connect it

Plug in the cable.

## Uninstall

Turn it out.
"""


@pytest.mark.parametrize("said", ["that worked", "works now", "solved", "good now"])
def test_of_a_task_with_steps_left_an_end_is_that_of_the_step(said: str) -> None:
    for question in ("How do I install the valve?", "valve install"):
        shown = [walk(VALVE, question, *before, said) for before in ([], ["the thread is dry"])]
        assert [turn.status for turn in shown] == [Status.AWAITING] * 2
        assert all("Plug in the cable" in turn.text for turn in shown)
        assert walk(VALVE, question, "done", said).status is Status.RESOLVED


def test_of_a_trouble_an_end_is_the_end_whatever_is_left() -> None:
    assert walk(VALVE, "the valve does not open", "that worked").status is Status.RESOLVED


METHODS = """\
# How to open the safe

## Method 1: With the key

Turn the key twice.

## Method 2: With the code

Type in the code.

Press OK.
"""


def test_behind_a_method_that_has_worked_no_other_is_left() -> None:
    assert walk(METHODS, "How do I open the safe with the key?", "that worked").status is Status.RESOLVED


UNCOUNTED = VALVE.replace("1. ", "").replace("2. ", "")


def test_where_another_section_follows_it_is_asked() -> None:
    asked = walk(UNCOUNTED, "How do I install the valve?", "that worked")
    assert (asked.status, asked.text) == (Status.ASKING, "Is it solved?")
    assert "Plug in the cable" in walk(UNCOUNTED, "How do I install the valve?", "that worked", "no").text
    named = walk(VALVE, "How do I install the valve?", "the install is fixed")
    assert named.text == "Is it solved?"


REPLICA = """\
# The orders are late

1. Look at the state of the sorter. If it is stopped, start it.
2. Read the log of the scanner. If it says "jam", clean the belt.
"""


def test_what_was_wrong_on_the_way_may_be_no_end_when_it_is_over() -> None:
    asked = walk(REPLICA, "the orders are late", "it is stopped", "it is running now")
    assert (asked.status, asked.text) == (Status.ASKING, "Is it solved?")
    assert walk(REPLICA, "the orders are late", "it is stopped", "that worked").status is Status.RESOLVED


SOUR = """\
# Looking after the coffee machine

## The coffee tastes sour

Run two tanks of water through it. If it still tastes sour afterwards, change the filter.
"""


def test_the_heading_of_a_trouble_says_what_is_complained_of() -> None:
    assert walk(SOUR, "bad coffee", "no longer sour").status is Status.RESOLVED


def test_what_the_step_says_for_when_the_problem_is_gone_comes_before_the_end() -> None:
    mill = (
        "# The mill squeals\n\n1. Run the mill without the belt. If the problem goes away, the belt is worn. "
        f"Fit a new belt. {at_length('Hold the lever.')}\n\n2. Oil the bearing. {at_length('One drop.')}\n"
    )
    said = "it no longer squeals"
    turn = walk(mill, "The mill squeals", said)
    assert (turn.status, "Fit a new belt." in turn.text) == (Status.AWAITING, True)
    assert walk(mill, "The mill squeals", said, "it no longer squeals now").status is Status.RESOLVED
