from __future__ import annotations

import pytest

from thread_core.ingest.likeness import exact, words


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Open the valve.", "Then open a valve", True),
        ("Don't open it.", "Do not open it.", True),
        ("If you’re the owner, wait.", "If you are the owner, wait", True),
        ("Import the list.", "Export the list.", False),
        ("Open it.", "Never open it.", False),
    ],
)
def test_articles_contractions_and_punctuation_make_no_other_words(one: str, other: str, same: bool) -> None:
    assert (words(one) == words(other)) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Wait 5 minutes.", "Wait five min.", True),
        ("Wait 10 s.", "Wait 10s.", True),
        ("Run `df  -h`.", "Call `df  -h` now.", True),
        ("Wait 5 minutes.", "Wait 10 minutes.", False),
        ("Run `df -h`.", "Run `df -i`.", False),
        ("Run:\n\n```sh\ndf -h\n```", "Run:\n\n```sh\ndf -i\n```", False),
        ("Look at the CPU.", "Look at the RAM.", False),
        ("It is < 5.", "It is > 5.", False),
        ("Restart it.", "Do not restart it.", False),
        ("Open /etc/a.conf.", "Open /etc/b.conf.", False),
    ],
)
def test_numbers_names_code_signs_and_denials_are_compared_whatever_their_spelling(
    one: str, other: str, same: bool
) -> None:
    assert (exact(one) == exact(other)) is same
