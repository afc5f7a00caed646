"""Roles, and whom a label says something is for."""

from __future__ import annotations

from thread_core.documents.applicability.roles import names_readers


def test_an_audience_names_readers() -> None:
    assert names_readers("Target audience:")
    assert not names_readers("Access")
