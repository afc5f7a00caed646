import re

import pytest
from llama_index.core import SimpleDirectoryReader
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import Document as LlamaIndexDocument
from llama_index.core.schema import MetadataMode, NodeRelationship, ObjectType, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery

from llama_index_thread.convert import (
    from_node,
    is_unit,
    said_by_person,
    to_document,
    to_node,
    to_retrieved,
    to_row,
)
from thread_core import Document, Link, LinkAction, LogicUnit, Place, RuleExtractor, Span, Target, layout
from thread_core.errors import BadStore

UNIT = LogicUnit(
    id="5f0c",
    document_id="a.md",
    place=Place("clean-up", 2),
    type="step",
    header="Disk full: clean up",
    prerequisites=("You have root access", "Agent 2.3 and later"),
    body="Run `du -sh {directory}` as { or }.\n\n    indented, ends in blanks  ",
    links=(
        Link(
            "it is still full",
            "see Volumes",
            LinkAction.CROSS,
            Target(document="volumes.md", anchor="extend"),
            Span("a.md", 7, 7),
        ),
        Link("it fails", "contact support", LinkAction.ESCALATE),
    ),
    parameters={"directory": "/var"},
    steps=(1, 2),
    title="Disk full",
    date="2024-05-01",
    section=("Clean up",),
    spans=(Span("a.md", 3, 3), Span("a.md", 5, 9)),
    body_spans=(Span("a.md", 5, 9),),
    aliases=("KB 12",),
    metadata={"team": "storage ü", "level": 2, "open": True, "share": 0.5},
)
PLAIN = LogicUnit(
    id="77aa",
    document_id="a.md",
    place=Place(),
    type="background",
    header="Disk full: why",
    body="It fills.",
    spans=(Span("a.md", 1, 1),),
    body_spans=(Span("a.md", 1, 1),),
)


@pytest.mark.parametrize("unit", [UNIT, PLAIN], ids=["everything", "nothing optional"])
@pytest.mark.parametrize("convert", [to_node, to_retrieved], ids=["node", "retrieved"])
def test_a_unit_survives_the_way_to_a_node_and_back(unit, convert):
    node = convert(unit)

    assert from_node(node) == unit
    assert from_node(TextNode.from_json(node.to_json())) == unit


def test_a_node_is_plain_and_knows_its_document():
    node = to_node(UNIT)

    assert type(node) is TextNode
    assert (node.node_id, node.text, node.ref_doc_id) == ("5f0c", "Disk full: clean up", "a.md")
    assert node.relationships == {
        NodeRelationship.SOURCE: RelatedNodeInfo(node_id="a.md", node_type=ObjectType.DOCUMENT)
    }
    assert all(isinstance(value, str | int | float | bool) for value in node.metadata.values())


def test_an_embedding_sees_the_header_and_a_model_the_unit_without_bookkeeping():
    node = to_node(UNIT)

    assert node.get_content(MetadataMode.EMBED) == "Disk full: clean up"
    assert node.get_content(MetadataMode.LLM) == (
        "Disk full: clean up\n"
        "prerequisite: You have root access\nAgent 2.3 and later\n"
        "body: Run `du -sh {directory}` as { or }.\n\n    indented, ends in blanks  \n"
        "linker: [CROSS] If it is still full, then volumes.md#extend\n"
        "[MITIGATE] If it fails, then contact support"
    )


def test_views_and_unit_survive_chroma(store):
    node = to_node(UNIT)
    store.add([node.model_copy(update={"embedding": [1.0, 0.0]})])

    stored = store.query(VectorStoreQuery(query_embedding=[1.0, 0.0], similarity_top_k=1)).nodes[0]

    assert from_node(stored) == UNIT
    assert stored.ref_doc_id == "a.md"
    for mode in MetadataMode.EMBED, MetadataMode.LLM:
        assert stored.get_content(mode) == node.get_content(mode)


def test_a_row_is_what_llama_index_writes_of_the_node(store, collection):
    store.add([to_node(unit).model_copy(update={"embedding": [1.0, 0.0]}) for unit in (UNIT, PLAIN)])

    rows = collection.get([UNIT.id, PLAIN.id])

    written = dict(zip(rows["ids"], zip(rows["documents"], rows["metadatas"], strict=True), strict=True))
    assert written == {unit.id: to_row(unit) for unit in (UNIT, PLAIN)}


@pytest.mark.parametrize("mode", [MetadataMode.NONE, MetadataMode.LLM, MetadataMode.EMBED])
def test_a_retrieved_node_reads_as_the_rendered_unit(mode):
    assert to_retrieved(UNIT).get_content(mode) == layout.render(UNIT)
    assert to_retrieved(UNIT).ref_doc_id == "a.md"


def test_an_ordinary_node_is_no_unit():
    node = TextNode(text="a chunk", metadata={"body": "b"})

    assert not is_unit(node)
    with pytest.raises(BadStore, match="is not a logic unit"):
        from_node(node)


def test_a_document_keeps_its_id_title_and_metadata():
    own = {"title": "Guide", "document_identifier": "KB-17", "doc_ids": "a,b", "rating": float("nan"), "by": None}
    node = TextNode(id_="a.md", text="# A", metadata=own, text_template="no")

    assert to_document(node) == Document("a.md", "# A", "Guide", own)
    assert to_document(node).scalars == {"title": "Guide", "document_identifier": "KB-17", "doc_ids": "a,b"}
    assert to_document(node, include_metadata=False) == Document("a.md", "# A")


@pytest.mark.parametrize(
    "lost",
    [
        {"doc_id": "x"},
        {"document_id": "x"},
        {"body": "x"},
        {"lu_x": 1},
        {"tags": ["x"]},
        {"a": float("inf")},
        {"$a": 1},
    ],
    ids=str,
)
def test_metadata_that_no_row_can_have_is_named(lost):
    node = LlamaIndexDocument(id_="a.md", text="# A", metadata={"team": "storage", **lost})

    with pytest.warns(UserWarning, match=rf"documents' metadata {re.escape(next(iter(lost)))} is left out, so filt"):
        document = to_document(node)
    (unit,) = RuleExtractor().extract(document).units
    assert from_node(to_node(unit)).metadata == {"team": "storage"}


def test_an_id_that_was_made_up_for_a_file_is_warned_of(tmp_path):
    (tmp_path / "a.md").write_text("# A\n\n1. Look.\n")
    (made_up,) = SimpleDirectoryReader(tmp_path).load_data()
    with pytest.warns(UserWarning, match=r"links between documents are not found.*filename_as_id=True"):
        assert to_document(made_up).id == made_up.id_

    # What stays, and what nobody can find anyway, is nothing to warn of.
    (named,) = SimpleDirectoryReader(tmp_path, filename_as_id=True).load_data()
    assert to_document(named).id == str(tmp_path / "a.md")
    to_document(LlamaIndexDocument(text="# A"))
    to_document(TextNode(text="# A", metadata={"file_path": "a.md"}))


def test_only_the_person_is_heard():
    history = [
        "I run agent 2.1",
        ChatMessage(role="assistant", content="Agent 2.3 and later: run this"),
        ChatMessage(role="system", content="You have root access"),
        ChatMessage(role="user", content="It fails"),
    ]

    assert said_by_person(history) == ("I run agent 2.1", "It fails")
