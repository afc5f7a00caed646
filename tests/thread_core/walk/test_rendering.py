"""What is read in a turn: the document's own words, with what holds for them, each told once."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import library_of
from thread_core import Link, Span
from thread_core.walk.execution import Outcome, OutcomeKind
from thread_core.walk.rendering import ANSWER, SHORT, Ran, Turn, after_running, clipped
from thread_core.walk.session import HowToSession
from thread_core.walk.states import Status


def turns(text: str, question: str, *said: str, **others: str) -> list[Turn]:
    """The turns of a walk over a guide."""
    session = HowToSession(library_of(None, guide=text, **others))
    return [session.start(question), *map(session.respond, said)]


def test_a_turn_as_one_text_lists_the_known_outcomes_once() -> None:
    shown = Turn(text="Look.", status=Status.AWAITING, options=("it is lit", "it is dark"))
    assert str(shown) == f"Look.\n\n{ANSWER}\n1. it is lit\n2. it is dark"
    assert str(shown.model_copy(update={"options": ()})) == "Look."
    asked = Turn(text="Which?\n1. it is lit\n2. it is dark", status=Status.ASKING, options=shown.options)
    assert str(asked) == asked.plain


def test_a_notebook_shows_what_print_does_and_a_value_without_words_as_its_fields() -> None:
    class Printer:
        shown = ""

        def text(self, said: str) -> None:
            self.shown += said

    (turn,) = turns(
        "# The pump\n\nLook at the lamp. If it is dark, go to [Fuse](#fuse).\n\n## Fuse\n\nMend it.", "The pump"
    )
    link, printer = Link("it is dark", "mend it"), Printer()
    for value in (turn, link):
        value._repr_pretty_(printer, cycle=False)
    assert printer.shown == f"{turn}{link!r}"


def test_a_turn_has_the_document_s_own_words_and_plain_ones() -> None:
    turn = Turn(text="Tap\n> [!WARNING]\n> It is hot.\n\nSee [spout](#spout).", status=Status.AWAITING)
    assert turn.plain == "Tap\nWarning: It is hot.\n\nSee spout."
    assert "plain" not in turn.model_dump()


def test_what_was_run_stands_above_as_a_quotation() -> None:
    said = "1. Yes\n```\n2. No"
    ran = Ran(header="Look", commands=("look",), outcome=Outcome(kind=OutcomeKind.OBSERVED, text=said))
    shown = after_running([ran], Turn(text="Go.", status=Status.AWAITING))
    assert (shown.text.split("\n\n")[-1], shown.ran) == ("Go.", (ran,))
    assert f"````text\n{said}\n````" in shown.text
    assert len(clipped("a line\n" * SHORT)) <= SHORT


PRESS = """\
# The press is dirty

> [!WARNING]
> The belt is hot.

**You need:** a *long* brush.

## Step 1: Open

1. Open it.

## Step 2: Wipe

1. Wipe it. Then follow [Oiling](oil.md#how).
"""
OIL = "# Oil\n\n**Danger:** It burns.\n\n## Open\n\n1. Turn the cap.\n\n## How\n\n1. Drip it on.\n"


def test_what_is_warned_of_and_needed_above_is_told_with_the_first_step_and_once() -> None:
    opened, wiped, oiled = turns(PRESS, "The press is dirty", "done", "done", oil=OIL)
    assert [[turn.text.count(told) for turn in (opened, wiped)] for told in ("The belt is hot", "brush")] == [
        [1, 0],
        [1, 0],
    ]
    assert Span("guide.md", 3, 4) in opened.citations
    assert ("Drip it on" in oiled.text, "It burns" in oiled.text) == (True, True)


@pytest.mark.parametrize(
    ("body", "said", "shown", "hidden"),
    [
        ("- If it is red, press Reset.\n- If it is green, wait.", "2", "If it is green, wait.", "Reset"),
        ("Is it lit? If yes, press Reset. If no, oil it.", "no", "oil it", "Reset"),
        ("| Lamp | Do |\n|---|---|\n| red | press Reset |\n| green | wait |", "green", "| Lamp | Do |", "Reset"),
    ],
    ids=["an item", "a sentence", "a row, with the head of its table"],
)
def test_a_case_that_was_chosen_is_shown_without_those_beside_it(body: str, said: str, shown: str, hidden: str) -> None:
    chosen = turns(f"# Lamp\n\nLook at the lamp.\n\n{body}\n", "The lamp", said)[1]
    assert (shown in chosen.text, hidden in chosen.text) == (True, False)


def test_what_follows_in_any_case_stands_below_a_case_that_was_chosen() -> None:
    body = "- If it is red, press Reset.\n- If it is green, wait.\n\nClose the lid."
    chosen = turns(f"# Lamp\n\nLook at the lamp.\n\n{body}\n", "The lamp", "it is green")[1]
    assert ("Close the lid" in chosen.text, "Reset" in chosen.text) == (True, False)
    assert [(span.start, span.end) for span in chosen.citations[:2]] == [(6, 6), (8, 8)]


def test_what_stands_in_a_tab_is_shown_without_its_indentation() -> None:
    text = '# Tap\n\n=== "Old"\n\n    1. Close it:\n\n        ```sh\n        tap close\n        ```\n'
    assert turns(text, "The tap")[0].text.endswith("\n1. Close it:\n\n    ```sh\n    tap close\n    ```")


def test_a_menu_shows_what_each_way_leads_to() -> None:
    body = "- If the lamp is red, press Reset.\n- If the lamp is green, wait an hour."
    asked = turns(f"# Lamp\n\nLook at it.\n\n{body}\n", "The lamp", "I think it is green")[1]
    assert (asked.status, "wait an hour" in asked.text) == (Status.ASKING, True)
    assert all(f"{number}. {option}" in asked.text for number, option in enumerate(asked.options, 1))


def test_a_menu_quotes_what_an_option_leads_to_without_marks_of_code_where_its_label_does_not_say_it() -> None:
    body = (
        "- If the lamp is red, press the reset until the lamp is off again and then wait, for the fuse may be warm,\n"
        "  and look at it.\n- If the lamp is green, run:\n\n  ```sh\n  lamp off\n  ```"
    )
    leave = "## Leave the lamp\n\n```console\n$ lamp exit\n```\n"
    asked = turns(f"# Lamp\n\n## Look\n\nLook at it.\n\n{body}\n\n{leave}", "The lamp", "I think I have to exit")[1]
    assert asked.options[2] == "Leave the lamp: $ lamp exit"
    menu = asked.text.splitlines()[2:]
    assert menu[0] == "1. the lamp is red" and "press the reset until the lamp is off" in menu[1]
    assert menu[2] == "2. the lamp is green" and menu[3].endswith("run: lamp off")
    assert menu[4] == "3. Leave the lamp: $ lamp exit"
    assert "`" not in asked.text
