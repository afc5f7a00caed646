"""Whether headings say what is wrong, and where such ones begin."""

from __future__ import annotations

import pytest

from thread_core.text.troubles import troubles_in

TOASTER = ("Toaster",)


@pytest.mark.parametrize(
    "headings",
    [
        ["Lid does not close", "The display is dark"],
        ["Can't sign in", "Belt slips off"],
        ["No sound", "Picture is grey"],
        ["Strange noise", "Bad smell"],
        ["Lid does not close", "Toast burns", "Lamp is red", "Crumbs everywhere"],
        ["Toasting is slow", "Not hot"],
        ["Slots stay cold", "The lamp is dark", "Bad smell"],
    ],
)
def test_headings_that_say_what_is_wrong_are_troubles_from_the_first_on(headings: list[str]) -> None:
    every = [*range(len(headings))]
    assert troubles_in(headings, TOASTER) == every
    assert troubles_in(["Set it up", *headings, "Clean the slot"], TOASTER) == [at + 1 for at in every]


@pytest.mark.parametrize(
    "headings",
    [
        ["Lid does not close"],
        ["Check the plug", "Check the fuse", "Lid does not close"],
        ["Lid does not close", "If it is red"],
        ["1. Lid does not close", "2. The lamp is red"],
        ["Don't open it", "Never tilt it"],
        ["Why it does not close", "What is not covered"],
        ["Correcting errors", "Reading warnings on the display"],
        ["The lever", "The lamp is green"],
        ["Method 1: no tools", "Method 2: no power"],
        ["No sound", "Bad smell", "Check the plug", "Check the fuse", "Check the lamp"],
        [],
    ],
)
def test_others_are_none(headings: list[str]) -> None:
    assert not troubles_in(headings, TOASTER)


def test_what_stands_above_tells_whether_what_is_so_is_bad() -> None:
    states = ["Toast burns", "The lamp is green", "Clean the slot"]
    assert not troubles_in(states, TOASTER)
    assert troubles_in(states, ("Toaster problems",)) == troubles_in(states, (*TOASTER, "Troubleshooting")) == [0, 1]


def test_causes_in_a_diagnosis_are_looked_at_in_turn() -> None:
    assert not troubles_in(["Disk issue", "Network issue"], (*TOASTER, "Diagnosis"))
    assert troubles_in(["Lid does not close", "Lamp is red"], (*TOASTER, "Troubleshooting"))
