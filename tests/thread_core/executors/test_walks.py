"""A walk with an executor: what is allowed is run, what is not is asked or left, and the outcome selects the branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.thread_core.executors.programs import Programs
from tests.thread_core.guides import library_of
from thread_core.executors import Allow, CommandExecutor, Matching
from thread_core.walking.journal import Journal
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status
from thread_core.walking.trail import Asked

SLOW = """\
# Database is slow

## Ping

Ping it with `dbctl ping <node>`. If it says silent, go to [Restart](#restart). If it says pong, call the engineer.

## Restart

Restart it with `dbctl restart <node>`. If it says started, the issue is resolved.
"""


def walk(programs: Programs, journal: Journal) -> HowToSession:
    programs.add("dbctl", "case $1 in ping) echo silent;; *) echo started;; esac")
    node = Matching(r"db-\d")
    executor = CommandExecutor([Allow("dbctl", ("ping", node), ask=False), Allow("dbctl", ("restart", node))])
    return HowToSession(library_of(None, slow=SLOW), executor=executor, journal=journal)


def test_a_walk_runs_what_is_allowed_and_asks_for_the_rest(programs: Programs, tmp_path: Path) -> None:
    session = walk(programs, Journal(tmp_path / "walk.jsonl"))
    asked = session.start("The database is slow, the node is called db-2. How do I ping it?")
    assert asked.status is Status.ASKING
    assert [(ran.commands, ran.outcome.text) for ran in asked.ran] == [
        (("dbctl ping db-2",), "silent"),
        (("dbctl restart db-2",), f"Run this in {Path.cwd()}?\n\n    dbctl restart db-2"),
    ]
    assert programs.started == ["dbctl ping db-2"]
    assert session.respond("Run it").status is Status.RESOLVED
    assert programs.started == ["dbctl ping db-2", "dbctl restart db-2"]


def test_a_node_that_no_rule_names_is_left_to_the_person(programs: Programs) -> None:
    session = walk(programs, Journal())
    turn = session.start("The database is slow, the node is called web-2. What do I do?")
    assert (turn.status, programs.started) == (Status.AWAITING, [])
    assert "'web-2' stands where a text like db-\\d is expected" in turn.text


WIKI = """\
# Shrink the wiki

**Before you begin**

- Make a backup of the wiki.

> [!WARNING]
> Old versions are lost.

## Lock it

Run `wikictl lock`.

## Shrink it

Run `wikictl shrink`.
"""


def walk_of_the_wiki(programs: Programs, text: str) -> HowToSession:
    programs.add("wikictl", "echo $1")
    executor = CommandExecutor([Allow("wikictl", ("lock",), ask=False), Allow("wikictl", ("shrink",), ask=False)])
    return HowToSession(library_of(None, wiki=text), executor=executor)


def test_what_is_warned_of_is_asked_at_each_step_and_shown(programs: Programs) -> None:
    session = walk_of_the_wiki(programs, WIKI)
    asked = session.start("How do I lock the wiki?")
    assert (asked.asked, programs.started) == (Asked.APPROVAL, [])
    assert "Before you start: Make a backup of the wiki." in asked.text
    asked = session.respond("yes")
    assert (asked.asked, programs.started) == (Asked.APPROVAL, ["wikictl lock"])
    assert "Before you start: Warning: Old versions are lost." in asked.text
    session.respond("yes")
    assert programs.started == ["wikictl lock", "wikictl shrink"]


def test_who_lets_a_step_run_that_needs_something_has_vouched_for_it(programs: Programs) -> None:
    session = walk_of_the_wiki(programs, WIKI.replace("> [!WARNING]\n> Old versions are lost.\n\n", ""))
    assert session.start("How do I lock the wiki?").asked is Asked.APPROVAL
    session.respond("yes")
    assert programs.started == ["wikictl lock", "wikictl shrink"]


def test_what_must_be_done_before_is_asked_until_it_is_said(programs: Programs) -> None:
    text = WIKI.replace("> [!WARNING]\n> Old versions are lost.\n\n", "")
    session = walk_of_the_wiki(programs, text)
    assert session.start("How do I shrink the wiki?").asked is Asked.APPROVAL
    assert programs.started == []
    session = walk_of_the_wiki(programs, text)
    session.start("How do I shrink the wiki? I made a backup of the wiki.")
    assert programs.started == ["wikictl lock", "wikictl shrink"]


MAY = """\
# Shrink the wiki

{need}

## Look

Look at the page. If it is red, go to [Shrink it](#shrink-it). If it is green, go to [Lock it](#lock-it).

## Lock it

Run `wikictl lock`.

## Shrink it

Run `wikictl shrink`.
"""


@pytest.mark.parametrize(
    "need",
    [
        "## Prerequisites\n\n- Make a backup.",
        "Only the librarian may shrink a wiki.",
        "Two-person rule: a second librarian must confirm it.",
        "Do not do this during lessons.",
    ],
)
def test_what_must_be_so_before_is_asked_at_a_later_step_too(programs: Programs, need: str) -> None:
    session = walk_of_the_wiki(programs, MAY.format(need=need))
    assert "Look at the page" in session.start("How do I shrink the wiki?").text
    asked = session.respond("it is red")
    assert (asked.asked, programs.started) == (Asked.APPROVAL, [])
    assert f"Before you start: {need.splitlines()[-1].removeprefix('- ')}" in asked.text


@pytest.mark.parametrize("said", ["abort", "please stop everything", "Cancel!", "no, wait, do nothing", "beenden"])
def test_who_stops_moves_nothing_and_runs_nothing(programs: Programs, said: str) -> None:
    session = walk_of_the_wiki(programs, MAY.format(need=""))
    shown = session.start("How do I shrink the wiki?")
    stopped = session.respond(said)
    assert stopped.text.startswith("Nothing is done.")
    assert (stopped.unit_ids, programs.started) == (shown.unit_ids, [])


def test_who_stops_at_an_approval_does_not_give_it(programs: Programs) -> None:
    session = walk_of_the_wiki(programs, WIKI)
    assert session.start("How do I lock the wiki?").asked is Asked.APPROVAL
    stopped = session.respond("cancel it")
    assert (stopped.status, stopped.asked, programs.started) == (Status.AWAITING, None, [])


@pytest.mark.parametrize("said", ["the page is not red", "reddish"])
def test_a_step_that_was_guessed_is_asked_about(programs: Programs, said: str) -> None:
    session = walk_of_the_wiki(programs, MAY.format(need=""))
    session.start("How do I shrink the wiki?")
    session.respond(said)
    asked = session.respond(said)
    assert (asked.asked, programs.started) == (Asked.APPROVAL, [])
    assert f'Before you start: Warning: this step was guessed: "{said}" fits: ' in asked.text
    session.respond("yes")
    assert len(programs.started) == 1


def test_who_says_no_twice_is_led_nowhere(programs: Programs) -> None:
    session = walk_of_the_wiki(programs, MAY.format(need=""))
    shown = session.start("How do I shrink the wiki?")
    again = [session.respond("nope") for _ in range(3)][-1]
    assert (again.asked, again.options, programs.started) == (Asked.OUTCOME, shown.options, [])


LATENCY = """\
# Latency of the shop

1. Run `probe`.

   - p99 < 500 ms: close the alert.
   - p99 > 2 s: go to [Shed](#shed).

## Warm

Run `warm`.

## Shed

Run `shed`.
"""


NO_CASES = LATENCY.replace("p99 < 500 ms: close the alert", "Is it fast? Fine").replace(
    "p99 > 2 s: go", "Else you may go"
)


@pytest.mark.parametrize(
    ("text", "printed", "then", "is_handed"),
    [
        (LATENCY, "p99: 3200 ms", ["shed"], False),
        (LATENCY, "p99: 120 ms", [], False),
        (LATENCY, "p99: 700 ms", [], True),
        (NO_CASES, "p99: 3200 ms", [], True),
    ],
)
def test_no_branch_is_passed_by(programs: Programs, text: str, printed: str, then: list[str], is_handed: bool) -> None:
    names = ("probe", "warm", "shed")
    for name in names:
        programs.add(name, f"echo {printed}")
    executor = CommandExecutor([Allow(name, ask=False) for name in names])
    session = HowToSession(library_of(None, latency=text), executor=executor)
    session.start("The latency of the shop is high")
    assert [line.strip() for line in programs.started] == ["probe", *then]
    assert bool(session.state.handed) is is_handed


QUEUE = """\
# Queue lag

1. Read the lag with `queuectl lag`.

   - If the lag is above 100, go to step 2.
   - If the lag is at most 100, close the alert.

2. Add a consumer with `queuectl grow`.

   - If it prints an error, page the smith.
   - If the lag grows, go to step 1.
"""


def test_what_a_step_printed_is_judged_by_its_own_outcomes_alone(programs: Programs) -> None:
    programs.add("queuectl", "case $1 in lag) echo lag 250;; *) echo grown, lag 50;; esac")
    rules = [Allow("queuectl", ("lag",), ask=False), Allow("queuectl", ("grow",), ask=False)]
    session = HowToSession(library_of(None, queue=QUEUE), executor=CommandExecutor(rules))
    turn = session.start("queue lag")
    assert (turn.status, programs.started) == (Status.AWAITING, ["queuectl lag", "queuectl grow"])
    assert turn.options == ("it prints an error", "the lag grows")


def test_what_was_run_in_a_walk_is_asked_about_before_it_runs_again(programs: Programs) -> None:
    programs.add("queuectl", "case $1 in lag) echo lag 250;; *) echo the lag grows;; esac")
    rules = [Allow("queuectl", ("lag",), ask=False), Allow("queuectl", ("grow",), ask=False)]
    session = HowToSession(library_of(None, queue=QUEUE), executor=CommandExecutor(rules))
    asked = session.start("queue lag")
    assert (asked.asked, programs.started) == (Asked.APPROVAL, ["queuectl lag", "queuectl grow"])
    assert "Warning: this was run before: queuectl lag" in asked.text
    asked = session.respond("yes")
    assert (asked.asked, programs.started[2:]) == (Asked.APPROVAL, ["queuectl lag"])
    session.respond("no")
    assert (session.restart().asked, programs.started[3:]) == (Asked.APPROVAL, [])
    assert session.start("queue lag").asked is Asked.APPROVAL
    assert programs.started[3:] == ["queuectl lag", "queuectl grow"]


FAILOVER = """\
# Fail over

## Look

Look at the primary. If the primary is down, go to [Forced](#forced).

## Planned

Run `dbctl planned`.

## Forced

Run `dbctl forced`.
"""


def test_what_comes_next_where_an_outcome_was_denied_is_asked(programs: Programs) -> None:
    programs.add("dbctl", "echo done")
    executor = CommandExecutor([Allow("dbctl", (word,), ask=False) for word in ("planned", "forced")])
    session = HowToSession(library_of(None, failover=FAILOVER), executor=executor)
    session.start("fail over")
    assert session.respond("the primary is not down").asked is Asked.APPROVAL
    assert programs.started == []
