import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chromadb
import pytest
from chromadb.config import Settings
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import ConfigurableField
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore
from langchain_tests.integration_tests import RetrieversIntegrationTests
from pydantic import ValidationError

from langchain_thread import (
    CachedEmbeddings,
    DefaultEmbeddings,
    HeaderEmbeddings,
    HowToSession,
    LogicUnitTextSplitter,
    ThreadIngest,
    ThreadRetriever,
    create_howto_chain,
)
from langchain_thread.convert import to_retrieved, to_unit
from thread_core.store.lexical import NoWords, SqliteLexicalIndex

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"
MakeStore = Callable[..., Chroma]
QUESTION = "The disk is full"
NOTES = ["The disk is full: delete logs.", "The disk is full: add one.", "The disk is full: ask.", "Lunch is at noon."]


def read(units: list[Document]) -> list[Document]:
    """A splitter's documents as the retriever gives them."""
    return [to_retrieved(to_unit(unit)) for unit in units]


class TestStandard(RetrieversIntegrationTests):
    """Each note is one unit without links, and `k` of them come."""

    @pytest.fixture(autouse=True)
    def _with_notes(self, make_store: MakeStore) -> None:
        self.notes = make_store(LogicUnitTextSplitter().create_documents(NOTES))

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return ThreadRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"vectorstore": self.notes}

    @property
    def retriever_query_example(self) -> str:
        return QUESTION


def test_documents_are_the_splitters_to_be_read(store: Chroma, units: list[Document]) -> None:
    by_id = {unit.id: unit for unit in read(units)}
    found = ThreadRetriever(vectorstore=store).invoke(QUESTION)
    assert [by_id[document.id] for document in found] == found
    assert found[0] == read(units)[2]


def test_start_index_survives(make_store: MakeStore, guides: list[Document]) -> None:
    store = make_store(LogicUnitTextSplitter(add_start_index=True).split_documents(guides))
    found = ThreadRetriever(vectorstore=store).invoke(QUESTION)
    assert found[0].metadata["start_index"] == guides[1].page_content.index("1. List")


def test_k_and_budget_bound_what_is_given(store: Chroma, units: list[Document]) -> None:
    question = "The agent is silent"
    assert ThreadRetriever(vectorstore=store, k=2).invoke(question) == read(units[:2])
    assert ThreadRetriever(vectorstore=store, budget=1).invoke(question) == []


async def test_k_may_be_given_for_one_call(make_store: MakeStore) -> None:
    retriever = ThreadRetriever(vectorstore=make_store(LogicUnitTextSplitter().create_documents(NOTES)))
    assert len(retriever.invoke(QUESTION, k=2)) == len(await retriever.ainvoke(QUESTION, k=2)) == 2
    assert len(retriever.bind(k=1).invoke(QUESTION)) == 1
    assert len(retriever.invoke(QUESTION)) == 4
    with pytest.raises(ValueError, match="found k=0, expected"):
        retriever.invoke(QUESTION, k=0)


