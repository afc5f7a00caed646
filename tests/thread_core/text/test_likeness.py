from __future__ import annotations

import pytest

from thread_core.text.likeness import exact, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Open the valve.", "Then open a valve"),
        ("Don't open it.", "Do not open it."),
        ("If you’re the owner, wait.", "If you are the owner, wait"),
    ],
)
def test_articles_contractions_and_punctuation_make_no_other_words(one: str, other: str) -> None:
    assert words(one) == words(other)


@pytest.mark.parametrize(("one", "other"), [("Import the list.", "Export the list."), ("Open it.", "Never open it.")])
def test_another_word_does(one: str, other: str) -> None:
    assert words(one) != words(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wait 5 minutes.", "Wait five min."),
        ("Wait 10 s.", "Wait 10s."),
        ("Run `df  -h`.", "Call `df  -h` now."),
    ],
)
def test_another_spelling_of_a_fact_is_the_same(one: str, other: str) -> None:
    assert exact(one) == exact(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wait 5 minutes.", "Wait 10 minutes."),
        ("Run `df -h`.", "Run `df -i`."),
        ("Run:\n\n```sh\ndf -h\n```", "Run:\n\n```sh\ndf -i\n```"),
        ("Look at the CPU.", "Look at the RAM."),
        ("It is < 5.", "It is > 5."),
        ("Set max_size.", "Set min_size."),
        ("Restart it.", "Do not restart it."),
        ("Open /etc/a.conf.", "Open /etc/b.conf."),
    ],
)
def test_another_number_name_code_sign_or_denial_is_not(one: str, other: str) -> None:
    assert exact(one) != exact(other)
