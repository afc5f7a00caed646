"""A walk as a tool of an agent: one call, one step. The walk lives in the agent's context.

There is no executor here: the agent has tools of its own, and would approve by itself what a person has to.
"""

# No postponed annotations: LlamaIndex looks for a parameter that is annotated with `Context` itself.

from typing import Any

from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context
from pydantic import BaseModel, ValidationError

from llama_index_thread.models import Models
from llama_index_thread.prompts import Templates
from llama_index_thread.retriever import ThreadRetriever
from llama_index_thread.session import HowToSession
from thread_core.errors import BadSession, IllegalStep
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk import agents
from thread_core.walk.memory import StepMemory
from thread_core.walk.rendering import Turn

SESSION = "thread_session_{}"
"""Under which the agent's context keeps where the walk of the tool of a name stands, as JSON."""


class Told(BaseModel):
    """What a call of the tool gives: the model reads the text, and who shows it to a person has the turn."""

    text: str
    turn: Turn | None = None
    """None where there is no step: the call did not fit."""

    def __str__(self) -> str:
        return self.text


def create_howto_tool(
    retriever: ThreadRetriever,
    llm: Models | None = None,
    *,
    name: str = agents.NAME,
    description: str = agents.DESCRIPTION,
    memory: StepMemory | None = None,
    policy: Policy = Policy.ASK,
    prompts: Templates | None = None,
) -> FunctionTool:
    """Make a tool for `FunctionAgent` and `AgentWorkflow` that returns one step of a guide per call, with its outcomes.

    The walk continues over runs of the agent that share a context (`agent.run(..., ctx=ctx)`), and wherever
    `ctx.to_dict()` is loaded. A call's `tool_output.raw_output` has the `turn` with its options and citations, to show
    to a person.

    Args:
        retriever: Its library is shared.
        llm: As in `HowToSession`; it need not be the agent's.
        name: The tool's name. The walk is saved under it, so two such tools have separate walks.
        description: What the agent is told about the tool.
        memory: As in `HowToSession`, with the walks of one person.
        policy: As in `HowToSession`.
        prompts: As in `HowToSession`.

    Raises:
        ValueError: There is no prompt with that name.

    Example:
        agent = FunctionAgent(tools=[create_howto_tool(retriever)], llm=llm)
        ctx = Context(agent)
        print(await agent.run("The disk of a node is full, what do I do?", ctx=ctx))
    """

    def opened(kept: str) -> HowToSession:
        if not kept:
            return HowToSession(retriever, llm, memory=memory, policy=policy, prompts=prompts)
        return HowToSession.resume(kept, retriever, llm, memory=memory, prompts=prompts)

    opened("")  # a prompt of a wrong name is found now
    key = SESSION.format(name)
    busy: set[int] = set()

    async def step(ctx: Context, question: str, outcome: str) -> Told:
        kept = await ctx.store.get(key, default="")
        if not question and not kept:
            return Told(text=agents.NO_WALK)
        try:
            session = opened(kept)
        except BadSession:
            if not question:
                raise
            session = opened("")
        above = ""
        if not question or await session.ais_answer(question):
            shown = await session.arespond(question or outcome)
        else:
            above = agents.leaving(session.state, question)
            session = opened("")
            shown = await session.astart(question)
        await ctx.store.set(key, session.state.model_dump_json())
        return Told(text="\n\n".join(filter(None, (above, agents.told(shown)))), turn=shown)

    async def howto(ctx: Context, **given: Any) -> Told:
        try:
            call = agents.Arguments.model_validate(given)
        except ValidationError:
            return Told(text=agents.EITHER)
        if bool(call.question) == bool(call.outcome):
            return Told(text=agents.EITHER)
        if id(ctx.store) in busy:
            return Told(text=agents.ONE_AT_A_TIME)
        busy.add(id(ctx.store))
        try:
            return await step(ctx, call.question, call.outcome)
        except (IllegalStep, BadSession) as refusal:
            return Told(text=str(refusal))
        finally:
            busy.discard(id(ctx.store))

    return FunctionTool.from_defaults(async_fn=howto, name=name, description=description, fn_schema=agents.Arguments)
