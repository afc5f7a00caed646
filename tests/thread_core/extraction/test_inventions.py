"""What drafts lose of their document, and what they invent."""

from __future__ import annotations

import pytest

from tests.thread_core.pump import PUMP, changed, draft, extracted, findings, page
from thread_core import Target
from thread_core.extraction.inventions import check
from thread_core.extraction.pages import Lines


@pytest.mark.parametrize(
    ("before", "after", "invention"),
    [
        *(
            (before, after, f"says the {said}, and its lines do not")
            for before, after, said in (
                (
                    "blue valve.\n",
                    "blue valve. Then paint the whole building.\n",
                    'sentence "Then paint the whole building."',
                ),
                ("wait 5 minutes", "wait 15 minutes", 'number "15 minutes"'),
                ("pump ask --wait 5`", "pump ask --wait 9`", 'command "pump ask --wait 9"'),
                ("pump fill 20\n", "pump fill 200\n", 'command "pump fill 200"'),
            )
        ),
        ("has reached the rotor.", "has not reached the rotor.", 'says the negation "The pump is primed'),
        ("Never open the blue", "Open the blue", 'says the opposite of "Never open the blue valve." in line 9'),
    ],
)
def test_what_a_body_invents_is_found(before: str, after: str, invention: str) -> None:
    found = findings(changed((before, after))).invented
    assert [text for text in found if invention in text], found


@pytest.mark.parametrize(
    ("before", "after", "at", "invention"),
    [
        *(
            (before, after, 0, f"link {number}: {said}, and {source} not")
            for number, before, after, said, source in (
                (2, "rotor.md#tools", "motor.md", 'links to "motor.md"', "the document does"),
                (1, "then fill in 20", "then fill in 30", 'says the number "30"', "the document does"),
                (3, "call the plumber.", "pour in diesel.", 'says "pour in diesel."', "the document does"),
                (
                    1,
                    "If it answers `dry`",
                    "If smoke fills the cellar",
                    'says "smoke fills the cellar"',
                    "the document does",
                ),
                (1, "it answers `dry`", "it answers `wet`", 'says the inline code "wet"', "the document does"),
            )
        ),
        *(
            (before, after, at, f"prerequisite 1: says {said}, and the document does not")
            for before, after, at, said in (
                ("- You need the key", "- You need 3 assistants with the key", 0, 'the number "3"'),
                ("- You need the key of the pump room", "- Linux", 0, '"Linux."'),
                ("The pump answers `dry`.", "You do not need the key.", 1, 'the negation "You do not need the key."'),
            )
        ),
        ("Fill in 20 litres of water\n", "Paint it\n", 1, 'header: says "Paint it", and the document does not'),
    ],
)
def test_what_another_part_of_a_unit_invents_is_found(before: str, after: str, at: int, invention: str) -> None:
    found = findings(changed((before, after)))
    assert invention in [fault.told for unit, fault in found.parts if unit == at], found.parts
    assert not found.invented


def test_a_denial_that_is_lost_is_no_invention_where_nothing_says_the_opposite() -> None:
    text = "# T\n\nDo not start the pump before you have closed the blue valve.\n"
    reply = "## Step (line 3)\n### Header\nStart the pump\n### Body\n1. Close the blue valve.\n2. Start the pump.\n"
    found = findings(reply, text)
    assert (list(found.lost), found.invented) == ([3], ())


def test_an_outcome_that_no_linker_has_is_found() -> None:
    lossy = draft(changed(("- If it answers `stuck`, then follow [Free the rotor](rotor.md#tools). [CROSS]\n", "")))
    found = check(lossy, page(), Lines(1, 19), "")
    assert found.forgotten == (Lines(9, 10),)
    assert "lines 9-10: no Linker has an entry for what is said about where to go on" in found.told(lossy)


def test_what_stands_elsewhere_in_the_document_is_not_on_the_unit_s_lines() -> None:
    moved = changed(("has reached the rotor.", "has reached the rotor. Never open the blue valve."))
    assert findings(moved).invented == (
        '"Terminology (line 19)" says the sentence "Never open the blue valve.", and its lines do not',
    )
    named = moved.replace("(line 19)", "(lines 8-9, 19)")
    assert not findings(named).invented


