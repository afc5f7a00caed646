"""A walk as a graph is the session's, turn for turn, and each turn may be another app over the same file."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from langchain_thread import HowToSession, ThreadRetriever
from langchain_thread.graph import App, aanswering, answering, create_howto_graph
from tests.conformance.test_conformance import WALKS

CONFIG: Any = {"configurable": {"thread_id": "walk"}}


@pytest.fixture
def retriever(langchain_guides: tuple[Any, ThreadRetriever]) -> ThreadRetriever:
    return langchain_guides[1]


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk[0])
def test_a_walk_is_the_sessions(walk: tuple[str, ...], retriever: ThreadRetriever, tmp_path: Path) -> None:
    def opened() -> App:
        connection = sqlite3.connect(tmp_path / "walks.sqlite3", check_same_thread=False)
        return create_howto_graph(retriever).compile(checkpointer=SqliteSaver(connection))

    session = HowToSession(retriever)
    question, *said = walk
    given = opened().invoke({"question": question}, CONFIG)
    assert given["turn"] == session.start(question).model_dump(mode="json")
    for words in said:
        app = opened()
        given = app.invoke(answering(app, CONFIG, words), CONFIG)
        assert given["turn"] == session.respond(words).model_dump(mode="json")
        assert ("__interrupt__" in given) is (given["turn"]["status"] not in ("resolved", "escalated"))


async def test_an_awaited_walk_is_the_sessions(retriever: ThreadRetriever, tmp_path: Path) -> None:
    session = HowToSession(retriever)
    question, *said = WALKS[0]
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "walks.sqlite3")) as saver:
        app = create_howto_graph(retriever).compile(checkpointer=saver)
        given = await app.ainvoke({"question": question}, CONFIG, durability="sync")
        assert given["turn"] == session.start(question).model_dump(mode="json")
        for words in said:
            given = await app.ainvoke(await aanswering(app, CONFIG, words), CONFIG, durability="sync")
            assert given["turn"] == session.respond(words).model_dump(mode="json")
