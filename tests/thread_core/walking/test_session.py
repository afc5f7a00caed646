"""Walks over small guides. What is asserted holds whatever the weights of `matching` and `retrieval` are."""

from __future__ import annotations

import json
from typing import Any

import pytest

from thread_core import Document, RuleExtractor, Span, default_embedding
from thread_core.errors import AnsweredAlready, BadSession, IllegalStep
from thread_core.ports import rows_of
from thread_core.retrieval.prerequisites import Policy
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walking import reporting
from thread_core.walking.execution import Action, Outcome, OutcomeKind
from thread_core.walking.journal import Journal
from thread_core.walking.replies import heard
from thread_core.walking.session import HowToSession
from thread_core.walking.showing import SAID
from thread_core.walking.states import ENDED, Event, Status
from thread_core.walking.trail import VERSION, Asked, SessionState, loaded
from thread_core.walking.turns import Turn, body_from


def at_length(sentence: str) -> str:
    """A sentence repeated until its step is a unit of its own."""
    return " ".join([sentence] * (600 // len(sentence)))


FAILOVER = f"""\
# Database failover

**Prerequisites**

- You hold the role `operator`.

## Decide

1. Ping the primary with `db ping`. {at_length("It answers at once where all is well.")}

   - If there is no pong, skip steps 2 and 3 and go to step 4.

2. Ask how far the standby lags behind with `db lag`. {at_length("Asking twice does no harm.")}

   - If the lag is below 16 MB, go to step 3.
   - If the lag is above 16 MB, open a ticket with the database team.

3. Switch the roles with `db switchover`. {at_length("Clients see a short break.")}

   - If it prints complete, the issue is resolved.
   - If the volume has no space, follow [Disk full](disk.md).

4. Fence the primary with `db fence`, then promote the standby. {at_length("Never promote before.")}
"""
DISK = f"""\
# Disk full

1. List what is large with `du -sh /var`. {at_length("Many small files take a minute.")}

2. Remove old logs with `rm`. {at_length("Never remove a log in use.")}
"""
AGENT = """\
# Agent is silent

## Agent 2.3 and later

Ping the agent with `agent ping`.

## Before Agent 2.3

Run `control status`. If it prints up, the issue is resolved.

## Restart

Restart the host with `reboot`.
"""
FAIL_OVER = "How do I fail over the database?"
SILENT = "The agent is silent: how do I ping the agent?"
UNRELATED = "bake a chocolate cake"
HAND_OVER = "Hand it to somebody who knows more"


def keep(store: MemoryStore, **texts: str) -> None:
    """Put documents into a store; one that is there is replaced."""
    for name, text in texts.items():
        units = RuleExtractor().extract(Document(f"{name}.md", text)).units
        remove(store, f"{name}.md")
        store.write(units, default_embedding().embed([unit.header for unit in units]))


def remove(store: MemoryStore, document_id: str) -> None:
    store.write(gone=[row.unit.id for row in rows_of(store, document_id)])


def library(**texts: str) -> Library:
    store = MemoryStore()
    keep(store, **texts)
    return Library(store, default_embedding())


@pytest.fixture(scope="module")
def guides() -> Library:
    return library(failover=FAILOVER, disk=DISK, agent=AGENT)


@pytest.fixture
def session(guides: Library) -> HowToSession:
    return HowToSession(guides)


def walk(among: Library, question: str, *said: str) -> tuple[HowToSession, Turn]:
    """A session after some answers, and what the person sees."""
    session = HowToSession(among)
    turn = session.start(question)
    for words in said:
        turn = session.respond(words)
    return session, turn


def same(state: SessionState) -> SessionState:
    """A state without what tells it from that of another session that went the same way."""
    return state.but(id="", turn=0, began=0)


def first_words(turn: Turn) -> str:
    """How the body that is shown begins."""
    return turn.text.splitlines()[1]


# -- the happy path ------------------------------------------------------------------------------------------------


def test_a_walk_from_the_first_step_to_the_end(guides: Library) -> None:
    session = HowToSession(guides)
    ping = session.start(FAIL_OVER)
    assert (ping.status, ping.options) == (Status.AWAITING, ("there is no pong",))
    assert ping.text.startswith("Database failover: Decide\n")
    assert ping.citations[0] == Span("failover.md", 9, 11)
    lag = session.respond("Done. What next?")
    assert (lag.status, lag.options) == (Status.AWAITING, ("the lag is below 16 MB", "the lag is above 16 MB"))
    assert "`db lag`" in lag.text
    switch = session.respond("1")
    assert "`db switchover`" in switch.text
    assert session.why() == 'you chose "the lag is below 16 MB"'
    end = session.respond("it prints complete")
    assert (end.status, end.citations[0]) == (Status.RESOLVED, Span("failover.md", 20, 20))
    assert "The issue is resolved." in end.text
    assert end.unit_ids == switch.unit_ids


def test_what_is_shown_stands_in_the_lines_that_are_cited(guides: Library) -> None:
    session, turn = walk(guides, FAIL_OVER)
    lines = FAILOVER.splitlines()
    for _ in range(4):
        cited = turn.citations[0]
        assert "\n".join(lines[cited.start - 1 : cited.end]) in turn.text
        turn = session.respond("next")


def test_a_session_says_why_it_shows_a_step(session: HowToSession) -> None:
    assert session.why() == "no step was shown yet"
    session.start(FAIL_OVER)
    assert session.why() == "it fits the question best"
    session.respond("next")
    assert session.why() == "you went on"


def test_prerequisites_that_are_no_gate_are_shown_with_the_step(session: HowToSession) -> None:
    assert "Before you start: You hold the role operator." in session.start(FAIL_OVER).text
    assert "Before you start" not in session.respond("next").text


def test_what_is_needed_and_nothing_else_is_said_once_and_with_what_there_is_to_do() -> None:
    gate = (
        "# The gate is stuck\n\n**Applies to:** Gate 5 and later\n\n**You need:** a *long* pole.\n\n"
        "Which lamp is lit?\n\n| Lamp | What to do |\n|---|---|\n"
        + "".join(f"| Lamp {number} | Push the gate with the pole {'very ' * 30}hard. |\n" for number in range(1, 7))
    )
    _, turn = walk(library(gate=gate), "The gate is stuck", "yes")
    assert turn.text.count("long") == 1
    assert "| Lamp 1 | Push the gate" in turn.text


def test_what_is_warned_of_above_is_told_where_a_document_is_entered() -> None:
    press = (
        "# The press\n\n> [!WARNING]\n> The belt is hot.\n\n## Start\n\n1. Turn the key.\n"
        "\n## Clean the plate\n\n1. Wipe it.\n2. If it shines, oil it by [this](oil.md#how).\n"
    )
    oil = "# Oil\n\n**Danger:** It burns.\n\n## Open\n\n1. Turn the cap.\n\n## How\n\n1. Drip it on.\n"
    warning = "Before you start: Warning: The belt is hot."
    session, turn = walk(library(press=press, oil=oil), "How do I clean the plate of the press?")
    assert turn.text.splitlines()[:2] == ["The press: Clean the plate", warning]
    assert session.respond("it shines").text.splitlines()[:2] == ["Oil: How", "Before you start: Danger: It burns."]
    assert "The belt is hot" in session.back().text
    _, second = walk(library(press=press), "How do I start the press?", "next")
    assert second.text == "The press: Clean the plate\n1. Wipe it.\n2. If it shines, oil it by [this](oil.md#how)."


def test_who_is_led_behind_a_warning_of_a_step_is_warned_once() -> None:
    stove = (
        "# The stove\n\n## Open the door\n\nPull it.\n\n## Clean the plate\n\n**Warning:** The plate is hot.\n\n"
        "1. If the plate is dirty, scrape it.\n2. Wipe it with oil.\n"
    )
    open_it = "How do I open the door of the stove?"
    _, turn = walk(library(stove=stove), open_it, "the plate is dirty")
    heading, warning, *_ = turn.text.splitlines()
    assert (heading, warning) == ("The stove: Clean the plate", "Before you start: Warning: The plate is hot.")
    seen, _ = walk(library(stove=stove), open_it, "next")
    assert "The plate is hot" not in seen.respond("the plate is dirty").text


def test_who_chooses_a_case_sees_it_alone_and_who_reports_one_sees_what_follows() -> None:
    lamp = "# The lamp\n\nLook.\n\n- If it is red, press Reset.\n- If it is green, wait.\n- If it is off, oil it.\n"
    lamps = library(lamp=lamp)
    chosen, reported = (walk(lamps, "The lamp", said)[1].text for said in ("2", "it is green now"))
    assert chosen.splitlines()[1:] == ["- If it is green, wait."]
    assert "- If it is off, oil it." in reported
    assert "press Reset" not in reported


def test_starting_again_forgets_the_walk_before(session: HowToSession) -> None:
    fresh = session.start(FAIL_OVER), same(session.state)
    session.start(SILENT)
    session.respond("no")
    assert (session.start(FAIL_OVER), same(session.state)) == fresh


# -- saying what comes next ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["next", "Done. What next?", "ok", "", "  ", "Okay, done.", "I did that. And now?"])
def test_these_words_go_on(said: str, guides: Library) -> None:
    _, turn = walk(guides, FAIL_OVER, said)
    assert "`db lag`" in turn.text


@pytest.mark.parametrize("said", ["1", "1.", "#1", " 1) "])
def test_these_are_an_option_s_number(said: str) -> None:
    assert heard(said) == (Event.CHOOSE, "1")


async def test_it_may_be_a_number(guides: Library) -> None:
    for number in (1, 2):
        (one, by_words), (other, _) = walk(guides, FAIL_OVER, str(number)), walk(guides, FAIL_OVER)
        assert (other.respond(number).text, other.state.trail) == (by_words.text, one.state.trail)
        awaited, _ = walk(guides, FAIL_OVER)
        assert (await awaited.arespond(number)).text == by_words.text


@pytest.mark.parametrize("said", ["503", "step 3", "no", "done, but it hangs", "next to nothing works", "yesterday"])
def test_these_are_an_outcome(said: str) -> None:
    assert heard(said) == (Event.REPORT, said)


@pytest.mark.parametrize("said", ["1", "there is no pong", "There is no pong", "no pong came back"])
def test_an_outcome_jumps_over_the_steps_that_it_rules_out(said: str, guides: Library) -> None:
    session, turn = walk(guides, FAIL_OVER, said)
    assert (turn.status, session.state.trail[-1].line) == (Status.AWAITING, turn.citations[0].start)
    assert "\n4. Fence the primary" in turn.text
    assert session.state.trail[-1].condition == "there is no pong"


@pytest.mark.parametrize("said", ["2", "the lag is above 16 MB", "The lag is above 16 MB"])
def test_an_outcome_may_hand_the_walk_to_a_person(said: str, guides: Library) -> None:
    _, turn = walk(guides, FAIL_OVER, "next", said)
    assert turn.status is Status.ESCALATED
    assert "Open a ticket with the database team." in turn.text


@pytest.mark.parametrize(
    "said",
    [
        "it works now",
        "The error is gone now, it is solved.",
        "that did it",
        "that worked",
        "everything is back to normal",
        "it turned green",
        "the alert has cleared",
    ],
)
def test_a_person_may_say_that_it_is_solved(said: str, guides: Library) -> None:
    session, turn = walk(guides, SILENT, "yes", said)
    assert turn.status is Status.RESOLVED
    assert session.state.said[-1] == said


def test_an_answer_to_a_question_is_walked_to_its_end_and_no_further() -> None:
    tea = (
        f"# Tea machine\n\n## Does it leak?\n\nCall the porter.\n\n## How do I move it?\n\n1. Empty the tank."
        f" {at_length('Let it drip.')}\n2. Pull the plug. {at_length('Wind up the cord.')}\n\n"
        "## How do I clean it?\n\nRinse the filter.\n"
    )
    session = HowToSession(library(tea=tea))
    texts = [session.start("How do I move the tea machine?").text, *(session.respond("next").text for _ in range(2))]
    assert ["1. Empty the tank" in texts[0], "2. Pull the plug" in texts[1]] == [True, True]
    assert texts[2].startswith("That was the last step")


def test_what_a_guide_says_for_when_it_is_solved_is_shown_first() -> None:
    rush = (
        f"# Too many visitors\n\n1. Set the replicas to 4. {at_length('Watch the graph.')}\n\n## Afterwards\n\n"
        "When the alert has resolved and the traffic is back to normal, set the replicas to 3.\n"
    )
    session, turn = walk(library(rush=rush), "There are too many visitors", "it is quiet again, the warning is gone")
    assert (turn.status, "set the replicas to 3" in turn.text) == (Status.AWAITING, True)
    session.respond("next")
    assert session.respond("it is quiet again, the warning is gone").status is Status.RESOLVED


@pytest.mark.parametrize(
    "said", ["it still does not work", "it is not solved", "the problem isn't gone", "none of this has helped"]
)
def test_a_person_may_say_that_it_is_not(said: str, guides: Library) -> None:
    _, turn = walk(guides, SILENT, "yes", said)
    assert turn.status in (Status.AWAITING, Status.ASKING)


@pytest.mark.parametrize(
    "said",
    [
        "That helped for a few hours only",
        "it worked for a moment",
        "That fixed it for a day",
        "The error was gone for 10 minutes",
        "that helped a little",
    ],
)
def test_what_helps_for_a_while_solves_nothing(said: str, guides: Library) -> None:
    assert walk(guides, FAIL_OVER, said)[1].status is not Status.RESOLVED


def test_it_may_have_worked_for_some_time_by_now(guides: Library) -> None:
    for said in ("It works again for an hour now", "It is quiet for an hour and the alert is gone"):
        assert walk(guides, FAIL_OVER, said)[1].status is Status.RESOLVED


def test_a_number_beyond_the_options_is_told_so(guides: Library) -> None:
    before, _ = walk(guides, FAIL_OVER, "next")
    for said in ("0", "3", "99"):
        after, turn = walk(guides, FAIL_OVER, "next", said)
        assert turn.text.startswith(f"There is no option {said} (options: 1 to 2).")
        assert turn.options == ("the lag is below 16 MB", "the lag is above 16 MB")
        assert (turn.status, same(after.state)) == (Status.AWAITING, same(before.state))


def test_a_number_where_there_are_no_options_is_told_so(guides: Library) -> None:
    _, turn = walk(guides, "The disk is full", "1")
    assert (turn.status, turn.options) == (Status.AWAITING, ())
    assert turn.text.startswith("There is no option 1 (options: none here).")


# -- other documents -----------------------------------------------------------------------------------------------

CALLER = f"""\
# Service down

1. Look at the service with `service look`. {at_length("It prints one line.")}

   - If the certificate has expired, follow [Certificate](certificate.md).

2. Restart the service with `service restart`. {at_length("It takes a moment.")}
"""
CERTIFICATE = "# Certificate\n\nRenew it with `cert renew`.\n"


def test_a_link_leads_to_another_document_and_its_end_back_to_the_caller() -> None:
    among = library(service=CALLER, certificate=CERTIFICATE)
    session, there = walk(among, "My service is down", "1")
    assert (there.status, there.citations[0].document_id) == (Status.AWAITING, "certificate.md")
    assert [caller.document_id for caller in session.state.callers] == ["service.md"]
    back = session.respond("done")
    assert "`service restart`" in back.text
    assert session.why() == "back in Service down"
    assert session.state.callers == ()


def test_a_link_to_a_document_that_has_moved_is_followed() -> None:
    _, there = walk(library(**{"service": CALLER, "security/certificate": CERTIFICATE}), "My service is down", "1")
    assert there.citations[0].document_id == "security/certificate.md"


def test_a_link_to_a_document_that_is_not_there_goes_on_here() -> None:
    session, turn = walk(library(service=CALLER), "My service is down", "1")
    assert "`service restart`" in turn.text
    assert session.why() == "that option leads nowhere in this store"
    assert turn.text.startswith("This leads on to the first step of certificate.md, which is not in these guides.")


def test_the_journal_says_where_each_turn_has_led() -> None:
    journal = Journal()
    session = HowToSession(library(service=CALLER, certificate=CERTIFICATE), journal=journal)
    session.start("My service is down")
    session.respond("1")
    session.show()
    session.respond("give up")
    reached = [entry for entry in journal.entries() if entry["event"] == "reached"]
    assert [(entry["turn"], entry["status"], entry["document"]) for entry in reached] == [
        (1, "awaiting", "service.md"),
        (2, "awaiting", "certificate.md"),
        (3, "escalated", "certificate.md"),
    ]
    assert {entry["question"] for entry in reached} == {"My service is down"}


def test_a_link_to_a_section_that_is_not_there_says_so() -> None:
    caller = CALLER.replace("certificate.md", "certificate.md#urgent")
    _, turn = walk(library(service=caller, certificate=CERTIFICATE), "My service is down", "1")
    assert turn.text.startswith("This leads on to #urgent of certificate.md, which is not in these guides.")


PLATFORMS = """\
# Install the reader

Choose what fits the reader.

## If you are on Windows

Run the setup.

## If you have a Mac

Open the shop.
"""


@pytest.mark.parametrize(("chosen", "shown"), [("1", "Run the setup."), ("2", "Open the shop.")])
def test_what_was_chosen_is_not_asked_for_again(chosen: str, shown: str) -> None:
    _, turn = walk(library(reader=PLATFORMS), "Install the reader: choose what fits the reader", chosen)
    assert (turn.status, turn.text.splitlines()[-1]) == (Status.AWAITING, shown)


def test_the_end_of_a_guide_is_said_and_the_next_closest_offered(guides: Library) -> None:
    session, turn = walk(guides, "The disk is full", "next", "next")
    assert turn.status is Status.AWAITING
    assert turn.text.startswith("That was the last step here. If it is not solved, the closest other guide is: ")
    solved, onward = turn.options
    title = onward.removeprefix("Go on with ")
    assert (solved, title in turn.text) == ("It is solved", True)
    assert session.respond("9").options == turn.options


@pytest.mark.parametrize("said", ["1", "It is solved"])
def test_after_the_end_it_may_be_solved(said: str, guides: Library) -> None:
    assert walk(guides, "The disk is full", "next", "next", said)[1].status is Status.RESOLVED


@pytest.mark.parametrize("said", ["2", "Go on with", "next"])
def test_after_the_end_the_next_guide_is_entered(said: str) -> None:
    among = library(disk=DISK, failover=FAILOVER)
    session, end = walk(among, "The disk is full", "next", "next")
    words = end.options[1] if said == "Go on with" else said
    assert session.respond(words).citations[0].document_id == "failover.md"


def test_after_the_end_an_unclear_report_is_answered_with_what_was_offered_there() -> None:
    pump = "# Pump is silent\n\nIf the lamp is dark, replace the fuse. If the lamp is red, call the plumber.\n"
    valve = "# Valve of the pump is silent\n\nTurn the valve.\n"
    session, end = walk(library(pump=pump, valve=valve), "The pump is silent", "next")
    assert end.options == ("It is solved", "Go on with Valve of the pump is silent")
    asked = session.respond("hmm")
    assert (asked.status, asked.options) == (Status.ASKING, end.options)
    assert session.respond("2").citations[0].document_id == "valve.md"


def test_after_the_end_no_guide_is_offered_that_has_nothing_to_do_with_the_question() -> None:
    pump = "# Pump is silent\n\nReplace the fuse.\n"
    assert "Disk full" not in walk(library(pump=pump, disk=DISK), "The pump is silent", "next")[1].text


def test_the_end_of_the_only_guide_is_said() -> None:
    session, turn = walk(library(disk=DISK), "The disk is full", "next", "next")
    assert (turn.status, turn.text) == (Status.RESOLVED, "That was the last step of Disk full.")
    assert session.respond("next") == turn


def test_a_title_with_a_colon_is_said_whole_at_the_end() -> None:
    turn = walk(library(kb="# KB100: the pump hums\n\nOil it.\n"), "The pump hums", "done")[1]
    assert turn.text == "That was the last step of KB100: the pump hums."


def test_a_guide_none_of_whose_steps_apply_is_not_offered() -> None:
    """It used to be entered, skipped and offered again for ever."""
    among = library(
        printer="# Printer offline\n\nCheck the cable. If the queue hangs, follow [Queue](queue.md).\n",
        queue="# Queue\n\n## macOS\n\nReset the queue.\n",
    )
    _, turn = walk(among, "My printer is offline on Windows 11", "next", "next")
    assert (turn.status, turn.text) == (Status.RESOLVED, "That was the last step of Printer offline.")


LOCKED = """# Reset a password

1. Open the portal.
2. Is the account locked?
   - Yes: Unlock it with `unlock`.
   - No: Go on with step 3.
3. Click Reset.
"""
GESPERRT = """# Kennwort vergessen

1. Rufen Sie das Portal auf.
2. Ist das Konto gesperrt?
   - Ja: Entsperren Sie es.
   - Nein: Klicken Sie auf den Knopf.
"""


@pytest.mark.parametrize(
    ("guide", "said", "shown"),
    [
        (LOCKED, "yes", "- Yes: Unlock it"),
        (LOCKED, "ja", "- Yes: Unlock it"),
        (LOCKED, "No.", "3. Click Reset."),
        (GESPERRT, "ja", "- Ja: Entsperren"),
        (GESPERRT, "Nein", "- Nein: Klicken"),
    ],
)
def test_a_yes_and_a_no_answer_what_a_step_asks(guide: str, said: str, shown: str) -> None:
    _, turn = walk(library(guide=guide), guide.splitlines()[0], said)
    assert turn.text.splitlines()[1].startswith(shown)


ROOMS = """# Heating fails

## Boiler room

1. Open the valve.

## Attic

1. Bleed the pipes.
"""


@pytest.mark.parametrize("said", ["purple", "xyzzy", "abracadabra"])
def test_what_has_to_do_with_no_way_on_is_asked_about_once(said: str) -> None:
    session, turn = walk(library(rooms=ROOMS), "Heating fails", said)
    assert (turn.status, turn.text) == (
        Status.ASKING,
        "I cannot tell where that leads. Say it in other words, or say next.",
    )
    assert "Bleed the pipes" in session.respond("next").text


@pytest.mark.parametrize("said", ["no idea", "help", "I don't know what that is"])
def test_who_does_not_know_is_led_nowhere_however_often_they_say_so(said: str) -> None:
    session, turn = walk(library(rooms=ROOMS), "Heating fails", said, said)
    assert (turn.status, turn.text) == (Status.ASKING, reporting.DO)
    assert "Bleed the pipes" in session.respond("next").text


@pytest.mark.parametrize("said", ["that did not help", "still cold", "hat nicht geholfen", "this box runs Ubuntu"])
def test_that_it_has_not_helped_or_what_somebody_has_goes_on(said: str) -> None:
    assert walk(library(rooms=ROOMS), "Heating fails", said)[1].status is Status.AWAITING


# -- the gate ------------------------------------------------------------------------------------------------------


def test_a_section_for_some_versions_is_asked_about(session: HowToSession) -> None:
    turn = session.start(SILENT)
    assert (turn.status, turn.options) == (Status.ASKING, ("Yes", "No"))
    assert "Agent 2.3 and later" in turn.text
    assert "agent ping" not in turn.text
    assert "it decides whether the step applies" in session.why()


@pytest.mark.parametrize("said", ["yes", "Yes.", "1", "ok", "Agent 2.4", "I have Agent 2.3.1", "it is 3.0"])
def test_a_section_that_applies_is_shown(said: str, guides: Library) -> None:
    _, turn = walk(guides, SILENT, said)
    assert (turn.status, "`agent ping`" in turn.text) == (Status.AWAITING, True)


@pytest.mark.parametrize("said", ["Sorry, it is an old one, 2.1", "no change; this is Agent 1.9"])
def test_what_was_confirmed_is_taken_back_by_what_rules_it_out(said: str, guides: Library) -> None:
    session, turn = walk(guides, SILENT, "yes", said)
    assert "`control status`" in turn.text
    assert session.state.known.confirmed == ()
    assert session.back().text == walk(guides, SILENT, "yes")[1].text
    assert session.state.known.confirmed == ("Agent 2.3 and later",)


@pytest.mark.parametrize("said", ["no", "No!", "2", "Agent 2.1", "I have Agent 2.1", "yes, Agent 2.2", "we are on 1.9"])
def test_a_section_that_does_not_is_skipped_and_its_opposite_shown(said: str, guides: Library) -> None:
    session, turn = walk(guides, SILENT, said)
    assert (turn.status, "`control status`" in turn.text) == (Status.AWAITING, True)
    assert session.why() == "this does not hold: Agent 2.3 and later"


@pytest.mark.parametrize("said", ["perhaps", "I don't know", "not sure", "no idea", "next", ""])
def test_whoever_does_not_know_is_shown_the_section_with_what_it_needs(said: str, guides: Library) -> None:
    session, turn = walk(guides, SILENT, said)
    assert (turn.status, "`agent ping`" in turn.text) == (Status.AWAITING, True)
    assert "Before you start: Agent 2.3 and later" in turn.text
    assert session.state.known.confirmed == ()


@pytest.mark.parametrize("said", ["the lamp is red", "purple", "nicht", "yes, but not here", "Sure thing is missing"])
def test_what_is_neither_yes_nor_no_is_asked_again_once_and_confirms_nothing(said: str, guides: Library) -> None:
    session, turn = walk(guides, SILENT, said)
    assert (turn.status, turn.options) == (Status.ASKING, ("Yes", "No"))
    assert turn.text.startswith("I cannot tell whether that is a yes or a no.")
    assert "does this hold for you? Agent 2.3 and later" in turn.text
    assert walk(guides, SILENT, said, "no")[0].state.denied == ("Agent 2.3 and later",)
    shown = session.respond("the lamp is blue")
    assert "`agent ping`" in shown.text
    assert "Before you start: Agent 2.3 and later" in shown.text
    assert (session.state.confirmed, session.state.left_open) == ((), ("Agent 2.3 and later",))
    assert session.back().text == walk(guides, SILENT)[1].text
    assert session.state.left_open == ()


@pytest.mark.parametrize("said", ["definitely no", "no, not yet", "not yet", "absolutely not", "Sorry, no."])
def test_a_no_may_have_words_before_it(said: str, guides: Library) -> None:
    assert walk(guides, SILENT, said)[0].state.denied == ("Agent 2.3 and later",)


@pytest.mark.parametrize("said", ["absolutely", "Definitely!", "well, yes", "yes please"])
def test_a_yes_may_have_words_before_it(said: str, guides: Library) -> None:
    assert walk(guides, SILENT, said)[0].state.confirmed == ("Agent 2.3 and later",)


def test_what_led_to_a_question_and_is_said_again_goes_on(guides: Library) -> None:
    session, turn = walk(guides, SILENT, SILENT)
    assert (turn.status, session.state.left_open) == (Status.AWAITING, ("Agent 2.3 and later",))


def test_the_answer_to_a_gate_is_remembered(guides: Library) -> None:
    session, turn = walk(guides, SILENT, "yes", "next")
    assert "`reboot`" in turn.text, "the section for older agents is skipped and not asked about"
    assert session.state.confirmed == ("Agent 2.3 and later",)


def test_a_number_beyond_yes_and_no_is_no_answer(guides: Library) -> None:
    session, turn = walk(guides, SILENT, "7")
    assert (turn.status, turn.options) == (Status.ASKING, ("Yes", "No"))
    assert "`control status`" in session.respond("2").text


@pytest.mark.parametrize(
    ("question", "shown"), [("My agent 2.1 is silent", "`control status`"), ("My agent 2.5 is silent", "`agent ping`")]
)
def test_a_question_that_names_the_version_is_not_asked(question: str, shown: str, guides: Library) -> None:
    _, turn = walk(guides, question)
    assert (turn.status, shown in turn.text) == (Status.AWAITING, True)


def test_an_outcome_does_not_lead_past_the_gate(guides: Library) -> None:
    """`it prints up` belongs to older agents, which this one is not."""
    _, turn = walk(guides, "My agent 2.5 is silent", "it prints up")
    assert "control status" not in turn.text
    assert turn.status is not Status.RESOLVED


def test_where_nothing_applies_it_is_said() -> None:
    _, turn = walk(library(queue="# Queue stuck\n\n## macOS\n\nReset it.\n"), "The queue is stuck", "no")
    assert (turn.status, turn.options) == (Status.UNKNOWN, ())
    assert turn.text.startswith('"Queue stuck" needs this: macOS. But you said that it does not hold.')


# -- nothing fits --------------------------------------------------------------------------------------------------


def test_where_nothing_fits_the_nearest_guides_are_offered(guides: Library) -> None:
    session, turn = walk(guides, UNRELATED)
    assert (turn.status, turn.unit_ids, turn.citations) == (Status.UNKNOWN, (), ())
    assert turn.text.startswith("Nothing in this store fits the question.")
    assert set(turn.options) == {"Database failover", "Disk full", "Agent is silent"}
    assert session.respond("next") == turn


@pytest.mark.parametrize("by_title", [False, True])
def test_one_of_the_nearest_guides_can_be_chosen(by_title: bool) -> None:
    among = library(disk=DISK)
    session, turn = walk(among, UNRELATED)
    assert turn.options == ("Disk full",)
    chosen = session.respond("disk full" if by_title else "1")
    assert (chosen.status, chosen.citations[0].document_id) == (Status.AWAITING, "disk.md")


def test_a_number_beyond_the_nearest_guides_is_told_so(guides: Library) -> None:
    session, turn = walk(guides, UNRELATED)
    again = session.respond("9")
    assert (again.status, again.options) == (Status.UNKNOWN, turn.options)
    assert again.text.startswith(f"There is no option 9 (options: 1 to {len(turn.options)}).")


def test_more_words_may_find_a_guide(guides: Library) -> None:
    _, turn = walk(guides, UNRELATED, "well, the disk is full: list what is large")
    assert turn.status is Status.AWAITING


def test_there_is_nothing_to_go_back_to(guides: Library) -> None:
    session, offered = walk(guides, UNRELATED)
    assert session.back().text == f"There is nothing before this to go back to.\n\n{offered.text}"


# -- going back, and on after the end ------------------------------------------------------------------------------


def test_going_back_shows_each_turn_before(guides: Library) -> None:
    session = HowToSession(guides)
    turns = [session.start(FAIL_OVER), session.respond("next"), session.respond("1")]
    states = [session.state]
    session.respond("the volume has no space")
    assert [session.back(), session.back(), session.back()] == turns[::-1]
    assert session.state.trail == (states[0].trail[0].model_copy(update={"outcome": ""}),)


def test_at_the_first_step_there_is_no_way_back(guides: Library) -> None:
    session, first = walk(guides, FAIL_OVER)
    before = session.state
    told = session.respond("oops, go back please")
    assert told == first.model_copy(update={"text": f"There is nothing before this to go back to.\n\n{first.text}"})
    assert session.state == before.but(turn=before.turn + 1)


@pytest.mark.parametrize("said", [("next", "1"), ("it works now",)])
def test_after_the_end_there_is_no_step_to_skip(said: tuple[str, ...], guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER, *said)
    session.respond("it works now")
    told = session.respond("skip")
    assert (told.status, told.text[:31]) == (Status.RESOLVED, "There is no step here to skip.\n")


@pytest.mark.parametrize("said", ["thx", "bye", "ok", "cool, thank you so much!", "no thanks", "👍", "🎉"])
def test_thanks_and_agreement_after_the_end_leave_it_ended(said: str, guides: Library) -> None:
    session, end = walk(guides, FAIL_OVER, "it works now")
    assert end.status is Status.RESOLVED
    assert session.respond(said) == end


@pytest.mark.parametrize("said", ["1", "it prints complete", "it works now"])
def test_going_back_from_the_end_shows_the_last_step(said: str, guides: Library) -> None:
    session, last = walk(guides, FAIL_OVER, "next", "1")
    assert session.respond(said).status is Status.RESOLVED
    assert session.back() == last
    assert "`db lag`" in session.back().text


def test_going_back_from_escalation_shows_the_last_step(guides: Library) -> None:
    session, last = walk(guides, FAIL_OVER, "next")
    assert session.respond("2").status is Status.ESCALATED
    assert session.back() == last


def test_going_back_from_the_end_of_a_guide_shows_its_last_step(guides: Library) -> None:
    session, last = walk(guides, "The disk is full", "next")
    offer = session.respond("next")
    assert session.back() == last
    assert session.respond("next") == offer


def test_going_back_from_a_gate_shows_the_step_before() -> None:
    among = library(agent=AGENT.replace("## Agent 2.3", "## Look\n\nLook at the lamp.\n\n## Agent 2.3"))
    session, first = walk(among, "The agent is silent: look at the lamp")
    assert session.respond("next").status is Status.ASKING
    assert session.back() == first


def test_going_back_from_two_steps_shown_at_once_passes_both() -> None:
    """It used to show the same two again and again."""
    text = f"""\
# Printer offline

1. Check the cable of the printer. {at_length("Pull it out and in.")}

   - If the lamp blinks blue, press the button.

2. Reset the printer. {at_length("It takes a moment.")}

3. Call the office desk. {at_length("They are kind.")}
"""
    among = library(printer=text)
    session, first = walk(among, "My printer is offline")
    both = session.respond("1")
    assert len(both.unit_ids) == 2
    assert both.citations[0] == Span("printer.md", 5, 7)
    assert session.back() == first
    session.respond("1")
    assert "office desk" in session.respond("next").text
    assert session.back() == both


@pytest.mark.parametrize("end", ["1", "it works now"])
@pytest.mark.parametrize("said", ["next", "done"])
def test_answering_after_the_end_goes_on_at_the_last_step(end: str, said: str, guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER, "next", "1", end)
    assert session.state.status is Status.RESOLVED
    assert first_words(session.respond(said)).startswith("4. Fence")


def test_a_fault_that_comes_back_reopens_the_session(guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER, "next", "1", "it works now")
    turn = session.respond("no, it came back: the volume has no space")
    assert (turn.status, turn.citations[0].document_id) == (Status.AWAITING, "disk.md")


# -- as people write in chats --------------------------------------------------------------------------------------

BOX = """\
# The box shows no picture

Look at the lamp of the box.

- If the lamp is red, hold the button for ten seconds.
- If the lamp doesn't blink, [order a remote](remote.md).
- If the seller replies, send the box back.
- If the seller hasn't replied, file a claim.

## The code

Type the code of the letter.

- If the code does not work, ask for a new one.
- If you have a new phone number, contact support: only a person can change it.
"""
REMOTE = "# Order a remote\n\nSelect **Remotes**. You pay 15 Euro.\n"
NO_PICTURE = "The box shows no picture"


@pytest.mark.parametrize(
    ("said", "condition"),
    [
        ("doesnt blink at all", "the lamp doesn't blink"),
        ("seller hasnt replied", "the seller hasn't replied"),
        ("the first one", "the lamp is red"),
        ("number 3!", "the seller replies"),
        ("the last one pls", "the seller hasn't replied"),
    ],
)
def test_an_outcome_is_read_as_it_is_written_in_chats(said: str, condition: str) -> None:
    session, _ = walk(library(box=BOX, remote=REMOTE), NO_PICTURE, said)
    assert session.state.trail[-1].condition == condition


def test_what_is_kept_are_the_words_that_were_written() -> None:
    session, _ = walk(library(box=BOX, remote=REMOTE), NO_PICTURE, "lol it doesnt blink at all 😂")
    assert session.state.said[-1] == session.state.trail[0].outcome == "lol it doesnt blink at all 😂"
    assert "doesnt blink" in session.why()


@pytest.mark.parametrize("said", ["both", "1 and 3", "1 or 2"])
def test_of_several_options_one_is_asked_for(said: str) -> None:
    session, _ = walk(library(box=BOX, remote=REMOTE), NO_PICTURE)
    assert session.respond(said).text.startswith("Choose one of them")
    assert session.respond("1").status is Status.AWAITING


@pytest.mark.parametrize("said", ["my internet is gone so i cant look", "all my files are gone", "my phone works fine"])
def test_what_is_wanted_and_gone_solves_nothing(said: str) -> None:
    assert walk(library(box=BOX, remote=REMOTE), NO_PICTURE, said)[1].status is not Status.RESOLVED


def test_what_worked_once_is_no_end() -> None:
    text = "# Pump hums\n\n1. Oil the pump. If it works (try it after each step), the issue is resolved.\n"
    _, turn = walk(library(pump=text), "The pump hums", "it worked yesterday")
    assert turn.status is Status.ASKING


def test_who_says_that_something_works_is_not_handed_over() -> None:
    _, turn = walk(library(box=BOX, remote=REMOTE), "The code of the box", "the new phone number works now")
    assert turn.status is Status.ASKING


def test_praise_goes_on_where_it_is_no_outcome() -> None:
    assert "Remove old logs" in walk(library(disk=DISK), "The disk is full", "all good")[1].text
    cable = "# Pump hums\n\nLook at the cable.\n\n- If it is broken, splice it.\n- If it is fine, oil the pump.\n"
    session, _ = walk(library(pump=cable), "The pump hums", "all good")
    assert session.state.trail[-1].condition == "it is fine"


def test_an_option_may_be_called_like_what_is_asked_for() -> None:
    phone = "# Who answers\n\nLook who answers.\n\n- Agent: tell your name.\n- Operator: tell your number.\n"
    _, turn = walk(library(phone=phone), "Who answers the phone", "agent")
    assert (turn.status, "tell your name" in turn.text) == (Status.AWAITING, True)


@pytest.mark.parametrize("said", ["can i talk to a human", "human pls", "this is useless", "hand over"])
def test_who_wants_a_human_gets_no_other_step(said: str, guides: Library) -> None:
    assert walk(guides, FAIL_OVER, said)[1].status is Status.ESCALATED


@pytest.mark.parametrize(
    "said", ["I'm out of ideas", "nothing left to try", "i have tried everything here, still dead"]
)
@pytest.mark.parametrize(
    ("ending", "shown"),
    [
        ("If nothing helps, contact support.\n", "Contact support."),
        ("## Escalation\n\nCall the porter at 4444.\n", "Call the porter at 4444."),
        ("Sit down.\n", "2. Turn the wheel."),
    ],
)
def test_who_has_tried_everything_is_led_to_what_is_left(said: str, ending: str, shown: str) -> None:
    text = f"# Pump hums\n\n1. Oil the pump. {at_length('Use the can.')}\n2. Turn the wheel. {at_length('Gently.')}\n\n"
    session, turn = walk(library(pump=text + ending), "The pump hums", said)
    assert shown in turn.text
    assert session.state.said[-1] == said
    alone = "# Pump hums\n\n1. Oil the pump.\n"
    assert walk(library(pump=alone), "The pump hums", said)[1].status is Status.ESCALATED


def test_a_fault_that_is_back_is_asked_about(guides: Library) -> None:
    for before in (("next", "1"), ("next", "1", "1")):
        assert walk(guides, FAIL_OVER, *before, "wait it broke again")[1].status is Status.ASKING


# -- the store changes under the walk ------------------------------------------------------------------------------


def test_a_step_whose_text_was_edited_is_found_by_its_place() -> None:
    among = library(disk=DISK, failover=FAILOVER)
    session, _ = walk(among, FAIL_OVER, "next")
    assert isinstance(among.store, MemoryStore)
    keep(among.store, failover=FAILOVER.replace("Ask how far the standby lags", "Query how far the standby lags"))
    told = session.respond("the lag is below 16 MB")
    assert told.text.startswith("The guide was edited since this step was shown.")
    assert ("Query how far" in told.text, told.options) == (True, ("the lag is below 16 MB", "the lag is above 16 MB"))
    assert "`db switchover`" in session.respond("the lag is below 16 MB").text
    assert "Query how far" in session.back().text


def test_lines_that_were_added_above_move_nothing() -> None:
    among = library(failover=FAILOVER)
    session, _ = walk(among, FAIL_OVER, "next")
    assert isinstance(among.store, MemoryStore)
    keep(among.store, failover=FAILOVER.replace("## Decide", "\n\n\n\n## Decide"))
    session.respond("1")
    back = session.back()
    assert first_words(back).startswith("2. Ask how far")
    assert back.citations[0] == Span("failover.md", 17, 20)


@pytest.mark.slow
@pytest.mark.parametrize("said", ["next", "1", "2", "9", "yes", "no", "it still does not work", "it works now"])
@pytest.mark.parametrize("change", ["removed", "emptied", "renamed"])
@pytest.mark.parametrize("before", [(), ("next",), ("next", "1"), ("next", "1", "the volume has no space")])
def test_a_document_may_go_between_two_turns(before: tuple[str, ...], change: str, said: str) -> None:
    among = library(failover=FAILOVER, disk=DISK, agent=AGENT)
    assert isinstance(among.store, MemoryStore)
    session, turn = walk(among, FAIL_OVER, *before)
    gone = turn.citations[0].document_id
    if change == "removed":
        remove(among.store, gone)
    else:
        text = "# Nothing to see\n" if change == "emptied" else "# Other\n\n## Other\n\n1. Do something else.\n"
        keep(among.store, **{gone.removesuffix(".md"): text})
    reply = session.respond(said)
    assert reply.text
    session.respond("next")
    assert session.back().text


def test_a_guide_that_is_gone_is_named_as_gone() -> None:
    among = library(disk=DISK, agent=AGENT)
    assert isinstance(among.store, MemoryStore)
    session, _ = walk(among, "The disk is full")
    remove(among.store, "disk.md")
    assert session.respond("next").text.startswith("The guide that you followed is no longer in this store.")


def test_a_guide_that_was_offered_and_is_gone_is_named_as_gone() -> None:
    among = library(disk=DISK, agent=AGENT)
    assert isinstance(among.store, MemoryStore)
    session, turn = walk(among, UNRELATED)
    remove(among.store, "disk.md")
    turn = session.respond(str(turn.options.index("Disk full") + 1))
    assert (turn.status, turn.text) == (Status.UNKNOWN, "That guide is no longer in the store.")


# -- the state -----------------------------------------------------------------------------------------------------

WALKS = (
    (FAIL_OVER, "next", "1", "the volume has no space", "done", "done", "next", "next"),
    (FAIL_OVER, "there is no pong", "next", "42", "back", "it works now", "next"),
    (SILENT, "why not", "next", "it prints up", "no, it came back", "back"),
    (SILENT, "no", "it prints up", "back", "next", "next", "2", "yes"),
    (UNRELATED, "9", "1", "next", "next", "next", "1"),
)


def say(session: HowToSession, words: str) -> Turn:
    return session.back() if words == "back" else session.respond(words)


def resumed(state: SessionState | str, among: Library) -> HowToSession:
    return HowToSession(among).resumed(state)


@pytest.mark.parametrize("lines", WALKS)
def test_a_walk_that_lives_as_json_between_turns_is_the_same(lines: tuple[str, ...], guides: Library) -> None:
    plain, stored = HowToSession(guides), HowToSession(guides)
    assert plain.start(lines[0]) == stored.start(lines[0])
    for words in lines[1:]:
        text = stored.state.model_dump_json()
        assert json.loads(text)["version"] == VERSION
        stored = resumed(text, library(failover=FAILOVER, disk=DISK, agent=AGENT))
        assert say(stored, words) == say(plain, words)
        assert (same(stored.state), stored.why()) == (same(plain.state), plain.why())


async def test_what_is_awaited_has_the_same_names(guides: Library) -> None:
    plain, awaited = walk(guides, FAIL_OVER)[0], HowToSession(guides)
    await awaited.astart(FAIL_OVER)
    assert await awaited.askip() == plain.skip()
    assert await awaited.ashow() == plain.show()
    assert await awaited.arestart() == plain.restart()
    assert same(plain.state) == same(awaited.state)


@pytest.mark.parametrize("lines", WALKS)
async def test_the_awaited_walk_is_the_same(lines: tuple[str, ...], guides: Library) -> None:
    plain, awaited = HowToSession(guides), HowToSession(guides)
    assert plain.start(lines[0]) == await awaited.astart(lines[0])
    for words in lines[1:]:
        turn = await (awaited.aback() if words == "back" else awaited.arespond(words))
        assert say(plain, words) == turn
        assert same(plain.state) == same(awaited.state)


@pytest.mark.parametrize("lines", WALKS)
def test_a_state_holds_no_text_of_the_documents_but_headers(lines: tuple[str, ...], guides: Library) -> None:
    session, _ = walk(guides, lines[0])
    for words in lines[1:]:
        say(session, words)
    text = session.state.model_dump_json()
    for body in ("It answers at once", "Asking twice", "Clients see", "Many small files", "`"):
        assert body not in text


def test_a_state_can_be_kept_and_branched(guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER, "next")
    kept = session.state
    assert session.respond("2").status is Status.ESCALATED
    assert "`db switchover`" in resumed(kept, guides).respond("1").text
    assert loaded(kept) == loaded(kept.model_dump(mode="json")) == loaded(kept.model_dump_json()) == kept


def test_a_state_of_another_version_is_refused(guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER)
    text = session.state.model_copy(update={"version": VERSION + 1}).model_dump_json()
    with pytest.raises(ValueError, match=f"version {VERSION + 1} cannot be resumed by version {VERSION}"):
        resumed(text, guides)


@pytest.mark.parametrize(("version", "advice"), [(VERSION + 1, "the newer"), (VERSION - 1, "the older")])
def test_of_a_state_of_another_version_its_fields_are_not_read(version: int, advice: str) -> None:
    told = f"a session of version {version} cannot be resumed by version {VERSION}; go on with {advice} release"
    with pytest.raises(BadSession, match=told):
        loaded({"version": version, "steps": [], "trail": 7})


A_STEP_IS_MISSING = "a step is shown or asked about that it does not have"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"trail": []}, A_STEP_IS_MISSING),
        ({"status": "unknown", "trail": [], "ended": True}, A_STEP_IS_MISSING),
        *(({"status": "asking", "pending": {"kind": kind}}, A_STEP_IS_MISSING) for kind in ("prerequisite", "loop")),
        *(
            ({"status": "asking", "pending": {"kind": kind}, "trail": []}, A_STEP_IS_MISSING)
            for kind in ("outcome", "approval")
        ),
        ({"past": [{"status": "awaiting", "steps": 0, "said": 0, "confirmed": 0, "denied": 0}]}, A_STEP_IS_MISSING),
        ({"past": [{"status": "awaiting", "steps": -1, "said": 0, "confirmed": 0, "denied": 0}]}, "past.0.steps: "),
        ({"documents": [[]]}, "documents.0: "),
    ],
)
def test_an_edited_state_is_refused(changes: dict[str, Any], complaint: str, guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER)
    with pytest.raises(BadSession, match=f"this is no session: {complaint}"):
        loaded(session.state.model_dump(mode="json") | changes)


