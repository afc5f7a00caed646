"""A unit contains so much at most: what is larger comes in parts, each of whole lines, and none of them is lost."""

import time
from collections.abc import Callable

import pytest

from thread_core import Document, LogicUnit, RuleExtractor
from thread_core.extraction.fidelity import Extraction
from thread_core.layout import is_next, render
from thread_core.models import LogicUnitType
from thread_core.text.words import count_tokens

LARGE: dict[str, Callable[[int], str]] = {
    "a paragraph": lambda size: "\n".join(f"12:00 valve {at} was opened by hand" for at in range(size)),
    "a list": lambda size: "\n".join(f"- Turn wheel {at} by half a turn" for at in range(size)),
    "an item": lambda size: "1. Look at this:\n" + "\n".join(f"   wheel {at} has turned" for at in range(size)),
    "a table": lambda size: "| Wheel | Do |\n|---|---|\n" + "\n".join(f"| {at} | oil it |" for at in range(size)),
    "a table in an item": lambda size: (
        "- Look:\n\n  | Wheel | Do |\n  |---|---|\n" + "\n".join(f"  | {at} | oil it |" for at in range(size))
    ),
    "code": lambda size: "```sh\n" + "\n".join(f"wheelctl oil {at}" for at in range(size)) + "\n```",
    "code with gaps": lambda size: "```sh\n" + "\n\n".join(f"wheelctl oil {at}" for at in range(size)) + "\n```",
    "a quotation": lambda size: "\n".join(f"> wheel {at} has turned" for at in range(size)),
    "a script without spaces": lambda size: "\n".join("检查打印机的墨盒是否已满然后再试一次" for _ in range(size)),
    "front matter": lambda size: "---\n" + "\n".join(f"wheel{at}: oiled" for at in range(size)) + "\n---\n\nGo.",
}


def read(text: str, **bound: object) -> Extraction:
    return RuleExtractor(**bound).extract(Document("a.md", text))  # type: ignore[arg-type]


def own_lines(units: tuple[LogicUnit, ...]) -> list[int]:
    return [line for unit in units for line in range(unit.body_spans[-1].start, unit.body_spans[-1].end + 1)]


@pytest.mark.parametrize("shape", LARGE)
def test_no_unit_holds_more_and_each_line_stands_in_one(shape: str) -> None:
    text = LARGE[shape](3000)
    found = read(text)
    assert max(count_tokens(unit.body) for unit in found.units) <= 800
    assert found.report.coverage == 1
    lines = own_lines(found.units)
    assert len(lines) == len(set(lines))
    assert [unit.place for unit in found.units] == sorted(
        (unit.place for unit in found.units), key=lambda place: (place.anchor != "~leftover", place.number)
    )
    rows = text.split("\n")
    for unit in found.units:
        assert unit.body == "\n".join(rows[line - 1] for line in unit.numbers)
    for unit, upcoming in zip(found.units, found.units[1:], strict=False):
        if unit.type == upcoming.type:
            assert unit.links[-1].target is not None
            assert (is_next(unit.links[-1]), unit.links[-1].target.place) == (True, upcoming.place)
            assert unit.goes_on_with(upcoming)


@pytest.mark.parametrize("shape", LARGE)
def test_the_time_grows_with_the_text(shape: str) -> None:
    def seconds(size: int) -> float:
        started = time.process_time()
        read(LARGE[shape](size), max_tokens=100)
        return time.process_time() - started

    seconds(500)
    assert min(seconds(4000) for _ in range(3)) < 8 * seconds(1000) + 0.2


def test_it_is_cut_where_the_text_has_its_largest_seams() -> None:
    step = "1. Oil both of the wheels, then wait for a minute.\n\n   First the left one.\n   It is\n   the small one.\n"
    found = read(step, max_tokens=20)
    assert [unit.body for unit in found.units] == [
        "1. Oil both of the wheels, then wait for a minute.",
        "   First the left one.\n   It is\n   the small one.",
    ]
    found = read(step, max_tokens=12)
    assert [unit.body for unit in found.units][1:] == ["   First the left one.\n   It is\n   the small one."]
    assert [unit.body for unit in read(step, max_tokens=8).units][1:] == [
        "   First the left one.",
        "   It is\n   the small one.",
    ]


