"""Guides in plain text, whose headings are lines in capitals."""

import time

from thread_core import Document, Extraction, RuleExtractor
from thread_core.models import LogicUnitType

PUMP = """\
PUMP WILL NOT START

SAFETY

NOTE: LOCK THE MAINS BEFORE YOU OPEN THE HOUSING.

STEP 1. CHECK THE LAMP

IF THE LAMP IS RED, GO TO STEP 3.

STEP 2. OPEN THE VALVE

TURN THE HANDLE. IF THE VALVE IS STUCK, SEE "REPLACE THE VALVE".

STEP 3. CHANGE THE FUSE

PULL IT OUT.

REPLACE THE VALVE

1) CLOSE THE COCK.
2) UNSCREW THE VALVE.
"""

KILN = """\
Kiln
====

1. PREPARATION

Wear gloves.

2. COOLING

2.1 Open the damper.
2.2 If the needle stays above 200, go to section 3.

3. EMERGENCY COOLING

Call the foreman.
"""

LIFT = """\
LIFT DOES NOT MOVE

Read this before you call anyone.

RESET

If the display shows E5, go to DOOR.

WARNING

The cabin may move.

DOOR

PRESS BOTH WINGS TOGETHER

WAIT UNTIL THE LAMP IS GREEN

Close the cabinet.
"""


def extract(text: str) -> Extraction:
    return RuleExtractor().extract(Document("guide.txt", text))


def links(extraction: Extraction) -> list[tuple[str, str, int | None]]:
    return [
        (link.condition, link.target.anchor, link.target.step)
        for unit in extraction.units
        for link in unit.links
        if link.condition and link.target
    ]


def test_lines_in_capitals_are_headings_and_conditions_and_jumps_are_read_below_them() -> None:
    extraction = extract(PUMP)
    assert {unit.title for unit in extraction.units} == {"PUMP WILL NOT START"}
    assert [unit.section[-1] for unit in extraction.units] == [
        "SAFETY",
        "STEP 1. CHECK THE LAMP",
        "STEP 2. OPEN THE VALVE",
        "STEP 3. CHANGE THE FUSE",
        "REPLACE THE VALVE",
    ]
    assert extraction.units[0].type is LogicUnitType.BACKGROUND
    assert links(extraction) == [
        ("THE LAMP IS RED", "step-1-check-the-lamp", 3),
        ("THE VALVE IS STUCK", "replace-the-valve", None),
    ]
    assert extraction.units[-1].body == "1) CLOSE THE COCK.\n2) UNSCREW THE VALVE."


def test_numbers_are_of_sections_where_numbers_stand_below_them() -> None:
    extraction = extract(KILN)
    assert [unit.section for unit in extraction.units] == [
        ("1. PREPARATION",),
        ("2. COOLING",),
        ("3. EMERGENCY COOLING",),
    ]
    assert any(link.target and link.target.anchor == "3-emergency-cooling" for link in extraction.units[1].links)


def test_of_lines_that_follow_each_other_and_of_labels_none_is_a_heading_but_the_first() -> None:
    extraction = extract(LIFT)
    sections = dict.fromkeys(unit.section[-1] for unit in extraction.units if unit.section)
    assert {"RESET", "WARNING"} & set(sections) == {"RESET"}
    assert not {"PRESS BOTH WINGS TOGETHER", "WAIT UNTIL THE LAMP IS GREEN"} & set(sections)


def test_a_text_with_headings_of_its_own_and_code_stay_as_they_are() -> None:
    code = "```\nSELECT ALL\n\nDROP ALL\n\n```"
    for text in (f"# Guide\n\n{KILN}", "FIRST PART\n\nText.\n", f"Text.\n\n{code}\n\nText.\n"):
        assert not any(part.isupper() for unit in extract(text).units for part in unit.section)


def test_many_lines_in_capitals_take_no_long_time() -> None:
    begun = time.process_time()
    extract("FIRST PART\n\nText.\n\n" * 3_000 + "A " * 50_000)
    assert time.process_time() - begun < 10
