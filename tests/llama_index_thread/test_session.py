import pytest

from llama_index_thread import HowToSession, HowToWorkflow, ThreadChatEngine, ThreadRetriever, create_howto_tool
from thread_core import Span
from thread_core.errors import IllegalStep
from thread_core.walk.states import Status

QUESTION = "The disk is full, where are the large files?"


@pytest.fixture
def retriever(index, embedding):
    return ThreadRetriever(index, embed_model=embedding)


@pytest.fixture
def session(retriever):
    return HowToSession(retriever)


def test_the_outcome_selects_the_branch_into_another_document(session, nodes):
    first = session.start(QUESTION)
    second = session.respond("the disk is still full")

    assert (first.status, first.unit_ids) == (Status.AWAITING, (nodes[2].node_id,))
    assert first.citations[0] == Span("disk.md", 11, 17)
    assert (second.status, second.unit_ids) == (Status.AWAITING, (nodes[4].node_id,))
    assert session.respond("this fails").status is Status.ESCALATED


def test_a_session_goes_on_in_another_process(session, retriever):
    session.start(QUESTION)
    saved = session.state.model_dump_json()

    resumed = HowToSession.resume(saved, retriever)

    assert resumed.state == session.state
    assert resumed.respond("the disk is still full") == session.respond("the disk is still full")
    assert HowToSession.resume(session.state, retriever).back() == session.back()


async def test_the_async_walk_is_the_same(session, retriever):
    other = HowToSession(retriever)

    assert await other.astart(QUESTION) == session.start(QUESTION)
    for words in ("it is solved", "yes"):
        assert await other.arespond(words) == session.respond(words)
    assert session.state.status is Status.RESOLVED


def test_a_session_begins_with_a_question(session):
    with pytest.raises(IllegalStep):
        session.respond("done")


def test_what_is_no_state_is_refused(retriever):
    with pytest.raises(ValueError):
        HowToSession.resume('{"version": "?"}', retriever)


@pytest.mark.parametrize("front", [HowToSession, HowToWorkflow, ThreadChatEngine, create_howto_tool])
def test_another_retriever_is_refused_with_what_to_do(front, index):
    with pytest.raises(TypeError, match=r"needs a ThreadRetriever, got VectorStoreIndex; make one with"):
        front(index)
