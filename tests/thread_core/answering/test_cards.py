"""What a guide is for, as a menu and a prompt say it."""

import pytest

from thread_core import Document, RuleExtractor
from thread_core.answering.cards import purpose

STEP = "\n\n## Look\n\n1. Turn the key.\n"


@pytest.mark.parametrize(
    ("begins", "said"),
    [
        (
            "| Owner | Workshop |\n|---|---|\n| Level | 2 |\n\nThe pump drips when it is cold.",
            "The pump drips when it is cold",
        ),
        ("**Owner:** Kim  **Reviewed:** May\n\nThe pump drips when it is cold.", "The pump drips when it is cold"),
        ("**When:** the pump drips.", "When: the pump drips"),
        ("The pump **drips**: see `drip --all`.", "The pump drips: see `drip --all`"),
    ],
)
def test_what_a_guide_is_for_is_its_first_sentence_and_no_table_or_line_of_fields(begins: str, said: str) -> None:
    assert purpose(RuleExtractor().extract(Document("pump.md", f"# Pump\n\n{begins}{STEP}")).units) == said
