"""What a step shows of the case that was taken."""

import pytest

from tests.thread_core.guides import library_of, units_of
from thread_core.walking.session import HowToSession
from thread_core.walking.states import Status
from thread_core.walking.taking import asks_more, case_taken

PARAGRAPH = """\
# Error rate

Check the panel. When the rate is above 5 %, call it a SEV1. Tell `#ops` so. If the rate is below 5 %, wait an hour.

Write it down.
"""
TABLE = """\
# Pump codes

Find the code.

| Code | Do |
|------|----|
| P1 | Fill water |
| P2 | Close the lid |

Press Reset.
"""
ITEMS = """\
# Lamp

Look at the lamp:

- If it is red, press Reset.

  Hold it.
- If it is green, press Start.
- Close the lid.

Go home.
"""
CODE = """\
# Lamp

If it is green, wait. If it is red, run this:

```
first

second
```
"""
LONG_ITEM = """\
# Lamp

1. Look at the lamp.

   If it is red, press Reset.

   If it is green, press Start.
2. Close the lid.
"""
NESTED = """\
# Lamp

- If it is red, press Reset:
    - Hold it.
- If it is green, wait.
"""
STEPS = """\
# Lamp

1. Look at the lamp. If it is red, press Reset. If it is green, press Start.
2. Close the lid. If it squeaks, oil it.
"""


FOLLOWING = """\
# Lamp

Look at the lamp.
If the lamp is dark, check the fuse. If the fuse blows again, call the smith.
If the lamp is red, press Reset.

Close the lid.
"""


@pytest.mark.parametrize(
    ("text", "condition", "shown"),
    [
        (PARAGRAPH, "above", "When the rate is above 5 %, call it a SEV1. Tell `#ops` so.\n\nWrite it down."),
        (
            FOLLOWING,
            "dark",
            "If the lamp is dark, check the fuse. If the fuse blows again, call the smith.\n\nClose the lid.",
        ),
        (FOLLOWING, "red", "If the lamp is red, press Reset.\n\nClose the lid."),
        (PARAGRAPH, "below", "If the rate is below 5 %, wait an hour.\n\nWrite it down."),
        (TABLE, "P2", "| Code | Do |\n|------|----|\n| P2 | Close the lid |\n\nPress Reset."),
        (ITEMS, "red", "- If it is red, press Reset.\n\n  Hold it.\n- Close the lid.\n\nGo home."),
        (STEPS, "green", "If it is green, press Start.\n2. Close the lid. If it squeaks, oil it."),
        (CODE, "red", "If it is red, run this:\n\n```\nfirst\n\nsecond\n```"),
        (NESTED, "red", "- If it is red, press Reset:\n    - Hold it."),
        (LONG_ITEM, "red", "   If it is red, press Reset.\n\n   If it is green, press Start.\n2. Close the lid."),
        ("# Lamp\n\nIf it is red, press Reset, and if it is green, press Reset twice.\n", "red", ""),
        ("# Lamp\n\nIf it is red, go to [B](#b).\n\n## B\n\nPress.\n", "red", ""),
    ],
)
def test_of_a_case_is_shown_what_is_said_of_it_and_what_comes_below(text: str, condition: str, shown: str) -> None:
    unit = units_of(text)[0]
    link = next(link for link in unit.links if condition in link.condition)
    assert link.evidence is not None
    case = case_taken(unit, link.condition, link.evidence.start)
    assert (case.text if case is not None else "") == shown


def test_a_case_that_is_not_there_is_none() -> None:
    assert case_taken(units_of(TABLE)[0], "P9", 7) is None


@pytest.mark.parametrize("said", ["1", "the rate is above 5 %"])
def test_who_names_an_outcome_sees_what_is_said_of_it_alone(said: str) -> None:
    session = HowToSession(library_of(None, guide=PARAGRAPH))
    first = session.start("Error rate")
    turn = session.respond(said)
    assert (first.citations[0].start, turn.citations[0].start) == (3, 3)
    assert turn.text.startswith("Error rate\nWhen the rate is above 5 %, call it a SEV1. Tell `#ops` so.\n")
    assert turn.options == first.options


@pytest.mark.parametrize(
    ("then", "shows_next"), [("If the fuse blows again, call the smith.", False), ("Wait a minute.", True)]
)
def test_the_next_step_waits_where_something_may_come_of_what_is_done(then: str, shows_next: bool) -> None:
    text = (
        f"# Lamp\n\n1. Look at the lamp. {'It takes a while to warm up. ' * 40}\n"
        f"   If the lamp is dark, check the fuse. {then}\n   If the lamp is red, press Reset.\n"
        f"2. Close the lid. {'It is heavy. ' * 60}\n"
    )
    session = HowToSession(library_of(None, guide=text))
    session.start("Lamp")
    shown = session.respond("the lamp is dark").text
    assert f"If the lamp is dark, check the fuse. {then}" in shown
    assert ("Close the lid" in shown) is shows_next


def test_words_of_the_person_s_own_may_mean_another_case_so_all_are_seen_again() -> None:
    session = HowToSession(library_of(None, guide=PARAGRAPH))
    first = session.start("Error rate")
    heading, body = first.text.split("\n", 1)
    assert session.respond("it is 8 %").text == (
        f"{heading}\n> When the rate is above 5 %, call it a SEV1. Tell `#ops` so.\n\n{body}"
    )


