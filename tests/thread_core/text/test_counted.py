import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thread_core import Document, RuleExtractor
from thread_core.text.counted import as_lists


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("１．開く。\n２．選ぶ。", "1. 開く。\n2. 選ぶ。"),
        ("１. 開く。\n２. 選ぶ。", "1. 開く。\n2. 選ぶ。"),
        ("手順：\n　１）開く。\n　２）選ぶ。", "手順：\n 1) 開く。\n 2) 選ぶ。"),
        ("1、打开。\n2、选择。", "1. 打开。\n2. 选择。"),
        ("1.打开。\n2.选择。\n3. 关闭。", "1. 打开。\n2. 选择。\n3. 关闭。"),
        ("（1）打开。\n\n（2）选择。", "1) 打开。\n\n2) 选择。"),
        ("①打开。\n②选择。", "1) 打开。\n2) 选择。"),
        ("١. افتح.\n٢. اختر.", "1. افتح.\n2. اختر."),
        ("1、打开。\n\n见图。\n\n2、选择。", "1. 打开。\n\n见图。\n\n2. 选择。"),
        ("1\\. Open it.\n\n2\\. Look.", "1. Open it.\n\n2. Look."),
        ("1\\) Open it.\n2\\) Look.", "1) Open it.\n2) Look."),
        ("1、打开：\n（1）单击。\n（2）输入。\n2、关闭。", "1. 打开：\n   1) 单击。\n   2) 输入。\n2. 关闭。"),
    ],
)
def test_steps_that_are_counted_otherwise_are_a_list(text: str, expected: str) -> None:
    assert as_lists(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1、打开。",
        "2、打开。\n3、选择。",
        "1、打开。\n3、选择。",
        "1、打开。\n## 二\n2、选择。",
        "```\n1、打开。\n2、选择。\n```",
        "1.5 GB – nein\n2.5 GB – ja",
        "(1) Öffnen.\n(2) Schließen.",
        "见（1）\n和（2）",
        "1\\. Open it.",
        "1\\.5 GB\n2\\.5 GB",
    ],
)
def test_other_lines_stay(text: str) -> None:
    assert as_lists(text) == text


def test_they_are_steps_with_their_lines_as_written() -> None:
    [unit] = RuleExtractor().extract(Document("a.md", "# 打印机\n\n①打开盖子。\n②取出纸张。\n③关闭。\n")).units
    assert (unit.steps, unit.body, str(unit.body_spans[0])) == (
        (1, 2, 3),
        "①打开盖子。\n②取出纸张。\n③关闭。",
        "a.md:3-5",
    )


LINES = ("１．開く", "２．選ぶ", "①开", "②关", "（1）甲", "（2）乙", "1.打开", "# 一", "", "  x", "```")


@given(st.lists(st.sampled_from(LINES)))
def test_lines_stay_where_they_are(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = as_lists(text)
    assert found.count("\n") == text.count("\n")
    assert _letters(found) == _letters(text)


def _letters(text: str) -> str:
    return "".join(sign for sign in text if unicodedata.category(sign) in ("Lo", "Ll") or sign in "#`\n")


@pytest.mark.slow
@pytest.mark.parametrize("line", ["1、x\n", "1、x\n2、x\n", "（1）x\n\n", "\u3000" * 50 + "1\n"])
def test_no_text_takes_long(line: str) -> None:
    started = time.process_time()
    as_lists(line * 20_000)
    assert time.process_time() - started < 2
