"""What a Word document shows is in its Markdown, with the numbers of its steps as Word counts them."""

from __future__ import annotations

import pytest

from tests.thread_rag.office.made import (
    BULLETS,
    NUMBERS,
    cell,
    docx,
    item,
    level,
    numbering,
    of,
    paragraph,
    relation,
    run,
    styled,
    table,
)
from thread_core import Document, RuleExtractor
from thread_core.documents.printed import Printed
from thread_rag.office.pieces import Converted
from thread_rag.office.word import word_to_markdown


def read(data: bytes) -> Converted:
    return word_to_markdown(data, "guide.docx")


def test_steps_have_the_numbers_that_word_shows() -> None:
    body = item("Open") + item("Turn", 1) + item("Look", 2) + item("Lift", 1) + item("Close") + item("Press", 1)
    assert read(docx(body)).text.splitlines() == [
        "1. Open",
        "",
        "   a) Turn",
        "",
        "      i. Look",
        "   b) Lift",
        "2. Close",
        "",
        "   a) Press",
    ]


def test_a_list_goes_on_over_what_stands_between_its_items() -> None:
    body = item("Open") + paragraph("It is heavy.") + item("Close") + paragraph("All is done.")
    assert read(docx(body)).text == "1. Open\n\n   It is heavy.\n2. Close\n\nAll is done.\n"


def test_bullets_between_two_steps_are_of_the_first_one() -> None:
    body = item("Choose") + item("red", 0, 2) + item("blue", 0, 2) + item("Go on")
    assert read(docx(body)).text == "1. Choose\n\n   - red\n   - blue\n2. Go on\n"


def test_what_is_as_far_in_as_the_last_step_is_of_it() -> None:
    inside = paragraph("Wait.", '<w:ind w:left="720"/>')
    assert read(docx(item("Open") + inside + paragraph("Done."))).text == "1. Open\n\n   Wait.\n\nDone.\n"


