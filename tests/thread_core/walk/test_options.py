"""A unit -> its screens and what each offers."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import library_of, units_of
from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.ingest.merging import merge_chains
from thread_core.text.header import clip as first_words
from thread_core.text.words import count_tokens
from thread_core.walk.labels import LABEL_WORDS, NONE_OF_THEM, OTHERWISE, clip, is_else
from thread_core.walk.options import (
    OPTIONS,
    SCREENFUL,
    Screen,
    case_of,
    cases_of,
    line_after,
    link_of,
    screen_at,
    screen_of,
)
from thread_core.walk.rendering import body_of
from thread_core.walk.session import HowToSession
from thread_core.walk.state import Act

RED_GREEN = ("it is red", "it is green", NONE_OF_THEM)


def unit_of(body: str) -> LogicUnit:
    """The unit of a guide that has one."""
    (unit,) = units_of(f"# Lamp\n\n{body}\n", "lamp.md")
    return unit


def screens(unit: LogicUnit) -> list[Screen]:
    """What is shown of a unit, one after the other, by who goes past each decision."""
    found, line = [], 1
    while line:
        found.append(screen_at(unit, line))
        line = line_after(unit, found[-1].last)
    return found


def labels(at: Screen) -> tuple[str, ...]:
    return tuple(choice.label for choice in at.choices)


@pytest.mark.parametrize(
    ("body", "offered"),
    [
        ("- If it is red, stop.\n- Otherwise, go home.", ("it is red", OTHERWISE)),
        (
            "- If it is red, stop.\n- If it hums, wait.\n- Otherwise, go home.",
            ("it is red", "it hums", OTHERWISE),
        ),
        ("- Unless it is red, stop.\n- If it hums, wait.", ("it is not red", "it hums", NONE_OF_THEM)),
        ("- Unless it blinks, stop.\n- If it hums, wait.", ("unless it blinks", "it hums", NONE_OF_THEM)),
    ],
)
def test_an_opposite_is_offered_in_english_and_understood_when_it_is_typed(body: str, offered: tuple[str, ...]) -> None:
    text = f"# Lamp\n\n## Look\n\nLook at it.\n\n{body}\n\n## Leave\n\nClose the door.\n"
    lamp = library_of(None, lamp=text)
    assert HowToSession(lamp).start("Lamp").options == offered
    for number, label in enumerate(offered, start=1):
        chosen, typed = HowToSession(lamp), HowToSession(lamp)
        assert chosen.start("Lamp") == typed.start("Lamp")
        assert chosen.respond(number) == typed.respond(f" {label.upper()}")
        assert typed.state.trail[0].outcome == chosen.state.trail[0].outcome
        assert not typed.state.trail[0].outcome.startswith("not:")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("Look.\n\nWait.", [("1-3", ())]),
        ("Look.\n\n- If it is red, stop.\n- If it is green, wait.\n\nGo home.", [("1-4", RED_GREEN), ("6-6", ())]),
        (
            "1. Wait.\n2. Look.\n   - If it is red, stop.\n   - If it is green, wait.\n3. Go home.",
            [("1-4", RED_GREEN), ("5-5", ())],
        ),
        ("- If it is red, stop.\n- If it is green, wait.\n  - If it is hot, sit.", [("1-3", RED_GREEN)]),
        ("If it is red:\n\n- Stop it.\n- Call Ann.\n\nIf it is green:\n\n1. Wait.", [("1-8", RED_GREEN)]),
        ("| Lamp | Do |\n|---|---|\n| red | stop |\n| green | wait |", [("1-4", ("red", "green", NONE_OF_THEM))]),
    ],
    ids=["no decision", "a list", "inside of a step", "a case inside of a case", "cases that announce", "a table"],
)
def test_a_screen_ends_where_a_decision_does(body: str, shown: list[tuple[str, tuple[str, ...]]]) -> None:
    assert [(f"{at.first}-{at.last}", labels(at)) for at in screens(unit_of(body))] == shown


def test_numbered_items_are_cases_where_all_of_them_are_and_else_steps() -> None:
    cases = "Which is it?\n\n1. If it is red, stop.\n2. If it is green, wait."
    assert list(map(labels, screens(unit_of(cases)))) == [RED_GREEN]
    steps = "1. If it is red, stop.\n2. Sit down.\n3. If it is green, wait."
    assert list(map(labels, screens(unit_of(steps)))) == [("it is red", OTHERWISE), ("it is green", OTHERWISE)]


@pytest.mark.parametrize(
    ("body", "offered", "is_complete"),
    [
        ("- If it is red, stop.", ("it is red", OTHERWISE), False),
        ("- If it is red, stop.\n- If it is green, wait.", RED_GREEN, False),
        ("1. Is it lit?\n   - Yes: wait.\n   - No: oil it.\n2. Go.", ("Yes", "No"), True),
        ("Is it lit? If yes, wait. If no, oil it.", ("Yes", "No"), True),
    ],
)
def test_an_option_for_the_rest_is_added_unless_the_guide_has_one(
    body: str, offered: tuple[str, ...], is_complete: bool
) -> None:
    at = screen_at(unit_of(body))
    assert (labels(at), at.is_complete) == (offered, is_complete)
    assert [choice.act for choice in at.choices][-1] is (Act.FOLLOW if is_complete else Act.NEXT)


@pytest.mark.parametrize("rest", ["Otherwise, wait.", "Else, wait.", "In any other case, wait."])
def test_what_the_guide_says_for_the_rest_is_an_option_and_no_other_is_added(rest: str) -> None:
    at = screen_at(unit_of(f"Look.\n\n- If it is red, stop.\n- {rest}"))
    assert (len(at.choices), at.is_complete, labels(at)[0]) == (2, True, "it is red")
    first, last = (case.link.condition for case in at.cases)
    assert (is_else(last, [first, last]), is_else(first, [first, last])) == (True, False)


@pytest.mark.parametrize("box", ["> **Note:** If it is hot, wait.", "> [!WARNING]\n> If it smokes, run."])
def test_what_a_box_says_is_no_decision(box: str) -> None:
    (at,) = screens(unit_of(f"1. Do it.\n\n{box}\n\n2. Go home."))
    assert (at.choices, at.last) == ((), at.unit.body.count("\n") + 1)


def test_what_is_to_be_done_besides_in_some_case_stops_nobody() -> None:
    body = "Look. If it is dusty, wipe it.\n\nTurn it.\n\n- If it rings, stop.\n- If it hums, wait."
    (at,) = screens(unit_of(body))
    assert (at.last, [case.link.condition for case in at.cases if case.first > 1]) == (6, ["it rings", "it hums"])


def test_a_case_that_shares_its_paragraph_is_told_without_the_others() -> None:
    said = ("If the lamp is red, stop it. Call Ann.", "If the bell rings, wait an hour. Sit down.")
    unit = unit_of(f"Look.\n\n{' '.join(said)}")
    assert tuple(case.said for case in cases_of(unit)) == said
    for case in cases_of(unit):
        at = screen_of(unit, case.first, case.last, case.link.condition)
        assert (body_of(at, case.link.condition), at.choices) == (case.said, ()), "what was chosen is not asked again"


def test_lines_of_a_case_are_shown_up_to_the_decision_inside_of_it() -> None:
    unit = unit_of(
        "- If it is red:\n  1. Stop it.\n  2. Look.\n     - If it rings, run.\n  3. Sit.\n- If it is green, go."
    )
    red = next(case for case in cases_of(unit) if case.link.condition == "it is red")
    at = screen_of(unit, red.first, red.last, "it is red")
    assert (red.last, at.last, labels(at)) == (5, 4, ("it rings", OTHERWISE))


def test_an_option_finds_its_case_and_its_link_again() -> None:
    unit = unit_of("Look. Then see [oil](oil.md).\n\n- If it is red, follow [stop](stop.md).\n- If it is green, wait.")
    red, green, *_ = screen_at(unit).choices
    assert [case_of(choice, unit) and case_of(choice, unit).first for choice in (red, green)] == [3, 4]  # type: ignore[union-attr]
    link = link_of(red, unit)
    assert link is not None and link.target is not None
    assert (link.condition, link.target.document) == ("it is red", "stop.md")
    assert link_of(red.model_copy(update={"condition": "it is blue"}), unit) is None


def test_lines_that_send_the_reader_on_say_so() -> None:
    assert screen_at(unit_of("Oil it. Then follow [Polish](polish.md).")).onward is not None
    assert screen_at(unit_of("Oil it. More is told in [Polish](polish.md).")).onward is None


@pytest.mark.parametrize("said", ["{label}", "{short}", "{short} …", "{short} ...", "{whole}", " {whole}. "])
def test_an_option_that_was_cut_is_chosen_by_the_words_that_are_listed_or_by_all_of_them(said: str) -> None:
    whole = "there is no press at work but the lamp of the pump is on or the other lamp may be on instead of it"
    lamp = library_of(None, lamp=f"# Lamp\n\nLook at it.\n\n- If the fuse is torn, stop.\n- If {whole}, oil it.\n")
    session = HowToSession(lamp)
    label = session.start("Lamp").options[1]
    assert label.endswith(" ...")
    short = label.removesuffix(" ...")
    assert "oil it" in session.respond(said.format(label=label, short=short, whole=whole)).text
    assert session.why() == f"you chose: {label}"


def test_a_question_that_an_option_answers_is_no_answer_when_it_is_said_again() -> None:
    lamp = library_of(None, lamp="# Lamp\n\n1. Is the lamp lit? Yes: go to 2. No: go to 3.\n2. Oil it.\n3. Clean it.\n")
    session = HowToSession(lamp)
    assert session.start("Lamp").options[:2] == ("Yes", "No")
    session.respond("Is the lamp lit")
    assert len(session.state.trail) == 1


def test_many_outcomes_are_cut_and_a_long_one_is_clipped() -> None:
    many = unit_of("\n".join(f"- If it is {number}, sit." for number in range(100, 105 + OPTIONS)))
    at = screen_at(many)
    assert (len(at.cases), len(at.choices)) == (OPTIONS + 5, OPTIONS + 1)
    long = "it shows " + " and ".join(f"number {n}" for n in range(LABEL_WORDS))
    assert clip(f" {long}\n").startswith(first_words(long, LABEL_WORDS))
    assert len(clip(long)) < len(long)


def test_a_body_that_a_model_wrote_is_shown_whole() -> None:
    unit = unit_of("Look.\n\n- If it is red, stop.\n\nGo home.").model_copy(update={"rewritten": True})
    at = screen_at(unit)
    assert (at.first, at.last, labels(at), line_after(unit, 1)) == (1, 5, ("it is red", OTHERWISE), 0)


PAPER = """\
# The lamp is dark

