"""Which cases of a text are answered by getting out or calling for help."""

import pytest

from thread_core.text.emergencies import emergencies

LISTED = """\
What is it?

- It rings without a pause
  - There is smoke
    - Get out and call 112.
  - There is none: open a window.
- It rings once a day
  - Change the battery.
"""


def test_an_item_is_a_case_that_is_answered_below_it() -> None:
    assert [(told.text, told.first, told.last) for told in emergencies(LISTED)] == [
        ("If There is smoke, Get out and call 112.", 4, 5)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "If it smells of gas, leave the house and call the gas company.",
        "1. If the tank hisses, get everyone out.",
        "If somebody was hurt, call an ambulance.",
        "If the floor shakes, evacuate.",
    ],
)
def test_so_is_a_condition_with_what_to_do_then(text: str) -> None:
    assert len(emergencies(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "If it hums, do not leave the house.",
        "If it hums, get the filter out of the box.",
        "If it hums, call the manufacturer.",
        "If it hums, leave the switch on.",
        "- It hums\n  - Leave it as it is.\n",
        "Leave the house before you paint it.",
    ],
)
def test_nothing_else_is(text: str) -> None:
    assert not emergencies(text)
