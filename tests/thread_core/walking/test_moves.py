"""What a person says to move the walk, in the words of chats, and what only sounds so."""

from __future__ import annotations

import pytest

from thread_core.walking import moves
from thread_core.walking.replies import heard
from thread_core.walking.states import Event

SAID = {
    Event.NEXT: [
        *("k", "kk", "ok thanks", "yup", "alright", "sure", "got it", "cool", "fine", "perfect, thanks", "👍", "✅"),
        *(
            "k done",
            "done it",
            "done that",
            "did that too",
            "already done",
            "im done",
            "completed",
            "done ✅",
            "did all that",
        ),
        *("next pls", "whats next", "what's next?", "done now what", "next one"),
        *("then?", "and after that", "what do i do next", "done that, whats the next step?", "thats done. and now"),
    ],
    Event.BACK: [
        "go back please",
        "can we go back",
        "can i go back?",
        "no wait, go back",
        "oops",
        "oops wrong one",
        "prev",
    ],
    Event.SKIP: ["can i skip this", "skip pls", "lets skip this step", "id like to skip", "skip for now"],
    Event.RESTART: ["start over pls", "lets start over", "begin again", "can we start from scratch"],
    Event.SHOW: ["hang on", "1 sec", "brb", "one sec pls"],
    Event.HAND_OVER: [
        *(
            "human pls",
            "agent",
            "can i talk to a human",
            "i want to speak to a real person",
            "contact support",
            "call me",
        ),
        *("can somebody from your team help me", "id rather have a human look at this", "is there anybody i can call"),
        *("i want to speak to someone from support please", "could you connect me to a technician please"),
        *("is there a real person", "connect me to an agent", "hand over", "forget it", "nvm", "im done with this"),
    ],
    Event.CHOOSE: ["2!", "2.", "#2", "(2)", "2 please"],
    Event.REPORT: [
        *("back light is on", "go back to the page fails", "skip button is grey", "start over did nothing", "return"),
        *(
            "the agent 2.1 is installed",
            "agent is offline",
            "support page is blank",
            "call button",
            "someone else uses it",
        ),
        *(
            "somebody from your team called me",
            "then it beeps",
            "it beeps and then",
            "is there somebody in the picture",
        ),
        *("i called support they said reset", "human error", "never mind the light"),
        *("done nothing", "k but its red", "sure?", "ok?", "got it out", "it is done but red", "fine but red", "lol"),
        *(
            "2 lights",
            "number 2 on the display",
            "both lights are red",
            "the first light is red",
            "second",
            "1 min",
            "no",
        ),
    ],
}


@pytest.mark.parametrize(("event", "said"), [(event, said) for event, several in SAID.items() for said in several])
def test_what_is_said_is_heard(event: Event, said: str) -> None:
    assert heard(said) == (event, "2" if event is Event.CHOOSE else said)


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("the second one", 2),
        ("second", 2),
        ("2nd", 2),
        ("number 2", 2),
        ("option two", 2),
        ("two", 2),
        ("i choose the first one", 1),
        ("the last one", 4),
        ("the second light is red", None),
        ("number 2 on the display", None),
        ("Outcome: 2", 2),
        ("option number 2", 2),
        ("User selected option 2", 2),
        ("no one", None),
        ("last", None),
    ],
)
def test_an_option_may_be_named_by_its_place(said: str, number: int | None) -> None:
    assert moves.picked(said, 4) == number


def test_without_options_only_an_option_is_named() -> None:
    assert (moves.picked("the second one", 0), moves.picked("option 2", 0)) == (None, 2)


@pytest.mark.parametrize(
    ("said", "several"),
    [
        *[(said, True) for said in ("both", "all of them", "1 and 3", "1, 2 or 3", "1 & 2", "1 or 2?")],
        *[(said, False) for said in ("both lights", "all", "1", "1.3", "2 and red", "1 of 3")],
    ],
)
def test_several_options_may_be_named(said: str, several: bool) -> None:
    assert moves.picks_several(said) is several


@pytest.mark.parametrize(
    ("said", "closing"),
    [
        *[
            (said, True)
            for said in ("thx", "bye", "ok", "cool!", "great, thanks a lot", "no thanks", "that's all", "🎉")
        ],
        *[
            (said, False)
            for said in ("", "next", "done", "no", "??", "ok but it is red", "thanks, what about the lamp")
        ],
    ],
)
def test_who_closes_wants_nothing_more(said: str, closing: bool) -> None:
    assert moves.is_closing(said) is closing


@pytest.mark.parametrize(
    ("said", "stops"),
    [
        *[
            (said, True)
            for said in ("stop", "STOP!", "abort", "please cancel it", "halt", "quit now", "don't run it", "abbrechen")
        ],
        *[(said, False) for said in ("the fan stops", "cancel is greyed out", "it does not stop", "stop loss", "no")],
    ],
)
def test_who_stops_says_nothing_else(said: str, stops: bool) -> None:
    assert moves.stops(said) is stops


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        *[
            (said, True)
            for said in ("next", "ok next", "what's next", "what should I do next", "go to the next step", "done")
        ],
        ("I did it already", True),
        *[(said, False) for said in ("continue", "go ahead", "yes, next", "ok", "yes", "ready", "now what")],
    ],
)
def test_what_may_be_leave_passes_nothing_by(said: str, passes: bool) -> None:
    assert moves.passes_by(said) is passes


@pytest.mark.parametrize(
    ("said", "reported"),
    [
        ("it is unplugged, whats next", "it is unplugged"),
        ("unpacked it. next?", "unpacked it"),
        ("its unpacked what now", "it's unpacked"),
        ("the lamp is red; and now?", "the lamp is red"),
        ("the lamp is red now", ""),
        ("press next", ""),
        ("it is on and then off", ""),
        ("whats next", ""),
    ],
)
def test_what_is_reported_before_asking_on_is_told_apart(said: str, reported: str) -> None:
    assert moves.before_going_on(said) == reported
