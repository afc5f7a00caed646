"""What is shown besides the step: the sentence that leads to it, and other ways on."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import library_of
from thread_core import Document, Link, LogicUnit, LogicUnitType, Place, RuleExtractor, Span
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status
from thread_core.walking.turns import (
    ANSWER,
    LONG,
    OTHERS,
    Turn,
    body_from,
    clip,
    hedged,
    listed,
    quoting,
    shown_from,
    step_turn,
)
from thread_core.walking.ways import Candidate, candidates

LEAKING = """\
# Leaking tap

## Look

Watch the tap.

- If it drips from the spout, go to [Washer](#washer).
- If it drips from the handle, tighten the nut.

## Washer

Change the washer.

## Meaning

Water is lost.
"""


def extracted(text: str = LEAKING) -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document("tap.md", text)).units


def ways(units: tuple[LogicUnit, ...]) -> dict[str, Candidate]:
    return {way.condition: way for way in candidates(units[0], units) if way.link is not None}


def said(way: Candidate) -> tuple[LogicUnit, Span]:
    """Where the sentence of a way stands."""
    assert way.link is not None and way.link.evidence is not None
    return way.unit, way.link.evidence


def passages(*others: Candidate) -> list[tuple[LogicUnit, Span]]:
    return [(way.unit, Span(way.unit.document_id, way.line, way.end)) for way in others]


def shown(unit: LogicUnit) -> Turn:
    return step_turn([unit], unit.start)


def test_the_sentence_that_leads_to_a_step_stands_above_it() -> None:
    units = extracted()
    turn = quoting(shown(units[1]), *said(ways(units)["it drips from the spout"]))
    assert turn.text.splitlines() == [
        "Leaking tap: Washer",
        "> - If it drips from the spout, go to [Washer](#washer).",
        "",
        "Change the washer.",
    ]
    assert (turn.citations[0].start, turn.citations[-1].start) == (units[1].start, 7)


def test_a_sentence_that_is_shown_is_not_quoted() -> None:
    units = extracted()
    turn = shown(units[0])
    assert quoting(turn, *said(ways(units)["it drips from the handle"])) == turn


def test_what_stands_in_a_tab_is_shown_without_its_indentation() -> None:
    item = "    1. Close it:\n\n        ```sh\n        tap close\n        ```\n"
    units = extracted(f'# Tap\n\n=== "Old"\n\n{item}\n    If it drips, wait.\n')
    assert shown(units[0]).text.endswith("\n1. Close it:\n\n    ```sh\n    tap close\n    ```\n\nIf it drips, wait.")


def test_other_ways_stand_below_with_where_they_come_from() -> None:
    units = extracted()
    turn = hedged(shown(units[1]), passages(ways(units)["it drips from the handle"]))
    assert "Or, if it is rather this (Leaking tap: Look):\n- If it drips from the handle, tighten" in turn.text
    assert turn.citations[-1].start == turn.citations[-1].end == 8


def test_another_way_that_announces_what_to_do_comes_with_it() -> None:
    units = extracted("# Tap\n\nLook at it.\n\n## Fix\n\nUsually you change these:\n\n- the washer\n- the nut\n")
    announcing, *_ = candidates(units[1], [units[1]])
    turn = hedged(shown(units[0]), passages(announcing))
    assert turn.text.endswith("(Tap: Fix):\nUsually you change these:\n\n- the washer\n- the nut")
    assert (turn.citations[-1].start, turn.citations[-1].end) == (7, 10)


def test_what_is_shown_is_no_other_way() -> None:
    units = extracted()
    turn = shown(units[0])
    assert hedged(turn, passages(*ways(units).values())) == turn


def test_other_ways_are_few_and_short() -> None:
    text = "# Tap\n\nLook.\n\n" + "".join(f"## Case {n}\n\nTurn valve {n}. {'Wait. ' * 40}\n\n" for n in range(1, 9))
    units = extracted(text)
    others = [way for unit in units[2:] for way in candidates(unit, [unit])]
    turn = hedged(shown(units[1]), passages(*others))
    assert turn.text.count("Or, if") == OTHERS
    assert len(turn.text) <= LONG


# -- bodies that a model wrote -------------------------------------------------------------------------------------


def rewritten(*links: Link) -> LogicUnit:
    """A unit whose body was written from lines 3 to 4 and 9 of a document."""
    spans = (Span("tap.md", 3, 4), Span("tap.md", 9, 9))
    return LogicUnit(
        id="w",
        document_id="tap.md",
        place=Place("look", 1),
        type=LogicUnitType.STEP,
        header="Leaking tap: Look",
        body="1. Shut the valve.\n\n2. Change the washer.\n\n3. Open it.",
        links=links,
        title="Leaking tap",
        spans=(Span("tap.md", 1, 1), *spans),
        body_spans=spans,
        rewritten=True,
    )


def test_a_rewritten_body_is_shown_and_cited_whole_from_whatever_line() -> None:
    unit = rewritten()
    assert unit.start == 3
    for line in (3, 4, 9, 99):
        turn = step_turn([unit], line)
        assert turn.text == f"Leaking tap: Look\n{unit.body}"
        assert turn.citations == (Span("tap.md", 3, 4), Span("tap.md", 9, 9), Span("tap.md", 1, 1))


def test_no_part_of_a_rewritten_body_is_given_for_a_line() -> None:
    unit = rewritten()
    assert (body_from(unit, 3, 9), body_from(unit, 4, 9), body_from(unit, 3, 4)) == (unit.body, "", "")


def test_what_leads_on_from_a_rewritten_body_is_said_in_the_words_of_its_link() -> None:
    link = Link("it drips from the spout", "change the washer.", evidence=Span("tap.md", 4, 4))
    unit = rewritten(link)
    body, way = candidates(unit, [unit])
    assert (body.link, body.passage, body.line, body.end) == (None, unit.body, 3, 9)
    assert (way.link, way.passage) == (link, "it drips from the spout change the washer.")
    turn = quoting(shown(extracted()[1]), *said(way))
    assert turn.text.splitlines()[1] == "> If it drips from the spout, then change the washer."
    assert turn.citations[-1] == Span("tap.md", 4, 4)


def test_a_turn_as_one_text_lists_the_known_outcomes() -> None:
    turn = shown(extracted()[0])

    assert listed(turn) == (f"{turn.plain}\n\n{ANSWER}\n1. it drips from the spout\n2. it drips from the handle")
    assert listed(turn.model_copy(update={"options": ()})) == turn.plain


def test_a_turn_has_the_document_s_own_words_and_plain_ones() -> None:
    turn = Turn(text="Tap\n> [!WARNING]\n> It is hot.\n\nSee [spout](#spout).", status=Status.AWAITING)
    assert turn.plain == "Tap\nWarning: It is hot.\n\nSee spout."
    assert "plain" not in turn.model_dump()


LOCKED = """\
# The shed does not open

## Case 1

The lock is frozen.

**Solution**

1. Warm the key.

## Case 2

The key is lost.

**By hand**

Lift the door.

**With a tool**

Saw the bolt.

## Case 3

The hinge is stuck. Oil it.

**Solution**

Wait an hour.

## Case 4

The handle is broken.

**Solution**

**Before you begin:** you must have a screwdriver. Change the handle.

## Case 5

Does the light burn?

### If it burns

Pull the plug.

## Case 6

The roof leaks.

### Cause

A tile is broken.

### Solution

Change the tile.

## Case 7

The door squeaks.

### Step 1: Find the hinge

Move the door.

### Step 2: Oil the hinge

Use two drops.
"""


@pytest.mark.parametrize(
    ("case", "lines"),
    [
        pytest.param("Case 1", ["The lock is frozen.", "1. Warm the key."], id="it is all that is below"),
        pytest.param("Case 2", ["The key is lost."], id="there are several below"),
        pytest.param("Case 3", ["The hinge is stuck. Oil it."], id="something is to be done at once"),
        pytest.param("Case 4", ["The handle is broken."], id="more must hold"),
        pytest.param("Case 5", ["Does the light burn?"], id="it is one of two ways"),
        pytest.param("Case 6", ["The roof leaks.", "Change the tile."], id="its cause is told before"),
        pytest.param("Case 7", ["The door squeaks.", "Move the door."], id="there are steps below"),
    ],
)
def test_a_unit_that_only_says_which_case_it_is_is_shown_with_how_it_is_dealt_with(case: str, lines: list[str]) -> None:
    units = extracted(LOCKED)
    first = next(unit for unit in units if unit.section == (case,))
    assert [unit.body for unit in shown_from(first, first.start, units)] == lines


def test_what_is_shown_of_a_section_below_stands_under_its_title() -> None:
    units = extracted(LOCKED)
    first = next(unit for unit in units if unit.section == ("Case 7",))
    turn = step_turn(shown_from(first, first.start, units), first.start)
    assert turn.text == "The shed does not open: Case 7\nThe door squeaks.\nStep 1: Find the hinge\nMove the door."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("To free it, press Reset.", 2, id="what is to be done"),
        pytest.param("If it prints nothing, press Reset.", 1, id="another case"),
        pytest.param("If it prints nothing, the tray is empty.", 2, id="what is so in another case"),
        pytest.param("Press Reset. " + "Then wait. " * 140, 1, id="too long to be read at once"),
    ],
)
def test_what_follows_a_case_in_its_section_is_shown_with_it(text: str, shown: int) -> None:
    printed = "paper jam in tray 2\n" * 40
    units = extracted(f"# Printer\n\n## Jam\n\nThe printer prints this:\n\n```\n{printed}```\n\n{text}\n")
    first = next(unit for unit in units if "jam" in unit.body)
    assert len(shown_from(first, first.start, units)) == shown
    assert [unit.body.startswith(text[:10]) for unit in shown_from(first, first.start, units)[1:]] == [True] * (
        shown - 1
    )


def test_what_only_explains_is_shown_up_to_what_is_to_be_done() -> None:
    log = "```\n" + "paper jam\n" * 45 + "```"
    said = [f"The printer prints this:\n\n{log}", f"The log has it too:\n\n{log}", f"Press Reset.\n\n{log}", "Wait."]
    units = extracted("# Printer\n\n## Jam\n\n" + "\n\n".join(said) + "\n")
    shown = shown_from(units[0], units[0].start, units)
    assert [unit.body.partition("\n")[0] for unit in shown] == [text.partition("\n")[0] for text in said[:3]]


def test_a_section_below_is_named_once_however_much_of_it_is_shown() -> None:
    log = "```\n" + "paper jam\n" * 45 + "```"
    below = f"It prints this:\n\n{log}\n\nIt prints that:\n\n{log}\n\nPress Reset."
    units = extracted(f"# Printer\n\n## Jam\n\nThe light burns.\n\n### Solution\n\n{below}\n")
    turn = step_turn(shown_from(units[0], units[0].start, units), units[0].start)
    assert [line for line in turn.text.splitlines() if line == "Solution"] == ["Solution"]
    assert "It prints that:" in turn.text


def test_an_outcome_without_spaces_is_listed_short() -> None:
    assert clip("指示灯是红色") == "指示灯是红色"
    assert clip("指示灯是红色" * 20) == "指示灯是红色" * 4 + "指示灯是 ..."


RETURN = """\
# Return an item

Tap it. For orders of a partner, see [partners](partners.md).

What is the reason?

1. **It is broken.** Take a photo. You get your money back.
2. **It's the wrong one.** Keep it in its box.
3. It does not fit. Print the label.
"""


def test_answers_that_are_counted_below_a_question_are_its_options_under_their_numbers() -> None:
    session = HowToSession(library_of(None, guide=RETURN))
    answers = ("It is broken", "It's the wrong one", "It does not fit")
    assert session.start("Return an item").options == (*answers, "For orders of a partner")
    assert "Keep it in its box." in session.respond("2").text


def test_instructions_below_a_question_are_none() -> None:
    text = "# Lamp\n\nHow is it mended?\n\n1. Open it.\n2. Change the wire.\n"
    assert HowToSession(library_of(None, guide=text)).start("Lamp").options == ()


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("Is it lit? Then wait. If not, oil it.", ("Yes", "No")),
        ("Is it lit? If not, oil it. Is it hot? If not, wait.", ("No: Is it lit?", "No: Is it hot?")),
        ("If it is lit, wait. Don't press it twice: it locks. Audience: everybody.", ("it is lit",)),
    ],
)
def test_options_read_as_a_person_would_say_them(text: str, options: tuple[str, ...]) -> None:
    assert HowToSession(library_of(None, guide=f"# Lamp\n\n{text}\n")).start("Lamp").options == options


def test_a_question_in_a_heading_is_no_case() -> None:
    text = "# Lamp\n\n## Look\n\nLook at it.\n\n## When do I oil it?\n\nAt noon.\n"
    assert HowToSession(library_of(None, guide=text)).start("Lamp, look at it").options == ()
