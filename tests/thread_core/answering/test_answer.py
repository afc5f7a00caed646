from thread_core import Document, LogicUnit, RuleExtractor, Span
from thread_core.answering.answer import NOTHING, Answer, answer, render
from thread_core.models import Link, LogicUnitType

DISK = """\
# Disk full

Logs are what fills a disk.

## Before you begin

- You are `root`.

## Look

List what is large with `du`. If it is the journal, go to [Shrink](#shrink).
If nothing is large, open a ticket with the storage team.

## Shrink

Shrink the journal with `journalctl`. If there is room again, the issue is resolved.
If the index is large, follow [Index](index.md).
"""


def extracted(text: str = DISK) -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document("disk.md", text)).units


def test_the_steps_are_numbered_and_cited_and_the_open_outcomes_come_last() -> None:
    assert (
        answer(extracted()).text
        == """\
1. Disk full: Look [disk.md:11-12]
   Needs: You are root.
List what is large with `du`. If it is the journal, go to [Shrink](#shrink).
If nothing is large, open a ticket with the storage team.

2. Disk full: Shrink [disk.md:16-17]
Shrink the journal with `journalctl`. If there is room again, the issue is resolved.
If the index is large, follow [Index](index.md).

Depending on the outcome:
- if it is the journal: go to Shrink.
- if nothing is large: open a ticket with the storage team. (escalate)
- if there is room again: the issue is resolved. (resolved)
- if the index is large: follow Index."""
    )


def test_a_step_is_what_stands_in_the_document() -> None:
    look, shrink = answer(extracted()).steps
    lines = DISK.splitlines()
    assert (look.citation, shrink.citation) == (Span("disk.md", 11, 12), Span("disk.md", 16, 17))
    assert look.text == "\n".join(lines[10:12])
    assert look.prerequisites == ("You are root.",)
    assert [look.unit_id, shrink.unit_id] == [unit.id for unit in extracted() if unit.section != ()][-2:]


def test_background_is_left_out_where_there_are_steps() -> None:
    background = [unit for unit in extracted() if unit.type == "background"]
    assert "Logs are what fills a disk." not in answer(extracted()).text
    assert "Logs are what fills a disk." in answer(background).text


def test_the_order_is_kept() -> None:
    units = extracted()
    there = [step.unit_id for step in answer(units).steps]
    assert [step.unit_id for step in answer(units[::-1]).steps] == there[::-1]


def test_where_there_is_nothing_it_is_said() -> None:
    assert answer([]) == Answer(text=NOTHING)
    assert list(render((), ())) == [NOTHING]


def test_the_text_is_what_is_streamed_piece_by_piece() -> None:
    whole = answer(extracted())
    pieces = list(render(whole.steps, whole.outcomes))
    assert len(pieces) == len(whole.steps) + 1
    assert "".join(pieces) == whole.text


def test_an_outcome_says_its_condition_once() -> None:
    (unit, *_) = extracted()
    links = (
        Link(condition="the PumpLED is dark", query="If the Pump LED is dark: Press the button"),
        Link(condition="The pump is loud", query="The pump is loud: Empty it"),
        Link(condition="not: you have a key", query="call the workshop."),
        Link(condition="the pump", query="the pumps are to be drained"),
    )
    assert answer([unit.model_copy(update={"links": links, "type": LogicUnitType.STEP})]).outcomes == (
        "If the Pump LED is dark: Press the button",
        "The pump is loud: Empty it",
        "unless you have a key: call the workshop.",
        "if the pump: the pumps are to be drained",
    )


def test_what_an_outcome_selects_in_the_step_itself_is_not_open() -> None:
    assert answer(extracted("# Lamp\n\nLook at it. If it is red, press the button.\n")).outcomes == ()


def test_a_unit_is_cited_from_the_lines_that_it_is_read_with() -> None:
    """A table's row is read with the table's head above it."""
    unit = extracted()[-1].model_copy(update={"body_spans": (Span("disk.md", 3, 4), Span("disk.md", 9, 9))})
    assert answer([unit]).steps[0].citation == Span("disk.md", 3, 9)
