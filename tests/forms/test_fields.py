"""No field of what is kept comes, goes or changes without another version of its form."""

from __future__ import annotations

import pytest

from tests.forms.fields import forms, known


@pytest.mark.parametrize("form", forms())
def test_fields_change_with_the_version_of_their_form_alone(form: str) -> None:
    told = f"raise the version of {form.rpartition(' ')[0]}, then run python -m tests.forms.fields (CONTRIBUTING.md)"
    assert known().get(form) == forms()[form], told
