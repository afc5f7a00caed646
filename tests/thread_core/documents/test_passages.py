"""A body -> its passages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thread_core.documents.passages import cut

PARTS = [
    "Look.",
    "1. Stop it.",
    "   - Call Ann.",
    "- Go.",
    "| a | b |",
    "|---|---|",
    "```sh",
    "```",
    "",
    "    x",
    "![](a.png)",
]


def read(body: str) -> list[tuple[int, int, str, int | None, int]]:
    return [(one.first, one.last, one.kind, one.number, one.indent) for one in cut(body)]


@pytest.mark.parametrize(
    ("body", "passages"),
    [
        ("", []),
        ("\n \n", []),
        ("Look at it.\nThen wait.\n\nGo.", [(1, 2, "text", None, 0), (4, 4, "text", None, 0)]),
        ("1. Stop it.\n2) Go.\n- Sit.", [(1, 1, "item", 1, 0), (2, 2, "item", 2, 0), (3, 3, "item", None, 0)]),
        (
            "1. Stop it.\n   Wait.\n\n   Sit.\n   - If it leaks, call.\n2. Go.",
            [(1, 4, "item", 1, 0), (5, 5, "item", None, 3), (6, 6, "item", 2, 0)],
        ),
        (
            "Look:\n\n| Lamp | Do |\n|:--|---|\n| red | stop |\n| green | go |",
            [(1, 1, "text", None, 0), (3, 4, "row", None, 0), (5, 5, "row", None, 0), (6, 6, "row", None, 0)],
        ),
        ("Run it:\n\n```sh\n- a\n\n1. b\n```\n\nGo.", [(1, 7, "text", None, 0), (9, 9, "text", None, 0)]),
        ("Look:\n\n![the lamp](lamp.png)\n\nGo.", [(1, 3, "text", None, 0), (5, 5, "text", None, 0)]),
        ("2026 was cold.\n-5 is colder.", [(1, 2, "text", None, 0)]),
    ],
    ids=["nothing", "blank", "paragraphs", "items", "items inside", "a table", "code", "a picture", "no items"],
)
def test_a_body_is_cut_at_items_rows_and_blank_lines(body: str, passages: list[tuple[int, int, str, int, int]]) -> None:
    assert read(body) == passages


def test_a_passage_says_whether_code_stands_in_it() -> None:
    assert [one.has_code for one in cut("Run it:\n\n```sh\na\n```\n\nGo.\n\n1. Do:\n   ```\n   b\n   ```\n2. Go.")] == [
        True,
        False,
        True,
        False,
    ]


@given(st.lists(st.sampled_from(PARTS)))
def test_every_line_that_says_something_is_in_one_passage(lines: list[str]) -> None:
    found = cut("\n".join(lines))
    covered = [number for one in found for number in range(one.first, one.last + 1)]
    assert covered == sorted(set(covered))
    assert {number for number, line in enumerate(lines, 1) if line.strip()} <= set(covered)
