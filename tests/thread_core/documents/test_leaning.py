import pytest

from thread_core.documents.leaning import OPPOSITE, in_english


@pytest.mark.parametrize(
    ("condition", "denied"),
    [
        ("the note is older than a day", "the note is not older than a day"),
        ("the `is it up` probe was green (the lamp)", "the `is it up` probe was not green (the lamp)"),
        ("you can log in", "you cannot log in"),
        ("the disk has been replaced", "the disk has not been replaced"),
        # No verb that is denied by a "not" behind it.
        ("the line ends in paused", "unless the line ends in paused"),
        ("the user has full control", "unless the user has full control"),
        ("`it is up` appears", "unless `it is up` appears"),
        ("you're late", "unless you're late"),
        # A "not" would deny a part, or another thing.
        ("some pods are down", "unless some pods are down"),
        ("2 pods are down", "unless 2 pods are down"),
        ("there is room", "unless there is room"),
        ("it is up and the disk is full", "unless it is up and the disk is full"),
        ("it is red or blinks", "unless it is red or blinks"),
        ("it is red, blinking", "unless it is red, blinking"),
        ("it is not red", "unless it is not red"),
        ("it is still red", "unless it is still red"),
    ],
)
def test_an_opposite_is_said_in_english(condition: str, denied: str) -> None:
    assert in_english(f"{OPPOSITE}{condition}") == denied
    assert in_english(condition) == condition
