"""Where walks go on, and where they end."""

import pytest

from tests.thread_core.guides import library_of
from thread_core.walking.session import HowToSession
from thread_core.walking.showing import HAND_OVER
from thread_core.walking.states import Status
from thread_core.walking.turns import Turn

UPGRADE = """\
# Upgrade Keystore

## Upgrade

Run `ks upgrade`.

## Validate

Run `ks doctor`. If it reports errors, go to [Rollback](#rollback).

## Clean up

Remove the snapshot.

## Rollback

Run `ks restore`.

## Uninstall

Run `ks remove`.

## Escalation contacts

- Jane, 4455

## More information

If the problem persists, contact support.
"""
TRIAGE = """\
# Node is not ready

Look at the node with `nodectl status`.

- If memory is short, go to [Memory](#memory).
- If the disk is full, go to [Disk](#disk).
- If the agent is dead, go to [Agent](#agent).

## Memory

Evict the largest pod.

## Disk

Delete old logs.

## Agent

Power-cycle the node.
"""
IS_IT_SOLVED = "That was the last step here. Is it solved?"
AFTERWARDS = """
## Afterwards

Write a note.
"""


def walk(text: str, question: str, *said: str) -> Turn:
    """What a person sees after some answers."""
    session = HowToSession(library_of(None, guide=text))
    turn = session.start(question)
    for words in said:
        turn = session.respond(words)
    return turn


def last_line(turn: Turn) -> str:
    return turn.text.splitlines()[-1]


def test_after_the_last_step_the_end_is_said_and_what_is_only_for_when_it_is_needed_is_offered() -> None:
    shown = [walk(UPGRADE, "How do I upgrade Keystore?", *["next"] * steps) for steps in range(4)]
    assert [last_line(turn) for turn in shown[::2]] == ["Run `ks upgrade`.", "Remove the snapshot."]
    assert shown[3].status is Status.AWAITING
    assert shown[3].text == (
        "That was the last step here. "
        'Only for when it is needed, there is also: "Rollback", "Uninstall", what to do if the problem persists.'
    )
    assert shown[3].options == ("It is solved", "Rollback", "Uninstall", "the problem persists", HAND_OVER)


@pytest.mark.parametrize(
    ("said", "shown", "status"),
    [
        ("1", "Good.", Status.RESOLVED),
        ("2", "Run `ks restore`.", Status.AWAITING),
        ("Uninstall", "Run `ks remove`.", Status.AWAITING),
        ("next", "That was the last step of Upgrade Keystore.", Status.RESOLVED),
        ("yes it is", "Good.", Status.RESOLVED),
    ],
)
def test_one_of_what_is_offered_at_the_end_may_be_chosen(said: str, shown: str, status: Status) -> None:
    turn = walk(UPGRADE, "How do I upgrade Keystore?", "next", "next", "next", said)
    assert (last_line(turn), turn.status) == (shown, status)


def test_an_appendix_hands_over_after_the_last_step() -> None:
    turn = walk(UPGRADE, "How do I upgrade Keystore?", "next", "next", "next", "4")
    assert turn.status is Status.ESCALATED
    assert turn.text.splitlines()[1] == "Contact support."


@pytest.mark.parametrize(
    ("question", "said"),
    [("How do I upgrade Keystore?", ("next", "it reports errors")), ("How do I roll back Keystore? Rollback", ())],
)
def test_what_is_needed_is_entered_by_a_condition_or_a_question_and_ends_there(
    question: str, said: tuple[str, ...]
) -> None:
    assert last_line(walk(UPGRADE, question, *said)) == "Run `ks restore`."
    assert walk(UPGRADE, question, *said, "next").text.startswith("That was the last step here.")


def test_a_rollback_that_is_all_there_is_to_do_is_walked() -> None:
    text = "# Keystore 4\n\n## Rollback\n\nRun `ks stop`.\n\n### Data\n\nRun `ks restore`.\n"
    assert last_line(walk(text, "Keystore 4")) == "Run `ks stop`."
    assert last_line(walk(text, "Keystore 4", "next")) == "Run `ks restore`."


