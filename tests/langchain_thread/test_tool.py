"""An agent walks with the tool, and the walk lives in the agent's own thread."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, RemoveMessage, ToolMessage
from langchain_core.tools import BaseTool
from langchain_tests.integration_tests import ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.prebuilt import ToolNode
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.store.sqlite import AsyncSqliteStore
from langgraph.types import Command
from pydantic import BaseModel
from typing_extensions import TypedDict

from langchain_thread import HowToSession, ThreadRetriever, create_howto_tool
from langchain_thread.memory import NAMESPACE
from tests.langchain_thread.lamp import (
    BULB,
    CHOSEN,
    CONFIG,
    EARLIER,
    LOOK,
    QUESTION,
    SWITCH,
    Asking,
    Marking,
    of,
    over_the_lamp,
    section,
    selecting,
    told,
)
from thread_core.llm.access import ModelAccess
from thread_core.testing.model import ScriptedModel
from thread_core.walk import agents
from thread_core.walk.execution import Action, Outcome, OutcomeKind
from thread_core.walk.journal import Journal


class Scripted(GenericFakeChatModel):
    """Says what it is told to say, tools or not."""

    def bind_tools(self, tools: Any, **options: Any) -> Scripted:  # type: ignore[override]
        return self


def call(**arguments: Any) -> AIMessage:
    call.number += 1  # type: ignore[attr-defined]
    return AIMessage("", tool_calls=[{"name": "howto", "args": arguments, "id": f"call-{call.number}"}])  # type: ignore[attr-defined]


call.number = 0  # type: ignore[attr-defined]


@pytest.fixture
def retriever() -> ThreadRetriever:
    return over_the_lamp()


def agent(tool: BaseTool, saver: BaseCheckpointSaver[Any], *calls: AIMessage, store: BaseStore | None = None) -> Any:
    """One that makes these calls, a turn each, and says that it has."""
    replies = [reply for one in calls for reply in (one, AIMessage("I have done that."))]
    return create_agent(Scripted(messages=iter(replies)), [tool], checkpointer=saver, store=store)


def turn(agent: Any, said: str = "go on", config: Any = CONFIG) -> ToolMessage:
    """What the tool said to the call that the agent makes when it is told something."""
    messages = agent.invoke({"messages": [("user", said)]}, config)["messages"]
    return next(message for message in reversed(messages) if isinstance(message, ToolMessage))


def test_a_walk_goes_on_over_turns_and_processes(retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any]) -> None:
    session = HowToSession(retriever)
    given = {"question": QUESTION}
    for expected in (
        session.start(QUESTION),
        session.respond("it prints off"),
        session.respond("2"),
        session.respond("back"),
        session.respond("the lamp stays dark"),
        session.respond("the lamp is lit"),
    ):
        said = turn(agent(create_howto_tool(retriever), saver, call(**given)))
        assert said.artifact["turn"] == expected.model_dump(mode="json")
        assert expected.plain in str(said.content)
        outcomes = iter(["it prints off", "2", "back", "the lamp stays dark", "the lamp is lit", ""])
        given = {"outcome": [*outcomes][said.artifact["session"]["turn"] - 1]}
    assert str(said.content).endswith("(The procedure has ended.)")


def test_the_model_reads_the_step_its_outcomes_and_what_to_do(retriever: ThreadRetriever) -> None:
    said = create_howto_tool(retriever).invoke({"question": QUESTION})
    assert said.splitlines()[0] == "The lamp is dark: Look at the switch"
    options, source, _ = said.split("\n\n")[-3:]
    assert options.splitlines()[1].startswith('1. it prints "off"')
    assert source == "Source: lamp.md:5-8"
    assert said.endswith("(Do this, or have it done; then call again with the outcome.)")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"outcome": "done"}, "No procedure is under way"),
        ({}, "either a question"),
        ({"question": QUESTION, "outcome": "done"}, "either a question"),
    ],
)
def test_a_call_that_makes_no_sense_is_told_to_the_model(
    given: dict[str, str], said: str, retriever: ThreadRetriever
) -> None:
    tool = create_howto_tool(retriever)
    assert said in tool.invoke(given)
    answered = turn(agent(tool, InMemorySaver(), call(**given)))
    assert (answered.status, said in str(answered.content)) == ("error", True)


@pytest.mark.parametrize(
    "given", [{"outcome": 2}, {"outcome": 2.0}, {"question": None, "outcome": "2"}, {"question": " ", "outcome": "2"}]
)
def test_a_model_may_say_it_in_other_ways(given: dict[str, Any], retriever: ThreadRetriever) -> None:
    walking = agent(create_howto_tool(retriever), InMemorySaver(), call(question=QUESTION), call(**given))
    turn(walking)
    assert section(str(turn(walking).content)) == BULB


@pytest.mark.parametrize("said", ["2", "next", 'it prints "fine"', "back"])
def test_a_question_that_is_an_answer_to_the_step_is_taken_as_one(said: str, retriever: ThreadRetriever) -> None:
    one, other = (
        agent(create_howto_tool(retriever), InMemorySaver(), call(question=QUESTION), call(**{key: said}))
        for key in ("question", "outcome")
    )
    turn(one), turn(other)
    assert turn(one).content == turn(other).content


def test_a_new_question_begins_anew_and_says_which_walk_is_left(retriever: ThreadRetriever) -> None:
    other = "How do I change the bulb?"
    calls = [call(question=QUESTION), call(question=other), call(question=other), call(outcome="where are we?")]
    walking = agent(create_howto_tool(retriever), InMemorySaver(), *calls)
    _, begun, again, where = (str(turn(walking).content) for _ in calls)
    told, step = begun.split("\n\n", 1)
    assert (told, section(step)) == (agents.LEFT.format(QUESTION), BULB)
    assert again == where == step


async def test_what_cannot_be_done_is_told_to_the_model_and_the_walk_stays(retriever: ThreadRetriever) -> None:
    walking = agent(
        create_howto_tool(retriever),
        InMemorySaver(),
        call(question=QUESTION),
        call(outcome="back"),
        call(outcome="it prints off"),
    )
    turn(walking)
    assert "There is nothing to go back to" in str(turn(walking).content)
    assert section(str(turn(walking).content)) == SWITCH


def test_of_two_calls_in_one_message_the_second_is_told(retriever: ThreadRetriever) -> None:
    both = [call(outcome=words).tool_calls[0] for words in ("it prints off", "it prints fine")]
    walking = agent(
        create_howto_tool(retriever),
        InMemorySaver(),
        call(question=QUESTION),
        AIMessage("", tool_calls=both),
        call(outcome="the lamp stays dark"),
    )
    turn(walking)
    messages = walking.invoke({"messages": [("user", "go on")]}, CONFIG)["messages"]
    told = [(message.status, "one call at a time" in str(message.content)) for message in messages[-3:-1]]
    assert told == [("success", False), ("error", True)]
    assert section(str(turn(walking).content)) == BULB


def test_an_executor_does_nothing_twice_when_a_call_is_made_again(retriever: ThreadRetriever, tmp_path: Path) -> None:
    marks: list[str] = []

    def mark(step: str) -> None:
        marks.append(step)
        if len(marks) == 2:
            raise KeyboardInterrupt

    journal = Journal(tmp_path / "journal.jsonl")
    saver = InMemorySaver()
    tool = create_howto_tool(retriever, executor=Marking(mark), journal=journal)
    walking = agent(tool, saver, call(question=QUESTION))
    with pytest.raises(KeyboardInterrupt):
        turn(walking)
    again = walking.invoke(None, CONFIG)["messages"][-2]
    assert marks == [LOOK, SWITCH]
    assert [ran["outcome"]["kind"] for ran in again.artifact["turn"]["ran"]] == ["observed", "uncertain"]
    assert {entry["session"].partition("/")[0] for entry in journal.entries() if "session" in entry} == {
        again.artifact["session"]["id"]
    }


class Switching(Marking):
    """Leaves the first step to the person."""

    def run(self, action: Action) -> Outcome:
        return super().run(action) if SWITCH in action.header else Outcome(kind=OutcomeKind.HANDED)


def test_a_request_that_comes_twice_at_once_is_carried_out_once(retriever: ThreadRetriever) -> None:
    marks: list[str] = []

    def mark(step: str) -> None:
        marks.append(step)
        if len(marks) == 1:
            again.append(turn(agent(tool, saver, call(outcome="it prints off"))))

    again: list[ToolMessage] = []
    tool, saver = create_howto_tool(retriever, executor=Switching(mark)), InMemorySaver()
    walking = agent(tool, saver, call(question=QUESTION), call(outcome="it prints off"))
    turn(walking)
    first = turn(walking)
    assert marks == [SWITCH]
    assert [one.artifact["turn"]["ran"][0]["outcome"]["kind"] for one in (first, *again)] == ["observed", "uncertain"]


def test_a_request_that_was_cut_off_and_is_posted_again_is_carried_out_once(retriever: ThreadRetriever) -> None:
    marks: list[str] = []

    def mark(step: str) -> None:
        marks.append(step)
        raise KeyboardInterrupt

    tool, saver = create_howto_tool(retriever, executor=Switching(mark)), InMemorySaver()
    walking = agent(tool, saver, call(question=QUESTION), call(outcome="it prints off"))
    turn(walking)
    with pytest.raises(KeyboardInterrupt):
        turn(walking)
    again = turn(agent(tool, saver, call(outcome="it prints off")))
    assert [one["outcome"]["kind"] for one in again.artifact["turn"]["ran"]] == ["uncertain"]
    assert marks == [SWITCH]


def test_of_two_people_who_answer_at_once_both_go_on_from_the_answer_that_counts(retriever: ThreadRetriever) -> None:
    class Overtaken(Journal):
        def answered(self, session: str, turn: int, answer: str) -> None:
            if answer == "it prints off":
                first.append(said(agent(tool, saver, call(outcome="it prints fine"))))
            super().answered(session, turn, answer)

    first: list[ToolMessage] = []
    said, saver = turn, InMemorySaver()
    tool = create_howto_tool(retriever, journal=Overtaken())
    calls = (call(question=QUESTION), call(outcome="it prints off"), call(outcome="back"))
    walking = agent(tool, saver, *calls)
    turn(walking)
    second = turn(walking)
    told, _, step = str(second.content).partition("\n\n")
    assert 'already answered with "it prints fine"' in told
    assert step == first[0].content
    assert section(step) == BULB
    assert section(str(turn(walking).content)) == LOOK


def test_what_a_branch_of_the_thread_ran_is_not_run_in_another(retriever: ThreadRetriever) -> None:
    marks: list[str] = []
    calls = [call(question=QUESTION), call(outcome="it prints off"), call(outcome="it prints off")]
    walking = agent(create_howto_tool(retriever, executor=Switching(marks.append)), InMemorySaver(), *calls)
    turn(walking)
    before = walking.get_state(CONFIG).config
    assert [section(turn(walking, config=config).artifact["turn"]["text"]) for config in (CONFIG, before)]
    assert marks == [SWITCH]


def test_a_branch_of_the_thread_stays_one(retriever: ThreadRetriever) -> None:
    said = ("it prints off", "the lamp stays dark", "it prints off", "back")
    walking = agent(
        create_howto_tool(retriever), InMemorySaver(), call(question=QUESTION), *(call(outcome=one) for one in said)
    )
    turn(walking)
    before = walking.get_state(CONFIG).config
    for config in (CONFIG, CONFIG, before):
        turn(walking, config=config)
    assert section(str(turn(walking).content)) == LOOK


def test_a_walk_goes_on_without_its_messages(retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any]) -> None:
    calls = (call(question=QUESTION), call(outcome="it prints off"), call(outcome="the lamp stays dark"))
    walking = agent(create_howto_tool(retriever), saver, *calls)
    turn(walking)
    turn(walking)
    walking.update_state(CONFIG, {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES)]})
    assert section(str(turn(walking).content)) == BULB


async def test_an_awaited_agent_walks_and_goes_on_without_its_messages(
    retriever: ThreadRetriever, tmp_path: Path
) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "agent.sqlite3")) as saver:
        walking = agent(create_howto_tool(retriever), saver, call(question=QUESTION), call(outcome="it prints off"))
        steps = []
        for _ in range(2):
            messages = (await walking.ainvoke({"messages": [("user", "go on")]}, CONFIG))["messages"]
            steps.append(section(messages[-2].content))
            await walking.aupdate_state(CONFIG, {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES)]})
    assert steps == [LOOK, SWITCH]


def test_a_message_does_not_hold_the_walk_again_where_a_thread_keeps_it(retriever: ThreadRetriever) -> None:
    walking = agent(create_howto_tool(retriever), InMemorySaver(), call(question=QUESTION))
    assert set(turn(walking).artifact["session"]) == {"id", "turn", "kept"}


def test_a_run_without_a_checkpointer_walks_by_its_messages(retriever: ThreadRetriever) -> None:
    replies = iter([call(question=QUESTION), call(outcome="it prints off"), AIMessage("I have done that.")])
    walking = create_agent(Scripted(messages=replies), [create_howto_tool(retriever)])
    assert section(str(turn(walking).content)) == SWITCH


class Modelled(BaseModel):
    messages: Annotated[list[AnyMessage], add_messages] = []


@dataclass
class Classed:
    messages: Annotated[list[AnyMessage], add_messages]


class Named(TypedDict):
    chat: Annotated[list[AnyMessage], add_messages]


class Added(TypedDict):
    messages: Annotated[list[AnyMessage], operator.add]


@pytest.mark.parametrize(
    ("state", "key"),
    [
        (Modelled, "messages"),
        (Classed, "messages"),
        (Named, "chat"),
        (Added, "messages"),
        (Annotated[list, add_messages], ""),
    ],
)
def test_a_graph_of_your_own_may_hold_its_messages_as_it_likes(
    state: Any, key: str, retriever: ThreadRetriever
) -> None:
    graph = StateGraph(state)
    graph.add_node("tools", ToolNode([create_howto_tool(retriever)], messages_key=key or "messages"))
    graph.add_edge(START, "tools")
    app = graph.compile(checkpointer=InMemorySaver())
    steps = []
    for given in ({"question": QUESTION}, {"outcome": "it prints off"}, {"question": QUESTION}):
        said = app.invoke({key: [call(**given)]} if key else [call(**given)], CONFIG)
        messages = said if isinstance(said, list) else said[key]
        steps.append(section(str(messages[-1].content)))
    assert steps == [LOOK, SWITCH, LOOK]


def test_messages_whose_thread_is_kept_elsewhere_have_no_walk(retriever: ThreadRetriever) -> None:
    walking = agent(create_howto_tool(retriever), InMemorySaver(), call(question=QUESTION))
    before = walking.invoke({"messages": [("user", "go on")]}, CONFIG)["messages"]
    replies = iter([call(outcome="it prints off"), AIMessage("I have done that.")])
    elsewhere = create_agent(Scripted(messages=replies), [create_howto_tool(retriever)])
    said = elsewhere.invoke({"messages": [*before, ("user", "go on")]})["messages"]
    assert "No procedure is under way" in str(said[-2].content)


def test_an_artifact_of_another_tool_of_that_name_is_none_of_a_walk(retriever: ThreadRetriever) -> None:
    asking, calling = call(outcome="an older tool"), call(outcome="done")
    said = [
        ToolMessage("1", name="howto", tool_call_id=asking.tool_calls[0]["id"], artifact=artifact)
        for artifact in ({"rows": 1}, {"session": 7, "turn": {}}, [1])
    ]
    for older in said:
        walking = agent(create_howto_tool(retriever), InMemorySaver(), calling)
        walking.update_state(CONFIG, {"messages": [asking, older]})
        assert "No procedure is under way" in str(turn(walking).content)


def test_people_without_threads_have_a_walk_each(retriever: ThreadRetriever) -> None:
    tool = create_howto_tool(retriever)
    asking = AIMessage("", id="1", tool_calls=call(question=QUESTION).tool_calls)
    walking = [agent(tool, None, asking) for _ in range(2)]  # type: ignore[arg-type]
    ids = [turn(one).artifact["session"]["id"] for one in walking]
    assert ids[0] != ids[1]


@pytest.mark.parametrize(
    ("said", "shown", "ran"), [("Run it", SWITCH, "observed"), ("I do it myself", LOOK, None), ("2", LOOK, None)]
)
def test_the_person_allows_what_is_run_and_not_the_model(
    said: str, shown: str, ran: str | None, retriever: ThreadRetriever, saver: BaseCheckpointSaver[Any]
) -> None:
    walking = agent(
        create_howto_tool(retriever, executor=Asking()), saver, call(question=QUESTION), call(outcome="Run it")
    )
    assert str(turn(walking).content).endswith("they are asked.)")
    paused = walking.invoke({"messages": [("user", "go on")]}, CONFIG)
    (pause,) = paused["__interrupt__"]
    assert pause.value["options"] == ["Run it", "I do it myself"]
    message = walking.invoke(Command(resume={pause.id: said}), CONFIG)["messages"][-2]
    assert shown in message.artifact["turn"]["text"]
    assert [one["outcome"]["kind"] for one in message.artifact["turn"]["ran"]][:1] == ([ran] if ran else [])


def test_an_agent_without_a_checkpointer_cannot_ask_the_person(retriever: ThreadRetriever) -> None:
    tool = create_howto_tool(retriever, executor=Asking())
    calls = iter([call(question=QUESTION), call(outcome="Run it")])
    walking = create_agent(Scripted(messages=calls), [tool])
    with pytest.raises(ValueError, match="checkpointer"):
        walking.invoke({"messages": [("user", "go on")]})


def test_a_walk_of_another_version_is_begun_anew(retriever: ThreadRetriever, monkeypatch: pytest.MonkeyPatch) -> None:
    walking = agent(create_howto_tool(retriever), InMemorySaver(), call(question=QUESTION), call(outcome="1"))
    turn(walking)
    monkeypatch.setattr("thread_core.walk.state.VERSION", 99)
    assert "start the walk again" in str(turn(walking).content)


def test_the_steps_of_earlier_threads_are_recalled_and_this_walk_is_kept_once(retriever: ThreadRetriever) -> None:
    model, kept = ScriptedModel(*[("", CHOSEN)] * 3), InMemoryStore()
    tool = create_howto_tool(retriever, selecting(model))
    calls = (call(question=QUESTION), call(outcome="it prints off"), *(call(question=QUESTION) for _ in range(2)))
    walking = agent(tool, InMemorySaver(), *calls, store=kept)
    for config in (of("ann", "1"), of("ann", "1"), of("eve", "2"), of("ann", "3")):
        turn(walking, config=config)
    assert [EARLIER in asked for asked in told(model)] == [False, False, True]
    assert "What came of it:\n| it prints off" in told(model)[-1]
    assert sorted(len(item.value["steps"]) for item in kept.search((NAMESPACE, "ann"))) == [1, 2]


async def test_an_awaited_agent_is_not_told_its_own_walk_as_an_earlier_one(
    retriever: ThreadRetriever, tmp_path: Path
) -> None:
    model = ScriptedModel(
        ("", CHOSEN),
        ("They report:", '{"way": "1.2"}'),
        ("Step 1:", '{"rationales": ["The lamp is dark."]}'),
        ("Step 1:", '{"way": "1.2"}'),
    )
    tool = create_howto_tool(retriever, ModelAccess(model))
    async with AsyncSqliteStore.from_conn_string(str(tmp_path / "store.sqlite3")) as kept:
        await kept.setup()
        walking = agent(
            tool,
            InMemorySaver(),
            call(question=QUESTION),
            call(outcome="I think it prints off"),
            call(outcome="nothing new"),
            store=kept,
        )
        for _ in range(3):
            await walking.ainvoke({"messages": [("user", "go on")]}, of("ann", "1"))
        assert len(await kept.asearch((NAMESPACE, "ann"))) == 1
    assert EARLIER not in told(model)[-1]
    model.finished()


def test_two_walks_of_one_agent_have_names_of_their_own(retriever: ThreadRetriever) -> None:
    first = create_howto_tool(retriever, name="runbooks", description="Runbooks of the lamps.")
    assert (first.name, first.description) == ("runbooks", "Runbooks of the lamps.")
    assert set(first.tool_call_schema.model_json_schema()["properties"]) == {"question", "outcome"}  # type: ignore[union-attr]


class Lamp:
    @property
    def tool_constructor(self) -> BaseTool:
        return create_howto_tool(over_the_lamp())

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"question": QUESTION}


class TestStandardUnit(Lamp, ToolsUnitTests):
    pass


class TestStandard(Lamp, ToolsIntegrationTests):
    pass
