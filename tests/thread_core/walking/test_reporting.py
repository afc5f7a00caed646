"""What a report of the step at hand leads to, and what is asked about instead."""

import pytest

from tests.thread_core.guides import library_of
from tests.thread_core.walking.test_moving import walk
from thread_core import Document, RuleExtractor
from thread_core.walking import matching
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status

CODES = """\
# The kiln shows a code

Read the code on the panel.

| Code | What to do |
|---|---|
| K1 | Close the gas valve and [call the service](#call-the-service). |
| K2 | [Check the gas valve](#check-the-gas-valve). |
| K3 | [Clean the burner](#clean-the-burner). |

## Check the gas valve

If the valve is closed, open it fully and press Start.

## Clean the burner

If soot comes out, brush the nozzle.

## Call the service

Have the serial number ready.
"""
ROUTER = """\
# The router is down

## Look at the lamp

Look at the lamp marked Line.

## Renew the login

Type in the password. If "Refused" is shown, [call accounts](#call-accounts).

## Call accounts

Monday to Friday.

## Report a fault

If the light stays off, dig out the cable.
"""


@pytest.mark.parametrize("said", ["it is saturday and they are closed", "my neighbour has a green one"])
def test_what_is_hardly_like_another_section_does_not_lead_there(said: str) -> None:
    asked = walk(ROUTER, "How do I renew the login of the router?", "Refused is shown", said)
    assert asked.status is Status.ASKING
    assert "dig out" not in asked.text


def test_what_is_like_another_section_leads_there() -> None:
    turn = walk(ROUTER, "How do I renew the login of the router?", "Refused is shown", "the light stays off")
    assert turn.text.splitlines()[-1] == "If the light stays off, dig out the cable."


def test_a_section_that_the_chosen_row_rules_out_is_not_entered() -> None:
    turn = walk(CODES, "The kiln shows a code", "K1", "the valve is closed, as it says")
    assert "open it fully" not in turn.text


@pytest.mark.parametrize("said", ["oops, it is K2", "K2", "oops, the valve is closed"])
def test_a_choice_may_be_taken_back(said: str) -> None:
    turn = walk(CODES, "The kiln shows a code", "K3", said)
    assert "open it fully" in turn.text


def test_a_section_that_was_not_chosen_rules_out_none() -> None:
    turn = walk(CODES, "How do I clean the burner of the kiln?", "the valve is closed")
    assert "open it fully" in turn.text


GAUGES = """\
# The boiler stops

Read the gauges and look at the burner.

- If the temperature is above 90, switch the boiler off.
- If the pressure is below 1, fill in water.
- If you see flames, leave the room.
"""


@pytest.mark.parametrize("said", ["the pressure is 95", "no flames", "there are no flames at the burner"])
def test_what_is_denied_or_of_another_amount_is_not_followed(said: str) -> None:
    turn = walk(GAUGES, "The boiler stops", said)
    assert not any(does in turn.text for does in ("> - If", "switch the boiler off", "leave the room"))


def test_what_shines_no_longer_is_off() -> None:
    lamp = "# The lamp\n\nLook.\n\n- If the lamp is steady, wait.\n- If the lamp is off, press Reset.\n"
    for said in ("the small lamp does not shine", "it is dark"):
        assert "press Reset" in walk(lamp, "What does the lamp say?", said).text.splitlines()[1]


RADIO = """\
# The radio is weak

1. Move closer to the mast.
   - If it plays near the mast, buy a booster.
   - If it does not play there, turn the knob.
2. If nothing has helped so far, erase the memory.
3. If you do not want to lose the stations, write them down.
"""


@pytest.mark.parametrize("said", ["no i dont want a booster", "id rather not", "we won't erase anything", "no thanks"])
def test_who_will_not_is_asked_and_not_led_to_what_comes_when_nothing_has_helped(said: str) -> None:
    turn = walk(RADIO, "The radio is weak", "it plays near the mast", said)
    assert turn.status is Status.ASKING
    assert "it plays near the mast" in turn.options