@pytest.mark.parametrize(
    "changes", [{"line": 0}, {"start": -9}, {"place": {"number": 0}}, {"place": {"surprise": 1}}, {"surprise": 1}]
)
def test_an_edited_step_is_refused(changes: dict[str, Any], guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER)
    state = session.state.model_dump(mode="json")
    with pytest.raises(BadSession, match="this is no session"):
        loaded(state | {"trail": [state["trail"][0] | changes]})


@pytest.mark.parametrize(
    "text", ["[" * 100_000, f'{{"version": {VERSION}, "said": {"[" * 5000}{"]" * 5000}}}', "nul\0"]
)
def test_what_is_no_state_at_all_is_refused(text: str) -> None:
    with pytest.raises(BadSession, match="this is no session"):
        loaded(text)


def test_a_step_that_is_refused_leaves_the_session_as_it_was(guides: Library) -> None:
    session = HowToSession(guides)
    for event in (session.back, lambda: session.respond("next")):
        with pytest.raises(IllegalStep, match="call start with a question first"):
            event()
    assert same(session.state) == same(SessionState())


# -- links that lead in circles ------------------------------------------------------------------------------------

CIRCLES = {
    "two documents": {
        "one": "# Alpha down\n\nCheck alpha. Follow [Beta](two.md).\n",
        "two": "# Beta\n\nCheck beta. Follow [Alpha](one.md).\n",
    },
    "a document to itself": {"one": "# Alpha down\n\nCheck alpha. Follow [Alpha](one.md).\n"},
    "a step to itself": {"one": "# Alpha down\n\n1. Check alpha, then go to step 1.\n"},
    "steps": {
        "one": f"# Alpha down\n\n1. Check alpha. {at_length('It is slow.')}\n\n2. Go to step 1. {at_length('Now.')}\n"
    },
    "under a condition": {
        "one": "# Alpha down\n\nCheck alpha. If beta is down, follow [Beta](two.md).\n",
        "two": "# Beta\n\nCheck beta. If alpha is down, follow [Alpha](one.md).\n",
    },
}


