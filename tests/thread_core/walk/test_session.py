"""What a session promises whatever is said: state, ways back, edits, guides that call others, gates, executors."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.thread_core.guides import library_of
from thread_core import Document, Link, LinkAction, RuleExtractor, Span, default_embedding
from thread_core.errors import AnsweredAlready, BadSession, IllegalStep
from thread_core.ingest.merging import merge_chains
from thread_core.ports import rows_of
from thread_core.retrieval.prerequisites import Policy
from thread_core.store.library import Library
from thread_core.testing.store import MemoryStore
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.journal import Journal
from thread_core.walk.rendering import SAID, Turn
from thread_core.walk.reply import parse
from thread_core.walk.session import AUTOMATIC, HowToSession
from thread_core.walk.state import VERSION, Asked, SessionState, loaded
from thread_core.walk.states import Status

FAILOVER = """\
# Database failover

**Prerequisites**

- You hold the role `operator`.

## Step 1: Ping

Ping the primary with `db ping`.

- If it prints "none", go to step 4.

## Step 2: Measure

Measure the lag with `db lag`.

- If the lag is below 16 MB, go to step 3.
- If the lag is above 16 MB, open a ticket with the database team.

## Step 3: Switch

Switch the roles with `db switchover`.

- If it prints complete, the issue is resolved.
- If the volume has no space, follow [Disk full](disk.md).

## Step 4: Fence

Fence the primary with `db fence`.
"""
DISK = "# Disk full\n\n## Step 1: List\n\nList what is large.\n\n## Step 2: Remove\n\nRemove old logs.\n"
AGENT = """\
# Agent is silent

## Agent 2.3 and later

Ping the agent.

## Before Agent 2.3

Run `control status`. If it prints up, the issue is resolved.

## Restart

