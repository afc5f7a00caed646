"""The nodes of a walk that several agents lead; each is a plan, with and without an event loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.channels import EphemeralValue
from langgraph.config import get_config, get_stream_writer
from langgraph.errors import GraphInterrupt
from langgraph.graph import END
from langgraph.types import interrupt
from pydantic import AfterValidator, StrictInt

from langchain_thread.graph import VERSION, HowToInput, HowToState, Reply, check_checkpointer, check_turn
from langchain_thread.memory import noting
from thread_core.errors import ModelError
from thread_core.llm.costs import text_tokens
from thread_core.llm.errors import Settings
from thread_core.plan import Plan
from thread_core.ports import Usage
from thread_core.retrieval.prerequisites import Policy
from thread_core.store.library import Library
from thread_core.walk.desk import Agent, Desk
from thread_core.walk.execution import Executor, ManualExecutor, aperform, perform
from thread_core.walk.journal import Journal
from thread_core.walk.rendering import Turn
from thread_core.walk.reply import parse
from thread_core.walk.session import Perform, note_reached
from thread_core.walk.state import SessionState, loaded
from thread_core.walk.states import ENDED, READING
from thread_core.walk.team import close, hear
from thread_core.walk.team_tools import call

_SILENT: Any = {"tags": ["nostream"]}
"""What the agents say is for nobody to read."""
_NO_JSON = "The arguments are not JSON: {}. Call it again."


class TeamInput(HowToInput, total=False):
    """What a team is invoked with: a question; or, of a walk that goes on or comes from elsewhere, an answer."""

    session: dict[str, Any]
    """A `SessionState` as plain data, of a walk that was begun elsewhere."""


class TeamState(HowToState, total=False):
    """What the nodes share."""

    desk: dict[str, Any]
    """A `Desk` without its session."""
    messages: list[AnyMessage]
    """Of the agents, in the turn that is under way."""
    trouble: Annotated[dict[str, str], EphemeralValue]
    """Why the agents break off."""


@dataclass(frozen=True, slots=True)
class _Say:
    """A conversation that a model answers -> AIMessage."""

    model: Runnable[Any, AIMessage]
    messages: Sequence[AnyMessage]


@dataclass(frozen=True, slots=True)
class Nodes:
    """What the nodes do."""

    library: Library
    executor: Executor | None
    journal: Journal
    models: Mapping[Agent, Runnable[Any, AIMessage]]
    bounds: tuple[int, int]
    policy: Policy

    @property
    def plans(self) -> dict[str, Callable[[TeamState], Plan[TeamState]]]:
        """The plan of each node, by name."""
        agents = {agent.value: lambda state, agent=agent: self._agent(agent, state) for agent in Agent}
        return {"turn": self._turn, "tools": self._tools, "close": self._close, "ask": self._ask, **agents}

    def node(self, plan: Callable[[TeamState], Plan[TeamState]]) -> RunnableLambda[TeamState, TeamState]:
        """Make a node of a plan."""

        async def later(state: TeamState) -> TeamState:
            return await self.library.arun(plan(state), self._later)

        return RunnableLambda(lambda state: self.library.run(plan(state), self._now), later)

    def _now(self, request: Perform | _Say) -> Any:
        if isinstance(request, Perform):
            return perform(self.executor or ManualExecutor(), request.action, self._noting)
        with Settings().translated():
            return request.model.invoke(request.messages, _SILENT)

    async def _later(self, request: Perform | _Say) -> Any:
        if isinstance(request, Perform):
            return await aperform(self.executor or ManualExecutor(), request.action, self._noting)
        with Settings().translated():
            return await request.model.ainvoke(request.messages, _SILENT)

    @property
    def _noting(self) -> Journal:
        return noting(self.journal, get_config())

    def _desk(self, state: TeamState) -> Desk:
        kept = Desk.model_validate(state["desk"]) if "desk" in state else Desk()
        return kept.but(session=loaded(state["session"]), executes=self.executor is not None)

    def _turn(self, state: TeamState) -> Plan[TeamState]:
        if "question" in state:
            check_checkpointer()
            desk, line = (
                Desk(session=SessionState(policy=self.policy), executes=self.executor is not None),
                state["question"],
            )
        else:
            desk, line = self._desk(state), str(state.get("heard", state.get("answer", "")))
        if "answer" in state:
            check_turn(desk.session, Reply(answer=line, number=state.get("number")))
        if not isinstance(line, str) or not line.strip():
            raise ValueError('invoke the team with {"question": text}, or {"answer": text} if it has a session')
        told = yield from hear(desk, line)
        way = str(told.desk.agent or "close")
        return _kept(told.desk, told.shown) | {"messages": [HumanMessage(told.text)], "way": way, "version": VERSION}

    def _agent(self, agent: Agent, state: TeamState) -> Plan[TeamState]:
        desk, messages = self._desk(state), state["messages"]
        if bound := desk.bound(*self.bounds):
            return {"way": "close", "trouble": {"bound": bound}}
        try:
            reply: AIMessage = yield _Say(self.models[agent], [SystemMessage(agent.system), *messages])
        except ModelError as error:
            return {"way": "close", "trouble": {"trouble": str(error)}}
        way = "tools" if reply.tool_calls or reply.invalid_tool_calls else "close"
        return _kept(desk.paid(_usage(messages, reply))) | {"messages": [*messages, reply], "way": way}

    def _tools(self, state: TeamState) -> Plan[TeamState]:
        desk, messages, shown = self._desk(state), state["messages"], None
        calling, said = messages[-1], []
        assert isinstance(calling, AIMessage)
        for one in calling.tool_calls:
            told = yield from call(desk, one["name"], one["args"])
            desk, shown = told.desk, told.shown or shown
            said.append((one["id"], told.text, told.is_error))
        said += [(one["id"], _NO_JSON.format(one["error"]), True) for one in calling.invalid_tool_calls]
        answers = [
            ToolMessage(text, tool_call_id=id or "", status="error" if bad else "success") for id, text, bad in said
        ]
        return _kept(desk, shown) | {"messages": [*messages, *answers], "way": str(desk.agent or "close")}

    def _close(self, state: TeamState) -> Plan[TeamState]:
        made = Turn.model_validate(state["turn"]) if "turn" in state else None
        told = yield from close(self._desk(state), made, **state.get("trouble", {}))
        assert told.shown is not None
        note_reached(self._noting, told.desk.session)
        get_stream_writer()(told.shown.model_dump(mode="json"))
        way = END if told.desk.session.status in ENDED else "ask"
        return _kept(told.desk, told.shown) | {"messages": [], "way": way}

    def _ask(self, state: TeamState) -> Plan[TeamState]:
        """Wait for the answer; as in `create_howto_graph`, the first of a turn counts."""
        desk = self._desk(state)
        session, shown = desk.session, state.get("turn")
        if shown is None:  # another process
            again = (yield from close(desk)).shown
            shown = again.model_dump(mode="json") if again else {}
        pause = f"{session.id}/{get_config()['configurable']['checkpoint_ns']}"

        def claim(given: str | int | Reply) -> str:
            reply = given if isinstance(given, Reply) else Reply(answer=given)
            check_turn(session, reply)
            if parse(str(reply.answer)).event not in READING:
                self._noting.answered(pause, session.turn, str(reply.answer))
            return str(reply.answer)

        asked = shown | {"number": session.turn, "session": session.id}
        try:
            schema: Any = Annotated[str | StrictInt | Reply, AfterValidator(claim)]
            return {"heard": interrupt(asked, response_schema=schema), "way": "turn"}
        except GraphInterrupt:
            if (first := self.journal.answer_to(pause, session.turn)) is None:
                raise
            return {"heard": first, "way": "turn"}


def _kept(desk: Desk, shown: Turn | None = None) -> TeamState:
    other = desk.model_dump(mode="json", exclude={"session"})
    kept: TeamState = {"session": desk.session.model_dump(mode="json"), "desk": other}
    return kept | {"turn": shown.model_dump(mode="json")} if shown else kept


def _usage(asked: Sequence[AnyMessage], reply: AIMessage) -> Usage:
    """As the service counted, or estimated."""
    if counted := reply.usage_metadata:
        return Usage(prompt_tokens=counted["input_tokens"], completion_tokens=counted["output_tokens"])
    return Usage(prompt_tokens=sum(text_tokens(one.text) for one in asked), completion_tokens=text_tokens(str(reply)))
