"""A walk that several agents lead as a LlamaIndex workflow: `FunctionAgent`s that hand over to each other.

The walk takes what it can read for sure; agents are at work where it would ask a model. A person's turn ends with a
`TurnEvent`: save the context then. It is JSON, and holds the session and nothing that the agents said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from llama_index.core.agent.workflow import (
    AgentInput,
    AgentOutput,
    AgentSetup,
    AgentWorkflow,
    ToolCall,
    ToolCallResult,
)
from llama_index.core.agent.workflow.base_agent import BaseWorkflowAgent
from llama_index.core.agent.workflow.workflow_events import AgentWorkflowStartEvent
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.workflow import Context, HumanResponseEvent, JsonSerializer, step

from llama_index_thread.workflow import AnswerEvent, HowToEndEvent, TurnEvent
from thread_core.errors import AnsweredAlready, ModelError
from thread_core.llm.costs import text_tokens
from thread_core.llm.errors import Settings
from thread_core.plan import Plan
from thread_core.ports import Usage
from thread_core.store.library import Library
from thread_core.walk.desk import Agent, Desk, Told
from thread_core.walk.execution import Executor, ManualExecutor, aperform
from thread_core.walk.journal import Journal
from thread_core.walk.rendering import Turn
from thread_core.walk.reply import parse
from thread_core.walk.session import Perform, note_reached
from thread_core.walk.state import SessionState, loaded
from thread_core.walk.states import ENDED, READING
from thread_core.walk.team import close, hear
from thread_core.walk.team_tools import call

DESK, SHOWN, TROUBLE, MEMORY = "thread_desk", "thread_shown", "thread_trouble", "memory"
"""Under which the context keeps where a turn stands, what the walk has shown, and why the agents break off."""
_AGENTS = (MEMORY, "scratchpad", "current_tool_calls", "user_msg_str")
_ROOM = 10_000_000
"""Tokens of a turn's messages: the bound of the turn ends it, and nothing is cut off before."""

PersonsTurn = TurnEvent | HowToEndEvent