Restart the host.
"""
FAIL_OVER = "How do I fail over the database?"
SILENT = "The agent is silent: how do I ping the agent?"
UNRELATED = "bake a chocolate cake"
MAY_BE = "nothing reaches the database since the storm last night"
SPACE = "the volume has no space"


def keep(store: MemoryStore, **texts: str) -> None:
    """Put documents into a store; one that is there is replaced."""
    for name, text in texts.items():
        units = RuleExtractor().extract(Document(f"{name}.md", text)).units
        remove(store, f"{name}.md")
        store.write(units, default_embedding().embed([unit.header for unit in units]))


def remove(store: MemoryStore, document_id: str) -> None:
    store.write(gone=[row.unit.id for row in rows_of(store, document_id)])


def library(**texts: str) -> Library:
    return library_of(None, **(texts or {"failover": FAILOVER, "disk": DISK, "agent": AGENT}))


@pytest.fixture(scope="module")
def guides() -> Library:
    return library()


def walk(among: Library, question: str, *said: str, **options: Any) -> tuple[HowToSession, Turn]:
    """A session after some answers, and what the person sees."""
    session = HowToSession(among, **options)
    turn = session.start(question)
    for words in said:
        turn = session.respond(words)
    return session, turn


def resumed(state: SessionState | str, among: Library) -> HowToSession:
    return HowToSession(among).resumed(state)


def same(state: SessionState) -> SessionState:
    """A state without what tells it from that of another session that went the same way."""
    return state.replace(id="", turn=0, began=0, gap=None)


def heading(turn: Turn) -> str:
    return turn.text.split("\n", 1)[0]


# -- from the first step to the end --------------------------------------------------------------------------------


def test_a_walk_from_the_first_step_to_the_end(guides: Library) -> None:
    session, ping = walk(guides, FAIL_OVER)
    assert (ping.status, ping.options[0], ping.citations[0]) == (
        Status.AWAITING,
        'it prints "none"',
        Span("failover.md", 9, 11),
    )
    assert "You hold the role operator" in ping.text
    lag = session.respond("next")
    assert heading(lag) == "Database failover: Measure"
    assert "operator" not in lag.text, "what must hold is told once"
    assert lag.options[:2] == ("the lag is below 16 MB", "the lag is above 16 MB")
    assert heading(session.respond("1")) == "Database failover: Switch"
    assert "the lag is below 16 MB" in session.why()
    end = session.respond("it prints complete")
    assert (end.status, end.citations[0]) == (Status.RESOLVED, Span("failover.md", 24, 24))
    assert "the issue is resolved" in end.text


def test_what_is_shown_stands_in_the_lines_that_are_cited(guides: Library) -> None:
    session, turn = walk(guides, FAIL_OVER)
    lines = FAILOVER.splitlines()
    for _ in range(4):
        cited = turn.citations[0]
        assert "\n".join(lines[cited.start - 1 : cited.end]) in turn.text
        turn = session.respond("next")


@pytest.mark.parametrize("said", ["ok", "done", "", "what now?", "where are we?", "xylophone"])
def test_a_decision_stays_open_until_it_is_taken(said: str, guides: Library) -> None:
    session, before = walk(guides, FAIL_OVER, "next")
    turn = session.respond(said)
    assert session.state.trail[-1].header.startswith("Database failover: Measure")
    assert set(before.options[:2]) <= set(turn.options)
    assert heading(session.respond("the lag is 3 MB")) == "Database failover: Switch"


def test_a_yes_to_no_question_takes_no_option(guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER, "xylophone", "yes")
    assert len(session.state.trail) == 1


@pytest.mark.parametrize("said", ["2", 2, "the lag is above 16 MB", "it is 40 MB"])
def test_an_option_is_taken_by_its_number_its_words_or_what_they_mean(said: str | int, guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER, "next")
    turn = session.respond(said)
    assert (turn.status, "open a ticket with the database team" in turn.text) == (Status.ESCALATED, True)


@pytest.mark.parametrize("question", [FAIL_OVER, "The disk is full", UNRELATED])
def test_a_number_that_is_no_option_is_said_and_moves_nothing(question: str, guides: Library) -> None:
    session, shown = walk(guides, question)
    before = session.state
    told = session.respond("99")
    assert (told.status, told.options, same(session.state)) == (shown.status, shown.options, same(before))
    assert told.text.startswith("There is no option 99")


def test_the_end_of_a_guide_is_asked_about_and_never_read_over(guides: Library) -> None:
    session, end = walk(guides, "The disk is full", "done", "done")
    assert (end.status, end.asked) == (Status.ASKING, Asked.SOLVED)
    state = session.state
    assert resumed(state, guides).respond("yes").status is Status.RESOLVED
    assert resumed(state, guides).respond("it is solved").status is Status.RESOLVED
    for said in ("no", "still full", "I don't know"):
        unsolved = resumed(state, guides)
        assert unsolved.respond(said).status is Status.ASKING
        assert unsolved.respond("next").asked is not Asked.SOLVED, "it is not asked again by itself"
    onward = next(option for option in end.options if option.startswith("Database failover"))
    assert resumed(state, guides).respond(onward).citations[0].document_id == "failover.md"


def test_after_the_end_no_guide_is_offered_that_has_nothing_to_do_with_the_question() -> None:
    among = library(pump="# Pump is silent\n\nReplace the fuse.\n", disk=DISK)
    assert not any("Disk" in option for option in walk(among, "The pump is silent", "done")[1].options)


@pytest.mark.parametrize(
    ("said", "asks", "offered"),
    [
        ("the belt is loud", "What next?", ["Belt", "Continue w", "Belt squeaks"]),
        ("the counter is broken", "What next?", ["Continue w", "Counter squeaks"]),
        ("the meter of Ann is broken", "This guide says nothing about that", ["Meter squeaks", "Continue w"]),
        ("my sister moved to Lisbon", "These guides say nothing about that", ["Continue w"]),
    ],
    ids=["a section", "what the guide means", "another guide", "nothing"],
)
def test_a_guide_that_has_the_words_of_a_report_comes_before_others(said: str, asks: str, offered: list[str]) -> None:
    press = (
        "# Press stops\n\n## Meaning\n\nIts counter is at the end.\n\n## Look\n\nLook at the chart.\n\n"
        "## Belt\n\nOil the hinge of the sheet metal box.\n\n## Bin\n\nEmpty it.\n"
    )
    others = {name: f"# {name.capitalize()} squeaks\n\nCall Bob.\n" for name in ("belt", "counter", "meter")}
    _, told = walk(library(press=press, **others), "The press stops", said)
    assert told.text.startswith(asks)
    assert [option[: len(begins)] for option, begins in zip(told.options, offered, strict=False)] == offered


def test_starting_again_forgets_the_walk_before(guides: Library) -> None:
    session = HowToSession(guides)
    fresh = session.start(FAIL_OVER), same(session.state)
    session.start(SILENT)
    session.respond("no")
    assert (session.start(FAIL_OVER), same(session.state)) == fresh


@pytest.mark.parametrize("said", ["thanks", "ok", "👍", "perfect"])
def test_thanks_after_the_end_leave_it_ended(said: str, guides: Library) -> None:
    session, end = walk(guides, FAIL_OVER, "it is solved", "yes")
    assert (end.status, session.respond(said).status) == (Status.RESOLVED, Status.RESOLVED)


@pytest.mark.parametrize("said", [("next", "1", "it prints complete"), ("next", "2"), ("I give up",)])
def test_an_ended_walk_goes_on_where_somebody_says_so(said: tuple[str, ...], guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER, *said)
    before = session.state.trail[-1]
    assert session.respond("next").status in (Status.AWAITING, Status.ASKING)
    back = resumed(session.back() and session.state, guides).back()
    assert back.status is Status.AWAITING
    assert back.unit_ids == (before.unit_id,)


# -- the state -----------------------------------------------------------------------------------------------------

WALKS = (
    (FAIL_OVER, "next", "1", SPACE, "done", "done", "next", "done", "no", "1"),
    (FAIL_OVER, 'it prints "none"', "next", "42", "back", "it works now", "yes", "next"),
    (SILENT, "why not", "next", "it prints up", "no, it came back", "back"),
    (SILENT, "no", "purple", "none of these", "back", "1", "next", "2", "yes"),
    (UNRELATED, "9", "1", "what is a fence?", "next", "skip", "restart", "why?"),
)


@pytest.mark.parametrize("lines", WALKS)
def test_a_walk_that_lives_as_json_between_turns_is_the_same(lines: tuple[str, ...], guides: Library) -> None:
    plain, stored = HowToSession(guides), HowToSession(guides)
    assert plain.start(lines[0]) == stored.start(lines[0])
    for words in lines[1:]:
        text = stored.state.model_dump_json()
        assert json.loads(text)["version"] == VERSION
        stored = resumed(text, library())
        assert stored.show() == resumed(plain.state, guides).show()
        assert stored.respond(words) == plain.respond(words)
        assert (same(stored.state), stored.why()) == (same(plain.state), plain.why())


@pytest.mark.parametrize("lines", WALKS)
async def test_the_awaited_walk_is_the_same(lines: tuple[str, ...], guides: Library) -> None:
    plain, awaited = HowToSession(guides), HowToSession(guides)
    assert plain.start(lines[0]) == await awaited.astart(lines[0])
    for words in lines[1:]:
        assert plain.respond(words) == await awaited.arespond(words)
    assert await awaited.askip() == plain.skip()
    assert await awaited.aback() == plain.back()
    assert await awaited.ashow() == plain.show()
    assert await awaited.arestart() == plain.restart()
    assert same(plain.state) == same(awaited.state)


@pytest.mark.parametrize("lines", WALKS)
def test_a_state_holds_no_more_of_a_document_than_headers_and_what_was_listed(lines: tuple[str, ...]) -> None:
    long = " ".join(["It takes a while, and nobody has to wait for it."] * 4)
    texts = {"failover": FAILOVER, "disk": DISK, "agent": AGENT}
    among = library(**{name: re.sub(r"\.$", f". {long} Purple.", text, flags=re.M) for name, text in texts.items()})
    assert "Purple" not in walk(among, *lines)[0].state.model_dump_json()


def test_a_state_can_be_kept_and_branched(guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER, "next")
    kept = session.state
    assert session.respond("2").status is Status.ESCALATED
    assert heading(resumed(kept, guides).respond("1")) == "Database failover: Switch"
    assert loaded(kept) == loaded(kept.model_dump(mode="json")) == loaded(kept.model_dump_json()) == kept


@pytest.mark.parametrize(("version", "advice"), [(VERSION + 1, "the newer"), (VERSION - 1, "the older"), (None, "")])
def test_of_a_state_of_another_version_no_field_is_read(version: int | None, advice: str) -> None:
    told = f"a session of version {version} cannot be resumed by version {VERSION}; use {advice}"
    with pytest.raises(BadSession, match=told):
        loaded({"version": version, "steps": [], "trail": 7})


A_STEP_IS_MISSING = "it shows or asks about a step that it does not have"
SCREEN = {"status": "awaiting", "steps": 0, "said": 0, "confirmed": 0, "denied": 0}


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"trail": []}, A_STEP_IS_MISSING),
        *(({"status": "asking", "pending": {"kind": kind}}, A_STEP_IS_MISSING) for kind in ("prerequisite", "loop")),
        *(
            ({"status": "asking", "pending": {"kind": kind}, "trail": []}, A_STEP_IS_MISSING)
            for kind in ("outcome", "onward", "solved", "approval")
        ),
        ({"past": [SCREEN]}, A_STEP_IS_MISSING),
        ({"past": [SCREEN | {"steps": -1}]}, "past.0.steps: "),
        ({"documents": []}, "documents: "),
    ],
)
def test_an_edited_state_is_refused(changes: dict[str, Any], complaint: str, guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER)
    with pytest.raises(BadSession, match=f"this is not a session: {complaint}"):
        loaded(session.state.model_dump(mode="json") | changes)


@pytest.mark.parametrize(
    "changes", [{"first": 0}, {"last": -9}, {"place": {"number": 0}}, {"place": {"surprise": 1}}, {"surprise": 1}]
)
def test_an_edited_step_is_refused(changes: dict[str, Any], guides: Library) -> None:
    state = walk(guides, FAIL_OVER)[0].state.model_dump(mode="json")
    with pytest.raises(BadSession, match="this is not a session"):
        loaded(state | {"trail": [state["trail"][0] | changes]})


@pytest.mark.parametrize(
    "text", ["[" * 100_000, f'{{"version": {VERSION}, "said": {"[" * 5000}{"]" * 5000}}}', "nul\0", "7"]
)
def test_what_is_no_state_at_all_is_refused(text: str) -> None:
    with pytest.raises(BadSession):
        loaded(text)


def test_an_event_that_does_not_fit_leaves_the_session_as_it_was(guides: Library) -> None:
    session = HowToSession(guides)
    for event in (session.back, session.show, session.skip, lambda: session.respond("next")):
        with pytest.raises(IllegalStep, match="call start with a question first"):
            event()
    assert same(session.state) == same(SessionState())


@pytest.mark.parametrize("said", [None, ["a"], b"done", True])
def test_what_is_no_text_moves_nothing(said: Any, guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER)
    before = session.state
    for call in (session.respond, session.start):
        with pytest.raises(TypeError, match="expected a text"):
            call(said)
    assert session.state == before


@pytest.mark.parametrize("question", ["", "   ", "?", "AND (b* NEAR", "\ud800", "é 😀 中文", "word " * 5000])
def test_any_words_are_answered_and_their_state_is_json(question: str, guides: Library) -> None:
    session, turn = walk(guides, question, question)
    assert turn.model_dump_json()
    there, _ = walk(guides, FAIL_OVER, question)
    for one in (session, there):
        assert loaded(one.state.model_dump_json()) == one.state
        assert one.respond("next").text


# -- back, restart, skip, why --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lines", [*WALKS[:2], (SILENT, "no", "it prints up"), (FAIL_OVER, "purple", "1", "done")])
def test_going_back_shows_each_screen_before_and_what_was_known_then(lines: tuple[str, ...], guides: Library) -> None:
    session = HowToSession(guides)
    session.start(lines[0])
    screens = []
    for words in lines[1:]:
        before = session.state
        if words != "back":
            session.respond(words)
        if len(session.state.past) > len(before.past):
            screens.append(before)
    for before in reversed(screens):
        shown = session.back()
        again = resumed(before, guides).show()
        assert (shown.text, shown.options, shown.status) == (again.text, again.options, again.status)
        assert (session.state.known, session.state.trail) == (before.known, before.trail)
    assert session.back().text.startswith("There is nothing to go back to.")


def test_starting_over_keeps_what_was_learned(guides: Library) -> None:
    session, turn = walk(guides, SILENT, "no", "next", "start over")
    assert (heading(turn), len(session.state.trail)) == ("Agent is silent: Before Agent 2.3", 1)
    assert session.state.denied == ("Agent 2.3 and later",)


def test_a_step_that_is_skipped_is_not_done(guides: Library) -> None:
    session, turn = walk(guides, FAIL_OVER, "skip")
    assert heading(turn) == "Database failover: Measure"
    assert (session.state.trail[0].skipped, session.state.known.done) == (True, ())
    told = session.respond("I give up").text
    assert f"What was tried for: {FAIL_OVER}" in told
    assert "(failover.md): not done" in told


def test_a_gate_that_is_skipped_decides_nothing(guides: Library) -> None:
    session, _ = walk(guides, SILENT, "skip")
    assert (session.state.confirmed, session.state.denied) == ((), ())


def test_where_there_is_no_step_to_skip_it_is_said(guides: Library) -> None:
    for said in (("next", "2"), ("it is solved", "yes")):
        session, ended = walk(guides, FAIL_OVER, *said)
        assert session.respond("skip").status is ended.status


@pytest.mark.parametrize("said", [(), ("next",), ("next", "1", SPACE), ("next", "purple"), ("next", "2")])
def test_why_and_where_change_nothing(said: tuple[str, ...], guides: Library) -> None:
    session, shown = walk(guides, FAIL_OVER, *said)
    before = session.state
    why = session.respond("why?")
    assert (why.text, why.options, why.status) == (session.why(), shown.options, shown.status)
    assert session.show().options == shown.options
    assert session.state == before


def test_a_turn_says_what_it_asks_and_what_may_be_said_besides(guides: Library) -> None:
    first = walk(guides, FAIL_OVER)[1]
    session, asked = walk(guides, FAIL_OVER, "next", "purple")
    assert (first.asked, "back" in first.also) == (None, False)
    assert (asked.asked, [parse(said).event for said in asked.also]) == (Asked.OUTCOME, list(SAID))
    ended = session.respond("I give up")
    assert (ended.asked, "skip" in ended.also) == (None, False)


# -- other documents -----------------------------------------------------------------------------------------------

CALLER = """\
# Service down