@pytest.mark.parametrize(
    ("said", "does"),
    [("memory is short", "Evict the largest pod."), ("1", "Evict the largest pod."), ("3", "Power-cycle the node.")],
)
def test_after_a_branch_comes_what_stands_behind_all_branches(said: str, does: str) -> None:
    assert last_line(walk(TRIAGE + AFTERWARDS, "The node is not ready", said)) == does
    assert last_line(walk(TRIAGE + AFTERWARDS, "The node is not ready", said, "next")) == "Write a note."


def test_after_a_branch_behind_which_there_is_nothing_comes_the_end() -> None:
    ended = walk(TRIAGE, "The node is not ready", "memory is short", "next")
    assert (ended.status, ended.text) == (Status.AWAITING, IS_IT_SOLVED)


def test_sections_that_are_counted_are_read_in_their_order() -> None:
    text = "# Lamp\n\n## Look\n\nIf it is red, go to [Method 1](#{0}). If it is off, go to [Method 2](#{1}).\n\n"
    counted = (
        text.format("method-1-reset", "method-2-oil") + "## Method 1: reset\n\nPress.\n\n## Method 2: oil\n\nDrip.\n"
    )
    assert last_line(walk(counted, "Lamp", "it is red")) == "Press."
    assert last_line(walk(counted, "Lamp", "it is red", "next")) == "Drip."


CODES = """\
# Printer codes

Find the code and do what the last column says.

| Code | Do |
|------|----|
| E1 | Load paper |
| E2 | Close the lid |
| {last} | Open a ticket with the print team |
"""


@pytest.mark.parametrize(
    ("last", "said", "status"),
    [
        ("any other", "E9", Status.ESCALATED),
        ("Other codes", "it says e12 since today", Status.ESCALATED),
        ("any other", "E2", Status.AWAITING),
        ("E3", "E9", Status.AWAITING),
        ("any other", "the lid is open", Status.AWAITING),
    ],
)
def test_a_code_that_is_not_listed_takes_the_row_for_all_others(last: str, said: str, status: Status) -> None:
    assert walk(CODES.format(last=last), "Printer codes", said).status is status


@pytest.mark.parametrize("known", [("E1", "E10"), ("E1 to E9", "E10")])
def test_a_code_that_may_be_listed_takes_no_row_for_all_others(known: tuple[str, str]) -> None:
    rows = "".join(f"| {code} | Wait |\n" for code in known)
    turn = walk(CODES.format(last="any other").replace("| E1 | Load paper |\n", rows), "Printer codes", "E10")
    assert turn.status is Status.AWAITING


def test_all_outcomes_are_listed_and_the_last_number_works() -> None:
    rows = "\n".join(f"| P{code} | Turn screw {code} |" for code in range(10, 22))
    text = f"# Pump codes\n\n| Code | Do |\n|---|---|\n{rows}\n"
    assert len(walk(text, "Pump codes").options) == 12
    assert "| P21 | Turn screw 21 |" in walk(text, "Pump codes", "12").text


def test_of_very_many_outcomes_it_is_said_that_there_are_more() -> None:
    rows = "\n".join(f"| P{code} | Turn screw {code} |" for code in range(10, 34))
    turn = walk(f"# Pump codes\n\n| Code | Do |\n|---|---|\n{rows}\n", "Pump codes")
    assert len(turn.options) == 20
    assert last_line(turn) == "4 more outcomes are known than are listed: say what you see."


def test_only_the_same_outcome_once_more_is_a_round() -> None:
    cases = " ".join(f"If it shows a {colour} lamp, paint it." for colour in ("red", "green", "blue", "white"))
    said = [f"it shows a {colour} lamp" for colour in ("red", "green", "blue", "white")]
    assert walk(f"# Lamp\n\nLook at it. {cases}\n", "Lamp", *said).status is Status.AWAITING
    assert walk(f"# Lamp\n\nLook at it. {cases}\n", "Lamp", *said[:1] * 3).status is Status.ASKING


