from hypothesis import given
from hypothesis import strategies as st

from thread_core.store.versioning import advanced, count_of, version_of

ids = st.sets(st.text(st.characters(exclude_categories=["Cs"])))


def test_the_same_units_have_one_version_in_every_process() -> None:
    assert version_of(["look", "act"]) == "2-020ac98c8cfb68d0bafb68f8a517d647"
    assert version_of(["act", "look"]) == "2-020ac98c8cfb68d0bafb68f8a517d647"


def test_no_units_have_none() -> None:
    assert (version_of([]), count_of("")) == ("", 0)
    assert advanced(version_of(["look", "act"]), removed=["act", "look"]) == ""


def test_other_units_have_another() -> None:
    versions = [version_of(some) for some in (["a"], ["b"], ["ab"], ["a", "b"], ["a", "c"], ["", "ab"])]
    assert len(set(versions)) == len(versions)


@given(ids, ids)
def test_what_comes_and_goes_leads_to_the_version_of_what_is_there(before: set[str], after: set[str]) -> None:
    version = advanced(version_of(before), added=after - before, removed=before - after)
    assert version == version_of(after)
    assert count_of(version) == len(after)
