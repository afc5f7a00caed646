"""What a warning is for is answered by that warning, before anything else."""

from __future__ import annotations

import pytest

from tests.thread_core.walking.test_session import library, walk
from thread_core import Span
from thread_core.store.library import Library
from thread_core.text.alarms import alarms
from thread_core.walking.alarming import is_for
from thread_core.walking.execution import Outcome, OutcomeKind
from thread_core.walking.moving import visit
from thread_core.walking.showing import HAND_OVER, present, units_of
from thread_core.walking.spelling import plain
from thread_core.walking.states import Event, Status
from thread_core.walking.trail import Asked, Lead, SessionState
from thread_core.walking.walk import due
from thread_core.walking.walk import turn as walking

STOVE = """# The stove stays cold

> **SAFETY FIRST**
> If the stove smokes, open the windows and leave the hut.
> Never burn a log that is wet.

## Is there wood?

Look into the box. If there is no wood, fetch some. If the wood smokes, wait.

## Light it

Run `stove light`. If it burns, you are done.

## Sweep it

Brush the pipe.
"""
KETTLE = """# The kettle does not boil

## Look

1. Fill it.

   > [!CAUTION]
   > If the cord is burnt, pull the plug.

2. Switch it on.
"""
COLD, WARNED = "The stove stays cold", Span("stove.md", 3, 5)
VERBATIM = (
    "The stove stays cold\n> **SAFETY FIRST**\n> If the stove smokes, open the windows and leave the hut.\n"
    "> Never burn a log that is wet."
)


@pytest.fixture(scope="module")
def guides() -> Library:
    return library(stove=STOVE, kettle=KETTLE)


def test_a_warning_stands_once_above_a_later_step(guides: Library) -> None:
    units = guides.run(units_of("stove.md"))
    later = next(unit for unit in units if unit.section[-1:] == ("Light it",))
    turn = guides.run(present(guides.run(visit(SessionState(), later, later.start, units, Lead("it was chosen")))))
    assert turn.text.count("Never burn a log") == 1


@pytest.mark.parametrize("said", ["the stove is smoking!!", "wait, my stove smokes", "done but now the stove smokes"])
def test_a_warning_that_is_for_a_report_is_shown_alone(said: str, guides: Library) -> None:
    session, turn = walk(guides, COLD, said)
    assert (turn.text, turn.status, turn.asked) == (VERBATIM, Status.ASKING, Asked.WARNING)
    assert turn.citations[0] == WARNED
    assert guides.run(due(session.state)) is None


@pytest.mark.parametrize("said", ["next", "done", "1", "Go on with the guide", "skip", "back"])
def test_what_was_on_the_screen_comes_after_it_and_is_not_run_unasked(said: str, guides: Library) -> None:
    session, before = walk(guides, COLD, "next")
    assert guides.run(due(session.state)) is not None
    assert session.respond("the stove smokes").text == VERBATIM
    assert session.respond(said).text == before.text
    assert guides.run(due(session.state)) is None


def test_after_two_warnings_the_step_before_them_comes(guides: Library) -> None:
    session, before = walk(guides, COLD)
    session.respond("the stove smokes")
    assert session.respond("i burn a log and the log is wet").asked is Asked.WARNING
    assert session.respond("next").text == before.text


def test_a_question_is_led_to_the_warning_that_is_for_it(guides: Library) -> None:
    session, turn = walk(guides, "my kettle does not boil and the stove smokes")
    assert turn.text == VERBATIM
    assert session.respond("next").status is Status.AWAITING


def test_what_is_asked_meanwhile_is_answered_and_the_warning_stays(guides: Library) -> None:
    turn = walk(guides, COLD, "the stove smokes", "who built it?")[1]
    assert turn.text == VERBATIM


def test_what_is_reported_after_it_counts_for_the_step_before(guides: Library) -> None:
    turn = walk(guides, COLD, "the stove smokes", "there is no wood")[1]
    assert "fetch some" in turn.text
    assert turn.status is not Status.ESCALATED


@pytest.mark.parametrize("said", ["we are outside now", "i opened the windows", "the wood is wet", "the hut is cold"])
def test_whatever_else_is_said_of_it_leaves_it_standing(said: str, guides: Library) -> None:
    session, turn = walk(guides, COLD, "the stove smokes", said)
    assert (turn.asked, turn.text.endswith(VERBATIM)) == (Asked.WARNING, True)
    assert "Look into the box." in session.respond("go on").text


def test_it_can_be_handed_over(guides: Library) -> None:
    assert walk(guides, COLD, "the stove smokes", HAND_OVER)[1].status is Status.ESCALATED


