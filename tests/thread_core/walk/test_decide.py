"""What a report means among some options: one beyond doubt, a menu, or nothing here. Each decision says why."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import units_of
from thread_core.documents.leaning import OPPOSITE
from thread_core.walk.decide import MENU, menu, polarity, surely, tells_done
from thread_core.walk.labels import NONE_OF_THEM
from thread_core.walk.matcher import Match, Way
from thread_core.walk.state import Act, Choice

(UNIT,) = units_of("# Lamp\n\nLook.\n")
REST = Choice(label=NONE_OF_THEM, act=Act.NEXT)
LIT = ("Is the lamp lit", f"{OPPOSITE}Is the lamp lit")


def options(*conditions: str, rest: bool = True) -> list[Choice]:
    listed = [Choice(label=one, act=Act.FOLLOW, condition=one, unit_id="lamp") for one in conditions]
    return [*listed, *([REST] if rest else [])]


def match(choice: Choice) -> Match:
    return Match(Way(choice, choice.label, 0, UNIT), 0.5, 0.5)


def chosen(report: str, *conditions: str, rest: bool = True) -> str | None:
    """The condition of the option that is taken; the label of that for the rest; None where none is for sure."""
    found = surely(report, options(*conditions, rest=rest))
    if found is None:
        return None
    assert found.reason
    return found.choice.condition or found.choice.label


COLOURS = ("the lamp is red", "the lamp is green", "the lamp blinks")
AMOUNTS = ("the pressure is below 2 bar", "the pressure is between 2 and 5 bar")
CODES = ("it shows E17", "it shows E18")


@pytest.mark.parametrize(
    ("report", "conditions", "expected"),
    [
        ("the lamp is red", COLOURS, COLOURS[0]),
        ("red", COLOURS, COLOURS[0]),
        ("it blinks slowly", COLOURS, COLOURS[2]),
        ("it is not red", COLOURS, None),
        ("red and green", COLOURS, None),
        ("the lamp is blue", COLOURS, None),
        ("the lamp", COLOURS, None),
        ("my sister has a red car and moved to Lisbon last year", COLOURS, None),
        ("it is 1.5 bar", AMOUNTS, AMOUNTS[0]),
        ("3 bar", AMOUNTS, AMOUNTS[1]),
        ("it says 9 bar", AMOUNTS, NONE_OF_THEM),
        ("about 2 to 6 bar", AMOUNTS, None),
        ("the pressure is low", AMOUNTS, None),
        ("1.5 m", AMOUNTS, None),
        ("E18", CODES, CODES[1]),
        ("there is an e17 on the panel", CODES, CODES[0]),
        ("no E17", CODES, None),
        ("E17 and E18", CODES, None),
        ("E19", CODES, None),
    ],
)
def test_an_option_is_taken_where_it_alone_is_meant(report: str, conditions: tuple[str, ...], expected: str) -> None:
    assert chosen(report, *conditions) == expected


@pytest.mark.parametrize(
    ("report", "conditions", "expected"),
    [
        *((said, LIT, LIT[0]) for said in ("yes", "Yes, it is", "it is lit", "the lamp is lit")),
        *((said, LIT, LIT[1]) for said in ("no", "it is not lit", "it isn't", "no, it's dark")),
        *((said, LIT, None) for said in ("yes, but it isn't", "the bell is loud", "I moved the table")),
        ("yes", ("the alarm rings",), "the alarm rings"),
        ("the alarm rings", ("the alarm rings",), "the alarm rings"),
        ("no", ("the alarm rings",), NONE_OF_THEM),
        ("it does not ring", ("the alarm rings",), NONE_OF_THEM),
        ("yes", COLOURS, None),
        ("no", COLOURS, None),
    ],
)
def test_a_yes_or_a_no_answers_the_one_question_that_is_open(
    report: str, conditions: tuple[str, ...], expected: str | None
) -> None:
    assert chosen(report, *conditions, rest=conditions is not LIT) == expected


@pytest.mark.parametrize("report", ["maybe red", "I think it is red", "either red or green", "red, I guess"])
def test_what_is_hedged_means_no_option_for_sure(report: str) -> None:
    assert chosen(report, *COLOURS) is None


def test_a_menu_has_the_outcomes_at_hand_then_the_nearest_each_once_and_few() -> None:
    ways = [match(one) for one in options(*(f"the valve {n} is open" for n in range(9)), COLOURS[0], rest=False)]
    found = [one.condition for one in menu(options(*COLOURS), ways)]
    assert found[:5] == [*COLOURS, "the valve 0 is open", "the valve 1 is open"]
    many = menu(options(*(f"the lamp shows {n}" for n in "abcdefgh")), ways)
    assert (len(many), many[0].condition) == (MENU, "the valve 0 is open")


@pytest.mark.parametrize(
    ("report", "question", "sign"),
    [
        ("yes", "the alarm rings", 1),
        ("yep, it rings", "the alarm rings", 1),
        ("no", "the alarm rings", -1),
        ("nope, it is quiet", "the alarm rings", -1),
        ("no alarm is listed there", "the fan spins", 0),
        ("the alarm rings", "the alarm rings", 1),
        ("the alarm does not ring", "the alarm rings", -1),
        ("the valve is open", "the valve is closed", -1),
        ("that is not the case", "the alarm rings", -1),
        ("the fan spins", "the alarm rings", 0),
        ("yes, but not now", "the alarm rings", 0),
    ],
)
def test_a_report_says_yes_or_no_to_a_question_or_neither(report: str, question: str, sign: int) -> None:
    assert polarity(report, question) == sign


@pytest.mark.parametrize(
    ("report", "is_done"),
    [("I pulled the plug", True), ("I could not pull the plug", False), ("the fan is loud", False), ("", False)],
)
def test_a_report_of_what_was_to_be_done_tells_that_it_was(report: str, is_done: bool) -> None:
    assert tells_done(report, ["Pull the plug.", "Wind up the cord."], leads_on=False) is is_done
