"""A walk with an executor: what is allowed is run, the rest is asked or left, and what was seen selects the branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.thread_core.executors.programs import Programs
from tests.thread_core.guides import library_of, only, units_of
from thread_core import default_embedding
from thread_core.executors import Allow, CommandExecutor, Matching
from thread_core.llm.asking import Role
from thread_core.store.library import Library
from thread_core.testing.model import ScriptedModel
from thread_core.testing.store import MemoryStore
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.journal import Journal
from thread_core.walk.session import HowToSession
from thread_core.walk.state import Asked
from thread_core.walk.states import Status

ANY = Matching(".*")


def block(code: str, language: str = "sh") -> str:
    return f"```{language}\n{code}\n```"


def walk(programs: Programs, text: str, says: str = "", journal: Journal | None = None) -> HowToSession:
    """A walk over a guide whose commands are all of one program, which says what a script says."""
    programs.add("ctl", says or "echo ok")
    rules = [Allow("ctl", ("drop", ANY)), Allow("ctl", rest=ANY, ask=False)]
    executor = CommandExecutor(rules if "drop" in text else rules[1:])
    return HowToSession(library_of(None, guide=text), executor=executor, journal=journal)


def ran(programs: Programs) -> list[str]:
    return [line.removeprefix("ctl ") for line in programs.started]


SLOW = f"""\
# Database is slow

## Ping

Ping it:

{block("ctl ping <node>")}