@pytest.mark.parametrize("name", CIRCLES)
def test_a_walk_in_circles_comes_to_an_end(name: str) -> None:
    session, _ = walk(library(**CIRCLES[name]), "alpha is down")
    for _ in range(20):
        turn = session.respond("next")
    assert turn.status in ENDED


def test_a_person_may_go_round_a_circle_as_often_as_the_outcome_says() -> None:
    session, _ = walk(library(**CIRCLES["under a condition"]), "alpha is down")
    seen = [session.respond("1").citations[0].document_id for _ in range(5)]
    assert seen == ["two.md", "one.md", "two.md", "one.md", "two.md"]
    for _ in range(20):
        turn = session.respond("next")
    assert turn.status is Status.ESCALATED


def test_whoever_comes_round_for_the_fourth_time_is_asked_how_it_goes_on() -> None:
    session, turn = walk(library(**CIRCLES["under a condition"]), "alpha is down", *["1"] * 6)
    assert (turn.status, turn.options) == (Status.ASKING, ("Once more", "Go on with the next step", HAND_OVER))
    assert turn.text.startswith("This step was shown 3 times already, so it may lead in circles: Alpha down")
    assert "because the step has been shown before" in session.why()
    asked = session.state
    for said, shown in (("1", "Check alpha."), ("yes", "Check alpha."), ("once more", "Check alpha.")):
        assert shown in resumed(asked, library(**CIRCLES["under a condition"])).respond(said).text
    given_up = resumed(asked, library(**CIRCLES["under a condition"])).respond("3")
    assert (given_up.status, given_up.text.count("Alpha down: Check alpha")) == (Status.ESCALATED, 3)
    gone_on = resumed(asked, library(**CIRCLES["under a condition"])).respond("2")
    assert (gone_on.status, gone_on.text) == (Status.AWAITING, "That was the last step here. Is it solved?")


