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
    assert line_of(result, "Documents") == "2 ingested"
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
    assert "Units: 1 added" in call("ingest", guides, "--store", copy).stdout


@pytest.mark.parametrize("piped", [False, True])
def test_nothing_of_a_damaged_file_is_written(lines: Path, tmp_path: Path, piped: bool) -> None:
    whole = lines.read_text().splitlines()
    lines.write_text("\n".join(whole[:-1]))
    words = ("-",) if piped else (lines,)
    result = call("import", *words, "--store", tmp_path / "copy", said=lines.read_text())
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error: line 1 announces ")
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


# -- forms of other programs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "name", "begins"),
    [
        ("mermaid", "disk.mmd", '---\ntitle: "Disk full"\n---\nflowchart TD\n'),
        ("dot", "disk.dot", "digraph {\n"),
        ("json", "disk.json", '{\n "format": "thread-rag guide",\n "version": 1,\n'),
        ("langgraph", "disk.py", '"""A guide as a graph'),
        ("skills", "disk/SKILL.md", "---\nname: disk\n"),
    ],
)
def test_guides_are_written_each_in_a_file(store: Path, tmp_path: Path, form: str, name: str, begins: str) -> None:
    out = tmp_path / "out"
    result = call("export", out, "--format", form, "--store", store)
    assert (result.exit_code, result.stdout) == (0, f"Exported 2 guides to {out}.\n")
    assert len(list(out.iterdir())) == 2
    written = (out / name).read_text()
    assert written.startswith(begins)
    if form != "skills":
        assert call("export", "disk.md", "-", "--format", form, "--store", store).stdout == written
        assert call("export", "disk.md", tmp_path / "one", "--format", form, "--store", store).exit_code == 0
        assert (tmp_path / "one").read_text() == written


def test_some_guides_are_written_as_lines(store: Path) -> None:
    lines = call("export", "volume.md", "-", "--store", store).stdout.splitlines()
    assert f'"units": {len(lines) - 1}' in lines[0]
    assert all('"document_id": "volume.md"' in line for line in lines[1:])


def test_more_than_one_file_is_not_printed(store: Path) -> None:
    for form in ("mermaid", "skills"):
        assert call("export", "-", "--format", form, "--store", store).exit_code == 2


def test_of_some_files_that_cannot_be_written_none_is(store: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    result = call("export", tmp_path / "out", "--format", "dot", "--store", store)
    assert result.exit_code == 1 and "cannot be written to" in result.stderr
    assert (tmp_path / "out").read_text() == "mine"


def test_a_drawing_is_taken_in_as_a_guide(store: Path, tmp_path: Path) -> None:
    for form in ("mermaid", "dot"):
        drawn = tmp_path / form
        call("export", drawn, "--format", form, "--store", store)
        assert call("ingest", drawn, "--store", tmp_path / f"from-{form}").exit_code == 0
        [name] = [path.name for path in drawn.iterdir() if path.name.startswith("disk")]
        shown = call("show", name, "--store", tmp_path / f"from-{form}").stdout
        assert "the journal is large" in shown and "Disk full: Free space: Look at the disk" in shown


def test_the_json_of_the_paper_comes_back(lines: Path, store: Path, tmp_path: Path) -> None:
    paper, copy = tmp_path / "paper.json", tmp_path / "copy"
    assert call("export", paper, "--format", "paper", "--store", store).exit_code == 0
    assert call("import", paper, "--store", copy).exit_code == 0
    assert call("export", "-", "--store", copy).stdout == lines.read_text()


def test_units_of_the_paper_that_name_no_document_are_those_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "pump.json"
    file.write_text(
        '[{"#header#": "Pump: stop it", "#body#": "Press STOP.", "#linker#": ["If it runs, then wait [CONTINUE]"]}]'
    )
    assert call("import", file, "--store", tmp_path / "copy").exit_code == 0
    assert "pump.json" in call("show", "--store", tmp_path / "copy").stdout
    file.write_text('[{"#header#": "Pump"}]')
    assert "error: pump.json: unit 1" in call("import", file, "--store", tmp_path / "other").stderr
    file.write_text("[1, 2")
    assert "is not JSON" in call("import", file, "--store", tmp_path / "other").stderr
    assert not (tmp_path / "other").exists()


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
