"""Files that a reader has cut at their headings are whole again, or it is said."""

import pytest
from llama_index.core import SimpleDirectoryReader
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from llama_index_thread import LogicUnitNodeParser, ThreadIngest
from llama_index_thread.convert import from_node
from llama_index_thread.embeddings import DefaultEmbedding

PUMP = """\
# Pump

## Start

1. Turn the key. If the lamp is red, go to [Fuse](#fuse).

## Fuse

Replace it. See [the valve](valve.md).
"""


class InParts(BaseReader):
    """Gives a file as a reader does that cuts it at its headings and takes their marks away, links as well."""

    def load_data(self, file, extra_info=None):
        start = '\n\nPump Start\n1. Turn the key. If the lamp is red, see "Change the fuse".'
        fuse = "\n\nPump Change the fuse\nReplace it. See the valve."
        return [Document(text=text, metadata=extra_info or {}) for text in (start, fuse)]


def load(folder, **options):
    (folder / "pump.md").write_text(PUMP)
    return SimpleDirectoryReader(folder, filename_as_id=True, **options).load_data()


async def test_parts_of_a_file_are_one_document(tmp_path):
    documents = load(tmp_path, file_extractor={".md": InParts()})
    parser = LogicUnitNodeParser()
    with pytest.warns(UserWarning, match="pump.md: a Markdown file came in parts .* has no MarkdownReader") as told:
        nodes = parser.get_nodes_from_documents(documents)
    assert len(told) == 1
    units = [from_node(node) for node in nodes]
    assert {unit.document_id for unit in units} == {str(tmp_path / "pump.md")}
    assert [unit.section for unit in units] == [("Start",), ("Change the fuse",)]
    [link] = [link for link in units[0].links if link.condition]
    assert link.target.anchor == "change-the-fuse"

    # What replaces a part replaces the units that begin in it.
    assert [node.ref_doc_id for node in nodes] == [document.id_ for document in documents]
    with pytest.warns(UserWarning, match="came in parts"):
        assert await parser.aget_nodes_from_documents(documents) == nodes
    with pytest.warns(UserWarning, match="came without the parts before it"):
        [extraction] = parser.extract(documents[1:])
    assert extraction.report.document_id == documents[1].id_


def test_what_is_advised_mends_it(tmp_path, store):
    documents = load(tmp_path)
    [extraction] = LogicUnitNodeParser().extract(documents)
    assert (extraction.report.problems, extraction.report.links_kept) == ((), 2)
    assert [unit.section for unit in extraction.units] == [("Start",), ("Fuse",)]
    ingest = ThreadIngest(vector_store=store, embed_model=DefaultEmbedding())
    first = ingest.run(documents)

    # A reader that gives the file as it stands, in one part, gives the same document.
    documents[0].id_ += "_part_0"
    again = ingest.run(documents)
    assert (first.added, again.unchanged, again.changed) == (len(extraction.units), 1, False)


@pytest.mark.parametrize("page", ["\n<!DOCTYPE html>\n<h1>A</h1>", "<html lang=en>", "<div><h1>A</h1></div>"])
def test_a_page_that_is_still_html_is_warned_of(tmp_path, page):
    (tmp_path / "a.html").write_text(page)
    documents = SimpleDirectoryReader(tmp_path, filename_as_id=True).load_data()
    with pytest.warns(UserWarning, match=r"HTML.*html_to_markdown"):
        [extraction] = LogicUnitNodeParser().extract(documents)
    assert len(extraction.report.problems) == 1
