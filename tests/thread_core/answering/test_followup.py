"""What a question leans on in the conversation before it, by rules and by a model."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.thread_core.guides import library_of, only
from thread_core.answering.followup import ask_standalone, standalone
from thread_core.errors import ModelError
from thread_core.llm.access import ModelAccess
from thread_core.llm.asking import Role
from thread_core.llm.costs import Budget
from thread_core.ports import Message, Reply
from thread_core.testing.model import ScriptedModel

VOLUME = "How do I extend a volume on Linux?"
ANSWER = "1. Volumes: Extend: Run lvextend [volumes.md:3-5]"
CONVERSATION = [Message("user", VOLUME), Message("assistant", ANSWER)]


def after(*said: str) -> str:
    """The last of some things that a person said, as it stands alone."""
    *before, question = said
    return standalone(question, [Message("user", text) for text in before])


@pytest.mark.parametrize(
    "question",
    [
        "How do I clean the printer?",
        "My printer is jammed and I cannot open it, what now?",
        "On Windows, printing is slow, what can I do?",
        "Step 3 of the cluster restore fails with 'permission denied', why?",
        "And what do I do with the backups of the database server afterwards?",
        "Drucker reinigen, wie geht das am besten ohne Werkzeug?",
    ],
)
def test_a_question_that_says_what_it_is_about_is_left_alone_to_the_letter(question: str) -> None:
    assert standalone(f" {question} ", CONVERSATION) == f" {question} "


@pytest.mark.parametrize("question", ["And on Windows?", "why?", "how do I undo it?", "?", ""])
def test_without_a_conversation_any_question_is(question: str) -> None:
    assert standalone(question, []) == question
    assert standalone(question, [Message("assistant", ANSWER)]) == question


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        (VOLUME, "And on Windows?", "How do I extend a volume on Windows?"),
        (VOLUME, "Thanks! And what about macOS 14?", "How do I extend a volume on macOS 14?"),
        ("How do I reset it on Windows 10 at work?", "And on a Mac?", "How do I reset it on Mac at work?"),
        ("How do I reset the agent on Windows 10?", "And on Ubuntu?", "How do I reset the agent on Ubuntu?"),
    ],
)
def test_a_platform_takes_the_place_of_another(before: str, question: str, expected: str) -> None:
    assert after(before, question) == expected


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("how do I undo it?", VOLUME),
        ("why does that happen?", VOLUME),
        ("then what?", VOLUME),
        ("And with LVM2?", VOLUME),
        ("step 9?", VOLUME),
        ("Does it work on Windows 11?", "How do I extend a volume on Windows 11?"),
    ],
)
def test_whatever_else_leans_on_the_question_before_is_asked_with_it(question: str, about: str) -> None:
    assert standalone(question, CONVERSATION) == f"{question} ({about})"


def test_a_change_of_topic_drops_the_old_one() -> None:
    assert after(VOLUME, "My printer is jammed", "why?") == "why? (My printer is jammed)"


def test_what_leans_is_no_topic_but_may_change_one() -> None:
    said = [VOLUME, "And on Windows?", "and done", "is it?", "how do I undo that?"]
    assert after(*said) == "how do I undo that? (How do I extend a volume on Windows?)"


def test_a_long_text_is_left_alone_and_costs_nothing() -> None:
    text = "And on it the wheel " * 20_000
    assert after(VOLUME, text) == text
    assert after(text, "why?") == f"why? ({'And on it the wheel ' * 16})".replace(" )", ")")


# -- with a model --------------------------------------------------------------------------------------------------


def asked(*replies: str | Reply | Exception) -> tuple[str, ScriptedModel]:
    model = ScriptedModel(*(("", one) for one in replies))
    said = library_of(model).run(ask_standalone("how do I undo it?", CONVERSATION))
    model.finished()
    return said, model


def test_a_model_says_it_in_its_words() -> None:
    said, model = asked('{"question": "How do I undo\\n extending a volume on Linux?"}')
    assert said == "How do I undo extending a volume on Linux?"
    assert "| how do I undo it?" in model.seen[0][1].text
    assert f"The person:\n| {VOLUME}" in model.seen[0][1].text


@pytest.mark.parametrize(
    "reply",
    [
        '{"question": "How do I undo extending a volume on Windows?"}',
        '{"question": "How do I undo `lvreduce` on a volume on Linux with lv_reduce?"}',
        '{"question": "How do I undo extending volume 7 on Linux?"}',
        '{"question": "How do I bake bread with yeast and flour tonight?"}',
        '{"question": ""}',
        ModelError("no"),
    ],
)
def test_words_that_name_what_nobody_named_are_not_taken(reply: str | Exception) -> None:
    assert asked(reply)[0] == f"how do I undo it? ({VOLUME})"


def test_a_reply_that_cannot_be_read_is_asked_for_once_more_and_no_more() -> None:
    assert asked("no", "no")[0] == f"how do I undo it? ({VOLUME})"


@pytest.mark.parametrize(("role", "is_asked"), [(Role.QUERY_GENERATOR, 1), (Role.SELECTOR, 1), (Role.GENERATOR, 0)])
def test_the_query_generator_is_asked_or_the_selector(role: Role, is_asked: int) -> None:
    model = ScriptedModel(*[("", '{"question": "How do I undo extending a volume?"}')] * is_asked)
    said = library_of(only(role, model)).run(ask_standalone("how do I undo it?", CONVERSATION))
    assert (said == "How do I undo extending a volume?") is bool(is_asked)
    model.finished()


@pytest.mark.parametrize(
    ("question", "history"), [("How do I clean the printer?", CONVERSATION), ("how do I undo it?", [])]
)
def test_a_question_that_stands_alone_costs_nothing(question: str, history: Sequence[Message]) -> None:
    assert library_of(ScriptedModel()).run(ask_standalone(question, history)) == question


def test_where_the_budget_is_spent_the_rule_decides() -> None:
    access = ModelAccess(ScriptedModel(), budget=Budget(tokens=1))
    assert library_of(access).run(ask_standalone("how do I undo it?", CONVERSATION)).endswith(f"({VOLUME})")
