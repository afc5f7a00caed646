"""What stores that look at every row have in common."""

from collections.abc import Callable

import pytest

from thread_core import Document, RuleExtractor
from thread_core.ports import Stored, Where
from thread_core.store.scanning import by_document, cosines, meets, translated

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
    with pytest.raises(ValueError, match=r"found the operator \$like, expected one of"):
        meets(ROW, {"team": {"$like": "s"}})


def test_cosines_leave_out_the_length():
    assert cosines([3.0, 4.0], [[6.0, 8.0], [-3.0, -4.0], [4.0, -3.0], [0.0, 0.0]]).tolist() == [1.0, -1.0, 0.0, 0.0]


def test_units_come_by_document_and_in_reading_order():
    text = "# Lamp\n\nLook.\n\n## Fuse\n\nAct.\n"
    rows = [Stored(unit, None) for name in "ba" for unit in RuleExtractor().extract(Document(name, text)).units]
    found = by_document(reversed(rows))
    assert list(found) == ["a", "b"]
    assert found["a"] + found["b"] == rows[2:] + rows[:2]


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({}, None),
        ({"team": "storage"}, "team $eq storage"),
        ({"team": "storage", "year": {"$gt": 1, "$lt": 9}}, "(team $eq storage & (year $gt 1 & year $lt 9))"),
        ({"team": "storage", "secret": 1}, "team $eq storage"),
        ({"$and": [{"team": "storage"}, {"secret": 1}]}, "team $eq storage"),
        ({"$or": [{"team": "storage"}, {"secret": 1}]}, None),
        ({"$or": [{"team": "storage"}, {"year": 1, "secret": 1}]}, "(team $eq storage | year $eq 1)"),
    ],
)
def test_a_filter_is_said_as_far_as_a_store_has_words_for_it(where: Where, said: str | None) -> None:
    """What is left out of it only lets more rows through."""

    def one(key: str, operator: str, value: object) -> str | None:
        return None if key == "secret" else f"{key} {operator} {value}"

    assert translated(where, one, _joined(" & "), _joined(" | ")) == said
    with pytest.raises(ValueError, match=r"found the operator \$like, expected one of"):
        translated({"secret": {"$like": "s"}}, one, _joined(" & "), _joined(" | "))


def _joined(word: str) -> Callable[[list[str]], str]:
    return lambda parts: f"({word.join(parts)})"
