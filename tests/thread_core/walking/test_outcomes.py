"""Which way on an outcome selects. Clear cases only: what is asserted holds whatever the weights are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

from thread_core import Document, LogicUnit, RuleExtractor, Span, default_embedding
from thread_core.models import Link, LinkAction, LogicUnitType, Place
from thread_core.plan import run
from thread_core.store.library import Embed, Library
from thread_core.testing.store import MemoryStore
from thread_core.walking.outcomes import (
    AT_ONCE,
    Candidate,
    Match,
    answered,
    beginning,
    body_parts,
    candidates,
    line_of,
    passages,
    rank,
    remedy,
    taken_up,
)

LIBRARY = Library(MemoryStore(), default_embedding())
CHECK = """\
# Service down

## Look

Ask the service with `service ask`.

- If the answer is 200, go to [Routes](#routes).
- If the answer is 503, go to [Instances](#instances).
- If there is no answer at all, open a ticket with the network team.
- If the certificate has expired, follow [Certificate](certificate.md).

## Routes

List the routes.

## Instances

List the instances.

## Meaning

What the alert means.
"""


def extracted(text: str) -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document("a.md", text)).units


def ranked(outcome: str, choices: Sequence[Candidate]) -> list[Match]:
    return run(rank(outcome, choices), LIBRARY.answer)


def best(outcome: str, text: str = CHECK) -> Candidate:
    units = extracted(text)
    return ranked(outcome, candidates(units[0], units))[0].candidate


def a_candidate(condition: str, passage: str = "", distance: int = 0, action: LinkAction | None = None) -> Candidate:
    span = Span("a.md", 1, 1)
    unit = LogicUnit(
        id="a",
        document_id="a.md",
        place=Place(),
        type=LogicUnitType.STEP,
        header="A",
        body=passage or condition,
        spans=(span,),
        body_spans=(span,),
    )
    link = Link(condition, "Act.", action) if action else None
    return Candidate(unit, 1, 1, condition, passage or condition, distance, link)


# -- ranking -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "condition"),
    [
        ("the answer is 200", "the answer is 200"),
        ("I get a 503", "the answer is 503"),
        ("503", "the answer is 503"),
        ("there is no answer at all", "there is no answer at all"),
        ("the certificate has expired", "the certificate has expired"),
        ("its certificate expired yesterday", "the certificate has expired"),
    ],
)
def test_an_outcome_selects_the_condition_that_it_meets(outcome: str, condition: str) -> None:
    assert best(outcome).condition == condition


def test_the_way_that_it_selects_is_a_link_with_its_line() -> None:
    choice = best("the answer is 503")
    assert (choice.line, choice.distance) == (8, 0)
    assert choice.link is not None
    assert (choice.link.action, choice.link.target and choice.link.target.anchor) == (LinkAction.CONTINUE, "instances")


def test_a_heading_may_be_the_condition() -> None:
    text = "# Queue\n\n## Look\n\nLook at it.\n\n## The queue is empty\n\nWait.\n\n## The queue is long\n\nRestart.\n"
    assert best("the queue is long", text).unit.section == ("The queue is long",)
    assert best("the queue is empty", text).unit.section == ("The queue is empty",)


@pytest.mark.parametrize("first", [0, 1])
def test_who_denies_is_not_taken_at_the_opposite_word(first: int) -> None:
    pair = [a_candidate("the agent answers the ping"), a_candidate("the agent does not answer the ping")]
    choices = [pair[first], pair[1 - first]]
    assert ranked("the agent does not answer the ping", choices)[0].candidate == pair[1]
    assert ranked("the agent answers the ping", choices)[0].candidate == pair[0]


@pytest.mark.parametrize("code", ["0x80070005", "E1203", "KB-17"])
def test_a_code_selects_the_passage_that_names_it(code: str) -> None:
    codes = ["0x80070002", "E1204", "KB-18", code]
    choices = [a_candidate(f"the setup stops with {other}") for other in codes]
    assert ranked(f"now I see {code}", choices)[0].candidate.condition.endswith(code)


def test_of_equal_passages_the_nearer_is_likelier() -> None:
    choices = [a_candidate("the lamp is red", distance=distance) for distance in (-3, 9, 1)]
    assert ranked("the lamp is red", choices)[0].candidate.distance == 1


def test_an_amount_is_what_the_step_at_hand_asks_for() -> None:
    """Although another passage says the same word."""
    here = a_candidate("it is 15 minutes or more", distance=0)
    there = a_candidate("it has stayed there for an hour", distance=1)
    assert ranked("the oldest is an hour old", [here, there])[0].candidate == here
    assert ranked("the oldest is there", [here, there])[0].candidate == there


CASES = """\
# Dryer trouble

## {one}

It hums, and the drum stands still.

### Reason

The belt has come off.

### Solution

Put the belt back on its wheel.

## {other}

- The laundry is wet after an hour.
- The door is cold.

### Solution

Clean the filter.
"""


@pytest.mark.parametrize(
    ("outcome", "body"),
    [
        ("the drum does not turn, I only hear it hum", "Put the belt back on its wheel."),
        ("after one hour the laundry is still wet", "Clean the filter."),
        ("the door feels cold", "Clean the filter."),
    ],
)
def test_what_describes_a_case_selects_the_step_that_remedies_it(outcome: str, body: str) -> None:
    units = extracted(CASES.format(one="Symptom 1", other="Symptom 2"))
    current = next(unit for unit in units if unit.type == LogicUnitType.STEP)
    choice = ranked(outcome, candidates(current, units))[0].candidate
    assert (choice.unit.body, choice.line) == (body, choice.unit.start)
    assert choice.condition in {
        "It hums, and the drum stands still.",
        "The laundry is wet after an hour.",
        "The door is cold.",
    }


@pytest.mark.parametrize(("one", "other"), [("Symptoms", "Limitations"), ("Overview", "Symptom 2")])
def test_what_describes_no_case_among_others_is_no_way(one: str, other: str) -> None:
    units = extracted(CASES.format(one=one, other=other).replace("### Reason", "### Details"))
    conditions = {choice.condition for choice in candidates(units[-1], units)}
    assert "The door is cold." not in conditions


METHODS = """\
# Lamp stays dark

## {one}

1. Swap the bulb.
2. Switch it on.

## {other}

Bend the spring up.

## Tell

If the lamp hums, tell the hall what you did to the bulb.
"""


@pytest.mark.parametrize(
    "outcome", ["the bulb is new and it is still dark", "no difference", "a new bulb has not helped", "the same"]
)
def test_what_has_not_helped_selects_the_next_method(outcome: str) -> None:
    units = extracted(METHODS.format(one="Method 1: the bulb", other="Method 2: the spring"))
    assert ranked(outcome, candidates(units[0], units))[0].candidate.unit.section == ("Method 2: the spring",)


@pytest.mark.parametrize(
    ("one", "other", "outcome"),
    [("The bulb", "The spring", "still dark"), ("Method 1: the bulb", "Method 2: the spring", "the lamp hums")],
)
def test_no_other_section_is_tried_in_turn_nor_for_another_outcome(one: str, other: str, outcome: str) -> None:
    units = extracted(METHODS.format(one=one, other=other))
    assert ranked(outcome, candidates(units[0], units))[0].candidate.unit.section != (other,)


def test_of_one_condition_in_every_step_the_one_of_the_current_step_is_meant() -> None:
    choices = [a_candidate("the lamp is red", distance=distance, action=LinkAction.CONTINUE) for distance in (1, 0, 2)]
    assert ranked("the lamp is red", choices)[0].candidate.distance == 0


def test_of_equal_ways_the_one_that_goes_on_is_likelier_than_the_end() -> None:
    choices = [a_candidate("the lamp is red", action=action) for action in (LinkAction.ESCALATE, LinkAction.CONTINUE)]
    link = ranked("the lamp is red", choices)[0].candidate.link
    assert link is not None
    assert link.action is LinkAction.CONTINUE


def test_a_stated_condition_is_likelier_than_a_mention() -> None:
    choices = [a_candidate("", "the lamp is red"), a_candidate("the lamp is red")]
    assert ranked("the lamp is red", choices)[0].candidate.condition


def test_every_way_is_ranked_and_the_best_comes_first() -> None:
    choices = [a_candidate(f"the lamp is {colour}") for colour in ("red", "blue", "green")]
    matches = ranked("it is blue", choices)
    assert sorted(match.candidate.condition for match in matches) == sorted(choice.condition for choice in choices)
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)
    assert matches[0].candidate.condition == "the lamp is blue"


def test_where_there_is_no_way_nothing_is_embedded() -> None:
    plan = rank("it is blue", [])
    with pytest.raises(StopIteration) as end:
        next(plan)
    assert end.value.value == []


def test_of_a_long_document_only_the_nearest_passages_are_embedded() -> None:
    choices = [a_candidate(f"the lamp {number} is red", distance=number) for number in range(500)]
    request = next(rank("lamp 3 is red", choices))
    assert isinstance(request, Embed)
    assert "the lamp 3 is red" in request.texts
    assert len(request.texts) < 250
    assert len(ranked("lamp 3 is red", choices)) == 500


@pytest.mark.parametrize("outcome", ["", "?", "the of a", "\ud800", "é 😀 中文", "word " * 5000])
def test_any_outcome_can_be_ranked(outcome: str) -> None:
    units = extracted(CHECK)
    choices = candidates(units[0], units)
    assert len(ranked(outcome, choices)) == len(choices)


# -- candidates ----------------------------------------------------------------------------------------------------


def test_all_passages_of_the_steps_are_ways_on_and_none_of_the_background() -> None:
    units = extracted(CHECK)
    ways = [(choice.line, choice.distance, choice.condition) for choice in candidates(units[0], units)]
    assert ways == [
        (5, 0, ""),
        (7, 0, "the answer is 200"),
        (8, 0, "the answer is 503"),
        (9, 0, "there is no answer at all"),
        (10, 0, "the certificate has expired"),
        (14, 1, "Routes"),
        (18, 2, "Instances"),
    ]


def test_distance_is_counted_from_the_current_step() -> None:
    units = extracted(CHECK)
    assert {choice.distance for choice in candidates(units[1], units)} == {-1, 0, 1}


def test_background_that_is_shown_has_ways_on_of_its_own() -> None:
    units = extracted(CHECK)
    assert 0 in {choice.distance for choice in candidates(units[-1], units)}


def test_a_condition_that_stands_outside_of_the_body_is_a_way_too() -> None:
    text = """\
# A cannot reach B

## Check

### Prerequisite
- Calls fail.

### Header
Check whether B answers

### Body
Ask B.

### Linker
- If B answers, then verify the calls. [CONTINUE]
- If it is silent, then open a ticket with the network team. [MITIGATE]
"""
    units = [unit for unit in extracted(text) if unit.type == LogicUnitType.STEP]
    conditions = [choice.condition for choice in candidates(units[0], units)]
    assert conditions == ["", "B answers", "it is silent"]


# -- passages ------------------------------------------------------------------------------------------------------

LAID_OUT = """\
# A

Some words
over two lines.

- One:

  ```
  - no item

  after a gap
  ```
  of one
- Two.
    continued

~~~
code
~~~

End.
"""


def test_a_body_is_cut_at_items_and_gaps_and_code_stays_with_what_precedes() -> None:
    (unit,) = extracted(LAID_OUT)
    assert list(passages(unit)) == [
        (3, 4, "Some words\nover two lines."),
        (6, 13, "- One:\n  ```\n  - no item\n  after a gap\n  ```\n  of one"),
        (14, 19, "- Two.\n    continued\n~~~\ncode\n~~~"),
        (21, 21, "End."),
    ]


@pytest.mark.parametrize(
    "text", [LAID_OUT, CHECK, "# A\n\n1. One\n2. Two\n\n\n\n3. Three\n", "# A\n\n```\nopen\n\n- x\n"]
)
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_passages_stand_where_they_say(text: str, ending: str) -> None:
    lines = ["", *text.splitlines()]
    for unit in extracted(text.replace("\n", ending)):
        cut = list(passages(unit))
        for first, last, words in cut:
            assert words.splitlines() == [line for line in lines[first : last + 1] if line.strip()]
        assert [line for _, _, words in cut for line in words.splitlines()] == [
            line for span in unit.body_spans for line in lines[span.start : span.end + 1] if line.strip()
        ]
        assert all(one[1] < other[0] for one, other in itertools.pairwise(cut))


@pytest.mark.parametrize(
    ("text", "passages_of_it"),
    [
        ("* If it hums, do this:\n  1. Stop it.\n  2. Oil it.\n* Wait.", [(3, 5), (6, 6)]),
        ("1. Choose one:\n   - the red\n\n   - the blue\n2. Wait.", [(3, 6), (7, 7)]),
        ("* If it hums, stop it.\n  1. Pull the lever.\n  2. Oil it.\n* Wait.", [(3, 3), (4, 4), (5, 5), (6, 6)]),
        ("Do this:\n- Stop it.\n- Oil it.", [(3, 3), (4, 4), (5, 5)]),
    ],
)
def test_what_an_item_announces_under_it_stays_with_it(text: str, passages_of_it: list[tuple[int, int]]) -> None:
    (unit,) = extracted(f"# A\n\n{text}\n")
    assert [(first, last) for first, last, _ in passages(unit)] == passages_of_it


def test_cases_that_an_item_announces_are_ways_of_their_own() -> None:
    text = "# A\n\n2. Decide:\n   1. If it leaks, wipe it.\n   2. Wipe it twice.\n   3. If it drips, close it.\n"
    (unit,) = extracted(text)
    assert [(line, end) for line, end, _ in passages(unit)] == [(3, 3), (4, 4), (5, 5), (6, 6)]
    assert ranked("it drips", candidates(unit, [unit]))[0].candidate.line == 6


def test_a_body_of_two_spans_comes_in_two_parts() -> None:
    (unit,) = extracted("# A\n\none\ntwo\n")
    body = "head\nrow"
    split = unit.model_copy(update={"body": body, "body_spans": (Span("a.md", 3, 3), Span("a.md", 9, 9))})
    assert list(body_parts(split)) == [["head"], ["row"]]
    assert [(first, last) for first, last, _ in passages(split)] == [(3, 9)]


# -- what belongs to a way -----------------------------------------------------------------------------------------

FINDING = """\
# Slow start

1. Read the start log. An entry for Hub indicates that Hub sync is running.

2. Restart the program.

3. If you are running Hub sync, stop it.

## References

For more information, see [Hub](hub.md). If the log is locked, use the [log reader](reader.md).

## Glossary

If a hub is meant, it is the sync service.
"""


LAMP = """\
# The lamp

- Press the knob, and see whether the lamp is lit.
- If the lamp is lit, you are done.
- If the lamp isn't lit, ask the porter.
- If the knob is loose, tighten it.
"""


@pytest.mark.parametrize(
    ("outcome", "condition"),
    [
        ("Yes, it is now", "the lamp is lit"),
        ("yes it is", "the lamp is lit"),
        ("No", "the lamp isn't lit"),
        ("Nope, dark as before", "the lamp isn't lit"),
        ("No light at all", None),
        ("Not yet", None),
        ("The knob is loose", None),
    ],
)
def test_a_yes_or_a_no_answers_what_the_step_asks(outcome: str, condition: str | None) -> None:
    units = extracted(LAMP)
    way = answered(outcome, candidates(units[0], units))
    assert (None if way is None else way.condition) == condition


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(LAMP.replace("isn't lit", "blinks"), id="nothing is denied"),
        pytest.param(LAMP.replace("knob is loose", "lamp is not lit") + "- If the lamp is lit, wait.\n", id="twice"),
    ],
)
def test_a_yes_answers_nothing_where_not_one_thing_is_asked(text: str) -> None:
    units = extracted(text)
    assert answered("yes", candidates(units[0], units)) is None


BLAME = """\
# No water

1. Ask the pump.

- An answer of "no feed" means that no hose has been plugged in.
- An answer of "shut" means that the valve is to blame.

## Solution: hose not plugged in

Plug in the hose.

## 2. Valve

Open the valve.

## Cause: valve not to blame

Call the plumber.
"""


@pytest.mark.parametrize(
    ("condition", "section"),
    [('An answer of "no feed"', "Solution: hose not plugged in"), ('An answer of "shut"', "2. Valve")],
)
def test_a_finding_is_dealt_with_in_the_section_that_it_names(condition: str, section: str) -> None:
    units = extracted(BLAME)
    finding = next(way for way in candidates(units[0], units) if way.condition == condition)
    cure = remedy(finding, units)
    assert cure is not None
    assert cure.section == (section,)


def test_a_finding_is_taken_up_where_it_is_a_condition() -> None:
    units = extracted(FINDING)
    ways = candidates(units[0], units)
    finding = next(way for way in ways if way.condition == "An entry for Hub")
    cure = taken_up(finding, ways)
    assert cure is not None
    assert cure.condition == "you are running Hub sync"
    assert taken_up(cure, ways) is None


def test_cases_of_an_appendix_are_ways_and_its_references_are_none() -> None:
    units = extracted(FINDING)
    appended = [way.condition for way in candidates(units[0], units) if way.unit.type == LogicUnitType.APPENDIX]
    assert appended == ["the log is locked"]


def test_a_version_in_the_outcome_speaks_for_what_is_for_that_version() -> None:
    twin = "Reset the lamp in the settings.\n"
    text = f"# Lamp\n\nLook.\n\n## Lamp 4.15 and earlier\n\n{twin}\n## Lamp 4.16 and later\n\n{twin}"
    assert best("it has to be reset, and this is 4.14", text).unit.section == ("Lamp 4.15 and earlier",)
    assert best("it has to be reset, and this is 4.17", text).unit.section == ("Lamp 4.16 and later",)


@pytest.mark.parametrize(("words", "whole"), [(10, True), (AT_ONCE // 5, False)])
def test_the_next_step_is_offered_whole_or_with_its_first_passage(words: int, whole: bool) -> None:
    unit = extracted(f"# Tap\n\n- Turn the tap.\n  - Left.\n  - {'wait ' * words}\n")[0]
    way = beginning(unit)
    assert (way.line, way.end == unit.body_spans[-1].end) == (unit.start, whole)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("4. Look.\n5. Act.\n", {4: 3, 5: 4, 6: 3, None: 3}),
        ("1. Look.\n\n1. Act.\n", {1: 3, 2: 5}),
        ("1. Look.\n   1. Left.\n   2. Right.\n2. Act.\n", {1: 3, 2: 5}),
        ("Look.\n", {1: 3}),
    ],
)
def test_a_step_begins_at_the_line_with_its_number(text: str, lines: dict[int | None, int]) -> None:
    (unit,) = extracted(f"# Tap\n\n{text}")
    assert {step: line_of(unit, step) for step in lines} == lines
