import json
import pickle
import time

import pytest
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import Document, MetadataMode, NodeRelationship
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.utils import get_tokenizer

from llama_index_thread import LogicUnitNodeParser, node_parser
from llama_index_thread.convert import from_node
from llama_index_thread.models import to_access
from tests.llama_index_thread.conftest import ScriptedLLM
from thread_core import Document as SourceDocument
from thread_core import RuleExtractor, layout
from thread_core.llm.costs import Budget

HEADERS = [
    "Disk full: The agent stops when its disk is full",
    "Disk full: Before you begin: You must have root access",
    "Disk full: Clean up: Find large files",
    "Disk full: On Windows: Run cleanmgr /all",
    "Volumes: Extend: Run volume extend +10G",
]


def ids(nodes):
    return [node.node_id for node in nodes]


def pipeline(embedding, store, docstore):
    return IngestionPipeline(
        transformations=[LogicUnitNodeParser(), embedding],
        vector_store=store,
        docstore=docstore,
        docstore_strategy=DocstoreStrategy.UPSERTS,
    )


def test_given_two_guides_their_units_come_in_reading_order(nodes, documents):
    assert [node.get_content() for node in nodes] == HEADERS
    assert [node.ref_doc_id for node in nodes] == ["disk.md"] * 4 + ["volumes.md"]
    source = SourceDocument("disk.md", documents[0].text, metadata=documents[0].metadata)
    assert [from_node(node) for node in nodes[:4]] == list(RuleExtractor().extract(source).units)


async def test_every_way_in_gives_the_same_nodes(documents, nodes):
    parser = LogicUnitNodeParser()

    assert parser.get_nodes_from_documents(documents) == nodes
    assert await parser.aget_nodes_from_documents(documents) == nodes
    assert parser(documents) == nodes
    assert await parser.acall(documents) == nodes


def test_documents_metadata_is_kept_and_neither_embedded_nor_shown(nodes):
    node = nodes[2]

    assert (node.metadata["file_path"], node.metadata["pages"]) == ("/guides/disk.md", 2)
    assert node.get_content(MetadataMode.EMBED) == HEADERS[2]
    assert node.get_content(MetadataMode.LLM) == (
        f"{HEADERS[2]}\n"
        "prerequisite: You must have root access.\n"
        "body: 1. Find large files:\n\n   ```bash\n   du -sh {directory}/*\n   ```\n\n"
        "2. Delete them. If the disk is still full, see [Volumes](volumes.md#extend). If it works, you are done.\n"
        f"linker: {layout.linker_text(from_node(node))}"
    )


def test_a_unit_has_no_neighbours_and_no_position_of_its_header(nodes):
    assert all(set(node.relationships) == {NodeRelationship.SOURCE} for node in nodes)
    assert all(node.start_char_idx is None for node in nodes)


def test_neighbours_may_be_asked_for(documents):
    nodes = LogicUnitNodeParser(include_prev_next_rel=True).get_nodes_from_documents(documents)

    assert nodes[0].next_node.node_id == nodes[1].node_id


def test_units_come_back_as_they_are(nodes):
    assert LogicUnitNodeParser()(nodes) == nodes


def test_after_another_parser_the_document_is_still_known(documents):
    with pytest.warns(UserWarning, match="another parser has split the documents.* put LogicUnitNodeParser first"):
        nodes = IngestionPipeline(transformations=[SentenceSplitter(), LogicUnitNodeParser()]).run(documents=documents)

    assert [node.get_content(MetadataMode.EMBED) for node in nodes] == HEADERS
    assert {node.ref_doc_id for node in nodes} == {"disk.md", "volumes.md"}


async def test_the_event_loop_goes_on_while_documents_are_read(documents, monkeypatch, ticks_during):
    class SlowExtractor(RuleExtractor):
        def extract(self, document):
            time.sleep(0.1)
            return super().extract(document)

    monkeypatch.setattr(node_parser, "RuleExtractor", SlowExtractor)

    assert await ticks_during(LogicUnitNodeParser().aget_nodes_from_documents(documents)) > 5


def test_it_is_made_dumped_and_loaded_as_other_parsers_are():
    parser = LogicUnitNodeParser.from_defaults(include_metadata=False)

    dumped = json.loads(parser.to_json())

    assert dumped == {
        "class_name": "LogicUnitNodeParser",
        "include_metadata": False,
        "include_prev_next_rel": False,
        "extractor": "rules",
        "llm_for": "all",
        "reformulate": False,
        "domain": "",
        "merge_chains": 0,
        "chunk_size": None,
    }
    assert LogicUnitNodeParser.from_dict(dumped).to_dict() == parser.to_dict()
    assert pickle.loads(pickle.dumps(parser)).to_dict() == parser.to_dict()