class TestAFilter:
    """One team's guide links to the other's."""

    SILENT = "The agent is silent and its disk is full"

    def test_keeps_every_unit_to_it(self, store: Chroma) -> None:
        assert teams(ThreadRetriever(vectorstore=store).invoke(self.SILENT)) == {"platform", "storage"}
        retriever = ThreadRetriever(vectorstore=store, filter={"team": "platform"})
        assert teams(retriever.invoke(self.SILENT)) == {"platform"}
        assert teams(retriever.invoke(QUESTION)) <= {"platform"}

    async def test_may_be_given_for_one_call_and_narrows(self, store: Chroma) -> None:
        retriever = ThreadRetriever(vectorstore=store)
        assert teams(retriever.invoke(self.SILENT, filter={"team": {"$in": ["storage"]}})) == {"storage"}
        assert teams(await retriever.ainvoke(self.SILENT, filter={"team": "storage"})) == {"storage"}
        assert teams(retriever.bind(filter={"team": "storage"}).invoke(self.SILENT)) == {"storage"}
        mine = ThreadRetriever(vectorstore=store, filter={"team": "platform"})
        assert mine.invoke(self.SILENT, filter={"team": "storage"}) == []
        assert teams(retriever.invoke(self.SILENT)) == {"platform", "storage"}

    def test_holds_for_the_chain_and_for_a_session(self, store: Chroma) -> None:
        retriever = ThreadRetriever(vectorstore=store, filter={"$or": [{"team": "platform"}, {"team": "nobody"}]})
        assert teams(create_howto_chain(retriever).invoke({"question": self.SILENT})["context"]) == {"platform"}
        session = HowToSession(retriever)
        turns = [session.start("The agent 2.4 is silent"), session.respond("the disk is full"), session.respond("next")]
        assert {span.document_id for turn in turns for span in turn.citations} == {"agent.md"}
        whole = HowToSession(ThreadRetriever(vectorstore=store))
        whole.start("The agent 2.4 is silent")
        assert whole.respond("the disk is full").citations[0].document_id == "disk.md"

    def test_may_be_another_in_a_copy(self, store: Chroma) -> None:
        retriever = ThreadRetriever(vectorstore=store)
        copied = retriever.model_copy(update={"filter": {"team": "storage"}})
        assert teams(copied.invoke(self.SILENT)) == {"storage"}
        assert HowToSession(copied).start(self.SILENT).citations[0].document_id == "disk.md"
        assert teams(retriever.invoke(self.SILENT)) == {"platform", "storage"}

    def test_shares_one_file_of_words_with_other_filters(self, store: Chroma, tmp_path: Path) -> None:
        words = SqliteLexicalIndex(tmp_path / "words.sqlite3")
        both = [
            ThreadRetriever(vectorstore=store, filter={"team": t}, lexical_index=words) for t in ("platform", "storage")
        ]
        assert [teams(one.invoke(self.SILENT)) for one in (*both, *both)] == [{"platform"}, {"storage"}] * 2


def teams(documents: list[Document]) -> set[str]:
    return {document.metadata["team"] for document in documents}


def test_embeddings_may_be_given(tmp_path: Path, units: list[Document]) -> None:
    client = chromadb.PersistentClient(tmp_path, Settings(anonymized_telemetry=False))
    Chroma("guides", HeaderEmbeddings(DefaultEmbeddings()), client=client).add_documents(units)
    bare = Chroma("guides", client=client)
    with pytest.warns(UserWarning, match=r"the collection uses l2 distances.* ingest into a new one"):
        found = ThreadRetriever(vectorstore=bare, embeddings=DefaultEmbeddings()).invoke(QUESTION)
    assert found[0] == read(units)[2]
    with pytest.raises(ValidationError, match="embeddings="):
        ThreadRetriever(vectorstore=bare)


def test_whole_texts_embedded_are_told_once(make_store: MakeStore, units: list[Document]) -> None:
    retriever = ThreadRetriever(vectorstore=make_store(units, DefaultEmbeddings()))
    with pytest.warns(UserWarning, match="those of whole texts") as told:
        assert retriever.invoke(QUESTION)
        assert retriever.invoke(QUESTION)
    assert len(told) == 1


def test_units_may_come_after_the_warning(make_store: MakeStore, units: list[Document]) -> None:
    store = make_store([])
    retriever = ThreadRetriever(vectorstore=store)
    with pytest.warns(UserWarning, match="has no logic units"):
        retriever.invoke(QUESTION)
    store.add_documents(units)
    assert retriever.invoke(QUESTION)[0] == read(units)[2]


def test_another_vector_store_is_refused() -> None:
    class Mine(VectorStore):
        """LangChain has hundreds."""

        similarity_search = from_texts = None  # type: ignore[assignment]

    with pytest.raises(ValidationError, match=r"found a Mine, expected Chroma, .*for another"):
        ThreadRetriever(vectorstore=Mine())


def test_the_vector_store_is_taken_by_position(store: Chroma) -> None:
    assert ThreadRetriever(store, k=2, tags=["guides"]) == ThreadRetriever(vectorstore=store, k=2, tags=["guides"])