@pytest.mark.parametrize(
    ("before", "after", "line", "text"),
    [
        (" Never open the blue valve.", "", 9, 'sentence "Never open the blue valve."'),
        ("and wait 5 minutes", "and wait", 8, 'number "5 minutes"'),
        ("If it answers `dry`, then fill", "Fill", 9, 'condition "If it answers dry, fill in 20 litres of water."'),
        ("pump open --inlet\n", "", 15, 'command "pump open --inlet"'),
    ],
)
def test_what_the_draft_loses_is_found(before: str, after: str, line: int, text: str) -> None:
    lossy = changed((before, after))
    found = findings(lossy)
    assert f"the {text}" in found.lost[line], found.lost
    assert f"line {line}: the draft has lost the {text}" in found.told(draft(lossy))


@pytest.mark.parametrize(
    ("parameter", "is_good"),
    [("`20`: 20", True), ("amount: 20", True), ("`--inlet`: 20", True), ("amount: 30", False), ("lid: blue", False)],
)
def test_a_parameter_stands_in_the_code_and_its_default_in_the_lines(parameter: str, is_good: bool) -> None:
    given = changed(("pump fill 20\n```\n", f"pump fill 20\n```\n### Default parameters\n- {parameter}\n"))
    found = findings(given)
    assert (not found) is is_good, found
    name, _, default = parameter.replace("`", "").partition(": ")
    assert draft(given).units[1].unit.parameters == {name: default}
    if is_good:
        assert extracted(given)[2].parameters == {name: default}


def test_what_is_known_besides_the_document_may_be_said() -> None:
    explained = changed(("Ask the pump with", "The rotor is a wheel made of 7 blades. Ask the pump with"))
    assert findings(explained).invented
    assert not findings(explained, context="A rotor is a wheel made of 7 blades.").invented


def test_references_are_known_wherever_their_definitions_stand() -> None:
    text = "# T\n\nSee [the list][1] first.\n\nThen go.\n\n[1]: list.md\n"
    reply = "## Step (line 3)\n### Header\nSee the list\n### Body\nSee [the list](list.md) first.\n"
    reply += "### Linker\n- Then see [the list](list.md). [CROSS]\n"
    reply += "## Step (line 5)\n### Header\nGo\n### Body\nThen go.\n"
    assert not findings(reply, text)
    named = reply.replace("(list.md)", "[1]") + "### Linker\n- Then see [the list][1]. [CROSS]\n"
    assert not findings(named, text)
    assert [link.target for link in draft(named, text).units[1].links] == [Target(document="list.md")]


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- open the blue valve -->",
        "![pump](http://there.example/pump.png)",
        '[Free the rotor](rotor.md#tools "and open the blue valve")',
        '<p title="open the blue valve">',
        "[tools]: http://there.example",
    ],
)
def test_what_no_reader_sees_has_to_stand_in_the_lines_as_it_is(hidden: str) -> None:
    found = findings(changed(("Never open the blue valve.\n", f"Never open the blue valve.\n{hidden}\nStuck.\n")))
    assert [text for text in found.invented if text.startswith('"Step (lines 8-10)" holds')], found
    text = PUMP.replace("call the plumber.\n", f"call the plumber.\n{hidden}\n")
    moved = changed(("(lines 14-17)", "(lines 15-18)"), ("(line 19)", "(line 20)"), ("(lines 8-10)", "(lines 8-11)"))
    found = findings(moved.replace("blue valve.\n", f"blue valve.\n{hidden}\n"), text)
    assert not [text for text in found.invented if " holds " in text], found


def test_words_that_look_like_tags_are_words() -> None:
    text = "# T\n\nIf `/data/<service>` is full, run `clean <service>`, a_b and *go on*.\n"
    reply = "## Step (line 3)\n### Prerequisite\n- `/data/<service>` is full.\n### Header\nRun `clean <service>`\n"
    reply += "### Body\nRun `clean <service>`, a_b and *go on*.\n"
    reply += "### Linker\n- If `/data/<service>` is full, then run `clean <service>`. [CONTINUE]\n"
    assert not findings(reply, text).parts
    assert not findings(reply, text).invented


def test_the_opposite_of_a_condition_may_be_written_out() -> None:
    reply = (
        "## Step (line 1)\n### Header\nGo\n### Body\nWait.\n### Linker\n- If it is not empty, then wait. [CONTINUE]\n"
    )
    assert not findings(reply, "If it is full, wait.").parts


def test_what_stands_in_the_lines_is_no_invention_however_it_is_indented() -> None:
    text = "# T\n\n- Open the lid.\n\n      Rinse the filter with 3 litres of water, and `drain it` if it is full.\n"
    reply = "## Step (lines 3-5)\n### Header\nOpen the lid\n### Body\nOpen the lid.\n\n"
    for said in ("Rinse the filter with 3 litres of water, and `drain it` if it is full.",) * 2:
        assert not findings(f"{reply}{said}\n", text).invented
        reply += "    "