@pytest.mark.parametrize("said", ["hmm", "not sure", "what do you mean?"])
def test_whether_to_go_round_is_asked_until_it_is_answered(said: str) -> None:
    session, asked = walk(library(**CIRCLES["under a condition"]), "alpha is down", *["1"] * 6)
    again = session.respond(said)
    assert (again.asked, again.options, again.text.endswith(asked.text)) == (Asked.LOOP, asked.options, True)


def test_a_question_that_is_put_again_adds_nothing_to_the_state_but_what_was_said() -> None:
    session, _ = walk(library(**CIRCLES["under a condition"]), "alpha is down", *["1"] * 6)
    before = session.state
    for _ in range(5):
        assert session.respond("it is down again").status is Status.ASKING
    assert (len(session.state.past), len(session.state.callers)) == (len(before.past), 2)
    assert "Check beta." in session.back().text


# -- other ways to move --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["skip", "Skip this step.", "skip it"])
def test_a_step_that_is_skipped_is_not_done(said: str, guides: Library) -> None:
    session, turn = walk(guides, FAIL_OVER, said)
    assert "`db lag`" in turn.text
    assert (session.state.trail[0].skipped, session.state.known.done) == (True, ())
    assert session.why() == "you went past the step before"


def test_a_gate_that_is_skipped_decides_nothing(guides: Library) -> None:
    session, turn = walk(guides, SILENT, "skip")
    assert "Before Agent 2.3" in turn.text
    assert (turn.status, session.state.confirmed, session.state.denied) == (Status.ASKING, (), ())


