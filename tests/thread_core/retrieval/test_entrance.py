"""At which of its units a document is entered."""

from __future__ import annotations

import pytest

from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.models import LogicUnitType
from thread_core.retrieval.entrance import calls, choose_entry

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


def extracted(text: str) -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document("a.md", text)).units


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Free the disk", True),
        ("How do I free the disk?", True),
        ("disk.md: free the DISK!", False),
        ("Free the disk by moving logs", False),
        ("Free the diskette", False),
        ("", False),
    ],
)
def test_a_question_calls_a_document_that_it_names_and_says_no_more(question: str, expected: bool) -> None:
    assert calls(question, RuleExtractor().extract(Document("a.md", "# Free the disk\n\nDo.\n")).units[0]) is expected


def test_the_first_step_is_the_entry_unless_a_later_section_fits_plainly_better() -> None:
    units = extracted(AGENT)
    steps = [unit for unit in units if unit.type == LogicUnitType.STEP]
    assert choose_entry(units, {}) == steps[0]
    assert choose_entry(units, {steps[0].id: 0.9, steps[2].id: 0.9}) == steps[0]
    assert choose_entry(units, {steps[2].id: 1.75}) == steps[2]


def test_a_document_without_steps_is_entered_where_it_begins() -> None:
    units = extracted("# Terms\n\n## Meaning\n\nA word.\n")
    assert choose_entry(units, {}) == units[0]


def test_a_document_without_steps_is_entered_at_what_fits_best() -> None:
    units = extracted("# Terms\n\n- **Lamp**: it shines.\n\n- **Pump**: it turns.\n")
    assert choose_entry(units, {units[-1].id: 0.1}) == units[-1] != units[0]