## Step 1: Look

Look at the service.

- If the certificate has expired, follow [Certificate](certificate.md).

## Step 2: Restart

Restart the service.
"""
CERTIFICATE = "# Certificate\n\nRenew it.\n"


def test_a_link_leads_to_another_guide_and_its_end_back_to_the_caller() -> None:
    among = library(service=CALLER, certificate=CERTIFICATE)
    session, there = walk(among, "My service is down", "1")
    assert there.citations[0].document_id == "certificate.md"
    assert [caller.document_id for caller in session.state.callers] == ["service.md"]
    back = session.respond("done")
    assert (back.citations[0].document_id, session.state.callers) == ("service.md", ())
    assert session.respond("next").text.endswith("Restart the service.")


def test_a_link_to_a_guide_that_has_moved_is_followed() -> None:
    there = walk(library(**{"service": CALLER, "security/certificate": CERTIFICATE}), "My service is down", "1")[1]
    assert there.citations[0].document_id == "security/certificate.md"


@pytest.mark.parametrize("others", [{}, {"certificate": CERTIFICATE}])
def test_a_link_to_what_is_not_there_is_said_and_the_step_stays(others: dict[str, str]) -> None:
    caller = CALLER.replace("certificate.md", "certificate.md#urgent") if others else CALLER
    session, before = walk(library(service=caller, **others), "My service is down")
    turn = session.respond("1")
    assert "which is not in these guides" in turn.text
    assert "certificate.md" in turn.text
    assert session.respond("next").text.endswith("Restart the service.")
    assert before.status is Status.AWAITING


def test_the_journal_says_where_each_turn_has_led() -> None:
    journal = Journal()
    session, _ = walk(library(service=CALLER, certificate=CERTIFICATE), "My service is down", "1", journal=journal)
    session.show()
    session.respond("give up")
    reached = [entry for entry in journal.entries() if entry["event"] == "reached"]
    assert [(entry["turn"], entry["status"], entry["document"]) for entry in reached] == [
        (1, "awaiting", "service.md"),
        (2, "awaiting", "certificate.md"),
        (3, "escalated", "certificate.md"),
    ]


CIRCLES = {
    "two documents": {
        "one": "# Alpha down\n\nCheck alpha. Follow [Beta](two.md).\n",
        "two": "# Beta\n\nCheck beta. Follow [Alpha](one.md).\n",
    },
    "a document to itself": {"one": "# Alpha down\n\nCheck alpha. Follow [Alpha](one.md).\n"},
    "a step to itself": {"one": "# Alpha down\n\n1. Check alpha, then go to step 1.\n"},
    "under a condition": {
        "one": "# Alpha down\n\nCheck alpha. If beta is down, follow [Beta](two.md).\n",
        "two": "# Beta\n\nCheck beta. If alpha is down, follow [Alpha](one.md).\n",
    },
}


@pytest.mark.parametrize("name", CIRCLES)
def test_whoever_comes_round_again_and_again_is_asked_about_it(name: str) -> None:
    among = library(**CIRCLES[name])
    session, turn = walk(among, "alpha is down")
    turns = 0
    while turn.asked is not Asked.LOOP and turns < 12:
        turn, turns = session.respond("1" if turn.options else "done"), turns + 1
    assert (turn.asked, len(session.state.callers) <= 2) == (Asked.LOOP, True)
    asked = session.state
    for said in ("hmm", "what do you mean?", "99"):
        unclear = resumed(asked, among)
        assert (unclear.respond(said).status, unclear.state.trail) == (Status.ASKING, asked.trail)
    for said in ("1", "yes"):
        assert resumed(asked, among).respond(said).status is Status.AWAITING
    assert resumed(asked, among).respond("3").status is Status.ESCALATED
    past = resumed(asked, among)
    assert any(past.respond("2").asked is not Asked.LOOP for _ in range(3)), "going on leaves the circle"


# -- prerequisites -------------------------------------------------------------------------------------------------


def test_a_section_for_some_versions_is_asked_about(guides: Library) -> None:
    session, turn = walk(guides, SILENT)
    assert (turn.status, turn.asked, turn.options) == (Status.ASKING, Asked.PREREQUISITE, ("Yes", "No"))
    assert "Agent 2.3 and later" in turn.text
    assert "Ping the agent" not in turn.text
    assert "decides whether the step applies" in session.why()


@pytest.mark.parametrize(
    ("said", "confirmed", "shown"),
    [
        *((said, True, "Ping the agent") for said in ("yes", "1", "Agent 3.0", "I have Agent 2.3.1")),
        *((said, False, "control status") for said in ("no", "2", "Agent 2.1", "yes, Agent 2.2")),
    ],
)
def test_a_section_is_shown_where_it_applies_and_else_its_opposite(
    said: str, confirmed: bool, shown: str, guides: Library
) -> None:
    session, turn = walk(guides, SILENT, said)
    assert (turn.status, shown in turn.text) == (Status.AWAITING, True)
    assert (session.state.confirmed, session.state.denied) == (
        (("Agent 2.3 and later",), ()) if confirmed else ((), ("Agent 2.3 and later",))
    )
    session.respond("next")
    assert session.state.status is not Status.ASKING or session.state.pending.kind is not Asked.PREREQUISITE  # type: ignore[union-attr]


@pytest.mark.parametrize("said", ["I don't know", "not sure", "next"])
def test_whoever_does_not_know_is_shown_what_it_needs_and_nothing_counts_as_said(said: str, guides: Library) -> None:
    session, turn = walk(guides, SILENT, said)
    assert (turn.status, "Ping the agent" in turn.text, "Agent 2.3 and later" in turn.text) == (
        Status.AWAITING,
        True,
        True,
    )
    assert (session.state.confirmed, session.state.denied) == ((), ())
    assert session.state.handed, "nothing of it is run"


@pytest.mark.parametrize("said", ["the lamp is red", "purple", "yes, but not here", "7"])
def test_what_is_neither_yes_nor_no_is_asked_again_and_confirms_nothing(said: str, guides: Library) -> None:
    session, turn = walk(guides, SILENT, said, said)
    assert (turn.asked, turn.options) == (Asked.PREREQUISITE, ("Yes", "No"))
    assert (session.state.confirmed, session.state.denied) == ((), ())


def test_what_was_confirmed_is_taken_back_by_what_rules_it_out(guides: Library) -> None:
    session, _ = walk(guides, SILENT, "yes", "Sorry, it is Agent 2.1")
    assert session.state.known.confirmed == ()
    session.back()
    assert session.state.known.confirmed == ("Agent 2.3 and later",)


@pytest.mark.parametrize(("version", "shown"), [("2.1", "control status"), ("2.5", "Ping the agent")])
def test_a_question_that_names_the_version_is_not_asked(version: str, shown: str, guides: Library) -> None:
    turn = walk(guides, f"My agent {version} is silent")[1]
    assert (turn.status, shown in turn.text) == (Status.AWAITING, True)


def test_an_outcome_does_not_lead_past_the_gate(guides: Library) -> None:
    session, turn = walk(guides, "My agent 2.5 is silent", "it prints up")
    while turn.options and turn.status is not Status.RESOLVED and turn.options[0] != "It is solved":
        turn = session.respond("1")
        assert "control status" not in turn.text
    assert turn.status is not Status.RESOLVED


def test_where_nothing_applies_it_is_said_and_may_be_corrected() -> None:
    gate = "# Gate stuck\n\nApplies to Gate 5.1 and later.\n\nIt is a gate.\n\n## Open it\n\n1. Pull the gate.\n"
    for question, said in (("The gate is stuck", "no"), ("The gate is stuck", "gate 4.2"), ("Gate 4.2 is stuck", "")):
        session, turn = walk(library(gate=gate), question, *filter(None, [said]))
        assert (turn.status, "Gate 5.1 and later" in turn.text, "Pull" in turn.text) == (Status.UNKNOWN, True, False)
        assert "Pull the gate" in session.respond("sorry, it is gate 5.2").text


def test_what_was_chosen_is_known_where_it_leads() -> None:
    text = (
        '# Modules\n\n## Look\n\nAsk `uname`.\n\n- If it prints "Linux", go to [Linux](#linux).\n'
        '- If it prints "Darwin", go to [macOS](#macos).\n\n## Linux\n\nRun `lsmod`.\n\n## macOS\n\nRun `kextstat`.\n'
    )
    for said in ("1", 'it prints "Linux"', "Linux"):
        assert "lsmod" in walk(library(modules=text), "Which modules are there?", said)[1].text


def test_who_has_nothing_to_do_is_not_asked_again_what_they_said() -> None:
    session, told = walk(library(queue="# Queue stuck\n\n## macOS\n\nReset it.\n"), "The queue is stuck", "no")
    for said in ("ok", "next", "hmm"):
        assert (session.respond(said).status, session.state.denied) == (Status.UNKNOWN, ("macOS",))
    assert told.status is Status.UNKNOWN


@pytest.mark.parametrize("policy", Policy)
def test_a_policy_says_what_becomes_of_the_undecided(policy: Policy, guides: Library) -> None:
    turn = HowToSession(guides, policy=policy).start(SILENT)
    status, shown = {
        Policy.ASK: (Status.ASKING, "does this hold for you? Agent 2.3 and later"),
        Policy.KEEP: (Status.AWAITING, "Before you start: Agent 2.3 and later\nPing the agent"),
        Policy.DROP: (Status.AWAITING, "Restart the host"),
    }[policy]
    assert (turn.status, shown in turn.text) == (status, True), turn.text


def test_a_term_is_explained_once() -> None:
    text = "# Gate\n\nThe *pawl* is the lever below.\n\n## {}\n\nYou need a pawl.\n\n{}\n"
    steps = "".join(
        f"## Step {n}: {v}\n\n**You need:** the pawl.\n\n{v} it.\n\n" for n, v in enumerate(("Turn", "Oil"))
    )
    guide = "# The gate is stuck\n\n## Terms\n\n**Pawl**: the lever below the gate.\n\n" + steps
    session, first = walk(library(gate=guide), "The gate is stuck")
    assert "the lever below the gate" in first.text, (first.text, text)
    assert "the lever below the gate" not in session.respond("next").text
    assert "the lever below the gate" in session.back().text


# -- no guide is surely meant, or nothing fits ---------------------------------------------------------------------


def test_a_guide_that_may_be_meant_is_offered_first_and_not_entered(guides: Library) -> None:
    session, turn = walk(guides, MAY_BE)
    assert (turn.status, turn.asked, turn.citations) == (Status.ASKING, Asked.GUIDE, ())
    assert (turn.options[0].startswith("Database failover"), turn.options[-1]) == (True, "None of these")
    assert resumed(session.state, guides).respond("1").citations[0].document_id == "failover.md"
    none = session.respond("none of these")
    assert (none.status, none.options) == (Status.UNKNOWN, ()), "the same guides are not offered again"
    assert session.respond("The disk is full").citations[0].document_id == "disk.md"


def test_where_nothing_fits_the_nearest_guides_are_offered(guides: Library) -> None:
    session, turn = walk(guides, UNRELATED)
    assert (turn.status, turn.citations) == (Status.UNKNOWN, ())
    at = next(number for number, option in enumerate(turn.options, 1) if option.startswith("Disk full"))
    offered = session.state
    for said in (str(at), turn.options[at - 1], "well, the disk is full: list what is large"):
        chosen = resumed(offered, guides).respond(said)
        assert (chosen.status, chosen.citations[0].document_id) == (Status.AWAITING, "disk.md")
    assert resumed(offered, guides).back().status is Status.UNKNOWN


# -- the store changes under the walk ------------------------------------------------------------------------------


def edited(*changes: tuple[str, str], said: tuple[str, ...] = ("next",)) -> tuple[HowToSession, MemoryStore]:
    """A walk at the second step, of a guide that is edited then."""
    among = library(failover=FAILOVER, disk=DISK)
    session, _ = walk(among, FAIL_OVER, *said)
    assert isinstance(among.store, MemoryStore)
    text = FAILOVER
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    keep(among.store, failover=text)
    return session, among.store


@pytest.mark.parametrize("say", [lambda session: session.respond("1"), HowToSession.show, HowToSession.skip])
def test_an_edited_step_is_shown_once_before_an_answer_counts(say: Any) -> None:
    session, _ = edited(("below 16 MB", "below 8 MB"))
    told = say(session)
    assert (told.status, told.options[0]) == (Status.AWAITING, "the lag is below 8 MB")
    assert told.text.startswith("The guide has been edited since this step was shown.")
    assert heading(session.show()) == "Database failover: Measure"
    assert heading(session.respond("1")) == "Database failover: Switch"


def test_lines_that_were_added_above_move_nothing() -> None:
    session, _ = edited(("## Step 1", "\n\n\n\n## Step 1"))
    assert heading(session.respond("1")) == "Database failover: Switch"
    assert session.back().citations[0] == Span("failover.md", 19, 22)


@pytest.mark.parametrize("said", ["next", "1", "9", "yes", "it still does not work", "it works now", "why?"])
@pytest.mark.parametrize("change", ["removed", "emptied", "renamed"])
@pytest.mark.parametrize("before", [(), ("next", "purple"), ("next", "1", SPACE), ('it prints "none"', "done")])
def test_a_guide_may_go_between_two_turns(before: tuple[str, ...], change: str, said: str) -> None:
    among = library()
    assert isinstance(among.store, MemoryStore)
    session, turn = walk(among, FAIL_OVER, *before)
    gone = turn.citations[0].document_id
    if change == "removed":
        remove(among.store, gone)
    else:
        text = "# Nothing to see\n" if change == "emptied" else "# Other\n\n## Other\n\n1. Do something else.\n"
        keep(among.store, **{gone.removesuffix(".md"): text})
    assert session.respond(said).text
    assert session.respond("next").text
    assert session.back().text
    assert loaded(session.state.model_dump_json()) == session.state


def test_a_guide_that_is_gone_is_named_as_gone() -> None:
    among = library(disk=DISK, agent=AGENT)
    assert isinstance(among.store, MemoryStore)
    followed, _ = walk(among, "The disk is full")
    offered, turn = walk(among, UNRELATED)
    remove(among.store, "disk.md")
    assert "no longer in this store" in followed.respond("next").text
    at = next(number for number, option in enumerate(turn.options, 1) if option.startswith("Disk full"))
    assert "no longer in the store" in offered.respond(at).text


# -- two people, one session ---------------------------------------------------------------------------------------


def test_of_two_answers_to_one_turn_the_first_counts(guides: Library) -> None:
    journal = Journal()
    session, first = walk(guides, FAIL_OVER, journal=journal)
    here, there = (HowToSession(guides, journal=journal).resumed(session.state) for _ in range(2))
    here.respond("next")
    before = there.state
    with pytest.raises(AnsweredAlready, match="turn 1 of session"):
        there.respond('it prints "none"')
    assert (there.state, there.show()) == (before, first)


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


class Asking:
    """Wants leave for everything."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def run(self, action: Action) -> Outcome:
        if not action.is_approved:
            return outcome(OutcomeKind.APPROVAL, action.text)
        self.ran.append(action.header)
        return outcome(OutcomeKind.OBSERVED, "none")


