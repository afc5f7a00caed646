import pytest

from tests.thread_core.guides import library_of
from thread_core.walking.replies import is_bare
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status

GUIDE = """# The kettle is slow

A kettle that is full of lime takes long.

## Clean the sieve

1. Switch the kettle off and unplug it.
2. Open the lid with a coin.
3. Put a bowl under the spout.
4. Turn the sieve to the left and take it out.
5. Rinse the sieve under the tap.
6. Fill the kettle and look at the lamp.
   - If the lamp blinks, call the works.
   - If the lamp is red, wait a minute.

## Change the seal

If the seal is torn, put in a new one.
"""


def shown_after(*said: str) -> str:
    session = HowToSession(library_of(None, kettle=GUIDE))
    turn = session.start("How do I clean the sieve of the kettle?")
    for line in said:
        turn = session.respond(line)
    assert turn.status is Status.AWAITING, turn
    return turn.text


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("yes its off and unplugged", "2. Open the lid"),
        ("opened the lid", "3. Put a bowl"),
        ("bowl is under it now", "4. Turn the sieve"),
        ("step 3 is done", "4. Turn the sieve"),
        ("Steps 1-4 are done.", "5. Rinse the sieve"),
    ],
)
def test_who_tells_what_was_done_is_shown_what_comes_below(said: str, first: str) -> None:
    body = shown_after(said).split("\n", 1)[1]
    assert body.lstrip().startswith(first), body


@pytest.mark.parametrize("said", ["the seal is torn", "the lamp is red", "lamp blinks"])
def test_an_outcome_is_none_of_what_was_done(said: str) -> None:
    session = HowToSession(library_of(None, kettle=GUIDE))
    before = session.start("How do I clean the sieve of the kettle?").text
    after = session.respond(said).text
    assert before != after
    assert "2. Open the lid" not in after


@pytest.mark.parametrize("said", ["I can't open the lid", "the lid does not open", "did you open the lid?"])
def test_what_was_not_done_is_not_passed(said: str) -> None:
    session = HowToSession(library_of(None, kettle=GUIDE))
    session.start("How do I clean the sieve of the kettle?")
    assert not session.respond(said).text.split("\n", 1)[-1].lstrip().startswith("3. Put a bowl")


SLUICE = """# Sluice

Open the gate.

## Look at it

Read the scale.

## If the first step has failed

Call us.
"""


@pytest.mark.parametrize(
    "said", ["Step 1 is done.", "I have completed steps 1 and 2 as described.", "The first step is done"]
)
def test_a_step_that_has_no_number_on_the_screen_is_done_with_what_is_there(said: str) -> None:
    session = HowToSession(library_of(None, sluice=SLUICE))
    session.start("How do I open the sluice?")
    assert session.respond(said).text.endswith("Read the scale.")


def test_not_yet_is_a_bare_no() -> None:
    assert is_bare("not yet.")
    assert not is_bare("it is not there yet")