def test_another_retrievers_bounds_are_told_of_ours(store: Chroma) -> None:
    options: dict[str, Any] = {"search_kwargs": {"k": 3}, "search_type": "mmr"}
    message = r"takes no search_kwargs, search_type; use k .*, entries .*, budget .* and filter "
    with pytest.raises(TypeError, match=message):
        ThreadRetriever(store, **options)


@pytest.mark.parametrize("option", [{"k": 0}, {"entries": 0}, {"budget": 0}, {"k": "many"}])
def test_a_wrong_option_is_refused(option: dict[str, int], store: Chroma) -> None:
    with pytest.raises(ValidationError):
        ThreadRetriever(vectorstore=store, **option)


@pytest.mark.parametrize("field", ["vectorstore", "embeddings", "lexical_index", "filter"])
def test_what_it_was_opened_with_cannot_be_exchanged(field: str, store: Chroma) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(ThreadRetriever(vectorstore=store), field, None)


@pytest.mark.parametrize("question", [None, {"question": QUESTION}, [("user", QUESTION)]])
async def test_what_is_no_question_is_refused(question: Any, store: Chroma) -> None:
    retriever = ThreadRetriever(vectorstore=store)
    with pytest.raises(TypeError, match=f"found {type(question).__name__} as question"):
        retriever.invoke(question)
    with pytest.raises(TypeError, match="itemgetter"):
        await retriever.ainvoke(question)


class TestSharing:
    """Retrievers over one vector store read it once."""

    def test_is_for_those_that_would_read_the_same(self, store: Chroma) -> None:
        retriever = ThreadRetriever(vectorstore=store)
        assert ThreadRetriever(vectorstore=store, k=1).library is retriever.library
        others: list[dict[str, Any]] = [{"embeddings": DefaultEmbeddings()}, {"lexical_index": NoWords()}]
        for options in others:
            assert ThreadRetriever(vectorstore=store, **options).library is not retriever.library
        library = weakref.ref(retriever.library)
        del retriever
        gc.collect()
        assert library() is None

    def test_keeps_filters_apart(self, store: Chroma) -> None:
        retriever = ThreadRetriever(vectorstore=store)
        chosen = retriever.configurable_fields(filter=ConfigurableField(id="filter"))
        asked = [name for _ in range(8) for name in ("platform", "storage")]
        found = chosen.batch(
            [TestAFilter.SILENT] * len(asked), [{"configurable": {"filter": {"team": name}}} for name in asked]
        )
        assert list(map(teams, found)) == [{name} for name in asked]
        assert teams(retriever.invoke(TestAFilter.SILENT)) == {"platform", "storage"}


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copy", "pickle"])
def test_it_can_be_copied_and_sent_to_another_process(
    again: Callable[[ThreadRetriever], ThreadRetriever], units: list[Document], tmp_path: Path
) -> None:
    vectorstore = InMemoryVectorStore(HeaderEmbeddings(DefaultEmbeddings()))
    vectorstore.add_documents(units)
    for words in (None, NoWords(), SqliteLexicalIndex(tmp_path / "words.sqlite3")):
        retriever = ThreadRetriever(vectorstore=vectorstore, k=1, filter={"team": "storage"}, lexical_index=words)
        expected = retriever.invoke(QUESTION)
        sent = again(retriever)
        assert sent.library is not retriever.library
        assert (sent.invoke(QUESTION), type(sent.lexical_index)) == (expected, type(words))
        assert HowToSession(sent).start(QUESTION).citations[0].document_id == "disk.md"