def test_that_somebody_does_not_want_something_may_be_what_a_condition_says() -> None:
    turn = walk(RADIO, "The radio is weak", "I do not want to lose the stations")
    assert "write them down" in turn.text.splitlines()[1]


@pytest.mark.parametrize("said", ["let me check", "I'll try that this evening", "my wife is doing it"])
def test_who_has_not_done_it_yet_stays_at_the_step(said: str) -> None:
    question = "How do I renew the login of the router?"
    asked = walk(ROUTER, question, said)
    assert (asked.status, asked.text.partition(" ")[0]) == (Status.ASKING, "Then")
    assert "Monday" in walk(ROUTER, question, said, "Refused is shown").text


BROKER = """\
# How to upgrade the broker

## Before

1. Save all data with `brokerctl save`.
2. Turn on the flags. If it prints `flag unknown`, update that node first.

## Then

1. Shut the nodes down.
2. Install the package.
   - If it logs `schema broken`, stop. Restore the backup of the cluster and open a support case.
   - If it logs `waiting`, start the others.
"""


def test_what_is_to_be_done_in_a_case_of_another_step_is_not_that_case() -> None:
    question = "How do I upgrade the broker?"
    asked = walk(BROKER, question, "backup is made and the cluster is stopped")
    assert (asked.status, asked.options) == (Status.ASKING, ("it prints flag unknown",))
    assert walk(BROKER, question, "done", "it logs schema broken").status is Status.ESCALATED


INSTALLER = """\
# Errors of the installer

## Error 1603: the installation failed

Give the folder Temp full control, restart the service and start the installer once more.

## Error 1618: another installation is running

Wait for it, then reboot.

## Error 1722: a package is damaged

Download the 32-bit package once more.
"""


@pytest.mark.parametrize(
    ("said", "section"),
    [
        ("Different number this time: 1618, the package could be damaged", 1),
        ("still 1603, the 32-bit package", None),
        ("it shows 1999 now", None),
        ("1618 or 1722", None),
    ],
)
def test_a_code_leads_to_the_section_whose_heading_names_it(said: str, section: int | None) -> None:
    units = RuleExtractor().extract(Document(id="installer", text=INSTALLER)).units
    first = [unit for unit in units if unit.section]
    assert matching.headed_by_code(said, first[0], units) == (None if section is None else first[section])
    if section is not None:
        assert "reboot" in walk(INSTALLER, "The installer says error 1603", said).text.partition("Or, if")[0]


KETTLE = """\
# The kettle is slow

1. Open the lid.
2. Wait for ten minutes.
3. Press the knob.
"""
CONCERT = """\
# Book concert tickets

1. Choose a seat in the hall.
2. Pay for the tickets.
"""


def test_who_says_again_what_is_no_outcome_is_led_to_the_step_of_another_guide_that_fits() -> None:
    session = HowToSession(library_of(None, kettle=KETTLE, concert=CONCERT))
    session.start("the kettle is slow")
    assert session.respond("choose a seat").status is Status.ASKING
    found = session.respond("choose a seat")
    assert found.citations[0].document_id == "concert.md"
    assert session.state.trail[-1].is_guess
    assert [caller.document_id for caller in session.state.callers] == ["kettle.md"]


def test_where_nothing_fits_what_is_said_again_the_nearest_guides_are_offered() -> None:
    session = HowToSession(library_of(None, kettle=KETTLE, concert=CONCERT))
    session.start("the kettle is slow")
    assert session.respond("moon cheese").status is Status.ASKING
    offered = session.respond("moon cheese")
    assert offered.status is Status.UNKNOWN
    assert offered.text.startswith("Nothing in these guides says where that leads.")
    assert set(offered.options) == {"The kettle is slow", "Book concert tickets"}