def outcome(kind: OutcomeKind, text: str = "") -> Outcome:
    return Outcome(kind=kind, text=text)


@pytest.mark.parametrize("condition", ['"none"', "`none`"])
def test_what_an_executor_sees_takes_the_only_option_that_quotes_it(condition: str) -> None:
    among = library(failover=FAILOVER.replace('"none"', condition))
    session, turn = walk(among, FAIL_OVER, executor=Hands(Ping=outcome(OutcomeKind.OBSERVED, "primary: none")))
    assert "Fence the primary" in turn.text
    assert [ran.header for ran in turn.ran] == [session.state.trail[0].header]
    assert "```text\nprimary: none\n```" in turn.text
    assert "primary: none" not in session.state.model_dump_json()


@pytest.mark.parametrize("seen", ["42 bananas", "there is none-such", "it did print no thing"])
def test_what_it_sees_that_no_option_quotes_is_the_person_s(seen: str, guides: Library) -> None:
    hands = Hands(Ping=outcome(OutcomeKind.OBSERVED, seen))
    session, turn = walk(guides, FAIL_OVER, executor=hands)
    assert (turn.status, turn.options[0], len(hands.given)) == (Status.AWAITING, 'it prints "none"', 1)
    assert seen in turn.text
    assert seen not in session.state.model_dump_json()
    assert "Fence the primary" in session.respond("1").text


