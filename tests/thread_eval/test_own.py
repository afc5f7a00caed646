"""Tasks that are made of guides ask for what the guides say, in another order, and for nothing else."""

from __future__ import annotations

import json

import pytest

from thread_core.llm.access import ModelAccess
from thread_core.testing.model import ScriptedModel
from thread_eval.datasets.gold import Branch, Quote, problems
from thread_eval.datasets.own import Flaw, flaws_of, in_other_order, reworded, tasks_from
from thread_eval.systems import units_of

PUMP = """# Pump is silent

1. Look at the `fuse`:
   - If the fuse is black, and it smells, go to [Replace the fuse](#replace-the-fuse).
   - If it is "whole", see [the motor](motor.md).
   - If nothing is there, go to [the cellar](#cellar).
   - If the pump hums again, the issue is resolved.

## Replace the fuse

1. Pull the old fuse out. Unless it is hot, use your fingers.
"""
MOTOR = "# Motor\n\n1. Turn the motor by hand.\n"
GUIDES = {"pump.md": PUMP, "motor.md": MOTOR}


def test_entries_and_decisions_become_tasks_that_quote_the_guides() -> None:
    tasks = {task.id: task for task in tasks_from(units_of(GUIDES))}
    assert list(problems(list(tasks.values()), GUIDES)) == []
    assert tasks["motor.md:3"].question == "Motor?"
    pump = tasks["pump.md:3"]
    assert pump.question == "Pump is silent?"
    fuse = Quote(document="pump.md", quote="1. Pull the old fuse out. Unless it is hot, use your fingers.")
    motor = Quote(document="motor.md", quote="1. Turn the motor by hand.")
    assert pump.branches == (
        Branch(after_step=0, outcome="and it smells, the fuse is black", next=fuse),
        Branch(after_step=0, outcome="it is whole", next=motor),
        Branch(after_step=0, outcome="the pump hums again", next="resolved"),
    )


def test_what_is_looked_for_when_it_comes_to_that_leads_on() -> None:
    form = "## Look\n### Header\nLook at the fuse\n### Body\nOpen the lid.\n### Linker\n- If {}. [CONTINUE]\n"
    text = (
        "# Pump\n" + form.format("it is black, then change the fuse") + form.format("it is whole, then turn the motor")
    )
    assert [flaw for flaw in flaws_of(units_of({"pump.md": text})) if flaw.kind == "leads nowhere"] == []


def test_places_that_lead_nobody_on_are_named_with_their_lines() -> None:
    flaws = list(flaws_of(units_of(GUIDES)))
    assert Flaw(kind="leads nowhere", where="pump.md:6", text="nothing is there") in flaws
    assert ("dead end", "motor.md:3") in [(flaw.kind, flaw.where) for flaw in flaws]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("the `lamp` is **red**", "the lamp is red"),
        ("it is dry, and cold", "and cold, it is dry"),
        ("see [the guide](a.md) says so", "see the guide says so"),
        ("it is (a, b) long", "it is (a, b) long"),
    ],
)
def test_a_condition_says_the_same_in_another_order(condition: str, said: str) -> None:
    assert in_other_order(condition) == said


def test_a_model_puts_question_and_outcomes_in_other_words_one_for_one() -> None:
    task = tasks_from(units_of(GUIDES))[-1]
    few, all_of_them = (json.dumps({"texts": texts}) for texts in (["Why?"], ["Why?", "smell", "fine", "hums"]))
    model = ScriptedModel(("1| Pump is silent?", few), ("you gave 1", all_of_them))
    told = ModelAccess(model).run(reworded(task))
    assert (told.question, [one.outcome for one in told.branches]) == ("Why?", ["smell", "fine", "hums"])
    assert [one.next for one in told.branches] == [one.next for one in task.branches]
