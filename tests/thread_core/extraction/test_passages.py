"""What is said under each condition, read from a document's lines."""

from __future__ import annotations

import pytest

from thread_core import LinkAction
from thread_core.extraction.passages import Passage, passages
from thread_core.text.markdown import parse, parts

RESOLVED, ESCALATE = LinkAction.RESOLVED, LinkAction.ESCALATE


def read(text: str) -> list[Passage]:
    blocks = parts(parse(text).blocks)
    return list(passages(blocks, set(range(1, 1 + len(text.splitlines())))))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Look at it. Wait. If it is red, stop. Call Ann. If it is green, go on.",
            [("Look at it.", "Wait."), ("If it is red, stop.", "Call Ann."), ("If it is green, go on.",)],
        ),
        ("If it is red, stop, unless you are Ann.", [("If it is red, stop, unless you are Ann.",)]),
        ("- If it is red, stop.\n- Call Ann.\n", [("If it is red, stop.",), ("Call Ann.",)]),
        ("If it is red:\n\n- stop\n- call Ann\n", [("If it is red:", "stop", "call Ann")]),
        ("- If it is red, stop.\n\n  Call Ann.\n- Go.\n", [("If it is red, stop.", "Call Ann."), ("Go.",)]),
        ("| Lamp | Do |\n|---|---|\n| red | stop |\n| green | go |\n", [("Lamp Do",), ("red stop",), ("green go",)]),
    ],
)
def test_a_passage_is_what_is_said_under_one_condition(text: str, said: list[tuple[str, ...]]) -> None:
    assert [one.said for one in read(text)] == said


@pytest.mark.parametrize(
    ("text", "endings", "is_order"),
    [
        ("If it is green, you are done.", {RESOLVED}, False),
        ("If it is green, the printer is fine.", set(), False),
        ("If it is red, replace the toner.", set(), True),
        ("If it is red, wait. Then call the support team.", {ESCALATE}, True),
        ("If it is red, go to step 2.", set(), True),
    ],
)
def test_a_passage_ends_the_procedure_or_orders_something(text: str, endings: set[LinkAction], is_order: bool) -> None:
    [one] = read(text)
    assert (one.endings, one.is_order) == (endings, is_order)


@pytest.mark.parametrize(
    ("text", "to_a_denial", "to_others"),
    [
        ("If it is red, stop.", False, False),
        ("Otherwise call Ann.", True, True),
        ("If it did, you are done.", False, True),
        ("If it has not, call Ann.", True, False),
    ],
)
def test_a_passage_leans_on_a_condition_before_it(text: str, to_a_denial: bool, to_others: bool) -> None:
    [one] = read(text)
    assert (one.leans(True), one.leans(False)) == (to_a_denial, to_others)
