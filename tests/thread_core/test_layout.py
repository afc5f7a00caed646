import json
from collections.abc import Callable
from typing import Any

import pytest

from thread_core import Document, Link, LinkAction, LogicUnit, LogicUnitType, Place, RuleExtractor, Span, Target
from thread_core.errors import BadStore
from thread_core.layout import (
    BODY,
    HEADER_PREFIX,
    LAYOUT,
    LINKER,
    MARKER,
    PREREQUISITE,
    REST,
    from_metadata,
    header_of,
    heading,
    linker_text,
    own_metadata,
    render,
    row_text,
    to_metadata,
    with_text,
)
from thread_core.models import Twin, changed

UNIT = LogicUnit(
    id="7",
    document_id="disk.md",
    place=Place("fix", 2),
    type=LogicUnitType.STEP,
    header="Disk full: fix",
    prerequisites=("The role `op`.", "A window."),
    body="| Use | Do |\n|---|---|\n| 90 % | free space |\n\n    \n",
    links=(
        Link("90 %", "free space", target=Target(place=Place("fix", 2)), evidence=Span("disk.md", 5, 5)),
        Link(
            "it fails",
            "see the guide",
            LinkAction.CROSS,
            Target(document="a/cert.md", anchor="x"),
            Span("disk.md", 5, 5),
        ),
        Link("the disk is broken", "open a ticket", LinkAction.ESCALATE),
        Link("", "step", target=Target(anchor="fix", step=5)),
        Link("", "Fix: check it", target=Target(place=Place("fix", 3))),
    ),
    parameters={"<port>": "8443"},
    steps=(1, 2),
    title="Disk full",
    date="2026-01-01",
    section=("Fix",),
    spans=(Span("disk.md", 1, 1), Span("disk.md", 3, 4), Span("disk.md", 5, 7)),
    body_spans=(Span("disk.md", 3, 4), Span("disk.md", 5, 7)),
    aliases=("KB12345",),
    metadata={"source": "wiki", "rank": 1, "weight": 0.5, "public": True},
)


def through_a_row(unit: LogicUnit) -> LogicUnit:
    """A unit written to a row and read again, the metadata by way of JSON, as stores keep it."""
    row = json.loads(json.dumps(with_text(unit, row_text(unit))).encode("utf-8"))
    return from_metadata(unit.id, row_text(unit), row)


def test_a_unit_reads_as_header_prerequisites_body_and_linker() -> None:
    assert render(UNIT) == (
        "Disk full: Fix\n"
        "Prerequisite: The role `op`.\n"
        "Prerequisite: A window.\n"
        "| Use | Do |\n|---|---|\n| 90 % | free space |\n\n    \n\n"
        "[CROSS] If it fails, then cert.md#x\n"
        "[MITIGATE] If the disk is broken, then open a ticket\n"
        "[CONTINUE] step 5"
    )


def test_a_unit_that_leads_nowhere_has_no_linker() -> None:
    unit = UNIT.model_copy(update={"links": (), "prerequisites": (), "body": "Do it."})
    assert (render(unit), linker_text(unit)) == ("Disk full: Fix\nDo it.", "")


@pytest.mark.parametrize(
    ("header", "body", "shown"),
    [
        (
            "Disk full: Fix: Find the largest folders",
            "1. List them with `du`.",
            "Disk full: Fix: Find the largest folders",
        ),
        ("Disk full: Fix: List them with du", "1. List *them* with `du`.", "Disk full: Fix"),
        ("Disk full: Fix: Restart the Mail Hub Pro serv", "Restart the `MailHubPro` service.", "Disk full: Fix"),
        ("Disk full: Fix", "Do it.", "Disk full: Fix"),
        ("Disk full: Fix the disk", "Do it.", "Disk full: Fix the disk"),
        ("Fix what is full", "Do it.", "Disk full: Fix what is full"),
    ],
)
def test_what_a_header_says_is_shown_unless_the_body_says_it(header: str, body: str, shown: str) -> None:
    assert heading(changed(UNIT, {"header": header, "body": body})) == shown


def test_a_unit_without_title_and_section_is_headed_by_its_header() -> None:
    bare = {"title": "", "section": (), "header": "Fix the disk"}
    assert heading(changed(UNIT, {**bare, "body": "lumenctl disk free"})) == "Fix the disk"
    assert heading(changed(UNIT, {**bare, "body": ""})) == "Fix the disk"


