"""Documents that a loader or another splitter has taken apart are whole again, and it is said what they have lost."""

import warnings
from collections.abc import Sequence
from typing import Any

import pytest

from thread_core import Document
from thread_core.errors import BadDocument
from thread_core.ingest.parts import Whole, arrived

ADVICE = "`load(path)` does"


def whole(*parts: Document) -> list[Whole]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [one for one in arrived(parts, ADVICE) if isinstance(one, Whole)]


def numbered(*texts: str, **metadata: Any) -> Sequence[Document]:
    return [Document(f"docs/pump.md_part_{at}", text, "", metadata) for at, text in enumerate(texts)]


def test_numbered_parts_are_one_document_with_their_headings() -> None:
    parts = numbered(
        "\n\nPump Start\n1. Turn the key.", "\n\nPump Stop\n1. Let it\nrun down.", file_path="docs/pump.md"
    )
    [(document, places)] = whole(*parts)
    assert document.text == "# Pump\n\n## Start\n\n1. Turn the key.\n\n## Stop\n\n1. Let it\nrun down."
    assert (document.id, document.metadata) == ("docs/pump.md", {"file_path": "docs/pump.md"})
    assert places == (("docs/pump.md_part_0", 1), ("docs/pump.md_part_1", 7))
    assert [Whole(document, places).part_of(line) for line in (1, 6, 7, 10)] == [parts[0].id] * 2 + [parts[1].id] * 2
    [problem] = document.problems
    assert problem.startswith("a Markdown file came in parts without heading marks")
    assert problem.endswith(f"; load files unchanged, as {ADVICE}")


def test_a_file_in_one_part_is_the_file() -> None:
    [(document, _)] = whole(*numbered("# Pump\n\n\nTurn the key.\n"))
    assert document == Document("docs/pump.md", "# Pump\n\n\nTurn the key.\n")


def test_parts_without_the_first_stay_as_they_are_and_it_is_said() -> None:
    _, *rest = numbered("\n\nPump\na", "\n\nPump\nb", "\n\nPump\nc")
    documents = [document for document, _ in whole(*rest)]
    assert [document.id for document in documents] == [part.id for part in rest]
    assert all("came without the parts before it" in document.problems[0] for document in documents)


def test_parts_that_their_metadata_tell_apart_or_of_other_files_stay_apart() -> None:
    pages = [Document(f"a.pdf_part_{at}", "text", "", {"page": at}) for at in range(2)]
    tagged = [Document(f"a.md_part_{at}", "text", "", {"tag": at}) for at in range(2)]
    assert [one.document.id for one in whole(*pages)] == [page.id for page in pages]
    assert [one.document.id for one in whole(*tagged)] == ["a.md", "a.md_part_1"]


def test_headings_of_the_metadata_come_back_where_they_stood() -> None:
    def part(text: str, **headings: str) -> Document:
        named = {f"Header {key[1:]}": value for key, value in headings.items()}
        return Document("pump.md", text, "", {"source": "pump.md", **named})

    lead, start, fuse = (
        part("Read this first."),
        part("Turn the key.  \nIf it fails, see [Fuse](#fuse).", h1="Pump", h2="Start"),
        part("### Fuse\nReplace it.", h1="Pump", h2="Start", h3="Fuse"),
    )
    [(document, _)] = whole(lead, start, fuse)
    assert document.text == (
        "Read this first.\n\n# Pump\n\n## Start\n\nTurn the key.\n\nIf it fails, see [Fuse](#fuse)."
        "\n\n### Fuse\nReplace it."
    )
    assert document.metadata == {"source": "pump.md"}
    cut_again = whole(start, start)
    assert [one.document.text for one in cut_again] == [start.text] * 2
    assert "read separately" in cut_again[0].document.problems[0]


def test_parts_of_nobody_knows_what_are_joined_below_the_same_first_heading_alone() -> None:
    one, two, other = (
        Document(str(at), text, "", {"Header 1": name, "Header 2": text})
        for at, (name, text) in enumerate([("Pump", "Start"), ("Pump", "Stop"), ("Fan", "Start")])
    )
    assert [len(one.parts) for one in whole(one, two, other)] == [2, 1]


def test_elements_are_one_document_with_headings_items_and_links() -> None:
    def element(text: str, category: str, **more: Any) -> Document:
        return Document("pump.md", text, "", {"source": "pump.md", "category": category, "element_id": text, **more})

    [(document, _)] = whole(
        element("Pump", "Title", category_depth=0),
        element("Start", "Title", category_depth=1),
        element("If it fails, see Fuse.", "ListItem", link_texts=["Fuse"], link_urls=["#fuse"]),
        element("Fuse", "Title", category_depth=1),
        element("Replace it.", "NarrativeText"),
    )
    assert document.text == "# Pump\n\n## Start\n\n- If it fails, see [Fuse](#fuse).\n\n## Fuse\n\nReplace it."
    assert document.metadata == {"source": "pump.md"}
    assert "came as elements" in document.problems[0]


def test_a_markdown_file_without_a_mark_is_told_of_and_read_as_it_stands() -> None:
    text = "Pump\n\nRead this first.\n\nStart\n\nTurn the key.\n\nWait."
    assert "without its marks" in whole(Document("pump.md", text))[0].document.problems[0]
    for name, other in (("pump.txt", text), ("pump.md", text.replace("Start", "## Start"))):
        [(document, _)] = whole(Document(name, other))
        assert document == Document(name, other)


def test_each_problem_is_warned_of_once_and_what_cannot_be_read_passes() -> None:
    bad = BadDocument("x", "is nothing")
    pages = [Document(name, "<html>") for name in ("a", "b")]
    with pytest.warns(UserWarning, match="^a: looks like HTML") as told:
        given = list(arrived([pages[0], bad, pages[1]], ADVICE))
    assert [one if one is bad else one.document.id for one in given if one is bad or isinstance(one, Whole)] == [
        "a",
        bad,
        "b",
    ]
    assert len(told) == 1


def test_pieces_of_a_splitter_that_lets_them_overlap_are_not_joined() -> None:
    pieces = [Document(name, "Turn the key.", "", {"file_path": "pump.md"}) for name in ("a", "b")]
    assert [one.document for one in whole(*pieces)] == pieces


def test_a_whole_file_that_names_its_heading_in_the_metadata_stays_as_it_is() -> None:
    document = Document("pump.md", "# Pump\n\nTurn  \nthe key.", "", {"Header 1": "Pump"})
    assert whole(document)[0].document == document