def test_the_head_of_a_table_counts_and_is_not_repeated_where_it_leaves_no_room() -> None:
    rows = "\n".join(f"| {at} | oil it |" for at in range(9))
    for head, is_repeated in (("Wheel | Do", True), ("Wheel of the left side | Do it then and there | " * 2, False)):
        found = read(f"| {head} |\n{'|---' * head.count('|')}|---|\n{rows}\n", max_tokens=30)
        later = found.units[-1]
        assert (head in later.body, len(later.body_spans) == 2) == (is_repeated, is_repeated)
        assert found.report.coverage == 1


def test_a_part_of_code_is_code_and_ends_where_it_is_shown() -> None:
    found = read("1. Run:\n\n   ```sh\n   a 1\n   a 2\n   a 3\n   a 4\n   ```\n\n2. Go.\n", max_tokens=14)
    first, last = found.units
    assert render(first).endswith("1. Run:\n\n   ```sh\n   a 1\n   a 2\n   a 3\n   ```")
    assert last.body == "   ```sh\n   a 4\n   ```\n\n2. Go."
    assert (first.steps, last.steps) == ((1,), (2,))
    report = found.report
    assert (report.code_blocks, report.code_blocks_kept, report.coverage) == (1, 0, 1)
    assert list(map(str, report.too_large)) == ["a.md:1-10"]


def test_code_that_fits_is_whole() -> None:
    code = "```sh\na 1\na 2\na 3\n```"
    found = read(f"Wait until the lamp is green, then go on.\n\n{code}\n", max_tokens=16)
    assert [unit.body for unit in found.units][1:] == [code]
    assert found.report.code_blocks_kept == 1


def test_a_line_is_cut_nowhere_and_told() -> None:
    long = "word " * 1000
    found = read(f"Here it is.\n{long}\nThere it was.\n")
    assert [unit.body for unit in found.units] == ["Here it is.", long, "There it was."]
    assert list(map(str, found.report.too_large)) == ["a.md:1-3", "a.md:2"]
    assert list(map(str, read("x" * 1_000_000).report.too_large)) == ["a.md:1"]


def test_links_and_steps_go_with_the_lines_that_state_them() -> None:
    filler = "\n".join(f"   The wheel turns {at} times." for at in range(20))
    text = (
        f"# Wheel\n\n1. Start it.\n{filler}\n   - If it hums, go to step 3.\n   - If it smokes, go to step 2.\n"
        f"2. Stop it.\n{filler}\n3. Leave.\n"
    )
    found = read(text, max_tokens=60)
    by_step = {step: unit for unit in found.units for step in unit.steps}
    stated = {link.condition: (unit, link.target) for unit in found.units for link in unit.links if link.condition}
    assert set(stated) == {"it hums", "it smokes"}
    for condition, step in (("it hums", 3), ("it smokes", 2)):
        unit, target = stated[condition]
        assert condition in unit.body
        assert target is not None
        assert target.place in (None, by_step[step].place)
        assert target.step == step


def test_what_is_no_step_is_read_on_in_its_parts() -> None:
    said = "\n".join(f"The wheel was built by hand {at} years ago." for at in range(40))
    first, second, *_, step = read(
        f"# Wheel\n\n## Background\n\n{said}\n\n## Steps\n\n1. Oil it.\n", max_tokens=200
    ).units
    assert {first.type, second.type} == {LogicUnitType.BACKGROUND}
    assert (first.goes_on_with(second), second.goes_on_with(first)) == (True, False)
    assert first.goes_on_with(step)


def test_characters_may_count() -> None:
    found = read(LARGE["a paragraph"](50), max_tokens=200, count=len)
    assert {len(unit.body) <= 200 for unit in found.units} == {True}


def test_a_bound_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="found 0, expected at least 1 token"):
        RuleExtractor(max_tokens=0)


def test_a_bound_that_differs_has_another_name() -> None:
    names = [RuleExtractor().name, RuleExtractor(max_tokens=90).name, RuleExtractor(max_tokens=90, count=len).name]
    assert names == ["rules", "rules 90 by count_tokens", "rules 90 by len"]