def test_a_row_s_text_begins_with_the_whole_header() -> None:
    assert header_of(row_text(UNIT)) == UNIT.header
    assert header_of(f"{HEADER_PREFIX}alone\r\nx") == "alone"


@pytest.mark.parametrize("text", ["", "A question?", "logic unit: no", "x\nLogic unit: y"])
def test_any_other_text_is_its_own_header(text: str) -> None:
    assert header_of(text) == text


def test_a_unit_survives_a_row() -> None:
    again = through_a_row(UNIT)
    assert again == UNIT
    assert again.type is LogicUnitType.STEP
    assert [type(value) for value in again.metadata.values()] == [str, int, float, bool]


def test_what_is_as_in_any_unit_takes_no_room_in_the_row() -> None:
    span = Span("disk.md", 1, 1)
    bare = LogicUnit(
        id="7",
        document_id="disk.md",
        place=Place(),
        type="step",
        header="Look",
        body="",
        spans=(span,),
        body_spans=(span,),
    )
    assert json.loads(to_metadata(bare)[REST]) == {"number": 1, "spans": [[1, 1]], "body_spans": [[1, 1]]}
    assert through_a_row(bare) == bare


def test_a_unit_survives_a_row_that_holds_the_body_itself() -> None:
    assert from_metadata("7", "anything", to_metadata(UNIT) | {BODY: UNIT.body}) == UNIT


def test_twins_and_the_lines_of_their_documents_survive() -> None:
    twin = Twin("höfe/send.md", "4b5c")
    shown = UNIT.model_copy(update={"twins": (twin,), "spans": (*UNIT.spans, Span(twin.document_id, 7, 9))})
    assert through_a_row(shown) == shown


def test_a_target_without_words_survives() -> None:
    unit = UNIT.model_copy(update={"links": (Link(target=Target()), Link(), Link(target=Target(place=Place())))})
    assert through_a_row(unit) == unit


@pytest.mark.parametrize("text", ["é 😀", "a\u2028b\x0bc", "\x00\x1f", '"\\', "\ufeff", "a\r\nb\rc"])
def test_any_text_survives(text: str) -> None:
    unit = UNIT.model_copy(
        update={
            "body": text,
            "prerequisites": (text,),
            "title": text,
            "section": (text,),
            "aliases": (text,),
            "links": (Link(text, text, LinkAction.CROSS, Target(document=text, anchor=text)),),
            "parameters": {text: text},
            "metadata": {"text": text},
        }
    )
    assert through_a_row(unit) == unit


def test_a_row_is_flat_and_has_every_key_every_time() -> None:
    bare = UNIT.model_copy(update={"links": (), "prerequisites": (), "parameters": {}, "steps": (), "metadata": {}})
    row = to_metadata(UNIT)
    assert {type(value) for value in row.values()} <= {str, int, float, bool}
    assert set(row) == set(to_metadata(bare)) | set(UNIT.metadata)
    assert (row[PREREQUISITE], row[LINKER]) == ("The role `op`.\nA window.", linker_text(UNIT))


def test_rows_change_when_the_content_changes() -> None:
    other = UNIT.model_copy(update={"links": UNIT.links[1:]})
    assert to_metadata(UNIT)[REST] != to_metadata(other)[REST]


@pytest.mark.parametrize(
    "key", ["lu_header", BODY, LINKER, PREREQUISITE, "_node_type", "chroma:document", "", "$x", "#x"]
)
def test_the_document_s_metadata_cannot_take_a_key_of_ours_or_of_the_stores(key: str) -> None:
    unit = UNIT.model_copy(update={"metadata": {key: "x", "kept": 1}})
    assert through_a_row(unit) == UNIT.model_copy(update={"metadata": {"kept": 1}})


def test_own_metadata_is_what_the_author_put_in() -> None:
    row = to_metadata(UNIT) | {"nothing": None, "list": [1], "nan": float("nan")}
    assert own_metadata(row) == UNIT.metadata


