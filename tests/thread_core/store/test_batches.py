import pytest

from thread_core.store.batches import batches


@pytest.mark.parametrize(
    ("size", "cut"), [(1, [[1], [2], [3], [4]]), (3, [[1, 2, 3], [4]]), (4, [[1, 2, 3, 4]]), (9, [[1, 2, 3, 4]])]
)
def test_items_come_in_order_and_none_is_left_out(size: int, cut: list[list[int]]) -> None:
    assert list(batches((1, 2, 3, 4), size)) == cut


def test_of_nothing_there_is_no_batch() -> None:
    assert list(batches([], 3)) == []
