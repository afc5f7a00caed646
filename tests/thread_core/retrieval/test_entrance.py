"""At which of its units a document is entered."""

from __future__ import annotations

import pytest

from tests.thread_core.guides import units_of
from thread_core.models import LogicUnitType
from thread_core.retrieval.entrance import choose_entry

AGENT = """\
# Install the monitoring agent

The agent reports the load of a node.

## Download

Fetch the package with `agent fetch`.

## Install on the node

Unpack it with `agent unpack`. If the disk is full, follow [Disk full](disk.md).

## Rotate the log files

Set the size at which log files rotate with `agent rotate`.

### Keep fewer log files

Set the number of log files with `agent keep`.
"""


def test_the_first_step_is_the_entry_unless_a_later_section_fits_plainly_better() -> None:
    units = units_of(AGENT)
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP]
    assert choose_entry("How do I get it to run?", units, {}) == steps[0]
    assert choose_entry("How do I rotate the logs?", units, {steps[0].id: 0.9, steps[2].id: 0.9}) == steps[0]
    assert choose_entry("How do I rotate the logs?", units, {steps[2].id: 1.75}) == steps[2]


PARTS = """\
# Connect the printer

## Diagnosis

### Step 1: Look at the cable

Is it plugged in?

### Step 2: Ping the printer

Run `ping printer`.

## Resolution

### Cable of the printer

Replace it with `spare`.

#### Got error 404

Turn the plug.

## Toner

Shake it.
"""


@pytest.mark.parametrize(
    ("question", "best", "by", "entered"),
    [
        ("How do I ping it?", "Run `ping", 1.0, "Is it plugged in?"),
        ("It reports nothing any more", "Turn the plug", 0.5, "Is it plugged in?"),
        ("It reports nothing any more", "Turn the plug", 0.7, "Turn the plug."),
        ("The cable is worn", "Turn the plug", 0.4, "Replace it with `spare`."),
        ("The cable is worn", "Turn the plug", 0.2, "Is it plugged in?"),
        ("It says 404", "Turn the plug", 0.4, "Turn the plug."),
        ("The printer is silent", "Shake it", 0.5, "Is it plugged in?"),
        ("The toner is empty", "Shake it", 0.4, "Shake it."),
    ],
)
def test_a_later_section_is_entered_as_far_down_as_the_question_calls_it(
    question: str, best: str, by: float, entered: str
) -> None:
    units = units_of(PARTS)
    scores = {unit.id: by for unit in units if best in unit.body}
    assert choose_entry(question, units, scores).body == entered


def test_a_document_without_steps_is_entered_where_it_begins() -> None:
    units = units_of("# Terms\n\n## Meaning\n\nA word.\n")
    assert choose_entry("How do I get it to run?", units, {}) == units[0]


def test_a_document_without_steps_is_entered_at_what_fits_best() -> None:
    units = units_of("# Terms\n\n- **Lamp**: it shines.\n\n- **Pump**: it turns.\n")
    assert choose_entry("What is a pump?", units, {units[-1].id: 0.1}) == units[-1] != units[0]


TEA = """\
# Tea machine

## Clean it

1. Rinse it.

## FAQ

**Can it stand outside?**
No, it rusts.

**Is it loud?**
A little.

The fan is what you hear.

- Q: How long is the cord? It is 1.5 m long.
"""


@pytest.mark.parametrize(
    ("nearest", "question"),
    [
        ("No, it rusts", "Can it stand outside?"),
        ("A little", "Is it loud?"),
        ("The fan", "Is it loud?"),
        ("1.5 m", "How long is the cord?"),
    ],
)
def test_of_questions_in_one_section_the_one_that_is_asked_is_entered(nearest: str, question: str) -> None:
    units = units_of(TEA)
    scores = {unit.id: 1.0 for unit in units if nearest in unit.body}
    assert question in choose_entry(question, units, scores).body


def test_who_has_read_the_answer_to_a_question_goes_on_with_no_other_one() -> None:
    outside, loud, fan, cord = (unit for unit in units_of(TEA) if unit.type == LogicUnitType.FAQ)
    assert [outside.goes_on_with(one) for one in (loud, cord)] == [False, False]
    assert [loud.goes_on_with(one) for one in (fan, cord)] == [True, False]


def test_a_section_that_is_a_question_goes_on_with_the_questions_in_its_answer() -> None:
    text = f"# Tea\n\n## Can I heat it up?\n\nIs it on? {'Turn it on. ' * 90}\n\nIs it full? {'Fill it up. ' * 90}\n\n"
    first, then = (unit for unit in units_of(f"{text}## Is it loud?\n\nNo.\n") if unit.section != ("Is it loud?",))
    assert first.type == LogicUnitType.FAQ
    assert first.goes_on_with(then)


def test_a_guide_of_questions_answers_who_asks_nothing_too() -> None:
    units = units_of(
        "# Tea\n\n## How do I heat it?\n\nHeat it.\n\n## Can I oil it?\n\nOil it.\n\n## Oil\n\n1. Buy it.\n"
    )
    loud = next(unit for unit in units if unit.body == "Oil it.")
    assert choose_entry("It squeaks", units, {loud.id: 1.0}) is loud
