"""Roles, and whom a label says something is for."""

from __future__ import annotations

import pytest

from thread_core.text.roles import begins_title, names_readers, restriction


@pytest.mark.parametrize(
    ("label", "said", "excludes"),
    [
        *(("Audience", "DBA only.", "DBA only"), ("audience", "only the night shift", "only the night shift")),
        *(("Role:", "Operators only", "Operators only"), ("Required role", "administrator", "administrator")),
        *(("Audience", "Service desk", ""), ("Audience", "everybody", ""), ("Symptom", "the lamp only", "")),
    ],
)
def test_a_label_excludes_whom_it_says_only_or_required_of(label: str, said: str, excludes: str) -> None:
    assert restriction(label, said) == excludes


def test_a_title_begins_with_a_role() -> None:
    assert begins_title("DBA: fail over") == "DBA"
    assert begins_title("For administrators only: reset a key") == "For administrators only"
    assert begins_title("Pump: stands still") == ""
    assert begins_title("Administrator password: reset") == ""


def test_an_audience_names_readers() -> None:
    assert names_readers("Target audience:")
    assert not names_readers("Access")
