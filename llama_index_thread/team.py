"""Agents that lead a walk, as a LlamaIndex workflow."""

# No postponed annotations: LlamaIndex looks for a parameter that is annotated with `Context` itself.

from collections.abc import Mapping
from typing import Any

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.agent.workflow.base_agent import BaseWorkflowAgent
from llama_index.core.llms import LLM
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import Context

from llama_index_thread.retriever import ThreadRetriever, library_of
from llama_index_thread.team_workflow import HowToTeam
from thread_core.retrieval.prerequisites import Policy
from thread_core.walk.desk import DESCRIPTIONS, TOKENS, TURNS, Agent, Desk, each
from thread_core.walk.execution import Executor
from thread_core.walk.journal import Journal
from thread_core.walk.session import hands
from thread_core.walk.state import SessionState
from thread_core.walk.team_tools import TOOLS, tools


def create_howto_team(
    retriever: ThreadRetriever,
    llm: LLM,
    *,
    models: Mapping[str, LLM] | None = None,
    executor: Executor | None = None,
    journal: Journal | None = None,
    policy: Policy = Policy.ASK,
    turns: int = TURNS,
    tokens: int = TOKENS,
) -> HowToTeam:
    """Build a workflow in which a selector, a planner and a query generator lead a walk.

    `run(user_msg=...)` starts with a question. With `session=` (a `SessionState` or its JSON), it continues a walk from
    elsewhere; with the `ctx` of a walk that has ended, it answers that one. Each turn of the person is a `TurnEvent`,
    answered with an `AnswerEvent` or `HumanResponseEvent`. The models choose guides and places by number: the person
    reads the documents' own text, except for an agent's question, which is marked as one.

    Args:
        retriever: Its library is shared.
        llm: A model that calls functions.
        models: Other models per agent: "selector", "planner", "query_generator".
        executor: Carries out a step if the planner asks for it. The person is asked for what needs approval.
        journal: As in `HowToWorkflow`.
        policy: What to do with a step whose prerequisites are undecided.
        turns: Model replies per turn of the person, at most. After that, the step stays, and the person is told.
        tokens: Tokens of prompts and replies per turn, at most; the reply that exceeds them is the last.

    Raises:
        TypeError: The retriever is not a `ThreadRetriever`, or a model does not call functions.
        ValueError: There is no agent with that name, or a limit is below 1.

    Example:
        team = create_howto_team(retriever, llm)
        handler = team.run(user_msg="The disk of a node is full, what do I do?")
        async for event in handler.stream_events():
            if isinstance(event, TurnEvent):
                print(event.turn)
                handler.ctx.send_event(event.answer(input("> ")))
    """
    given = each(llm, models, turns, tokens)
    for model in given.values():
        if not model.metadata.is_function_calling_model:
            raise TypeError(
                f"{model.metadata.model_name} does not call functions; if it does, pass is_function_calling_model=True"
            )
    new = Desk(session=SessionState(policy=policy), executes=executor is not None)

    def made(name: str) -> FunctionTool:
        async def does(ctx: Context, **given: Any) -> str:
            return await team.call(ctx, name, given)

        tool = TOOLS[name]
        return FunctionTool.from_defaults(
            async_fn=does, name=name, description=tool.description, fn_schema=tool.arguments
        )

    agents: list[BaseWorkflowAgent] = [
        FunctionAgent(
            name=str(agent),
            description=DESCRIPTIONS[agent],
            system_prompt=agent.system,
            tools=[made(name) for name in tools(new.executes, agent)],
            llm=model,
            can_handoff_to=[str(other) for other in Agent if other is not agent],
            streaming=False,
        )
        for agent, model in given.items()
    ]
    team = HowToTeam(agents, library_of(retriever), hands(executor, journal), (turns, tokens), new)
    return team