## Look

### Header
Look at the lamp

### Body
Look at it.

Wait a minute.

### Linker
- If it is red, then press Reset. [CONTINUE]
- If it is green, then call Ann. [MITIGATE]
"""


def test_outcomes_that_no_line_of_a_body_states_stand_below_all_of_it() -> None:
    (unit,) = units_of(PAPER, "lamp.md")
    for at in (screen_at(unit), screen_of(unit, 1, 3)):
        assert (at.last, body_of(at), labels(at)) == (3, "Look at it.\n\nWait a minute.", RED_GREEN)


def merged(text: str) -> LogicUnit:
    """The one unit that is made of the steps of a guide."""
    document = Document("a.md", text)
    [unit] = merge_chains(RuleExtractor().extract(document), document, 5000).units
    return unit


def test_no_more_is_shown_at_once_than_a_screen_holds() -> None:
    unit = merged("\n".join(f"{at}. Oil wheel {at}.\n\n   {'It squeaks. ' * 50}" for at in range(1, 13)))
    shown = screens(unit)
    assert len(shown) > 2
    assert max(count_tokens(body_of(at)) for at in shown) <= SCREENFUL
    assert [at.first for at in shown[1:]] == [line_after(unit, at.last) for at in shown[:-1]]
    assert [at.until for at in shown] == [shown[-1].last] * (len(shown) - 1) + [0]


def test_a_decision_is_not_parted() -> None:
    said = "\n".join(f"{at}. Oil wheel {at}.\n\n   {'It squeaks. ' * 50}" for at in range(1, 4))
    cases = "\n".join(f"   - If it shows {at}, {'turn it, ' * 6}then go on." for at in range(6))
    shown = screens(merged(f"{said}\n4. Look.\n{cases}\n"))
    assert [(body_of(at)[:2], len(at.cases)) for at in shown] == [("1.", 0), ("4.", 6)]


def test_of_a_line_that_no_screen_holds_the_beginning_is_shown() -> None:
    shown = body_of(screen_at(unit_of("Oil it " + "again and " * 5000)))
    assert count_tokens(shown) <= SCREENFUL + 3
    assert shown.endswith(" ...")
