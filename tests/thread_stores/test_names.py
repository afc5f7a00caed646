"""Names of documents in PostgreSQL: what holds for every index of words, but that no word is found."""

from collections.abc import Iterator

import pytest

from tests.postgres import Postgres
from thread_core.errors import BadIndex
from thread_core.ports import LexicalIndex
from thread_core.testing.lexical_suite import DISK, QUEUE, LexicalIndexSuite, pages, units
from thread_stores.names import PostgresNames


@pytest.fixture
def address(postgres: Postgres) -> Iterator[str]:
    with postgres.database() as url:
        yield url.replace("postgresql+psycopg://", "postgresql://")


class TestPostgresNames(LexicalIndexSuite):
    test_words_are_found_in_any_script_and_form = None  # type: ignore[assignment]
    test_a_hit_names_its_unit_and_better_ones_have_higher_scores = None  # type: ignore[assignment]
    test_a_unit_is_found_by_any_of_its_words = None  # type: ignore[assignment]
    test_a_name_is_found_whole_and_by_its_parts = None  # type: ignore[assignment]
    test_a_question_may_be_as_long_as_a_log = None  # type: ignore[assignment]
    test_no_more_than_k_are_found = None  # type: ignore[assignment]
    test_what_is_added_and_removed_is_found_or_not = None  # type: ignore[assignment]
    test_an_index_that_grew_ranks_like_one_made_at_once = None  # type: ignore[assignment]
    test_an_update_that_fails_leaves_what_was_there = None  # type: ignore[assignment]
    test_nothing_is_taken_in_twice_for_one_version = None  # type: ignore[assignment]

    @pytest.fixture
    def index(self, address: str) -> LexicalIndex:
        return PostgresNames(address)

    def test_an_update_that_fails_leaves_the_names_that_were_there(self, index: LexicalIndex) -> None:
        index.update(pages(DISK))
        before = index.version(), [*index.names()]
        with pytest.raises(TypeError):
            index.update([units(QUEUE), None], index.ids())  # type: ignore[list-item]
        assert (index.version(), [*index.names()]) == before
        index.update(pages(QUEUE), index.ids(), index.version())
        assert (index.version(), [*index.names()]) == before, "it was there already"

    def test_other_processes_see_what_one_has_written(self, index: LexicalIndex, address: str) -> None:
        index.update([units(DISK, QUEUE)])
        other = PostgresNames(address)
        assert (other.version(), other.called("path 1"), other.search("disk", 5)) == (index.version(), ["1.md"], [])


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(BadIndex, match="the names of PostgreSQL's schema thread_names cannot be used"):
        PostgresNames("postgresql://me@/guides?host=/nowhere")