@pytest.mark.parametrize("said", ["1", "the lamp is green", "green"])
def test_what_leads_on_or_ends_in_a_case_is_followed_however_the_case_is_said(said: str) -> None:
    text = (
        "# Lamp\n\nLook at it.\n\n- If the lamp is green, run `save`. The issue is resolved.\n- If it is off, oil it.\n"
    )
    turn = walk(text, "Lamp", said)
    assert (turn.status, last_line(turn)) == (Status.RESOLVED, "Run save. The issue is resolved.")


@pytest.mark.parametrize("said", ["1", "the lamp is off", "the lamp is off again"])
def test_a_case_that_is_named_for_sure_is_handed_over_where_the_guide_only_explains_it_before(said: str) -> None:
    text = "# Lamp\n\n- If the lamp is off, the fuse is blown. Call the vendor.\n- If it is red, wait.\n"
    assert walk(text, "Lamp", said).status is Status.ESCALATED


def test_a_case_in_which_something_is_to_be_done_first_is_not_handed_over() -> None:
    text = "# Lamp\n\n- If the lamp is off, oil it. Then call the vendor.\n- If it is red, wait.\n"
    assert walk(text, "Lamp", "1").status is Status.AWAITING


PUMP = """\
# Pump trouble

## Step
### Header
Check the pump
### Body
Look at the lamp of the pump.
### Linker
- If it is dark, then {query}. [{mark}]

## Step
### Header
{own}
### Body
Wipe it with a cloth.
"""
FUSES = "# Fuse box\n\n## Open the box\n\nTurn the key.\n\n## Replace the fuse\n\nChange the wire.\n"


@pytest.mark.parametrize(
    ("query", "mark", "own", "shown"),
    [
        ("replace the fuse", "CROSS", "Clean the pump", "Change the wire."),
        ("replace the fuse", "CONTINUE", "Clean the pump", "Change the wire."),
        ("replace the fuse", "CROSS", "Replace the fuse of the pump", "Change the wire."),
        ("look for replacing a fuse", "CONTINUE", "Replace the fuse of the pump", "Wipe it with a cloth."),
        ("see the guide of the fuse box", "CROSS", "Clean the pump", "Turn the key."),
        ("check the lamp of the pump", "CONTINUE", "Check the lamp again", "Wipe it with a cloth."),
    ],
)
def test_a_query_leads_to_the_header_that_fits_best_here_or_elsewhere(
    query: str, mark: str, own: str, shown: str
) -> None:
    session = HowToSession(library_of(None, guide=PUMP.format(query=query, mark=mark, own=own), fuses=FUSES))
    session.start("Pump trouble: check the pump")
    assert last_line(session.respond("it is dark")) == shown


def test_where_nothing_has_to_do_with_a_query_it_is_said() -> None:
    guide = PUMP.format(query="summon the accountant", mark="CROSS", own="Clean the pump")
    turn = walk(guide, "Pump trouble: check the pump", "it is dark")
    assert turn.text.splitlines()[0] == (
        "No step of these guides fits what is to be looked for next: summon the accountant."
    )


def test_after_what_a_query_led_to_the_walk_comes_back() -> None:
    guide = PUMP.format(query="see the guide of the fuse box", mark="CROSS", own="Clean the pump")
    session = HowToSession(library_of(None, guide=guide, fuses=FUSES))
    session.start("Pump trouble: check the pump")
    shown = [last_line(session.respond(said)) for said in ("it is dark", "next", "next")]
    assert shown == ["Turn the key.", "Change the wire.", "Wipe it with a cloth."]


LONE = """\
# Mount the drive

## Plug it in

Look at the desktop.

If the drive does not appear, format it.

{more}

## Copy

Copy the files.
"""


@pytest.mark.parametrize("said", ["the drive appears", "the drive showed up", "it's there now", "I see it"])
@pytest.mark.parametrize(
    "more", ["", "If you have a Mac, restart it. If the drive still does not appear, open a ticket."]
)
def test_the_opposite_of_what_a_step_asks_goes_on(said: str, more: str) -> None:
    turn = walk(LONE.format(more=more), "Plug the drive in", said)
    assert (turn.status, last_line(turn)) == (Status.AWAITING, "Copy the files.")


