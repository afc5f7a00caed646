"""What a walk needs of units: their passages, and the warnings that hold for each."""

from __future__ import annotations

import time

import pytest

from tests.thread_core.guides import units_of
from thread_core.documents.passages import cut
from thread_core.extraction.finishing import finished

BOX = "> **Warning:** The belt is hot.\n\n"


def warned(text: str) -> dict[str, list[str]]:
    """Of each section, the lines where it is warned of what holds for its steps."""
    lines = text.split("\n")
    return {
        "/".join(unit.section): [lines[span.start - 1] for span in unit.warnings]
        for unit in units_of(text, "press.md")
        if unit.type == "step"
    }


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        (f"# Press\n\n{BOX}## Start\n\nTurn it.\n\n## Clean\n\nWipe it.\n", {"Start": 1, "Clean": 1}),
        (f"# Press\n\n## Start\n\n{BOX}1. Turn it.\n\n## Clean\n\n1. Wipe it.\n", {"Start": 1, "Clean": 0}),
        (f"# Press\n\n## Start\n\n1. Turn it.\n\n{BOX}## Clean\n\n1. Wipe it.\n", {"Start": 1, "Clean": 0}),
        (
            f"# Press\n\n## Use\n\n{BOX}Look.\n\n### Start\n\n1. Turn it.\n\n## Clean\n\n1. Wipe it.\n",
            {"Use": 1, "Use/Start": 1, "Clean": 0},
        ),
        (
            f"# Press\n\n## Safety\n\n{BOX}## Start\n\n1. Turn it.\n\n## Clean\n\n1. Wipe it.\n",
            {"Start": 1, "Clean": 1},
        ),
    ],
    ids=["above all", "of a section", "within its step", "of the section around", "in a section of warnings"],
)
def test_a_warning_holds_for_what_stands_below_it(text: str, holds: dict[str, int]) -> None:
    assert {section: len(lines) for section, lines in warned(text).items()} == holds


def test_units_have_their_passages_and_are_else_what_they_were() -> None:
    units = units_of(f"# Press\n\n{BOX}## Start\n\n1. Turn it.\n2. Wait.\n")
    again = finished([unit.model_copy(update={"passages": (), "warnings": ()}) for unit in units])
    assert again == list(units)
    assert [unit.passages for unit in units] == [cut(unit.body) for unit in units]


def test_nothing_is_warned_of_where_no_guide_does() -> None:
    assert not any(unit.warnings for unit in units_of())
    assert finished([]) == []


def test_the_time_grows_with_the_sections_that_warn() -> None:
    def seconds(sections: int) -> float:
        started = time.process_time()
        units_of("".join(f"## Part {number}\n\n{BOX}Turn it.\n\n" for number in range(sections)), "press.md")
        return time.process_time() - started

    seconds(100)
    assert seconds(2000) < 8 * seconds(500) + 0.2
