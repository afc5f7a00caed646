"""What is FAISS's own: what indexes measure, places of vectors, and what is read while another thread writes."""

import threading
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document

from langchain_thread import DefaultEmbeddings, HeaderEmbeddings, HowToSession, ThreadIngest, ThreadRetriever
from langchain_thread.stores import to_unit_store
from tests.langchain_thread.conftest import DISK
from tests.langchain_thread.vectorstores import faiss
from thread_core.errors import BadStore
from thread_core.ports import rows_of
from thread_core.testing.store_suite import EAST, GUIDE, NORTH, a_unit

lib = pytest.importorskip("faiss")
community = pytest.importorskip("langchain_community.vectorstores.faiss")


@pytest.mark.parametrize("index", ["HNSW8", "IVF1,Flat", "IDMap,Flat", "SQ8"])
def test_an_index_that_keeps_vectors_otherwise_is_refused(index: str) -> None:
    vectorstore = faiss(DefaultEmbeddings(), lib.index_factory(8, index))
    with pytest.raises(BadStore, match=f"is a {type(vectorstore.index).__name__} of metric 1, .* faiss.IndexFlatL2"):
        to_unit_store(vectorstore)


def test_an_index_that_measures_something_else_is_refused() -> None:
    with pytest.raises(BadStore, match="is a IndexFlat of metric 2"):
        to_unit_store(faiss(DefaultEmbeddings(), lib.IndexFlat(8, lib.METRIC_L1)))


def test_documents_that_cannot_be_listed_are_refused() -> None:
    from langchain_community.docstore.base import Docstore

    class Elsewhere(Docstore):
        def search(self, search: str) -> str:
            return "nothing"

    with pytest.raises(BadStore, match="a Elsewhere, of which rows cannot be listed"):
        to_unit_store(faiss(DefaultEmbeddings(), 8, Elsewhere()))


@pytest.mark.parametrize("made", ["IndexFlatL2", "IndexFlatIP"])
@pytest.mark.parametrize("normal", [False, True])
def test_scores_are_cosines_whatever_the_index_measures(made: str, normal: bool) -> None:
    vectorstore = faiss(DefaultEmbeddings(), getattr(lib, made)(2), normalize_L2=normal)
    store, unit = to_unit_store(vectorstore), a_unit("Look")
    store.write([unit], [(3.0, 4.0)])
    assert [hit.score for hit in store.search((0.0, 2.0), 1)] == [pytest.approx(0.8)]
    kept = [0.6, 0.8] if normal else [3.0, 4.0]
    assert [stored.vector for stored in rows_of(store, GUIDE)] == [pytest.approx(kept)]
    assert type(vectorstore.index) is getattr(lib, made)


def test_it_goes_on_writing_by_itself_and_other_vectors_stay_with_their_documents() -> None:
    vectorstore = faiss(DefaultEmbeddings(), 2)
    vectorstore.add_embeddings([("east", EAST), ("north", NORTH)], ids=["e", "n"])
    store, first, second = to_unit_store(vectorstore), a_unit("Look", 1), a_unit("Act", 2)
    store.write([first, second], [(5.0, 5.0), (-5.0, 5.0)])
    vectorstore.delete(["e"])
    vectorstore.add_embeddings([("east again", EAST)], ids=["f"])
    store.write(gone=[first.id])
    found = [vectorstore.similarity_search_by_vector(list(vector), k=1)[0].page_content for vector in (EAST, NORTH)]
    assert found == ["east again", "north"]
    assert [vectorstore.index_to_docstore_id[place] for place in range(3)] == ["n", second.id, "f"]
    assert [stored.vector for stored in rows_of(store, GUIDE)] == [[-5.0, 5.0]]


def test_a_write_of_its_own_that_failed_halfway_is_told() -> None:
    """It takes the vectors of ids that are there already, and then refuses the documents."""
    vectorstore = faiss(DefaultEmbeddings(), 2)
    store, unit = to_unit_store(vectorstore), a_unit("Look")
    store.write([unit], [NORTH])
    with pytest.raises(ValueError, match="already exist"):
        vectorstore.add_embeddings([("again", EAST)], ids=[unit.id])
    with pytest.raises(BadStore, match="2 vectors in its index and 1 in index_to_docstore_id"):
        store.search(NORTH, 1)
    with pytest.raises(BadStore, match="failed halfway"):
        store.write([a_unit("Act")], [EAST])


def test_what_was_saved_is_walked_through_and_goes_on(guides: list[Document], tmp_path: Path) -> None:
    embeddings = HeaderEmbeddings(DefaultEmbeddings())
    vectorstore = faiss(embeddings, 256)
    ThreadIngest(vectorstore).run(guides)
    vectorstore.save_local(str(tmp_path))
    loaded = community.FAISS.load_local(str(tmp_path), embeddings, allow_dangerous_deserialization=True)
    assert not ThreadIngest(loaded).run(guides).changed
    edited = [Document(DISK.replace("old logs", "the oldest logs"), metadata=guides[1].metadata)]
    ThreadIngest(loaded).run(edited)
    session = HowToSession(ThreadRetriever(vectorstore=loaded))
    assert "du -sh" in session.start("The disk is full").text
    [found] = loaded.as_retriever(search_kwargs={"k": 1}).invoke("Disk full")
    assert "Remove the oldest logs" in found.page_content


def test_another_thread_reads_one_version_or_the_other() -> None:
    vectorstore = faiss(DefaultEmbeddings(), 2)
    writing, reading = to_unit_store(vectorstore), to_unit_store(vectorstore)
    old, new = ([a_unit(f"{word} {line}", line) for line in range(1, 9)] for word in ("Look", "Act"))
    writing.write(old, [NORTH] * 8)
    done = threading.Event()

    def exchange() -> None:
        try:
            for come, go in ((new, old), (old, new)) * 50:
                writing.write(come, [EAST if come is new else NORTH] * 8, gone=[unit.id for unit in go])
        finally:
            done.set()

    writer = threading.Thread(target=exchange)
    writer.start()
    seen: list[Any] = []
    while not done.is_set():
        seen.append([(stored.unit, stored.vector) for stored in rows_of(reading, GUIDE)])
        assert {hit.score for hit in reading.search(NORTH, 8)} in ({0.0}, {1.0})
    writer.join()
    versions = ([(unit, list(NORTH)) for unit in old], [(unit, list(EAST)) for unit in new])
    assert all(one in versions for one in seen)
