from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thread_core.test_properties import documents
from thread_core import Document
from thread_core.documents.blocks.markdown import parse
from thread_core.extraction.pages import LONGEST_OUTLINE, Lines, Page
from thread_core.text.words import count_tokens


def page(text: str) -> Page:
    document = Document("a.md", text)
    return Page(document, parse(document.text))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        *(("12-18", Lines(12, 18)), ("12", Lines(12, 12)), (" 3 – 5 ", Lines(3, 5)), ("18-12", None), ("", None)),
        *(("-3", None), ("3-", None), ("1-2-3", None), ("1" * 5000, None), ("\u0661-\u0663", None)),
    ],
)
def test_lines_are_read_as_they_are_written(text: str, lines: Lines | None) -> None:
    assert Lines.read(text) == lines
    assert lines is None or Lines.read(str(lines)) == lines


GUIDE = """\
---
title: Guide
---
# Guide

Words.

<!-- a note -->
---

**Bold part**

1. One

   ```
   code
   ```

[1]: there.md
"""


def test_headings_front_matter_definitions_and_marks_need_not_be_named() -> None:
    assert page(GUIDE).required == [6, 13, 15, 16, 17]
    assert page(GUIDE).said == {6, 13, 15, 16, 17, 19}


def test_sections_begin_at_headings_of_any_kind() -> None:
    guide = page(GUIDE)
    assert [(line, section.title) for line, section in guide.begun(0, 19)] == [(4, ""), (11, "Bold part")]
    assert guide.section(13).title == "Bold part"
    assert guide.outline(Lines(1, 19)) == "4| # Guide\n11| **Bold part**"


def test_ends_that_attach_themselves_are_no_part_of_a_body() -> None:
    guide = page(GUIDE)
    assert guide.trimmed(Lines(1, 7)) == Lines(6, 6)
    assert guide.trimmed(Lines(10, 18)) == Lines(13, 17)
    assert guide.trimmed(Lines(8, 12)) is None


def test_an_outline_that_is_too_long_keeps_the_highest_headings_and_the_parts_own() -> None:
    text = "".join(f"## Part {n}\n\n### Detail {n}\n\nWords.\n\n" for n in range(400))
    long = page(text)
    shown = long.outline(Lines(1201, 1206))
    assert count_tokens(shown) <= LONGEST_OUTLINE
    assert shown == "1201| ## Part 200\n1203| ### Detail 200"
    assert long.outline(Lines(1, 0)) == ""
    fewer = page("".join(f"## Part {n}\n\n### Detail {n}\n\nWords.\n\n" for n in range(200)))
    assert fewer.outline(Lines(601, 606)).count("Detail") == 1
    assert fewer.outline(Lines(601, 606)).count("## Part") == 200


def test_a_part_ends_with_a_section_or_else_a_block_or_else_an_item() -> None:
    words = "Some words to fill a line with. " * 10
    two = page(f"# A\n\n{words}\n\n{words}\n\n# B\n\n{words}\n")
    assert two.part(1, 10_000) == Lines(1, 9)
    assert two.part(1, two.cost(Lines(1, 8))) == Lines(1, 6)
    assert two.part(1, two.cost(Lines(1, 4))) == Lines(1, 4)
    items = page(f"1. {words}\n\n   ```\n   code\n   ```\n2. {words}\n")
    assert items.part(1, items.cost(Lines(1, 5))) == Lines(1, 5)
    assert items.part(1, items.cost(Lines(1, 3))) == Lines(1, 5)
    assert items.part(1, 1) == Lines(1, 5)


@given(documents, st.integers(1, 60))
def test_parts_follow_one_another_and_tear_nothing_apart(text: str, room: int) -> None:
    shown = page(text)
    start = 1
    while start <= len(shown):
        part = shown.part(start, room)
        assert part.start == start <= part.end <= len(shown)
        assert part.end + 1 not in shown.ties
        assert part.end == len(shown) or shown.cost(part) <= room or part == shown.part(start, 1)
        start = part.end + 1
