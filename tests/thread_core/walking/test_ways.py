"""Which ways on there are from a step."""

from __future__ import annotations

import itertools

import pytest

from tests.thread_core.guides import DRYER, SERVICE, units_of
from thread_core import Span
from thread_core.models import LogicUnitType
from thread_core.walking.ways import AT_ONCE, beginning, body_parts, candidates, due, line_of, passages

# -- candidates --------------------------------------------------------------------------------------------------------


def test_all_passages_of_the_steps_are_ways_on_and_none_of_the_background() -> None:
    units = units_of(SERVICE)
    ways = [(choice.line, choice.distance, choice.condition) for choice in candidates(units[0], units)]
    assert ways == [
        (5, 0, ""),
        (7, 0, "the answer is 200"),
        (8, 0, "the answer is 503"),
        (9, 0, "there is no answer at all"),
        (10, 0, "the certificate has expired"),
        (14, 1, "Routes"),
        (18, 2, "Instances"),
    ]


def test_distance_is_counted_from_the_current_step() -> None:
    units = units_of(SERVICE)
    assert {choice.distance for choice in candidates(units[1], units)} == {-1, 0, 1}


def test_background_that_is_shown_has_ways_on_of_its_own() -> None:
    units = units_of(SERVICE)
    assert 0 in {choice.distance for choice in candidates(units[-1], units)}


def test_a_condition_that_stands_outside_of_the_body_is_a_way_too() -> None:
    text = """\
# A cannot reach B

## Check

### Prerequisite
- Calls fail.

### Header
Check whether B answers

### Body
Ask B.

### Linker
- If B answers, then verify the calls. [CONTINUE]
- If it is silent, then open a ticket with the network team. [MITIGATE]
"""
    units = [unit for unit in units_of(text) if unit.type == LogicUnitType.STEP]
    conditions = [choice.condition for choice in candidates(units[0], units)]
    assert conditions == ["", "B answers", "it is silent"]


@pytest.mark.parametrize(("one", "other"), [("Symptoms", "Limitations"), ("Overview", "Symptom 2")])
def test_what_describes_no_case_among_others_is_no_way(one: str, other: str) -> None:
    units = units_of(DRYER.format(one=one, other=other).replace("### Reason", "### Details"))
    conditions = {choice.condition for choice in candidates(units[-1], units)}
    assert "The door is cold." not in conditions


def test_cases_of_an_appendix_are_ways_and_its_references_are_none() -> None:
    references = "For more information, see [Hub](hub.md). If the log is locked, use the [log reader](reader.md)."
    units = units_of(f"# Slow start\n\n1. Read the start log.\n\n## References\n\n{references}\n")
    appended = [way.condition for way in candidates(units[0], units) if way.unit.type == LogicUnitType.APPENDIX]
    assert appended == ["the log is locked"]


# -- passages ----------------------------------------------------------------------------------------------------------

LAID_OUT = """\
# A

Some words
over two lines.

- One:

  ```
  - no item

  after a gap
  ```
  of one
- Two.
    continued

~~~
code
~~~

End.
"""


def test_a_body_is_cut_at_items_and_gaps_and_code_stays_with_what_precedes() -> None:
    (unit,) = units_of(LAID_OUT)
    assert list(passages(unit)) == [
        (3, 4, "Some words\nover two lines."),
        (6, 13, "- One:\n  ```\n  - no item\n  after a gap\n  ```\n  of one"),
        (14, 19, "- Two.\n    continued\n~~~\ncode\n~~~"),
        (21, 21, "End."),
    ]


def test_a_step_within_code_is_no_step() -> None:
    (unit,) = units_of("# A\n\nWrite this:\n\n````md\n```sh\n\n1. Stop.\n\n```\n````\n\n1. Start.\n")
    assert [(first, last) for first, last, _ in passages(unit)] == [(3, 11), (13, 13)]
    assert line_of(unit, 1) == 13


@pytest.mark.parametrize(
    "picture",
    [
        "![A lamp](lamp.png)",
        "   ![](lamp.png) ![Another](other.png)",
        ':::image type="content" source="lamp.png" alt-text="A lamp":::',
        '<img src="lamp.png" alt="A lamp"/>',
        "[![A lamp](small.png)](lamp.png)",
    ],
)
def test_a_picture_is_part_of_the_passage_before_it_and_the_first_of_the_one_behind_it(picture: str) -> None:
    unit = units_of(f"# Lamp\n\n{picture}\n\nLook at it.\n\n{picture}\n\n{picture}\n\nTurn it on.\n")[0]
    assert [end for _, end, _ in passages(unit)] == [9, 11]


def test_a_line_with_a_picture_and_words_is_a_passage() -> None:
    unit = units_of("# Lamp\n\nLook at it.\n\n![](on.png) Turn it on.\n\nSee ![on](on.png).\n")[0]
    assert [line for line, _, _ in passages(unit)] == [3, 5, 7]


@pytest.mark.parametrize(
    "text", [LAID_OUT, SERVICE, "# A\n\n1. One\n2. Two\n\n\n\n3. Three\n", "# A\n\n```\nopen\n\n- x\n"]
)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_passages_stand_where_they_say(text: str, ending: str) -> None:
    lines = ["", *text.splitlines()]
    for unit in units_of(text.replace("\n", ending)):
        cut = list(passages(unit))
        for first, last, words in cut:
            assert words.splitlines() == [line for line in lines[first : last + 1] if line.strip()]
        assert [line for _, _, words in cut for line in words.splitlines()] == [
            line for span in unit.body_spans for line in lines[span.start : span.end + 1] if line.strip()
        ]
        assert all(one[1] < other[0] for one, other in itertools.pairwise(cut))


