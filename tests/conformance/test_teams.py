"""Teams of agents of both frameworks walk alike: with models that call tools over HTTP, and a process a turn."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from llama_index.core.workflow import Context, HumanResponseEvent

import langchain_thread
import llama_index_thread
from langchain_thread import aanswering, answering
from tests.conformance import modelled
from tests.langchain_thread.lamp import BULB, GUIDE, LOOK, QUESTION, SWITCH, Asking, Marking
from tests.scripted import ScriptedServer
from tests.scripted.calls import Call, calling
from tests.scripted.faults import Fault
from thread_core.errors import AnsweredAlready
from thread_core.walk.execution import Executor
from thread_core.walk.journal import Journal
from thread_core.walk.rendering import Turn
from thread_core.walk.state import Asked, SessionState
from thread_core.walk.states import Status

# LlamaIndex's agents use fields of Pydantic by their old names.
pytestmark = pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning")

PUMP = """\
# Pump stands still

## Read the display

Read the display with `pumpctl status`. If it shows E17, go to [Free the rotor](#free-the-rotor).

## Free the rotor

Free the rotor with `pumpctl free 3`.
"""
TEXTS = {"lamp.md": GUIDE, "pump.md": PUMP}
CONFIG: Any = {"configurable": {"thread_id": "lamp"}}
SELECTOR, PLANNER, GENERATOR = "You are the selector", "You are the planner", "You are the query generator"
ODD = "there is some strange word on it, offline or so"
"""A report that the walk by itself does not take for an outcome."""

langchain = cache(lambda: modelled.LangChain(TEXTS))
llama_index = cache(lambda: modelled.LlamaIndex(TEXTS))


class Team(Protocol):
    """A team at a walk that is kept in a folder; each call is as one in a process of its own."""

    def say(self, line: str, **begun: Any) -> Turn:
        """What the person reads next."""

    @property
    def state(self) -> SessionState: ...

    def session(self) -> Any:
        """A session of one agent that goes on."""


class LangChainTeam:
    def __init__(self, url: str, folder: Path, **options: Any) -> None:
        self._folder, self._options = folder, options
        self._llm = langchain().client(url)
        self.retriever: Any = langchain().retriever

    def say(self, line: str, **begun: Any) -> Turn:
        is_new = not (self._folder / "walk.sqlite3").exists()
        with closing(sqlite3.connect(self._folder / "walk.sqlite3", check_same_thread=False)) as connection:
            app = self.graph.compile(checkpointer=SqliteSaver(connection))
            given: Any = {"question": line} if is_new else answering(app, CONFIG, line)
            if begun:
                given = {"answer": line, **begun}
            return self._seen(app.invoke(given, CONFIG, durability="sync"))

    @property
    def graph(self) -> Any:
        return langchain_thread.create_howto_team(self.retriever, self._llm, **self._options)

    def _seen(self, given: Any) -> Turn:
        self.state = SessionState.model_validate(given["session"])
        return Turn.model_validate(given["turn"])

    def session(self) -> langchain_thread.HowToSession:
        return langchain_thread.HowToSession.resume(self.state.model_dump_json(), self.retriever)


class AwaitedTeam(LangChainTeam):
    def say(self, line: str, **begun: Any) -> Turn:
        is_new = not (self._folder / "walk.sqlite3").exists()

        async def turn() -> Turn:
            async with AsyncSqliteSaver.from_conn_string(str(self._folder / "walk.sqlite3")) as saver:
                app = self.graph.compile(checkpointer=saver)
                given: Any = {"question": line} if is_new else await aanswering(app, CONFIG, line)
                if begun:
                    given = {"answer": line, **begun}
                return self._seen(await app.ainvoke(given, CONFIG, durability="sync"))

        return asyncio.run(turn())


class LlamaIndexTeam:
    def __init__(self, url: str, folder: Path, **options: Any) -> None:
        self._file = folder / "context.json"
        self.retriever: Any = llama_index().retriever
        llm = llama_index().client(url, is_function_calling_model=True)
        self._team = llama_index_thread.create_howto_team(self.retriever, llm, **options)

    def say(self, line: str, **begun: Any) -> Turn:
        return asyncio.run(self._say(line, begun))

    async def _say(self, line: str, begun: Mapping[str, Any]) -> Turn:
        if not self._file.exists():
            handler = self._team.run(user_msg=line, **begun)
        else:
            ctx: Any = Context.from_dict(self._team, json.loads(self._file.read_text()))
            waits = ctx.is_running
            handler = self._team.run(ctx=ctx) if waits else self._team.run(user_msg=line, ctx=ctx)
            if waits:
                handler.ctx.send_event(HumanResponseEvent(response=line))
        async for event in handler.stream_events():
            if isinstance(event, llama_index_thread.TurnEvent | llama_index_thread.HowToEndEvent):
                self._file.write_text(json.dumps(handler.ctx.to_dict()))
                kept = await handler.ctx.store.get("thread_desk")
                self.state = SessionState.model_validate(kept["session"])
                refused = getattr(event, "refused", "")
                return event.turn.model_copy(update={"text": f"{refused}{event.turn.text}"})
        result: Turn = await handler  # raises what went wrong
        return result

    def session(self) -> llama_index_thread.HowToSession:
        return llama_index_thread.HowToSession.resume(self.state.model_dump_json(), self.retriever)


Make = Callable[..., Any]


@pytest.fixture(params=[LangChainTeam, AwaitedTeam, LlamaIndexTeam])
def make(request: pytest.FixtureRequest, server: ScriptedServer, tmp_path: Path) -> Make:
    """Makes a team of each framework over the scripted server."""
    return lambda **options: request.param(server.url, tmp_path, **options)


def script(server: ScriptedServer, *replies: tuple[str, Sequence[Call]], times: int | None = 1) -> None:
    for to, calls in replies:
        server.reply(to=to, fault=calling(*calls), times=times)


def begin(server: ScriptedServer, team: Any) -> Turn:
    """A walk at the first step of the lamp."""
    script(
        server,
        (SELECTOR, [("open_guide", {"number": "1"}), ("handoff", {"to_agent": "planner", "reason": "opened"})]),
        (PLANNER, [("go_to", {"number": "1"})]),
    )
    return team.say(QUESTION)


def test_a_question_leads_to_a_guide_and_a_report_takes_a_branch(server: ScriptedServer, make: Make) -> None:
    team = make()
    shown = begin(server, team)
    assert shown.text.startswith(f"The lamp is dark: {LOOK}\nRun `switch status`.")
    assert str(shown.citations[0]) == "lamp.md:5-8"
    assert shown.usage.calls == 2 and shown.usage.prompt_tokens == 200
    assert "| The lamp is dark" in server.requests[0].text and "[1.2] | - If it prints" in server.requests[1].text
    script(server, (PLANNER, [("go_to", {"number": "[1.2]"})]))
    shown = team.say(ODD)
    assert shown.text.startswith(f"The lamp is dark: {SWITCH}\n")
    assert str(shown.citations[0]) == "lamp.md:12-15"
    assert ODD in team.state.trail[-1].why
    # What the walk reads for sure asks no model.
    asked = len(server.requests)
    assert team.say("back").text.startswith(f"The lamp is dark: {LOOK}\n")
    assert team.say("2").text.startswith(f"The lamp is dark: {BULB}\n")
    ended = team.say("1")
    assert (ended.status, len(server.requests)) == (Status.RESOLVED, asked)
    assert team.say("back").text.startswith(f"The lamp is dark: {BULB}\n")


def test_a_walk_goes_on_in_a_session_and_back(server: ScriptedServer, make: Make, tmp_path: Path) -> None:
    team = make()
    begin(server, team)
    session = team.session()
    assert session.respond("1").text.startswith(f"The lamp is dark: {SWITCH}\n")
    (tmp_path / "other").mkdir()
    other = type(team)(server.url, tmp_path / "other")
    script(server, (PLANNER, [("go_to", {"number": "3"})]))
    shown = other.say(ODD, session=session.state.model_dump(mode="json"))
    assert shown.text.startswith(f"The lamp is dark: {BULB}\n")
    assert (other.state.id, other.state.turn) == (session.state.id, session.state.turn + 1)


def test_an_unclear_report_asks_the_person(server: ScriptedServer, make: Make) -> None:
    team = make()
    begin(server, team)
    script(server, (PLANNER, [("ask_person", {"question": "Which word\n# is it?"})]))
    shown = team.say(ODD)
    said, _, step = shown.text.partition("\n\n> Which word # is it?\n\n")
    assert "in its own words" in said
    assert step.startswith(f"The lamp is dark: {LOOK}\n") and shown.status is Status.AWAITING
    script(server, (PLANNER, [("ask_person", {"numbers": ["1.2", "1.3"]})]))
    shown = team.say("it seems to be an o")
    told = server.requests[-1].text
    assert "| Which word # is it?" in told and f"| {ODD}; it seems to be an o" in told
    assert shown.options[:2] == ('it prints "off"', 'it prints "fine"') and shown.asked is Asked.OUTCOME
    assert team.say("1").text.startswith(f"The lamp is dark: {SWITCH}\n")


@pytest.mark.parametrize(("end", "status"), [("solved", Status.RESOLVED), ("unsolved", Status.ESCALATED)])
def test_the_planner_reads_that_it_is_over(end: str, status: Status, server: ScriptedServer, make: Make) -> None:
    team = make()
    begin(server, team)
    script(server, (PLANNER, [("go_to", {"number": end})]))
    assert team.say(ODD).status is status


def test_an_answer_that_is_a_command_is_the_walks(server: ScriptedServer, make: Make) -> None:
    team = make()
    begin(server, team)
    script(server, (PLANNER, [("ask_person", {"question": "Which word is it?"})]))
    team.say(ODD)
    assert team.say("I give up").status is Status.ESCALATED


@pytest.mark.parametrize(
    ("bounds", "said"),
    [({"turns": 3}, "3 turns of the models"), ({"tokens": 250}, "330 of 250 tokens")],
    ids=["turns", "tokens"],
)
def test_a_model_that_calls_tools_for_ever_is_stopped(
    bounds: dict[str, int], said: str, server: ScriptedServer, make: Make
) -> None:
    team = make(**bounds)
    begin(server, team)
    turn, before = team.state.turn, len(server.requests)
    script(server, (PLANNER, [("open_guide", {"number": "lamp.md"})]), times=None)
    shown = team.say(ODD)
    assert shown.text.startswith(f"The agents reached no decision ({said}).")
    assert f"The lamp is dark: {LOOK}\n" in shown.text and shown.status is Status.AWAITING
    assert len(server.requests) - before == 3 and team.state.turn == turn + 1
    assert team.say("1").text.startswith(f"The lamp is dark: {SWITCH}\n")


def test_at_a_question_the_walk_begins_by_itself_where_the_bound_is_reached(server: ScriptedServer, make: Make) -> None:
    script(server, (SELECTOR, [("search_guides", {"words": "lamp"})]), times=None)
    shown = make(turns=2).say(QUESTION)
    assert f"The lamp is dark: {LOOK}\n" in shown.text
    assert shown.notes == ("decided without the agents: 2 turns of the models",)


def test_calls_that_do_not_fit_are_told_to_the_model(server: ScriptedServer, make: Make) -> None:
    team = make()
    begin(server, team)
    before = len(server.requests)
    script(
        server,
        (PLANNER, [("go_to", '{"number": ')]),
        (PLANNER, [("go_to", {"number": "9.9"})]),
        (PLANNER, [("go_to", {"place": [1]})]),
        (PLANNER, [("approve", {"number": "1"})]),
        (PLANNER, [("execute", {})]),
        (PLANNER, [("go_to", {"number": "1.2"}), ("go_to", {"number": "3"})]),
    )
    assert team.say(ODD).text.startswith(f"The lamp is dark: {SWITCH}\n")
    told = [request.messages[-1].text for request in server.requests[before + 1 :]]
    assert "the guide has no number 9.9" in told[1]
    assert "number" in told[2]
    assert all(name in text for name, text in zip(("approve", "execute"), told[3:], strict=True))
    assert len(team.state.trail) == 2


def test_where_the_guide_does_not_go_on_another_one_is_looked_for(server: ScriptedServer, make: Make) -> None:
    team = make()
    begin(server, team)
    script(
        server,
        (PLANNER, [("handoff", {"to_agent": "query_generator", "reason": "the pump"})]),
        (GENERATOR, [("search_guides", {"words": "pump stands still"})]),
        (GENERATOR, [("handoff", {"to_agent": "selector", "reason": "found"})]),
        (SELECTOR, [("open_guide", {"number": "1"}), ("handoff", {"to_agent": "planner", "reason": "opened"})]),
        (PLANNER, [("go_to", {"number": "1"})]),
    )
    shown = team.say("it is dark because the pump stands still")
    assert shown.text.startswith("Pump stands still: Read the display\n")
    assert str(shown.citations[0]).startswith("pump.md:5")
    assert team.state.trail[-1].is_guess and "the agents chose Pump stands still" in team.state.trail[-1].why
    assert team.say("back").text.startswith(f"The lamp is dark: {LOOK}\n")


def test_what_finds_nothing_begins_with_the_query_generator(server: ScriptedServer, make: Make) -> None:
    script(server, (GENERATOR, [("ask_person", {"question": "What does not work?"})]))
    team = make()
    shown = team.say("xyzzy plugh")
    assert shown.text.endswith("> What does not work?") and shown.status is Status.NEW
    script(
        server,
        (SELECTOR, [("open_guide", {"number": "1"}), ("handoff", {"to_agent": "planner", "reason": "opened"})]),
        (PLANNER, [("go_to", {"number": "1"})]),
    )
    assert team.say("the lamp is dark").text.startswith(f"The lamp is dark: {LOOK}\n")


def test_what_a_model_says_is_not_shown(server: ScriptedServer, make: Make) -> None:
    team = make()
    begin(server, team)
    server.reply("The guide says: cut the wire.", to=PLANNER)
    shown = team.say(ODD)
    assert "wire" not in shown.model_dump_json() and shown.options
    server.reply(to=PLANNER, fault=Fault("down", lambda answer: replace(answer, status=401, instead="{}")))
    assert "decided without the agents" in team.say("something strange again").notes[-1]


def run(executor: Executor, folder: Path) -> dict[str, Any]:
    return {"executor": executor, "journal": Journal(folder / "journal.jsonl")}


def test_the_planner_has_steps_executed(server: ScriptedServer, make: Make, tmp_path: Path) -> None:
    marks: list[str] = []
    team = make(**run(Marking(marks.append), tmp_path))
    script(
        server,
        (SELECTOR, [("open_guide", {"number": "1"}), ("handoff", {"to_agent": "planner", "reason": "opened"})]),
        (PLANNER, [("go_to", {"number": "1"})]),
        (PLANNER, [("execute", {}), ("go_to", {"number": "3"})]),
        (PLANNER, [("execute", {})]),
    )
    server.reply("It is the person's.", to=PLANNER, times=None)
    shown = team.say(QUESTION)
    assert marks == [LOOK, SWITCH]
    assert [ran.outcome.text for ran in shown.ran][:2] == ["off", "dark"]
    assert f"The lamp is dark: {BULB}\n" in shown.text and team.state.step.header.startswith(
        f"The lamp is dark: {BULB}"
    )


def test_a_model_gives_no_approval(server: ScriptedServer, make: Make, tmp_path: Path) -> None:
    team = make(**run(Asking(), tmp_path))
    script(
        server,
        (SELECTOR, [("open_guide", {"number": "1"}), ("handoff", {"to_agent": "planner", "reason": "opened"})]),
        (PLANNER, [("go_to", {"number": "1"})]),
        (
            PLANNER,
            [("execute", {}), ("execute", {}), ("go_to", {"number": "1"}), ("ask_person", {"question": "Run it"})],
        ),
    )
    shown = team.say(QUESTION)
    assert (shown.asked, shown.options) == (Asked.APPROVAL, ("Run it", "I do it myself"))
    assert not team.state.approved and not [ran for ran in shown.ran if ran.outcome.text == "off"]
    # Nor where it is asked something meanwhile.
    script(
        server, (PLANNER, [("execute", {}), ("ask_person", {"question": "Shall I?"}), ("go_to", {"number": "Run it"})])
    )
    server.reply("Run it", to=PLANNER)
    shown = team.say("what does `switch status` do?")
    assert shown.asked is Asked.APPROVAL and not team.state.approved and not team.state.ran
    server.reply("It is the person's.", to=PLANNER, times=None)
    shown = team.say("Run it")
    assert [ran.outcome.text for ran in shown.ran] == ["off"]
    assert f"The lamp is dark: {SWITCH}\n" in shown.text


def test_each_agent_has_a_model_of_its_own(server: ScriptedServer, make: Make) -> None:
    client = (llama_index() if "Llama" in make().__class__.__name__ else langchain()).client
    options = {"is_function_calling_model": True} if "Llama" in make().__class__.__name__ else {}
    team = make(models={"planner": client(server.url, model="large", **options)})
    begin(server, team)
    assert [request.body["model"] for request in server.requests] == ["scripted", "large"]
    assert [[tool["function"]["name"] for tool in request.body["tools"]] for request in server.requests] == [
        ["search_guides", "open_guide", "ask_person", "handoff"],
        ["open_guide", "go_to", "ask_person", "handoff"],
    ]


@pytest.mark.parametrize(
    ("options", "said"), [({"models": {"judge": None}}, "found the agent judge"), ({"turns": 0}, "at least 1")]
)
def test_what_does_not_fit_is_said_at_once(options: dict[str, Any], said: str, make: Make) -> None:
    with pytest.raises(ValueError, match=said):
        team = make(**options)
        assert team.graph


def test_of_two_answers_to_a_turn_the_first_counts(server: ScriptedServer, tmp_path: Path) -> None:
    team = LangChainTeam(server.url, tmp_path)
    begin(server, team)
    with closing(sqlite3.connect(tmp_path / "walk.sqlite3", check_same_thread=False)) as connection:
        app = team.graph.compile(checkpointer=SqliteSaver(connection))
        first, other = answering(app, CONFIG, "1"), answering(app, CONFIG, "2")
        app.invoke(first, CONFIG)
        with pytest.raises(AnsweredAlready):
            answering(app, CONFIG, "2", number=1)
        late = app.invoke(other, CONFIG)  # asked again, as LangGraph does
        assert late["session"]["turn"] == 2
        assert late["__interrupt__"][0].value["text"].startswith(f"The lamp is dark: {SWITCH}\n")
