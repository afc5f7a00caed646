import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.thread_core.test_properties import documents
from thread_core import Document, Link, LinkAction, LogicUnit, Place, RuleExtractor, Span, Target
from thread_core.errors import BadDocument
from thread_core.extraction.finishing import finished
from thread_core.extraction.paper_json import read_json, write_json

EXAMPLES = sorted(Path("examples/documents").glob("*.md"))

DOCUMENT = Document("disk.md", "# Disk full\n\nSee `df -h`.\nIt is full.\n")
UNIT = LogicUnit(
    id="",
    document_id="disk.md",
    place=Place("look", 2),
    type="runbook",
    header="Disk full: Look",
    prerequisites=("You are on the node.",),
    body="See `df -h`.",
    links=(
        Link("it is full, then empty", "free some space", LinkAction.ESCALATE, Target(place=Place("b", 3)), None),
        Link("", "see the list", LinkAction.CROSS, Target(document="list.md", anchor="a"), Span("disk.md", 4, 4)),
    ),
    parameters={"volume": "/var"},
    steps=(1, 2),
    title="Disk full",
    date="2026-01-01",
    section=("Steps", "Look"),
    spans=(Span("disk.md", 1, 1), Span("disk.md", 3, 3)),
    body_spans=(Span("disk.md", 3, 3),),
    aliases=("KB1",),
    metadata={"team": "op", "count": 3},
)

PLAIN = """\
[
  {
    "#type#": "step",
    "#meta data#": {"Title": "Disk"},
    "#prerequisite#": "- You are on the node.\\n- None",
    "#header#": "Look at the disk",
    "#body#": "Run df.",
    "#linker#": "If it is full, then free some space. [CONTINUE]\\nOtherwise, open a ticket. [MITIGATE]",
    "#default_parameters#": {"port": 8443, "node": "web-3"}
  },
  {"#header#": "Free some space", "#body#": "Run rm.", "#linker#": ["None"]}
]
"""


def written(**changes: Any) -> str:
    """The JSON of one unit in which some keys are changed."""
    (unit,) = json.loads(write_json([UNIT]))
    return json.dumps([{**unit, **{f"#{key}#".replace("_data", " data"): value for key, value in changes.items()}}])


def provenance(**changes: Any) -> str:
    (unit,) = json.loads(write_json([UNIT]))
    return json.dumps([{**unit, "#meta data#": {**unit["#meta data#"], **changes}}])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_units_come_back_as_they_were(path: Path) -> None:
    document = Document(path.name, path.read_text(encoding="utf-8"), metadata={"team": "op"})
    units = RuleExtractor().extract(document).units
    text = write_json(units)
    assert read_json(text, document) == units
    assert read_json(text, Document(path.name, "")) == units


def test_the_form_has_the_paper_s_keys_and_everything_that_a_unit_holds() -> None:
    (read,) = read_json(write_json([UNIT]), DOCUMENT)
    assert [read.model_copy(update={"id": ""})] == finished([UNIT])
    assert read_json(write_json([]), Document("a.json", "")) == ()
    (unit,) = json.loads(write_json([UNIT]))
    assert unit.pop("#meta data#")["body_spans"] == [[3, 3]]
    assert unit == {
        "#type#": "runbook",
        "#prerequisite#": ["You are on the node."],
        "#header#": "Disk full: Look",
        "#body#": "See `df -h`.",
        "#linker#": [
            "If it is full, then empty, then free some space [MITIGATE]",
            "Then see the list [CROSS]",
        ],
        "#default_parameters#": {"volume": "/var"},
    }


def test_units_of_the_paper_s_keys_alone_are_cited_by_the_lines_of_the_json() -> None:
    first, second = read_json(PLAIN, Document("units.json", PLAIN, title="Disk"))
    assert (first.prerequisites, first.body, first.title, first.metadata) == (
        ("You are on the node.",),
        "Run df.",
        "Disk",
        {"Title": "Disk"},
    )
    assert first.links == (
        Link("it is full", "free some space."),
        Link("otherwise", "open a ticket.", LinkAction.ESCALATE),
    )
    assert first.parameters == {"port": "8443", "node": "web-3"}
    assert (first.spans, first.body_spans) == ((Span("units.json", 2, 10),), (Span("units.json", 2, 10),))
    assert (second.type, second.links, second.spans) == ("step", (), (Span("units.json", 11, 11),))
    assert (first.place, second.place) == (Place("", 1), Place("", 2))


