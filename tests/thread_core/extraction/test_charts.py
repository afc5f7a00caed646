"""Procedures that are drawn: a step for each node, the drawing itself whole, and what is not read is said."""

from __future__ import annotations

import pytest

from thread_core import Document, RuleExtractor
from thread_core.extraction.fidelity import Extraction
from thread_core.models import LinkAction, LogicUnit, LogicUnitType, Span

KETTLE = """\
# Kettle stays cold

Follow this chart.

```mermaid
flowchart TD
    A[Fill the kettle] --> B{"Is the lamp lit?"}
    B -->|Yes| C[Wait] --> D{Which noise?}
    B -->|No| E["Plug it in, see [plugs](plugs.md)"]
    D -->|hum| F[Call the vendor]
    D -->|none| A
    click C "waiting.md"
```

Clean it now and then.
"""


def extract(text: str) -> Extraction:
    return RuleExtractor().extract(Document("kettle.md", text))


def drawn(extraction: Extraction) -> dict[str, LogicUnit]:
    return {unit.body: unit for unit in extraction.units if unit.rewritten}


def leads(unit: LogicUnit, units: dict[str, LogicUnit]) -> list[tuple[str, str]]:
    names = {one.place: body for body, one in units.items()}
    return [
        (link.condition, names[link.target.place]) for link in unit.links if link.target and link.target.place in names
    ]


def test_each_node_is_a_step_that_leads_along_its_ways() -> None:
    extraction = extract(KETTLE)
    steps = drawn(extraction)
    assert [(body, unit.start, str(unit.type)) for body, unit in steps.items()] == [
        ("Fill the kettle", 7, "step"),
        ("Is the lamp lit?", 7, "step"),
        ("Wait", 8, "step"),
        ("Which noise?", 8, "step"),
        ("Plug it in, see [plugs](plugs.md)", 9, "step"),
        ("Call the vendor", 10, "step"),
    ]
    assert [leads(unit, steps) for unit in steps.values()][:4] == [
        [("", "Is the lamp lit?")],
        [("Is the lamp lit?", "Wait"), ("not: Is the lamp lit?", "Plug it in, see [plugs](plugs.md)")],
        [("", "Which noise?")],
        [("hum", "Call the vendor"), ("none", "Fill the kettle")],
    ]
    assert [link.evidence for link in steps["Is the lamp lit?"].links] == [Span("kettle.md", at, at) for at in (8, 9)]
    assert steps["Wait"].header == "Kettle stays cold: Wait"


def test_the_drawing_stays_whole_beside_its_steps() -> None:
    extraction = extract(KETTLE)
    whole = next(unit for unit in extraction.units if "flowchart TD" in unit.body)
    assert (whole.type, whole.body) == (LogicUnitType.BACKGROUND, "\n".join(KETTLE.split("\n")[2:13]))
    assert [unit.body[:6] for unit in extraction.units if not unit.rewritten] == ["Follow", "Clean "]
    report = extraction.report
    assert (report.coverage, report.code_blocks_kept, report.unread) == (1.0, 1, ())


def test_what_a_node_links_to_is_another_document() -> None:
    steps = drawn(extract(KETTLE))
    crossing = {
        link.target.document: unit.body
        for unit in steps.values()
        for link in unit.links
        if link.action is LinkAction.CROSS and link.target
    }
    assert crossing == {"waiting.md": "Wait", "plugs.md": "Plug it in, see [plugs](plugs.md)"}


CHART = "```mermaid\ngraph TD\nA{Lit?} -->|no| B[Plug it in]\nA -->|yes| C[%s]\n```\n"


@pytest.mark.parametrize(
    ("label", "below", "action", "goal"),
    [
        ("Wait", "", LinkAction.RESOLVED, ""),
        ("Call the vendor", "", LinkAction.ESCALATE, ""),
        ("Call the vendor", "\nThen clean it.\n", LinkAction.ESCALATE, ""),
        ("Wait", "\nThen clean it.\n", LinkAction.CONTINUE, "Then clean it."),
        ("Wait", "\n## Cleaning\n\nClean it.\n", LinkAction.RESOLVED, ""),
        (
            "Go to step 2",
            "\n## Cleaning\n\n1. Empty it.\n2. Clean it.\n",
            LinkAction.CONTINUE,
            "1. Empty it.\n2. Clean it.",
        ),
    ],
)
def test_the_last_step_ends_it_or_leads_to_what_stands_below(
    label: str, below: str, action: LinkAction, goal: str
) -> None:
    extraction = extract(f"# Kettle\n\n{CHART % label}{below}")
    (link,) = drawn(extraction)[label].links
    found = [
        unit.body
        for unit in extraction.units
        if link.target and (unit.place == link.target.place or link.target.step in unit.steps)
    ]
    assert (link.condition, link.action, found) == ("", action, [goal] if goal else [])


