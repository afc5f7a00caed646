"""Where a walk begins."""

from __future__ import annotations

import pytest

from tests.thread_core.retrieval.test_rows import KETTLE
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
