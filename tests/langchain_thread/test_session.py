from collections.abc import Callable
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.runnables import ConfigurableField
from langgraph.checkpoint.memory import InMemorySaver

from langchain_thread import HowToSession, ThreadRetriever, create_howto_graph, create_howto_tool
from thread_core.retrieval.prerequisites import Policy

QUESTION = "The agent is silent"
FULL = "The disk is full"
STORAGE = {"team": "storage"}


@pytest.fixture
def retriever(store: Chroma) -> ThreadRetriever:
    return ThreadRetriever(vectorstore=store)


def test_a_policy_is_that_of_the_session(retriever: ThreadRetriever) -> None:
    session = HowToSession(retriever, policy=Policy.DROP)
    assert session.state.policy is Policy.DROP
    assert "agent ping" not in session.start(QUESTION).text


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
        with pytest.raises(
            TypeError, match=r"found \S+\.Runnable\w+, expected .*; make one with ThreadRetriever\(.*filter="
        ):
            walk(one)
    with pytest.raises(TypeError, match="found a bound chat_history, k, but"):
        walk(retriever.bind(k=1, chat_history=[], filter=STORAGE))
