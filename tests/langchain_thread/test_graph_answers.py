"""An answer to a graph at every point of its life: it counts once, or may be given again, and nothing is run twice.

The points: claimed in the journal; kept by LangGraph beside the pause; in a checkpoint; its turn made; the next pause.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict

import aiosqlite
import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command

from langchain_thread import ThreadRetriever
from langchain_thread.graph import App, aanswering, answering, create_howto_graph
from tests.langchain_thread.lamp import BULB, CONFIG, LOOK, QUESTION, SWITCH, Asking, Marking, over_the_lamp, section
from thread_core.errors import AnsweredAlready, IllegalStep
from thread_core.walk.execution import Action, Outcome
from thread_core.walk.journal import Journal

OFF, ON = "it prints off", "it prints fine"
Open = Callable[..., App]


class Cut(BaseException):
    """As a kill: nothing of the project catches it."""


class CuttingOff(SqliteSaver, Journal):
    """A checkpointer and a journal in files, which do something once one of them has been written."""

    def __init__(self, folder: Path) -> None:
        self.connection = sqlite3.connect(folder / "walks.sqlite3", check_same_thread=False, timeout=30)
        SqliteSaver.__init__(self, self.connection)
        Journal.__init__(self, folder / "journal.jsonl")
        self.after: dict[str, Callable[[], object]] = {}

    def _reached(self, point: str) -> None:
        if then := self.after.pop(point, None):
            then()

    def answered(self, session: str, turn: int, answer: str) -> None:
        Journal.answered(self, session, turn, answer)
        self._reached("claimed")

    def put_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        SqliteSaver.put_writes(self, config, writes, task_id, task_path)
        channels = {channel for channel, _ in writes}
        self._reached("kept" if "heard" in channels else "made" if "session" in channels else "")

    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        saved = SqliteSaver.put(self, config, checkpoint, metadata, new_versions)
        self._reached("saved" if "heard" in checkpoint["channel_values"] else "")
        return saved


@pytest.fixture
def retriever() -> ThreadRetriever:
    return over_the_lamp()


@pytest.fixture
def opened(retriever: ThreadRetriever, tmp_path: Path) -> Iterator[Open]:
    """The app as any process opens it, with what it keeps."""
    kept: list[CuttingOff] = []

    def open_app(executor: Any = None) -> tuple[App, CuttingOff]:
        kept.append(CuttingOff(tmp_path))
        graph = create_howto_graph(retriever, executor=executor, journal=kept[-1])
        return graph.compile(checkpointer=kept[-1]), kept[-1]

    yield open_app
    for one in kept:
        one.connection.close()


def cut() -> None:
    raise Cut


def step(given: Any) -> str:
    return section(given["turn"]["text"])


def asked(app: App) -> str:
    (pause,) = app.get_state(CONFIG).interrupts
    return section(pause.value["text"])


def answer(app: App, text: str, **options: Any) -> Any:
    return app.invoke(answering(app, CONFIG, text, **options), CONFIG, durability="sync")


@pytest.mark.parametrize("point", ["claimed", "kept", "saved", "made"])
@pytest.mark.parametrize("how", ["none", "same", "another"])
def test_an_answer_that_was_cut_off_is_gone_on_with(point: str, how: str, opened: Open) -> None:
    app, kept = opened()
    app.invoke({"question": QUESTION}, CONFIG)
    kept.after[point] = cut
    with pytest.raises(Cut):
        answer(app, OFF, number=1)
    app, _ = opened()
    if how == "another":
        with pytest.raises(AnsweredAlready):
            answer(app, ON, number=1)
    if how == "same" and point == "claimed":
        assert step(answer(app, OFF, number=1)) == SWITCH
    elif how == "same":  # LangGraph writes in a thread, and may have come further
        with suppress(AnsweredAlready, IllegalStep):
            answer(app, OFF, number=1)
    app.invoke(None, CONFIG)
    assert asked(app) == SWITCH
    assert step(answer(app, "the lamp stays dark", number=2)) == BULB


@pytest.mark.parametrize("point", ["claimed", "kept", "saved", "made"])
@pytest.mark.parametrize("early", [False, True], ids=["asked then", "asked before"])
def test_another_answer_is_refused_whenever_it_comes(point: str, early: bool, opened: Open) -> None:
    def come() -> None:
        with pytest.raises(AnsweredAlready) as refused:
            other.invoke(theirs or answering(other, CONFIG, ON, number=1), CONFIG, durability="sync")
        told.append(refused.value)

    (app, kept), (other, _) = opened(), opened()
    told: list[AnsweredAlready] = []
    app.invoke({"question": QUESTION}, CONFIG)
    mine = answering(app, CONFIG, OFF, number=1)
    theirs = answering(other, CONFIG, ON, number=1) if early else None
    kept.after[point] = come
    assert step(app.invoke(mine, CONFIG, durability="sync")) == SWITCH
    assert [(one.turn, one.answer) for one in told] in ([(1, OFF)], [(1, None)] if point == "made" else [])
    assert told[0].session == app.get_state(CONFIG).values["session"]["id"]
    app.invoke(None, CONFIG)  # both may have come to the next pause
    assert asked(app) == SWITCH
    come()
    assert asked(app) == SWITCH


@pytest.mark.parametrize("point", ["claimed", "kept", "saved"])
def test_what_was_refused_is_not_run_for_who_allows_it_meanwhile(point: str, opened: Open) -> None:
    class Watched(Asking):
        def run(self, action: Action) -> Outcome:
            allowed.append(action.approved)
            return super().run(action)

    def come() -> None:
        with pytest.raises(AnsweredAlready):
            answer(other, "Run it", number=2)

    allowed: list[str] = []
    (app, kept), (other, _) = opened(Watched()), opened(Watched())
    app.invoke({"question": QUESTION}, CONFIG)
    kept.after[point] = come
    assert LOOK in answer(app, "I do it myself", number=2)["turn"]["text"]
    assert set(allowed) == {""}


def test_a_run_with_a_late_answer_does_not_go_on_for_another(opened: Open) -> None:
    app, _ = opened(Marking(lambda step: None))
    app.invoke({"question": QUESTION}, CONFIG)
    session = app.get_state(CONFIG).values["session"]
    late: Any = Command(resume={"0" * 32: {"answer": ON, "number": 1, "session": session["id"]}})
    for node in ("turn", "execute"):
        app.invoke({"question": QUESTION}, CONFIG, interrupt_before=[node], durability="sync")
        session = app.get_state(CONFIG).values["session"]
        late = Command(resume={"0" * 32: {"answer": ON, "number": 0, "session": session["id"]}})
        with pytest.raises(AnsweredAlready):
            app.invoke(late, CONFIG)
        assert section(app.invoke(None, CONFIG)["turn"]["text"])


@pytest.mark.parametrize("apart", [30, pytest.param(10, marks=pytest.mark.slow)])
async def test_a_run_that_is_cancelled_anywhere_counts_once_or_not_at_all(
    apart: int, retriever: ThreadRetriever, tmp_path: Path
) -> None:
    marks: list[str] = []
    async with aiosqlite.connect(tmp_path / "walks.sqlite3") as connection:
        graph = create_howto_graph(retriever, executor=Marking(marks.append), journal=Journal(tmp_path / "journal"))
        plain = create_howto_graph(retriever, journal=Journal(tmp_path / "journal"))
        saver = AsyncSqliteSaver(connection)
        app, alone = graph.compile(checkpointer=saver), plain.compile(checkpointer=saver)
        for pauses in range(0, 300, apart):
            config: Any = {"configurable": {"thread_id": str(pauses)}}
            await alone.ainvoke({"question": QUESTION}, config, durability="sync")
            marks.clear()
            call = asyncio.create_task(app.ainvoke(await aanswering(app, config, OFF), config, durability="sync"))
            for _ in range(pauses):
                await asyncio.sleep(0)
            call.cancel()
            await asyncio.wait([call])
            try:
                await app.ainvoke(await aanswering(app, config, OFF, number=1), config, durability="sync")
            except (AnsweredAlready, IllegalStep):
                await app.ainvoke(None, config, durability="sync")
            assert marks == [SWITCH]
            shown = await app.ainvoke(await aanswering(app, config, "the lamp is lit"), config, durability="sync")
            assert shown["turn"]["status"] == "resolved"


# -- walks that have ended -----------------------------------------------------------------------------------------


def resolved(app: App) -> int:
    """Walk to the end -> the last turn's number."""
    app.invoke({"question": QUESTION}, CONFIG)
    answer(app, ON)
    turn: int = answer(app, "the lamp is lit")["session"]["turn"]
    return turn


