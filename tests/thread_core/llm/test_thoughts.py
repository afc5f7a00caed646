from __future__ import annotations

import pytest

from thread_core.llm.thoughts import Aloud, ends_bare, without_thought

ANSWER = "Look at the disk [1].\n\n```\n</think>\n```\n"
BARE = "Run `rm -rf /`? No [3].\n</think>\n\n"
THOUGHTS = [
    "<think>\nRun `rm -rf /`? No [3].\n</think>\n\n",
    "\n<thinking>No.</thinking>",
    "[THINK]No.[/THINK]\n",
    "<|channel|>analysis<|message|>No.<|end|><|start|>assistant<|channel|>final<|message|>",
]
NO_THOUGHTS = [
    "",
    "Look at the disk [1].",
    "  <b>Look</b>\n",
    "The template ends with `<think>`:\n\n```\n<think>\n</think>\n```\n",
    "Strip `</think>` from the reply.",
    "<thin",
    "[THIN",
]


def said(text: str, size: int, *, ends_bare: bool = False) -> list[str]:
    aloud = Aloud(ends_bare=ends_bare)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return [*(aloud.take(piece) for piece in pieces), aloud.rest()]


@pytest.mark.parametrize("thought", [*THOUGHTS, BARE])
def test_a_thought_is_no_part_of_a_reply(thought: str) -> None:
    assert without_thought(thought + ANSWER) == ANSWER
    for size in (1, 3, 7, 1000):
        assert "".join(said(thought + ANSWER, size, ends_bare=thought == BARE)) == ANSWER


@pytest.mark.parametrize("text", NO_THOUGHTS)
def test_what_is_no_thought_stays(text: str) -> None:
    assert without_thought(text) == text
    for size in (1, 3, 7, 1000):
        assert "".join(said(text, size)) == text


@pytest.mark.parametrize("thought", THOUGHTS)
def test_of_a_thought_without_an_end_nothing_is_said(thought: str) -> None:
    for size in (1, 7):
        assert "".join(said(thought[:-4], size)) == ""
    assert without_thought(thought.strip()[:-4]) == ""


def test_words_are_said_as_they_come_once_it_is_clear_that_they_are_no_thought() -> None:
    assert said("<b>Look</b> here.", 4) == ["<b>L", "ook<", "/b> ", "here", ".", ""]
    assert said("<think>No.</think>\n\nLook here.", 6) == ["", "", "", "Look", " here.", ""]
    assert said("Look here.", 5, ends_bare=True) == ["", "", "Look here."]


def test_it_is_known_whether_the_end_of_a_thought_came_without_its_beginning() -> None:
    assert ends_bare(BARE + ANSWER)
    assert not any(ends_bare(text) for text in (ANSWER.partition("```")[0], *NO_THOUGHTS, THOUGHTS[0] + BARE))


@pytest.mark.parametrize("text", ["<think>" * 150_000, "<think>" + "<" * 1_000_000, " " * 100_000, "</think" * 100_000])
def test_a_hostile_reply_takes_no_time(text: str) -> None:
    without_thought(text)
    said(text, 1000)
