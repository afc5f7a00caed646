"""Lists whose numbers, letters or signs were typed, read as lists of Markdown; and which lines are code."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thread_core.guides import units_of
from thread_core.documents.blocks.counted import as_lists
from thread_core.documents.blocks.fences import Fence
from thread_core.models import LinkAction

COUNTED = [
    ("１．開く。\n２．選ぶ。", "1. 開く。\n2. 選ぶ。"),
    ("１. 開く。\n２. 選ぶ。", "1. 開く。\n2. 選ぶ。"),
    ("手順：\n　１）開く。\n　２）選ぶ。", "手順：\n 1) 開く。\n 2) 選ぶ。"),
    ("1.打开。\n2.选择。\n3. 关闭。", "1. 打开。\n2. 选择。\n3. 关闭。"),
    ("（1）打开。\n\n（2）选择。", "1) 打开。\n\n2) 选择。"),
    ("①打开。\n②选择。", "1) 打开。\n2) 选择。"),
    ("١. افتح.\n٢. اختر.", "1. افتح.\n2. اختر."),
    ("1、打开。\n\n见图。\n\n2、选择。", "1. 打开。\n\n见图。\n\n2. 选择。"),
    ("1\\. Open it.\n\n2\\. Look.", "1. Open it.\n\n2. Look."),
    ("1\\) Open it.\n2\\) Look.", "1) Open it.\n2) Look."),
    ("1、打开：\n（1）单击。\n（2）输入。\n2、关闭。", "1. 打开：\n1) 单击。\n2) 输入。\n2. 关闭。"),
]
LETTERED = [
    ("a. Open.\nb. Close.", "1. Open.\n2. Close."),
    ("A) Open.\nB) Close.", "1) Open.\n2) Close."),
    ("1. Do:\n   a. A.\n\n      B.\n\n   b. C.\n2. D.", "1. Do:\n   1. A.\n\n      B.\n\n   2. C.\n2. D."),
    ("a. x\n   i. A\n   ii. B\n   iii. C\nb. y", "1. x\n   1. A\n   02. B\n   003. C\n2. y"),
    ("1. x\n   a. A\n   b. B\n2. y\n   a. A\n   b. B", "1. x\n   1. A\n   2. B\n2. y\n   1. A\n   2. B"),
    ("a. Open\nthe door.\nb. Close it.", "1. Open\nthe door.\n2. Close it."),
    ("\n".join(f"{letter}. X" for letter in "abcdefghijk"), "\n".join(f"{min(n, 9)}. X" for n in range(1, 12))),
]
BULLETED = [
    ("• Open it.\n• Look.", "- Open it.\n- Look."),
    ("\uf0b7\tOpen it.\n\uf0b7\tLook.", "-\tOpen it.\n-\tLook."),
    ("– Open it.\n\n– Look.", "- Open it.\n\n- Look."),
    ("o\tOpen it.\no\tLook.", "-\tOpen it.\n-\tLook."),
    ("• a\n◦ b\n◦ c\n▪ d\n• e", "- a\n  - b\n  - c\n    - d\n- e"),
    ("• a\n  goes on\n• b", "- a\n  goes on\n- b"),
]


@pytest.mark.parametrize(("text", "expected"), [*COUNTED, *LETTERED, *BULLETED])
def test_items_that_were_typed_are_a_list(text: str, expected: str) -> None:
    assert as_lists(text) == expected


NOT_COUNTED = [
    *("1、打开。", "2、打开。\n3、选择。", "1、打开。\n3、选择。", "1、打开。\n## 二\n2、选择。"),
    *(
        "```\n1、打开。\n2、选择。\n```",
        "1.5 GB – nein\n2.5 GB – ja",
        "(1) Öffnen.\n(2) Schließen.",
        "见（1）\n和（2）",
    ),
    *("1\\. Open it.", "1\\.5 GB\n2\\.5 GB"),
]
NOT_LETTERED = [
    *("a. Alone.", "a. Open.\n\n## Next\n\nb. Close."),
    *("a. Open.\nc. Close.", "a. Open.\nb) Close.", "```\na. Open.\nb. Close.\n```", "   a. Open.\nb. Close."),
    "e.g. this\nb. that",
]
NOT_BULLETED = [
    *("• Open it.", "– said she.", "o now\no then", "•a\n•b", "•\n\n•\n\na"),
    *("```\n• a\n• b\n```", "    ● a.service\n    ● b.service", "- a\n- b"),
]


@pytest.mark.parametrize("text", [*NOT_COUNTED, *NOT_LETTERED, *NOT_BULLETED])
def test_other_lines_stay(text: str) -> None:
    assert as_lists(text) == text


def test_they_are_steps_with_their_lines_as_written() -> None:
    [unit] = units_of("# 打印机\n\n①打开盖子。\n②取出纸张。\n③关闭。\n", "a.md")
    assert (unit.steps, unit.body) == ((1, 2, 3), "①打开盖子。\n②取出纸张。\n③关闭。")
    assert str(unit.body_spans[0]) == "a.md:3-5"


def test_what_is_said_in_them_is_read_with_its_lines() -> None:
    [unit] = units_of("# Badge reader\n\n• Press reset.\n◦ If it turns green, you are done.\n◦ If it is red, wait.\n")
    assert [(link.condition, link.action, link.evidence and link.evidence.start) for link in unit.links] == [
        ("it turns green", LinkAction.RESOLVED, 4),
        ("it is red", LinkAction.CONTINUE, 5),
    ]
    assert unit.body.startswith("• Press reset.")


LINES = (
    *("１．開く", "２．選ぶ", "①开", "②关", "（1）甲", "（2）乙", "1.打开", "# 一", "", "  x", "```"),
    *("• a", "  ◦ b", "▪", "– d", "1. e", "2.", "a. f", "i) g"),
)


@given(st.lists(st.sampled_from(LINES)))
def test_no_line_and_no_letter_comes_or_goes(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert _letters(as_lists(text)) == _letters(text)


def _letters(text: str) -> str:
    return "".join(sign for sign in text if unicodedata.category(sign) in ("Lo", "Ll") or sign in "#`\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        *("1、x\n", "1、x\n2、x\n", "（1）x\n\n", "\u3000" * 50 + "1\n"),
        *("a. x\n", "a. x\nb. x\n", " a. x\n  a. x\n", "i. x\n\n", "• a\n", "•\n", "o\ta\n", " • a\n"),
    ],
)
def test_no_text_takes_long(line: str) -> None:
    started = time.process_time()
    as_lists(line * 20_000)
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        *(("```sh|ls|```|go on", "1110"), ("````md|```sh|ls|```|````|go on", "111110"), ("```|~~~|```|go on", "1110")),
        *(("~~~~|~~~|~~~~~|go on", "1110"), ("```|``` sh|```|go on", "1110"), ("- ```|  ls|  ```|go on", "1110")),
        *(("1. ~~~|   ls|   ~~~|go on", "1110"), ("> ```|> ls|> ```|go on", "1110"), ("> ```|> ls|go on", "110")),
        *(("> - ```|>   ls|>   ```|go on", "1110"), ("```|- ```|ls|```|go on", "11110")),
        *(("```|> ```|> ls|> ```|```|go on", "111110"), ("```ls``` is code|go on", "00"), ("```|never closed|", "111")),
        ("``|go on", "00"),
    ],
)
def test_lines_from_a_fence_to_the_one_that_closes_it_are_code(text: str, inside: str) -> None:
    fence = Fence()
    assert "".join(str(int(fence.reads(line))) for line in text.split("|")) == inside