@pytest.mark.parametrize("kind", [OutcomeKind.FAILED, OutcomeKind.UNCERTAIN, OutcomeKind.HANDED])
def test_what_did_not_work_is_the_person_s(kind: OutcomeKind, guides: Library) -> None:
    hands = Hands(Ping=outcome(kind, "exit code 3"))
    turn = walk(guides, FAIL_OVER, executor=hands)[1]
    assert (turn.status, len(hands.given)) == (Status.AWAITING, 1)
    assert ("exit code 3" in turn.text, "Ping the primary" in turn.text) == (True, True)


def test_what_was_run_while_the_guide_was_edited_leads_no_further() -> None:
    among = library(failover=FAILOVER)

    class Editing(Hands):
        def run(self, action: Action) -> Outcome:
            assert isinstance(among.store, MemoryStore)
            keep(among.store, failover=FAILOVER.replace("Ping the primary", "Ping the standby"))
            return super().run(action)

    session, turn = walk(among, FAIL_OVER, executor=Editing(Ping=outcome(OutcomeKind.OBSERVED, "none")))
    assert ("The guide has been edited" in turn.text, "Ping the standby" in turn.text) == (True, True)
    assert (turn.status, bool(session.state.handed)) == (Status.AWAITING, True)


def test_what_nobody_knows_to_hold_is_not_run(guides: Library) -> None:
    asking = Asking()
    assert walk(guides, SILENT, "I don't know", executor=asking)[1].asked is None
    assert walk(guides, SILENT, "yes", executor=asking)[1].asked is Asked.APPROVAL


