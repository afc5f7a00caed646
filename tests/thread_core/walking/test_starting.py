"""Where a walk begins."""

from __future__ import annotations

import pytest

from tests.thread_core.retrieval.test_named_cases import KETTLE
from tests.thread_core.walking.test_session import library, walk
from thread_core.walking.states import Status


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("my kettle says K7", "| K7 | Descale it |"),
        ("the kettle says K9", "| K8, K9 | Call us |"),
        ("kettle: base lamp is red", "> | Base | steady red | Clean it |\n\n1. Wipe the base."),
    ],
)
def test_a_walk_begins_at_the_row_that_the_question_names_or_where_that_leads(question: str, begins: str) -> None:
    _, turn = walk(library(kettle=KETTLE), question)
    assert turn.status is Status.AWAITING
    assert turn.plain.split("\n", 1)[1].startswith(begins)


MILL = """\
# Clean the mill

**Warning:** The blades are sharp.

You need a brush.

1. Take the lid off. Press the knob.
   - If the lid creaks, oil it.
   - If the knob wobbles badly, stop and call us. Do not press it.
2. Brush the blades.
   - If a blade is bent, see [Straighten a blade](#straighten-a-blade).

## Straighten a blade

1. Clamp it.
"""


@pytest.mark.parametrize(
    ("question", "case"),
    [
        ("the lid of my mill creaks", "- If the lid creaks, oil it."),
        ("the mill's knob wobbles badly", "- If the knob wobbles badly, stop and call us. Do not press it."),
        ("bent blade", "> - If a blade is bent, see Straighten a blade."),
        ("I clean my mill every day and the lid never creaks", None),
    ],
)
def test_a_walk_begins_at_the_case_that_the_question_names_below_what_must_hold(
    question: str, case: str | None
) -> None:
    _, turn = walk(library(mill=MILL), question)
    assert turn.status is Status.AWAITING
    assert "The blades are sharp." in turn.plain
    assert ("1. Take the lid off." in turn.plain) is (case is None)
    assert (case or "1. Take the lid off.") in turn.plain


@pytest.mark.parametrize(
    ("said", "begins"),
    [
        ("K7 on the kettle", "| K7 | Descale it |"),
        ("the mill's lid creaks", "- If the lid creaks, oil it."),
    ],
)
def test_what_is_said_after_nothing_fitted_counts_without_the_words_that_did_not_fit(said: str, begins: str) -> None:
    among = library(kettle=KETTLE, mill=MILL)
    _, turn = walk(among, "hello there, could somebody help the poor old janitor today", said)
    assert turn.status is Status.AWAITING
    assert begins in turn.plain
