import pytest

from thread_core.documents.cases import heading_condition, is_rest, side_by_side


@pytest.mark.parametrize(
    ("heading", "condition"),
    [
        *(("If the queue grows", "the queue grows"), ("If the queue is stable:", "the queue is stable")),
        ("When the target cannot be reached", "the target cannot be reached"),
        *(("Unless the node is up", "not: the node is up"), ("In case of fire", "fire")),
        *(("Case 1: the lamp is red", "the lamp is red"), ("Scenario B - If the lamp is red", "the lamp is red")),
        *(("Otherwise:", "otherwise"), ("In all other cases", "otherwise"), ("Anything else", "otherwise")),
        *(("For the other cases", "otherwise"), ("Other cases", ""), ("When to call", ""), ("Case 1", "")),
        *(("Otherwise known as", ""), ("Before OCP 4.16", ""), ("Iffy", ""), ("If", ""), ("Steps", ""), ("", "")),
    ],
)
def test_a_heading_states_a_condition(heading: str, condition: str) -> None:
    assert heading_condition(heading) == condition


def test_lines_side_by_side_tell_cases_apart() -> None:
    told = ["For two nodes:", "with five of them:"]
    others = ["For example:", "For each node:", "For two nodes, stop it:", "For two. Stop:", "Forty:"]
    assert side_by_side([*told, *others]) == {*told}
    assert side_by_side([told[0], told[0], *others]) == frozenset()


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        *(("any other", True), ("All others", True), ("other codes", True), ("Anything else", True), ("default", True)),
        *(("none of these", True), ("Other", True), ("another lamp is red", False), ("E9", False)),
        ("other " * 900, False),
    ],
)
def test_a_condition_may_be_for_all_that_is_not_named(condition: str, found: bool) -> None:
    assert is_rest(condition) is found