@pytest.mark.parametrize("said", ["1", "run it", "yes", "yes please"])
def test_what_is_approved_is_run(said: str, guides: Library) -> None:
    asking = Asking()
    session, asked = walk(guides, FAIL_OVER, executor=asking)
    assert (asked.asked, asked.options, asking.ran) == (Asked.APPROVAL, ("Run it", "I do it myself"), [])
    turn = session.respond(said)
    assert (len(asking.ran), "Fence the primary" in turn.text) == (1, True)


@pytest.mark.parametrize("said", ["2", "no", "I do it myself", "stop", "next", "done", "I give up", "back"])
def test_what_is_not_approved_is_not_run(said: str, guides: Library) -> None:
    asking = Asking()
    session, _ = walk(guides, FAIL_OVER, said, executor=asking)
    session.respond("where are we?")
    assert asking.ran == []


@pytest.mark.parametrize("said", ["hmm", "sure why not", "yes, but later", "purple", "not sure", "what does it do?"])
def test_an_unclear_answer_to_an_approval_runs_nothing_and_leads_nowhere(said: str, guides: Library) -> None:
    asking = Asking()
    session, _ = walk(guides, FAIL_OVER, said, executor=asking)
    assert (asking.ran, len(session.state.trail), session.state.status) == ([], 1, Status.ASKING)
    session.respond("yes")
    assert len(asking.ran) == len(session.state.trail) - 1, "a yes is leave to run it, or nothing"