@pytest.mark.parametrize("said", ["the light on the drive appears to be red", "the drive appears after an hour"])
def test_who_says_more_than_the_opposite_is_asked(said: str) -> None:
    assert walk(LONE.format(more=""), "Plug the drive in", said).status is Status.ASKING


def test_which_of_several_cases_it_is_instead_is_asked() -> None:
    text = "# Lamp\n\n- If it is red, wait.\n- If it is green, the issue is resolved.\n- If it is off, oil it.\n"
    assert walk(text, "Lamp", "it isn't green").status is Status.ASKING
    assert walk(text, "Lamp", "it isn't green", "it is off").text.endswith("oil it.")


def test_another_way_that_agrees_is_taken() -> None:
    text = LONE.format(more="").replace("Copy the files.", "If the drive appears twice, copy the files.")
    assert last_line(walk(text, "Plug the drive in", "the drive appears twice")).endswith("copy the files.")


WHICH_IS_IT = "Which of these is the case? Say next if none of them is."


@pytest.mark.parametrize("done", ["done", "ok", "yes", "next"])
def test_who_is_done_where_the_ways_part_is_asked_which_it_is(done: str) -> None:
    asked = walk(TRIAGE + AFTERWARDS, "The node is not ready", done)
    assert (asked.status, asked.text) == (Status.ASKING, WHICH_IS_IT)
    assert asked.options == ("memory is short", "the disk is full", "the agent is dead")
    assert last_line(walk(TRIAGE + AFTERWARDS, "The node is not ready", done, "the disk is full")) == "Delete old logs."


def test_who_goes_on_all_the_same_passes_all_of_the_ways() -> None:
    assert last_line(walk(TRIAGE + AFTERWARDS, "The node is not ready", "next", "next")) == "Write a note."
    assert walk(TRIAGE, "The node is not ready", "next", "next").status is Status.RESOLVED


def test_what_is_read_in_its_order_is_not_asked_about() -> None:
    text = "# Site\n\n## Build\n\nBuild it.\n\n## Once it is built\n\nTest it.\n\n## When it is tested\n\nShip it.\n"
    assert last_line(walk(text, "Build", "done")) == "Test it."


ANSWERED = """\
# The door does not lock

## Look

Look at the lock.

## Do you have the key card?

### Yes, I have the card

Hold the card to the reader.

### No, I lost the card

Call the porter.

## Afterwards

Lock the door.
"""


def test_a_question_in_a_heading_is_asked_and_yes_and_no_answer_it() -> None:
    asked = walk(ANSWERED, "Look at the lock of the door", "done")
    assert asked.text == "Do you have the key card? Which of these is the case?"
    assert asked.options == ("Yes, I have the card", "No, I lost the card")
    for said, shown in (("yes", "Hold the card to the reader."), ("no", "Call the porter.")):
        assert last_line(walk(ANSWERED, "Look at the lock of the door", "done", said)) == shown
        assert last_line(walk(ANSWERED, "Look at the lock of the door", "done", said, "yes")) in (
            shown,
            "Lock the door.",
        )


def test_a_yes_does_not_leave_the_answer_yes_for_no_and_a_no_does() -> None:
    assert last_line(walk(ANSWERED, "I have the card, hold it to the reader", "yes")) == "Lock the door."
    assert last_line(walk(ANSWERED, "I have the card, hold it to the reader", "no")) == "Call the porter."


def test_of_tabs_one_is_taken_in_any_case() -> None:
    tabs = "".join(f'=== "{name}"\n\n    Press {name}.\n\n' for name in ("chrome", "firefox"))
    tabs = f"# Notices\n\n## Allow\n\nOpen the page.\n\n{tabs}"
    asked = walk(tabs, "Allow notices, open the page", "done")
    assert (asked.text, asked.options) == ("Which of these is the case?", ("chrome", "firefox"))
    assert last_line(walk(tabs, "Allow notices, open the page", "done", "next")) == "Press chrome."


METHODS = """\
# My lamp is dim

Work through the methods in order. Look at the lamp after each.

## Method 1: Wipe the lamp

Take a cloth. If it is still dim, try method 2.

## Method 2: Change the bulb

Unscrew it. If there is no such bulb, order one.

## Method 3: Check the fuse

Open the box.
"""