def test_an_approval_does_not_outlive_it(guides: Library) -> None:
    session = walk(guides, COLD, "next")[0]
    asked, turn = guides.run(walking(session.state, Event.EXECUTED, outcome=Outcome(kind=OutcomeKind.APPROVAL)))
    assert turn.asked is Asked.APPROVAL
    warned, turn = guides.run(walking(asked, Event.REPORT, "the stove smokes"))
    assert turn.text == VERBATIM
    after, turn = guides.run(walking(warned, Event.NEXT))
    assert (turn.asked, after.approved, guides.run(due(after))) == (None, "", None)


def test_a_warning_within_a_step_counts_too(guides: Library) -> None:
    turn = walk(guides, "The kettle does not boil", "the cord is burnt")[1]
    assert turn.asked is Asked.WARNING
    assert turn.citations[0] == Span("kettle.md", 7, 8)


def test_an_option_is_taken_once_its_warning_was_shown(guides: Library) -> None:
    session, turn = walk(guides, "The kettle does not boil", "1")
    assert turn.asked is Asked.WARNING
    assert session.respond("next").options == ("the cord is burnt",)
    assert session.respond("1").asked is None


def test_what_is_reported_again_is_answered_again(guides: Library) -> None:
    for said in (["the stove smokes"], ["the stove smokes", "next"]):
        assert walk(guides, COLD, *said, "the stove still smokes")[1].text == VERBATIM


SIREN = """# My smoke siren howls

- It howls without a pause
  - There is smoke or fire
    - Get out and call 112.
  - There is none: open a window.
- It howls once a day
  - Change the battery.

## Take it down

Turn it to the left.
"""


@pytest.mark.parametrize(
    "said", ["i see smoke in the hall", "there is smoke!", "the kitchen is on fire", "siren: smoke"]
)
def test_a_case_that_one_is_to_flee_from_is_a_warning_wherever_it_stands(said: str) -> None:
    for words in ([said], ["it howls once a day", said], [f"my siren howls, {said}"]):
        question, *more = words if "siren" in words[0] else ["My smoke siren howls", *words]
        turn = walk(library(siren=SIREN), question, *more)[1]
        assert (turn.asked, turn.text.count("Get out and call 112."), "battery" in turn.text) == (
            Asked.WARNING,
            1,
            False,
        )


@pytest.mark.parametrize(
    "said",
    ["the smoke siren howls once a day", "there is no smoke", "the smoke is gone", "smoke siren", "my smoke detector"],
)
def test_the_name_of_a_thing_tells_of_nothing_to_flee_from(said: str) -> None:
    assert walk(library(siren=SIREN), "My smoke siren howls", said)[1].asked is not Asked.WARNING


class TestIsFor:
    def is_for(self, warning: str, said: str, title: str = "") -> bool:
        return any(is_for(alarm, plain(said), title) for alarm in alarms(warning))

    @pytest.mark.parametrize(
        "said",
        [
            "i smell gas",
            "it smells of gas in here",
            "it wont start i think i smell gas",
            "now it smells of gas and the pump is off",
            "no heat, strong gas smell",
        ],
    )
    def test_words_of_a_condition_in_any_form(self, said: str) -> None:
        assert self.is_for("If you smell gas, leave the house.", said)

    @pytest.mark.parametrize(
        "said",
        [
            "i dont smell gas",
            "no smell of gas",
            "there isnt any gas smell",
            "the gas smell is gone",
            "the gas tap is open",
            "it smells burnt",
        ],
    )
    def test_not_what_is_denied_over_or_said_in_part(self, said: str) -> None:
        assert not self.is_for("If you smell gas, leave the house.", said)

    def test_an_amount_has_to_be_within(self) -> None:
        warning = "If the pressure is above 3 bar, call the smith."
        assert self.is_for(warning, "the pressure is 3.5 bar")
        assert not self.is_for(warning, "the pressure is 2.9 bar")
        assert not self.is_for(warning, "the pressure in bar is fine")

    def test_many_words_need_not_say_what_the_thing_does(self) -> None:
        warning = "If the oil tank alarm sounds, go outside."
        assert self.is_for(warning, "the oil tank alarm just went off")
        assert not self.is_for(warning, "the oil tank alarm shows 3")
        assert not self.is_for("If the red lamp blinks, go outside.", "the red lamp is on")

    def test_one_word_is_said_alone_or_of_what_is_named_before_it(self) -> None:
        warning = "Keep screws away from children. If one was swallowed, call a doctor."
        assert self.is_for(warning, "my son swallowed a screw")
        assert not self.is_for(warning, "the drain swallowed the ball")
        assert self.is_for("If it smokes, pull the plug.", "it smokes!")
        assert not self.is_for("If it smokes, pull the plug.", "the smoke detector is new")

    def test_what_is_denied_has_to_be_denied(self) -> None:
        assert self.is_for("If the lid is not locked, stop the belt.", "the lid isnt locked")
        assert not self.is_for("If the lid is not locked, stop the belt.", "the lid is locked")

    def test_not_what_the_whole_guide_is_about(self) -> None:
        assert not self.is_for("If the tap drips, close the cock.", "it drips, the tap", "The tap drips")
