"""A walk as a tool of an agent: one call, one step. The walk lives in the agent's context.

There is no executor here: the agent has tools of its own, and would approve by itself what a person has to.
"""

# No postponed annotations: LlamaIndex looks for a parameter that is annotated with `Context` itself.

from typing import Annotated

from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context
from pydantic import Field

from llama_index_thread.models import Models
from llama_index_thread.prompts import Templates
from llama_index_thread.retriever import ThreadRetriever
from llama_index_thread.session import HowToSession
from thread_core.errors import IllegalStep
from thread_core.retrieval.prerequisites import Policy
from thread_core.walking import agents
from thread_core.walking.memory import StepMemory

SESSION = "thread_session"
"""Under which the agent's context keeps where the walk stands, as JSON."""

Question = Annotated[str, Field(description=agents.QUESTION)]
Outcome = Annotated[str, Field(description=agents.OUTCOME)]


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
    """A tool for `FunctionAgent` and `AgentWorkflow` that gives one step of a procedure a call, with its outcomes.

    The walk goes on over several runs of the agent that share a context (`agent.run(..., ctx=ctx)`), and where
    `ctx.to_dict()` is loaded in another process.

    Args:
        retriever: Its library is shared.
        llm: As in `HowToSession`; it need not be the agent's.
        name: Of the tool.
        description: What the agent is told about it.
        memory: As in `HowToSession`; its walks are those of one person.
        policy: As in `HowToSession`.
        prompts: As in `HowToSession`.

    Raises:
        ValueError: there is no prompt of such a name.

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
    busy: set[int] = set()

    async def howto(ctx: Context, question: Question = "", outcome: Outcome = "") -> str:
        if bool(question.strip()) == bool(outcome.strip()):
            return agents.EITHER
        if id(ctx.store) in busy:
            return "Another call is being answered: make one call at a time, and read its step first."
        busy.add(id(ctx.store))
        try:
            session = opened("" if question.strip() else await ctx.store.get(SESSION, default=""))
            shown = await (session.astart(question) if question.strip() else session.arespond(outcome))
            await ctx.store.set(SESSION, session.state.model_dump_json())
        except IllegalStep as refusal:
            return str(refusal)
        finally:
            busy.discard(id(ctx.store))
        return agents.told(shown)

    return FunctionTool.from_defaults(async_fn=howto, name=name, description=description)
