import pytest

from thread_core import Document, Link, LinkAction, LogicUnit, LogicUnitType, Place, RuleExtractor, Span, Target
from thread_core.documents.blocks.markdown import parse
from thread_core.extraction.paper_form import is_written_so

PAGE = """\
---
date: 2026-01-01
---
# A cannot reach B

Start here.

## Check the health

### Prerequisite
- Calls fail.
- None

### Header
Check whether B answers its health check on every host that calls it from anywhere

### Body
Ask B:
```bash
curl https://b.example/healthz
```

#### In the lab
Ask the [test host](lab.md).

### Linker
- If B answers 503, or nothing at all, then check its instances. [CONTINUE]
- If the certificate is old, then follow [Rotate](rotate.md#Install). [CROSS]
- If B answers 200, then the issue is resolved. [MITIGATE]
- If it times out, then open a ticket. [MITIGATE]
- Otherwise, see [the list](lists/all.md).

## Check the instances

### Header
Check the instances

### Body
List them.

### Header
Start the instances

### Body
Start them.
"""


def read(text: str) -> tuple[LogicUnit, ...]:
    return RuleExtractor().extract(Document("a.md", text, metadata={"team": "op"})).units


def steps(text: str) -> list[LogicUnit]:
    return [unit for unit in read(text) if unit.type == LogicUnitType.STEP]


def test_a_page_in_the_paper_s_form_is_read_with_its_marks() -> None:
    first, second, third = steps(PAGE)
    question = "Check whether B answers its health check on every host that calls it from"
    assert first.header == f"A cannot reach B: Check the health: {question}"
    assert (first.place, first.section) == (Place("check-the-health", 1), ("Check the health",))
    assert (first.title, first.date, first.metadata) == ("A cannot reach B", "2026-01-01", {"team": "op"})
    assert (first.prerequisites, first.parameters, first.steps, first.rewritten) == (("Calls fail.",), {}, (), False)
    assert first.body == "\n".join(PAGE.splitlines()[17:24])
    assert first.body_spans == (Span("a.md", 18, 24),)
    rotate, everything = Target(document="rotate.md", anchor="install"), Target(document="lists/all.md")
    assert first.links == (
        Link("B answers 503, or nothing at all", "check its instances.", evidence=Span("a.md", 27, 27)),
        Link("the certificate is old", "follow Rotate.", LinkAction.CROSS, rotate, Span("a.md", 28, 28)),
        Link("B answers 200", "the issue is resolved.", LinkAction.RESOLVED, evidence=Span("a.md", 29, 29)),
        Link("it times out", "open a ticket.", LinkAction.ESCALATE, evidence=Span("a.md", 30, 30)),
        Link("otherwise", "see the list.", LinkAction.CROSS, everything, Span("a.md", 31, 31)),
    )
    assert [(unit.header, unit.place) for unit in (second, third)] == [
        ("A cannot reach B: Check the instances", Place("check-the-instances", 1)),
        ("A cannot reach B: Check the instances: Start the instances", Place("check-the-instances", 2)),
    ]


def test_a_unit_without_a_linker_goes_on_with_the_next_one_and_one_that_says_none_nowhere() -> None:
    unit = "### Header\nh\n### Body\nb\n"
    first, second, last = steps(f"# T\n{unit}{unit}### Linker\nNone\n{unit}")
    assert first.links == (Link(query="h", target=Target(place=second.place)),)
    assert (second.links, last.links) == ((), ())


def test_what_stands_outside_of_the_units_is_kept() -> None:
    assert [(unit.type, unit.body) for unit in read(PAGE) if unit.type != LogicUnitType.STEP] == [
        (LogicUnitType.APPENDIX, "---\ndate: 2026-01-01\n---"),
        (LogicUnitType.APPENDIX, "Start here."),
    ]


