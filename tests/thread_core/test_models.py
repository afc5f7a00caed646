import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from thread_core import Document, Link, LinkAction, LogicUnit, LogicUnitType, Place, Span, Target
from thread_core.models import identify


def unit(**values: Any) -> LogicUnit:
    span = Span("a.md", 3, 4)
    plain: dict[str, Any] = {
        "id": "",
        "document_id": "a.md",
        "place": Place("fix", 1),
        "type": "step",
        "header": "Disk full: fix",
        "body": "1. Free space.",
        "spans": (span,),
        "body_spans": (span,),
    }
    return LogicUnit(**plain | values)


def ids(*units: LogicUnit) -> list[str]:
    return [named.id for named in identify(units)]


class TestDocument:
    def test_its_fields_may_be_given_by_position(self) -> None:
        document = Document("a.md", "text", "A", {"source": "wiki"})
        assert document == Document(id="a.md", text="text", title="A", metadata={"source": "wiki"})

    def test_it_needs_an_id(self) -> None:
        with pytest.raises(ValidationError, match="at least 1 character"):
            Document("", "text")

    def test_its_id_has_a_form_in_utf8(self) -> None:
        with pytest.raises(ValidationError, match="valid string, unable to parse raw data as a unicode string"):
            Document("a\udcff.md", "text")

    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("é😀\u2028\x00", "é😀\u2028\x00"),
            ("a\ud800b", "a\ufffdb"),
            ("\udcff\r\n\udcff", "\ufffd\r\n\ufffd"),
            ("\ud83d\ude00", "😀"),
        ],
    )
    def test_half_a_character_in_its_text_is_replaced(self, text: str, kept: str) -> None:
        document = Document("a.md", text, text)
        assert (document.text, document.title) == (kept, kept)

    def test_of_its_metadata_units_carry_the_scalars(self) -> None:
        metadata = {"a": "x\ud800", "b": 1, "c": 1.5, "d": True, "e": None, "f": ["x"], "g": {"h": 1}}
        assert Document("a.md", "", metadata=metadata).scalars == {"a": "x\ufffd", "b": 1, "c": 1.5, "d": True}

    def test_what_no_store_takes_is_left_out(self) -> None:
        metadata = {"": 1, "$and": 2, "#a": 3, "chroma:a": 4, "nan": float("nan"), "inf": float("-inf"), "kept": 0.5}
        assert Document("a.md", "", metadata=metadata).scalars == {"kept": 0.5}

    def test_numbers_of_a_table_are_numbers(self) -> None:
        metadata = {"a": np.int64(3), "b": np.float32(1.5), "c": np.bool_(True), "d": np.str_("x")}
        scalars = Document("a.md", "", metadata=metadata).scalars
        assert scalars == {"a": 3, "b": 1.5, "c": True, "d": "x"}
        assert [type(value) for value in scalars.values()] == [int, float, bool, str]

    def test_it_leaves_the_caller_s_metadata_alone(self) -> None:
        metadata = {"a": [1]}
        assert Document("a.md", "", metadata=metadata).metadata == {"a": [1]}
        assert metadata == {"a": [1]}


class TestSpan:
    def test_it_reads_as_a_citation(self) -> None:
        assert [str(Span("a.md", 4, 9)), str(Span("a.md", 4, 4))] == ["a.md:4-9", "a.md:4"]

    @pytest.mark.parametrize(("start", "end"), [(0, 1), (3, 2), (-1, -1)])
    def test_lines_count_from_1_and_go_forward(self, start: int, end: int) -> None:
        with pytest.raises(ValidationError):
            Span("a.md", start, end)


class TestValues:
    def test_they_do_not_change(self) -> None:
        with pytest.raises(ValidationError, match="frozen"):
            Place("a").anchor = "b"  # type: ignore[misc]

    def test_they_refuse_fields_that_they_do_not_know(self) -> None:
        with pytest.raises(ValidationError, match="Extra inputs"):
            Target(documnet="a.md")  # type: ignore[call-arg]

    def test_links_are_equal_by_value_and_can_be_counted(self) -> None:
        assert len({Link("a", "b", target=Target(step=1)), Link("a", "b", target=Target(step=1)), Link("a")}) == 2

    @pytest.mark.parametrize(
        ("action", "mark"),
        [
            (LinkAction.CONTINUE, "[CONTINUE]"),
            (LinkAction.CROSS, "[CROSS]"),
            (LinkAction.RESOLVED, "[MITIGATE]"),
            (LinkAction.ESCALATE, "[MITIGATE]"),
        ],
    )
    def test_an_action_has_the_paper_s_mark(self, action: LinkAction, mark: str) -> None:
        assert action.mark == mark


