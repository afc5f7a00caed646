import pytest

from thread_core.text.alarms import alarms


def named(text: str) -> list[str]:
    return [alarm.condition for alarm in alarms(text)]


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("Warning: It is heavy. If it smokes, leave the room.", ["it smokes"]),
        ("If you smell gas: open the windows, leave the house.", ["you smell gas"]),
        ("Call a doctor if acid was swallowed.", ["acid was swallowed"]),
        ("Smell of gas? Leave the house.", ["Smell of gas"]),
        ("Danger: Never use a belt that is torn or smells.", ["belt is torn", "belt smells"]),
        ("Caution: If the lamp is red, do not open the lid.", ["the lamp is red"]),
    ],
)
def test_a_warning_is_for_what_it_says_to_do_something_in_case_of(text: str, conditions: list[str]) -> None:
    assert named(text) == conditions


@pytest.mark.parametrize(
    "text",
    [
        "Warning: If you remove the disk, unplug it first.",
        "Warning: If the lid is open, the belt may stop.",
        "Warning: If a problem occurs, restore the registry.",
        "Warning: Never open the lid.",
        "Warning: If necessary, wear gloves.",
    ],
)
def test_it_is_not_for_what_the_reader_does_nor_where_it_says_nothing_to_do(text: str) -> None:
    assert named(text) == []


def test_each_of_several_things_is_one() -> None:
    assert [alarm.words for alarm in alarms("If you smell smoke or hear a bang, leave the room.")] == [
        ("smell", "smok"),
        ("bang",),
    ]