def test_who_reopens_a_walk_that_was_reopened_meanwhile_sees_where_it_stands(opened: Open) -> None:
    app, _ = opened()
    number = resolved(app)
    late = answering(app, CONFIG, "back", number=number)
    assert step(answer(app, "back", number=number)) == BULB
    shown = app.invoke(late, CONFIG)
    assert shown["turn"]["text"].startswith(f"turn {number} of session")
    assert (BULB in shown["turn"]["text"], shown["session"]["turn"]) == (True, number + 1)
    assert step(answer(app, "back", number=number + 1)) == LOOK


def test_a_reopening_that_was_cut_off_or_came_second_leaves_no_dead_end(opened: Open) -> None:
    app, kept = opened()
    number = resolved(app)
    kept.after["claimed"] = cut
    with pytest.raises(Cut):
        answer(app, "back", number=number)
    app, _ = opened()
    for _ in range(2):
        with pytest.raises(AnsweredAlready) as refused:
            answer(app, "restart", number=number)
    assert step(answer(app, refused.value.answer, number=number)) == BULB


# -- walks that are a part of a graph ------------------------------------------------------------------------------


class Incident(TypedDict, total=False):
    question: str
    turn: dict[str, Any]


def within(retriever: ThreadRetriever, *names: str) -> Any:
    outer = StateGraph(Incident)
    for name in names:
        outer.add_node(name, create_howto_graph(retriever).compile())
        outer.add_edge(START, name)
    return outer.compile(checkpointer=InMemorySaver())


