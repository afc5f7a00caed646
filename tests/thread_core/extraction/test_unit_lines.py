"""Units as JSON lines, out of a store and into another one."""

import json
from collections.abc import Callable

import pytest

from tests.thread_core.ingest.given import Small
from thread_core import Document, LogicUnit, RuleExtractor, Span
from thread_core.errors import BadFile, BadStore
from thread_core.extraction.unit_lines import UnitLines, as_documents, from_lines, to_lines
from thread_core.ingest import Ledger, ThreadIngest
from thread_core.ports import rows_of
from thread_core.testing.store import MemoryStore
from thread_core.testing.store_suite import a_full_unit

TEXTS = {
    "wheel.md": "# Wheel\n\n## Turn\n\nTurn it. If it squeaks, see [oil](oil.md).\n\n## Stop\n\nLet it run out.\n",
    "oil.md": "# Oil\n\n1. Oil the wheel.\n",
}


def a_store(*units: LogicUnit) -> MemoryStore:
    store = MemoryStore()
    store.write(units, Small().embed([unit.header for unit in units]))
    return store


def units_of_guides() -> list[LogicUnit]:
    return [unit for name, text in TEXTS.items() for unit in RuleExtractor().extract(Document(name, text)).units]


def test_a_unit_comes_back_with_every_field() -> None:
    [heading, line] = to_lines(a_store(a_full_unit()))
    assert json.loads(heading) == {"format": "thread-rag units", "units": 1, "version": 1}
    assert "🗑" in line and "\n" not in line
    assert list(from_lines([heading, line])) == [a_full_unit()]


def test_equal_stores_make_equal_lines_sorted_by_document_and_position() -> None:
    units = units_of_guides()
    lines = list(to_lines(a_store(*units)))
    assert list(to_lines(a_store(*reversed(units)))) == lines
    assert list(from_lines(lines)) == sorted(units, key=lambda unit: (unit.document_id, unit.position))


def test_nothing_is_a_heading() -> None:
    assert list(from_lines(to_lines(MemoryStore()))) == []


def test_a_store_that_is_written_meanwhile_is_told() -> None:
    store = a_store(*units_of_guides())
    lines = to_lines(store)
    next(lines)
    store.write(gone=store.ids(["wheel.md"]))
    with pytest.raises(BadStore, match="was changed while it was read"):
        list(lines)


def test_an_ingest_takes_lines_in_and_replaces_whole_documents() -> None:
    lines = list(to_lines(a_store(*units_of_guides(), a_full_unit())))
    there = MemoryStore()
    ledger = Ledger()
    ThreadIngest(there, Small(), ledger=ledger).run(
        [Document("oil.md", "# Oil\n\n1. Buy oil.\n"), Document("more.md", "# More\n\n1. Rest.\n")]
    )
    more = rows_of(there, "more.md")
    report = ThreadIngest(there, Small(), ledger=ledger, extractor=UnitLines()).run(as_documents(lines))
    assert (len(report.reports), report.added, report.removed) == (3, 4, 1)
    assert rows_of(there, "more.md") == more
    there.write(gone=[stored.unit.id for stored in more])
    assert list(to_lines(there)) == lines
    assert ThreadIngest(there, Small(), ledger=ledger, extractor=UnitLines()).run(as_documents(lines)).unchanged == 3


def edited(number: int, **fields: object) -> Callable[[list[str]], list[str]]:
    def edit(lines: list[str]) -> list[str]:
        lines[number - 1] = json.dumps(json.loads(lines[number - 1]) | fields)
        return lines

    return edit


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: [], r"line 1: expected \{\"format\".*found 'nothing'"),
        (lambda lines: lines[1:], "line 1: expected"),
        (edited(1, format="other"), "line 1: expected"),
        (edited(1, version=7), "line 1: version 7 of the format, expected 1"),
        (lambda lines: lines[:-1], "line 1 announces 3 units, but 2 follow"),
        (lambda lines: [*lines[:-1], lines[-1][:50]], "line 4: expected a logic unit; Invalid JSON"),
        (lambda lines: [*lines[:2], "", *lines[2:]], "line 3: expected a logic unit"),
        (edited(3, body=5), "line 3: expected a logic unit; body: Input should be a valid string"),
        (edited(3, place={"surprise": 5}), "line 3: expected a logic unit; .*surprise"),
        (edited(3, surprise=5), "line 3: expected a logic unit; surprise: Extra inputs"),
        (edited(3, body="Break the wheel."), "line 3: the id .* is not that of the unit's content"),
        (edited(3, spans=[Span("oil.md", 1, 2).model_dump()]), "line 3: a unit of wheel.md with the lines oil.md:1-2"),
        (lambda lines: [*lines, lines[-1]], "line 5: the id .* comes twice"),
        (lambda lines: [lines[0], lines[2], lines[1], lines[3]], "line 4: found more units of wheel.md"),
    ],
)
def test_damage_is_told_with_its_line(damage: Callable[[list[str]], list[str]], said: str) -> None:
    lines = damage(list(to_lines(a_store(*units_of_guides()))))
    with pytest.raises(BadFile, match=said):
        list(from_lines(lines))