@pytest.mark.parametrize("said", ["I did that, no change", "still dim"])
def test_what_has_not_helped_leads_from_method_to_method_and_to_none_twice(said: str) -> None:
    session = HowToSession(library_of(None, guide=METHODS))
    session.start("My lamp is dim, work through the methods in order")
    shown = [session.respond(said).text.splitlines()[0].rpartition(": ")[2] for _ in range(3)]
    assert shown == ["Wipe the lamp", "Change the bulb", "Check the fuse"]


BELL = """\
# Door bell silent

1. Change the battery. If it rings again, the problem is solved.
2. Pair the bell again.
3. Call the porter.
"""
SECOND = "2. Pair the bell again."


@pytest.mark.parametrize("said", ["it does not ring", "battery changed, not ringing", "still silent after the battery"])
def test_an_end_that_is_denied_leads_to_the_steps_below_it(said: str) -> None:
    turn = walk(BELL, "The door bell is silent", said)
    assert (turn.status, turn.text.splitlines()[1:]) == (Status.AWAITING, [SECOND, "3. Call the porter."])


def test_who_says_that_nothing_has_helped_is_shown_the_cases_below_the_end() -> None:
    cases = "3. Ring at the neighbour.\n   - If that rings, call the porter.\n   - If that is silent, wait.\n"
    turn = walk(BELL.replace("3. Call the porter.\n", cases), "The door bell is broken", "the battery did nothing")
    assert (turn.status, turn.text.splitlines()[1]) == (Status.AWAITING, SECOND)


@pytest.mark.parametrize("said", ["changed the battery", "the button blinks", "it rang once and then no more"])
def test_what_is_not_the_condition_of_an_end_is_asked_about_and_said_again_goes_on(said: str) -> None:
    asked = walk(BELL, "The door bell is silent", said)
    assert (asked.status, asked.text) == (Status.ASKING, "I cannot tell which of these you mean:")
    assert walk(BELL, "The door bell is silent", said, said).text.splitlines()[1] == SECOND


@pytest.mark.parametrize("said", ["it rings again", "yes, it rings", "it rings again, no idea why"])
def test_the_condition_of_an_end_ends_the_walk(said: str) -> None:
    assert walk(BELL, "The door bell is silent", said).status is Status.RESOLVED


def test_an_end_of_another_section_is_no_end_either_where_it_is_denied() -> None:
    text = "# No network\n\nRestart the phone.\n\n## No service\n\n" + BELL.partition("\n\n")[2]
    assert walk(text, "Restart the phone", "changed the battery, it does not ring").status is not Status.RESOLVED


def test_the_opposite_of_one_step_leads_to_the_next_of_its_list() -> None:
    text = "# No sync\n\n1. Restart the router. If the light is green, close the door.\n2. Replace the cable.\n"
    assert walk(text, "The router has no sync", "it is orange").text.splitlines()[1:] == ["2. Replace the cable."]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        *((words, Status.RESOLVED) for words in ("1", "yes", "yes it is", "done", "ok thanks", "it works now")),
        *((words, Status.ESCALATED) for words in ("2", "no", "no luck", "next", "skip", "I give up")),
    ],
)
def test_at_the_end_of_a_guide_of_which_something_was_said_it_is_asked_whether_it_is_solved(
    said: str, status: Status
) -> None:
    asked = walk(TRIAGE, "The node is not ready", "memory is short", "next")
    assert (asked.status, asked.text) == (Status.AWAITING, IS_IT_SOLVED)
    assert asked.options == ("It is solved", HAND_OVER)
    ended = walk(TRIAGE, "The node is not ready", "memory is short", "next", said)
    assert (ended.status, ended.options) == (status, ())


@pytest.mark.parametrize("said", [("skip",), ("it is not red",), ("1", "done")])
def test_nobody_is_told_that_it_is_solved_who_has_not_said_so(said: tuple[str, ...]) -> None:
    text = "# Pump hums\n\nOil the pump. If it is red, cool it.\n"
    assert walk(text, "The pump hums", *said).text == IS_IT_SOLVED


