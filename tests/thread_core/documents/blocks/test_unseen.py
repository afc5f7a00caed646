"""Signs that no reader sees, and spaces that break no line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thread_core.guides import units_of
from thread_core.documents.blocks.markdown import parse
from thread_core.documents.blocks.source import Source
from thread_core.documents.blocks.unseen import seen, with_plain_beginnings
from thread_core.documents.code import codes


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        *(("\u200b## Steps", "## Steps"), ("##\u00a0Steps", "## Steps"), ("1.\u00a0Open", "1. Open")),
        *(("- \u200bLook", "- Look"), ("\ufeff> \u200e- Look", "> - Look"), ("a\n\u00a0\n\u202fb", "a\n\nb")),
        *(("  \u00a0\u00a0Look", "  Look"), ("- a\n\u00a0\u00a0\u00a0\u00a0- b", "- a\n   - b")),
        ("\u200b```\n\u200b1.\u00a0x\n\u200b```\n\u200by", "```\n\u200b1.\u00a0x\n```\ny"),
        ("Other\u00adwise `a\u00a0b`", "Other\u00adwise `a\u00a0b`"),
    ],
)
def test_lines_begin_plainly_outside_of_code(text: str, plain: str) -> None:
    assert with_plain_beginnings(text) == plain


@pytest.mark.parametrize("text", ["👩\u200d🔧 ruft", "می\u200cخواهم", "naïve"])
def test_what_joins_letters_or_signs_stays(text: str) -> None:
    assert seen(text) == text


def test_conditions_and_steps_are_read_as_they_are_seen() -> None:
    text = "# A\n\n1.\u00a0Open it.\n2. \u200bIf\u00a0it is red, go to step 1.\n\u200b3. Other\u00adwise, wait.\n"
    [unit] = units_of(text)
    assert unit.steps == (1, 2, 3)
    assert [(link.condition, link.target and link.target.step) for link in unit.links] == [
        ("it is red", 1),
        ("not: it is red", None),
    ]
    assert unit.body in text


def test_what_is_written_as_an_entity_is_read_alike() -> None:
    [block] = parse("&#8203;Press&nbsp;the Other&shy;key, and `a\u00a0b&nbsp;c`.").blocks
    assert block.text == "Press the Otherkey, and a\u00a0b&nbsp;c."


def test_code_behind_such_signs_has_its_place() -> None:
    text = "\u200b1.\u00a0Run `df\u00a0-h` and `ls`.\n"
    assert [text[start:end] for code in codes(Source(text)) for start, end in code.ranges] == ["df\u00a0-h", "ls"]


@given(st.lists(st.sampled_from(["\u200b", "\u00a0", "\u00ad", "\u200d", "-", "1.", "#", ">", "a", " ", "\n", "```"])))
def test_no_line_comes_or_goes(signs: list[str]) -> None:
    text = "".join(signs)
    assert with_plain_beginnings(text).count("\n") == text.count("\n")


@pytest.mark.slow
@pytest.mark.parametrize("line", ["\u200b", "\u00a0", "-\u00a0", "1.\u200b", ">"])
def test_no_line_takes_long(line: str) -> None:
    assert with_plain_beginnings(line * 100_000).count("\n") == 0