@pytest.mark.parametrize("said", ["restart", "start over", "Please start again."])
def test_starting_over_keeps_what_holds_for_the_person(said: str, guides: Library) -> None:
    session, turn = walk(guides, SILENT, "no", "next", said)
    assert "`control status`" in turn.text
    assert (len(session.state.trail), session.state.denied) == (1, ("Agent 2.3 and later",))


@pytest.mark.parametrize("said", ["back", "go back", "undo", "Previous step"])
def test_back_can_be_said(said: str, guides: Library) -> None:
    session, first = walk(guides, FAIL_OVER)
    session.respond("next")
    assert session.respond(said) == first


def test_back_undoes_the_answer_to_a_gate(guides: Library) -> None:
    session, asked = walk(guides, SILENT)
    session.respond("no")
    assert session.back() == asked
    assert session.state.denied == ()
    assert "`agent ping`" in session.respond("yes").text


@pytest.mark.parametrize("said", ["why?", "Why this step?", "why do you ask"])
def test_why_says_why_and_changes_nothing(said: str, guides: Library) -> None:
    session, step = walk(guides, FAIL_OVER, "next")
    before = session.state
    why = session.respond(said)
    assert (why.text, why.options, why.status) == ("you went on", step.options, Status.AWAITING)
    assert session.state == before