def test_keys_of_llama_index_are_the_author_s_in_other_rows() -> None:
    row = to_metadata(UNIT) | {"document_id": "7", "doc_id": "8", "ref_doc_id": "9", "doc_identifier": "KB-17"}
    assert own_metadata(row).keys() - UNIT.metadata == {"document_id", "doc_id", "ref_doc_id", "doc_identifier"}
    theirs = row | {"_node_content": "{}", "_node_type": "TextNode"}
    assert own_metadata(theirs).keys() - UNIT.metadata == {"doc_identifier"}


class TestForeignRows:
    @pytest.mark.parametrize("metadata", [{}, {"source": "x"}, {MARKER: LAYOUT + 1}, {MARKER: None}])
    def test_a_row_of_another_layout_is_refused(self, metadata: dict[str, Any]) -> None:
        with pytest.raises(BadStore, match=r"row 7 is not a logic unit of layout 3 .*; ingest the documents again"):
            from_metadata("7", "text", metadata)

    @pytest.mark.parametrize(
        "change",
        [{"spans": []}, {"links": "{"}, {"spans": [[3, 1]]}, {"number": "no"}, {"title": 7}, {"steps": 7}],
    )
    def test_a_damaged_row_is_refused(self, change: dict[str, Any]) -> None:
        rest = json.loads(to_metadata(UNIT)[REST]) | change
        row = with_text(UNIT, row_text(UNIT)) | {REST: json.dumps(rest)}
        with pytest.raises(BadStore, match=r"row 7 is damaged .*; ingest its document again"):
            from_metadata("7", row_text(UNIT), row)

    @pytest.mark.parametrize("change", [{REST: "{"}, {REST: "[]"}, {REST: None}, {"lu_header": ""}])
    def test_so_is_one_that_lacks_a_part(self, change: dict[str, Any]) -> None:
        row = with_text(UNIT, row_text(UNIT)) | change
        with pytest.raises(BadStore, match=r"row 7 is damaged .*; ingest its document again"):
            from_metadata("7", row_text(UNIT), row)

    @pytest.mark.parametrize("write", [row_text, render])
    def test_one_whose_text_was_cut_or_changed_is_refused(self, write: Callable[[LogicUnit], str]) -> None:
        text = write(UNIT)
        row = with_text(UNIT, text)
        body = text.index(UNIT.body)
        whole = [text, text[: body + len(UNIT.body)]]
        assert [from_metadata("7", one, row).body for one in whole] == [UNIT.body] * 2
        for other in (text[: body + 9], text[body:], text[9:] + text, f"In short: {text}", text.replace("op", "boss")):
            with pytest.raises(BadStore, match=r"the text of 7, of disk\.md, is not the complete text of its logic"):
                from_metadata("7", other, row)

    def test_a_cleaner_may_take_blanks_from_its_end(self) -> None:
        unit = changed(UNIT, {"body": "Run df.  \n", "links": ()})
        text = row_text(unit)
        assert from_metadata("7", text.strip(), with_text(unit, text)).body == "Run df."

    def test_a_row_without_its_body_is_refused(self) -> None:
        with pytest.raises(BadStore, match="damaged"):
            from_metadata("7", row_text(UNIT), to_metadata(UNIT))


def test_what_the_rules_make_survives() -> None:
    text = "---\na: é\n---\n# T\n\nBefore you begin, look.\n\n1. If a, see [b](c.md#d).\n2. x\n\n|a|b|\n|-|-|\n|c|d|\n"
    units = RuleExtractor().extract(Document("t.md", text, metadata={"k": 1})).units
    assert tuple(map(through_a_row, units)) == units


def test_of_a_rewritten_body_it_is_kept_that_it_is_one() -> None:
    unit = UNIT.model_copy(update={"rewritten": True, "metadata": {}})
    assert through_a_row(unit) == unit


def test_what_a_rewritten_body_leaves_to_the_linker_is_said_in_full() -> None:
    condition = "the lamp at the back of the left device blinks in red three times"
    link = Link(condition, "call the desk", LinkAction.ESCALATE, evidence=Span("disk.md", 5, 5))
    verbatim = UNIT.model_copy(update={"links": (link,)})
    assert linker_text(verbatim) == "[MITIGATE] If the lamp at the back of the left ..., then call the desk"
    rewritten = verbatim.model_copy(update={"rewritten": True})
    assert linker_text(rewritten) == f"[MITIGATE] If {condition}, then call the desk"
