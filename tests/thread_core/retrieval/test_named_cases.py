"""Which case of a guide is named by a question."""

from __future__ import annotations

import pytest

from tests.thread_core.retrieval.test_retrieve import library
from thread_core import Document, RuleExtractor
from thread_core.plan import run
from thread_core.retrieval.named_cases import named
from thread_core.retrieval.retrieve import find_entries

KETTLE = """\
# The kettle stays cold

## Look at the lamps

| Lamp | State | Do |
|---|---|---|
| Base | off | Plug it in |
| Base | steady red | [Clean it](#clean-it) |
| Lid | steady red | Close the lid |

## Look up the code

| Code | Do |
|---|---|
| K7 | Descale it |
| K8, K9 | Call us |
| 12 | Wait |

## Clean it

1. Wipe the base. If it says K5, wipe it twice.
"""


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("my kettle says K7", "K7"),
        ("k9 on the screen", "K8, K9"),
        ("code 12", "12"),
        ("base lamp is red", "Base: steady red"),
        ("the lamp of the base is off", "Base: off"),
        ("lid steady red", "Lid: steady red"),
        ("red lamp", None),
        ("it takes 12 minutes", None),
        ("no K7, it stays cold", None),
        ("K5", None),
        ("K7 and then K8", None),
        ("", None),
    ],
)
def test_a_question_names_a_row_by_its_code_or_by_what_it_says(question: str, condition: str | None) -> None:
    found = named(question, RuleExtractor().extract(Document("kettle.md", KETTLE)).units)
    assert (found and found[1].condition) == condition


def test_a_code_of_one_guide_alone_leads_there_whatever_the_headers_of_others_say() -> None:
    screen = "# The toaster's screen\n\n## Something on the screen\n\nWipe it.\n\n## The screen is dark\n\nWait.\n"
    alone, both = library(kettle=KETTLE, screen=screen), library(kettle=KETTLE, screen=f"{screen}\n{KETTLE}")
    assert run(find_entries("K7 on the screen"), alone.answer)[0].unit.section == ("Look up the code",)
    assert run(find_entries("K7 on the screen"), both.answer)[0].unit.document_id == "screen.md"


FAN = """\
# The fan of the office is silent

1. Press the big knob for 3 seconds.
   - The green lamp blinks: go on.
   - The green lamp stays dark: charge it.
   - It says "Filter clogged": wash the filter.
2. Is the belt loose? Tighten it. If it is loose again, replace it.
   - Belt torn or frayed: replace it.
   - Belt squeaks: oil it.

## The blades are stuck

If a blade is bent, do not turn the fan. If the blades are stuck, free them.

- F2, F3: call us. F3 is rare.
- The R2 model hums: wait.
- Kitchen2Fan: unplug it.
- **Parked**: nothing to do.
- Anything else: call us.
"""


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("green lamp on my fan stays dark", "The green lamp stays dark"),
        ("the fan's lamp is green", None),
        ("fan says filter clogged, what now?", 'It says "Filter clogged"'),
        ("the belt is torn", "Belt torn or frayed"),
        ("it is loose again", None),
        ("the belt is not torn", None),
        ("the belt is torn and I want to know where I can buy another fan that lasts longer", None),
        ("the blades are stuck", None),
        ("a bent blade", "a blade is bent"),
        ("F2 on the fan's panel since my trip to Rome", "F2, F3"),
        ("the fan is parked", "Parked"),
        ("R2 panel", None),
        ("anything else", None),
        ("I want Kitchen2Fan to turn my fan", None),
        ("the fan is silent", None),
    ],
)
def test_a_question_names_a_case_by_saying_that_and_hardly_anything_else(question: str, condition: str | None) -> None:
    found = named(question, RuleExtractor().extract(Document("fan.md", FAN)).units)
    assert (found and found[1].condition) == condition
