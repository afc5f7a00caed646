"""The forms in which documents state decisions, each with an example and what is read of it.

`python -m tests.thread_core.forms_table` writes docs/forms.md from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from thread_core import Document, RuleExtractor
from thread_core.models import Link, LogicUnit

PAGE = Path(__file__).parents[2] / "docs" / "forms.md"

INTRODUCTION = """\
# The forms of a decision

How-to documents write "in this case, do that" in many forms. Each form has its own reader in
`thread_core/documents/forms/`, and all readers return the same: a case, what to do then, and the lines that say so. One
module turns these into links (`thread_core/extraction/linkers.py`). This page shows what is read of each form. `make
docs` generates it from examples in the tests (`tests/thread_core/forms_table.py`).

*Leads to* shows the link's place: "here" (the unit itself says what to do), a `#section`, a step, a document, another
unit by its first words, or an end (`RESOLVED`, `ESCALATE`). A condition that begins with `not:` negates another one: it
stands for "otherwise". The extraction report counts what could not be read: `unlinked` has the lines with a condition
that leads nowhere, `unread` the drawings that were not turned into steps.
"""


class Form(NamedTuple):
    """A form, an example of it, and the outcomes that are read."""

    name: str
    says: str
    text: str
    outcomes: tuple[tuple[str, str], ...]
    """Conditions, and where they lead; see `leads_to`."""


FORMS = (
    Form(
        "Sentences",
        "A condition at the beginning or end, and what to do otherwise.",
        "If the lamp is red, press Reset; otherwise, close the lid. Call the vendor if the pump hums.\n",
        (("the lamp is red", "here"), ("not: the lamp is red", "here"), ("the pump hums", "ESCALATE")),
    ),
    Form(
        "Decision list",
        "List items that give a case with a colon, an arrow or a sentence. Behind an arrow, a number is enough.",
        "- `E12`: open the tap.\n- Lamp off -> push the plug home.\n- If it rattles, go to [Bearing](#2-bearing).\n"
        "- If it hums, or howls → section 2.\n- Still silent? → 3.\n\n"
        "## 2. Bearing\n\nFit a new one.\n\n## 3. Motor\n\nFit a new one.\n",
        (
            ("E12", "here"),
            ("Lamp off", "here"),
            ("it rattles", "#2-bearing"),
            ("it hums, or howls", "#2-bearing"),
            ("Still silent", "#3-motor"),
        ),
    ),
    Form(
        "Yes or no",
        "A question with its answers, also on one line. Jumps use the numbers of steps.",
        "1. Is the lamp lit? Yes: go to 2. No: go to 3.\n2. Close the lid.\n3. Push the plug home.\n",
        (("Is the lamp lit", "step 2"), ("not: Is the lamp lit", "step 3")),
    ),
    Form(
        "Findings with remedies",
        "Items that describe a case, each with a nested list of what to do.",
        "- The token is invalid.\n  - Renew the token.\n- The disk is full.\n  - Delete old logs.\n",
        (("The token is invalid", "here"), ("The disk is full", "here")),
    ),
    Form(
        "Table of cases",
        "Each row is a case. If one column does not distinguish the rows, several columns make up the case.",
        "| Code | Do |\n|---|---|\n| E1 | Fill the tank. |\n| E2 | See [Pump](#pump). |\n\n## Pump\n\nVent it.\n",
        (("E1", "here"), ("E2", "#pump")),
    ),
    Form(
        "Table of questions",
        "One column for yes and one for no.",
        "| Check | Yes | No |\n|---|---|---|\n| Is the tap open? | Wait. | Open it. |\n",
        (("Is the tap open", "here"), ("not: Is the tap open", "here")),
    ),
    Form(
        "Table of steps",
        "Rows that refer to one another by number. Each row becomes a step.",
        "| Step | Seen | Go to |\n|---|---|---|\n| 1. Is the lamp lit? | Yes | 2 |\n| 1. Is the lamp lit? | No | 3 |\n"
        "| 2. Close the lid. | done | end |\n| 3. Push the plug home. | done | 1 |\n",
        (("Is the lamp lit?", "Close the lid."), ("not: Is the lamp lit?", "Push the plug home.")),
    ),
    Form(
        "Sections as cases",
        "Headings that give cases become branches of the step above them.",
        "Look at the lamp.\n\n## If it is red\n\nPress Reset.\n\n## Otherwise\n\nClose the lid.\n",
        (("it is red", "Press Reset."), ("not: it is red", "Close the lid.")),
    ),
    Form(
        "Tabs",
        "Of MkDocs, Docusaurus, Hugo and others. A tab for a platform or version becomes a prerequisite instead.",
        'Let the water out.\n\n=== "By hand"\n\n    Open the tap.\n\n=== "By remote control"\n\n    Press Open.\n',
        (("By hand", "Open the tap."), ("By remote control", "Press Open.")),
    ),
    Form(
        "Flowchart",
        "In Mermaid. Each node becomes a step and each arrow a link. The drawing itself is kept, too.",
        "```mermaid\nflowchart TD\n  A[Look at the lamp.] --> B{Is it lit?}\n  B -->|Yes| C[Close the lid.]\n"
        "  B -->|No| D[Push the plug home.]\n  D --> B\n```\n",
        (("Is it lit?", "Close the lid."), ("not: Is it lit?", "Push the plug home.")),
    ),
    Form(
        "Tree",
        "Drawn in a code block with lines or arrows.",
        "```\nIs the lamp lit?\n├── Yes: Close the lid.\n└── No: Push the plug home.\n```\n",
        (("Is the lamp lit?", "Close the lid."), ("not: Is the lamp lit?", "Push the plug home.")),
    ),
    Form(
        "No decisions",
        "Indirect questions, notes, and mere names are not cases.",
        "Ask the driver when the parcel was last seen. Ask the shop if it was sent.\n\nTODO: add the numbers.\n\n"
        "Open **File** > **Options**.\n\n- *Settings → Network*\n- **View** -> **All**\n\nScale it from 1 → 2.\n",
        (),
    ),
)


def units_of(form: Form) -> tuple[LogicUnit, ...]:
    """Extract the example of a form."""
    return RuleExtractor().extract(Document("guide.md", f"# Guide\n\n{form.text}")).units


def outcomes(units: tuple[LogicUnit, ...]) -> Iterator[tuple[str, str]]:
    """Give the conditions of all links, and where they lead."""
    for unit in units:
        for link in unit.links:
            if link.condition:
                yield link.condition, leads_to(unit, link, units)


def leads_to(unit: LogicUnit, link: Link, units: tuple[LogicUnit, ...]) -> str:
    """Say where a link goes as the page has it."""
    target = link.target
    if link.action.ends or target is None:
        return link.action.value
    if target.step is not None:
        return f"step {target.step}"
    if target.place == unit.place:
        return "here"
    if target.place is not None:
        return next(one.body for one in units if one.place == target.place).strip().splitlines()[0]
    return f"{target.document}#{target.anchor}" if target.anchor else target.document


def page() -> str:
    """Make docs/forms.md."""
    parts = [INTRODUCTION]
    for form in FORMS:
        parts.append(f"## {form.name}\n\n{form.says}\n\n{_fenced(form.text)}\n")
        if form.outcomes:
            rows = "\n".join(f"| {condition} | {goal} |" for condition, goal in outcomes(units_of(form)))
            parts.append(f"| Case | Leads to |\n|---|---|\n{rows}\n")
    return "\n".join(parts)


def _fenced(text: str) -> str:
    return f"````markdown\n{text}````"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
