from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.thread_core.test_properties import documents
from thread_core import Document, Link, LinkAction, LogicUnit, Place, RuleExtractor, Span, Target
from thread_core.extraction.paper_form import read
from thread_core.extraction.paper_markdown import write_markdown
from thread_core.text.markdown import parse

EXAMPLES = sorted(Path("examples/documents").glob("*.md"))


def unit(body: str = "Run `df -h`.", **fields: Any) -> LogicUnit:
    span = Span("a.md", 1, 1)
    given = {"header": "T: Look", "title": "T", "place": Place("", 1), "type": "step", **fields}
    return LogicUnit(id="", document_id="a.md", body=body, spans=(span,), body_spans=(span,), **given)


def read_back(units: list[LogicUnit] | tuple[LogicUnit, ...]) -> tuple[LogicUnit, ...]:
    text = write_markdown(units)
    return read(Document("a.md", text), parse(text))


def kept(units: list[LogicUnit] | tuple[LogicUnit, ...]) -> list[tuple[Any, ...]]:
    return [
        (
            *(str(unit.type), unit.header, unit.prerequisites, unit.body, dict(unit.parameters)),
            [(link.condition, link.query, link.action) for link in unit.links],
        )
        for unit in units
    ]


def test_units_are_written_in_the_paper_s_form() -> None:
    units = [
        unit(
            section=("Steps", "Look"),
            header="T: Steps: Look: Run df -h",
            prerequisites=("You are on <node>.",),
            links=(
                Link("it is full", "free some space.", LinkAction.CONTINUE),
                Link("", "see the list", LinkAction.CROSS, Target(document="my list.md", anchor="a")),
            ),
            parameters={"node": "web_3"},
        ),
        unit("## Sources", section=("Steps",), header="T: Steps", type="appendix"),
    ]
    assert write_markdown(units) == (
        "# T\n\n## Steps\n\n### Look\n\n#### Prerequisite\n\n- You are on \\<node\\>.\n\n#### Header\n\nRun df -h\n\n"
        "#### Body\n\nRun `df -h`.\n\n#### Default parameters\n\n- node: web\\_3\n\n#### Linker\n\n"
        "- If it is full, then free some space. [CONTINUE]\n- Then [see the list](<my list.md#a>) [CROSS]\n\n"
        "## Steps\n\n### Header\n\nSteps\n\n### Type\n\nappendix\n\n### Body\n\n```verbatim\n## Sources\n```\n\n"
        "### Linker\n\nNone\n"
    )
    assert kept(read_back(units)) == kept(units)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_is_written_is_read_again(path: Path) -> None:
    units = RuleExtractor().extract(Document(path.name, path.read_text(encoding="utf-8"))).units
    assert kept(read_back(units)) == kept(units)


@pytest.mark.parametrize(
    "body",
    [
        "# Heading",
        "text\n\nHeading\n===",
        "### Linker",
        "```\nopen",
        "```` `\nx\n````",
        "<!-- open",
        "<details>\n<summary>x</summary>",
        "[a]: b.md",
        "text\n\n[a]: b.md",
        "---\ntitle: x\n---",
        "    indented\n\n    code",
        "   - deep\n\n     more",
        "| a |\n|---|\n| b |",
        "```verbatim\nx\n```",
        "a\r\nb\r\n\r\nc",
        "> quoted",
        "1. one\n\n   two",
        "\\",
    ],
)
def test_any_body_comes_back_byte_for_byte(body: str) -> None:
    assert [unit.body for unit in read_back([unit(body), unit("after")])] == [body, "after"]


@pytest.mark.parametrize(
    "text",
    [
        "1. first",
        "- a",
        "# b #",
        "*a* _b_ `c` <d> & &amp; [e](f) \\ | ~g~",
        "+ a",
        "=== a",
        "12) b",
        "--force",
        "a > b",
    ],
)
def test_any_words_come_back(text: str) -> None:
    units = [
        unit(
            prerequisites=(text,),
            links=(Link(text, text), Link("", text, LinkAction.CROSS, Target(document="b.md"))),
            parameters={"a": text},
        )
    ]
    assert kept(read_back(units)) == kept(units)
    assert read_back(units)[0].links[1].target == Target(document="b.md")


def test_a_chain_leads_on_as_it_did() -> None:
    second = unit(place=Place("", 2), header="T: Next")
    first = unit(links=(Link(query="Next", target=Target(place=second.place)),))
    assert [one.links for one in read_back([first, second])] == [first.links, ()]


def test_units_after_a_section_come_back_without_it() -> None:
    units = [unit(section=("A", "B"), header="T: A: B: Look"), unit(section=("A",), header="T: A: Look"), unit()]
    assert kept(read_back(units)) == kept(units)


def test_no_units_are_no_text() -> None:
    assert write_markdown([]) == ""


@settings(max_examples=50)
@given(documents)
def test_the_bodies_of_any_text_come_back(text: str) -> None:
    units = RuleExtractor().extract(Document("a.md", text)).units
    assert [one.body for one in read_back(units)] == [one.body for one in units]
