"""What is shown besides the step: the sentence that leads to it, and other ways on."""

from __future__ import annotations

import pytest

from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.outcomes import Candidate, candidates
from thread_core.states import Status
from thread_core.turns import LONG, OTHERS, Turn, hedged, quoting, step_turn

LEAKING = """\
# Leaking tap

## Look

Watch the tap.

- If it drips from the spout, go to [Washer](#washer).
- If it drips from the handle, tighten the nut.

## Washer

Change the washer.

## Meaning

Water is lost.
"""


def extracted(text: str = LEAKING) -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document("tap.md", text)).units


def ways(units: tuple[LogicUnit, ...]) -> dict[str, Candidate]:
    return {way.condition: way for way in candidates(units[0], units) if way.link is not None}


def shown(unit: LogicUnit) -> Turn:
    return step_turn([unit], unit.start)


def test_the_sentence_that_leads_to_a_step_stands_above_it() -> None:
    units = extracted()
    turn = quoting(shown(units[1]), ways(units)["it drips from the spout"])
    assert turn.text.splitlines() == [
        "Leaking tap: Washer",
        "> - If it drips from the spout, go to [Washer](#washer).",
        "",
        "Change the washer.",
    ]
    assert (turn.citations[0].start, turn.citations[-1].start) == (units[1].start, 7)


def test_a_sentence_that_is_shown_is_not_quoted() -> None:
    units = extracted()
    turn = shown(units[0])
    assert quoting(turn, ways(units)["it drips from the handle"]) == turn


@pytest.mark.parametrize("status", [Status.RESOLVED, Status.ASKING, Status.UNKNOWN])
def test_nothing_is_added_to_what_is_no_step(status: Status) -> None:
    units = extracted()
    turn = shown(units[1]).model_copy(update={"status": status})
    way = ways(units)["it drips from the handle"]
    assert hedged(quoting(turn, way), [way]) == turn


def test_other_ways_stand_below_with_where_they_come_from() -> None:
    units = extracted()
    turn = hedged(shown(units[1]), [ways(units)["it drips from the handle"]])
    assert "Or, if it is rather this (Leaking tap: Look):\n- If it drips from the handle, tighten" in turn.text
    assert turn.citations[-1].start == turn.citations[-1].end == 8


def test_what_is_shown_is_no_other_way() -> None:
    units = extracted()
    turn = shown(units[0])
    assert hedged(turn, list(ways(units).values())) == turn


def test_other_ways_are_few_and_short() -> None:
    text = "# Tap\n\nLook.\n\n" + "".join(f"## Case {n}\n\nTurn valve {n}. {'Wait. ' * 40}\n\n" for n in range(1, 9))
    units = extracted(text)
    others = [way for unit in units[2:] for way in candidates(unit, [unit])]
    turn = hedged(shown(units[1]), others)
    assert turn.text.count("Or, if") == OTHERS
    assert len(turn.text) <= LONG