def test_a_session_that_goes_on_elsewhere_shows_where_it_stands(guides: Library) -> None:
    among = library(failover=FAILOVER, disk=DISK, agent=AGENT)
    for said in ((), ("next",), ("there is no pong",), ("next", "2"), ("next", "1", "the volume has no space")):
        session, turn = walk(guides, FAIL_OVER, *said)
        there = resumed(session.state.model_dump_json(), among)
        assert (there.show(), there.state) == (turn, session.state)
        assert there.respond("where are we?") == turn


@pytest.mark.parametrize("said", ["I give up", "escalate this", "hand it over"])
def test_who_gives_up_hands_over_what_was_tried(said: str, guides: Library) -> None:
    session, turn = walk(guides, FAIL_OVER, "next", "skip", "the volume has no space", said)
    assert turn.status is Status.ESCALATED
    told = turn.text.splitlines()
    assert told[2:] == [
        f"What was tried for: {FAIL_OVER}",
        "1. Database failover: Decide: Ping the primary with db ping (failover.md:9): done",
        "2. Database failover: Decide: Ask how far the standby lags behind with db lag (failover.md:13): not done",
        "3. Database failover: Decide: Switch the roles with db switchover (failover.md:18): the volume has no space",
        "4. Disk full: List what is large with du -sh /var (disk.md:3): it was given up",
    ]
    assert session.respond("next").status is Status.AWAITING


def test_an_edited_step_is_shown_before_an_answer_counts() -> None:
    among = library(failover=FAILOVER)
    session, _ = walk(among, FAIL_OVER, "next")
    assert isinstance(among.store, MemoryStore)
    keep(among.store, failover=FAILOVER.replace("below 16 MB, go to step 3", "below 8 MB, go to step 3"))
    told = session.respond("1")
    assert told.text.splitlines()[0] == "The guide was edited since this step was shown. This is the step as it is now:"
    assert told.options == ("the lag is below 8 MB", "the lag is above 16 MB")
    assert "`db switchover`" in session.respond("1").text


def test_who_looks_again_is_told_once_of_an_edit() -> None:
    among = library(failover=FAILOVER)
    session, _ = walk(among, FAIL_OVER, "next")
    assert isinstance(among.store, MemoryStore)
    keep(among.store, failover=FAILOVER.replace("Ask how far the standby lags", "Query how far the standby lags"))
    assert session.show().text.startswith("The guide was edited")
    assert session.show().text.startswith("Database failover: Decide\n2. Query how far")
    assert "`db switchover`" in session.respond("1").text


@pytest.mark.parametrize("above", ["\n\n\n", ""])
def test_what_stands_below_a_step_is_found_where_it_stands_now(above: str) -> None:
    among = library(failover="\n\n\n" + FAILOVER)
    session, turn = walk(among, FAIL_OVER, "no pong came back")
    assert "> " in turn.text
    assert isinstance(among.store, MemoryStore)
    keep(among.store, failover=above + FAILOVER)
    assert session.show().text == turn.text


