from collections.abc import Callable
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.runnables import ConfigurableField
from langgraph.checkpoint.memory import InMemorySaver

from langchain_thread import DefaultEmbeddings, HowToSession, ThreadRetriever, create_howto_graph, create_howto_tool
from langchain_thread.prompts import default_prompts
from thread_core.errors import BadStore, IllegalStep
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk import session
from thread_core.walk.state import SessionState
from thread_core.walk.states import Status

QUESTION = "The agent is silent"
FULL = "The disk is full"
STORAGE = {"team": "storage"}


@pytest.fixture
def retriever(store: Chroma) -> ThreadRetriever:
    return ThreadRetriever(vectorstore=store)


def test_a_walk_asks_then_takes_the_branch_that_the_outcome_selects(
    retriever: ThreadRetriever, units: list[Document]
) -> None:
    session = HowToSession(retriever)
    asked = session.start(QUESTION)
    assert (asked.status, asked.options) == (Status.ASKING, ("Yes", "No"))
    first = session.respond("Yes")
    assert (first.status, first.unit_ids) == (Status.AWAITING, (units[0].id,))
    assert "agent ping" in first.text
    assert (first.citations[0].document_id, first.citations[0].start) == ("agent.md", 5)
    second = session.respond("the disk is full")
    assert (second.status, second.unit_ids) == (Status.AWAITING, (units[2].id,))
    assert session.back().unit_ids == (units[0].id,)


async def test_it_walks_as_the_core_does(retriever: ThreadRetriever) -> None:
    here, there, core = HowToSession(retriever), HowToSession(retriever), session.HowToSession(retriever.library)
    assert here.start(QUESTION) == core.start(QUESTION) == await there.astart(QUESTION)
    for said in ("Yes", "the disk is full"):
        assert here.respond(said) == core.respond(said) == await there.arespond(said)
    assert here.back() == core.back() == await there.aback()
    assert here.why() == core.why() == there.why()
    assert len({one.state.replace(id="").model_dump_json() for one in (here, core, there)}) == 1


@pytest.mark.parametrize("as_json", [False, True], ids=["state", "json"])
def test_a_session_goes_on_where_it_stood(as_json: bool, retriever: ThreadRetriever, store: Chroma) -> None:
    before = HowToSession(retriever)
    before.start(QUESTION)
    state: SessionState | str = before.state.model_dump_json() if as_json else before.state
    after = HowToSession.resume(state, ThreadRetriever(vectorstore=store))
    assert type(after) is HowToSession
    assert after.respond("Yes") == before.respond("Yes")
    assert after.state == before.state


def test_a_policy_is_that_of_the_session(retriever: ThreadRetriever) -> None:
    session = HowToSession(retriever, policy=Policy.DROP)
    assert session.state.policy is Policy.DROP
    assert "agent ping" not in session.start(QUESTION).text


def test_a_prompt_of_another_name_is_refused(retriever: ThreadRetriever) -> None:
    other = {"no such": default_prompts()["select"]}
    with pytest.raises(ValueError, match="no such"):
        HowToSession(retriever, prompts=other)
    with pytest.raises(ValueError, match="no such"):
        HowToSession.resume(SessionState(), retriever, prompts=other)


def test_a_session_that_was_not_started_cannot_be_answered(retriever: ThreadRetriever) -> None:
    with pytest.raises(IllegalStep, match="call start"):
        HowToSession(retriever).respond("done")


def test_a_session_is_told_of_another_embedding_too(make_store: Callable[..., Chroma], units: list[Document]) -> None:
    retriever = ThreadRetriever(vectorstore=make_store(units, DefaultEmbeddings()))
    with pytest.warns(UserWarning, match="whole texts embedded"):
        HowToSession(retriever).start(QUESTION)


def test_a_session_refuses_vectors_of_another_length(store: Chroma) -> None:
    other = DeterministicFakeEmbedding(size=8)
    with pytest.raises(BadStore):
        HowToSession(ThreadRetriever(vectorstore=store, embeddings=other)).start(QUESTION)


def by_session(retriever: Any) -> str:
    return HowToSession(retriever).start(FULL).text


def by_graph(retriever: Any) -> str:
    app = create_howto_graph(retriever).compile(checkpointer=InMemorySaver())
    return str(app.invoke({"question": FULL}, {"configurable": {"thread_id": "1"}})["turn"]["text"])


def by_tool(retriever: Any) -> str:
    return str(create_howto_tool(retriever).invoke({"question": FULL}))


WALKS = pytest.mark.parametrize("walk", [by_session, by_graph, by_tool])


@WALKS
def test_a_walk_keeps_to_a_filter_that_is_bound_to_its_retriever(
    walk: Callable[[Any], str], retriever: ThreadRetriever
) -> None:
    assert "du -sh" in walk(retriever.with_config(tags=["walk"]))
    mine = retriever.bind(filter={"team": "platform"})
    for bound in (mine, mine.with_config(tags=["walk"]), retriever.with_config(tags=["walk"]).bind(**mine.kwargs)):
        assert "du -sh" not in walk(bound)
    assert "du -sh" not in walk(ThreadRetriever(vectorstore=retriever.vectorstore, filter=STORAGE).bind(**mine.kwargs))


@WALKS
def test_a_walk_refuses_what_chooses_a_filter_at_each_call(
    walk: Callable[[Any], str], retriever: ThreadRetriever
) -> None:
    mine = retriever.bind(filter={"team": "platform"})
    chosen = retriever.configurable_fields(filter=ConfigurableField(id="filter"))
    around: list[Any] = [
        chosen,
        chosen.with_config(configurable={"filter": {"team": "platform"}}),
        retriever.configurable_alternatives(ConfigurableField(id="team"), mine=mine),
        mine.with_fallbacks([retriever]),
        mine.with_retry(),
    ]
    for one in around:
        with pytest.raises(TypeError, match=r"got Runnable\w+; make one with ThreadRetriever\(.*filter="):
            walk(one)
    with pytest.raises(TypeError, match="cannot to a bound chat_history, k: bind the filter alone"):
        walk(retriever.bind(k=1, chat_history=[], filter=STORAGE))


@pytest.mark.parametrize("front", [HowToSession, create_howto_graph, create_howto_tool])
def test_another_retriever_is_refused_with_what_to_do(front: Callable[..., object], store: Chroma) -> None:
    with pytest.raises(TypeError, match=r"needs a ThreadRetriever, got VectorStoreRetriever; make one with"):
        front(store.as_retriever())


def test_a_retriever_may_have_a_config_around_it(retriever: ThreadRetriever, units: list[Document]) -> None:
    session = HowToSession(retriever.with_config(tags=["walk"]))  # type: ignore[arg-type]
    session.start(QUESTION)
    assert session.respond("Yes").unit_ids == (units[0].id,)