class TestLogicUnit:
    @pytest.mark.parametrize("kind", ["step", LogicUnitType.STEP])
    def test_a_type_that_is_known_is_the_enum_s(self, kind: str) -> None:
        assert unit(type=kind).type is LogicUnitType.STEP

    def test_another_type_is_any_word(self) -> None:
        assert unit(type="recipe").type == "recipe"

    @pytest.mark.parametrize("header", ["", "two\nlines", "cr\r"])
    def test_a_header_is_one_line(self, header: str) -> None:
        with pytest.raises(ValidationError):
            unit(header=header)

    @pytest.mark.parametrize("spans", ["spans", "body_spans"])
    def test_it_names_the_lines_that_it_came_from(self, spans: str) -> None:
        with pytest.raises(ValidationError, match="at least 1 item"):
            unit(**{spans: ()})

    def test_it_starts_at_the_lines_that_are_its_own(self) -> None:
        spans = (Span("a.md", 3, 4), Span("a.md", 9, 9))
        assert unit(body_spans=spans).start == 9
        assert unit(body_spans=spans, rewritten=True).start == 3

    def test_units_that_were_written_from_one_line_have_an_order(self) -> None:
        first, second = (unit(place=Place("a", number), rewritten=True) for number in (2, 10))
        kept = unit(place=Place("~leftover", 1))
        assert sorted([kept, second, first], key=lambda one: one.position) == [first, second, kept]

    def test_it_survives_json(self) -> None:
        full = unit(
            type="step",
            links=(Link("a", "b", LinkAction.CROSS, Target(document="c.md", place=Place("d", 2)), Span("a.md", 3, 3)),),
            prerequisites=("x",),
            parameters={"<port>": "8443"},
            steps=(1, 2),
            section=("Fix",),
            aliases=("KB1",),
            metadata={"a": True, "b": 1, "c": 1.0, "d": "1"},
        )
        again = LogicUnit.model_validate_json(full.model_dump_json())
        assert again == full
        assert (again.type, list(map(type, again.metadata.values()))) == (LogicUnitType.STEP, [bool, int, float, str])


class TestIdentify:
    def test_the_same_content_has_the_same_id(self) -> None:
        assert ids(unit()) == ids(unit()) == ["6d4d0b75-b726-5de5-920a-4f7d931b24e8"]

    @pytest.mark.parametrize(
        "change",
        [
            {"type": "faq"},
            {"header": "Other"},
            {"body": "1. Free space"},
            {"prerequisites": ("x",)},
            {"parameters": {"<a>": "1"}},
            {"links": (Link("a", "b"),)},
            {"document_id": "b.md"},
        ],
    )
    def test_other_content_has_another_id(self, change: dict[str, Any]) -> None:
        assert ids(unit(**change)) != ids(unit())

    @pytest.mark.parametrize(
        "change",
        [
            {"spans": (Span("a.md", 9, 9),)},
            {"body_spans": (Span("a.md", 9, 9),)},
            {"place": Place("other", 7)},
            {"steps": (1,)},
            {"title": "T", "date": "today", "section": ("S",), "aliases": ("A",), "metadata": {"a": 1}},
            {"links": (Link(query="next", target=Target(place=Place("fix", 2))),)},
        ],
    )
    def test_lines_places_and_the_bare_link_to_the_next_unit_are_no_content(self, change: dict[str, Any]) -> None:
        assert ids(unit(**change)) == ids(unit())

    def test_where_a_condition_leads_is_no_content(self) -> None:
        links = [
            Link("a", "b", LinkAction.CONTINUE),
            Link("a", "b", LinkAction.CONTINUE, Target(step=3), Span("a.md", 1, 1)),
            Link("a", "b", LinkAction.CONTINUE, Target(place=Place("x", 9)), Span("a.md", 2, 2)),
        ]
        assert len({ids(unit(links=(link,)))[0] for link in links}) == 1

    def test_what_repeats_in_a_document_is_counted(self) -> None:
        first, second, other, third = ids(unit(), unit(), unit(document_id="b.md"), unit())
        assert len({first, second, other, third}) == 4
        assert [first] == ids(unit())
        assert [other] == ids(unit(document_id="b.md"))

    def test_parameters_count_in_any_order(self) -> None:
        assert ids(unit(parameters={"a": "1", "b": "2"})) == ids(unit(parameters={"b": "2", "a": "1"}))


PROGRAM = """
import json, sys
from thread_core import Document, RuleExtractor
text = "# T\\n\\n- If a, go to step 2.\\n\\n| a | b |\\n|---|---|\\n| c | d |\\n"
units = RuleExtractor().extract(Document("a.md", text, metadata={"z": 1, "a": 2})).units
print(json.dumps([unit.model_dump(mode="json") for unit in units]))
"""


@pytest.mark.slow
def test_units_are_the_same_in_every_process() -> None:
    outputs = [
        subprocess.run([sys.executable, "-c", PROGRAM], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True)
        for seed in ("1", "2")
    ]
    first, second = (json.loads(output.stdout) for output in outputs)
    assert first == second
    assert all(unit["id"] for unit in first)
