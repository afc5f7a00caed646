import pytest

from thread_core.text.cases import heading_condition


@pytest.mark.parametrize(
    ("heading", "condition"),
    [
        ("If the queue grows", "the queue grows"),
        ("If the queue is stable:", "the queue is stable"),
        ("When the target cannot be reached", "the target cannot be reached"),
        ("Unless the node is up", "not: the node is up"),
        ("In case of fire", "fire"),
        ("Case 1: the lamp is red", "the lamp is red"),
        ("Scenario B - If the lamp is red", "the lamp is red"),
        ("Otherwise:", "otherwise"),
        ("In all other cases", "otherwise"),
        ("Anything else", "otherwise"),
        ("For the other cases", "otherwise"),
        ("Other cases", ""),
        ("When to call", ""),
        ("Case 1", ""),
        ("Otherwise known as", ""),
        ("Before OCP 4.16", ""),
        ("Iffy", ""),
        ("If", ""),
        ("Steps", ""),
        ("", ""),
    ],
)
def test_a_heading_states_a_condition(heading: str, condition: str) -> None:
    assert heading_condition(heading) == condition