@pytest.mark.parametrize(
    ("statements", "conditions"),
    [
        ("A{Lit} -->|Yes| B\nA -->|No| C", ["Lit?", "not: Lit?"]),
        ("A[Check if it is lit] -->|yes| B\nA -->|no| C", ["it is lit?", "not: it is lit?"]),
        ("A{Colour?} -->|red| B[Stop]\nA -->|green| C[Go]", ["red", "green"]),
        ("A{Colour?} --> B[Red] --> D[Stop]\nA --> C[Green] --> D", ["Red", "Green"]),
        ("A{Lit?} -->|No| B\nA --> C", ["not: Lit?", ""]),
        ("A{Lit?} -->|Yes| B\nA -->|Yes| C\nA -->|No| D", ["Lit?", "Yes: C", "not: Lit?"]),
        ("A[Stop it] -->|after a minute| B\nB{Lit?} -->|yes| C\nB -->|no| D", [""]),
        ("A{Lit?} -->|yes| B[Stop it]\nC{Warm?} -->|yes| B\nC -->|no| A", ["Lit?"]),
    ],
)
def test_ways_are_gone_as_their_words_or_the_question_say(statements: str, conditions: list[str]) -> None:
    steps = drawn(extract(f"# Kettle\n\n```mermaid\ngraph TD\n{statements}\n```\n"))
    first = next(iter(steps.values()))
    assert [condition for condition, _ in leads(first, steps)] == conditions


def test_a_tree_in_a_step_is_gone_through_before_the_next_one() -> None:
    tree = "   ```text\n   Lit?\n   |-- yes -> Wait\n   `-- no -> Plug it in\n   ```\n"
    extraction = extract(f"# Kettle\n\n1. Fill it.\n2. Look:\n\n{tree}3. Pour it.\n")
    steps = drawn(extraction)
    assert {body: unit.start for body, unit in steps.items()} == {"Lit?": 7, "Wait": 8, "Plug it in": 9}
    last = extraction.units[-1]
    assert last.body == "3. Pour it."
    assert [link.target and link.target.place for link in steps["Wait"].links] == [last.place]
    assert extract("# Kettle\n\n    Lit?\n    |-- yes -> Wait\n    `-- no -> Plug it in\n").report.unread == ()


@pytest.mark.parametrize(
    ("block", "is_told"),
    [
        ("```mermaid\nsequenceDiagram\n    A->>B: Hi\n```", True),
        ("```{.mermaid height=400}\nflowchart LR\n    a[Lamp --> b\n```", True),
        ("```mermaid\nflowchart LR\n    web[Shop] --> db[(Goods)]\n    web --> cache[Cache]\n```", True),
        ("```plantuml\nstart\n```", True),
        ("```\nLit?\n|-- yes -> Wait\n`-- Plug it in\n```", True),
        ("```\nsrc\n|-- lamp.py\n`-- lid.py\n```", False),
        ("```python\nprint('Lit?')\n```", False),
    ],
)
def test_drawings_that_lead_nobody_are_said(block: str, is_told: bool) -> None:
    extraction = extract(f"# Kettle\n\n1. Fill it.\n\n{block}\n")
    assert extraction.report.unread == ((Span("kettle.md", 5, 4 + len(block.split("\n"))),) if is_told else ())
    assert not drawn(extraction)


def test_a_chart_in_which_nothing_is_decided_tells_steps() -> None:
    steps = drawn(extract("# Kettle\n\n```mermaid\ngraph LR\nA[Fill it] --> B[Close the lid]\n```\n"))
    assert [leads(unit, steps) for unit in steps.values()] == [[("", "Close the lid")], []]


def test_a_section_that_explains_is_no_procedure() -> None:
    text = f"# Kettle\n\n## Background\n\n{CHART % 'Wait'}\n## Steps\n\n1. Fill it.\n"
    assert {unit.type for unit in drawn(extract(text)).values()} == {LogicUnitType.BACKGROUND}