class HowToTeam(AgentWorkflow):
    """Agents that lead a person through a procedure; made by `create_howto_team`."""

    def __init__(
        self,
        agents: list[BaseWorkflowAgent],
        library: Library,
        hands: tuple[Executor | None, Journal],
        bounds: tuple[int, int],
        new: Desk,
    ) -> None:
        # No types besides the events that the steps declare, which LlamaIndex adds.
        super().__init__(agents, root_agent=str(Agent.SELECTOR), serializer=JsonSerializer(allowed_types=()))
        self._library, (self._executor, self._journal) = library, hands
        self._bounds, self._new = bounds, new

    async def call(self, ctx: Context, name: str, given: Mapping[str, Any]) -> str:
        """Do what an agent calls a tool for; what the model reads of it."""
        return (await self._told(ctx, call(await self._desk(ctx), name, given))).text

    @step
    async def init_run(self, ctx: Context, ev: AgentWorkflowStartEvent) -> AgentInput | PersonsTurn:
        """Take the question, or the answer to a walk that has ended or was begun elsewhere."""
        await self._init_context(ctx, ev)
        if (session := ev.get("session", default=None)) is not None:
            await self._keep(ctx, self._new.but(session=loaded(session)))
        return await self._hear(ctx, str(ev.get("user_msg", default="") or ""))

    @step
    async def hear(self, ev: HumanResponseEvent) -> AnswerEvent:
        """Take an answer in LlamaIndex's own event for one to the open turn, or to the one of its `number`."""
        return AnswerEvent(**ev.to_dict())

    @step(num_workers=1)
    async def respond(self, ctx: Context, ev: AnswerEvent) -> AgentInput | PersonsTurn | None:
        """Take an answer, unless it is to another turn than the one that is open."""
        session = (desk := await self._desk(ctx)).session
        if desk.agent is not None:
            return None
        try:
            if ev.number not in (None, session.turn):
                raise AnsweredAlready(session.id, ev.number or 0)
            if parse(ev.text).event not in READING:
                await asyncio.to_thread(self._journal.answered, session.id, session.turn, ev.text)
        except AnsweredAlready as refused:
            return await self._close(ctx, str(refused))
        return await self._hear(ctx, ev.text)

    @step
    async def run_agent_step(self, ctx: Context, ev: AgentSetup) -> AgentOutput:
        """Ask the model of an agent, within the bounds of the turn."""
        trouble = {"bound": (await self._desk(ctx)).bound(*self._bounds)}
        if not trouble["bound"]:
            try:
                with Settings().translated():
                    output: AgentOutput = await super().run_agent_step(ctx, ev)
                await self._keep(ctx, (await self._desk(ctx)).paid(_usage(ev, output)))
                return output
            except ModelError as error:
                trouble = {"trouble": str(error)}
        await ctx.store.set(TROUBLE, trouble)
        return AgentOutput(response=ChatMessage(role="assistant"), current_agent_name=ev.current_agent_name)

    @step
    async def parse_agent_output(self, ctx: Context, ev: AgentOutput) -> AgentInput | ToolCall | PersonsTurn | None:
        """Have tools called; without a call, the turn is the person's."""
        if not ev.tool_calls:
            return await self._close(ctx)
        await super().parse_agent_output(ctx, ev)
        return None

    # One after the other: each finds what the one before it has left.
    @step(num_workers=1)
    async def call_tool(self, ctx: Context, ev: ToolCall) -> ToolCallResult:
        """Call a tool."""
        called: ToolCallResult = await super().call_tool(ctx, ev)
        return called

    @step
    async def aggregate_tool_results(self, ctx: Context, ev: ToolCallResult) -> AgentInput | PersonsTurn | None:
        """Go on with the agent, unless the turn is the person's now."""
        following = await super().aggregate_tool_results(ctx, ev)
        if isinstance(following, AgentInput) and (await self._desk(ctx)).agent is None:
            return await self._close(ctx)
        return following if isinstance(following, AgentInput) else None

    async def _hear(self, ctx: Context, line: str) -> AgentInput | PersonsTurn:
        if not line.strip():
            raise ValueError("run needs user_msg=, a question or an answer")
        told = await self._told(ctx, hear(await self._desk(ctx), line))
        if (agent := told.desk.agent) is None:
            return await self._close(ctx)
        memory = ChatMemoryBuffer.from_defaults([ChatMessage(told.text)], token_limit=_ROOM)
        anew: dict[str, Any] = {
            MEMORY: memory,
            "user_msg_str": told.text,
            "current_agent_name": str(agent),
            "next_agent": None,
            "max_iterations": self._bounds[0] + 2,
            "num_iterations": 0,
            "scratchpad": [],
            "current_tool_calls": [],
        }
        for key, value in anew.items():
            await ctx.store.set(key, value)
        return AgentInput(input=await memory.aget(), current_agent_name=str(agent))

    async def _close(self, ctx: Context, refused: str = "") -> PersonsTurn:
        desk, shown = await self._desk(ctx), await ctx.store.get(SHOWN, default=None)
        trouble = await ctx.store.get(TROUBLE, default=None) or {}
        told = await self._told(ctx, close(desk, Turn.model_validate(shown) if shown else None, **trouble))
        session = told.desk.session
        assert told.shown is not None
        await asyncio.to_thread(note_reached, self._journal, session)
        for key in (SHOWN, TROUBLE, *_AGENTS):  # what agents said is not kept by a context that is saved
            await ctx.store.set(key, None)
        if session.status in ENDED:
            return HowToEndEvent(turn=told.shown, session=session.id, number=session.turn)
        return TurnEvent(turn=told.shown, session=session.id, number=session.turn, refused=refused)

    async def _told(self, ctx: Context, plan: Plan[Told]) -> Told:
        told = await self._library.arun(plan, self._perform)
        await self._keep(ctx, told.desk)
        if told.shown is not None:
            await ctx.store.set(SHOWN, told.shown.model_dump(mode="json"))
        return told

    async def _perform(self, request: Perform) -> Any:
        return await aperform(self._executor or ManualExecutor(), request.action, self._journal)

    async def _desk(self, ctx: Context) -> Desk:
        kept = await ctx.store.get(DESK, default=None)
        if kept is None:
            return self._new.but(session=SessionState(policy=self._new.session.policy))
        desk = Desk.model_validate(kept | {"session": {}})
        return desk.but(session=loaded(kept["session"]), executes=self._new.executes)

    async def _keep(self, ctx: Context, desk: Desk) -> None:
        await ctx.store.set(DESK, desk.model_dump(mode="json"))


def _usage(asked: AgentSetup, reply: AgentOutput) -> Usage:
    """As the service counted, or estimated."""
    counted = (reply.raw or {}).get("usage") if isinstance(reply.raw, dict) else None
    if counted:
        return Usage(prompt_tokens=counted["prompt_tokens"], completion_tokens=counted["completion_tokens"])
    prompt = sum(text_tokens(message.content or "") for message in asked.input)
    return Usage(prompt_tokens=prompt, completion_tokens=text_tokens(str(reply.response)))