@pytest.mark.parametrize("again", [copy.deepcopy, pickle.dumps], ids=["copy", "pickle"])
def test_what_stays_in_its_process_says_why(again: Callable[[Any], Any], store: Chroma, units: list[Document]) -> None:
    told = r"the retriever's vector store is a \S+\.Chroma, which cannot .*; open it there, and make a retriever"
    model = FakeListChatModel(responses=[])
    in_memory = InMemoryVectorStore(HeaderEmbeddings(DefaultEmbeddings()))
    for one, why in (
        (ThreadRetriever(vectorstore=store), told),
        (create_howto_chain(ThreadRetriever(vectorstore=store)), told),
        (create_howto_chain(ThreadRetriever(vectorstore=in_memory), model), "models cannot be pickled"),
        (LogicUnitTextSplitter(llm=model), "models cannot be pickled"),
        (HowToSession(ThreadRetriever(vectorstore=store)), r"send session\.state\.model_dump_json\(\)"),
    ):
        with pytest.raises(TypeError, match=why):
            again(one)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["copy", "pickle"])
def test_a_chain_a_splitter_and_a_cache_go_to_another_process(
    again: Callable[[Any], Any], units: list[Document], tmp_path: Path
) -> None:
    in_memory = InMemoryVectorStore(HeaderEmbeddings(DefaultEmbeddings()))
    in_memory.add_documents(units)
    chain = create_howto_chain(ThreadRetriever(vectorstore=in_memory))
    assert again(chain).invoke({"question": QUESTION}) == chain.invoke({"question": QUESTION})
    splitter, kept = LogicUnitTextSplitter(chunk_size=50), CachedEmbeddings(DefaultEmbeddings(), tmp_path / "vectors")
    assert again(splitter).split_text(NOTES[0]) == splitter.split_text(NOTES[0])
    assert again(kept).embed_documents(NOTES) == kept.embed_documents(NOTES)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": "2"}, "found k='2', expected"),
        ({"k": 2.5}, "found k=2.5, expected"),
        ({"filter": "team"}, "found str as filter"),
        ({"filter": lambda document: True}, "found function as filter"),
        ({"chat_history": "We run agent 2.1"}, "found one str, expected a list"),
        ({"chat_history": {"role": "user"}}, "found one dict, expected a list"),
    ],
)
async def test_a_wrong_option_of_a_call_is_refused(options: dict[str, Any], message: str, store: Chroma) -> None:
    retriever = ThreadRetriever(vectorstore=store)
    with pytest.raises((TypeError, ValueError), match=message):
        retriever.invoke(QUESTION, **options)
    with pytest.raises((TypeError, ValueError), match=message):
        await retriever.ainvoke(QUESTION, **options)


def test_no_history_may_be_none(store: Chroma) -> None:
    retriever = ThreadRetriever(vectorstore=store)
    assert retriever.invoke(QUESTION, chat_history=None) == retriever.invoke(QUESTION)


@pytest.mark.parametrize("words", ["words.sqlite3", NoWords])
def test_words_are_no_path_and_no_class(words: Any, store: Chroma) -> None:
    with pytest.raises(TypeError, match=r"expected a lexical index: SqliteLexicalIndex\(path\) or NoWords\(\)"):
        ThreadRetriever(vectorstore=store, lexical_index=words)


def test_what_a_document_has_in_its_metadata_comes_back_and_is_filtered_by(make_store: Any) -> None:
    own = {"document_id": "42", "doc_id": "43", "ref_doc_id": "44", "doc_identifier": "KB-17", "_nodes": 3}
    guide = Document("# Disk full\n\n1. Free space.", metadata={"source": "disk.md", **own})
    store = make_store(LogicUnitTextSplitter().split_documents([guide]))
    for key, value in own.items():
        (found,) = ThreadRetriever(vectorstore=store, filter={key: value}).invoke("The disk is full")
        assert own.items() <= found.metadata.items()
    assert not ThreadIngest(store).run([guide]).changed


def test_a_key_tells_what_another_retriever_found_too(make_store: MakeStore) -> None:
    guides = [Document(page.read_text("utf-8"), id=page.name) for page in EXAMPLES.glob("*.md")]
    units = LogicUnitTextSplitter().split_documents(guides)
    store = make_store(units)
    names = {unit.id: unit.metadata["lu_place"] for unit in units}
    assert len(set(names.values())) == len(units) > 100
    for retriever in (ThreadRetriever(vectorstore=store), store.as_retriever()):
        assert all(found.metadata["lu_place"] == names[found.id] for found in retriever.invoke("The disk is full"))