# -- nothing fits the step ------------------------------------------------------------------------------------------


def test_what_fits_no_outcome_is_asked_again_then_looked_for_then_said() -> None:
    among = library(
        kettle="# Kettle\n\nFill it. If the lamp is red, empty it. If the lamp is green, wait.\n", disk=DISK
    )
    session, _ = walk(among, "How do I use the kettle?")
    asked = session.respond("xylophone")
    assert (asked.status, asked.options) == (Status.ASKING, ("the lamp is red", "the lamp is green"))


@pytest.mark.parametrize("said", ["lol", "ugh", "asdfgh", "I am not at home right now", "my dog ate it"])
def test_what_is_like_no_outcome_is_asked_about_where_some_are_offered(said: str) -> None:
    kettle = "# Kettle\n\nFill it. If the lamp is red, call the smith. If the lamp is green, go to [Pour](#pour).\n"
    among = library(kettle=kettle + "\n## Pour\n\nPour the tea.\n")
    asked = walk(among, "How do I use the kettle?", said)[1]
    assert (asked.status, asked.options) == (Status.ASKING, ("the lamp is red", "the lamp is green"))


# -- two people, one session ---------------------------------------------------------------------------------------


def test_of_two_answers_to_one_turn_the_first_counts(guides: Library) -> None:
    journal = Journal()
    session = HowToSession(guides, journal=journal)
    session.start(FAIL_OVER)
    here, there = (HowToSession(guides, journal=journal).resumed(session.state) for _ in range(2))
    assert "`db lag`" in here.respond("next").text
    before = there.state
    with pytest.raises(AnsweredAlready, match="turn 1 of session"):
        there.respond("there is no pong")
    assert there.state == before
    assert "1. Ping the primary" in there.show().text


def test_what_is_refused_answers_no_turn(guides: Library) -> None:
    session = HowToSession(guides)
    with pytest.raises(IllegalStep):
        session.back()
    session.start(FAIL_OVER)
    assert "`db lag`" in session.respond("next").text


# -- executors -----------------------------------------------------------------------------------------------------


class Hands:
    """Says of each step what it was told to, by a word of its header, and hands over the rest."""

    def __init__(self, **outcomes: Outcome) -> None:
        self._outcomes = outcomes
        self.given: list[Action] = []

    def run(self, action: Action) -> Outcome:
        self.given.append(action)
        found = (outcome for word, outcome in self._outcomes.items() if word in action.header)
        return next(found, Outcome(kind=OutcomeKind.HANDED))


def outcome(kind: OutcomeKind, text: str = "") -> Outcome:
    return Outcome(kind=kind, text=text)


def test_what_an_executor_sees_takes_the_branch(guides: Library) -> None:
    hands = Hands(Ping=outcome(OutcomeKind.OBSERVED, "there is no pong"))
    session = HowToSession(guides, executor=hands)
    turn = session.start(FAIL_OVER)
    assert "4. Fence the primary" in turn.text
    assert [ran.header for ran in turn.ran] == ["Database failover: Decide: Ping the primary with db ping"]
    assert turn.text.splitlines()[1:4] == ["```text", "there is no pong", "```"]
    assert session.state.trail[0].outcome == "it was run: there is no pong"
    assert session.why() == "what was seen when it was run fits: there is no pong"


def test_what_it_sees_that_decides_nothing_is_the_person_s(guides: Library) -> None:
    hands = Hands(Ping=outcome(OutcomeKind.OBSERVED, "42 bananas"))
    session = HowToSession(guides, executor=hands)
    turn = session.start(FAIL_OVER)
    assert (turn.status, turn.options, len(hands.given)) == (Status.AWAITING, ("there is no pong",), 1)
    assert "42 bananas" in turn.text
    assert "42 bananas" not in session.state.model_dump_json()
    assert "4. Fence" in session.respond("1").text


@pytest.mark.parametrize("kind", [OutcomeKind.FAILED, OutcomeKind.UNCERTAIN, OutcomeKind.HANDED])
def test_what_did_not_work_is_the_person_s(kind: OutcomeKind, guides: Library) -> None:
    hands = Hands(Ping=outcome(kind, "exit code 3"))
    turn = HowToSession(guides, executor=hands).start(FAIL_OVER)
    assert (turn.status, len(hands.given)) == (Status.AWAITING, 1)
    assert "exit code 3" in turn.text
    assert "1. Ping the primary" in turn.text


def test_what_was_run_while_the_guide_was_edited_leads_no_further() -> None:
    among = library(failover=FAILOVER)

    class Editing(Hands):
        def run(self, action: Action) -> Outcome:
            assert isinstance(among.store, MemoryStore)
            keep(among.store, failover=FAILOVER.replace("Ping the primary", "Ping the standby"))
            return super().run(action)

    hands = Editing(Ping=outcome(OutcomeKind.OBSERVED, "there is no pong"))
    session = HowToSession(among, executor=hands)
    turn = session.start(FAIL_OVER)
    assert turn.text.startswith("The guide was edited since this step was shown.")
    assert (turn.status, "there is no pong" in turn.text, "1. Ping the standby" in turn.text) == (
        Status.AWAITING,
        True,
        True,
    )
    assert (len(hands.given), session.state.handed) == (1, "the guide was edited meanwhile")


def test_what_is_handed_over_without_a_word_looks_as_without_an_executor(guides: Library) -> None:
    assert HowToSession(guides, executor=Hands()).start(FAIL_OVER) == walk(guides, FAIL_OVER)[1]


