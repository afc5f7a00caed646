"""The person behind an agent's tool: what they approve, and by which name they are known."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command
from pydantic import ValidationError

from langchain_thread import create_howto_tool
from langchain_thread.memory import NAMESPACE
from tests.langchain_thread.lamp import (
    CHOSEN,
    CONFIG,
    QUESTION,
    SWITCH,
    Asking,
    of,
    over_the_lamp,
    section,
    selecting,
)
from tests.langchain_thread.test_tool import Scripted, agent, call, turn
from thread_core.errors import AnsweredAlready
from thread_core.testing.model import ScriptedModel
from thread_core.walk.journal import Journal


def asked(walking: Any) -> Any:
    turn(walking)
    (pause,) = walking.invoke({"messages": [("user", "go on")]}, CONFIG)["__interrupt__"]
    return pause


@pytest.mark.parametrize("said", [1, {"answer": "Run it"}, {"answer": 1, "number": 2}])
def test_a_person_may_allow_it_as_they_do_in_a_graph(said: Any) -> None:
    tool = create_howto_tool(over_the_lamp(), executor=Asking())
    walking = agent(tool, InMemorySaver(), call(question=QUESTION), call(outcome="ask"))
    pause = asked(walking)
    assert pause.value["number"] == 2
    message = walking.invoke(Command(resume={pause.id: said}), CONFIG)["messages"][-2]
    assert pause.value["session"] == message.artifact["session"]["id"]
    assert SWITCH in message.artifact["turn"]["text"]


@pytest.mark.parametrize(
    ("said", "error"), [({"decisions": []}, ValidationError), ({"answer": "Run it", "number": 1}, AnsweredAlready)]
)
def test_what_is_no_answer_leaves_the_pause(said: Any, error: type[Exception]) -> None:
    tool = create_howto_tool(over_the_lamp(), executor=Asking())
    walking = agent(tool, InMemorySaver(), call(question=QUESTION), call(outcome="ask"))
    pause = asked(walking)
    with pytest.raises(error):
        walking.invoke(Command(resume={pause.id: said}), CONFIG)
    assert [one.id for one in walking.get_state(CONFIG).interrupts] == [pause.id]


def test_the_journal_says_whose_thread_it_was() -> None:
    journal = Journal()
    walking = agent(create_howto_tool(over_the_lamp(), journal=journal), InMemorySaver(), call(question=QUESTION))
    turn(walking, config=of("ann", "1"))
    assert {(entry["by"], entry["about"]["thread_id"]) for entry in journal.entries()} == {("ann", "1")}


def test_a_context_names_the_person_too() -> None:
    model, kept = ScriptedModel(("", CHOSEN)), InMemoryStore()
    replies = iter([call(question=QUESTION), AIMessage("I have done that.")])
    tool = create_howto_tool(over_the_lamp(), selecting(model))
    walking = create_agent(Scripted(messages=replies), [tool], store=kept, context_schema=dict)
    said = walking.invoke({"messages": [("user", "help")]}, context={"user_id": "ann"})["messages"]
    assert section(str(said[-2].content)).startswith("Look")
    assert len(kept.search((NAMESPACE, "ann"))) == 1
