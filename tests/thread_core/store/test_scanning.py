"""What stores that look at every row have in common."""

import pytest

from thread_core import Document, RuleExtractor
from thread_core.ports import Stored
from thread_core.store.scanning import by_document, cosines, meets

ROW = {"team": "storage", "year": 2024, "tags": ["disk", "log"], "none": None, "open": True}


@pytest.mark.parametrize(
    ("where", "met"),
    [
        (None, True),
        ({}, True),
        ({"team": "storage", "year": 2024}, True),
        ({"team": "storage", "year": 2023}, False),
        ({"year": {"$gt": 2023, "$lte": 2024}}, True),
        ({"year": {"$lt": 2024}}, False),
        ({"team": {"$gt": 3}}, False),
        ({"team": {"$in": ["storage", "network"]}}, True),
        ({"team": {"$nin": ["storage"]}}, False),
        ({"tags": {"$contains": "disk"}}, True),
        ({"tags": {"$not_contains": "disk"}}, False),
        ({"team": {"$contains": "storage"}}, False),
        ({"$or": [{"year": 2023}, {"team": "storage"}]}, True),
        ({"$and": [{"year": 2024}, {"$or": [{"team": "network"}]}]}, False),
        ({"missing": "storage"}, False),
        ({"missing": {"$ne": "storage"}}, True),
        ({"missing": {"$nin": ["storage"]}}, True),
        ({"none": {"$gt": 0}}, False),
        ({"open": {"$in": [False, True]}}, True),
        ({"open": 1}, False),
        ({"open": {"$gt": 0}}, False),
        ({"open": {"$nin": [1]}}, True),
        ({"none": {"$not_contains": "disk"}}, True),
    ],
)
def test_a_filter_is_read_as_chroma_reads_it(where, met):
    assert meets(ROW, where) is met


def test_an_unknown_operator_is_refused():
    with pytest.raises(ValueError, match=r"a filter knows \$eq, .* and \$or, got \$like"):
        meets(ROW, {"team": {"$like": "s"}})


def test_cosines_leave_out_the_length():
    assert cosines([3.0, 4.0], [[6.0, 8.0], [-3.0, -4.0], [4.0, -3.0], [0.0, 0.0]]).tolist() == [1.0, -1.0, 0.0, 0.0]


def test_units_come_by_document_and_in_reading_order():
    text = "# Lamp\n\nLook.\n\n## Fuse\n\nAct.\n"
    rows = [Stored(unit, None) for name in "ba" for unit in RuleExtractor().extract(Document(name, text)).units]
    found = by_document(reversed(rows))
    assert list(found) == ["a", "b"]
    assert found["a"] + found["b"] == rows[2:] + rows[:2]