class Asking:
    """Wants leave for everything."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def run(self, action: Action) -> Outcome:
        if action.approved != action.digest:
            return outcome(OutcomeKind.APPROVAL, action.text)
        self.ran.append(action.header)
        return outcome(OutcomeKind.OBSERVED, "there is no pong")


@pytest.mark.parametrize("said", ["I don't know", "next"])
def test_what_nobody_knows_to_hold_is_not_run(said: str, guides: Library) -> None:
    asking = Asking()
    session = HowToSession(guides, executor=asking)
    assert session.start(SILENT).status is Status.ASKING
    assert (session.respond(said).status, session.state.handed) == (
        Status.AWAITING,
        "nothing says whether this holds: Agent 2.3 and later",
    )


@pytest.mark.parametrize("said", ["1", "run it", "yes", "OK, go ahead!", "yes please"])
def test_what_is_approved_is_run(said: str, guides: Library) -> None:
    asking = Asking()
    session = HowToSession(guides, executor=asking)
    asked = session.start(FAIL_OVER)
    assert (asked.status, asked.options, asking.ran) == (Status.ASKING, ("Run it", "I do it myself"), [])
    assert asked.text.endswith("Shall this be run for you?")
    turn = session.respond(said)
    assert len(asking.ran) == 1
    assert (turn.status, "4. Fence the primary" in turn.text) == (Status.ASKING, True)


@pytest.mark.parametrize(
    "said", ["2", "no", "", "I do it myself", "it does not", "I am not", "I don’t", "I do", "right"]
)
def test_what_is_not_approved_is_the_person_s(said: str, guides: Library) -> None:
    asking = Asking()
    session = HowToSession(guides, executor=asking)
    session.start(FAIL_OVER)
    turn = session.respond(said)
    assert (turn.status, asking.ran) == (Status.AWAITING, [])
    assert "1. Ping the primary" in turn.text


def test_whoever_is_asked_again_sees_what_would_be_run() -> None:
    text = "# Pump stuck\n\nRun `restart --service <service>`.\n\nThe default of `<service>` is `staging-db`.\n"
    pumps = library(pump=text)
    session = HowToSession(pumps, executor=Asking())
    session.start("Pump stuck, service: prod-db")
    elsewhere = HowToSession(pumps, executor=Asking()).resumed(session.state.model_dump_json())
    for asked in (session.respond("where are we?"), elsewhere.show()):
        assert asked.text.endswith("```text\nrestart --service prod-db\n```\n\nShall this be run for you?")


@pytest.mark.parametrize("said", ["done", "ok, done", "next"])
def test_what_was_done_meanwhile_is_not_run(said: str, guides: Library) -> None:
    asking = Asking()
    session = HowToSession(guides, executor=asking)
    session.start(FAIL_OVER)
    assert "`db lag`" in session.respond(said).text
    assert asking.ran == []


def test_a_turn_says_what_it_asks_and_what_may_be_said_besides(guides: Library) -> None:
    first = walk(guides, FAIL_OVER)[1]
    assert (first.asked, first.also) == (None, ("skip", "start over", "I give up", "why?"))
    session = HowToSession(guides, executor=Asking())
    asked = session.start(FAIL_OVER)
    assert (asked.asked, asked.also) == (Asked.APPROVAL, ("back", *first.also))
    assert [heard(said)[0] for said in asked.also] == list(SAID)
    for said in asked.also:
        resumed(session.state, guides).respond(said)
    ended = session.respond("I give up")
    assert (ended.asked, "skip" in ended.also) == (None, False)


def test_an_outcome_in_place_of_an_approval_counts(guides: Library) -> None:
    asking = Asking()
    session = HowToSession(guides, executor=asking)
    session.start(FAIL_OVER)
    assert "4. Fence" in session.respond("there is no pong").text
    assert asking.ran == []


@pytest.mark.parametrize("said", ["hmm", "lol", "sure why not", "continue", "purple", "not sure", "what does that do?"])
def test_an_approval_stays_open_after_an_unclear_answer(said: str, guides: Library) -> None:
    asking = Asking()
    session = HowToSession(guides, executor=asking)
    asked = session.start(FAIL_OVER)
    again = session.respond(said)
    assert (again.asked, again.options, asking.ran) == (Asked.APPROVAL, asked.options, [])
    assert "1. Ping the primary" in again.text
    assert again.text.endswith("Shall this be run for you?")
    assert session.state.trail[-1].outcome == ""
    session.respond("yes")
    assert len(asking.ran) == 1


@pytest.mark.parametrize(("said", "told"), [("next", "not run"), ("I did it", "done")])
def test_what_was_not_run_is_not_told_as_done(said: str, told: str, guides: Library) -> None:
    session = HowToSession(guides, executor=Asking())
    session.start(FAIL_OVER)
    session.respond(said)
    assert session.respond("I give up").text.splitlines()[3].endswith(f"(failover.md:9): {told}")


def test_a_rerun_of_a_turn_is_the_same_action(guides: Library) -> None:
    first = Hands()
    session = HowToSession(guides, executor=first)
    session.start(FAIL_OVER)
    before = session.state
    keys = []
    for _ in range(2):
        hands = Hands()
        HowToSession(guides, executor=hands).resumed(before).respond("next")
        keys += [action.key for action in hands.given]
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert first.given[0].key not in keys


def test_what_is_left_to_do_of_a_step_is_the_person_s() -> None:
    among = library(pump="# Pump\n\n1. Run `pump look`. Then close the valve.\n\n2. Go home.\n")
    hands = Hands(Pump=outcome(OutcomeKind.OBSERVED, "all is well"))
    session = HowToSession(among, executor=hands)
    turn = session.start("How do I look at the pump?")
    assert (turn.status, [action.commands for action in hands.given]) == (Status.AWAITING, [("pump look",)])
    assert "all is well" in turn.text
    assert "Then close the valve." in turn.text


def test_what_a_condition_has_led_to_is_run() -> None:
    text = (
        f"# Pump\n\n## Look\n\n1. Look at the lamp. {at_length('It is small.')}\n\n   - If it is red, run `pump off`.\n"
    )
    hands = Hands()
    session = HowToSession(library(pump=text), executor=hands)
    session.start("Pump: look at the lamp")
    session.respond("it is red")
    assert [action.commands for action in hands.given] == [(), ("pump off",)]


def test_who_goes_back_to_a_step_that_was_run_does_it_or_not_by_themselves(guides: Library) -> None:
    hands = Hands(Ping=outcome(OutcomeKind.OBSERVED, "there is no pong"))
    session = HowToSession(guides, executor=hands)
    session.start(FAIL_OVER)
    back = session.back()
    assert ("1. Ping the primary" in back.text, back.ran, len(hands.given)) == (True, (), 2)
    assert "`db lag`" in session.respond("done").text


@pytest.mark.parametrize("kind", [OutcomeKind.FAILED, OutcomeKind.HANDED, OutcomeKind.OBSERVED])
def test_a_branch_within_a_step_does_not_run_its_command_again(kind: OutcomeKind) -> None:
    brake = (
        "# Brake\n\n1. Run `brake off`. If the brake is still stuck, call the smith. If it smokes, run `brake cool`.\n"
    )
    hands = Hands(Brake=outcome(kind, "42"))
    session = HowToSession(library(brake=brake), executor=hands)
    session.start("How do I release the brake?")
    assert "call the smith" in session.respond("the brake is still stuck").text
    assert [action.commands for action in hands.given] == [("brake off",)]
    session.respond("the brake is still stuck")
    assert len(hands.given) == 1


def test_an_executor_does_not_run_for_ever() -> None:
    among = library(loop="# Loop\n\n1. Look. If it spins, go to step 1.\n")
    hands = Hands(Loop=outcome(OutcomeKind.OBSERVED, "it spins"))
    turn = HowToSession(among, executor=hands).start("Loop: look")
    assert (turn.status, len(hands.given)) == (Status.ASKING, 3)
    assert "it may lead in circles" in turn.text


@pytest.mark.parametrize("policy", Policy)
def test_a_policy_says_what_becomes_of_the_undecided(policy: Policy, guides: Library) -> None:
    turn = HowToSession(guides, policy=policy).start(SILENT)
    expected = {
        Policy.ASK: (Status.ASKING, "does this hold for you? Agent 2.3 and later"),
        Policy.KEEP: (Status.AWAITING, "Before you start: Agent 2.3 and later\nPing the agent"),
        Policy.DROP: (Status.AWAITING, "Restart the host"),
    }[policy]
    assert (turn.status, expected[1] in turn.text) == (expected[0], True), turn.text


# -- small things --------------------------------------------------------------------------------------------------


def test_a_body_is_shown_from_a_line_on() -> None:
    unit = RuleExtractor().extract(Document("a.md", "# A\n\nDo this:\n\n- One.\n- Two.\n")).units[0]
    assert body_from(unit, unit.start) == unit.body
    assert body_from(unit, 6) == "- Two."
    assert body_from(unit, 99) == unit.body


@pytest.mark.parametrize("question", ["", "   ", "?", "AND (b* NEAR", "\ud800", "é 😀 中文", "word " * 5000])
def test_any_question_has_an_answer(question: str, guides: Library) -> None:
    session, turn = walk(guides, question)
    assert turn.text
    assert session.respond(question).text


@pytest.mark.parametrize("half", ["\ud800", "gr\udcfcn"])
def test_what_is_no_text_is_said_and_seen_as_far_as_it_is(half: str, guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER + half)
    shown = session.respond(half)
    assert shown.model_dump_json()
    saved = session.state.model_dump_json()
    again = HowToSession(guides).resumed(saved)
    assert again.state == session.state
    assert again.respond("next").text
    hands = Hands(Ping=outcome(OutcomeKind.OBSERVED, half))
    assert HowToSession(guides, executor=hands).start(FAIL_OVER).model_dump_json()


@pytest.mark.parametrize(("said", "status"), [("Yes, it prints", Status.RESOLVED), ("No", Status.ESCALATED)])
def test_a_yes_or_a_no_ends_a_walk_where_the_step_asks_whether_it_is_solved(said: str, status: Status) -> None:
    text = "# Printer\n\nOil it. If it is solved, you are done. If it is not solved, contact support.\n"
    session = HowToSession(library(printer=text))
    session.start("How do I mend the printer?")
    assert session.respond(said).status is status


def test_a_jump_within_a_unit_shows_the_step_and_what_led_there() -> None:
    store = MemoryStore()
    text = "# Kiln\n\n1. Read the dial. If it is cold, go to step 3.\n2. Wait.\n3. Light the kiln.\n4. Close the lid.\n"
    keep(store, kiln=text)
    session = HowToSession(Library(store, default_embedding()))
    session.start("How do I light the kiln?")
    turn = session.respond("it is cold")
    assert turn.text.splitlines() == [
        "Kiln",
        "> 1. Read the dial. If it is cold, go to step 3.",
        "",
        "3. Light the kiln.",
        "4. Close the lid.",
    ]


def test_it_is_said_that_the_guide_which_fits_best_does_not_apply() -> None:
    agent = "# Reinstall the agent\n\nApplies to agent 2.3 to 2.7 only.\n\n1. Reinstall the agent.\n"
    relay = "# Reinstall the relay\n\n1. Turn the relay off.\n"
    session = HowToSession(library(agent=agent, relay=relay))
    session.start("How do I reinstall the agent?")
    turn = session.respond("agent 2.1")
    assert turn.text.startswith('"Reinstall the agent" needs this: agent 2.3 to 2.7 only. But you said: agent 2.1.')
    assert turn.options == ("Reinstall the relay",)
    assert "Turn the relay off" in session.respond("1").text
    session.back()
    assert "Reinstall the agent." in session.respond("sorry, agent 2.5").text


def test_what_the_question_rules_out_is_said_too() -> None:
    gate = "# Gate stuck\n\nApplies to Gate 5.1 and later.\n\nIt is a gate.\n\n## Open it\n\n1. Pull the gate.\n"
    door = "# Door stuck\n\n1. Push the door.\n"
    session, turn = walk(library(gate=gate, door=door), "Gate 4.2 is stuck")
    assert turn.text.startswith('"Gate stuck" needs this: Gate 5.1 and later. But you said: gate 4.2.')
    assert "Pull the gate" in session.respond("no, gate 5.2").text


def test_what_an_answer_leaves_open_is_asked_alone() -> None:
    gate = "# Gate stuck\n\nApplies to: Gate 5.x on Windows 11 and macOS 14\n\n1. Pull the gate.\n"
    session, asked = walk(library(gate=gate), "The gate is stuck", "windows 11")
    assert (asked.status, asked.text) == (Status.ASKING, "Before this step: does this hold for you? Gate 5.x")
    assert "Pull the gate" in session.respond("5.2").text


@pytest.mark.parametrize("said", [None, ["a"], b"done", True])
def test_what_is_no_text_moves_nothing(said: Any, guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER)
    before = session.state
    with pytest.raises(TypeError, match="expected as text, got"):
        session.respond(said)
    with pytest.raises(TypeError, match="expected as text, got"):
        session.start(said)
    assert session.state == before


@pytest.mark.parametrize(
    ("given", "message"), [({"executor": "x"}, "a method run"), ({"journal": "j.jsonl"}, r"give Journal\(path\)")]
)
def test_what_is_no_executor_and_no_journal_is_refused_at_once(given: Any, message: str, guides: Library) -> None:
    with pytest.raises(TypeError, match=message):
        HowToSession(guides, **given)
