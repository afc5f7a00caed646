"""An ingest that is killed ends where one that was never killed does, and the rehearsal sees it when it does not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

import _guides
import crash
import readers

from thread_core import RuleExtractor


@pytest.mark.slow
@pytest.mark.enable_socket
def test_after_ten_kills_the_store_is_what_a_fresh_ingest_makes() -> None:
    tally = crash.rehearse(10, seed=2, rounds=1)
    assert tally.differences == []
    assert tally.kills.total() == tally.hit.total() - tally.hit[crash.ENDED] == 10
    assert tally.asked > 0 == tally.repeated


ROW: dict[str, Any] = {"text": "Look", "metadata": {"lu_document": "a.md", "lu_layout": 1}, "vector": [1.0, 0.0]}


def seen(**rows: dict[str, Any]) -> dict[str, Any]:
    return {"rows": rows, "words": sorted(rows), "in step": True, "intents": 0, "links": [], "not found": []}


@pytest.mark.parametrize(
    ("store", "what"),
    [
        (seen(), "row 1 of a.md is missing"),
        (seen(_1=ROW, _2=ROW), "row 2 of a.md is too many"),
        (seen(_1=ROW, _2={**ROW, "metadata": {"lu_layout": 0}}), "row 2 of nothing is too many, and outdated"),
        (seen(_1={**ROW, "text": "Act"}), "row 1 of a.md differs in its text"),
        (seen(_1={**ROW, "metadata": {"lu_document": "b.md"}}), "row 1 of b.md differs in its metadata"),
        (seen(_1={**ROW, "vector": [0.9, 0.1]}), "row 1 of a.md differs in its vector"),
        ({**seen(_1=ROW), "intents": 2}, "intents: 2 instead of 0"),
        ({**seen(_1=ROW), "links": ["a"]}, "links: ['a'] instead of []"),
        ({**seen(_1=ROW), "in step": False}, "in step: False instead of True"),
        ({**seen(_1=ROW), "not found": ["_1"]}, "not found: ['_1'] instead of []"),
    ],
)
def test_each_difference_is_seen(store: dict[str, Any], what: str) -> None:
    assert what in [said.replace("_", "") if "row" in said else said for said in crash.different(store, seen(_1=ROW))]


def test_equal_stores_are_equal_but_for_rounding() -> None:
    assert list(crash.different(seen(_1=ROW), seen(_1={**ROW, "vector": [1.0, 1e-8]}))) == []


# -- readers -------------------------------------------------------------------------------------------------------


def test_no_unit_is_of_both_versions_of_a_guide() -> None:
    old, new = (RuleExtractor().extract(readers.guide(0, version)).units for version in (0, 1))
    assert not {unit.id for unit in old} & {unit.id for unit in new}
    assert [unit.header for unit in old] == [unit.header for unit in new][: len(old)]
    for version, units in enumerate((old, new)):
        assert all(readers.VERSIONS[version] in unit.body for unit in units)


KNOWN = {"1": ("a", "old"), "2": ("a", "old"), "3": ("a", "new"), "4": ("b", "old"), "5": ("b", "new")}


@pytest.mark.parametrize(
    ("found", "whole", "what"),
    [
        ("12", True, readers.WHOLE),
        ("3", True, readers.WHOLE),
        ("1", False, readers.WHOLE),
        ("15", False, readers.WHOLE),
        ("1", True, readers.INCOMPLETE),
        ("", True, readers.NOTHING),
        ("4", False, readers.NOTHING),
        ("13", False, readers.OLD_AND_NEW),
        ("145", False, readers.OLD_AND_NEW),
    ],
)
def test_what_is_in_between_is_seen(found: str, whole: bool, what: str) -> None:
    assert readers.judged("a", list(found), KNOWN, whole=whole) == what


@pytest.mark.slow
@pytest.mark.enable_socket
@pytest.mark.parametrize("served", [False, True])
def test_a_reader_sees_a_document_before_or_after_an_edit(served: bool) -> None:
    counted, edits = readers.watched(served, reads=100, readers=2)
    assert {what for _, what in counted} == {readers.WHOLE}
    assert (counted.total(), edits > 0) == (100, True)


# -- the guides ----------------------------------------------------------------------------------------------------


def test_guides_are_the_same_in_every_run_and_different_from_each_other() -> None:
    made = list(_guides.guides(1000))
    assert made == list(_guides.guides(1000))
    assert len({guide.id for guide in made}) == len({guide.text for guide in made}) == len(made)
    assert sum(len(RuleExtractor().extract(guide).units) for guide in made) == pytest.approx(1000, rel=0.1)


@pytest.mark.parametrize("number", [7, 29, 96, 388, 914])
def test_the_next_version_of_a_guide_is_another_body_under_the_same_headers(number: int) -> None:
    old, new = (RuleExtractor().extract(_guides.guide(number, 1000, version)).units for version in (0, 1))
    assert [unit.header for unit in old] == [unit.header for unit in new]
    assert sum(one.body != other.body for one, other in zip(old, new, strict=True)) == 1
