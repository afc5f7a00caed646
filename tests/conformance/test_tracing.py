"""Whoever traces a run sees of each call which role it has, and in a walk of which guide and step: ids, and no text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.tracers.context import register_configure_hook
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.instrumentation.events import BaseEvent
from llama_index.core.instrumentation.events.llm import LLMChatStartEvent
from pydantic import PrivateAttr

from tests.conformance.modelled import ANSWERING, LangChain, LlamaIndex, Modelled
from tests.scripted import Request, ScriptedServer

pytestmark = [pytest.mark.slow, pytest.mark.enable_socket]

FAILOVER = "database-failover.md"
TEXTS = {FAILOVER: Path("examples/documents", FAILOVER).read_text(encoding="utf-8")}
QUESTION = "How do I fail over the orders database? The primary does not answer."

Labels = list[dict[str, str]]


def choosing(request: Request) -> str:
    needs = sum(line.startswith("Prerequisite ") for line in request.text.splitlines())
    judged = [{"number": number, "verdict": "met", "question": ""} for number in range(1, needs + 1)]
    return json.dumps({"prerequisites": judged, "units": ["1"], "query": []})


@contextmanager
def seen_by_langchain(monkeypatch: pytest.MonkeyPatch) -> Iterator[Labels]:
    found: Labels = []

    class Seeing(BaseCallbackHandler):
        def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
            labels = {name: value for name, value in kwargs["metadata"].items() if name.startswith("thread_")}
            assert kwargs["name"] == f"thread {labels['thread_role']}"
            assert f"thread:{labels['thread_role']}" in kwargs["tags"]
            found.append(labels)

    handler: ContextVar[Any] = ContextVar("seeing", default=None)
    register_configure_hook(handler, inheritable=True)
    token = handler.set(Seeing())
    yield found
    handler.reset(token)


@contextmanager
def seen_by_llama_index(monkeypatch: pytest.MonkeyPatch) -> Iterator[Labels]:
    class Seeing(BaseEventHandler):
        _found: Labels = PrivateAttr(default_factory=list)

        def handle(self, event: BaseEvent, **kwargs: Any) -> None:
            if isinstance(event, LLMChatStartEvent):
                self._found.append({name: value for name, value in event.tags.items() if name.startswith("thread_")})

    handler, dispatcher = Seeing(), get_dispatcher()
    monkeypatch.setattr(dispatcher, "event_handlers", [*dispatcher.event_handlers, handler])
    yield handler._found


@pytest.fixture(scope="module", params=[(LangChain, seen_by_langchain), (LlamaIndex, seen_by_llama_index)])
def traced(request: pytest.FixtureRequest) -> tuple[Modelled, Any]:
    make, seen = request.param
    return make(TEXTS), seen


@pytest.mark.parametrize("way", ANSWERING)
def test_each_call_of_an_answer_names_its_role(
    way: str, traced: Any, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter, seen = traced
    server.reply(choosing, to="You choose")
    server.reply("First ping the primary [1].", to="You answer")
    with seen(monkeypatch) as found:
        adapter.answer(adapter.client(server.url), QUESTION, way)
    assert [labels["thread_role"] for labels in found] == ["selector", "generator"]


@pytest.mark.parametrize("on_a_loop", [False, True])
def test_a_call_of_a_walk_names_the_guide_and_the_step(
    on_a_loop: bool, traced: Any, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter, seen = traced
    server.reply(choosing, to="You choose")
    server.reply('{"way": "1"}', to="A person follows")
    session = adapter.session(adapter.client(server.url))

    async def walked() -> None:
        await session.astart(QUESTION)
        await session.arespond("it says something that I do not understand")

    with seen(monkeypatch) as found:
        if on_a_loop:
            asyncio.run(walked())
        else:
            session.start(QUESTION)
            session.respond("it says something that I do not understand")
    assert [labels["thread_role"] for labels in found] == ["selector", "query_generator"]
    assert found[1]["thread_guide"] == FAILOVER
    assert found[1]["thread_step"]