If it says `silent`, go to [Restart](#restart). If it says `pong`, call the engineer.

## Restart

Restart it:

{block("ctl restart <node>")}

If it says `started`, the issue is resolved.
"""
QUESTION = "The database is slow, the node is called {}. How do I ping it?"


def slow(programs: Programs, journal: Journal | None = None) -> HowToSession:
    programs.add("ctl", "case $1 in ping) echo silent;; *) echo started;; esac")
    node = Matching(r"db-\d")
    executor = CommandExecutor([Allow("ctl", ("ping", node), ask=False), Allow("ctl", ("restart", node))])
    return HowToSession(library_of(None, slow=SLOW), executor=executor, journal=journal)


def test_a_walk_runs_what_is_allowed_and_asks_for_the_rest(programs: Programs, tmp_path: Path) -> None:
    session = slow(programs, Journal(tmp_path / "walk.jsonl"))
    asked = session.start(QUESTION.format("db-2"))
    assert asked.asked is Asked.APPROVAL
    assert [(ran.commands, ran.outcome.text) for ran in asked.ran] == [
        (("ctl ping db-2",), "silent"),
        (("ctl restart db-2",), f"Run this in {Path.cwd()}?\n\n    ctl restart db-2"),
    ]
    assert ran(programs) == ["ping db-2"]
    assert session.respond("Run it").status is Status.RESOLVED
    assert ran(programs) == ["ping db-2", "restart db-2"]


def test_what_was_approved_is_run_and_nothing_else(programs: Programs) -> None:
    session = slow(programs)
    session.start(QUESTION.format("db-2"))
    session.respond("the node is called db-3")
    assert ran(programs) == ["ping db-2"]
    session.respond("Run it")
    assert "restart db-2" not in ran(programs)


@pytest.mark.parametrize("said", ["cancel it", "stop", "no", "what does that do?", "it is red"])
def test_nothing_but_a_yes_approves(programs: Programs, said: str) -> None:
    session = slow(programs)
    session.start(QUESTION.format("db-2"))
    session.respond(said)
    assert ran(programs) == ["ping db-2"]


def test_what_was_begun_and_lost_is_not_begun_again(programs: Programs, tmp_path: Path) -> None:
    """A process that is killed leaves a line `begun`; whoever goes on is told, and no program is started."""
    session = slow(programs, Journal(tmp_path / "walk.jsonl"))
    session.start(QUESTION.format("db-2"))
    before = session.state.model_dump_json()
    session.respond("Run it")
    journal = tmp_path / "walk.jsonl"
    lines = journal.read_text().splitlines()
    last = max(at for at, line in enumerate(lines) if '"begun"' in line)
    journal.write_text("".join(f"{line}\n" for line in lines[: last + 1]))
    again = slow(programs, Journal(journal)).resumed(before)
    turn = again.respond("Run it")
    assert [one.outcome.kind for one in turn.ran] == [OutcomeKind.UNCERTAIN]
    assert ran(programs) == ["ping db-2", "restart db-2"]


WIKI = f"""\
# Shrink the wiki

{{before}}

## Lock it

1. Lock it:

   {block("ctl lock").replace(chr(10), chr(10) + "   ")}

## 2. Shrink it

1. Shrink it:

   {block("ctl shrink").replace(chr(10), chr(10) + "   ")}
"""


@pytest.mark.parametrize(
    "before",
    [
        "> [!WARNING]\n> Old versions are lost.",
        "**Caution:** Old versions are lost.",
        "**Before you begin**\n\n- Make a backup.\n\n> **Danger**\n> Old versions are lost.",
    ],
)
def test_a_step_of_which_the_guide_warns_is_the_persons(programs: Programs, before: str) -> None:
    session = walk(programs, WIKI.format(before=before))
    shown = session.start("How do I lock the wiki?")
    for _ in range(3):
        assert "the guide warns: " in shown.text and "Old versions are lost." in shown.text
        shown = session.respond("yes, run it")
        if shown.status is not Status.AWAITING:
            break
    assert ran(programs) == []


@pytest.mark.parametrize(
    "before",
    [
        "**Before you begin**\n\n- Make a backup of the wiki.",
        "## Prerequisites\n\n- Make a backup of the wiki.",
        "Only the librarian may shrink a wiki.",
        "Do not do this during lessons.",
    ],
)
def test_what_only_a_person_can_vouch_for_is_asked_once(programs: Programs, before: str) -> None:
    session = walk(programs, WIKI.format(before=before))
    asked = session.start("How do I lock the wiki?")
    assert (asked.asked, ran(programs)) == (Asked.APPROVAL, [])
    assert f"Before you start: {before.splitlines()[-1].removeprefix('- ')}" in asked.text
    session.respond("yes")
    assert ran(programs)[0] == "lock"
    assert session.state.asks(Asked.APPROVAL) is False


def test_what_was_said_to_be_done_is_not_asked(programs: Programs) -> None:
    session = walk(programs, WIKI.format(before="## Prerequisites\n\n- Make a backup of the wiki."))
    session.start("How do I lock the wiki? I made a backup of the wiki.")
    assert ran(programs)[0] == "lock"


LOOK = f"""\
# The page is slow

## Look

Look at the page. If it is red, go to [Shrink it](#shrink-it). If it is green, go to [Lock it](#lock-it).

## Lock it

{block("ctl lock")}

## Shrink it

{block("ctl shrink")}
"""


@pytest.mark.parametrize("said", ["abort", "please stop everything", "Cancel!", "no, wait, do nothing", "beenden"])
def test_who_stops_moves_nothing_and_runs_nothing(programs: Programs, said: str) -> None:
    session = walk(programs, LOOK)
    shown = session.start("The page is slow")
    stopped = session.respond(said)
    assert stopped.text.startswith("Nothing is run.")
    assert (stopped.unit_ids, ran(programs)) == (shown.unit_ids, [])
    session.respond("where am I?")
    assert ran(programs) == []


def test_a_step_that_was_guessed_is_asked_about(programs: Programs) -> None:
    programs.add("ctl")
    executor = CommandExecutor([Allow("ctl", rest=ANY, ask=False)])
    guide = f"# Page\n\n## Look\n\nLook at the page.\n\n## Shrink it\n\n{block('ctl shrink')}\n"
    models = only(Role.QUERY_GENERATOR, ScriptedModel(("", '{"way": "2"}')))
    session = HowToSession(library_of(models, guide=guide), executor=executor)
    session.start("Look at the page")
    asked = session.respond("it has the colour of a tomato")
    assert (asked.asked, ran(programs)) == (Asked.APPROVAL, [])
    assert "Before you start: Warning: this step was guessed: " in asked.text
    session.respond("yes")
    assert len(ran(programs)) == 1


CASES = f"""\
# Queue

## Look

Look at the queue.

## If the queue is stable

{block("ctl stable")}

## If the queue grows

{block("ctl grow")}
"""
WITHIN = f"""\
# Queue

- If the queue is stable:

  {block("ctl stable").replace(chr(10), chr(10) + "  ")}

- If the queue grows:

  {block("ctl grow").replace(chr(10), chr(10) + "  ")}
"""
BESIDE = f"""\
# Queue

If the queue is stable, wait. If the queue grows, run:

{block("ctl grow")}
"""


@pytest.mark.parametrize("text", [CASES, WITHIN, BESIDE])
def test_commands_of_a_case_are_not_run_before_it_is_chosen(programs: Programs, text: str) -> None:
    session = walk(programs, text)
    session.start("Queue")
    assert ran(programs) == []
    if text is CASES:
        session.respond("done")
        assert ran(programs) == []
    session.respond("the queue is stable")
    assert "grow" not in ran(programs)


@pytest.mark.parametrize("text", [CASES, WITHIN])
def test_commands_of_a_case_are_run_once_it_is_chosen(programs: Programs, text: str) -> None:
    session = walk(programs, text)
    session.start("Queue")
    if text is CASES:
        session.respond("done")
    session.respond(2)
    assert ran(programs) == ["grow"]


def test_a_walk_that_begins_at_a_case_asks_whether_it_is_so(programs: Programs) -> None:
    session = walk(programs, CASES.replace("## Look\n\nLook at the queue.\n\n", ""))
    asked = session.start("something is wrong with the queue")
    assert (asked.asked, ran(programs)) == (Asked.APPROVAL, [])
    assert "Before you start: If the queue is stable" in asked.text
    session.respond("yes")
    assert ran(programs) == ["stable"]


OUTCOMES = f"""\
# The replica lags

## Look

Look at it:

{block("ctl look")}

{{outcomes}}

## Grow

{block("ctl grow")}

## Sync

{block("ctl sync")}
"""
GROW_OR_SYNC = "- If it prints `synced`, go to [Grow](#grow).\n- If it prints `behind`, go to [Sync](#sync)."


@pytest.mark.parametrize(
    ("outcomes", "printed", "then"),
    [
        (GROW_OR_SYNC, "synced", ["grow"]),
        (GROW_OR_SYNC, "checking ...\nbehind", ["sync"]),
        (GROW_OR_SYNC, "replica: synced", ["grow"]),
        ("If it prints `lag: high`, go to [Sync](#sync).", "lag: high", ["sync"]),
        ("If the replica is `synced`, go to [Grow](#grow).", "synced", ["grow"]),
        ("If the pump is `synced`, go to [Grow](#grow).", "synced", []),
        (GROW_OR_SYNC, "not synced", []),
        (GROW_OR_SYNC, "synced: false", []),
        (GROW_OR_SYNC, "replica 1: synced\nreplica 2: gone", []),
        (GROW_OR_SYNC, "unsynced", []),
        (GROW_OR_SYNC, "synced\nbehind", []),
        (GROW_OR_SYNC, "synced\n(2 replicas are behind)", []),
        (GROW_OR_SYNC, "lag 12", []),
        ("If it prints `synced`, go to [Grow](#grow); otherwise go to [Sync](#sync).", "synced", ["grow"]),
        ("If it prints `synced`, go to [Grow](#grow); otherwise go to [Sync](#sync).", "behind", []),
        ("If it does not print `synced`, go to [Sync](#sync).", "synced", []),
        ('If it does not print "synced", go to [Sync](#sync).', "synced", []),
        ('If it prints "synced", go to [Grow](#grow).', "not synced", []),
        ('If it prints "synced", go to [Grow](#grow).', "synced", ["grow"]),
        ("Any answer other than `synced` means: go to [Sync](#sync).", "synced", []),
        ("If it prints more than `0`, go to [Sync](#sync).", "0", []),
        ("- If it prints `read only` at night, go to [Grow](#grow).", "read only", []),
        ("If it prints `ready` by day, go to [Grow](#grow). If it prints `ready`, go to [Sync](#sync).", "ready", []),
        ("- If it is synced, go to [Grow](#grow).\n- If it is behind, go to [Sync](#sync).", "synced", []),
    ],
)
def test_what_was_seen_goes_on_along_the_only_outcome_that_quotes_it(
    programs: Programs, outcomes: str, printed: str, then: list[str]
) -> None:
    session = walk(programs, OUTCOMES.format(outcomes=outcomes), f"test $1 = look && echo '{printed}'")
    turn = session.start("The replica lags")
    assert ran(programs) == ["look", *then]
    if not then:
        assert (turn.status, session.state.handed) == (Status.AWAITING, "the output fits no outcome clearly")
        assert printed in turn.text


def test_what_was_run_in_a_walk_is_asked_about_before_it_runs_again(programs: Programs) -> None:
    text = OUTCOMES.format(outcomes="If it prints `behind`, go to [Sync](#sync).").replace(
        "ctl sync\n```", "ctl sync\n```\n\nIf it prints `behind`, go to [Look](#look)."
    )
    session = walk(programs, text, "echo behind")
    asked = session.start("The replica lags")
    assert (asked.asked, ran(programs)) == (Asked.APPROVAL, ["look", "sync"])
    assert "Warning: this was run before: ctl look" in asked.text
    session.respond("no")
    assert session.restart().asked is Asked.APPROVAL
    assert ran(programs) == ["look", "sync"]
    session.start("The replica lags")
    session.respond("back")
    assert ran(programs)[:2] == ["look", "sync"]


def test_a_step_that_says_more_than_its_code_stays_with_the_person(programs: Programs) -> None:
    text = (
        "# Restart\n\n## Restart it\n\n"
        + block("ctl restart")
        + "\n\nWatch the lamp.\n\n## 2. Grow\n\n"
        + block("ctl grow")
    )
    session = walk(programs, text)
    turn = session.start("Restart it")
    assert (turn.status, ran(programs)) == (Status.AWAITING, ["restart"])


def test_a_failure_stays_with_the_person(programs: Programs) -> None:
    session = walk(programs, OUTCOMES.format(outcomes=GROW_OR_SYNC), "echo synced; exit 1")
    turn = session.start("The replica lags")
    assert (turn.status, ran(programs)) == (Status.AWAITING, ["look"])
    assert "ended with exit code 1" in turn.text


def test_an_edited_step_is_shown_before_it_is_run(programs: Programs) -> None:
    session = walk(programs, SLOW.replace("ctl restart", "ctl drop"), "test $1 = ping && echo silent")
    asked = session.start(QUESTION.format("db-2"))
    assert asked.asked is Asked.APPROVAL
    edited = library_of(None, guide=SLOW.replace("ctl restart", "ctl drop --all"))
    again = HowToSession(edited, executor=CommandExecutor([Allow("ctl", rest=ANY, options={"--all": None}, ask=False)]))
    again.resumed(session.state).respond("Run it")
    assert ran(programs) == ["ping db-2"]


class Editor:
    """An executor in whose time somebody edits the guide."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self.commands: list[str] = []

    def run(self, action: Action) -> Outcome:
        self.commands += action.commands
        units = units_of(OUTCOMES.format(outcomes="If it prints `ok`, go to [Sync](#sync)."), "guide.md")
        vectors = default_embedding().embed([unit.header for unit in units])
        self._store.write(units, vectors, gone=self._store.ids(["guide.md"]))
        return Outcome(kind=OutcomeKind.OBSERVED, text="ok")


def test_what_was_edited_while_it_ran_goes_nowhere_unseen() -> None:
    store = MemoryStore()
    units = units_of(OUTCOMES.format(outcomes="If it prints `ok`, go to [Grow](#grow)."), "guide.md")
    store.write(units, default_embedding().embed([unit.header for unit in units]))
    executor = Editor(store)
    session = HowToSession(Library(store, default_embedding()), executor=executor)
    turn = session.start("The replica lags")
    assert (turn.status, executor.commands) == (Status.AWAITING, ["ctl look"])
    assert "The guide has been edited" in turn.text
