"""Lists whose signs were typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thread_core.guides import units_of
from thread_core.models import LinkAction
from thread_core.text.bulleted import in_dashes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("• Open it.\n• Look.", "- Open it.\n- Look."),
        ("\uf0b7\tOpen it.\n\uf0b7\tLook.", "- Open it.\n- Look."),
        ("– Open it.\n\n– Look.", "- Open it.\n\n- Look."),
        ("o\tOpen it.\no\tLook.", "- Open it.\n- Look."),
        ("• a\no b\no c\n▪ d\n• e", "- a\n  - b\n  - c\n    - d\n- e"),
        ("• a\n    • b\n• c", "- a\n  - b\n- c"),
        ("• a\n  goes on\n• b", "- a\n  goes on\n- b"),
        ("•\na\n•\nb", "\n- a\n\n- b"),
        ("1. a\n       •   b\n       •   c\n2. d", "1. a\n   - b\n   - c\n2. d"),
    ],
)
def test_signs_become_dashes(text: str, expected: str) -> None:
    assert in_dashes(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "• Open it.",
        "– said she.",
        "o now\no then",
        "• a\n\nText.\n\n• b",
        "•a\n•b",
        "•\n\n•\n\na",
        "```\n• a\n• b\n```",
        "    ● a.service\n    ● b.service",
        "- a\n- b",
    ],
)
def test_other_lines_stay(text: str) -> None:
    assert in_dashes(text) == text


def test_what_is_said_in_them_is_read_with_its_lines() -> None:
    [unit] = units_of("# Badge reader\n\n• Press reset.\n◦ If it turns green, you are done.\n◦ If it is red, wait.\n")
    assert [(link.condition, link.action, link.evidence and link.evidence.start) for link in unit.links] == [
        ("it turns green", LinkAction.RESOLVED, 4),
        ("it is red", LinkAction.CONTINUE, 5),
    ]
    assert unit.body.startswith("• Press reset.")


LINES = ("• a", "  ◦ b", "▪", "o\tc", "– d", "1. e", "2.", "# f", "", "  x", "```")


@given(st.lists(st.sampled_from(LINES)))
def test_no_line_comes_or_goes(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert in_dashes(text).count("\n") == text.count("\n")


@pytest.mark.slow
@pytest.mark.parametrize("line", ["• a\n", "•\n", "o\ta\n", " • a\n"])
def test_no_text_takes_long(line: str) -> None:
    assert in_dashes(line * 50_000).count("\n") == 50_000