def test_whoever_is_asked_again_sees_what_would_be_run() -> None:
    text = "# Pump stuck\n\n```sh\nrestart --service <service>\n```\n\nThe default of `<service>` is `staging-db`.\n"
    pumps = library(pump=text)
    session, _ = walk(pumps, "Pump stuck, service: prod-db", executor=Asking())
    elsewhere = HowToSession(pumps, executor=Asking()).resumed(session.state.model_dump_json())
    for asked in (session.respond("where are we?"), elsewhere.show()):
        assert (asked.asked, "```text\nrestart --service prod-db\n```" in asked.text) == (Asked.APPROVAL, True)


def test_a_rerun_of_a_turn_is_the_same_action(guides: Library) -> None:
    session, _ = walk(guides, FAIL_OVER)
    keys = []
    for said in ("next", "next", 'it prints "none"'):
        hands = Hands()
        HowToSession(guides, executor=hands).resumed(session.state).respond(said)
        keys += [action.key for action in hands.given]
    assert (keys[0] == keys[1], keys[1] == keys[2], len(keys)) == (True, False, 3)


def test_who_goes_back_to_a_step_that_was_run_does_it_or_not_by_themselves(guides: Library) -> None:
    hands = Hands(Ping=outcome(OutcomeKind.OBSERVED, "none"))
    session, _ = walk(guides, FAIL_OVER, executor=hands)
    back = session.back()
    assert (heading(back), back.ran, len(hands.given)) == ("Database failover: Ping", (), 2)


