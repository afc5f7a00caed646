"""Which documents of an answer are one plan, and how it tells what else may be meant."""

from __future__ import annotations

from tests.thread_core.guides import library_of, only, units_of
from thread_core.answering.answer import answer, answer_question
from thread_core.answering.guides import plan_of
from thread_core.llm.asking import Role
from thread_core.testing.model import ScriptedModel

PUMP = """\
# Pump stands still

## Look

Read the display. If it shows E17, follow [Free the rotor](rotor.md).

## Restart

Press the button. If it runs, the issue is resolved.
"""
ROTOR = "# Free the rotor\n\n1. Take the lid off.\n2. Turn the rotor by hand.\n"
FILTER = """\
# Filter is clogged

1. Empty the tank.
2. Brush the filter. If it is torn, open a ticket with the workshop.
"""

UNITS = (*units_of(PUMP), *units_of(FILTER, "filter.md"), *units_of(ROTOR, "rotor.md"))


def test_another_guide_is_told_as_such_behind_what_the_plan_leads_to() -> None:
    told = answer(UNITS)
    assert [(step.citation.document_id, step.above) for step in told.steps] == [
        ("pump.md", ""),
        ("pump.md", ""),
        ("rotor.md", ""),
        ("filter.md", "If this is not what you are looking for, another guide may be: Filter is clogged"),
    ]
    assert (
        "\n\nIf this is not what you are looking for, another guide may be: Filter is clogged\n\n4. Filter" in told.text
    )


def test_what_another_guide_leads_to_belongs_to_that_one() -> None:
    units = (*units_of(FILTER, "filter.md"), *units_of(PUMP), *units_of("# Lamp\n\n1. Turn it.\n", "lamp.md"))
    assert [(step.citation.document_id, step.above) for step in answer((*units, *UNITS[-1:])).steps] == [
        ("filter.md", ""),
        ("pump.md", "If this is not what you are looking for, another guide may be: Pump stands still"),
        ("pump.md", ""),
        ("rotor.md", ""),
        ("lamp.md", "If this is not what you are looking for, another guide may be: Lamp"),
    ]


def test_what_another_guide_tells_is_due_only_where_it_is_meant() -> None:
    filters = "the guide that fits is “Filter is clogged”"
    assert [(one.text, one.when) for one in answer(UNITS).instructions][-4:] == [
        ("Take the lid off.", ""),
        ("Turn the rotor by hand.", ""),
        ("Empty the tank.", filters),
        ("Brush the filter. If it is torn, open a ticket with the workshop.", filters),
    ]


def test_the_outcomes_are_those_of_the_plan() -> None:
    assert not [outcome for outcome in answer(UNITS).outcomes if "torn" in outcome]
    assert [outcome for outcome in answer(units_of(FILTER)).outcomes if "torn" in outcome]


def test_what_stands_further_up_in_a_guide_is_told_as_such() -> None:
    look, restart = units_of(PUMP)
    assert [step.above for step in answer([restart, look]).steps] == [
        "",
        "Further up in the same guide (Pump stands still):",
    ]


def test_what_explains_a_plan_does_not_begin_it() -> None:
    glossary = units_of("# Glossary\n\n## Terms\n\n**Rotor**: the part that turns.\n", "glossary.md")
    assert plan_of((*glossary, *units_of(PUMP))) == {"pump.md"}
    assert plan_of(glossary) == {"glossary.md"}


def test_what_a_model_has_chosen_is_the_plan() -> None:
    chosen = '{"prerequisites": [], "units": ["1", "2"], "query": []}'
    said = library_of(only(Role.SELECTOR, ScriptedModel(("", chosen))), pump=PUMP, filter=FILTER).run(
        answer_question("The pump stands still, what do I do?")
    )
    assert {step.citation.document_id for step in said.steps} == {"pump.md", "filter.md"}
    assert not any(step.above for step in said.steps) and not any(one.when for one in said.instructions)
