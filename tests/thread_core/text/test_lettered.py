import time

import pytest

from thread_core.text.lettered import in_digits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a. Open.\nb. Close.", "1. Open.\n2. Close."),
        ("A) Open.\nB) Close.", "1) Open.\n2) Close."),
        (
            "1. Do:\n   a. Open.\n\n      More.\n\n   b. Close.\n2. End.",
            "1. Do:\n   1. Open.\n\n      More.\n\n   2. Close.\n2. End.",
        ),
        (
            "a. Do:\n   i. Open.\n   ii. Close.\n   iii. Lock.\nb. End.",
            "1. Do:\n   1. Open.\n   02. Close.\n   003. Lock.\n2. End.",
        ),
        ("1. x\n   a. A\n   b. B\n2. y\n   a. A\n   b. B", "1. x\n   1. A\n   2. B\n2. y\n   1. A\n   2. B"),
        ("a. Open\nthe door.\nb. Close it.", "1. Open\nthe door.\n2. Close it."),
        ("\n".join(f"{letter}. X" for letter in "abcdefghijk"), "\n".join(f"{min(n, 9)}. X" for n in range(1, 12))),
    ],
)
def test_lists_that_count_in_letters_count_in_digits(text: str, expected: str) -> None:
    assert in_digits(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a. Alone.",
        "a. Open.\n\nSomething else.\n\nb. Close.",
        "a. Open.\n\n## Next\n\nb. Close.",
        "a. Open.\nc. Close.",
        "a. Open.\nb) Close.",
        "```\na. Open.\nb. Close.\n```",
        "   a. Open.\nb. Close.",
        "e.g. this\nb. that",
        "He is in group a. Others are\nb. nowhere",
    ],
)
def test_other_lines_stay(text: str) -> None:
    assert in_digits(text) == text


@pytest.mark.slow
@pytest.mark.parametrize("line", ["a. x\n", "a. x\nb. x\n", " a. x\n  a. x\n", "i. x\n\n"])
def test_no_text_takes_long(line: str) -> None:
    started = time.process_time()
    in_digits(line * 20_000)
    assert time.process_time() - started < 2