@pytest.mark.parametrize(
    ("lists", "shown"),
    [
        (numbering({0: NUMBERS}, {1: of(0), 2: of(0)}), "1. 2. 3. 4."),
        (
            numbering(
                {0: NUMBERS},
                {1: of(0), 2: of(0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>')},
            ),
            "1. 2. 1. 2.",
        ),
        (numbering({0: NUMBERS, 1: NUMBERS}, {1: of(0), 2: of(1)}), "1. 2. 1. 2."),
        (numbering({0: level(0, "decimal", "%1.", 5)}, {1: of(0), 2: of(0)}), "5. 6. 7. 8."),
        (numbering({0: level(0, "upperRoman", "%1)")}, {1: of(0), 2: of(0)}), "I) II) III) IV)"),
    ],
    ids=["counts on", "begins anew", "another list", "begins with five", "roman"],
)
def test_lists_count_on_or_begin_anew(lists: str, shown: str) -> None:
    body = item("One") + item("Two") + styled("Then", "H1") + item("Three", 0, 2) + item("Four", 0, 2)
    text = read(docx(body, lists)).text
    assert [line.split()[0] for line in text.splitlines() if line and line != "# Then"] == shown.split()


def test_a_step_may_begin_with_an_address() -> None:
    address = "https://lamp.example/guide"
    link = f"<w:fldSimple w:instr='HYPERLINK \"{address}\"'>{run(address)}</w:fldSimple>"
    assert read(docx(item(link + run(" shows it.")))).text == f"1. <{address}> shows it.\n"


def test_a_level_may_count_on_below_another_step() -> None:
    levels = level(0, "decimal", "%1.") + level(1, "decimal", "%2.", more='<w:lvlRestart w:val="0"/>')
    body = item("A") + item("B", 1) + item("C") + item("D", 1)
    assert read(docx(body, numbering({0: levels}, {1: of(0)}))).text.split() == [
        "1.",
        "A",
        "1.",
        "B",
        "2.",
        "C",
        "2.",
        "D",
    ]


def test_a_list_may_begin_below_its_first_level_and_come_back_to_it() -> None:
    body = item("A") + item("B", 1, 2) + item("C", 0, 2) + item("D", 1, 2)
    text = read(docx(body, numbering({0: NUMBERS, 1: NUMBERS}, {1: of(0), 2: of(1)}))).text
    assert text.split() == ["1.", "A", "a)", "B", "2.", "C", "a)", "D"]
    assert [line[:2] for line in text.splitlines() if line.strip()] == ["1.", "  ", "2.", "  "]


def test_a_numbered_heading_keeps_its_number() -> None:
    levels = level(0, "decimal", "%1") + level(1, "decimal", "%1.%2")
    numbered = '<w:pStyle w:val="H{}"/><w:numPr><w:ilvl w:val="{}"/><w:numId w:val="1"/></w:numPr>'
    body = paragraph("Before", numbered.format(1, 0)) + paragraph("Tools", numbered.format(2, 1))
    assert read(docx(body, numbering({0: levels}, {1: of(0)}))).text == "# 1 Before\n\n## 1.1 Tools\n"


def test_a_reference_to_a_step_leads_there() -> None:
    field = "".join(
        f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>{then}'
        for kind, then in (
            ("begin", "<w:r><w:instrText> REF _Ref7 \\r \\h </w:instrText></w:r>"),
            ("separate", run("1")),
            ("end", ""),
        )
    )
    marked = '<w:bookmarkStart w:id="0" w:name="_Ref7"/>' + run("Open the valve") + '<w:bookmarkEnd w:id="0"/>'
    body = styled("Pump", "H1") + item(marked) + item(run("If it leaks, go back to step ") + field + run("."))
    made = read(docx(body))
    assert made.text.splitlines()[2:] == [
        '1. <a id="_Ref7"></a>Open the valve',
        "2. If it leaks, go back to step [1](#_Ref7).",
    ]
    links = [link for unit in RuleExtractor().extract(Document("g", made.text)).units for link in unit.links]
    assert [(link.condition, link.target and link.target.step) for link in links] == [("it leaks", 1)]


def test_links_lead_out_and_to_bookmarks() -> None:
    out = f'<w:hyperlink r:id="x">{run("page")}</w:hyperlink>'
    into = f'<w:hyperlink w:anchor="tools">{run("tools")}</w:hyperlink>'
    heading = '<w:bookmarkStart w:id="0" w:name="tools"/>' + run("Tools")
    body = paragraph(out + into) + styled(heading, "H1")
    links = relation("x", "hyperlink", "https://example.org/a", is_external=True)
    assert read(docx(body, links=links)).text == "[page](https://example.org/a)[tools](#tools)\n\n# Tools\n"


def test_changes_are_read_as_accepted() -> None:
    deleted = "<w:del><w:r><w:delText>left</w:delText></w:r></w:del>"
    inserted = f"<w:ins>{run('right')}</w:ins>"
    gone = paragraph("<w:del><w:r><w:delText>Gone</w:delText></w:r></w:del>", "<w:rPr><w:del/></w:rPr>")
    made = read(docx(item(run("Turn ") + deleted + inserted) + gone + item("Stop")))
    assert made.text == "1. Turn right\n2. Stop\n"
    assert made.problems == ("has tracked changes; they were read as accepted",)


def test_merged_cells_say_the_same_in_each_row() -> None:
    first, again = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"
    rows = (
        (cell("Lamp"), cell("Door"), cell("Do")),
        (cell("red", first), cell("open"), cell("close it")),
        (cell("", again), cell("closed"), cell("call us")),
        (cell("green", '<w:gridSpan w:val="2"/>'), cell("nothing")),
    )
    assert read(docx(table(*rows))).text.splitlines()[2:] == [
        "| red | open | close it |",
        "| red | closed | call us |",
        "| green |  | nothing |",
    ]


def test_boxes_code_notes_and_contents() -> None:
    mono = '<w:rFonts w:ascii="Courier New"/>'
    note = run("Stop it") + '<w:r><w:footnoteReference w:id="2"/></w:r>'
    boxed = "<w:r><w:pict><w:txbxContent>" + paragraph("Hot!") + "</w:txbxContent></w:pict></w:r>"
    body = (
        styled("Tools ... 3", "Toc")
        + styled("Mind the dog.", "Warn")
        + item(note)
        + paragraph(run("ls -l", mono))
        + paragraph(run("  pwd", mono))
        + item(run("Go on") + boxed)
        + table((cell("Note: it is loud."),))
    )
    parts = {"footnotes": f'<w:footnote w:id="2">{paragraph("With the red button.")}</w:footnote>'}
    made = read(docx(body, parts=parts, links=relation("f", "footnotes", "footnotes.xml")))
    assert made.text.split("\n\n") == [
        "> [!WARNING]\n> Mind the dog.",
        "1. Stop it[1]",
        "   [1] With the red button.",
        "   ```\n   ls -l\n     pwd\n   ```\n2. Go on",
        "   > Hot!",
        "> [!NOTE]\n> Note: it is loud.\n",
    ]


def test_each_line_knows_its_paragraph() -> None:
    made = read(docx(styled("Pump", "H1") + item("Open") + paragraph("") + item("Close")))
    assert made.text == "# Pump\n\n1. Open\n2. Close\n"
    assert made.printed == Printed("paragraph", [(1, 1), (3, 2), (4, 3)])
    document = Document("p.docx", made.text, metadata={"printed": str(made.printed)})
    assert [unit.metadata for unit in RuleExtractor().extract(document).units] == [{"printed": "paragraphs 2-3"}]


def test_a_bullet_that_is_empty_only_indents() -> None:
    lists = numbering({0: NUMBERS, 1: level(0, "bullet", " ")}, {1: of(0), 2: of(1)})
    assert read(docx(item("Open") + item("It is heavy.", 0, 2), lists)).text == "1. Open\n\n   It is heavy.\n"


def test_words_that_are_no_markup_stay_words() -> None:
    body = paragraph("# no heading &amp; &lt;b&gt; *no* [link](x)") + BULLETS[:0]
    assert read(docx(body)).text == "\\# no heading & \\<b> \\*no\\* [link\\](x)\n"