@pytest.mark.parametrize(
    ("text", "passages_of_it"),
    [
        ("* If it hums, do this:\n  1. Stop it.\n  2. Oil it.\n* Wait.", [(3, 5), (6, 6)]),
        ("1. Choose one:\n   - the red\n\n   - the blue\n2. Wait.", [(3, 6), (7, 7)]),
        ("* If it hums, stop it.\n  1. Pull the lever.\n  2. Oil it.\n* Wait.", [(3, 3), (4, 4), (5, 5), (6, 6)]),
        ("Do this:\n- Stop it.\n- Oil it.", [(3, 3), (4, 4), (5, 5)]),
    ],
)
def test_what_an_item_announces_under_it_stays_with_it(text: str, passages_of_it: list[tuple[int, int]]) -> None:
    (unit,) = units_of(f"# A\n\n{text}\n")
    assert [(first, last) for first, last, _ in passages(unit)] == passages_of_it


def test_cases_that_an_item_announces_are_ways_of_their_own() -> None:
    text = "# A\n\n2. Decide:\n   1. If it leaks, wipe it.\n   2. Wipe it twice.\n   3. If it drips, close it.\n"
    (unit,) = units_of(text)
    assert [(line, end) for line, end, _ in passages(unit)] == [(3, 3), (4, 4), (5, 5), (6, 6)]
    assert [choice.line for choice in candidates(unit, [unit])] == [3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("If the lid is stuck, the lock is closed. Go to step 3.", ["Go to step 3."]),
        ("If the lid is stuck, the lock is closed. In this case, open it.", ["the lock is closed.", "open it."]),
        ("If the lid is stuck, lift it. In this case, go to step 3.", ["go to step 3."]),
        ("If the lid is stuck, the lock is closed. Call the vendor.", ["the lock is closed.", "Call the vendor."]),
    ],
)
def test_of_what_is_said_of_a_case_only_what_leads_on_or_ends_is_a_way_where_anything_does(
    text: str, said: list[str]
) -> None:
    unit = units_of(f"# Box\n\n1. {text}\n2. Press the lid.\n3. Use the key.\n")[0]
    assert [way.link.query for way in candidates(unit, [unit]) if way.link is not None] == said


def test_a_body_of_two_spans_comes_in_two_parts() -> None:
    (unit,) = units_of("# A\n\none\ntwo\n")
    body = "head\nrow"
    split = unit.model_copy(update={"body": body, "body_spans": (Span("a.md", 3, 3), Span("a.md", 9, 9))})
    assert list(body_parts(split)) == [["head"], ["row"]]
    assert [(first, last) for first, last, _ in passages(split)] == [(3, 9)]


# -- where a way begins ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "whole"), [(10, True), (AT_ONCE // 5, False)])
def test_the_next_step_is_offered_whole_or_with_its_first_passage(words: int, whole: bool) -> None:
    unit = units_of(f"# Tap\n\n- Turn the tap.\n  - Left.\n  - {'wait ' * words}\n")[0]
    way = beginning(unit)
    assert (way.line, way.end == unit.body_spans[-1].end) == (unit.start, whole)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("4. Look.\n5. Act.\n", {4: 3, 5: 4, 6: 3, None: 3}),
        ("1. Look.\n\n1. Act.\n", {1: 3, 2: 5}),
        ("1. Look.\n   1. Left.\n   2. Right.\n2. Act.\n", {1: 3, 2: 5}),
        ("Look.\n", {1: 3}),
    ],
)
def test_a_step_begins_at_the_line_with_its_number(text: str, lines: dict[int | None, int]) -> None:
    (unit,) = units_of(f"# Tap\n\n{text}")
    assert {step: line_of(unit, step) for step in lines} == lines


# -- outcomes of what was done -----------------------------------------------------------------------------------------

STEPS = """\
# Fill the tank

1. Look at the gauge.

   - If it is red, go to step 2.
   - If it is green, go to [Rest](#rest).

2. Open the tap.
3. Look at the gauge again.
4. If it stays red, call the smith.
5. If it turns green, go to step 7.
6. Close the tap. If it drips, call the plumber.
7. Wipe the floor.

## Rest

Sit down.
"""


@pytest.mark.parametrize(
    ("step", "asked"),
    [
        (1, ["it is red", "it is green"]),
        (2, ["it stays red", "it turns green"]),
        (3, ["it stays red", "it turns green"]),
        (6, ["it drips"]),
        (7, []),
    ],
)
def test_the_outcomes_of_what_is_done_are_those_up_to_the_next_thing_to_do(step: int, asked: list[str]) -> None:
    unit = units_of(STEPS)[0]
    assert [link.condition.partition(" (")[0] for link in due(unit, line_of(unit, step))] == asked


def test_what_is_said_of_an_outcome_ends_none_of_those_beside_it() -> None:
    cases = "- If it is red:\n  - Open the tap.\n  - Wait.\n- If it is green, call the smith.\n"
    unit = units_of(f"# Tank\n\nLook at the gauge.\n\n{cases}")[0]
    assert {link.condition for link in due(unit, unit.start)} == {"it is red", "it is green"}


def test_the_next_paragraph_that_tells_what_to_do_has_outcomes_of_its_own() -> None:
    text = "# Tank\n\nLook. If it is red, call the smith.\n\nOpen the tap. If it drips, call the plumber.\n"
    unit = units_of(text)[0]
    assert [link.condition for link in due(unit, unit.start)] == ["it is red (Look)"]
