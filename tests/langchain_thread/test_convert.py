from pathlib import Path

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage

from langchain_thread.convert import is_unit, said_by_person, to_document, to_sources, to_unit
from thread_core import Document as SourceDocument
from thread_core import RuleExtractor
from thread_core.errors import BadStore

PAGES = sorted((Path(__file__).parents[2] / "examples" / "documents").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_unit_of_a_page_comes_back_whole(page: Path) -> None:
    source = SourceDocument(page.name, page.read_text(), metadata={"team": "platform", "pages": 3})
    units = RuleExtractor().extract(source).units
    assert tuple(to_unit(to_document(unit)) for unit in units) == units


def test_a_unit_with_carriage_returns_comes_back_whole() -> None:
    units = RuleExtractor().extract(SourceDocument("a.md", "# Disk full\r\n\r\n1. Stop it.\r\n2. Start it.")).units
    assert tuple(to_unit(to_document(unit)) for unit in units) == units


def test_metadata_that_bears_our_names_does_not_hide_the_unit() -> None:
    own = {"body": "a mail's body", "prerequisite": "none", "lu_type": "letter", "team": "platform"}
    unit = RuleExtractor().extract(SourceDocument("a.md", "# Disk full\n\n1. Free space.")).units[0]
    document = to_document(unit, own)
    assert to_unit(document).body == "1. Free space."
    assert (document.metadata["prerequisite"], document.metadata["team"]) == ("", "platform")
    assert own["body"] == "a mail's body"


def test_of_metadata_that_bears_our_names_it_is_said_that_it_is_left_out() -> None:
    documents = [Document("text", metadata={"source": "a.md", "body": "x", "lu_type": "y", "team": "z", 7: 8})]
    with pytest.warns(UserWarning, match="the documents' metadata body, lu_type is left out"):
        (source,) = to_sources(documents)
    assert dict(source.metadata) == {key: value for key, value in documents[0].metadata.items() if key != 7}


def test_an_ordinary_chunk_is_no_unit() -> None:
    chunk = Document("some chunk", metadata={"source": "a.md"}, id="c1")
    assert not is_unit(chunk)
    with pytest.raises(BadStore, match="c1 is not a logic unit"):
        to_unit(chunk)


def test_a_document_is_known_by_its_id_then_by_its_source() -> None:
    named = Document("text", id="guide", metadata={"source": "guide.md", "title": "The guide"})
    sourced = Document("text", metadata={"source": Path("docs/guide.md")})
    assert [(source.id, source.title) for source in to_sources([named, sourced])] == [
        ("guide", "The guide"),
        ("docs/guide.md", ""),
    ]


def test_a_text_without_a_name_gets_an_id_from_its_content() -> None:
    (first,), (again,), (other,) = (
        to_sources([Document(text)]) for text in ("**Free** the disk.\nThen", "**Free** the disk.\nThen", "Else")
    )
    assert first.id == again.id != other.id
    assert first.id.endswith("/Free the disk")


def test_a_text_that_is_no_valid_unicode_gets_an_id_too() -> None:
    assert next(to_sources([Document("broken \ud800 text")])).id.endswith("/broken text")


def test_pages_of_one_file_are_documents_of_their_own_whichever_come_together() -> None:
    pages = [Document("footer", metadata={"source": "a.pdf", "page": number}) for number in range(3)]
    names = ["a.pdf", "a.pdf#page=1", "a.pdf#page=2"]
    assert [source.id for source in to_sources(pages)] == names
    assert [next(to_sources([page])).id for page in pages] == names


def test_parts_that_nothing_tells_apart_are_counted() -> None:
    first = [Document("footer", metadata={"source": "a.json", "seq_num": number}) for number in (1, 2)]
    assert [source.id for source in to_sources(first)] == ["a.json", "a.json#seq_num=2"]
    first = [Document("footer", metadata={"source": "a.json", "seq_num": number}) for number in (1, 2)]
    assert [source.id for source in to_sources(first)] == ["a.json", "a.json#seq_num=2"]
    parts = [Document(text, metadata={"source": "a.pdf", "page_number": 7}) for text in ("title", "text")]
    assert [source.id for source in to_sources(parts)] == ["a.pdf#page_number=7", "a.pdf#page_number=7#2"]


def test_only_the_person_counts_in_a_conversation() -> None:
    history = [
        HumanMessage("It hangs"),
        AIMessage("Do you use Windows?"),
        ("user", "No"),
        ("assistant", "Then what?"),
        {"role": "user", "content": [{"type": "text", "text": "Linux"}]},
        "Fedora, in fact",
    ]
    assert said_by_person(history) == ("It hangs", "No", "Linux", "Fedora, in fact")
