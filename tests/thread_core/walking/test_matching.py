"""Which way on an outcome selects. Clear cases only: what is asserted holds whatever the weights are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.thread_core.guides import DRYER, SERVICE, units_of
from thread_core import LogicUnit, Span, default_embedding
from thread_core.models import Link, LinkAction, LogicUnitType, Place
from thread_core.plan import run
from thread_core.store.library import Library
from thread_core.store.requests import Embed
from thread_core.testing.store import MemoryStore
from thread_core.walking.matching import Match, answered, rank, remedy, states, taken_up
from thread_core.walking.ways import Candidate, candidates

LIBRARY = Library(MemoryStore(), default_embedding())


def ranked(outcome: str, choices: Sequence[Candidate]) -> list[Match]:
    return run(rank(outcome, choices), LIBRARY.answer)


def best(outcome: str, text: str = SERVICE) -> Candidate:
    units = units_of(text)
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


# -- ranking -----------------------------------------------------------------------------------------------------------


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


def test_an_amount_that_the_step_at_hand_excludes_is_not_meant() -> None:
    """Although it is named in nearly the same words."""
    wanted = a_candidate("starting for longer, or failed", distance=0)
    choices = [a_candidate("starting for less than five minutes", distance=0), wanted]
    assert ranked("it has been starting for ten minutes", choices)[0].candidate == wanted


def test_so_is_the_side_of_two_opposites_that_it_tells_apart() -> None:
    here = [a_candidate("the queue is stable", distance=0), a_candidate("the queue is shrinking", distance=0)]
    there = a_candidate("it has stayed there for an hour", distance=1)
    assert ranked("it stays at 4,000 messages", [*here, there])[0].candidate == here[0]
    assert ranked("it stays at 4,000 messages", [here[0], there])[0].candidate == there


@pytest.mark.parametrize("first", [0, 1])
def test_whether_it_has_helped_selects_the_condition_that_says_so(first: int) -> None:
    """Also where the words are others, and one side denies what the other says."""
    pair = [a_candidate("the problem isn't fixed"), a_candidate("the problem is fixed")]
    choices = [pair[first], pair[1 - first]]
    assert ranked("the very same code is back", choices)[0].candidate == pair[0]
    assert ranked("the alert has gone", choices)[0].candidate == pair[1]


@pytest.mark.parametrize(
    ("outcome", "body"),
    [
        ("the drum does not turn, I only hear it hum", "Put the belt back on its wheel."),
        ("after one hour the laundry is still wet", "Clean the filter."),
        ("the door feels cold", "Clean the filter."),
    ],
)
def test_what_describes_a_case_selects_the_step_that_remedies_it(outcome: str, body: str) -> None:
    units = units_of(DRYER.format(one="Symptom 1", other="Symptom 2"))
    current = next(unit for unit in units if unit.type == LogicUnitType.STEP)
    choice = ranked(outcome, candidates(current, units))[0].candidate
    assert (choice.unit.body, choice.line) == (body, choice.unit.start)
    assert choice.condition in {
        "It hums, and the drum stands still.",
        "The laundry is wet after an hour.",
        "The door is cold.",
    }


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
    "outcome",
    [
        "the bulb is new and it is still dark",
        "no difference",
        "a new bulb has not helped",
        "the same",
        "it is not resolved",
    ],
)
def test_what_has_not_helped_selects_the_next_method(outcome: str) -> None:
    units = units_of(METHODS.format(one="Method 1: the bulb", other="Method 2: the spring"))
    assert ranked(outcome, candidates(units[0], units))[0].candidate.unit.section == ("Method 2: the spring",)


@pytest.mark.parametrize("outcome", ["no difference", "a new bulb has not helped"])
@pytest.mark.parametrize("condition", ["this does not work", "that has not resolved it"])
def test_what_the_method_at_hand_says_where_it_has_not_helped_comes_first(condition: str, outcome: str) -> None:
    text = METHODS.format(one="Method 1: the bulb", other="Method 2: the spring")
    units = units_of(text.replace("Switch it on.", f"Switch it on. If {condition}, turn it around."))
    best = ranked(outcome, candidates(units[0], units))[0].candidate
    assert best.condition == condition


@pytest.mark.parametrize(
    ("one", "other", "outcome"),
    [("The bulb", "The spring", "still dark"), ("Method 1: the bulb", "Method 2: the spring", "the lamp hums")],
)
def test_no_other_section_is_tried_in_turn_nor_for_another_outcome(one: str, other: str, outcome: str) -> None:
    units = units_of(METHODS.format(one=one, other=other))
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


def test_a_match_says_what_speaks_for_it() -> None:
    lit = a_candidate("the lamp is lit", "If the lamp is lit, 503")
    dark = a_candidate("the lamp is not lit", action=LinkAction.ESCALATE)
    one, other = ranked("503, the lamp is lit", [lit, dark])
    alike = {"passage", "condition", "words", "near", "stated"}
    assert {part.name for part in one.parts} == alike | {"coded", "agreed", "asked for"}
    assert {part.name for part in other.parts} == alike | {"ending", "negated", "contradicted"}


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
    units = units_of(SERVICE)
    choices = candidates(units[0], units)
    assert len(ranked(outcome, choices)) == len(choices)


def test_a_version_in_the_outcome_speaks_for_what_is_for_that_version() -> None:
    twin = "Reset the lamp in the settings.\n"
    text = f"# Lamp\n\nLook.\n\n## Lamp 4.15 and earlier\n\n{twin}\n## Lamp 4.16 and later\n\n{twin}"
    assert best("it has to be reset, and this is 4.14", text).unit.section == ("Lamp 4.15 and earlier",)
    assert best("it has to be reset, and this is 4.17", text).unit.section == ("Lamp 4.16 and later",)


def test_of_cases_that_an_item_announces_one_is_selected() -> None:
    text = "# A\n\n2. Decide:\n   1. If it leaks, wipe it.\n   2. Wipe it twice.\n   3. If it drips, close it.\n"
    assert best("it drips", text).line == 6


# -- what an outcome means besides -------------------------------------------------------------------------------------

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
    units = units_of(LAMP)
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
    units = units_of(text)
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
    units = units_of(BLAME)
    finding = next(way for way in candidates(units[0], units) if way.condition == condition)
    cure = remedy(finding, units)
    assert cure is not None
    assert cure.section == (section,)


def test_a_finding_is_taken_up_where_it_is_a_condition() -> None:
    units = units_of(FINDING)
    ways = candidates(units[0], units)
    finding = next(way for way in ways if way.condition == "An entry for Hub")
    cure = taken_up(finding, ways)
    assert cure is not None
    assert cure.condition == "you are running Hub sync"
    assert taken_up(cure, ways) is None


@pytest.mark.parametrize(
    ("outcome", "condition", "sign"),
    [
        ("it rings", "it rings again (Change the battery)", 1),
        ("changed the battery", "it rings again (Change the battery)", 0),
        ("it does not ring", "it rings again (Change the battery)", -1),
        ("rings, no idea why", "it rings again", 1),
        ("it rings but not upstairs", "it rings again", 0),
        ("it rings", "it does (it rings)", 1),
        ("no drip any more", "no water drips any more", 1),
        ("water drips", "no water drips any more", -1),
        ("not one failed call any more", "the count of failed calls stays at 0", 1),
        ("all of them are at 55 %", "they are below 80 %", 1),
        ("the folder has other mails but not mine", "the mail is there", 0),
    ],
)
def test_what_is_seen_is_what_a_condition_says_or_its_denial(outcome: str, condition: str, sign: int) -> None:
    assert states(outcome, condition) == sign
