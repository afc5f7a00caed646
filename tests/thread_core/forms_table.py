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

How-to documents state in many forms what to do in which case. Each form has a reader of its own in
`thread_core/documents/forms/`, and all of them give the same: a case, what to do then, and the lines that say so. From
that the links of units are made in one place (`thread_core/extraction/linkers.py`). Below is what is read of each form;
the page is made by `make docs` from the examples that the tests hold (`tests/thread_core/forms_table.py`).

*Leads to* is where the link of the case goes: "here" is what the unit itself says to do, a `#section`, a step, a
document, another unit by its first words, or an end (`RESOLVED`, `ESCALATE`). A condition that begins with `not:` is
the opposite of another one: what "otherwise" stands for. What a form cannot be read of is counted in the report of an
extraction: `unlinked` has the lines that state a condition under which nothing leads on, `unread` the drawings that
nobody is led through.
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
        "A condition first or last, and what is to be done otherwise.",
        "If the lamp is red, press Reset; otherwise, close the lid. Call the vendor if the pump hums.\n",
        (("the lamp is red", "here"), ("not: the lamp is red", "here"), ("the pump hums", "ESCALATE")),
    ),
    Form(
        "Decision list",
        "Items that state a case with a colon, an arrow or a sentence.",
        "- `E12`: open the tap.\n- Lamp off -> push the plug home.\n- If it rattles, go to [Bearing](#bearing).\n\n"
        "## Bearing\n\nFit a new one.\n",
        (("E12", "here"), ("Lamp off", "here"), ("it rattles", "#bearing")),
    ),
    Form(
        "Yes or no",
        "A question with its answers, also on one line; jumps go by the numbers of the steps.",
        "1. Is the lamp lit? Yes: go to 2. No: go to 3.\n2. Close the lid.\n3. Push the plug home.\n",
        (("Is the lamp lit", "step 2"), ("not: Is the lamp lit", "step 3")),
    ),
    Form(
        "Findings with remedies",
        "Items that say what is the case, each with what to do about it in a list of its own.",
        "- The token is invalid.\n  - Renew the token.\n- The disk is full.\n  - Delete old logs.\n",
        (("The token is invalid", "here"), ("The disk is full", "here")),
    ),
    Form(
        "Table of cases",
        "A row is a case; several columns state it where one does not tell the rows apart.",
        "| Code | Do |\n|---|---|\n| E1 | Fill the tank. |\n| E2 | See [Pump](#pump). |\n\n## Pump\n\nVent it.\n",
        (("E1", "here"), ("E2", "#pump")),
    ),
    Form(
        "Table of questions",
        "A column for yes and one for no.",
        "| Check | Yes | No |\n|---|---|---|\n| Is the tap open? | Wait. | Open it. |\n",
        (("Is the tap open", "here"), ("not: Is the tap open", "here")),
    ),
    Form(
        "Table of steps",
        "Rows that lead to one another by their numbers: each becomes a step.",
        "| Step | Seen | Go to |\n|---|---|---|\n| 1. Is the lamp lit? | Yes | 2 |\n| 1. Is the lamp lit? | No | 3 |\n"
        "| 2. Close the lid. | done | end |\n| 3. Push the plug home. | done | 1 |\n",
        (("Is the lamp lit?", "Close the lid."), ("not: Is the lamp lit?", "Push the plug home.")),
    ),
    Form(
        "Sections as cases",
        "Headings that state cases are the branches of the step above them.",
        "Look at the lamp.\n\n## If it is red\n\nPress Reset.\n\n## Otherwise\n\nClose the lid.\n",
        (("it is red", "Press Reset."), ("not: it is red", "Close the lid.")),
    ),
    Form(
        "Tabs",
        "Of all generators that are known; a tab for a platform or a version is a prerequisite instead.",
        'Let the water out.\n\n=== "By hand"\n\n    Open the tap.\n\n=== "By remote control"\n\n    Press Open.\n',
        (("By hand", "Open the tap."), ("By remote control", "Press Open.")),
    ),
    Form(
        "Flowchart",
        "In Mermaid: each node becomes a step, each way a link; the drawing stays whole beside them.",
        "```mermaid\nflowchart TD\n  A[Look at the lamp.] --> B{Is it lit?}\n  B -->|Yes| C[Close the lid.]\n"
        "  B -->|No| D[Push the plug home.]\n  D --> B\n```\n",
        (("Is it lit?", "Close the lid."), ("not: Is it lit?", "Push the plug home.")),
    ),
    Form(
        "Tree",
        "Drawn with lines or arrows in a code block.",
        "```\nIs the lamp lit?\n├── Yes: Close the lid.\n└── No: Push the plug home.\n```\n",
        (("Is the lamp lit?", "Close the lid."), ("not: Is the lamp lit?", "Push the plug home.")),
    ),
    Form(
        "No decisions",
        "Indirect questions, what is noted and what is only named state no case.",
        "Ask the driver when the parcel was last seen. Ask the shop if it was sent.\n\nTODO: add the numbers.\n\n"
        "Open **File** > **Options**.\n\n- *Settings → Network*\n- **View** -> **All**\n",
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
