"""What a report means among some options: one beyond doubt, a menu, or nothing here. Each decision says why."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import units_of
from thread_core.documents.leaning import OPPOSITE
from thread_core.walk.decide import CLEAR, COVERED, MARGIN, MENU, Ask, Go, NotCovered, decide, polarity, tells_done
from thread_core.walk.matcher import Match, Way
from thread_core.walk.options import NONE_OF_THEM
from thread_core.walk.state import Act, Choice

(UNIT,) = units_of("# Lamp\n\nLook.\n")
REST = Choice(label=NONE_OF_THEM, act=Act.NEXT)
LIT = ("Is the lamp lit", f"{OPPOSITE}Is the lamp lit")


def options(*conditions: str, rest: bool = True) -> list[Choice]:
    listed = [Choice(label=one, act=Act.FOLLOW, condition=one, unit_id="lamp") for one in conditions]
    return [*listed, *([REST] if rest else [])]


def match(choice: Choice, score: float = 0.5, related: float = 0.5) -> Match:
    return Match(Way(choice, choice.label, 0, UNIT), score, related)


def chosen(report: str, *conditions: str, rest: bool = True) -> str | None:
    """The condition of the option that is taken; the label of that for the rest; None where none is for sure."""
    found = decide(report, options(*conditions, rest=rest), [])
    if not isinstance(found, Go):
        return None
    assert found.reason
    assert not found.is_guess
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
def test_what_is_hedged_gets_a_menu_that_has_it(report: str) -> None:
    found = decide(report, options(*COLOURS), [])
    assert isinstance(found, Ask)
    assert [choice.condition for choice in found.choices] == [*COLOURS]


def test_a_menu_has_the_outcomes_at_hand_then_the_nearest_each_once_and_few() -> None:
    ways = [match(one) for one in options(*(f"the valve {n} is open" for n in range(9)), COLOURS[0], rest=False)]
    found = decide("purple", options(*COLOURS), ways)
    assert isinstance(found, Ask)
    assert [one.condition for one in found.choices[:5]] == [*COLOURS, "the valve 0 is open", "the valve 1 is open"]
    many = decide("purple", options(*(f"the lamp shows {n}" for n in "abcdefgh")), ways)
    assert isinstance(many, Ask)
    assert (len(many.choices), many.choices[0].condition) == (MENU, "the valve 0 is open")


def test_what_nothing_has_to_do_with_is_not_covered() -> None:
    far = [match(one, related=COVERED - 0.01) for one in options(*COLOURS, rest=False)]
    found = decide("my sister moved to Lisbon", options(*COLOURS), far)
    assert found == NotCovered("no way on from here is near what was said")


def test_a_ranking_moves_the_walk_only_where_it_is_clear_and_then_as_a_guess() -> None:
    first, second, _ = options("the wheel squeaks", "the wheel rattles")
    sure = decide("a noise", options(*COLOURS), [match(first, CLEAR), match(second, CLEAR - MARGIN - 0.01)])
    assert isinstance(sure, Go)
    assert (sure.choice, sure.is_guess) == (first, True)
    for others in ([match(first, CLEAR), match(second, CLEAR - MARGIN / 2)], [match(first, CLEAR - 0.01)]):
        asked = decide("a noise", options(*COLOURS), others)
        assert isinstance(asked, Ask)
        assert asked.reason == "several are near what was said"


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
