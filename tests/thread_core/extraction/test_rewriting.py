"""Drafts that a model wrote: their form, and the units in them."""

from __future__ import annotations

import pytest

from tests.thread_core.pump import FAITHFUL, PUMP, changed, draft, extracted, findings, read
from thread_core import (
    Document,
    Extraction,
    Link,
    LinkAction,
    LogicUnitType,
    Place,
    RuleExtractor,
    Span,
    Target,
)
from thread_core.extraction.finishing import finished
from thread_core.extraction.pages import Lines
from thread_core.ingest.merging import merge_chains

ENDING = "### Linker\n- If it hums, then you are done. [MITIGATE]\n"

# -- form --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        FAITHFUL,
        f"Here is the draft:\n\n{FAITHFUL}",
        f"```markdown\n{FAITHFUL}```",
        f"Of course!\n\n```\n{FAITHFUL}\n```\nTell me what to change.",
        f"# The pump\n\n{FAITHFUL}".replace("\n", "\r\n"),
        FAITHFUL.replace("### ", "#### ").replace("## Step", "### Step"),
    ],
)
def test_a_draft_is_found_whatever_stands_around_it(reply: str) -> None:
    read_units = draft(reply).units
    assert [(one.type, one.lines, one.intent) for one in read_units] == [
        (LogicUnitType.STEP, (Lines(8, 10),), "Ask the pump"),
        (LogicUnitType.STEP, (Lines(14, 17),), "Fill in 20 litres of water"),
        (LogicUnitType.TERMINOLOGY, (Lines(19, 19),), "When the pump is primed"),
    ]
    assert not findings(reply)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", 'the reply holds no unit; each begins with a heading such as "## Step (lines 3-9)"'),
        ("I cannot help with that.", "the reply holds no unit"),
        (
            changed(("(lines 8-10)", "(lines 8-99)")),
            'unit "Step (lines 8-99)" names as lines "8-99"; expected lines of 1-19 that say something',
        ),
        (changed(("(lines 8-10)", "(lines 0-10)")), 'names as lines "0-10"; expected lines of 1-19'),
        (changed(("(lines 8-10)", "(lines 10-8)")), 'names as lines "10-8"; expected lines of 1-19'),
        (changed(("(lines 8-10)", "(lines all)")), 'names as lines "all"'),
        (
            changed(("(lines 8-10)", "(lines 8-10, 11)")),
            'names as lines "11"; expected lines of 1-19',
        ),
        (changed(("### Header\nAsk the pump\n", "")), 'the unit "Step (lines 8-10)" has no Header or no Body'),
        (changed(("the blue valve.\n", "the blue valve.\n# Note\nTake care.\n")), 'the heading "Note" is none'),
        (changed(("the plumber. [MITIGATE]", "the plumber.")), "has no mark: [CONTINUE], [CROSS] or [MITIGATE]"),
    ],
)
def test_what_is_wrong_with_the_form_is_said(reply: str, fault: str) -> None:
    found, wrong = read(reply)
    assert found is None
    assert [text for text in wrong if fault in text], wrong


def test_a_draft_of_a_part_names_lines_of_that_part() -> None:
    _, wrong = read(FAITHFUL, part=Lines(8, 17))
    assert wrong == ['the unit "Terminology (line 19)" names as lines "19"; expected lines of 8-17 that say something']


@pytest.mark.parametrize("last", ["<details>", "| a |\n|---|", "    more", "> quoted", "- item"])
def test_what_ends_a_body_does_not_take_in_the_next_heading(last: str) -> None:
    tight = changed(("blue valve.\n### Linker", f"blue valve.\n\n{last}\n### Linker"))
    read_units = draft(tight).units
    assert [len(one.links) for one in read_units] == [3, 0, 0]
    assert read_units[0].unit.body.endswith(last)


def test_headings_inside_code_are_code() -> None:
    code = "````md\nSay:\n### Linker\n```\n## Step (line 3)\n```\n````"
    read_units = draft(changed(("```sh\npump open --inlet\npump fill 20\n```", code))).units
    assert read_units[1].unit.body == code


def test_headings_inside_a_body_are_the_body_s() -> None:
    read_units = draft(changed(("Never open the blue valve.", "\n#### Warning\nNever open the blue valve."))).units
    assert read_units[0].unit.body.endswith("#### Warning\nNever open the blue valve.")


# -- units -------------------------------------------------------------------------------------------------------------


