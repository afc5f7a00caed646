"""What an executor saw: which outcome is the case for sure, and what is left to the person."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import library_of
from thread_core.walking.execution import Action, Outcome, OutcomeKind
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status

GUIDE = """\
# Check the pump

1. Run `look`.

   - {one}, go to [Open](#open).
   - {other}, page the smith.

## Open

Open the valve by hand.
"""
LEFT = "what was seen fits no outcome for sure"


class Seeing:
    """Has seen something once, and hands over the rest."""

    def __init__(self, text: str) -> None:
        self._text = text

    def run(self, action: Action) -> Outcome:
        text, self._text = self._text, ""
        return Outcome(kind=OutcomeKind.OBSERVED, text=text) if text else Outcome(kind=OutcomeKind.HANDED)


class Running:
    """Runs what it may, and asks where something is needed."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def run(self, action: Action) -> Outcome:
        if action.needs and not action.is_approved:
            return Outcome(kind=OutcomeKind.APPROVAL)
        self.ran += action.commands
        return Outcome(kind=OutcomeKind.HANDED)


def seen(text: str, one: str, other: str) -> str:
    """Which of two outcomes is followed when something is seen: "one", "other", or "left" to the person."""
    session = HowToSession(library_of(None, pump=GUIDE.format(one=one, other=other)), executor=Seeing(text))
    turn = session.start("check the pump")
    if session.state.handed == LEFT:
        return "left"
    return "other" if turn.status is Status.ESCALATED else "one"


@pytest.mark.parametrize("text", ["sealed", "m1: SEALED", "already sealed", "sealed by Ann"])
def test_a_word_that_is_quoted_is_printed(text: str) -> None:
    assert seen(text, "If it prints `sealed`", "If it prints anything else") == "one"


@pytest.mark.parametrize(
    "text",
    [
        "not sealed",
        "seal failed",
        "m1 could not be sealed",
        "sealed: false",
        "sealed=no",
        "sealed? no",
        "sealed: 0, open: 3",
        "unsealed",
        "sealing",
        "will be sealed in 10 minutes",
        "error: sealed host unreachable",
        "has not been sealed for 3 days",
    ],
)
def test_a_word_that_is_quoted_is_no_other_one_and_nothing_denies_it(text: str) -> None:
    assert seen(text, "If it prints `sealed`", "If it prints anything else") == "left"


def test_a_trouble_that_is_expected_is_none() -> None:
    said = "If it prints `connection refused`"
    assert seen("ERROR dial: connection refused", said, "If it prints anything else") == "one"
    assert seen("no connection refused errors", said, "If it prints anything else") == "left"


def test_code_that_names_what_is_looked_at_need_not_be_printed() -> None:
    assert seen("12 GB", "If `/var/log` is larger than 10 GB", "If `/var/log` is at most 10 GB") == "one"


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        ("the lag is 4 min", "one"),
        ("the lag is 12 min", "other"),
        ("ERROR: connection refused after 2 minutes", "left"),
        ("lag unknown: timeout after 4 minutes", "left"),
        ("the lag is 0.4", "left"),
        ("the lag is 00:02:00", "left"),
    ],
)
def test_an_amount_is_seen_where_a_condition_bounds_one_and_the_program_had_no_trouble(
    text: str, followed: str
) -> None:
    assert seen(text, "If the lag is 5 minutes or less", "If the lag is more than 5 minutes") == followed


@pytest.mark.parametrize(
    ("text", "followed"),
    [
        ("node db1 is ready", "one"),
        ("node db1 is not ready", "left"),
        ("db1 NotReady", "left"),
        ("node db1 is missing", "other"),
        ("1/3 nodes ready", "left"),
        ("node db1", "left"),
    ],
)
def test_what_both_outcomes_name_decides_nothing(text: str, followed: str) -> None:
    assert seen(text, "If node db1 is ready", "If node db1 is missing") == followed


def test_what_is_left_when_the_other_is_not_the_case_was_not_seen() -> None:
    assert seen("the main pump is down", "If the main pump is up", "If the main pump is unknown") == "left"


@pytest.mark.parametrize(("text", "followed"), [("the lag falls", "one"), ("lag 240000", "left"), ("lag", "left")])
def test_what_an_outcome_speaks_of_is_not_what_it_says(text: str, followed: str) -> None:
    assert seen(text, "If the lag falls", "If it prints an error") == followed


def test_what_only_sounds_alike_was_not_seen() -> None:
    assert seen("sync_state: async", "If the valve is in sync", "If the valve is not in sync") == "left"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("sealed", Status.AWAITING),
        ("it is sealed now", Status.AWAITING),
        ("not sealed", Status.ESCALATED),
        ("seal failed", Status.ESCALATED),
        ("error: sealed host unreachable", Status.ASKING),
        ("it will be sealed in 10 minutes", Status.ASKING),
    ],
)
def test_a_person_is_asked_of_what_they_doubt_and_the_rest_is_for_what_they_deny(said: str, status: Status) -> None:
    guide = GUIDE.format(one="If it prints `sealed`", other="If it prints anything else")
    session = HowToSession(library_of(None, pump=guide))
    session.start("check the pump")
    assert session.respond(said).status is status


