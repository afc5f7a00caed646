"""What a person's walks leave behind in a LangGraph store, and that it is nobody else's."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_chroma import Chroma
from langchain_core.language_models import GenericFakeChatModel
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import AsyncSqliteStore, SqliteStore

from langchain_thread import HowToSession, StoredStepMemory, ThreadRetriever
from langchain_thread.memory import NAMESPACE
from thread_core.models import Place
from thread_core.walk.memory import Snippet, snippets_of
from thread_core.walk.state import Position, SessionState
from thread_core.walk.states import Status

QUESTION = "The agent 2.3 is silent"


def walk(session: str, *headers: str) -> SessionState:
    step = {"document_id": "agent.md", "unit_id": "u", "place": Place(anchor="", number=1), "first": 1, "last": 1}
    steps = tuple(Position(header=header, why="it fits", content_hash="", **step) for header in headers)
    return SessionState(id=session, question=QUESTION, status=Status.AWAITING, trail=steps)


@pytest.fixture(params=["memory", "sqlite"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BaseStore]:
    if request.param == "memory":
        yield InMemoryStore()
        return
    with SqliteStore.from_conn_string(str(tmp_path / "store.sqlite3")) as store:
        store.setup()
        yield store


def actions(steps: StoredStepMemory) -> list[str]:
    return [snippet.action for snippet in steps.load().earlier]


def test_what_a_person_did_is_there_in_later_threads(kept: BaseStore) -> None:
    state = walk("one", "Ping the agent", "Restart it")
    StoredStepMemory(kept, "ann").keep(state)
    assert StoredStepMemory(kept, "ann").load().earlier == snippets_of(state)


def test_a_walk_is_one_item_that_grows(kept: BaseStore) -> None:
    steps = StoredStepMemory(kept, "ann")
    steps.keep(walk("one", "Ping the agent"))
    steps.keep(walk("one", "Ping the agent", "Restart it"))
    steps.keep(walk("one", "Ping the agent", "Restart it"))
    assert actions(steps) == ["Ping the agent", "Restart it"]


def test_another_question_of_the_same_session_is_another_walk(kept: BaseStore) -> None:
    steps = StoredStepMemory(kept, "ann")
    steps.keep(walk("one", "Ping the agent"))
    steps.keep(walk("one", "Free some space").replace(question="The disk is full"))
    assert sorted(actions(steps)) == ["Free some space", "Ping the agent"]


def test_no_store_is_made_to_embed_what_is_kept() -> None:
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> list[list[float]]:
        asked.extend(texts)
        return [[1.0, 0.0]] * len(texts)

    steps = StoredStepMemory(InMemoryStore(index={"dims": 2, "embed": embed}), "ann")
    steps.keep(walk("one", "Ping the agent"))
    assert (actions(steps), asked) == (["Ping the agent"], [])


NAMES = [
    *("ann", "Ann", "anna", "an", "a%", "a_n", "*", "an?", "ann.b", "ann%2Eb", "ann/b", "b.ann", " ann", "ann "),
    *("ann@example.com", "ann@example_com", "änn", "langgraph", "..", "%", "thread_steps", "a" * 300),
]


def test_nobody_recalls_what_somebody_else_did(kept: BaseStore) -> None:
    for number, name in enumerate(NAMES):
        StoredStepMemory(kept, name).keep(walk("one", f"Step {number}"))
    recalled = {name: actions(StoredStepMemory(kept, name)) for name in NAMES}
    assert recalled == {name: [f"Step {number}"] for number, name in enumerate(NAMES)}


def test_what_others_keep_below_a_persons_name_is_not_recalled(kept: BaseStore) -> None:
    StoredStepMemory(kept, "ann").keep(walk("one", "Mine"))
    foreign = {"steps": [Snippet(question="?", action="Not mine").model_dump(mode="json")]}
    kept.put((NAMESPACE, "ann", "notes"), "x", foreign)
    kept.put((NAMESPACE,), "x", foreign)
    assert actions(StoredStepMemory(kept, "ann")) == ["Mine"]


def test_somebody_has_to_be_named() -> None:
    with pytest.raises(ValueError, match="user_id is empty"):
        StoredStepMemory(InMemoryStore(), "")


def test_of_many_walks_the_newest_are_recalled(kept: BaseStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("langchain_thread.memory.CONVERSATIONS", 5)
    monkeypatch.setattr("langchain_thread.memory.PAGE", 3)
    steps = StoredStepMemory(kept, "ann")
    for number in range(12):
        steps.keep(walk(f"{number}", f"Step {number}"))
    steps.keep(walk("0", "Step 0 again"))
    found = actions(steps)
    assert len(found) == 5
    if isinstance(kept, InMemoryStore):  # SQLite's clock has seconds
        assert found == [*(f"Step {number}" for number in range(8, 12)), "Step 0 again"]
    assert len(kept.search((NAMESPACE,), limit=20)) == 5


async def test_what_is_too_old_to_be_recalled_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("langchain_thread.memory.CONVERSATIONS", 2)
    kept = InMemoryStore()
    bobs = StoredStepMemory(kept, "bob")
    bobs.keep(walk("0", "Step 0"))
    steps = StoredStepMemory(kept, "ann")
    for number in range(4):
        steps.keep(walk(f"{number}", f"Step {number}"))
    assert [one.action for one in (await steps.aload(walk("0", "Step 0"))).earlier] == ["Step 2", "Step 3"]
    assert len(kept.search((NAMESPACE, "ann"))) == 3  # with the walk that goes on
    assert (len(steps.load().earlier), len(kept.search((NAMESPACE, "ann")))) == (2, 2)
    assert actions(bobs) == ["Step 0"]


def test_what_cannot_be_read_is_passed_over_and_said(kept: BaseStore, caplog: pytest.LogCaptureFixture) -> None:
    steps = StoredStepMemory(kept, "ann")
    steps.keep(walk("good", "Ping the agent"))
    broken: list[dict[str, Any]] = [{"steps": [{"action": 7}]}, {"steps": 7}, {"notes": []}, {"steps": ["x"]}]
    for number, value in enumerate(broken):
        kept.put((NAMESPACE, "ann"), f"bad-{number}", value)
    with caplog.at_level(logging.WARNING):
        assert actions(steps) == ["Ping the agent"]
    assert sorted(record.message.split()[5].rstrip(":") for record in caplog.records) == [
        "bad-0",
        "bad-1",
        "bad-2",
        "bad-3",
    ]


async def test_the_event_loop_has_the_same(tmp_path: Path) -> None:
    state = walk("one", "Ping the agent")
    async with AsyncSqliteStore.from_conn_string(str(tmp_path / "store.sqlite3")) as kept:
        await kept.setup()
        await asyncio.gather(*(StoredStepMemory(kept, name).akeep(state) for name in ("ann", "bob")))
        assert (await StoredStepMemory(kept, "ann").aload()).earlier == snippets_of(state)
        assert (await StoredStepMemory(kept, "eve").aload()).earlier == ()


def test_a_session_is_told_what_the_person_did_before(store: Chroma) -> None:
    """In another thread of the same person the model is shown the steps; in one of somebody else it is not."""
    kept, retriever = InMemoryStore(), ThreadRetriever(vectorstore=store)
    first = HowToSession(retriever)
    first.start(QUESTION)
    first.respond("it does not answer")
    StoredStepMemory(kept, "ann").keep(first.state)

    assert "Restart the agent" not in _asked(retriever, kept, "eve")
    asked = _asked(retriever, kept, "ann")
    assert "Step 1, from earlier: what held then need not hold now:" in asked
    assert f"| {QUESTION}" in asked


def _asked(retriever: ThreadRetriever, kept: BaseStore, user_id: str) -> str:
    """What the models of a session are asked at its start."""
    seen: list[str] = []

    class Model(GenericFakeChatModel):
        def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            seen.extend(message.text for message in messages)
            return super()._generate(messages, *args, **kwargs)

    model = Model(messages=iter(["no JSON"] * 9))
    HowToSession(retriever, model, memory=StoredStepMemory(kept, user_id).load()).start(QUESTION)
    return "\n".join(seen)