def test_one_unit_needs_no_list() -> None:
    text = '\ufeff\r\n{"#header#": "h",\r\n"#body#": "b"}\r\n'
    (unit,) = read_json(text, Document("a.json", text))
    assert (unit.body, unit.spans) == ("b", (Span("a.json", 2, 3),))


def test_a_list_may_be_null_or_a_text_in_lines() -> None:
    text = '{"#header#": "h", "#body#": "b", "#prerequisite#": "- You know it.\\n- None", "#linker#": null}'
    (unit,) = read_json(text, Document("a.json", text))
    assert (unit.prerequisites, unit.links) == (("You know it.",), ())


def test_an_entry_that_was_changed_counts_as_it_is_written_now() -> None:
    changed = written(linker=["If it is full, then call us. [MITIGATE]", "Then see the list [CROSS]"])
    (unit,) = read_json(changed, DOCUMENT)
    assert unit.links == (Link("it is full", "call us.", LinkAction.RESOLVED), UNIT.links[1])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected the end of the JSON after line 1, found 'its end'"),
        ("[\n{}\n{}]", "unit 1 (line 2): #header#: Field required"),
        ('[\n{"#header#": "h", "#body#": "b"}\n{}]', "unit 2 (line 3): #header#: Field required"),
        ('{"#header#": "h", "#body#": "b"} more', "expected the end of the JSON after line 1, found 'more'"),
        ('[{"#header#": "h",\n"#body#": "b"}', "expected the end of the JSON after line 2, found 'its end'"),
        ("[" * 100_000, "invalid JSON after line 1"),
        ('{"#body#": ' + "9" * 5000 + "}", "invalid JSON after line 1"),
        ("[3]", "unit 1 (line 1): Input should be a valid dictionary or instance of _Written"),
        (written(header="two\nlines"), "unit 1 (line 1): header: String should match pattern"),
        (written(body=""), "unit 1 (line 1): #body#: String should have at least 1 character"),
        (written(body=3), "unit 1 (line 1): #body#: Input should be a valid string"),
        (written(other=3), "unit 1 (line 1): #other#: Extra inputs are not permitted"),
        (written(linker=3), "unit 1 (line 1): #linker#: Input should be a valid tuple"),
        (written(linker=[3]), "unit 1 (line 1): #linker#.0: Input should be a valid string"),
        (written(default_parameters={"a": None}), "unit 1 (line 1): #default_parameters#.a: Input should be a valid"),
        (provenance(document="etc.md"), "unit 1 (line 1): found the document 'etc.md', expected 'disk.md'"),
        (provenance(spans=[[3]]), "unit 1 (line 1): #meta data#.spans.0.1: Field required"),
        (provenance(body_spans=[[3, 2]]), "unit 1 (line 1): Value error, found the span 3-2"),
        (provenance(links=[{"what": 1}]), "unit 1 (line 1): Link.__init__() got an unexpected keyword"),
        (provenance(body_spans=[[3, 4]]), "unit 1: its body is not what disk.md:3-4 say"),
        (provenance(spans=[[3, 9]]), "unit 1: its body is not what disk.md:3 say"),
        (written(body="Run rm -rf /"), "unit 1: its body is not what disk.md:3 say"),
    ],
)
def test_what_is_not_of_this_form_is_refused_with_what_is_wrong_and_where(text: str, reason: str) -> None:
    with pytest.raises(BadDocument) as caught:
        read_json(text, DOCUMENT)
    assert reason in str(caught.value)
    assert caught.value.document_id == "disk.md"
    assert "\n" not in caught.value.reason


@given(documents)
def test_the_units_of_any_text_come_back(text: str) -> None:
    document = Document("a.md", text)
    units = RuleExtractor().extract(document).units
    assert read_json(write_json(units), document) == units


def test_a_body_that_was_rewritten_is_not_held_against_its_lines() -> None:
    rewritten = UNIT.model_copy(update={"body": "Look at the disk.", "rewritten": True})
    (unit,) = read_json(write_json([rewritten]), DOCUMENT)
    assert (unit.body, unit.rewritten) == ("Look at the disk.", True)
    with pytest.raises(BadDocument, match="its body is not what"):
        read_json(write_json([rewritten.model_copy(update={"rewritten": False})]), DOCUMENT)
