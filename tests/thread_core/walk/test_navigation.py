"""Where a walk goes on that is asked, or leads back: sections side by side, steps of other outcomes, calling guides."""

from __future__ import annotations

from tests.thread_core.guides import library_of
from thread_core.walk.session import HowToSession

LAMP = """\
# Lamp is dark

## Look

Look at the lamp.

## If it flickers

Turn the bulb.

## If it is black

Replace the bulb.
"""
DOOR = """\
# Door is stuck

1. Press the button.
   - If it beeps, go to step 3.
   - If it is silent, go to step 2.
2. Oil the hinge.
3. Call the porter.
"""
BELT = """\
# Belt stands still

## Look

Look at the panel.

- If it shows E1, follow [Fuse](fuse.md).
- If it shows E2, go to [Motor](#motor).

## Motor

Turn the motor by hand.
"""
FUSE = "# Fuse is blown\n\n## Replace\n\nReplace the fuse.\n\n## Test\n\nTest the fuse.\n"


def test_sections_for_cases_side_by_side_are_asked_about() -> None:
    session = HowToSession(library_of(None, lamp=LAMP))
    session.start("The lamp is dark")
    assert session.respond("next").options == ("If it flickers", "If it is black", "None of these")
    assert session.respond("it is black").text.endswith("Replace the bulb.")


def test_what_another_outcome_leads_to_is_gone_on_with_only_when_it_is_wanted() -> None:
    session = HowToSession(library_of(None, door=DOOR))
    session.start("The door is stuck")
    assert session.respond("it is silent").text.endswith("2. Oil the hinge.")
    asked = session.respond("done")
    assert asked.options[0] == "Continue with: 3. Call the porter."
    assert session.respond("yes").text.endswith("3. Call the porter.")


def test_an_outcome_of_the_calling_step_leads_back_into_its_guide() -> None:
    session = HowToSession(library_of(None, belt=BELT, fuse=FUSE))
    session.start("The belt stands still")
    session.respond("E1")
    assert [caller.document_id for caller in session.state.callers] == ["belt.md"]
    assert session.respond("E2").text.endswith("Turn the motor by hand.")
    assert session.state.callers == ()