def test_units_stand_at_their_places_in_the_document() -> None:
    first, second, third, front = sorted(extracted(), key=lambda unit: unit.type == LogicUnitType.APPENDIX)
    assert (first.header, first.place) == ("The pump stands still: Ask the pump", Place("", 1))
    assert (first.type, first.rewritten) == (LogicUnitType.STEP, True)
    assert (first.title, first.aliases, first.date) == ("The pump stands still", ("The pump",), "2026-02-03")
    assert (first.prerequisites, first.metadata) == (("You need the key of the pump room.",), {"team": "op"})
    assert first.body == "Ask the pump with `pump ask --wait 5`, and wait 5 minutes. Never open the blue valve."
    assert first.spans == (Span("pump.md", 6, 6), Span("pump.md", 8, 10))
    assert first.body_spans == (Span("pump.md", 8, 10),)
    water, rotor = Target(place=Place("filling-in-water", 1)), Target(document="rotor.md", anchor="tools")
    assert first.links == (
        Link("it answers dry", "fill in 20 litres of water.", LinkAction.CONTINUE, water, Span("pump.md", 9, 9)),
        Link("it answers stuck", "follow Free the rotor.", LinkAction.CROSS, rotor, Span("pump.md", 9, 10)),
        Link("it answers anything else", "call the plumber.", LinkAction.ESCALATE, None, Span("pump.md", 10, 10)),
    )
    assert [first] == finished([first])
    assert second.header == "The pump stands still: Filling in water: Fill in 20 litres of water"
    assert (second.place, second.section) == (Place("filling-in-water", 1), ("Filling in water",))
    assert (second.spans, second.links) == ((Span("pump.md", 12, 12), Span("pump.md", 14, 17)), ())
    assert (third.type, third.spans, third.links) == (LogicUnitType.TERMINOLOGY, (Span("pump.md", 19, 19),), ())
    assert (front.body_spans, front.rewritten) == ((Span("pump.md", 1, 4),), False)


def test_several_units_of_one_line_keep_the_order_of_the_draft() -> None:
    text = "# T\n\nOpen the lid, and after that turn the key, and in the end press start.\n"
    parts = ("Open the lid", "Turn the key", "Press start")
    reply = "\n".join(f"## Step (line 3)\n### Header\n{one}\n### Body\n{one}.\n" for one in parts)
    found = extracted(reply, text)
    assert [(unit.body, unit.place, unit.spans[-1]) for unit in found] == [
        (f"{one}.", Place("", number), Span("pump.md", 3, 3)) for number, one in enumerate(parts, start=1)
    ]
    assert [[link.target.place for link in unit.links if link.target] for unit in found] == [
        [Place("", 2)],
        [Place("", 3)],
        [],
    ]
    assert found[0].links[0].query == "Turn the key"


def test_a_body_that_is_what_its_lines_say_was_not_rewritten() -> None:
    found = extracted()
    assert [unit.rewritten for unit in found if unit.type != LogicUnitType.APPENDIX] == [True, True, False]
    assert extracted(changed(("(line 19)", "(lines 6, 19)")))[-1].rewritten


def test_steps_that_a_model_wrote_apart_and_that_only_lead_on_may_become_one() -> None:
    text = "# T\n\nOpen the lid. Turn the key. Last, press start.\nIf it hums, you are done.\n"
    units = [("line 3", "Open the lid", ""), ("line 3", "Turn the key", ""), ("lines 3-4", "Press start", ENDING)]
    reply = "\n".join(f"## Step ({at})\n### Header\n{name}\n### Body\n{name}.\n{end}" for at, name, end in units)
    document = Document("pump.md", text)
    extraction = Extraction(extracted(reply, text), RuleExtractor().extract(document).report)
    merged = merge_chains(extraction, document, 200)
    (unit,) = merged.units
    assert (unit.body, unit.rewritten) == ("Open the lid.\n\nTurn the key.\n\nPress start.", True)
    assert (unit.spans, unit.body_spans) == ((Span("pump.md", 1, 1), Span("pump.md", 3, 4)), (Span("pump.md", 3, 4),))
    assert [link.condition for link in unit.links] == ["it hums"]
    assert [len(report.units) for report in merged.report.merges] == [3]


def test_code_that_differs_by_its_indentation_is_the_document_s() -> None:
    reply = changed(("```sh\npump open --inlet\n", "1. Do this:\n\n   ```sh\n    pump open --inlet  \n"))
    body = extracted(reply.replace("pump fill 20\n```", "   pump fill 20\n   ```"))[2].body
    assert body == "1. Do this:\n\n   ```sh\n   pump open --inlet\n   pump fill 20\n   ```"


def test_code_is_kept_whole_however_the_lines_are_named() -> None:
    found = extracted(changed(("(lines 14-17)", "(line 15)")))
    assert found[2].body_spans == (Span("pump.md", 14, 17),)


def test_lines_from_which_something_is_lost_stand_in_an_appendix_too() -> None:
    found = extracted(changed((" Never open the blue valve.", "")))
    (kept,) = [unit for unit in found if unit.type == LogicUnitType.APPENDIX and unit.start == 8]
    assert (kept.rewritten, kept.body) == (False, "\n".join(PUMP.split("\n")[7:10]))
    assert found.index(kept) == 2, "right behind the unit that was written from them"


def test_numbers_of_steps_are_those_of_the_document() -> None:
    text = "# T\n\n1. Open the lid.\n2. Turn the key.\n"
    reply = "## Step (lines 3-4)\n### Header\nOpen the lid\n### Body\n1. Open the lid.\n2. Turn the key.\n"
    reply += "### Linker\n- If the key turns, then go to step 1. [CONTINUE]\n"
    (unit,) = extracted(reply, text)
    assert unit.steps == (1, 2)
    assert unit.links == (Link("the key turns", "go to step 1.", evidence=Span("pump.md", 4, 4)),)


def test_what_is_marked_as_going_on_here_and_leads_elsewhere_is_a_crossing() -> None:
    found = extracted(changed(("(rotor.md#tools). [CROSS]", "(rotor.md#tools). [CONTINUE]")))
    assert found[1].links[1].action is LinkAction.CROSS