def test_a_walk_within_another_graph_is_answered_as_one_alone(retriever: ThreadRetriever) -> None:
    app = within(retriever, "walk")
    with pytest.raises(IllegalStep, match="not there"):
        answering(app, CONFIG, OFF)
    app.invoke({"question": QUESTION}, CONFIG)
    assert asked(app) == LOOK
    for wrong, error in ((9, IllegalStep), (0, AnsweredAlready)):
        with pytest.raises(error):
            answering(app, CONFIG, OFF, number=wrong)
    late = answering(app, CONFIG, ON)
    answer(app, OFF, number=1)
    with pytest.raises(AnsweredAlready):
        app.invoke(late, CONFIG)
    assert asked(app) == SWITCH
    assert answer(app, "the lamp is lit")["turn"]["status"] == "resolved"


def test_a_walk_that_has_ended_within_another_graph_is_not_reopened(retriever: ThreadRetriever) -> None:
    class Keeping(Incident, total=False):
        session: dict[str, Any]

    outer = StateGraph(Keeping)
    outer.add_node("walk", create_howto_graph(retriever).compile())
    outer.add_edge(START, "walk")
    app: Any = outer.compile(checkpointer=InMemorySaver())
    app.invoke({"question": QUESTION}, CONFIG)
    answer(app, "I give up")
    with pytest.raises(IllegalStep, match="ask the question again"):
        answering(app, CONFIG, "it is back")


def test_of_several_walks_at_once_one_is_answered_by_its_pause(retriever: ThreadRetriever) -> None:
    app = within(retriever, "walk", "another")
    app.invoke({"question": QUESTION}, CONFIG)
    with pytest.raises(IllegalStep, match="one of 2 that wait: answer with Command"):
        answering(app, CONFIG, OFF)
    first, second = app.get_state(CONFIG).interrupts
    app.invoke(Command(resume={first.id: {"answer": OFF, "number": 1}}), CONFIG)
    assert sorted(section(one.value["text"]) for one in app.get_state(CONFIG).interrupts) == [LOOK, SWITCH]
    assert second.id in {one.id for one in app.get_state(CONFIG).interrupts}
