from __future__ import annotations

import time

import pytest

from tests.thread_core.guides import STANDS_STILL, units_of
from thread_core.answering.generating import WARNINGS, citations, speak, warnings
from thread_core.llm.access import ModelAccess
from thread_core.ports import Message
from thread_core.retrieval.prerequisites import Known
from thread_core.testing.model import ScriptedModel

CHECK, ROTOR = (unit for unit in units_of() if unit.type == "step")
GOOD = "Read `pumpctl status --all` [1]. For E17 run `pumpctl free 3` [2]."


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        (GOOD, [1, 2]),
        ("First [2], then [1] and [2].", [2, 1]),
        ("Both [1, 2] and [3; 4].", [1, 2, 3, 4]),
        ("Both [1][2].", [1, 2]),
        ("In `list[1]` nothing, in ``a `[2]` b`` nothing.", []),
        ("```\nrows[1]\n```\nHere [2].\n~~~\nrows[3]\n~~~", [2]),
        ("```\nrows[1] of a fence that does not end", []),
        ("See [1](https://queue.example) and [E17] and [x].", []),
        ("A year [2024] is no source.", []),
        ("", []),
    ],
)
def test_citations_are_numbers_in_brackets_outside_of_code(said: str, numbers: list[int]) -> None:
    assert citations(said) == numbers


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (GOOD, []),
        ("Lies `pumpctl status --all` [1]. Bei E17: `pumpctl free 3` [2].", []),
        (f"{GOOD} Then [3].", ["[3] names no source"]),
        ("Read `pumpctl status --all`.", ["the answer names no source"]),
        (
            "Read `pumpctl status --all` [1], then `pumpctl purge --force` [1].",
            ['no source has the command "pumpctl purge --force"'],
        ),
        ("Free it with `pumpctl free 3` [2] for 20 minutes.", ['no source has the number "20 minutes"']),
        (
            "Free it with `pumpctl free 4` [2].",
            [
                'no source has the command "pumpctl free 4"',
                '[2] has the command "pumpctl free 3", which is left out here',
            ],
        ),
        (
            "Read `pumpctl status --all` [1], then E18, /etc/pump.conf and https://pump.example.",
            [
                'no source has the identifier "E18"',
                'no source has the path "/etc/pump.conf"',
                'no source has the URL "https://pump.example"',
            ],
        ),
        ("Read the display [1].", ['[1] has the command "pumpctl status --all", which is left out here']),
    ],
)
def test_what_no_source_has_and_what_is_left_out_is_named(said: str, found: list[str]) -> None:
    assert list(warnings(said, [CHECK, ROTOR])) == found


def test_what_another_unit_has_is_no_source() -> None:
    said = "Run `pumpctl free 3`, read `pumpctl status --all` [1]."
    assert warnings(said, [CHECK, ROTOR]) == ('no source has the command "pumpctl free 3"',)


def test_what_the_person_said_may_be_repeated() -> None:
    said = "On pump-7 read `pumpctl status --all` [1]."
    assert warnings(said, [CHECK]) == ('no source has the identifier "pump-7"',)
    assert warnings(said, [CHECK], ["pump-7 stands still"]) == ()


def test_of_many_warnings_of_a_kind_the_first_are_named() -> None:
    said = "Read `pumpctl status --all` [1]. " + " ".join(f"E{number}" for number in range(100, 120))
    found = warnings(said, [CHECK])
    assert len(found) == WARNINGS + 1
    assert found[-1] == "and 15 more like this"


def test_of_long_code_the_beginning_is_named() -> None:
    said = f"Read `pumpctl status --all` [1].\n```\n{'pumpctl purge ' * 20}\n```"
    assert warnings(said, [CHECK]) == ('no source has the command "' + ("pumpctl purge " * 20)[:200] + '"...',)


def test_the_units_are_shown_with_their_numbers_and_all_else_is_quoted() -> None:
    model = ScriptedModel(("", GOOD))
    history = [Message("user", "Hello.")]
    known = Known(said=("Hello.", STANDS_STILL), confirmed=("The tank is drained.",))
    speech = speak(STANDS_STILL, history, [ROTOR], known=known, asked=["Is it off?"])
    assert ModelAccess(model).run(speech) == GOOD
    assert model.seen[0][1] == Message(
        "user",
        """\
Conversation so far:
The person:
| Hello.

Facts:
| holds: The tank is drained.

Unit [1]:
| Pump stands still: Rotor
| Free the rotor with `pumpctl free 3`. If it turns again, the issue is resolved.
| [MITIGATE] If it turns again (Free the rotor with pumpctl ..., then the issue is resolved.

The person is asked first:
| Is it off?

Question:
| The pump stands still, what do I do?""",
    )


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["`", "`a", "``a` ", "[1", "```\n", "[`"])
def test_citations_of_no_text_take_long(piece: str) -> None:
    started = time.process_time()
    citations(f"[`{piece * 20_000}(")
    assert time.process_time() - started < 2
