"""The rehearsals of the benchmarks, in short: writers killed, and readers while writers are at work."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

pytestmark = [pytest.mark.slow, pytest.mark.enable_socket, pytest.mark.filterwarnings("ignore")]
pytest.importorskip("ray", reason="thread-rag[ray] is not installed")
ray_crash = pytest.importorskip("ray_crash")
readers = pytest.importorskip("readers")


@pytest.mark.parametrize("store", ray_crash.STORES)
def test_after_kills_the_store_is_what_one_process_makes(store: str) -> None:
    tally = ray_crash.rehearse(2, seed=3, rounds=1, stores=[store])
    assert tally.differences == []
    assert (tally.killed, tally.rounds[store] >= 1) == (2, True)


def test_readers_see_each_document_before_or_after_while_writers_on_ray_change_it() -> None:
    seen, edits = readers.watched(True, reads=0, readers=2, seconds=20, on_ray=True)
    assert {what for _, what in seen} == {readers.WHOLE}
    assert (seen.total() > 10, edits >= readers.GUIDES) == (True, True)
