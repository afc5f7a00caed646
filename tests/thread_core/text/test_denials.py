from __future__ import annotations

import pytest

from thread_core.text.denials import denies, without_denials


@pytest.mark.parametrize("apostrophe", ["'", "\N{RIGHT SINGLE QUOTATION MARK}"])
@pytest.mark.parametrize("text", ["It doesn't start", "No lamp", "It never starts", "NOBODY knows", "It can't be"])
def test_it_denies(text: str, apostrophe: str) -> None:
    assert denies(text.replace("'", apostrophe))


@pytest.mark.parametrize("text", ["", "It starts", "a knot", "the notebook", "nonetheless", "an ant's nest"])
def test_it_denies_nothing(text: str) -> None:
    assert not denies(text)


def test_what_is_denied_stays() -> None:
    assert without_denials("The pump doesn't run and cannot stop").split() == "The pump run and stop".split()
