"""Each form of a decision becomes what `forms_table` says, and docs/forms.md says the same."""

from __future__ import annotations

import pytest

from tests.thread_core.forms_table import FORMS, PAGE, Form, outcomes, page, units_of


@pytest.mark.parametrize("form", FORMS, ids=[form.name for form in FORMS])
def test_a_form_is_read_as_its_outcomes(form: Form) -> None:
    assert tuple(outcomes(units_of(form))) == form.outcomes


def test_the_page_of_forms_is_made_from_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"