def test_an_executor_does_not_run_for_ever() -> None:
    steps = "".join(f"## Step {number}: Turn wheel {number}\n\nTurn it.\n\n" for number in range(1, AUTOMATIC + 10))
    hands = Hands(Turn=outcome(OutcomeKind.OBSERVED))
    turn = walk(library(wheels=f"# Wheels stand still\n\n{steps}"), "The wheels stand still", executor=hands)[1]
    assert (turn.status, len(hands.given)) == (Status.AWAITING, AUTOMATIC)


@pytest.mark.parametrize(
    ("given", "message"), [({"executor": "x"}, "a method run"), ({"journal": "j.jsonl"}, r"pass Journal\(path\)")]
)
def test_what_is_no_executor_and_no_journal_is_refused_at_once(given: Any, message: str, guides: Library) -> None:
    with pytest.raises(TypeError, match=message):
        HowToSession(guides, **given)


def test_done_reads_on_no_further_than_where_the_guide_says_that_a_way_ends() -> None:
    first, *others = (
        RuleExtractor().extract(Document("pump.md", "# Pump\n\n1. Stop it.\n\n## 2. Rotor\n\nOil it.")).units
    )
    end = Link("", "", LinkAction.RESOLVED, evidence=first.body_spans[0])
    store = MemoryStore()
    units = [first.model_copy(update={"links": (end,)}), *others]
    store.write(units, default_embedding().embed([unit.header for unit in units]))
    session = HowToSession(Library(store, default_embedding()))
    session.start("How do I stop the pump?")
    asked = session.respond("done")
    assert (asked.status, "Oil" in asked.text) == (Status.ASKING, False)
    assert "It is solved" in asked.options


MILL = (
    "# Mill is loud\n\n" + "\n".join(f"{at}. Oil wheel {at}.\n\n   {'It squeaks. ' * 50}" for at in range(1, 9)) + "\n"
)


def keep_in_one(store: MemoryStore, text: str) -> None:
    """Put the mill's guide into a store, as one unit, which no screen holds."""
    document = Document("mill.md", text)
    remove(store, document.id)
    units = merge_chains(RuleExtractor().extract(document), document, 5000).units
    store.write(units, default_embedding().embed([unit.header for unit in units]))


def test_what_no_screen_holds_is_shown_by_and_by() -> None:
    store = MemoryStore()
    keep_in_one(store, MILL)
    session = HowToSession(Library(store, default_embedding()))
    first, second = session.start("The mill is loud"), session.respond("next")
    assert first.text.endswith("\n\n15 more lines follow. Say next.")
    assert ("3. Oil wheel 3." in first.text, "4. Oil wheel 4." in first.text) == (True, False)
    assert "4. Oil wheel 4." in second.text
    assert [str(turn.citations[0]) for turn in (first, second)] == ["mill.md:3-11", "mill.md:12-20"]
    assert "1. Oil wheel 1." in session.respond("back").text
    resumed = HowToSession(Library(store, default_embedding())).resumed(session.state.model_dump_json())
    assert resumed.respond("next").text == second.text


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("5. Oil", "5. Grease", "5. Grease"),
        ("1. Oil", "1. Grease", "4. Oil wheel 4."),
        ("1. Oil", "0. Listen.\n1. Oil", "4. Oil wheel 4."),
        (MILL[MILL.index("2. Oil") : MILL.index("7. Oil")], "", "1. Oil wheel 1."),
    ],
    ids=["a word", "a word above", "a line more", "most of it gone"],
)
def test_an_edited_unit_is_shown_at_the_screen_that_holds_the_same_place(before: str, after: str, shown: str) -> None:
    store = MemoryStore()
    keep_in_one(store, MILL)
    session = HowToSession(Library(store, default_embedding()))
    session.start("The mill is loud")
    session.respond("next")
    keep_in_one(store, MILL.replace(before, after))
    told = session.show().text
    assert (told.startswith("The guide has been edited since"), shown in told) == (True, True)
    assert told.endswith(session.show().text)
    assert ("7. Oil wheel 7." in session.respond("next").text) == ("more lines follow" in told)