def test_progress_is_shown_on_demand(documents, capsys):
    LogicUnitNodeParser().get_nodes_from_documents(documents, show_progress=True)

    assert "Reading logic units: 100%" in capsys.readouterr().err


def test_a_pipeline_embeds_headers_and_a_rerun_changes_nothing(documents, embedding, store, collection):
    docstore = SimpleDocumentStore()

    first = pipeline(embedding, store, docstore).run(documents=documents)
    again = pipeline(embedding, store, docstore).run(documents=documents)

    assert embedding.texts == HEADERS
    assert again == []
    assert sorted(collection.get()["ids"]) == sorted(ids(first))
    assert [node.get_content() for node in store.get_nodes(ids(first))] == HEADERS


@pytest.mark.slow
async def test_a_document_that_is_given_twice_comes_once(documents, nodes, embedding, store, collection):
    twice = [*documents, documents[0]]
    parser = LogicUnitNodeParser()

    assert ids(parser.get_nodes_from_documents([*twice, nodes[-1]])) == ids(nodes)
    assert ids(await parser.aget_nodes_from_documents(twice)) == ids(nodes)
    IngestionPipeline(transformations=[parser, embedding], vector_store=store).run(documents=twice)
    assert collection.count() == len(nodes)


@pytest.mark.slow
def test_a_pipeline_may_use_several_processes(documents, nodes):
    built = IngestionPipeline(transformations=[LogicUnitNodeParser()]).run(documents=documents, num_workers=2)

    assert sorted(ids(built)) == sorted(ids(nodes))


@pytest.mark.parametrize(
    ("part", "given"),
    [("llm", {"llm": to_access(ScriptedLLM(), budget=Budget(tokens=1000))}), ("search", {"search": lambda words: ""})],
    ids=["llm", "search"],
)
def test_a_parser_that_cannot_go_to_another_process_is_refused_and_stays_as_it_is(documents, part, given):
    parser = LogicUnitNodeParser(**given)

    with pytest.raises(TypeError, match=f"Parser.s {part} is a .* leave out num_workers"):
        IngestionPipeline(transformations=[parser]).run(documents=documents, num_workers=2)

    assert getattr(parser, part) is given[part]


def test_an_index_made_from_documents_embeds_headers_only(documents, embedding, store, collection):
    VectorStoreIndex.from_documents(
        documents,
        transformations=[LogicUnitNodeParser()],
        embed_model=embedding,
        storage_context=StorageContext.from_defaults(vector_store=store),
    )

    assert embedding.texts == HEADERS
    assert sorted(collection.get(include=["documents"])["documents"]) == sorted(HEADERS)


def test_swapping_the_parser_is_enough_for_a_model_to_see_whole_units(nodes, embedding, llm):
    engine = VectorStoreIndex(nodes, embed_model=embedding).as_query_engine(llm=llm, similarity_top_k=1)

    response = engine.query("Find large files on a full disk")

    assert str(response) == "done"
    assert nodes[2].get_content(MetadataMode.LLM) in llm.prompts[0]
    assert "lu_" not in llm.prompts[0] and "/guides/disk.md" not in llm.prompts[0]


def test_a_chunk_size_bounds_a_unit_in_the_frameworks_tokens(caplog):
    count = get_tokenizer()
    document = SourceDocument("a.md", "\n".join(f"Oil wheel {number}." for number in range(200)))
    given = [Document(id_=document.id, text=document.text)]

    nodes = LogicUnitNodeParser(chunk_size=50).get_nodes_from_documents(given)

    assert max(len(count(node.metadata["body"])) for node in nodes) <= 50
    assert len(nodes) > len(LogicUnitNodeParser().get_nodes_from_documents(given))
    assert caplog.messages == []
    LogicUnitNodeParser(chunk_size=50, chunk_overlap=20)
    LogicUnitNodeParser(chunk_size=50).get_nodes_from_documents([Document(id_="b.md", text="Oil. " * 50)])
    assert caplog.messages == [
        "chunk_overlap=20 has no effect: logic units do not overlap",
        "b.md:1: a line is longer than chunk_size=50 and was not split",
    ]


def test_a_parser_that_is_loaded_again_has_its_bound():
    parser = LogicUnitNodeParser(chunk_size=50)

    assert LogicUnitNodeParser.from_dict(parser.to_dict()).chunk_size == 50
    assert pickle.loads(pickle.dumps(parser)).chunk_size == 50