def test_a_person_is_asked_of_a_number_that_cannot_be_read() -> None:
    guide = GUIDE.format(one="If the lag is below 10,000", other="If the lag is 10,000 or more")
    session = HowToSession(library_of(None, pump=guide))
    session.start("check the pump")
    assert session.respond("the lag is 250 000").status is Status.ASKING
    assert session.respond("the lag is 250,000").status is Status.ESCALATED


LAG = GUIDE.format(one="If the lag is more than 3 minutes", other="If the lag is 3 minutes or less")


@pytest.mark.parametrize(
    "said",
    [
        "timed out after 5 minutes",
        "the query was refused after 2 minutes",
        "it hung for 5 minutes",
        "no answer for 5 minutes",
        "unreachable, 5 minutes",
    ],
)
def test_an_amount_of_a_failure_is_none_of_what_a_condition_bounds(said: str) -> None:
    session = HowToSession(library_of(None, pump=LAG))
    session.start("check the pump")
    assert session.respond(said).status is Status.ASKING
    assert seen(said, "If the lag is more than 3 minutes", "If the lag is 3 minutes or less") == "left"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("5 minutes", Status.AWAITING),
        ("the lag is 4 min, the error rate is normal", Status.AWAITING),
        ("a query failed, the lag is 2 minutes", Status.ESCALATED),
    ],
)
def test_an_amount_beside_a_failure_is_that_of_what_it_is_said_of(said: str, status: Status) -> None:
    session = HowToSession(library_of(None, pump=LAG))
    session.start("check the pump")
    assert session.respond(said).status is status


def test_an_amount_of_a_failure_may_be_what_a_condition_bounds() -> None:
    assert seen("failed for 5 minutes", "If it has failed for more than 3 minutes", "If it runs") == "one"


TUNNEL = """\
# Repair the tunnel

1. Look at the tunnel.

   - If the tunnel is closed, go to [Close](#close).
   - If the tunnel is open, go to [Open](#open).

## Close

Run `reset`.

## Open

Run `probe`.
"""


def run_after(said: str) -> list[str]:
    executor = Running()
    session = HowToSession(library_of(None, tunnel=TUNNEL), executor=executor)
    session.start("repair the tunnel")
    session.respond(said)
    return executor.ran


@pytest.mark.parametrize(
    "text",
    [
        "the tunnel was closed last week",
        "the tunnel had been closed",
        "the tunnel might be closed",
        "if the tunnel is closed, we lose the site",
        "the tunnel was closed but is back",
        "I believe the tunnel is closed",
    ],
)
def test_what_is_not_said_of_now_has_nothing_run_unasked(text: str) -> None:
    assert run_after(text) == []
    assert seen(text, "If the tunnel is closed", "If the tunnel is open") == "left"


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("the tunnel was closed by the peer", "reset"),
        ("the tunnel was closed when I looked just now", "reset"),
        ("the tunnel has been closed since yesterday", "reset"),
        ("yesterday it was open, now the tunnel is closed", "reset"),
        ("it was closed a minute ago, but now it is open", "probe"),
    ],
)
def test_what_is_said_of_now_is_followed(text: str, ran: str) -> None:
    assert run_after(text) == [ran]


def test_what_is_only_named_by_what_is_of_now_is_not_followed() -> None:
    assert run_after("the tunnel was closed last week, now the tunnel is slow") == []


def test_a_condition_may_be_of_another_time_itself() -> None:
    said = "If the valve was closed last week"
    assert seen("the valve was closed last week", said, "If the valve is stuck") == "one"
    assert seen("the valve might be closed", said, "If the valve is stuck") == "left"


NEEDS = """\
# Drain the tank

**Prerequisites**

- The inlet is closed.

## Drain

Run `drain`.
"""


@pytest.mark.parametrize(
    ("said", "ran"),
    [
        ("The inlet is closed.", ["drain"]),
        ("The inlet was closed last week.", []),
        ("The inlet will be closed.", []),
        ("Is the inlet closed?", []),
    ],
)
def test_what_is_not_so_now_is_not_taken_to_hold(said: str, ran: list[str]) -> None:
    executor = Running()
    HowToSession(library_of(None, tank=NEEDS), executor=executor).start(f"Drain the tank. {said}")
    assert executor.ran == ran


@pytest.mark.parametrize(
    "guide",
    [
        "# DBA: fail over\n\n## Promote\n\nRun `promote`.\n",
        "# Fail over (DBA only)\n\n## Promote\n\nRun `promote`.\n",
        "---\naudience: DBA only\n---\n\n# Fail over\n\n## Promote\n\nRun `promote`.\n",
        "# Fail over\n\n| Field | Value |\n|---|---|\n| Audience | DBA only |\n\n## Promote\n\nRun `promote`.\n",
    ],
)
def test_what_is_for_a_role_alone_is_not_run_unasked(guide: str) -> None:
    executor = Running()
    session = HowToSession(library_of(None, guide=guide), executor=executor)
    assert session.start("fail over").status is Status.ASKING
    assert executor.ran == []
    session.respond("yes")
    assert executor.ran == ["promote"]