def test_a_guide_that_was_left_for_another_is_not_finished() -> None:
    session = HowToSession(
        library_of(None, pump="# Pump hums\n\nOil it.\n", hum="# Pump hums loudly\n\nTurn it off.\n")
    )
    session.start("The pump hums")
    texts = [session.respond("done").text for _ in range(3)]
    assert texts[0].startswith("That was the last step here. If it is not solved, the closest other guide is:")
    assert (texts[2], session.respond("done").status) == (IS_IT_SOLVED, Status.RESOLVED)


def test_an_outcome_of_the_step_comes_before_what_was_missed() -> None:
    lock, cases = (
        "# The lock does not open\n\nHold a battery to it.\n",
        "\n- If it opens, oil it.\n- If it beeps, wait.\n",
    )
    turn = walk(lock + cases, "The lock does not open", "held the battery from the kitchen radio to it, it opens now")
    assert (turn.status, "oil it" in turn.text) == (Status.AWAITING, True)
    assert walk(lock, "The lock does not open", "it opens now").status is Status.RESOLVED
    test = "\nPress Test. If the test succeeds, wait. If the test fails, oil it.\n"
    assert walk(lock + test, "The lock does not open", "opens fine now").status is Status.RESOLVED


@pytest.mark.parametrize(
    ("above", "first"),
    [
        ("1. Take the pot off.\n2. ", "1. Take the pot off."),
        ("Take the pot off. Then look.\n\n- ", "Take the pot off. Then look."),
        ("The plate may be hot.\n\n- If the plate is clean, wait.\n- ", "- If the plate is dirty, scrape it."),
    ],
)
def test_another_section_is_entered_where_nothing_is_left_out_that_is_to_be_done_in_any_case(
    above: str, first: str
) -> None:
    stove = f"# The stove\n\n## Open the door\n\nPull it.\n\n## Clean\n\n{above}If the plate is dirty, scrape it.\n"
    turn = walk(stove, "How do I open the door of the stove?", "the plate is dirty")
    assert turn.text.splitlines()[:2] == ["The stove: Clean", first]


LAMP = """\
# No water comes in

- If it still blinks after that, clean the sieve. If it blinks even then, replace the sieve.
- If the tap is open, oil it.
- If neither has helped, replace the hose.
"""


@pytest.mark.parametrize(
    ("seen", "said", "shown"),
    [
        ("it still blinks after that", "still blinking", "> If it blinks even then, replace the sieve."),
        ("the tap is open", "it is open and oiled, still no water", "No water comes in\n- If neither has helped"),
    ],
)
def test_what_remains_after_it_was_dealt_with_is_not_dealt_with_in_the_same_way_again(
    seen: str, said: str, shown: str
) -> None:
    before, after = (walk(LAMP, "No water comes in", *words) for words in ([seen], [seen, said]))
    assert (before.text == after.text, shown in after.text) == (False, True)


@pytest.mark.parametrize("said", ["it is on the table, whats next", "peeled it. next?"])
def test_who_reports_and_asks_on_goes_on_where_the_report_leads_nowhere(said: str) -> None:
    guide = "# Set up the mixer\n\n## Unpack\n\nTake it out.\n\n## Tank\n\nFill the tank.\n"
    session = HowToSession(library_of(None, guide=guide))
    session.start("set up the mixer")
    assert "Fill the tank." in session.respond(said).text


def test_what_is_reported_before_asking_on_selects_its_branch() -> None:
    cases = "Read the lamp. If it is red, open the lid. If it is green, shut the lid."
    session = HowToSession(library_of(None, guide=f"# Mixer hums\n\n{cases}\n\n## Oil\n\nOil it.\n"))
    session.start("the mixer hums")
    assert "shut the lid" in session.respond("it is green, what now").text


SLOW = """\
# The archive is slow

## Resolution

Raise the cache.

## Prevention

Watch the disk.

## When to escalate

Write to the vendor if the archive goes on getting slower.
"""


def test_who_has_gone_through_all_of_it_is_told_whom_to_turn_to() -> None:
    for said in ("We tuned all of that and it keeps getting slower.", "I tried everything and it is still slow"):
        assert "vendor" in walk(SLOW, "the archive is slow", said).text
