"""What a question leans on in the conversation before it, by rules and by a model."""

from __future__ import annotations

import time
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
ANSWER = """\
1. Volumes: Extend: Run lvextend [volumes.md:3-5]
1. Run `lvextend`.
2. Call it again.

2. Volumes: Check: Look at df [volumes.md:9]
Look at `df`:
- the size
- the rest

Depending on the outcome:
- if it is full: call support. (escalate)
- if it is small: go to Extend."""
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
        "What if the lamp blinks and it hums?",
        "Is it possible to print on both sides?",
        "The display says that the tray is empty. What do I do?",
        "On Windows, printing is slow, what can I do?",
        "What does KubeNodeNotReady mean?",
        "Step 3 of the cluster restore fails with 'permission denied', why?",
        "How do I add another disk to the array of the second site?",
        "And what do I do with the backups of the database server afterwards?",
        "Drucker reinigen, wie geht das am besten ohne Werkzeug?",
    ],
)
def test_a_question_that_says_what_it_is_about_is_left_alone_to_the_letter(question: str) -> None:
    assert standalone(f" {question} ", CONVERSATION) == f" {question} "


@pytest.mark.parametrize("question", ["And on Windows?", "why?", "how do I undo it?", "and the second one?", "?", ""])
def test_without_a_conversation_any_question_is(question: str) -> None:
    assert standalone(question, []) == question
    assert standalone(question, [Message("assistant", ANSWER)]) == question


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([VOLUME, "And on Windows?"], "How do I extend a volume on Windows?"),
        ([VOLUME, "what about macOS 14?"], "How do I extend a volume on macOS 14?"),
        (["How do I reset it on Windows 10 at work?", "And on a Mac?"], "How do I reset it on Mac at work?"),
        (["How do I reset the agent on Windows 10?", "And on Ubuntu?"], "How do I reset the agent on Ubuntu?"),
        (["How do I reset the agent on Windows 10?", "And version 11?"], "How do I reset the agent on Windows 11?"),
        (["How do I upgrade OpenShift 4.14?", "what about version 4.12?"], "How do I upgrade OpenShift 4.12?"),
        (["How do I upgrade from 4.12 to 4.14?", "and 4.15.3?"], "How do I upgrade from 4.12 to 4.15.3?"),
        (["KubeNodeNotReady fires, why?", "and KubePodCrashLooping?"], "KubePodCrashLooping fires, why?"),
        (["The API answers 503 on port 80, why?", "What about 404?"], "The API answers 404 on port 80, why?"),
        (["How do I change the font in Word?", "And in Excel?"], "How do I change the font in Excel?"),
        (
            ["How do I add a signature in Outlook 2016?", "what about 2019?"],
            "How do I add a signature in Outlook 2019?",
        ),
    ],
)
def test_what_the_follow_up_names_takes_the_place_of_its_like(said: list[str], expected: str) -> None:
    assert after(*said) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("for a thin pool?", "How do I extend a volume on Linux for a thin pool?"),
        ("And with LVM2?", "How do I extend a volume on Linux with LVM2?"),
        ("how do I undo it?", f"how do I undo it? ({VOLUME})"),
        ("why does that happen?", f"why does that happen? ({VOLUME})"),
        ("then what?", f"then what? ({VOLUME})"),
        ("Is there another way?", f"Is there another way? ({VOLUME})"),
        ("what about version 4.12?", f"what about version 4.12? ({VOLUME})"),
        (
            "Does it work on Windows 11?",
            "Does it work on Windows 11? (How do I extend a volume on Windows 11?)",
        ),
    ],
)
def test_what_has_no_like_is_added(question: str, expected: str) -> None:
    assert standalone(question, CONVERSATION) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("and the second one?", f"Volumes: Check: Look at df ({VOLUME})"),
        ("What about step 1?", f"Volumes: Extend: Run lvextend ({VOLUME})"),
        ("the last option?", f"if it is small: go to Extend. ({VOLUME})"),
        ("how do I undo the 1st step?", f"how do I undo the 1st step? (Volumes: Extend: Run lvextend; {VOLUME})"),
        ("step 9?", f"step 9? ({VOLUME})"),
    ],
)
def test_a_number_means_the_step_or_option_of_the_last_answer(question: str, expected: str) -> None:
    assert standalone(question, CONVERSATION) == expected


def test_the_steps_that_a_model_numbered_are_found_too() -> None:
    spoken = "1. Read the display [1].\n2. Run `pumpctl free 3` [2, 3].\n\nSources:\n[1] pump.md:9"
    history = [Message("user", VOLUME), Message("assistant", spoken)]
    assert standalone("and the second one?", history) == f"Run `pumpctl free 3`. ({VOLUME})"


def test_a_change_of_topic_drops_the_old_one() -> None:
    assert after(VOLUME, "How do I make coffee?", "And on Windows?") == "How do I make coffee on Windows?"
    assert after(VOLUME, "My printer is jammed", "why?") == "why? (My printer is jammed)"


def test_follow_ups_follow_each_other() -> None:
    said = [VOLUME, "And on Windows?", "done", "it still fails", "how do I undo that?"]
    assert after(*said) == "how do I undo that? (How do I extend a volume on Windows?)"


def test_what_was_asked_already_is_asked_again() -> None:
    assert after(VOLUME, "And on Linux?") == VOLUME
    assert after(VOLUME, "And on Windows?", "And on Windows?") == "How do I extend a volume on Windows?"


def test_what_the_person_has_changes_the_topic_and_is_none() -> None:
    assert after(VOLUME, "Sorry, I use Windows", "how do I undo it?").endswith("(How do I extend a volume on Windows?)")
    assert after("The agent 2.1 is silent", "We run agent 2.4", "why?") == "why? (The agent 2.4 is silent)"
    assert after("We run agent 2.1", "And on Windows?") == "And on Windows?"


def test_a_number_that_counts_changes_nothing() -> None:
    assert after("Why do 5 pods restart?", "I looked at 3 of them", "why is that?") == (
        "why is that? (Why do 5 pods restart?)"
    )


def test_a_long_text_is_left_alone_and_costs_nothing() -> None:
    text = "And on it the wheel " * 20_000
    assert after(VOLUME, text) == text
    assert after(text, "why?") == f"why? ({'And on it the wheel ' * 16})".replace(" )", ")")


# -- with a model --------------------------------------------------------------------------------------------------


def asked(*replies: str | Reply | Exception, question: str = "how do I undo it?") -> tuple[str, ScriptedModel]:
    model = ScriptedModel(*(("", one) for one in replies))
    said = library_of(model).run(ask_standalone(question, CONVERSATION))
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


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["\n", "- \n", " \n", "1. a\n", "the ", "[1,"])
def test_no_answer_before_takes_long(piece: str) -> None:
    started = time.process_time()
    standalone("What about the second one?", [Message("user", VOLUME), Message("assistant", piece * 20_000)])
    assert time.process_time() - started < 2
