"""`thread-rag export`, `import` and `text`, and what reads what they make."""

import gzip
from pathlib import Path

import pytest

from tests.thread_rag.test_cli import call, held, line_of
from thread_chroma import open_store
from thread_core.ports import rows_of


@pytest.fixture
def store(guides: Path, tmp_path: Path) -> Path:
    store = tmp_path / "store"
    assert call("ingest", guides, "--store", store).exit_code == 0
    return store


@pytest.fixture
def lines(store: Path, tmp_path: Path) -> Path:
    file = tmp_path / "guides.jsonl"
    result = call("export", file, "--store", store)
    count = len(file.read_text().splitlines()) - 1
    assert (result.exit_code, result.stdout) == (0, f"Exported {count} units to {file}.\n")
    return file


@pytest.mark.slow
def test_an_imported_store_is_the_exported_one(store: Path, lines: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    result = call("import", lines, "--store", copy)
    assert (result.exit_code, result.stderr) == (0, "")
    assert line_of(result, "Documents") == "2 taken in"
    assert call("export", "-", "--store", copy).stdout == lines.read_text()
    for document_id in held(store):
        assert rows_of(open_store(copy), document_id) == rows_of(open_store(store), document_id)
    asked = [call("ask", "the disk is full", "--store", place).stdout for place in (store, copy)]
    assert asked[0] == asked[1] and "disk.md:" in asked[0]
    assert "Nothing changed" in call("import", lines, "--store", copy).stdout


def test_an_import_replaces_documents_and_leaves_others(lines: Path, guides: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    (guides / "disk.md").write_text("# Disk full\n\n1. Buy a larger one.\n")
    (guides / "more.md").write_text("# More\n\n1. Rest.\n")
    call("ingest", guides, "--store", copy)
    assert call("import", "-", "--store", copy, said=lines.read_text()).exit_code == 0
    assert set(held(copy)) == {"disk.md", "volume.md", "more.md"}
    assert "Buy a larger one" not in call("export", "-", "--store", copy).stdout
    # The file counts again as soon as it is read again.
    assert "Changed units: 1 added" in call("ingest", guides, "--store", copy).stdout


@pytest.mark.parametrize("piped", [False, True])
def test_nothing_of_a_damaged_file_is_written(lines: Path, tmp_path: Path, piped: bool) -> None:
    whole = lines.read_text().splitlines()
    lines.write_text("\n".join(whole[:-1]))
    words = ("-",) if piped else (lines,)
    result = call("import", *words, "--store", tmp_path / "copy", said=lines.read_text())
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: line 1 promises ")
    assert not (tmp_path / "copy").exists()


def test_what_is_no_text_is_not_imported(lines: Path, tmp_path: Path) -> None:
    lines.write_bytes(gzip.compress(lines.read_bytes()))
    for file in (lines, tmp_path / "missing"):
        result = call("import", file, "--store", tmp_path / "copy")
        assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
        assert result.stderr.startswith(f"error: {file} ")


def test_an_export_that_fails_leaves_the_file(lines: Path, tmp_path: Path) -> None:
    before = lines.read_text()
    assert call("export", lines, "--store", tmp_path / "missing").exit_code == 1
    assert lines.read_text() == before
    assert sorted(file.name for file in tmp_path.glob("guides.jsonl*")) == ["guides.jsonl"]


@pytest.mark.slow
def test_langchain_and_llama_index_read_what_was_imported(lines: Path, tmp_path: Path) -> None:
    import chromadb
    from langchain_chroma import Chroma
    from llama_index.core import VectorStoreIndex
    from llama_index.vector_stores.chroma import ChromaVectorStore

    from langchain_thread import DefaultEmbeddings, HeaderEmbeddings
    from langchain_thread import ThreadRetriever as LangChainRetriever
    from llama_index_thread import DefaultEmbedding
    from llama_index_thread import ThreadRetriever as LlamaIndexRetriever

    copy = tmp_path / "copy"
    call("import", lines, "--store", copy)
    client = chromadb.PersistentClient(copy, settings=chromadb.Settings(anonymized_telemetry=False))
    question = "How do I extend the volume?"
    vectorstore = Chroma("thread", client=client, embedding_function=HeaderEmbeddings(DefaultEmbeddings()))
    [first, *_] = LangChainRetriever(vectorstore=vectorstore).invoke(question)
    assert "Ask the storage team for 10 GB" in first.page_content
    vectors = ChromaVectorStore(chroma_collection=client.get_collection("thread"))
    index = VectorStoreIndex.from_vector_store(vectors, embed_model=DefaultEmbedding())
    [node, *_] = LlamaIndexRetriever(index, embed_model=DefaultEmbedding()).retrieve(question)
    assert "Ask the storage team for 10 GB" in node.text


# -- text ----------------------------------------------------------------------------------------------------------


def test_text_is_numbered_as_citations_count(tmp_path: Path) -> None:
    page = tmp_path / "wheel.html"
    page.write_text("<html><body><h1>Wheel</h1><ol><li>Turn it.</li><li>Wait.</li></ol></body></html>")
    result = call("text", page)
    assert (result.exit_code, result.stdout) == (0, "1  # Wheel\n2  \n3  1. Turn it.\n4  2. Wait.\n")
    call("ingest", page, "--store", tmp_path / "store")
    assert "lines 1, 3-4" in call("show", "wheel.html", "--store", tmp_path / "store").stdout


def test_text_keeps_tabs_and_marks_what_a_terminal_obeys(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\n\tmake \x1b[31m\n" + "\n" * 8)
    lines = call("text", tmp_path / "a.md").stdout.splitlines()
    assert (lines[0], lines[2], len(lines)) == (" 1  # A", " 3  \tmake �[31m", 11)


def test_text_of_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\0")
    result = call("text", tmp_path / "a.md")
    assert (result.exit_code, result.stdout, result.stderr.startswith("error: a.md: is binary")) == (1, "", True)
