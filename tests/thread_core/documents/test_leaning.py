import pytest

from tests.thread_core.guides import units_of
from thread_core.documents.leaning import OPPOSITE, in_english
from thread_core.walk.labels import labels_of


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


@pytest.mark.parametrize("verb", ["Ask", "Check", "Look", "Write down"])
def test_the_next_yes_and_no_are_about_whatever_is_to_be_found_out(verb: str) -> None:
    cases = "   - If **no**, wait.\n   - If **yes**, turn it.\n"
    [unit] = units_of(f"# A\n\n1. {verb} whether the lamp is lit.\n{cases}")
    assert [link.condition for link in unit.links if link.condition] == [
        f"{OPPOSITE}the lamp is lit",
        "the lamp is lit",
    ]


def test_a_question_that_begins_with_its_circumstances_is_listed_as_one() -> None:
    [unit] = units_of("# A\n\n1. After the start, is it lit? If yes, wait. If no, press it.\n")
    question = "After the start, is it lit?"
    assert [link.condition for link in unit.links if link.condition] == [question, f"{OPPOSITE}{question}"]
    assert list(labels_of([question, f"{OPPOSITE}{question}"])) == ["Yes", "No"]