def test_a_case_that_only_leans_on_the_sentence_before_is_told_alone() -> None:
    text = "# Lamp\n\nIf it is green, wait. The lamp might blink. If so, cover the lamp.\n"
    [unit] = units_of(text)
    [link] = [one for one in unit.links if one.query.startswith("cover")]
    assert link.condition == "if so (The lamp might blink)"
    case = case_taken(unit, link.condition, unit.start)
    assert case is not None
    assert case.text == "If so, cover the lamp."


LAMPS = """# Lamps of the kettle

| Lamp | What to do |
|---|---|
| Red | The jug is full of lime: pour in vinegar, see [Lime](#lime) |
| Blue | Wait |

## Lime

Rinse the jug twice.
"""


@pytest.mark.parametrize("said", ["1", "red", "it is red"])
def test_what_a_row_tells_besides_where_it_leads_stands_above_the_step(said: str) -> None:
    session = HowToSession(library_of(None, guide=LAMPS))
    session.start("Lamps of the kettle")
    text = session.respond(said).text
    assert text.index("pour in vinegar") < text.index("Rinse the jug twice.")


def ending(said: str, seen: str) -> tuple[Status, str]:
    """How a walk ends in which a case of its only step is seen, and what is told then."""
    guide = f"# Press jams\n\n1. Look at the press.\n   - {said}\n   - If it is dry, oil it.\n2. Close the lid.\n"
    session = HowToSession(library_of(None, guide=guide))
    session.start("the press jams")
    turn = session.respond(seen)
    return turn.status, turn.text.partition("\n\n")[0].partition("\n")[2]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("If it smokes, stop. Don't lift the arm. Open a ticket.", None),
        ("If it smokes, call a technician. Do not lift the arm.", None),
        ("If it smokes, the coil is hot. Never touch it. Contact support.", None),
        (
            "If it smokes, call a technician. Do not lift the arm. This is rare.",
            "If it smokes, call a technician. Do not lift the arm.",
        ),
        ("If it smokes, do not lift the arm and call a technician.", "Do not lift the arm and call a technician."),
    ],
)
def test_what_is_forbidden_beside_it_is_told_with_the_end(said: str, told: str | None) -> None:
    assert ending(said, "it smokes") == (Status.ESCALATED, told or said)


@pytest.mark.parametrize(
    "said",
    [
        "If it smokes, pull the plug and wait. Do not go on.",
        "If it smokes, stop and tell the foreman.",
        "If it smokes, pull the plug. Do not continue.",
    ],
)
@pytest.mark.parametrize("seen", ["it smokes", "1"])
def test_who_is_not_to_go_on_is_shown_no_next_step(said: str, seen: str) -> None:
    status, told = ending(said, seen)
    assert status is Status.ESCALATED
    assert told.casefold() in said.casefold()
    assert "Close the lid" not in told


def test_what_asks_something_stands_alone_on_its_screen() -> None:
    text = (
        f"# Lamp\n\n1. Look at the lamp. {'It takes a while to warm up. ' * 15}\n"
        "   - It is dark: go on to step 2.\n"
        "   - It is red: call the smith.\n"
        "2. Look at the fuse.\n"
        "   - The fuse is black: replace it.\n"
        f"3. Look at the lid. {'It is heavy. ' * 50}\n"
        "   - The lid is bent: call the smith.\n"
    )
    session = HowToSession(library_of(None, guide=text))
    session.start("Lamp")
    turn = session.respond("it is dark")
    assert turn.options == ("The fuse is black",)
    assert "Look at the lid" not in turn.text
    assert "Look at the lid" in session.respond("done").text


def test_a_whole_unit_that_says_what_to_do_in_its_cases_stands_alone_on_its_screen() -> None:
    cases = "- It is dark\n  - Model A: change the fuse.\n  - Model B: replace the lamp.\n"
    text = f"# Lamp\n\nLook at the lamp.\n\n{cases}- It hums\n  - The lid is bent: call the smith. {'Wait. ' * 200}\n"
    units = units_of(text)
    assert [asks_more(units[0], "it is dark", units[0].start), asks_more(units[-1], "It hums", units[-1].start)] == [
        True,
        False,
    ]


def test_a_box_in_a_case_that_is_quoted_is_in_plain_words() -> None:
    box = '   !!! warning "Hot"\n       Let it cool.\n'
    dark, red = "   If the lamp is dark, change the fuse.\n", "   If it is red, press Reset.\n"
    text = f"# Lamp\n\n1. Look at the lamp.\n{dark}{box}{red}2. Go.\n"
    session = HowToSession(library_of(None, guide=text))
    session.start("Lamp")
    turn = session.respond("the lamp stays dark")
    assert turn.text.splitlines()[1] == "> If the lamp is dark, change the fuse."
    assert "> Warning: Hot. Let it cool." in turn.text.splitlines()
    assert "!!!" not in turn.plain


def test_a_box_below_a_case_within_a_tab_is_read_as_one() -> None:
    text = (
        '=== "Mac"\n\n    Open it. If the lamp is dark, press Reset.\n\n'
        '    !!! warning\n        It is hot.\n\n=== "Linux"\n\n    Run it.\n'
    )
    session = HowToSession(library_of(None, guide=f"# Lamp\n\n## Start\n\n{text}"))
    session.start("Lamp on a Mac")
    turn = session.respond("the lamp is dark")
    assert turn.plain.splitlines()[1:] == ["If the lamp is dark, press Reset.", "", "Warning: It is hot."]
