"""Thread as a team of agents in a LlamaIndex workflow."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.llms import LLM
from llama_index.core.workflow import Context, HumanResponseEvent

from llama_index_thread import HowToEndEvent, TurnEvent, create_howto_team
from thread_core.walk.rendering import Turn
from thread_eval.systems import Setup
from thread_eval.systems.team import Team, expected
from thread_eval.systems.thread_llama_index import ThreadOnLlamaIndex


class TeamOnLlamaIndex(Team, ThreadOnLlamaIndex):
    """Where a walk stands is the workflow's context, from which any number of walks go on."""

    name = "Team, LlamaIndex"

    def __init__(self, setup: Setup) -> None:
        """Have the setup's own model be all agents.

        Raises:
            TypeError: it is no model of LlamaIndex, or calls no functions.
        """
        ThreadOnLlamaIndex.__init__(self, setup)
        Team.__init__(self)
        self._team = create_howto_team(self._retriever, expected(setup.chat, LLM, "a model of LlamaIndex"))

    def said(self, line: str, at: Any) -> tuple[Any, Turn]:
        """The context as JSON, and the turn."""
        return asyncio.run(self._said(line, at))

    async def _said(self, line: str, at: Any) -> tuple[Any, Turn]:
        if at is None:
            handler = self._team.run(user_msg=line)
        else:
            ctx: Any = Context.from_dict(self._team, at)
            waits = ctx.is_running
            handler = self._team.run(ctx=ctx) if waits else self._team.run(user_msg=line, ctx=ctx)
            if waits:
                handler.ctx.send_event(HumanResponseEvent(response=line))
        async for event in handler.stream_events():
            if isinstance(event, TurnEvent | HowToEndEvent):
                kept = handler.ctx.to_dict()
                await handler.cancel_run()
                return kept, event.turn
        turn: Turn = await handler  # raises what went wrong
        return at, turn
