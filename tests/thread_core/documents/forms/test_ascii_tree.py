"""What a decision tree of lines or arrows says, and that a tree in which nothing is asked is none."""

from __future__ import annotations

import pytest

from thread_core.documents.forms.ascii_tree import looks_like_tree, read_tree

DRAWN = """\
Lit?
├── Yes → Warm?
│   ├── Yes → Leave it
│   │         on
│   └── No → Close the lid
└── No → Plug it in
"""
PLAIN = """\
Lit?
|-- yes: Warm?
|   |-- yes: Leave it on
|   `-- no: Close the lid
|
`-- no: Plug it in
"""
BELOW = """\
Lit?
+-- [Yes]
|   +-- Warm?
|       +-- Yes, it is: Leave it on
|       +-- No --> Close the lid
+-- No
    +-- Plug it in
"""
ARROWS = """\
Lit?
  -> Yes: Warm?
       -> Yes: Leave it on
       -> No: Close the lid
  -> No: Plug it in
"""
INDENTED = """\
Lit?
  Yes -> Warm?
    Yes -> Leave it on
    No -> Close the lid
  No -> Plug it in
"""


@pytest.mark.parametrize("text", [DRAWN, PLAIN, BELOW, ARROWS, INDENTED])
def test_answers_lead_to_what_is_done_then(text: str) -> None:
    chart = read_tree(text)
    assert chart is not None
    names = {node.key: node.label for node in chart.nodes}
    ways = {(names[edge.start], edge.label[:3].strip(",").casefold(), names[edge.end]) for edge in chart.edges}
    assert ways == {
        ("Lit?", "yes", "Warm?"),
        ("Warm?", "yes", "Leave it on"),
        ("Warm?", "no", "Close the lid"),
        ("Lit?", "no", "Plug it in"),
    }


def test_lines_are_those_of_the_tree() -> None:
    chart = read_tree(DRAWN)
    assert chart is not None
    assert [(node.label, node.first, node.last) for node in chart.nodes][2:4] == [
        ("Leave it on", 3, 4),
        ("Close the lid", 5, 5),
    ]
    assert [edge.line for edge in chart.edges] == [2, 3, 5, 6]


def test_what_hangs_below_an_answer_is_done_in_turn_and_then_decided() -> None:
    chart = read_tree(
        "Lit?\n├─ Yes\n│  ├─ Wait\n│  └─ Colour?\n│     ├─ red → Stop\n│     └─ green → Go\n└─ No → Call → Wait\n"
    )
    assert chart is not None
    names = {node.key: node.label for node in chart.nodes}
    assert [(names[edge.start], edge.label, names[edge.end]) for edge in chart.edges] == [
        ("Lit?", "Yes", "Wait"),
        ("Wait", "", "Colour?"),
        ("Colour?", "red", "Stop"),
        ("Colour?", "green", "Go"),
        ("Call", "", "Wait"),
        ("Lit?", "No", "Call"),
    ]


@pytest.mark.parametrize(
    ("text", "is_noticed"),
    [
        ("src\n├── lamp.py\n└── lid\n    └── lid.py\n", False),
        ("src\n├── lamp.py -> the lamp\n└── lid.py -> the lid\n", False),
        ("main\n|-- open() 3 ms\n|   `-- read() 1 ms\n`-- close()\n", False),
        ("+-----+------+\n| Lit?| Warm?|\n+-----+------+\n", False),
        ("Lit?\n├── Yes → Go\n└── Wait\n", True),
        ("Lit?\n├── Yes → Go\n└── No → Wait\nWarm?\n├── Yes → Go\n└── No → Wait\n", True),
        ("Lit?\n├── Yes → Go\n│         │\n│         ▼\n│       Wait\n└── No → Stop\n", True),
    ],
)
def test_other_trees_are_not_read(text: str, is_noticed: bool) -> None:
    assert read_tree(text) is None
    assert looks_like_tree(text) is is_noticed


@pytest.mark.parametrize("line", ["|-- ", "|", "|-- yes -> b\n", "?", " ", "─", "|-- a -> ", "      so\n", "[", "a:"])
def test_whatever_it_is_takes_linear_time(line: str) -> None:
    read_tree("Lit?\n|-- yes -> a\n|-- no -> " + line * 50_000)  # for hours if it were not so
    read_tree("Lit?\n" + "".join(f"{' ' * at}-> {line}" for at in range(60)))
