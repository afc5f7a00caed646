from __future__ import annotations

import pytest

from thread_core.text.denials import denies, in_words, may_deny, without_denials


@pytest.mark.parametrize("apostrophe", ["'", "\N{RIGHT SINGLE QUOTATION MARK}"])
@pytest.mark.parametrize("text", ["It doesn't start", "No lamp", "It never starts", "NOBODY knows", "It can't be"])
def test_it_denies(text: str, apostrophe: str) -> None:
    assert denies(text.replace("'", apostrophe))


@pytest.mark.parametrize("text", ["", "It starts", "a knot", "the notebook", "nonetheless", "an ant's nest"])
def test_it_denies_nothing(text: str) -> None:
    assert not denies(text)


def test_what_is_denied_stays() -> None:
    assert without_denials("The pump doesn't run and cannot stop").split() == "The pump run and stop".split()


@pytest.mark.parametrize(
    "text",
    ["Ich habe kein Windows", "je n'ai pas Windows", "Windowsではありません", "我没有Windows", "Bez Windows"],
)
def test_it_may_deny_in_another_language(text: str) -> None:
    assert may_deny(text)


@pytest.mark.parametrize(
    "text", ["There is no sound", "It is not red", "non-volatile", "Unter Windows", "The single pass"]
)
def test_it_denies_in_no_other_language(text: str) -> None:
    assert not may_deny(text)


@pytest.mark.parametrize("text", ["sealed: false", "sealed=no", "sealed? no", '{"sealed": false, "open": 1}'])
def test_a_value_that_says_no_denies_its_name(text: str) -> None:
    assert "not sealed;" in in_words(text)


@pytest.mark.parametrize("text", ["sealed: no errors", "lag: 0", "lag: 0 ms", "sealed: falsehood", "a note"])
def test_other_values_deny_nothing(text: str) -> None:
    assert "not" not in in_words(text).split()
