"""Each form of a decision becomes what `forms_table` says, and docs/forms.md says the same."""

from __future__ import annotations

import pytest

from tests.thread_core.forms_table import FORMS, PAGE, Form, outcomes, page, units_of
from thread_core import Document, RuleExtractor


@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
def test_a_form_is_read_as_its_outcomes(form: Form) -> None:
    assert tuple(outcomes(units_of(form))) == form.outcomes


def test_the_page_of_forms_is_made_from_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        ("If *File → Print* is grey, press F2.", ["File → Print is grey"]),
        ("If green → close it. If red -> call Ann, at any hour.", ["green", "red"]),
        ("If it is above 10 % → call Ann; otherwise → wait.", ["it is above 10 %", "not: it is above 10 %"]),
    ],
)
def test_an_arrow_ends_a_condition_but_not_in_the_name_of_a_menu(text: str, cases: list[str]) -> None:
    [unit] = RuleExtractor().extract(Document("a.md", f"# T\n\n{text}\n")).units
    assert [link.condition for link in unit.links if link.condition] == cases