@pytest.mark.parametrize(
    ("entries", "links"),
    [
        *(
            (entries, [("a", "b.", "CONTINUE")])
            for entries in ("- If a, then b. [CONTINUE]", "If a, then b. [CONTINUE]")
        ),
        ("- [CONTINUE] If a, then b.", [("a", "b.", "CONTINUE")]),
        ("- When a, b. [MITIGATE]", [("a", "b.", "RESOLVED")]),
        ("- If a, then contact support. [MITIGATE]", [("a", "contact support.", "ESCALATE")]),
        ("- Go on. [CROSS]", [("", "Go on.", "CROSS")]),
        ("If a, then b. [CROSS]\nIf c, then d. [MITIGATE]", [("a", "b.", "CROSS"), ("c", "d.", "RESOLVED")]),
        ("- Then restart it if it hangs. [CONTINUE]", [("", "restart it if it hangs.", "CONTINUE")]),
        *((entries, []) for entries in ("- None", "- [CONTINUE]", "")),
    ],
)
def test_a_linker_is_a_list_of_conditions_and_intents(entries: str, links: list[tuple[str, str, str]]) -> None:
    (unit,) = steps(f"# T\n\n### Header\nh\n\n### Body\nb\n\n### Linker\n{entries}\n")
    assert [(link.condition, link.query, link.action) for link in unit.links] == links


def test_a_document_of_one_unit_needs_neither_title_nor_section() -> None:
    (unit,) = steps("## Header:\nDo it\n## Body:\nNow.\n## Linker\nNone")
    assert (unit.header, unit.body, unit.section, unit.place) == ("Header: Do it", "Now.", (), Place("", 1))


def test_a_unit_begins_at_its_prerequisite() -> None:
    unit = "### Prerequisites\np{0}\n### Header\nh{0}\n### Body\nb{0}\n"
    text = f"# T\n{unit.format(1)}{unit.format(2)}"
    assert [(unit.prerequisites, unit.header, unit.body) for unit in steps(text)] == [
        (("p1",), "T: h1", "b1"),
        (("p2",), "T: h2", "b2"),
    ]


def test_a_unit_without_header_or_body_is_kept_as_it_stands() -> None:
    text = "# T\n### Header\nh\n### Body\nb\n### Linker\nNone\n## More\n### Header\nonly a header\n"
    assert [(unit.type, unit.body) for unit in read(text)] == [
        (LogicUnitType.STEP, "b"),
        (LogicUnitType.APPENDIX, "## More\n### Header\nonly a header"),
    ]


@pytest.mark.parametrize("part", ["Prerequisite", "Header", "Linker"])
def test_code_outside_of_a_body_is_kept_byte_for_byte(part: str) -> None:
    text = "# T\n### Prerequisite\np\n### Header\nh\n### Body\nb\n### Linker\nl\n".replace(
        f"### {part}\n", f"### {part}\n- Run\n  ```\n  df -h\n  ```\n\n"
    )
    assert any("  ```\n  df -h\n  ```" in unit.body for unit in read(text))


@pytest.mark.parametrize(
    ("headings", "written_so"),
    [
        *((("Prerequisite", "Header", "Body", "Linker"), True), (("Header", "Body", "Linker"), True)),
        *((("prerequisites:", "HEADER", "Body"), True), (("Headers", "Body"), False), (("Header", "Linker"), False)),
        *((("Prerequisites", "Steps"), False), ((), False)),
    ],
)
def test_a_document_is_in_this_form_where_it_names_the_parts(headings: tuple[str, ...], written_so: bool) -> None:
    assert is_written_so(parse("\n\n".join(f"## {heading}\n\ntext" for heading in headings))) is written_so


def test_sections_within_sections_are_kept() -> None:
    check = "## Group\n### Check\n#### Header\nh\n#### Body\nb\n#### Linker\nNone\n"
    text = f"# T\n{check}## Other\n### Header\ni\n### Body\nc\n"
    assert [(unit.section, unit.header, unit.place) for unit in steps(text)] == [
        (("Group", "Check"), "T: Group: Check: h", Place("check", 1)),
        (("Other",), "T: Other: i", Place("other", 1)),
    ]


def test_type_and_parameters_may_be_given() -> None:
    (unit,) = read(
        "# T\n### Header\nh\n### Type\nfaq\n### Body\n`ssh a`\n"
        "### Default parameters\n- host: a\n- port:\n### Linker\nNone\n"
    )
    assert (unit.type, unit.parameters) == (LogicUnitType.FAQ, {"host": "a", "port": ""})


def test_a_body_may_stand_in_a_fence() -> None:
    text = "# T\n### Header\nh\n### Body\n````verbatim\n## No heading\n```\nopen\n````\n### Linker\nNone\n"
    (unit,) = read(text)
    assert unit.body == "## No heading\n```\nopen"
    assert (unit.body_spans, unit.spans[-3]) == ((Span("a.md", 6, 8),), Span("a.md", 5, 9))
